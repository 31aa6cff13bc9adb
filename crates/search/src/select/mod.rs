//! Selection rules: which edge of a node to follow.
//!
//! A rule sees visits, means and the columns it names, never the board. Each rule copies the atomics it reads to a
//! buffer first and scores eight edges at a time from there, because the compiler does not vectorise atomic loads.

mod blended;
mod lines;
mod pair;
mod proof_driven;
mod proxy;
mod puct;
mod rave;
mod refined;
mod shortlist;
mod ucb1;
mod ucb1_tuned;
mod watch;
mod widened;

pub use blended::Blended;
pub use lines::{Lines, Scored, Siblings};
pub use pair::{AuditedPair, Pair};
pub use proof_driven::ProofDriven;
pub(crate) use proxy::ProxyState;
pub use proxy::{
    Proxied, ProxyAncestors, ProxyChosen, ProxyCount, ProxyEffect, ProxyFirst, ProxyMean, ProxyPlace,
    ProxySwitches,
};
pub use puct::{Puct, PuctMoment};
pub use rave::{Rave, RaveMoment};
pub use refined::Refined;
pub use shortlist::Shortlist;
pub use ucb1::Ucb1;
pub use ucb1_tuned::Ucb1Tuned;
pub use watch::{Verdict, Watch, WatchTally};
pub use widened::Widened;

use crate::amaf::Amaf;
use crate::tree::{Columns, Edges, NodeId, Tree, Value, visits_of, worth_of};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use tesuji_board::MAX_AREA;

/// What is thought of a move before any simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prior {
    /// Expected result, 0 to 1.
    pub mean: f32,
    /// How many simulations that opinion is worth.
    pub weight: f32,
    /// Probability that it is the move to play; sums to 1 over the edges of a node.
    pub policy: f32,
}

impl Prior {
    /// No opinion at all.
    pub const NONE: Prior = Prior { mean: 0.5, weight: 0.0, policy: 0.0 };
}

/// Chooses edges.
pub trait Select: Clone + Send + Sync + 'static {
    /// The columns of edges that it reads, beside visits and mean.
    const COLUMNS: Columns = Columns::NONE;

    /// Whether it learns from every move of a simulation, as RAVE does.
    const LEARNS_FROM_ALL_MOVES: bool = false;

    /// How many edges, in the order of their priors, may be chosen now. All, unless the rule names [`Columns::ORDER`].
    #[inline(always)]
    fn width(&self, edges: &Edges<'_>) -> usize {
        edges.len()
    }

    /// How many edges, in the order of their priors, may be chosen before long; the others need not learn from all moves.
    #[inline(always)]
    fn reach(&self, edges: &Edges<'_>) -> usize {
        edges.len()
    }

    /// The part of playouts in the value of an edge that a network has judged too, where the rule names [`Columns::NETWORK`].
    #[inline(always)]
    fn playout_share(&self) -> f32 {
        1.0
    }

    /// Which part of the known bias of its kind is taken off a network's value, where the rule names [`Columns::JUDGEMENT`].
    #[inline(always)]
    fn bias_correction(&self) -> f32 {
        0.0
    }

    /// The edge to follow. The node has at least one.
    fn choose(&self, edges: &Edges<'_>, scratch: &mut Scratch) -> usize;
}

/// What a rule sees of an edge. Columns that it does not name are zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Standing {
    /// Visits.
    pub visits: u32,
    /// Mean result, blended with the network's values where the rule names them; ±∞ if proven.
    pub mean: f32,
    /// Probability of the move.
    pub policy: f32,
    /// Weight of all-moves-as-first results.
    pub amaf_weight: f32,
    /// Their mean.
    pub amaf_mean: f32,
    /// The packed proxy.
    pub proxy: u64,
    /// What is to be shown to prove that it wins.
    pub proof: f32,
}

impl Standing {
    /// Visits as a float.
    #[inline(always)]
    pub fn n(self) -> f32 {
        float(self.visits)
    }

    /// What it adds to the sum of results and of visits that the mean of a node is made of: proven edges do not count.
    #[inline(always)]
    fn share(self) -> (f32, f32) {
        let proven = self.mean.abs() > 1.0;
        let n = if proven { 0.0 } else { self.n() };
        let q = if proven { 0.0 } else { self.mean };
        (n * q, n)
    }
}

