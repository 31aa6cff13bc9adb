//! The search tree: a fixed amount of memory shared by all threads without locks.
//!
//! The statistics of a move live in the *edge*, beside those of its siblings, because selection reads all siblings and
//! nothing else. Which statistics there are is said by [`Columns`]. A node is a block of consecutive slots: one header, then one slot per edge. Its id is the slot
//! of the header; an edge's id is its slot. Each kind of field has an array of its own (see `chunk.rs`), so that a scan reads
//! only what it needs.
//!
//! Fields are atomics used with relaxed order. A new block is filled before its id is published
//! (release) in the parent's edge, and ids are read with acquire, so a thread that sees a node sees its edges.
//! Updates of one statistic by two threads at once never tear; updates of AMAF and proxies may get lost, as in Fuego.

mod bias;
mod chunk;
mod column;
mod proof_number;
mod prune;
mod value;

pub use bias::{Biases, Judgement, kind_of};
pub use column::Columns;
pub use proof_number::ProofNumbers;
pub use value::{MeanOf, Proof, Value};
pub(crate) use value::{visits_of, worth_of};

use crate::amaf::Amaf;
use crate::select::{Prior, blend};
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
    columns: Columns,
    /// Where edges have judgements.
    biases: Option<Biases>,
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
    /// What is thought of it.
    pub prior: Prior,
}

/// The edges of a node, column by column.
#[derive(Clone, Copy)]
pub struct Edges<'a> {
    /// Slot of the first edge.
    pub first: EdgeId,
    chunk: &'a Chunk,
    at: usize,
    count: usize,
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
    /// The node is being made, perhaps by another thread.
    Expanding,
    /// A node.
    Node(NodeId),
}

