//! A piece of the tree's memory: one array per field.

use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64};

/// Slots per chunk: small enough that a small limit is kept well, large enough that blocks of 362 waste little at its end.
pub(super) const CHUNK_SLOTS: usize = 1 << 14;

/// The fields of `CHUNK_SLOTS` slots. In a header slot only `codes` (the number of edges) is used,
/// and `children` while pruning (the new place of the block).
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
}

fn zeros<T: Default>() -> Box<[T]> {
    (0..CHUNK_SLOTS).map(|_| T::default()).collect()
}
