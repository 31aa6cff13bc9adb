//! What exact watches knew of nodes that the search has left.
//!
//! The edges of a node change only when the search passes through it, so what a watch knows is as true when the search comes back
//! as it was when it left. That holds for one thread and for rules that do not learn from moves played elsewhere.

use crate::tree::NodeId;

/// Entries: enough for the nodes near the root, few enough to stay in the processor's cache.
const ENTRIES: usize = 1 << 12;

/// A table of watches by node; a newer one takes the place of an older one.
pub(super) struct Memory<W> {
    nodes: Vec<NodeId>,
    watches: Vec<W>,
}

impl<W> Default for Memory<W> {
    fn default() -> Memory<W> {
        Memory { nodes: Vec::new(), watches: Vec::new() }
    }
}

impl<W: Copy + Default> Memory<W> {
    #[inline(always)]
    pub(super) fn recall(&self, node: NodeId) -> Option<&W> {
        let entry = entry(node);
        (self.nodes.get(entry) == Some(&node)).then(|| &self.watches[entry])
    }

    #[inline(always)]
    pub(super) fn keep(&mut self, node: NodeId, watch: &W) {
        if self.nodes.is_empty() {
            self.nodes.resize(ENTRIES, 0);
            self.watches.resize(ENTRIES, W::default());
        }
        self.nodes[entry(node)] = node;
        self.watches[entry(node)] = *watch;
    }
}

impl<W> Memory<W> {
    /// Forgets everything: the tree may change.
    pub(super) fn clear(&mut self) {
        // No node has the id 0.
        self.nodes.fill(0);
    }
}

/// Ids are some hundred apart: multiplication spreads them (Knuth's multiplicative hash).
#[inline(always)]
fn entry(node: NodeId) -> usize {
    (node.wrapping_mul(0x9e37_79b1) >> (u32::BITS - ENTRIES.ilog2())) as usize
}