const LANES: usize = 8;
/// Edges of the largest node, a pass included, rounded up to full lanes.
const MOST_EDGES: usize = (MAX_AREA + 1).next_multiple_of(LANES);

/// Buffers for one thread's scans, and what it counts across them.
///
/// Every column has an array of its own, the halves of packed words too: the scoring loops then work on one lane width
/// throughout, which is what the compiler can vectorise.
#[derive(Default)]
pub struct Scratch {
    columns: Copies,
    scores: Lanes<f32>,
    /// Choices made so far.
    choices: u32,
}

/// Copies of the columns of a node's edges. Those that the rule does not name stay zero.
#[derive(Default)]
struct Copies {
    words: Box<Lanes<u64>>,
    visits: Box<Lanes<u32>>,
    means: Box<Lanes<f32>>,
    policies: Box<Lanes<f32>>,
    amaf_weights: Box<Lanes<f32>>,
    amaf_means: Box<Lanes<f32>>,
    proxies: Box<Lanes<u64>>,
    proofs: Box<Lanes<f32>>,
    squares: Box<Lanes<f32>>,
    /// Where the copied edges are in the node, if they are followed in another order than they stand in.
    places: Box<Lanes<u16>>,
    is_rearranged: bool,
    /// How many edges were copied.
    copied: usize,
}

/// One number per edge, aligned for the vector unit.
#[repr(align(32))]
struct Lanes<T>([T; MOST_EDGES]);

impl<T: Copy + Default> Default for Lanes<T> {
    fn default() -> Lanes<T> {
        Lanes([T::default(); MOST_EDGES])
    }
}

impl Scratch {
    /// The place in the node of a copied edge.
    #[inline(always)]
    fn place<S: Select>(&self, index: usize) -> usize {
        if self.columns.follows_places::<S>() { usize::from(self.columns.places.0[index]) } else { index }
    }
}

impl Copies {
    /// Whether edges are found by their places.
    #[inline(always)]
    fn follows_places<S: Select>(&self) -> bool {
        S::COLUMNS.has(Columns::ORDER) && self.is_rearranged
    }

    /// Copies the values of the edges that the rule considers, or of all if those are lost, and fills up to full lanes with
    /// hopeless ones; returns the padded length.
    #[inline(always)]
    fn copy_values<S: Select>(&mut self, rule: &S, edges: &Edges<'_>) -> usize {
        if !S::COLUMNS.has(Columns::ORDER) {
            return self.copy_first_values::<S>(edges, edges.len());
        }
        let (width, all) = (rule.width(edges), edges.len());
        let padded = self.copy_first_values::<S>(edges, width);
        let lost = self.means.0[..width].iter().all(|&mean| mean == f32::NEG_INFINITY);
        if lost && width < all { self.copy_first_values::<S>(edges, all) } else { padded }
    }

    #[inline(always)]
    fn copy_first_values<S: Select>(&mut self, edges: &Edges<'_>, count: usize) -> usize {
        let count = count.min(MOST_EDGES);
        self.copied = count;
        if S::COLUMNS.has(Columns::ORDER) {
            let order = edges.rearranged();
            self.is_rearranged = order.is_some();
            for (place, from) in self.places.0[..count].iter_mut().zip(order.unwrap_or_default()) {
                *place = from.load(Relaxed);
            }
        }
        self.fetch::<S>(edges.values());
        let padded = count.next_multiple_of(LANES);
        // First one store per word, for atomics are read one by one, then the halves with the vector unit.
        let words = &self.words.0[..padded];
        let (visits, means) = (&mut self.visits.0[..padded], &mut self.means.0[..padded]);
        for ((visits, mean), &word) in visits.iter_mut().zip(means.iter_mut()).zip(words) {
            *visits = visits_of(word as u32);
            *mean = worth_of(word as u32, f32::from_bits((word >> 32) as u32));
        }
        visits[count..].fill(HOPELESS.0);
        means[count..].fill(HOPELESS.1);
        padded
    }

