//! A set of points as bits: the same layout as the liberty sets of [`crate::Board`].
//!
//! Small (under 100 bytes), copied freely, never allocates. A set does not know its board size; the points in
//! it should all come from one.

use crate::point::{INDEX_LIMIT, Point};

const WORDS: usize = INDEX_LIMIT.div_ceil(64);

/// A set of points of one board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PointSet {
    words: [u64; WORDS],
}

impl PointSet {
    /// The set without points.
    pub const EMPTY: PointSet = PointSet { words: [0; WORDS] };

    /// Whether the point is in the set.
    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        let at = point.index();
        self.words[at / 64] >> (at % 64) & 1 != 0
    }

    /// Adds a point; returns whether it was new.
    #[inline]
    pub fn insert(&mut self, point: Point) -> bool {
        let at = point.index();
        let (word, bit) = (&mut self.words[at / 64], 1 << (at % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Removes a point; returns whether it was there.
    #[inline]
    pub fn remove(&mut self, point: Point) -> bool {
        let at = point.index();
        let (word, bit) = (&mut self.words[at / 64], 1 << (at % 64));
        let was_there = *word & bit != 0;
        *word &= !bit;
        was_there
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is no point in the set.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// The points in index order, which is reading order.
    pub fn iter(&self) -> impl Iterator<Item = Point> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| points_of(i, word))
    }
}

/// The points of word `i` of a set.
#[inline(always)]
fn points_of(i: usize, mut bits: u64) -> impl Iterator<Item = Point> {
    std::iter::from_fn(move || {
        let bit = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        Some(Point::from_index(i * 64 + bit))
    })
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> PointSet {
        let mut set = PointSet::EMPTY;
        set.extend(points);
        set
    }
}

impl Extend<Point> for PointSet {
    fn extend<I: IntoIterator<Item = Point>>(&mut self, points: I) {
        for point in points {
            self.insert(point);
        }
    }
}

impl std::fmt::Debug for PointSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::point::Size;

    #[test]
    fn a_set_holds_what_was_put_in() {
        let size = Size::square(25).unwrap();
        let every_third: Vec<Point> = size.points().step_by(3).collect();
        let mut set: PointSet = every_third.iter().copied().collect();
        assert_eq!(set.len(), every_third.len());
        assert_eq!(set.iter().collect::<Vec<_>>(), every_third);
        for (i, point) in size.points().enumerate() {
            assert_eq!(set.contains(point), i % 3 == 0);
            assert_eq!(set.remove(point), i % 3 == 0);
            assert!(!set.remove(point));
        }
        assert!(set.is_empty());
        assert!(set.insert(every_third[0]) && !set.insert(every_third[0]));
    }
}