impl Tree {
    /// A tree with these columns that uses at most about `bytes` of memory, and at least one chunk.
    pub fn new(bytes: usize, columns: Columns) -> Tree {
        let for_biases = if columns.has(Columns::JUDGEMENT) { Biases::BYTES } else { 0 };
        let chunks = (bytes.saturating_sub(for_biases) / Chunk::bytes(columns))
            .clamp(1, (u32::MAX as usize - 1) / CHUNK_SLOTS);
        Tree {
            chunks: (0..chunks).map(|_| OnceLock::new()).collect(),
            columns,
            biases: columns.has(Columns::JUDGEMENT).then(Biases::new),
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
        self.biases.iter_mut().for_each(Biases::clear);
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
        let chunks = self.chunks.iter().filter(|chunk| chunk.get().is_some()).count();
        chunks * Chunk::bytes(self.columns) + self.biases.as_ref().map_or(0, |_| Biases::BYTES)
    }

    /// Adds a node that is not the child of any edge yet; nothing if there is no room.
    ///
    /// The order of the edges breaks ties between them; [`Columns::ORDER`] begins with it.
    pub fn add_node(&self, edges: &[NewEdge]) -> Option<NodeId> {
        let slots = edges.len() + 1;
        let Some(start) = self.allocate(slots) else {
            self.full.store(true, Relaxed);
            return None;
        };
        let (chunk, at) = self.locate(start);
        chunk.values[at].store(edges.len() as u64, Relaxed);
        if let Some(rearranged) = chunk.order.get(at) {
            rearranged.store(0, Relaxed);
        }
        for (i, edge) in edges.iter().enumerate() {
            let slot = at + 1 + i;
            chunk.codes[slot].store(edge.code, Relaxed);
            chunk.values[slot].store(Value::default().pack(), Relaxed);
            chunk.children[slot].store(UNEXPANDED, Relaxed);
            if let Some(policy) = chunk.policies.get(slot) {
                policy.store(edge.prior.policy.to_bits(), Relaxed);
            }
            if let Some(amaf) = chunk.amaf.get(slot) {
                amaf.store(Amaf::from(edge.prior).pack(), Relaxed);
            }
            if let Some(network) = chunk.networks.get(slot) {
                network.store(Value::default().pack(), Relaxed);
            }
            if let Some(proxy) = chunk.proxies.get(slot) {
                proxy.store(0, Relaxed);
            }
            if let Some(order) = chunk.order.get(slot) {
                order.store(i as u16, Relaxed);
            }
            if let Some(numbers) = chunk.proofs.get(slot) {
                numbers.store(ProofNumbers::OPEN.pack(), Relaxed);
            }
            if let Some(square) = chunk.squares.get(slot) {
                square.store(Value::default().pack(), Relaxed);
            }
            if let Some(judgement) = chunk.judgements.get(slot) {
                judgement.store(0, Relaxed);
            }
        }
        self.nodes.fetch_add(1, Relaxed);
        Some(start)
    }

    /// The edges of a node.
    #[inline]
    pub fn edges(&self, node: NodeId) -> Edges<'_> {
        let (chunk, at) = self.locate(node);
        Edges { first: node + 1, chunk, at: at + 1, count: chunk.edge_count(at) }
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

    /// What networks think of an edge, if the tree has that column.
    #[inline]
    pub fn network(&self, edge: EdgeId) -> Option<&AtomicU64> {
        let (chunk, at) = self.locate(edge);
        chunk.networks.get(at)
    }

    /// The squares of the results of an edge, if the tree has that column.
    #[inline]
    pub fn squares(&self, edge: EdgeId) -> Option<&AtomicU64> {
        let (chunk, at) = self.locate(edge);
        chunk.squares.get(at)
    }

    /// What networks get wrong, if edges have judgements.
    pub fn biases(&self) -> Option<&Biases> {
        self.biases.as_ref()
    }

    /// What was said of the position behind an edge, if it was judged and the tree keeps that.
    pub fn judgement(&self, edge: EdgeId) -> Option<Judgement> {
        let (chunk, at) = self.locate(edge);
        Judgement::unpack(chunk.judgements.get(at)?.load(Relaxed))
    }

    /// Keeps what was said of the position behind an edge.
    pub fn set_judgement(&self, edge: EdgeId, judgement: Judgement) {
        let (chunk, at) = self.locate(edge);
        if let Some(word) = chunk.judgements.get(at) {
            word.store(judgement.pack(), Relaxed);
        }
    }

    /// Sets the proof numbers of an edge, if the tree has that column; whether they are others than before.
    pub fn set_proof_numbers(&self, edge: EdgeId, numbers: ProofNumbers) -> bool {
        let (chunk, at) = self.locate(edge);
        chunk.proofs.get(at).is_some_and(|word| word.swap(numbers.pack(), Relaxed) != numbers.pack())
    }

    /// Gives the edges of a node their probabilities, which may come long after the node was made.
    pub fn set_policy(&self, node: NodeId, probability: &dyn Fn(u16) -> f32) {
        let edges = self.edges(node);
        for (policy, code) in edges.policies().iter().zip(edges.codes()) {
            policy.store(probability(code.load(Relaxed)).to_bits(), Relaxed);
        }
        if !edges.order().is_empty() {
            let mut order: Vec<u16> = (0..edges.len() as u16).collect();
            order.sort_by(|&a, &b| {
                let of = |i: u16| probability(edges.code(usize::from(i)));
                of(b).total_cmp(&of(a)).then(a.cmp(&b))
            });
            order.iter().zip(edges.order()).for_each(|(&i, place)| place.store(i, Relaxed));
            let (chunk, at) = self.locate(node);
            chunk.order[at].store(1, Relaxed);
        }
    }

    /// Changes the probabilities of a node, if it has any: at temperatures above 1 its unlikely moves become likelier, below 1 less likely.
    pub fn temper(&self, node: NodeId, temperature: f32) {
        let edges = self.edges(node);
        if temperature != 1.0 && !edges.policies().is_empty() {
            let policies = edges.policies().iter().map(|policy| f32::from_bits(policy.load(Relaxed)));
            let powers: Vec<f32> = policies.map(|policy| policy.powf(1.0 / temperature)).collect();
            let total: f32 = powers.iter().sum();
            self.set_policy(node, &|code| {
                edges.find(code).map_or(0.0, |i| powers[i] / total.max(f32::MIN_POSITIVE))
            });
        }
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
        (self.chunks[chunk].get_or_init(|| Chunk::new(self.columns)), at)
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

/// One method per column; a column that the tree does not have is empty.
impl<'a> Edges<'a> {
    #[inline(always)]
    fn part<T>(&self, column: &'a [T]) -> &'a [T] {
        column.get(self.at..self.at + self.count).unwrap_or(&[])
    }

    /// Moves.
    #[inline(always)]
    pub fn codes(&self) -> &'a [AtomicU16] {
        self.part(&self.chunk.codes)
    }

    /// Packed [`Value`]s, from the view of the side that makes the move.
    #[inline(always)]
    pub fn values(&self) -> &'a [AtomicU64] {
        self.part(&self.chunk.values)
    }

    /// Probabilities as the bits of floats.
    #[inline(always)]
    pub fn policies(&self) -> &'a [AtomicU32] {
        self.part(&self.chunk.policies)
    }

    /// Packed all-moves-as-first results.
    #[inline(always)]
    pub fn amaf(&self) -> &'a [AtomicU64] {
        self.part(&self.chunk.amaf)
    }