    /// Copies the other columns that the rule names.
    #[inline(always)]
    fn copy_columns<S: Select>(&mut self, edges: &Edges<'_>, padded: usize) {
        if S::COLUMNS.has(Columns::POLICY) {
            let (source, copies) = (edges.policies(), &mut self.policies.0[..padded]);
            let (copies, padding) = copies.split_at_mut(self.copied);
            let read = |from: &AtomicU32| f32::from_bits(from.load(Relaxed));
            if S::COLUMNS.has(Columns::ORDER) && self.is_rearranged {
                let places = &self.places.0[..self.copied];
                copies.iter_mut().zip(places).for_each(|(to, &i)| *to = read(&source[usize::from(i)]));
            } else {
                copies.iter_mut().zip(source).for_each(|(to, from)| *to = read(from));
            }
            padding.fill(0.0);
        }
        if S::COLUMNS.has(Columns::AMAF) {
            self.fetch::<S>(edges.amaf());
            self.words.0[self.copied..padded].fill(0);
            let words = &self.words.0[..padded];
            let (weights, means) = (&mut self.amaf_weights.0[..padded], &mut self.amaf_means.0[..padded]);
            for ((weight, mean), &word) in weights.iter_mut().zip(means).zip(words) {
                let amaf = Amaf::unpack(word);
                (*weight, *mean) = (amaf.weight, amaf.mean);
            }
        }
        if S::COLUMNS.has(Columns::PROXY) {
            self.fetch::<S>(edges.proxies());
            self.words.0[self.copied..padded].fill(0);
            self.proxies.0[..padded].copy_from_slice(&self.words.0[..padded]);
        }
        if S::COLUMNS.has(Columns::SQUARES) {
            self.fetch::<S>(edges.squares());
            self.words.0[self.copied..padded].fill(0);
            let words = &self.words.0[..padded];
            for (square, &word) in self.squares.0[..padded].iter_mut().zip(words) {
                *square = f32::from_bits((word >> 32) as u32);
            }
        }
        if S::COLUMNS.has(Columns::PROOF) {
            self.fetch::<S>(edges.proofs());
            self.words.0[self.copied..padded].fill(0);
            let words = &self.words.0[..padded];
            for (proof, &word) in self.proofs.0[..padded].iter_mut().zip(words) {
                *proof = (word >> 32) as u32 as f32;
            }
        }
    }

    /// Blends the network's values into the means, where the rule names them.
    #[inline(always)]
    fn blend_networks<S: Select>(&mut self, rule: &S, edges: &Edges<'_>, padded: usize) {
        if S::COLUMNS.has(Columns::NETWORK) {
            self.fetch::<S>(edges.networks());
            self.words.0[self.copied..padded].fill(0);
            let (words, share) = (&self.words.0[..padded], rule.playout_share());
            for (mean, &word) in self.means.0[..padded].iter_mut().zip(words) {
                *mean = blend(*mean, visits_of(word as u32), f32::from_bits((word >> 32) as u32), share);
            }
        }
    }

    /// What a rule sees that looks at nothing but values this time.
    #[inline(always)]
    fn clear_columns<S: Select>(&mut self, padded: usize) {
        if S::COLUMNS.has(Columns::POLICY) {
            self.policies.0[..padded].fill(0.0);
        }
        if S::COLUMNS.has(Columns::AMAF) {
            self.amaf_weights.0[..padded].fill(0.0);
            self.amaf_means.0[..padded].fill(0.0);
        }
        if S::COLUMNS.has(Columns::PROXY) {
            self.proxies.0[..padded].fill(0);
        }
        if S::COLUMNS.has(Columns::PROOF) {
            self.proofs.0[..padded].fill(0.0);
        }
        if S::COLUMNS.has(Columns::SQUARES) {
            self.squares.0[..padded].fill(0.0);
        }
    }

    /// Reads a column of packed words.
    #[inline(always)]
    fn fetch<S: Select>(&mut self, source: &[AtomicU64]) {
        let count = self.copied;
        if self.follows_places::<S>() {
            for (copy, &place) in self.words.0[..count].iter_mut().zip(&self.places.0[..count]) {
                *copy = source[usize::from(place)].load(Relaxed);
            }
        } else {
            for (copy, word) in self.words.0[..count].iter_mut().zip(source) {
                *copy = word.load(Relaxed);
            }
        }
    }

    /// What the rule sees of a copied edge.
    #[inline(always)]
    fn standing(&self, index: usize) -> Standing {
        Standing {
            visits: self.visits.0[index],
            mean: self.means.0[index],
            policy: self.policies.0[index],
            amaf_weight: self.amaf_weights.0[index],
            amaf_mean: self.amaf_means.0[index],
            proxy: self.proxies.0[index],
            proof: self.proofs.0[index],
        }
    }
}

