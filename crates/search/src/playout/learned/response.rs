//! The moves that answer the last move: they are found anew at every move, because they are few and none of them is the same at the next.

use super::tactics::{ATARI_BY_SELF_ATARI as TACTICAL_SELF_ATARI, Tactics};
use tesuji_board::{Board, Chain, Color, Point, visit_nakade_beside};

/// Own chains with so many liberties or fewer are to be saved.
const LOW: usize = 2;

/// Values of the group of responses, the most urgent first.
const CAPTURE_SAVES: [u8; LOW] = [1, 2];
const FROM_ATARI_TO_THREE: u8 = 3;
const FROM_ATARI_TO_TWO: u8 = 4;
const FROM_TWO_TO_THREE: u8 = 5;
const CAPTURE_STONE: u8 = 6;
const CAPTURE_CHAIN: u8 = 7;
const ATARI: u8 = 8;
const ATARI_BY_SELF_ATARI: u8 = 9;
const SQUEEZE: u8 = 10;
const NAKADE: u8 = 11;

/// What is known of moves beside chains with few liberties.
pub(super) trait Known {
    /// The tactics of a move that is a liberty of a chain with few.
    fn tactics(&self, board: &Board, point: Point, player: Color) -> Tactics;

    /// Whether a player can capture anything.
    fn can_capture(&self, player: Color) -> bool;
}

/// Calls `respond` with the moves of `player` that answer the last one, and how. Of several responses that a move is, the least counts: they are
/// in the order of urgency, and no orientation must matter.
#[inline]
pub(super) fn find(
    board: &Board,
    last: Point,
    player: Color,
    known: &impl Known,
    respond: &mut impl FnMut(Point, u8),
) {
    let around = board.neighborhood(last);
    if around.sides_of(player) > 0 {
        let chains = board.chains_on_sides(last);
        for (i, &chain) in chains.iter().enumerate() {
            let is_own = around.0 >> (2 * i) & 3 == player.cell() as u16;
            if is_own && board.liberty_count(chain) <= LOW && !chains[..i].contains(&chain) {
                save(board, chain, player, known, respond);
            }
        }
    }
    if !board.is_empty(last) {
        attack(board, board.chain_at(last), player, known, respond);
    }
    visit_nakade_beside(board, last, !player, |vital| respond(vital, NAKADE));
}

/// For an own chain with few liberties beside the last move. Not inlined, as it is rare: the rest is faster without it.
#[inline(never)]
fn save(board: &Board, chain: Chain, player: Color, known: &impl Known, respond: &mut impl FnMut(Point, u8)) {
    let count = board.liberty_count(chain);
    if known.can_capture(player) {
        for stone in board.stones(chain) {
            if board.neighborhood(stone).sides_of(!player) == 0 {
                continue;
            }
            for attacker in board.chains_on_sides(stone) {
                // Beside a chain are no other own ones.
                if board.liberty_count(attacker) == 1
                    && attacker != chain
                    && let Some(liberty) = board.first_liberty(attacker)
                {
                    respond(liberty, CAPTURE_SAVES[count - 1]);
                }
            }
        }
    }
    for liberty in board.liberties(chain).take(count) {
        match (count, known.tactics(board, liberty, player).liberties_of_escape()) {
            (1, 3) => respond(liberty, FROM_ATARI_TO_THREE),
            (1, 2) => respond(liberty, FROM_ATARI_TO_TWO),
            (2, 3) => respond(liberty, FROM_TWO_TO_THREE),
            _ => {}
        }
    }
}

/// For the chain of the last move.
#[inline]
fn attack(
    board: &Board,
    chain: Chain,
    player: Color,
    known: &impl Known,
    respond: &mut impl FnMut(Point, u8),
) {
    let count = board.liberty_count(chain);
    if count > 3 {
        return;
    }
    for liberty in board.liberties(chain).take(count) {
        let response = match count {
            1 if board.chain_size(chain) == 1 => CAPTURE_STONE,
            1 => CAPTURE_CHAIN,
            2 if known.tactics(board, liberty, player).atari >= TACTICAL_SELF_ATARI => ATARI_BY_SELF_ATARI,
            2 => ATARI,
            _ => SQUEEZE,
        };
        respond(liberty, response);
    }
}
