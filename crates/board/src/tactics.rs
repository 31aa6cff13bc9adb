//! What a move does to liberties, without playing it.

use crate::board::{Board, Chain};
use crate::color::{Cell, Color};
use crate::point::Point;
use arrayvec::ArrayVec;

/// Most liberties that [`Board::liberties_after`] counts to.
const MAX_COUNTED: usize = 8;

impl Board {
    /// Whether a legal stone of `color` on the empty `point` would leave its chain with at most one liberty.
    #[inline]
    pub fn is_self_atari(&self, point: Point, color: Color) -> bool {
        self.liberties_after(point, color, 2) < 2
    }

    /// Liberties that the chain of a legal stone of `color` on the empty `point` would have, counted up to `limit`, at most 8.
    #[inline]
    pub fn liberties_after(&self, point: Point, color: Color, limit: usize) -> usize {
        debug_assert!(limit <= MAX_COUNTED);
        let around = self.neighborhood(point);
        if around.empty_sides() as usize >= limit {
            return limit;
        }
        let joined = self.chains_beside(point, color);
        // `point` is a liberty of each; the others stay.
        if joined.iter().any(|&chain| self.liberty_count(chain) > limit) {
            return limit;
        }
        let mut found: ArrayVec<Point, MAX_COUNTED> = self.sides(point, Cell::Empty).collect();
        for &chain in &joined {
            for liberty in self.liberties(chain).filter(|&liberty| liberty != point) {
                if reaches(&mut found, liberty, limit) {
                    return limit;
                }
            }
        }
        if around.sides_of(!color) > 0 {
            for captured in self.chains_beside(point, !color) {
                if self.liberty_count(captured) == 1 {
                    let opens = |&stone: &Point| self.touches(stone, point, color, &joined);
                    if self.stones(captured).filter(opens).any(|stone| reaches(&mut found, stone, limit)) {
                        return limit;
                    }
                }
            }
        }
        found.len()
    }

    /// The chains of `color` beside a point, each once.
    #[inline]
    pub fn chains_beside(&self, point: Point, color: Color) -> ArrayVec<Chain, 4> {
        let mut chains = ArrayVec::new();
        if self.neighborhood(point).sides_of(color) > 0 {
            for side in self.sides(point, color.cell()) {
                let chain = self.chain_at(side);
                if !chains.contains(&chain) {
                    chains.push(chain);
                }
            }
        }
        chains
    }

    /// Whether `stone` is beside `point` or beside one of the chains of `color`.
    fn touches(&self, stone: Point, point: Point, color: Color, chains: &[Chain]) -> bool {
        self.sides(stone, Cell::Empty).any(|side| side == point)
            || self.sides(stone, color.cell()).any(|side| chains.contains(&self.chain_at(side)))
    }
}

/// Adds a liberty unless it is known; whether there are `limit` now.
#[inline(always)]
fn reaches(found: &mut ArrayVec<Point, MAX_COUNTED>, liberty: Point, limit: usize) -> bool {
    if !found.contains(&liberty) {
        found.push(liberty);
    }
    found.len() >= limit
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Size, Suicide};

    /// The prediction agrees with playing the move, at every legal point of many random positions.
    #[test]
    fn prediction_equals_playing() {
        let mut state = 5_u64;
        let mut random = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % n
        };
        let mut captures = 0;
        for side in [3, 5, 7] {
            let size = Size::square(side).unwrap();
            let mut board = Board::new(size);
            let mut copy = board.clone();
            for turn in 0..20_000 {
                let color = Color::BOTH[turn % 2];
                for point in size.points() {
                    if board.legality(point, color, Suicide::Forbidden).is_ok() {
                        copy.copy_from(&board);
                        copy.play_unchecked(point, color);
                        let real = copy.liberty_count(copy.chain_at(point));
                        captures += usize::from(copy.stone_count(!color) < board.stone_count(!color));
                        for limit in [2, 3, 8] {
                            assert_eq!(board.liberties_after(point, color, limit), real.min(limit));
                        }
                        assert_eq!(board.is_self_atari(point, color), real < 2);
                    }
                }
                let point = board.empties()[random(board.empties().len())];
                if board.play(point, color, Suicide::Forbidden).is_err() || board.empties().len() < 2 {
                    board.pass();
                }
                if turn % 100 == 99 {
                    board = Board::new(size);
                }
            }
        }
        assert!(captures > 10_000, "only {captures} captures");
    }
}
