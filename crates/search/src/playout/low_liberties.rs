//! Fights over chains with two liberties beside the last move: gain liberties for one's own, take them from the opponent's.

use super::compose::pick;
use super::{PlayoutRule, Position};
use crate::rng::Rng;
use arrayvec::ArrayVec;
use tesuji_board::{Board, Chain, Color, Move, Point};

/// Plays liberties of two-liberty chains that the last move touched.
#[derive(Clone, Copy, Debug, Default)]
pub struct LowLiberties;

impl PlayoutRule for LowLiberties {
    #[inline(always)]
    fn propose(&mut self, position: &mut Position, rng: &mut Rng) -> Option<Point> {
        let Move::Play(last) = position.last else { return None };
        let (board, color) = (&position.board, position.to_move);
        let mut moves = ArrayVec::<Point, 10>::new();
        if !board.is_empty(last) {
            add_good_liberties(board, board.chain_at(last), !color, color, &mut moves);
        }
        for chain in board.chains_beside(last, color) {
            add_good_liberties(board, chain, color, color, &mut moves);
        }
        pick(&moves, rng)
    }
}

/// Adds the liberties of a two-liberty chain where its owner would gain liberties and `to_move` can play safely.
#[inline]
fn add_good_liberties(
    board: &Board,
    chain: Chain,
    owner: Color,
    to_move: Color,
    moves: &mut ArrayVec<Point, 10>,
) {
    if board.liberty_count(chain) != 2 {
        return;
    }
    for liberty in board.liberties(chain) {
        if board.liberties_after(liberty, owner, 3) >= 3
            && board.is_legal_no_suicide(liberty, to_move)
            && (owner == to_move || !board.is_self_atari(liberty, to_move))
            && !moves.contains(&liberty)
        {
            moves.push(liberty);
        }
    }
}
