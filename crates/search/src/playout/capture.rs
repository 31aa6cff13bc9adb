//! Capture the chain that the opponent has just moved into atari.

use super::{PlayoutRule, Position};
use crate::rng::Rng;
use tesuji_board::{Move, Point};

/// Takes the last-moved chain if it has one liberty.
#[derive(Clone, Copy, Debug, Default)]
pub struct CaptureLast;

impl PlayoutRule for CaptureLast {
    #[inline(always)]
    fn propose(&mut self, position: &mut Position, _rng: &mut Rng) -> Option<Point> {
        let Move::Play(last) = position.last else { return None };
        let board = &position.board;
        let chain = board.chain_at(last);
        if board.is_empty(last) || board.liberty_count(chain) != 1 {
            return None;
        }
        let liberty = board.first_liberty(chain)?;
        (board.ko_point(position.to_move) != Some(liberty)).then_some(liberty)
    }
}
