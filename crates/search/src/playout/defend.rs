//! Save an own chain that the last move put into atari: by running, or by capturing a chain beside it.

use super::compose::pick;
use super::{PlayoutRule, Position};
use crate::rng::Rng;
use arrayvec::ArrayVec;
use tesuji_board::{Board, Chain, Color, Move, Point};

/// Defends chains in atari beside the last move.
#[derive(Clone, Copy, Debug, Default)]
pub struct Defend;

impl PlayoutRule for Defend {
    #[inline(always)]
    fn propose(&mut self, position: &mut Position, rng: &mut Rng) -> Option<Point> {
        let Move::Play(last) = position.last else { return None };
        let (board, color) = (&position.board, position.to_move);
        if board.neighborhood(last).sides_of(color) == 0 {
            return None;
        }
        let mut moves = ArrayVec::<Point, 16>::new();
        for chain in board.chains_beside(last, color) {
            if board.liberty_count(chain) == 1 {
                add_defences(board, chain, color, &mut moves);
            }
        }
        pick(&moves, rng)
    }
}

fn add_defences(board: &Board, chain: Chain, color: Color, moves: &mut ArrayVec<Point, 16>) {
    let add = |point: Point, moves: &mut ArrayVec<Point, 16>| {
        if !moves.contains(&point) {
            // A full list is long enough to choose from.
            let _ = moves.try_push(point);
        }
    };
    if let Some(liberty) = board.first_liberty(chain)
        && board.liberties_after(liberty, color, 2) >= 2
    {
        add(liberty, moves);
    }
    for stone in board.stones(chain) {
        for side in board.sides(stone, (!color).cell()) {
            let attacker = board.chain_at(side);
            if board.liberty_count(attacker) == 1
                && let Some(liberty) = board.first_liberty(attacker)
                && board.ko_point(color) != Some(liberty)
            {
                add(liberty, moves);
            }
        }
    }
}
