//! A piece of the tree's memory: one array per field.

use super::column::Columns;
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

/// Slots per chunk: small enough that a small limit is kept well, large enough that blocks of 362 waste little at its end.
pub(super) const CHUNK_SLOTS: usize = 1 << 14;

/// The fields of `CHUNK_SLOTS` slots; columns that the tree does not have are empty. In a header slot only `values` (the number
/// of edges, beside the statistics that a scan reads next) is used, and `children` while pruning (the new place of the block).
pub(super) struct Chunk {
    pub(super) codes: Box<[AtomicU16]>,
    pub(super) children: Box<[AtomicU32]>,
    pub(super) values: Box<[AtomicU64]>,
    pub(super) policies: Box<[AtomicU32]>,
    pub(super) amaf: Box<[AtomicU64]>,
    pub(super) networks: Box<[AtomicU64]>,
    pub(super) proxies: Box<[AtomicU64]>,
    pub(super) order: Box<[AtomicU16]>,
    pub(super) proofs: Box<[AtomicU64]>,
    pub(super) squares: Box<[AtomicU64]>,
    pub(super) judgements: Box<[AtomicU64]>,
}

impl Chunk {
    pub(super) fn new(columns: Columns) -> Chunk {
        Chunk {
            codes: zeros(true),
            children: zeros(true),
            values: zeros(true),
            policies: zeros(columns.has(Columns::POLICY)),
            amaf: zeros(columns.has(Columns::AMAF)),
            networks: zeros(columns.has(Columns::NETWORK)),
            proxies: zeros(columns.has(Columns::PROXY)),
            order: zeros(columns.has(Columns::ORDER)),
            proofs: zeros(columns.has(Columns::PROOF)),
            squares: zeros(columns.has(Columns::SQUARES)),
            judgements: zeros(columns.has(Columns::JUDGEMENT)),
        }
    }

    /// Memory of a chunk with these columns.
    pub(super) fn bytes(columns: Columns) -> usize {
        let of = |column, bytes| if columns.has(column) { bytes } else { 0 };
        let optional = of(Columns::POLICY, 4)
            + of(Columns::AMAF, 8)
            + of(Columns::NETWORK, 8)
            + of(Columns::PROXY, 8)
            + of(Columns::ORDER, 2)
            + of(Columns::PROOF, 8)
            + of(Columns::SQUARES, 8)
            + of(Columns::JUDGEMENT, 8);
        CHUNK_SLOTS * (2 + 4 + 8 + optional)
    }

    /// The number of edges of the node whose header is at `at`.
    #[inline(always)]
    pub(super) fn edge_count(&self, at: usize) -> usize {
        self.values[at].load(Relaxed) as usize
    }

    /// Copies all fields of a slot to a slot of `target`.
    pub(super) fn copy_slot(&self, from: usize, target: &Chunk, to: usize) {
        target.codes[to].store(self.codes[from].load(Relaxed), Relaxed);
        target.children[to].store(self.children[from].load(Relaxed), Relaxed);
        target.values[to].store(self.values[from].load(Relaxed), Relaxed);
        if let Some(policy) = self.policies.get(from) {
            target.policies[to].store(policy.load(Relaxed), Relaxed);
        }
        if let Some(amaf) = self.amaf.get(from) {
            target.amaf[to].store(amaf.load(Relaxed), Relaxed);
        }
        if let Some(network) = self.networks.get(from) {
            target.networks[to].store(network.load(Relaxed), Relaxed);
        }
        if let Some(proxy) = self.proxies.get(from) {
            target.proxies[to].store(proxy.load(Relaxed), Relaxed);
        }
        if let Some(rank) = self.order.get(from) {
            target.order[to].store(rank.load(Relaxed), Relaxed);
        }
        if let Some(numbers) = self.proofs.get(from) {
            target.proofs[to].store(numbers.load(Relaxed), Relaxed);
        }
        if let Some(square) = self.squares.get(from) {
            target.squares[to].store(square.load(Relaxed), Relaxed);
        }
        if let Some(judgement) = self.judgements.get(from) {
            target.judgements[to].store(judgement.load(Relaxed), Relaxed);
        }
    }
}

fn zeros<T: Default>(wanted: bool) -> Box<[T]> {
    (0..if wanted { CHUNK_SLOTS } else { 0 }).map(|_| T::default()).collect()
}
