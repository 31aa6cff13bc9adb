//! Values that are cheap to compute again, remembered for a while: the newest value of a slot wins.
//!
//! The search comes to the same nodes again and again, and most of their children it has never searched: without a memory it would
//! look for eyes in each of them every time.

use crate::forced::Actions;
use crate::table::{Numbers, Zone};

/// Slots of a cache; small enough to stay near the processor.
const SLOTS: usize = 1 << 16;

/// Remembers values by the hash of their position.
pub(crate) struct Cache<T> {
    slots: Vec<Slot<T>>,
}

/// Aligned so that a small value does not lie across two cache lines.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Slot<T> {
    /// A key that belongs into another slot if there is no value.
    key: u64,
    value: T,
}

impl<T: Copy + Default> Cache<T> {
    fn new() -> Cache<T> {
        let slot = |at: usize| Slot { key: !(at as u64), value: T::default() };
        Cache { slots: (0..SLOTS).map(slot).collect() }
    }

    /// Forgets everything.
    fn clear(&mut self) {
        for (at, slot) in self.slots.iter_mut().enumerate() {
            slot.key = !(at as u64);
        }
    }

    /// The value of a key, computed if it is not there.
    #[inline]
    pub(crate) fn get(&mut self, key: u64, compute: impl FnOnce() -> T) -> T {
        let slot = &mut self.slots[key as usize % SLOTS];
        if slot.key != key {
            *slot = Slot { key, value: compute() };
        }
        slot.value
    }

    /// Reads what `get` will read first, to have it near.
    #[inline(always)]
    pub(crate) fn touch(&self, key: u64) -> u64 {
        self.slots[key as usize % SLOTS].key
    }
}

/// The first numbers of a position that was never searched, and the zone of one that is decided.
#[derive(Clone, Copy, Default)]
pub(crate) struct Leaf {
    pub(crate) numbers: Numbers,
    pub(crate) zone: Zone,
}

/// What the search remembers beside its table: a few mebibytes.
pub(crate) struct Caches {
    pub(crate) leaves: Cache<Leaf>,
    /// Moves worth looking at.
    pub(crate) actions: Cache<Actions>,
}

impl Caches {
    /// Bytes of all of them.
    pub(crate) const BYTES: usize = SLOTS * (size_of::<Slot<Leaf>>() + size_of::<Slot<Actions>>());

    pub(crate) fn new() -> Caches {
        Caches { leaves: Cache::new(), actions: Cache::new() }
    }

    /// Forgets everything: hashes mean something else in the next problem.
    pub(crate) fn clear(&mut self) {
        self.leaves.clear();
        self.actions.clear();
    }
}
