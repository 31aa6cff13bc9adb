//! An array with one entry per point, indexed without bounds checks.
//!
//! This is one of the two places in the workspace's rules code with `unsafe`: a board update makes some
//! sixty array accesses, and checking each costs a quarter of all instructions of a playout.

use crate::point::{INDEX_LIMIT, Point};
use std::ops::{Index, IndexMut};

/// One `T` per point of any board, and per neighbour of such a point.
#[derive(Clone, Copy, Debug)]
pub struct PointMap<T>([T; INDEX_LIMIT]);

impl<T: Copy> PointMap<T> {
    /// A map with the same value everywhere.
    pub const fn filled(value: T) -> Self {
        PointMap([value; INDEX_LIMIT])
    }

    /// Sets every entry.
    pub fn fill(&mut self, value: T) {
        self.0.fill(value);
    }

    /// All entries, by [`Point::index`].
    #[inline(always)]
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }

    /// All entries, to change.
    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.0
    }

    /// Copies the entries below `limit`, which must not exceed [`Point::LIMIT`].
    #[inline]
    pub(crate) fn copy_prefix(&mut self, other: &Self, limit: usize) {
        self.0[..limit].copy_from_slice(&other.0[..limit]);
    }

    /// The entry at a raw index: that of a point or of a neighbour of one.
    #[inline(always)]
    pub(crate) fn at(&self, index: usize) -> T {
        *self.at_ref(index)
    }

    /// As [`PointMap::at`].
    #[inline(always)]
    #[allow(unsafe_code)]
    pub(crate) fn at_ref(&self, index: usize) -> &T {
        debug_assert!(index < INDEX_LIMIT);
        // SAFETY: every caller in this crate passes 0, the index of a `Point`, or that of one of a point's eight
        // neighbours, and `BIAS` keeps all of those below INDEX_LIMIT whatever sizes are mixed (tested in point.rs
        // and tests/misuse.rs). Nobody can make a `Point` with another index: see `Point::from_index`.
        unsafe { self.0.get_unchecked(index) }
    }

    /// The entry at a raw index, to change; same contract as [`PointMap::at`].
    #[inline(always)]
    #[allow(unsafe_code)]
    pub(crate) fn at_mut(&mut self, index: usize) -> &mut T {
        debug_assert!(index < INDEX_LIMIT);
        // SAFETY: as for `at`.
        unsafe { self.0.get_unchecked_mut(index) }
    }
}

impl<T: Copy> Index<Point> for PointMap<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, point: Point) -> &T {
        self.at_ref(point.index())
    }
}

impl<T: Copy> IndexMut<Point> for PointMap<T> {
    #[inline(always)]
    fn index_mut(&mut self, point: Point) -> &mut T {
        self.at_mut(point.index())
    }
}
