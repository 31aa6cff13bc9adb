//! Random positions for tests that state laws.

use crate::board::{Board, Suicide};
use crate::color::Color;
use crate::point::Size;

/// A reproducible source of numbers: xorshift64* (Vigna 2016).
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `limit`, which must not be 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32;
        (high as usize * limit) >> 32
    }
}

/// A position after random moves on a board of a random size.
pub(crate) fn random_board(rng: &mut Rng, suicide: Suicide) -> Board {
    let size = Size::new(2 + rng.below(12), 2 + rng.below(12)).unwrap();
    let plies = rng.below(2 * size.area());
    random_position(rng, size, plies, suicide)
}

/// A position after `plies` random tries to move, the colours in turn.
pub(crate) fn random_position(rng: &mut Rng, size: Size, plies: usize, suicide: Suicide) -> Board {
    let mut board = Board::new(size);
    for ply in 0..plies {
        let color = Color::BOTH[ply % 2];
        if board.empties().is_empty() {
            break;
        }
        let point = board.empties()[rng.below(board.empties().len())];
        // An illegal choice counts as a pass.
        if board.play(point, color, suicide).is_err() {
            board.pass();
        }
    }
    board
}
