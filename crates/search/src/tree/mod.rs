//! The search tree: a fixed amount of memory shared by all threads without locks.
//!
//! The statistics of a move live in the *edge*, beside those of its siblings, because selection reads all siblings and
//! nothing else. A node is a block of consecutive slots: one header, then one slot per edge. Its id is the slot
//! of the header; an edge's id is its slot. Each kind of field has an array of its own (see `chunk.rs`), so that a scan reads
//! only what it needs.
//!
//! Fields are atomics used with relaxed order. A new block is filled before its id is published
//! (release) in the parent's edge, and ids are read with acquire, so a thread that sees a node sees its edges.
//! Updates of one statistic by two threads at once never tear; updates of `extras` may get lost, as in Fuego.

mod chunk;
mod prune;
mod value;

pub use value::{MeanOf, Value};

use chunk::{CHUNK_SLOTS, Chunk};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU32, AtomicU64, Ordering::*};

/// Names a node until the next pruning.
pub type NodeId = u32;
/// Names an edge until the next pruning.
pub type EdgeId = u32;

/// Child field of an edge without a node.
const UNEXPANDED: u32 = 0;
/// Child field of an edge whose node is being made by some thread.
const EXPANDING: u32 = u32::MAX;

/// A tree of nodes in chunks that are allocated when first needed.
pub struct Tree {
    chunks: Vec<OnceLock<Chunk>>,
    /// The next free slot; slot 0 is never used, so that 0 can mean "none".
    used: AtomicU32,
    nodes: AtomicU32,
    /// A block did not fit: time to prune.
    full: AtomicBool,
}

/// A new edge.
#[derive(Clone, Copy, Debug)]
pub struct NewEdge {
    /// The move, as [`tesuji_board::Move::code`] or whatever the domain means by it.
    pub code: u16,
    /// What the selection rule keeps for it.
    pub extra: u64,
}

/// The edges of a node, field by field.
#[derive(Clone, Copy)]
pub struct Edges<'a> {
    /// Slot of the first edge.
    pub first: EdgeId,
    /// Moves.
    pub codes: &'a [AtomicU16],
    /// Packed [`Value`]s, from the view of the side that makes the move.
    pub values: &'a [AtomicU64],
    /// What the selection rule keeps.
    pub extras: &'a [AtomicU64],
    children: &'a [AtomicU32],
}

/// One edge.
#[derive(Clone, Copy)]
pub struct Edge<'a> {
    /// Its slot.
    pub id: EdgeId,
    /// The packed [`Value`], from the view of the side that makes the move.
    pub word: &'a AtomicU64,
    code: &'a AtomicU16,
    child: &'a AtomicU32,
}

/// What hangs below an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Child {
    /// Nothing yet.
    None,
    /// Another thread is making the node.
    Expanding,
    /// A node.
    Node(NodeId),
}

impl Tree {
    /// A tree that uses at most about `bytes` of memory, and at least one chunk.
    pub fn new(bytes: usize) -> Tree {
        let chunks = (bytes / Chunk::BYTES).clamp(1, (u32::MAX as usize - 1) / CHUNK_SLOTS);
        Tree {
            chunks: (0..chunks).map(|_| OnceLock::new()).collect(),
            used: AtomicU32::new(1),
            nodes: AtomicU32::new(0),
            full: AtomicBool::new(false),
        }
    }

    /// Forgets all nodes; keeps the memory.
    pub fn clear(&mut self) {
        *self.used.get_mut() = 1;
        *self.nodes.get_mut() = 0;
        *self.full.get_mut() = false;
    }

    /// Whether an expansion has failed for lack of room since the last pruning.
    pub fn is_full(&self) -> bool {
        self.full.load(Relaxed)
    }

    /// Number of nodes, those not reachable any more included.
    pub fn node_count(&self) -> u32 {
        self.nodes.load(Relaxed)
    }

    /// Memory taken from the system so far.
    pub fn bytes(&self) -> usize {
        self.chunks.iter().filter(|chunk| chunk.get().is_some()).count() * Chunk::BYTES
    }

    /// Adds a node that is not the child of any edge yet; nothing if there is no room.
    pub fn add_node(&self, edges: &[NewEdge]) -> Option<NodeId> {
        let slots = edges.len() + 1;
        let Some(start) = self.allocate(slots) else {
            self.full.store(true, Relaxed);
            return None;
        };
        let (chunk, at) = self.locate(start);
        chunk.values[at].store(edges.len() as u64, Relaxed);
        for (i, edge) in edges.iter().enumerate() {
            let slot = at + 1 + i;
            chunk.codes[slot].store(edge.code, Relaxed);
            chunk.values[slot].store(Value::default().pack(), Relaxed);
            chunk.extras[slot].store(edge.extra, Relaxed);
            chunk.children[slot].store(UNEXPANDED, Relaxed);
        }
        self.nodes.fetch_add(1, Relaxed);
        Some(start)
    }

