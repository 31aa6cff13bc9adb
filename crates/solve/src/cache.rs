//! Values that are cheap to compute again, remembered for a while: the newest value of a slot wins.
//!
//! The search comes to the same nodes again and again, and most of their children it has never searched: without a memory it would
//! look for eyes in each of them every time.

use crate::arena::Bits;
use crate::forced::Actions;
use crate::table::Numbers;

/// Slots of a cache; small enough to stay near the processor.
const SLOTS: usize = 1 << 16;

/// Remembers values by the hash of their position.
pub(crate) struct Cache<T> {
    slots: Vec<Option<(u64, T)>>,
}

impl<T: Copy> Cache<T> {
    fn new() -> Cache<T> {
        Cache { slots: vec![None; SLOTS] }
    }

    /// The value of a key, computed if it is not there.
    #[inline]
    pub(crate) fn get(&mut self, key: u64, compute: impl FnOnce() -> T) -> T {
        let slot = &mut self.slots[key as usize % SLOTS];
        match *slot {
            Some((known, value)) if known == key => value,
            _ => {
                let value = compute();
                *slot = Some((key, value));
                value
            }
        }
    }
}

/// What the search remembers beside its table: a few mebibytes.
pub(crate) struct Caches {
    /// First numbers of positions that were never searched, and the zones of those that are decided.
    pub(crate) leaves: Cache<(Numbers, Bits)>,
    /// Moves worth looking at.
    pub(crate) actions: Cache<Actions>,
}

impl Caches {
    /// Bytes of all of them.
    pub(crate) const BYTES: usize =
        SLOTS * (size_of::<Option<(u64, (Numbers, Bits))>>() + size_of::<Option<(u64, Actions)>>());

    pub(crate) fn new() -> Caches {
        Caches { leaves: Cache::new(), actions: Cache::new() }
    }

    /// Forgets everything: hashes mean something else in the next problem.
    pub(crate) fn clear(&mut self) {
        self.leaves.slots.fill(None);
        self.actions.slots.fill(None);
    }
}
