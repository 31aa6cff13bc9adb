//! Selection rules: which edge of a node to follow.
//!
//! A rule sees visits, means and what it keeps itself per edge, never the board. Each rule copies the atomics it reads to a
//! buffer first and scores eight edges at a time from there, because the compiler does not vectorise atomic loads.

mod lines;
mod pair;
mod puct;
mod rave;
mod shortlist;
mod ucb1;
mod ucb1_tuned;
mod watch;
mod widened;

pub use lines::{Lines, Standing};
pub use pair::{AuditedPair, Pair};
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
/// Words are copied whole and split where they are scored: one store per edge, and splitting eight at a time is cheap.
#[derive(Default)]
pub struct Scratch {
    values: Box<Lanes<u64>>,
    extras: Box<Lanes<u64>>,
    scores: Lanes<f32>,
    /// Choices made so far.
    choices: u32,
}

impl Scratch {
    /// An edge copied last.
    #[inline(always)]
    fn standing(&self, index: usize) -> Standing {
        Standing::of(self.values.0[index], self.extras.0[index])
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

impl Lanes<u64> {
    /// Copies atomics and fills up to full lanes with a padding; returns the padded length.
    #[inline(always)]
    fn copy(&mut self, source: &[AtomicU64], padding: u64) -> usize {
        let count = source.len().min(MOST_EDGES);
        for (copy, word) in self.0.iter_mut().zip(source) {
            *copy = word.load(Relaxed);
        }
        let padded = count.next_multiple_of(LANES);
        self.0[count..padded].fill(padding);
        padded
    }
}

/// A value that no rule chooses: no visits, proven lost.
const HOPELESS: u64 = (f32::NEG_INFINITY.to_bits() as u64) << 32;

/// The halves of a packed word, the high one as a float.
#[inline(always)]
fn halves(word: u64) -> (u32, f32) {
    (word as u32, f32::from_bits((word >> 32) as u32))
}

/// Visits as a float.
#[inline(always)]
fn float(visits: u32) -> f32 {
    // Signed: the vector unit converts no unsigned numbers, and 2^31 visits never happen.
    (visits as i32) as f32
}

/// Total of the visits in packed values.
#[inline(always)]
fn total(values: &[u64]) -> u64 {
    values.iter().map(|&word| word & u64::from(u32::MAX)).sum()
}

/// Index of the largest score, the first of equals. The length is a multiple of `LANES`.
#[inline(always)]
fn best(scores: &[f32]) -> usize {
    let mut best = [f32::NEG_INFINITY; LANES];
    let mut at = [0_u32; LANES];
    for (row, chunk) in scores.chunks_exact(LANES).enumerate() {
        for lane in 0..LANES {
            let better = chunk[lane] > best[lane];
            best[lane] = if better { chunk[lane] } else { best[lane] };
            at[lane] = if better { row as u32 } else { at[lane] };
        }
    }
    let mut winner = 0;
    for lane in 1..LANES {
        let earlier = at[lane] < at[winner];
        if best[lane] > best[winner] || (best[lane] == best[winner] && earlier) {
            winner = lane;
        }
    }
    at[winner] as usize * LANES + winner
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
