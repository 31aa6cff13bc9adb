//! An array with one entry per chain, indexed without bounds checks.

use super::Chain;
use crate::point_map::PointMap;
use std::ops::{Index, IndexMut};

/// One `T` per chain of a board, and one for the chain of a point without a stone.
///
/// It belongs to the slot of the chain: when chains join, one of their entries stays, and that of a chain that is gone stays until
/// another begins in its place. So whoever keeps something here sets it when a [`super::MoveObserver`] hears of a chain.
#[derive(Clone, Copy, Debug)]
pub struct ChainMap<T>(PointMap<T>);

impl<T: Copy> ChainMap<T> {
    /// A map with the same value everywhere.
    pub const fn filled(value: T) -> Self {
        ChainMap(PointMap::filled(value))
    }
}

// A slot is 0 or the index of a stone, as `PointMap::at` asks for.
impl<T: Copy> Index<Chain> for ChainMap<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, chain: Chain) -> &T {
        self.0.at_ref(usize::from(chain.0))
    }
}

impl<T: Copy> IndexMut<Chain> for ChainMap<T> {
    #[inline(always)]
    fn index_mut(&mut self, chain: Chain) -> &mut T {
        self.0.at_mut(usize::from(chain.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::color::Color;
    use crate::point::Size;

    #[test]
    fn every_chain_has_its_own_entry_and_so_has_none() {
        let size = Size::square(5).unwrap();
        let point = |x, y| size.point(x, y).unwrap();
        let mut board = Board::new(size);
        let mut map = ChainMap::filled(0);
        for (x, y, color) in [(0, 0, Color::Black), (1, 0, Color::Black), (3, 3, Color::White)] {
            board.set_up(point(x, y), color);
        }
        map[board.chain_at(point(0, 0))] = 1;
        map[board.chain_at(point(3, 3))] = 2;
        assert_eq!([(1, 0), (3, 3), (4, 4)].map(|(x, y)| map[board.chain_at(point(x, y))]), [1, 2, 0]);
    }
}
