//! The transposition table of the proof search: fixed memory, four entries a bucket, the least work goes first.

use crate::arena::Bits;
use crate::side::Side;
use std::fmt;

/// Bounds of the effort to win, for the side to move (`phi`) and for the opponent (`delta`); 0 means won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub(crate) phi: u32,
    pub(crate) delta: u32,
}

/// The number of what cannot be done.
pub(crate) const INFINITE: u32 = u32::MAX / 4;

impl Numbers {
    /// The side to move wins.
    pub(crate) const WON: Numbers = Numbers { phi: 0, delta: INFINITE };
    /// The side to move loses.
    pub(crate) const LOST: Numbers = Numbers { phi: INFINITE, delta: 0 };

    /// Those of a position with a known winner.
    pub(crate) fn won_by(winner: Side, turn: Side) -> Numbers {
        if winner == turn { Numbers::WON } else { Numbers::LOST }
    }

    /// Who wins, if that is known, given the side to move.
    #[inline]
    pub(crate) fn winner(self, turn: Side) -> Option<Side> {
        match self {
            Numbers { phi: 0, .. } => Some(turn),
            Numbers { delta: 0, .. } => Some(!turn),
            _ => None,
        }
    }

    #[inline(always)]
    pub(crate) fn is_solved(self) -> bool {
        self.phi == 0 || self.delta == 0
    }
}

/// The points of a zone in halves, which need no padding.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Zone([u64; 2]);

impl From<Bits> for Zone {
    #[inline(always)]
    fn from(bits: Bits) -> Zone {
        Zone([bits as u64, (bits >> 64) as u64])
    }
}

impl From<Zone> for Bits {
    #[inline(always)]
    fn from(Zone([low, high]): Zone) -> Bits {
        Bits::from(low) | Bits::from(high) << 64
    }
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    key: u64,
    pub(crate) numbers: Numbers,
    /// The zone of the proof, if the position is decided.
    zone: Zone,
    /// Nodes searched below the position.
    pub(crate) work: u32,
    /// For a result that depends on the path: the depth of the ancestor that it depends on.
    pub(crate) dependence: u16,
    /// Whether results that hold on certain paths only may be stored under other keys.
    pub(crate) has_conditional: bool,
    /// Which clearing of the table it comes after; 0 before the first.
    generation: u8,
}

impl Entry {
    /// The zone of the proof of a decided position.
    #[inline(always)]
    pub(crate) fn zone(&self) -> Bits {
        self.zone.into()
    }
}

const EMPTY: Entry = Entry {
    key: 0,
    numbers: Numbers { phi: 1, delta: 1 },
    zone: Zone([0; 2]),
    work: 0,
    dependence: 0,
    has_conditional: false,
    generation: 0,
};

const BUCKET: usize = 4;

/// There is no room for a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory {
    /// What was asked for.
    pub bytes: usize,
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there are no {} MiB of memory for a table", self.bytes >> 20)
    }
}

impl std::error::Error for OutOfMemory {}

/// Entries of a table of at most `bytes`. A byte in 32 is left for the bits, of which an entry of 40 bytes has four to eight.
fn entries_in(bytes: usize) -> usize {
    ((bytes - bytes / 32) / (BUCKET * size_of::<Entry>())).max(1) * BUCKET
}

/// The table.
pub(crate) struct Table {
    entries: Vec<Entry>,
    buckets: u64,
    generation: u8,
    /// A bit for each stored key, several keys a bit. It stays near the processor and spares most questions for what was never stored
    /// the way to memory.
    stored: Vec<u64>,
}

/// Most of these bits: a mebibyte of them.
pub(crate) const MAX_STORED_BITS: usize = 1 << 23;

impl Table {
    /// A table of at most `bytes`, but at least one bucket.
    pub(crate) fn new(bytes: usize) -> Table {
        Table::with_room(Vec::with_capacity(entries_in(bytes)))
    }

    /// The same, for a number of bytes that there may not be.
    pub(crate) fn try_new(bytes: usize) -> Result<Table, OutOfMemory> {
        let mut entries = Vec::new();
        entries.try_reserve_exact(entries_in(bytes)).map_err(|_| OutOfMemory { bytes })?;
        Ok(Table::with_room(entries))
    }

    fn with_room(mut entries: Vec<Entry>) -> Table {
        let buckets = entries.capacity() / BUCKET;
        entries.resize(buckets * BUCKET, EMPTY);
        let stored_bits = (buckets * 4 * BUCKET).next_power_of_two().clamp(64, MAX_STORED_BITS);
        Table { entries, buckets: buckets as u64, generation: 1, stored: vec![0; stored_bits / 64] }
    }

