//! Selection rules: which edge of a node to follow.
//!
//! A rule sees visits, means and what it keeps itself per edge, never the board. Each rule copies the atomics it reads to a
//! buffer first and scores eight edges at a time from there, because the compiler does not vectorise atomic loads.

mod lines;
mod pair;
mod proxy;
mod puct;
mod rave;
mod shortlist;
mod ucb1;
mod ucb1_tuned;
mod watch;
mod widened;

pub use lines::{Lines, Standing};
pub use pair::{AuditedPair, Pair};
pub(crate) use proxy::ProxyState;
pub use proxy::{
    Proxy, ProxyAncestors, ProxyChosen, ProxyCount, ProxyEffect, ProxyFirst, ProxyMean, ProxyPlace,
    ProxySwitches,
};
pub use puct::{Puct, PuctMoment};
pub(crate) use rave::Amaf;
pub use rave::{Rave, RaveMoment};
pub use shortlist::Shortlist;
pub use ucb1::Ucb1;
pub use ucb1_tuned::Ucb1Tuned;
pub use watch::{Verdict, Watch, WatchTally};
pub use widened::Widened;

use crate::tree::Edges;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
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
    /// Whether it learns from every move of a simulation, as RAVE does.
    const LEARNS_FROM_ALL_MOVES: bool = false;

    /// What to keep in a new edge.
    fn extra(&self, prior: Prior) -> u64;

    /// How many edges, from the first on, may be chosen before long; the others need not learn from all moves.
    #[inline(always)]
    fn reach(&self, edges: &Edges<'_>) -> usize {
        edges.len()
    }

    /// The edge to follow. The node has at least one.
    fn choose(&self, edges: &Edges<'_>, scratch: &mut Scratch) -> usize;
}

const LANES: usize = 8;
/// Edges of the largest node, a pass included, rounded up to full lanes.
const MOST_EDGES: usize = (MAX_AREA + 1).next_multiple_of(LANES);

/// Buffers for one thread's scans, and what it counts across them.
///
/// The two halves of each packed word go to arrays of their own: the scoring loops then work on one lane width throughout,
/// which is what the compiler can vectorise.
#[derive(Default)]
pub struct Scratch {
    values: Halves,
    extras: Halves,
    scores: Lanes<f32>,
    /// Choices made so far.
    choices: u32,
}

impl Scratch {
    /// An edge copied last.
    #[inline(always)]
    fn standing(&self, index: usize) -> Standing {
        let (values, extras) = (&self.values, &self.extras);
        Standing {
            visits: values.low.0[index],
            mean: values.high.0[index],
            extra: (extras.low.0[index], extras.high.0[index]),
        }
    }
}

/// One number per edge, aligned for the vector unit.
#[repr(align(32))]
struct Lanes<T>([T; MOST_EDGES]);

impl<T: Copy + Default> Default for Lanes<T> {
    fn default() -> Lanes<T> {
        Lanes([T::default(); MOST_EDGES])
    }
}

/// Copies of packed words: the low halves as they are, the high halves as floats.
#[derive(Default)]
struct Halves {
    words: Box<Lanes<u64>>,
    low: Box<Lanes<u32>>,
    high: Box<Lanes<f32>>,
}

impl Halves {
    /// Copies atomics and fills up to full lanes with a padding; returns the padded length.
    #[inline(always)]
    fn copy(&mut self, source: &[AtomicU64], padding: (u32, f32)) -> usize {
        let count = source.len().min(MOST_EDGES);
        // First one store per word, for atomics are read one by one, then the halves with the vector unit.
        for (copy, word) in self.words.0.iter_mut().zip(source) {
            *copy = word.load(Relaxed);
        }
        let padded = count.next_multiple_of(LANES);
        let words = &self.words.0[..padded];
        let (low, high) = (&mut self.low.0[..padded], &mut self.high.0[..padded]);
        for ((low, high), &word) in low.iter_mut().zip(high.iter_mut()).zip(words) {
            *low = word as u32;
            *high = f32::from_bits((word >> 32) as u32);
        }
        low[count..padded].fill(padding.0);
        high[count..padded].fill(padding.1);
        padded
    }
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
    use crate::tree::{NewEdge, Tree, Value};

    /// A node whose edges have the given visits, means and extras, and the edge the rule chooses.
    pub(crate) fn choice<S: Select>(rule: &S, edges: &[(u32, f32, u64)]) -> usize {
        choice_with(rule, edges, &mut Scratch::default())
    }

    pub(crate) fn choice_with<S: Select>(
        rule: &S,
        edges: &[(u32, f32, u64)],
        scratch: &mut Scratch,
    ) -> usize {
        let tree = Tree::new(1);
        let new: Vec<NewEdge> =
            edges.iter().enumerate().map(|(i, edge)| NewEdge { code: i as u16, extra: edge.2 }).collect();
        let node = tree.add_node(&new).unwrap();
        for (slot, &(visits, mean, _)) in tree.edges(node).values.iter().zip(edges) {
            slot.store(Value { visits, mean }.pack(), Relaxed);
        }
        rule.choose(&tree.edges(node), scratch)
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