    /// The edges of a node.
    #[inline]
    pub fn edges(&self, node: NodeId) -> Edges<'_> {
        let (chunk, at) = self.locate(node);
        let slots = at + 1..at + 1 + chunk.edge_count(at);
        Edges {
            first: node + 1,
            codes: &chunk.codes[slots.clone()],
            values: &chunk.values[slots.clone()],
            extras: &chunk.extras[slots.clone()],
            children: &chunk.children[slots],
        }
    }

    /// An edge by its position in the node; cheaper than all of them, as the number of edges is not looked up.
    #[inline]
    pub fn edge(&self, node: NodeId, index: usize) -> Edge<'_> {
        let id = node + 1 + index as u32;
        let (chunk, at) = self.locate(id);
        Edge { id, code: &chunk.codes[at], word: &chunk.values[at], child: &chunk.children[at] }
    }

    /// The statistics of an edge.
    #[inline]
    pub fn value(&self, edge: EdgeId) -> &AtomicU64 {
        let (chunk, at) = self.locate(edge);
        &chunk.values[at]
    }

    /// Claims the right to make the node below an edge; at most one thread gets it.
    pub fn claim(&self, edge: EdgeId) -> bool {
        let (chunk, at) = self.locate(edge);
        chunk.children[at].compare_exchange(UNEXPANDED, EXPANDING, Relaxed, Relaxed).is_ok()
    }

    /// Ends a claim: shows the new node to all threads, or gives the claim back.
    pub fn publish(&self, edge: EdgeId, node: Option<NodeId>) {
        let (chunk, at) = self.locate(edge);
        chunk.children[at].store(node.unwrap_or(UNEXPANDED), Release);
    }

    #[inline(always)]
    fn locate(&self, slot: u32) -> (&Chunk, usize) {
        let (chunk, at) = (slot as usize / CHUNK_SLOTS, slot as usize % CHUNK_SLOTS);
        (self.chunks[chunk].get_or_init(Chunk::new), at)
    }

    /// Takes consecutive slots of one chunk.
    fn allocate(&self, slots: usize) -> Option<u32> {
        let capacity = self.chunks.len() * CHUNK_SLOTS;
        let place = |used: u32| place(used, slots);
        let taken = self.used.fetch_update(Relaxed, Relaxed, |used| {
            let end = place(used) as usize + slots;
            (end <= capacity).then_some(end as u32)
        });
        taken.ok().map(place)
    }
}

/// Where a block of `slots` goes if everything before `used` is taken: a block never crosses into another chunk.
fn place(used: u32, slots: usize) -> u32 {
    let left_in_chunk = CHUNK_SLOTS - used as usize % CHUNK_SLOTS;
    if slots <= left_in_chunk { used } else { used + left_in_chunk as u32 }
}

impl Edge<'_> {
    /// The move.
    #[inline]
    pub fn code(&self) -> u16 {
        self.code.load(Relaxed)
    }

    /// The statistics.
    #[inline]
    pub fn value(&self) -> Value {
        Value::unpack(self.word.load(Relaxed))
    }

    /// What hangs below.
    #[inline]
    pub fn child(&self) -> Child {
        Child::from_field(self.child.load(Acquire))
    }
}

impl Child {
    #[inline(always)]
    fn from_field(field: u32) -> Child {
        match field {
            UNEXPANDED => Child::None,
            EXPANDING => Child::Expanding,
            node => Child::Node(node),
        }
    }
}

impl<'a> Edges<'a> {
    /// The first `count` edges alone.
    #[inline]
    pub fn first(&self, count: usize) -> Edges<'a> {
        Edges {
            first: self.first,
            codes: &self.codes[..count],
            values: &self.values[..count],
            extras: &self.extras[..count],
            children: &self.children[..count],
        }
    }
}

impl Edges<'_> {
    /// Number of edges.
    #[inline]
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether the node has no edges.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// The move of edge `i`.
    #[inline]
    pub fn code(&self, i: usize) -> u16 {
        self.codes[i].load(Relaxed)
    }

    /// The statistics of edge `i`.
    #[inline]
    pub fn value(&self, i: usize) -> Value {
        Value::unpack(self.values[i].load(Relaxed))
    }

    /// What hangs below edge `i`.
    #[inline]
    pub fn child(&self, i: usize) -> Child {
        Child::from_field(self.children[i].load(Acquire))
    }

    /// Position of the edge with a move.
    pub fn find(&self, code: u16) -> Option<usize> {
        self.codes.iter().position(|other| other.load(Relaxed) == code)
    }

    /// Total visits of the edges.
    pub fn visits(&self) -> u64 {
        (0..self.len()).map(|i| u64::from(self.value(i).visits)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(count: u16) -> Vec<NewEdge> {
        (0..count).map(|code| NewEdge { code, extra: u64::from(code) * 7 }).collect()
    }

    #[test]
    fn a_node_keeps_its_edges() {
        let tree = Tree::new(1 << 20);
        let root = tree.add_node(&edges(5)).unwrap();
        let child = tree.add_node(&edges(300)).unwrap();
        assert!(tree.claim(tree.edges(root).first + 3));
        assert!(!tree.claim(tree.edges(root).first + 3));
        assert_eq!(tree.edges(root).child(3), Child::Expanding);
        tree.publish(tree.edges(root).first + 3, Some(child));
        assert_eq!(tree.edges(root).child(3), Child::Node(child));
        assert_eq!(tree.edges(root).child(2), Child::None);
        assert_eq!(tree.edges(child).len(), 300);
        assert_eq!(tree.edges(child).code(299), 299);
        assert_eq!(tree.edges(child).extras[299].load(Relaxed), 299 * 7);
        assert_eq!(tree.edges(child).find(17), Some(17));
    }

    #[test]
    fn a_full_tree_says_so() {
        let tree = Tree::new(1);
        let mut nodes = 0;
        while tree.add_node(&edges(361)).is_some() {
            nodes += 1;
        }
        assert!(tree.is_full());
        assert_eq!(nodes, (CHUNK_SLOTS - 1) / 362);
        assert_eq!(tree.bytes(), Chunk::BYTES);
    }
}