/// The mean of an edge: of playouts and of a network, where that has said something and nothing is proven.
#[inline(always)]
pub(crate) fn blend(mean: f32, network_visits: u32, network_mean: f32, playout_share: f32) -> f32 {
    let blended = playout_share * mean + (1.0 - playout_share) * network_mean;
    if network_visits > 0 && mean.abs() <= 1.0 { blended } else { mean }
}

/// What an edge is worth to a rule now.
#[inline(always)]
fn present<S: Select>(rule: &S, tree: &Tree, node: NodeId, index: usize) -> (Value, f32) {
    let edge = tree.edge(node, index);
    let value = edge.value();
    let worth = match tree.network(edge.id).filter(|_| S::COLUMNS.has(Columns::NETWORK)) {
        Some(word) => {
            let network = Value::unpack(word.load(Relaxed));
            blend(value.worth(), network.visits, network.mean, rule.playout_share())
        }
        None => value.worth(),
    };
    (value, worth)
}

/// A value that no rule chooses: no visits, proven lost.
const HOPELESS: (u32, f32) = (0, f32::NEG_INFINITY);

/// Visits as a float.
#[inline(always)]
fn float(visits: u32) -> f32 {
    // Signed: the vector unit converts no unsigned numbers, and 2^31 visits never happen.
    (visits as i32) as f32
}

/// Total of visits.
#[inline(always)]
fn total(visits: &[u32]) -> u64 {
    visits.iter().map(|&visits| u64::from(visits)).sum()
}

/// Index of the largest score, the first of equals. The length is a multiple of `LANES`.
#[inline(always)]
fn best(scores: &[f32]) -> usize {
    // Which score is the largest first, then where it is: keeping track of both at once takes longer.
    let mut highest = [f32::NEG_INFINITY; LANES];
    for chunk in scores.chunks_exact(LANES) {
        for lane in 0..LANES {
            highest[lane] = if chunk[lane] > highest[lane] { chunk[lane] } else { highest[lane] };
        }
    }
    position(scores, highest.into_iter().fold(f32::NEG_INFINITY, f32::max))
}

/// Index of the first score of a height that one of them has. The length is a multiple of `LANES`.
#[inline(always)]
fn position(scores: &[f32], height: f32) -> usize {
    let has_it = |chunk: &[f32]| chunk.iter().fold(false, |any, &score| any | (score == height));
    let row = scores.chunks_exact(LANES).position(has_it).unwrap_or(0);
    let chunk = &scores[row * LANES..(row + 1) * LANES];
    row * LANES + chunk.iter().position(|&score| score == height).unwrap_or(0)
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;
    use crate::tree::{NewEdge, NodeId, Proof, Tree, Value};

    /// An edge for tests: visits, mean or ±∞ if proven, and what is thought of it.
    pub(crate) type TestEdge = (u32, f32, Prior);

    /// The edge the rule chooses in a node with these edges.
    pub(crate) fn choice<S: Select>(rule: &S, edges: &[TestEdge]) -> usize {
        choice_with(rule, edges, &mut Scratch::default())
    }

    pub(crate) fn choice_with<S: Select>(rule: &S, edges: &[TestEdge], scratch: &mut Scratch) -> usize {
        let tree = Tree::new(1, S::COLUMNS);
        rule.choose(&tree.edges(node(&tree, edges)), scratch)
    }

    pub(crate) fn node(tree: &Tree, edges: &[TestEdge]) -> NodeId {
        let new: Vec<NewEdge> =
            edges.iter().enumerate().map(|(i, edge)| NewEdge { code: i as u16, prior: edge.2 }).collect();
        let node = tree.add_node(&new).unwrap();
        for (slot, &(visits, mean, _)) in tree.edges(node).values().iter().zip(edges) {
            let proof = match mean {
                f32::INFINITY => Proof::Won,
                f32::NEG_INFINITY => Proof::Lost,
                _ => Proof::Open,
            };
            let mean = if mean.is_finite() { mean } else { 0.0 };
            slot.store(Value { visits, mean, proof }.pack(), Relaxed);
        }
        node
    }

    #[test]
    fn best_is_the_first_of_the_largest() {
        let mut rng = crate::Rng::new(1);
        for _ in 0..1000 {
            let scores: Vec<f32> = (0..8 * (1 + rng.below(5))).map(|_| rng.below(6) as f32).collect();
            let largest = scores.iter().copied().fold(f32::MIN, f32::max);
            assert_eq!(Some(best(&scores)), scores.iter().position(|&score| score == largest));
        }
    }
}
