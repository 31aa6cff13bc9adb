//! The last resort: a random move, corrected if it puts an own chain into atari.

use super::light::{choose_uniformly, is_sensible};
use super::{Position, Rule};
use crate::rng::Rng;
use tesuji_board::{Board, Color, Move, Point};

/// A uniformly random sensible point; a self-atari that only fills a liberty is moved to the other liberty.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomCorrected;

impl Rule for RandomCorrected {
    #[inline]
    fn propose(&mut self, position: &mut Position, rng: &mut Rng) -> Option<Point> {
        let color = position.to_move;
        match choose_uniformly(&mut position.board, rng, |board, point| is_sensible(board, point, color)) {
            Move::Play(point) => Some(corrected(&position.board, point, color)),
            Move::Pass => None,
        }
    }
}

/// `point`, or the other liberty of the own two-liberty chain that a stone there would put into atari.
#[inline]
fn corrected(board: &Board, point: Point, color: Color) -> Point {
    if board.neighborhood(point).sides_of(color) == 0 || !board.is_self_atari(point, color) {
        return point;
    }
    for chain in board.chains_beside(point, color) {
        if board.liberty_count(chain) == 2
            && let Some(other) = board.liberties(chain).find(|&liberty| liberty != point)
            && is_sensible(board, other, color)
            && !board.is_self_atari(other, color)
        {
            return other;
        }
    }
    point
}
