//! Where a search keeps what it knows: a table of its own, or one that several threads share.
//!
//! A shared table is many small ones, each behind a lock, so that an entry is always read as it was written; the key tells which. Locks cost a
//! thread a tenth of its time, so a search on one thread does without them. The shared one also knows which positions are in work (virtual
//! numbers: T. Kaneko, 2010), so that threads go different ways.

use crate::arena::Bits;
use crate::table::{Entry, MAX_STORED_BITS, Numbers, OutOfMemory, Table};
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a search asks of its table.
pub(crate) trait Memory {
    /// Whether other threads use it too.
    const IS_SHARED: bool;

    /// Whether there may be an entry of a key.
    fn may_have(&self, key: u64) -> bool;

    /// Reads what `get` will read, to have it near.
    fn touch(&self, key: u64) -> u64;

    /// The entry of a key.
    fn get(&self, key: u64) -> Option<Entry>;

    /// Stores a result.
    fn put(&mut self, key: u64, numbers: Numbers, zone: Bits, work: u32, dependence: u16);

    /// Notes that the position of a key has results that depend on the path.
    fn mark_conditional(&mut self, key: u64);

    /// Notes that this thread works on a position.
    fn enter(&self, key: u64);

    /// Notes that it does not any more.
    fn leave(&self, key: u64);

    /// Whether somebody seems to work on a position.
    fn is_busy(&self, key: u64) -> bool;
}

impl Memory for &mut Table {
    const IS_SHARED: bool = false;

    #[inline(always)]
    fn may_have(&self, key: u64) -> bool {
        Table::may_have(self, key)
    }

    #[inline(always)]
    fn touch(&self, key: u64) -> u64 {
        Table::touch(self, key)
    }

    #[inline(always)]
    fn get(&self, key: u64) -> Option<Entry> {
        Table::get(self, key).copied()
    }

    #[inline(always)]
    fn put(&mut self, key: u64, numbers: Numbers, zone: Bits, work: u32, dependence: u16) {
        Table::put(self, key, numbers, zone, work, dependence);
    }

    fn mark_conditional(&mut self, key: u64) {
        Table::mark_conditional(self, key);
    }

    #[inline(always)]
    fn enter(&self, _: u64) {}

    #[inline(always)]
    fn leave(&self, _: u64) {}

    #[inline(always)]
    fn is_busy(&self, _: u64) -> bool {
        false
    }
}

/// Tables that a shared one consists of.
const PARTS: usize = 256;

/// Places where positions in work are counted, several positions a place.
const PLACES: usize = 1 << 14;

/// A table for several threads.
pub(crate) struct Shared {
    parts: Vec<Mutex<Table>>,
    /// A bit for each stored key, several keys a bit: most questions are for what was never stored, and need no lock.
    stored: Vec<AtomicU64>,
    /// Threads that work on a position.
    busy: Vec<AtomicU16>,
}

impl Shared {
    /// A table of at most `bytes`, but at least a bucket for each part.
    pub(crate) fn try_new(bytes: usize) -> Result<Shared, OutOfMemory> {
        let stored_bits = (bytes / 16).next_power_of_two().clamp(64, MAX_STORED_BITS);
        let beside = PLACES * size_of::<AtomicU16>() + stored_bits / 8;
        let for_parts = bytes.saturating_sub(beside) / PARTS;
        let part = |_| Table::try_new(for_parts).map(Mutex::new).map_err(|_| OutOfMemory { bytes });
        let parts = (0..PARTS).map(part).collect::<Result<_, OutOfMemory>>()?;
        let stored = (0..stored_bits / 64).map(|_| AtomicU64::new(0)).collect();
        Ok(Shared { parts, stored, busy: (0..PLACES).map(|_| AtomicU16::new(0)).collect() })
    }

    /// Bytes of the entries, which never change.
    pub(crate) fn bytes(&self) -> usize {
        self.parts.iter().map(|part| lock(part).bytes()).sum()
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        self.stored.iter().for_each(|word| word.store(0, Ordering::Relaxed));
        self.parts.iter().for_each(|part| lock(part).clear());
    }

    /// By bits that neither the bucket nor the marks of a part depend on.
    fn part(&self, key: u64) -> MutexGuard<'_, Table> {
        lock(&self.parts[(key >> 24) as usize % PARTS])
    }

    /// The word and the bit that say that something was stored. A thread that sees a bit too late searches again what another knows.
    fn mark(&self, key: u64) -> (&AtomicU64, u64) {
        let place = key as usize;
        (&self.stored[(place / 64) & (self.stored.len() - 1)], 1 << (place % 64))
    }

    fn place(&self, key: u64) -> &AtomicU16 {
        &self.busy[(key >> 8) as usize % PLACES]
    }
}

/// An entry is written in one step that cannot fail, so a part is whole even if a thread ended badly while it held it.
fn lock(part: &Mutex<Table>) -> MutexGuard<'_, Table> {
    part.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Memory for &Shared {
    const IS_SHARED: bool = true;

    #[inline]
    fn may_have(&self, key: u64) -> bool {
        let (word, bit) = self.mark(key);
        word.load(Ordering::Relaxed) & bit != 0
    }

    /// Not worth a lock.
    fn touch(&self, _: u64) -> u64 {
        0
    }

    #[inline]
    fn get(&self, key: u64) -> Option<Entry> {
        if self.may_have(key) { self.part(key).get(key).copied() } else { None }
    }

    fn put(&mut self, key: u64, numbers: Numbers, zone: Bits, work: u32, dependence: u16) {
        let (word, bit) = self.mark(key);
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
        self.part(key).put_unless_solved(key, numbers, zone, work, dependence);
    }

    fn mark_conditional(&mut self, key: u64) {
        self.part(key).mark_conditional(key);
    }

    fn enter(&self, key: u64) {
        self.place(key).fetch_add(1, Ordering::Relaxed);
    }

    fn leave(&self, key: u64) {
        self.place(key).fetch_sub(1, Ordering::Relaxed);
    }

    fn is_busy(&self, key: u64) -> bool {
        self.place(key).load(Ordering::Relaxed) > 0
    }
}
