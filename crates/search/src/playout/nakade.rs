//! Kill an eye space that the last move left or made: play its vital point.

use super::compose::pick;
use super::{PlayoutRule, Position};
use crate::rng::Rng;
use arrayvec::ArrayVec;
use tesuji_board::{Move, Point, visit_nakade_beside};

/// Plays the vital point of the opponent's small eye spaces beside the last move.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nakade;

impl PlayoutRule for Nakade {
    #[inline]
    fn propose(&mut self, position: &mut Position, rng: &mut Rng) -> Option<Point> {
        let Move::Play(last) = position.last else { return None };
        let (board, color) = (&position.board, position.to_move);
        let mut moves = ArrayVec::<Point, 4>::new();
        visit_nakade_beside(board, last, !color, |vital| {
            if !moves.contains(&vital) && board.is_legal_no_suicide(vital, color) {
                moves.push(vital);
            }
        });
        pick(&moves, rng)
    }
}