    /// Bytes of the entries, which never change.
    pub(crate) fn bytes(&self) -> usize {
        self.entries.len() * size_of::<Entry>()
    }

    /// Forgets everything, mostly without touching it.
    pub(crate) fn clear(&mut self) {
        self.stored.fill(0);
        self.generation = self.generation.checked_add(1).unwrap_or_else(|| {
            self.entries.fill(EMPTY);
            1
        });
    }

    /// Whether there may be an entry of a key.
    #[inline(always)]
    pub(crate) fn may_have(&self, key: u64) -> bool {
        let (word, bit) = self.mark(key);
        self.stored[word] & bit != 0
    }

    /// Reads what `get` will read if there may be an entry, to have it near.
    #[inline(always)]
    pub(crate) fn touch(&self, key: u64) -> u64 {
        let start = self.bucket(key);
        self.entries[start].key ^ self.entries[start + BUCKET - 1].key
    }

    /// The entry of a key.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<&Entry> {
        if !self.may_have(key) {
            return None;
        }
        let start = self.bucket(key);
        let is_it = |entry: &&Entry| entry.key == key && entry.generation == self.generation;
        self.entries[start..start + BUCKET].iter().find(is_it)
    }

    /// Stores a result, over the old one of the key or over the one of the bucket that took the least work.
    pub(crate) fn put(&mut self, key: u64, numbers: Numbers, zone: Bits, work: u32, dependence: u16) {
        let (word, bit) = self.mark(key);
        self.stored[word] |= bit;
        let (start, generation) = (self.bucket(key), self.generation);
        let bucket = &mut self.entries[start..start + BUCKET];
        let same = bucket.iter().position(|entry| entry.key == key && entry.generation == generation);
        let has_conditional = same.is_some_and(|at| bucket[at].has_conditional);
        let worth = |at: &usize| (bucket[*at].generation == generation, bucket[*at].work);
        let cheapest = || (0..BUCKET).min_by_key(worth).unwrap_or(0);
        let at = same.unwrap_or_else(cheapest);
        bucket[at] = Entry { key, numbers, zone: zone.into(), work, dependence, has_conditional, generation };
    }

    /// The same, but a proof that is there stays: with several threads one may come back from a position that another has decided.
    pub(crate) fn put_unless_solved(
        &mut self,
        key: u64,
        numbers: Numbers,
        zone: Bits,
        work: u32,
        dependence: u16,
    ) {
        if numbers.is_solved() || self.get(key).is_none_or(|entry| !entry.numbers.is_solved()) {
            self.put(key, numbers, zone, work, dependence);
        }
    }

    /// Notes that the position of a key has results that depend on the path.
    pub(crate) fn mark_conditional(&mut self, key: u64) {
        let (start, generation) = (self.bucket(key), self.generation);
        let mut bucket = self.entries[start..start + BUCKET].iter_mut();
        if let Some(entry) = bucket.find(|entry| entry.key == key && entry.generation == generation) {
            entry.has_conditional = true;
        }
    }

    /// The place of the bit that says that something was stored: by the low bits of the key, of which the bucket takes the high ones.
    #[inline(always)]
    fn mark(&self, key: u64) -> (usize, u64) {
        let place = key as usize;
        ((place / 64) & (self.stored.len() - 1), 1 << (place % 64))
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> usize {
        // The high half of the product is uniform over the buckets whatever their number.
        ((u128::from(key) * u128::from(self.buckets)) >> 64) as usize * BUCKET
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::mix;

    #[test]
    fn what_took_most_work_survives_in_fixed_memory() {
        let mut table = Table::new(64 * 1024);
        let bytes = table.bytes();
        assert!(bytes <= 64 * 1024);
        for n in 0..100_000 {
            table.put(mix(n), Numbers { phi: n as u32 + 1, delta: 7 }, 0, if n < 100 { 1000 } else { 1 }, 0);
        }
        let kept = (0..100).filter(|&n| {
            table.get(mix(n)).is_some_and(|entry| entry.numbers == Numbers { phi: n as u32 + 1, delta: 7 })
        });
        assert!(kept.count() >= 99);
        assert_eq!(table.bytes(), bytes);
        assert_eq!(Table::new(0).bytes(), BUCKET * size_of::<Entry>());
    }
}