    /// Packed [`Value`]s of networks.
    #[inline(always)]
    pub fn networks(&self) -> &'a [AtomicU64] {
        self.part(&self.chunk.networks)
    }

    /// Packed proxies.
    #[inline(always)]
    pub fn proxies(&self) -> &'a [AtomicU64] {
        self.part(&self.chunk.proxies)
    }

    /// Positions of the edges, the best by prior first.
    #[inline(always)]
    pub fn order(&self) -> &'a [AtomicU16] {
        self.part(&self.chunk.order)
    }

    /// Packed [`ProofNumbers`]; those of proven edges do not count.
    #[inline(always)]
    pub fn proofs(&self) -> &'a [AtomicU64] {
        self.part(&self.chunk.proofs)
    }

    /// Packed [`Value`]s whose means are of squares.
    #[inline(always)]
    pub fn squares(&self) -> &'a [AtomicU64] {
        self.part(&self.chunk.squares)
    }

    /// Packed [`Judgement`]s.
    #[inline(always)]
    pub fn judgements(&self) -> &'a [AtomicU64] {
        self.part(&self.chunk.judgements)
    }

    /// The order, where it is another than that of the edges: where a policy came late. Loops over edges side by side are cheaper.
    #[inline(always)]
    pub fn rearranged(&self) -> Option<&'a [AtomicU16]> {
        // The slot of the node itself says so.
        let is_rearranged = self.chunk.order.get(self.at - 1).is_some_and(|slot| slot.load(Relaxed) != 0);
        is_rearranged.then(|| self.order())
    }
}

