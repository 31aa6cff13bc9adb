//! A piece of the tree's memory: one array per field.

use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

/// Slots per chunk: small enough that a small limit is kept well, large enough that blocks of 362 waste little at its end.
pub(super) const CHUNK_SLOTS: usize = 1 << 14;

/// The fields of `CHUNK_SLOTS` slots. In a header slot only `values` (the number of edges, beside the statistics that a scan
/// reads next) is used, and `children` while pruning (the new place of the block).
pub(super) struct Chunk {
    pub(super) codes: Box<[AtomicU16]>,
    pub(super) children: Box<[AtomicU32]>,
    pub(super) values: Box<[AtomicU64]>,
    pub(super) extras: Box<[AtomicU64]>,
}

impl Chunk {
    pub(super) const BYTES: usize = CHUNK_SLOTS * (2 + 4 + 8 + 8);

    pub(super) fn new() -> Chunk {
        Chunk { codes: zeros(), children: zeros(), values: zeros(), extras: zeros() }
    }

    /// The number of edges of the node whose header is at `at`.
    #[inline(always)]
    pub(super) fn edge_count(&self, at: usize) -> usize {
        self.values[at].load(Relaxed) as usize
    }
}

fn zeros<T: Default>() -> Box<[T]> {
    (0..CHUNK_SLOTS).map(|_| T::default()).collect()
}
