//! Capture a chain in atari anywhere on the board.
//!
//! A chain comes into atari only by a stone played beside it or joined to it, so looking around each move is enough to
//! keep a list of suspects; each is checked again when it matters.

use super::compose::pick;
use super::{PlayoutRule, Position};
use crate::rng::Rng;
use arrayvec::ArrayVec;
use tesuji_board::{Board, Color, Move, Point};

/// Most suspects kept per colour; later ones are dropped, which only makes the rule miss a capture.
const MOST_SUSPECTS: usize = 64;

/// Plays a random capture.
#[derive(Clone, Debug, Default)]
pub struct GlobalCapture {
    /// By colour: one stone of each chain that was in atari when last seen.
    suspects: [ArrayVec<Point, MOST_SUSPECTS>; 2],
}

impl PlayoutRule for GlobalCapture {
    #[inline]
    fn start(&mut self, position: &Position) {
        let board = &position.board;
        self.suspects.iter_mut().for_each(ArrayVec::clear);
        for (stone, color) in board.chain_representatives() {
            self.suspect(board, stone, color);
        }
    }

    #[inline]
    fn propose(&mut self, position: &mut Position, rng: &mut Rng) -> Option<Point> {
        let (board, color) = (&position.board, position.to_move);
        let targets = &mut self.suspects[(!color).index()];
        let mut moves = ArrayVec::<Point, MOST_SUSPECTS>::new();
        targets.retain(|&mut stone| {
            let chain = board.chain_at(stone);
            let in_atari = board.color(stone) == Some(!color) && board.liberty_count(chain) == 1;
            if in_atari
                && let Some(liberty) = board.first_liberty(chain)
                && board.ko_point(color) != Some(liberty)
            {
                moves.push(liberty);
            }
            in_atari
        });
        pick(&moves, rng)
    }

    #[inline]
    fn played(&mut self, position: &Position) {
        let Move::Play(last) = position.last else { return };
        let (board, opponent) = (&position.board, position.to_move);
        self.suspect(board, last, !opponent);
        if board.neighborhood(last).sides_of(opponent) > 0 {
            for side in board.sides(last, opponent.cell()) {
                self.suspect(board, side, opponent);
            }
        }
    }
}

impl GlobalCapture {
    #[inline(always)]
    fn suspect(&mut self, board: &Board, stone: Point, color: Color) {
        if board.liberty_count(board.chain_at(stone)) == 1 && !self.suspects[color.index()].contains(&stone) {
            let _ = self.suspects[color.index()].try_push(stone);
        }
    }
}
