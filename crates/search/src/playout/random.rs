//! The last resort: a random move that does not put an own chain into atari if there is another.

use super::light::is_sensible;
use super::{LastResort, PlayoutRule, Position};
use crate::rng::Rng;
use tesuji_board::{Board, Color, Point};

/// Own stones that a self-atari may cost and still be played where nothing better is left: the largest nakade has five.
const MOST_SACRIFICED: usize = 4;

/// A uniformly random sensible point; self-atari only as a throw-in, or where all points left are.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomSafe;

impl RandomSafe {
    /// Whether it takes an empty point, and if so, whether only for want of another.
    #[inline(always)]
    pub(super) fn judge(board: &Board, point: Point, color: Color) -> Option<LastResort> {
        if !is_sensible(board, point, color) {
            return None;
        }
        if !board.is_self_atari(point, color) {
            return Some(LastResort::No);
        }
        match stones_joined(board, point, color) {
            0 => Some(LastResort::No),
            1..=MOST_SACRIFICED => Some(LastResort::Yes),
            _ => None,
        }
    }
}

impl PlayoutRule for RandomSafe {
    #[inline]
    fn propose(&mut self, position: &mut Position, rng: &mut Rng) -> Option<Point> {
        let (board, color) = (&mut position.board, position.to_move);
        let mut sacrifice = None;
        let mut left = board.empties().len();
        while left > 0 {
            let i = rng.below(left);
            let point = board.empty(i);
            match RandomSafe::judge(board, point, color) {
                Some(LastResort::No) => return Some(point),
                Some(LastResort::Yes) => sacrifice = sacrifice.or(Some(point)),
                None => {}
            }
            left -= 1;
            board.swap_empties(i, left);
        }
        sacrifice
    }
}

/// Own stones that a stone on `point` would be connected with.
fn stones_joined(board: &Board, point: Point, color: Color) -> usize {
    board.chains_beside(point, color).iter().map(|&chain| board.chain_size(chain)).sum()
}