impl Edges<'_> {
    /// Number of edges.
    #[inline]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether the node has no edges.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The move of edge `i`.
    #[inline]
    pub fn code(&self, i: usize) -> u16 {
        self.codes()[i].load(Relaxed)
    }

    /// The statistics of edge `i`.
    #[inline]
    pub fn value(&self, i: usize) -> Value {
        Value::unpack(self.values()[i].load(Relaxed))
    }

    /// What a network thinks of edge `i`, if it was asked and the tree keeps that.
    pub fn network(&self, i: usize) -> Option<Value> {
        let value = Value::unpack(self.networks().get(i)?.load(Relaxed));
        (value.visits > 0).then_some(value)
    }

    /// The statistics of edge `i` with the network's opinion blended into the mean.
    pub fn blended(&self, i: usize, playout_share: f32) -> Value {
        let value = self.value(i);
        match self.network(i) {
            Some(network) => {
                Value { mean: blend(value.mean, network.visits, network.mean, playout_share), ..value }
            }
            None => value,
        }
    }

    /// The proof numbers of edge `i`, if the tree keeps them.
    pub fn proof_numbers(&self, i: usize) -> ProofNumbers {
        match (self.value(i).proven(), self.proofs().get(i)) {
            (Some(win), _) => ProofNumbers::proven(win),
            (None, Some(word)) => ProofNumbers::unpack(word.load(Relaxed)),
            (None, None) => ProofNumbers::OPEN,
        }
    }

    /// What hangs below edge `i`.
    #[inline]
    pub fn child(&self, i: usize) -> Child {
        Child::from_field(self.part(&self.chunk.children)[i].load(Acquire))
    }

    /// Position of the edge with a move.
    pub fn find(&self, code: u16) -> Option<usize> {
        self.codes().iter().position(|other| other.load(Relaxed) == code)
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
        let prior = |code: u16| Prior { policy: f32::from(code) / 64.0, ..Prior::NONE };
        (0..count).map(|code| NewEdge { code, prior: prior(code) }).collect()
    }

    #[test]
    fn a_node_keeps_its_edges() {
        let tree = Tree::new(1 << 20, Columns::POLICY);
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
        assert_eq!(f32::from_bits(tree.edges(child).policies()[299].load(Relaxed)), 299.0 / 64.0);
        assert_eq!(tree.edges(child).find(17), Some(17));
    }

    #[test]
    fn a_tree_has_the_columns_asked_for_and_no_others() {
        let all = [
            Columns::POLICY,
            Columns::AMAF,
            Columns::NETWORK,
            Columns::PROXY,
            Columns::ORDER,
            Columns::PROOF,
            Columns::SQUARES,
            Columns::JUDGEMENT,
        ];
        for wanted in all {
            let tree = Tree::new(1 << 20, wanted);
            let node = tree.edges(tree.add_node(&edges(7)).unwrap());
            let lengths = [
                node.policies().len(),
                node.amaf().len(),
                node.networks().len(),
                node.proxies().len(),
                node.order().len(),
                node.proofs().len(),
                node.squares().len(),
                node.judgements().len(),
            ];
            assert_eq!(lengths, all.map(|column| if column == wanted { 7 } else { 0 }));
        }
        let bytes = |columns| {
            let tree = Tree::new(1, columns);
            tree.add_node(&edges(1)).unwrap();
            tree.bytes()
        };
        assert_eq!(bytes(Columns::AMAF) - bytes(Columns::NONE), 8 * CHUNK_SLOTS);
    }

    #[test]
    fn a_policy_may_come_late() {
        let tree = Tree::new(1 << 20, Columns::POLICY | Columns::ORDER);
        let node = tree.add_node(&edges(4)).unwrap();
        let order =
            || -> Vec<u16> { tree.edges(node).order().iter().map(|place| place.load(Relaxed)).collect() };
        assert_eq!(order(), [0, 1, 2, 3]);
        assert!(tree.edges(node).rearranged().is_none());
        tree.set_policy(node, &|code| [0.1, 0.4, 0.3, 0.2][usize::from(code)]);
        assert_eq!(order(), [1, 2, 3, 0]);
        assert!(tree.edges(node).rearranged().is_some());
        assert_eq!(f32::from_bits(tree.edges(node).policies()[2].load(Relaxed)), 0.3);
    }

    #[test]
    fn a_full_tree_says_so() {
        let tree = Tree::new(1, Columns::NONE);
        let mut nodes = 0;
        while tree.add_node(&edges(361)).is_some() {
            nodes += 1;
        }
        assert!(tree.is_full());
        assert_eq!(nodes, (CHUNK_SLOTS - 1) / 362);
        assert_eq!(tree.bytes(), Chunk::bytes(Columns::NONE));
    }
}
