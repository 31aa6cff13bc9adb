//! The liberty sets of all chains of a board: one bit per point, a few words per chain.
//!
//! The second of the two places with `unsafe` (see `point_map.rs`): every stone touches up to five sets.

use crate::point::{INDEX_LIMIT, Point, Size};

/// Words of a set on the largest board.
const MAX_WORDS: usize = INDEX_LIMIT.div_ceil(64);

/// A set of points per slot; small boards use few words per set, so that all sets stay in the cache.
pub(crate) struct LibertySets {
    words_per_set: usize,
    words: [u64; INDEX_LIMIT * MAX_WORDS],
}

impl LibertySets {
    pub(crate) fn new(size: Size) -> LibertySets {
        let last_point = size.index_limit() - size.stride() - 2;
        LibertySets { words_per_set: last_point / 64 + 1, words: [0; INDEX_LIMIT * MAX_WORDS] }
    }

    /// Copies only the sets in use: copying all would cost more than the rest of the board together.
    #[inline]
    pub(crate) fn copy_slots(&mut self, other: &LibertySets, slots: impl Iterator<Item = usize>) {
        self.words_per_set = other.words_per_set;
        for slot in slots {
            for word in 0..self.words_per_set {
                *self.word_mut(slot, word) = other.word(slot, word);
            }
        }
    }

    #[inline(always)]
    pub(crate) fn words_of(&self, slot: usize) -> &[u64] {
        let start = slot * self.words_per_set;
        &self.words[start..start + self.words_per_set]
    }

    #[inline(always)]
    pub(crate) fn words_per_set(&self) -> usize {
        self.words_per_set
    }

    /// Makes a set what [`LibertySets::words_of`] said.
    #[inline(always)]
    pub(crate) fn restore(&mut self, slot: usize, words: &[u64]) {
        let start = slot * self.words_per_set;
        self.words[start..start + self.words_per_set].copy_from_slice(words);
    }

    #[inline(always)]
    pub(crate) fn clear(&mut self, slot: usize) {
        for word in 0..self.words_per_set {
            *self.word_mut(slot, word) = 0;
        }
    }

    /// Adds a point and returns by how much the set grew.
    #[inline(always)]
    pub(crate) fn insert(&mut self, slot: usize, at: usize) -> u16 {
        let (word, bit) = (self.word_mut(slot, at / 64), 1 << (at % 64));
        let grown = u16::from(*word & bit == 0);
        *word |= bit;
        grown
    }

    /// Removes a point and returns by how much the set shrank.
    #[inline(always)]
    pub(crate) fn remove(&mut self, slot: usize, at: usize) -> u16 {
        let (word, bit) = (self.word_mut(slot, at / 64), 1 << (at % 64));
        let shrunk = u16::from(*word & bit != 0);
        *word &= !bit;
        shrunk
    }

    /// Adds the points of `from` to `into` and returns the number of points there now.
    #[inline(always)]
    pub(crate) fn unite(&mut self, into: usize, from: usize) -> u32 {
        let mut count = 0;
        for word in 0..self.words_per_set {
            let united = self.word(into, word) | self.word(from, word);
            *self.word_mut(into, word) = united;
            count += united.count_ones();
        }
        count
    }

    #[inline(always)]
    #[allow(unsafe_code)]
    fn word(&self, slot: usize, word: usize) -> u64 {
        debug_assert!(slot < INDEX_LIMIT && word < MAX_WORDS);
        // SAFETY: a slot is 0 or the index of a point, below INDEX_LIMIT; `word` is such an index / 64 or below
        // words_per_set, both below MAX_WORDS, and so is words_per_set itself (set in `new` only).
        // The largest index, (INDEX_LIMIT - 1) * MAX_WORDS + MAX_WORDS - 1, is the last of the array.
        unsafe { *self.words.get_unchecked(slot * self.words_per_set + word) }
    }

    #[inline(always)]
    #[allow(unsafe_code)]
    fn word_mut(&mut self, slot: usize, word: usize) -> &mut u64 {
        debug_assert!(slot < INDEX_LIMIT && word < MAX_WORDS);
        // SAFETY: as for `word`.
        unsafe { self.words.get_unchecked_mut(slot * self.words_per_set + word) }
    }
}

/// Iterator over the liberties of a chain in index order.
#[derive(Clone, Debug)]
pub struct Liberties<'a> {
    bits: u64,
    base: usize,
    rest: std::slice::Iter<'a, u64>,
}

impl<'a> Liberties<'a> {
    #[inline(always)]
    pub(crate) fn of(words: &'a [u64]) -> Liberties<'a> {
        let mut rest = words.iter();
        Liberties { bits: rest.next().copied().unwrap_or(0), base: 0, rest }
    }
}

impl Iterator for Liberties<'_> {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        while self.bits == 0 {
            self.bits = *self.rest.next()?;
            self.base += 64;
        }
        let at = self.base + self.bits.trailing_zeros() as usize;
        self.bits &= self.bits - 1;
        Some(Point::from_index(at))
    }
}
