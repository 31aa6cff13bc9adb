//! All moves as first: what a simulation says about moves that were played later in it.
//!
//! A move counts for the side that played it, the first time its point was played by anybody, at every node of the path from
//! which it was played on. Early moves weigh up to twice as much as the last (as in Fuego).

use crate::select::Prior;
use crate::tree::Edges;
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering::Relaxed};
use tesuji_board::Point;

/// All-moves-as-first statistics of an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Amaf {
    pub(crate) weight: f32,
    pub(crate) mean: f32,
}

impl From<Prior> for Amaf {
    fn from(prior: Prior) -> Amaf {
        Amaf { weight: prior.weight, mean: prior.mean }
    }
}

impl Amaf {
    pub(crate) fn pack(self) -> u64 {
        u64::from(self.weight.to_bits()) | u64::from(self.mean.to_bits()) << 32
    }

    pub(crate) fn unpack(word: u64) -> Amaf {
        Amaf { weight: f32::from_bits(word as u32), mean: f32::from_bits((word >> 32) as u32) }
    }

    /// Adds a weighted result; an update by another thread at the same time may get lost.
    #[inline(always)]
    pub(crate) fn add(word: &AtomicU64, result: f32, result_weight: f32) {
        let old = Amaf::unpack(word.load(Relaxed));
        let weight = old.weight + result_weight;
        let mean = old.mean + (result - old.mean) * result_weight / weight;
        // Far beyond `final_weight` more weight means nothing, and a float would stop counting.
        let weight = if weight < 1e6 { weight } else { old.weight };
        word.store(Amaf { weight, mean }.pack(), Relaxed);
    }
}

/// Time of moves that were not played.
const NEVER: u16 = u16::MAX;

/// Room for the codes of all moves; a power of two, so that the compiler needs no division to see that a code is in range.
const CODES: usize = Point::LIMIT.next_power_of_two();

/// When each move was first played in a simulation, by the side to move at the root and by the other.
pub(crate) struct FirstPlays {
    times: [Box<[u16; CODES]>; 2],
    length: usize,
}

impl FirstPlays {
    pub(crate) fn new() -> FirstPlays {
        FirstPlays { times: [(); 2].map(|()| Box::new([NEVER; CODES])), length: 0 }
    }

    /// Notes the moves of a simulation.
    #[inline]
    pub(crate) fn note(&mut self, simulation: &[u16]) {
        let [even, odd] = &mut self.times;
        even.fill(NEVER);
        odd.fill(NEVER);
        self.length = simulation.len();
        for (time, &code) in simulation.iter().enumerate() {
            let code = usize::from(code) % CODES;
            // Code 0 is a pass, which says nothing about any point.
            if code != 0 && even[code] == NEVER && odd[code] == NEVER {
                let mine = if time % 2 == 0 { &mut *even } else { &mut *odd };
                mine[code] = time as u16;
            }
        }
    }

    /// Updates edges of the node at `depth` with the result for the side that moves there: the first `reach` in the order of
    /// the node's priors, or all if the tree keeps no order.
    #[inline]
    pub(crate) fn update(&self, edges: &Edges<'_>, reach: usize, depth: usize, result: f32) {
        let times = &self.times[depth % 2];
        let per_move = 1.0 / self.length.saturating_sub(depth).max(1) as f32;
        let depth = depth as u16;
        let update = |(amaf, code): (&AtomicU64, &AtomicU16)| {
            // Earlier moves wrap around, so that one comparison tells those apart that count.
            let age = times[usize::from(code.load(Relaxed)) % CODES].wrapping_sub(depth);
            if age < NEVER - depth {
                Amaf::add(amaf, result, 2.0 - f32::from(age) * per_move);
            }
        };
        let (amaf, codes) = (edges.amaf(), edges.codes());
        match edges.rearranged() {
            None => amaf.iter().zip(codes).take(reach).for_each(update),
            Some(order) => {
                let reached = order[..reach].iter().map(|place| usize::from(place.load(Relaxed)));
                reached.for_each(|i| update((&amaf[i], &codes[i])));
            }
        }
    }
}

/// What simulations below a node said about moves, held back while the search stays there.
///
/// A simulation is noted once, at the last node of its path, with weights as seen from there. When that node is left, its edges
/// learn from the sums, and the node before inherits them: much less work than to teach every node of the path after every
/// simulation, which is half of the time of a search with light playouts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pending {
    /// By code.
    tallies: Vec<Tally>,
    /// Simulations held back; nothing is if there are none.
    count: f32,
    /// Results of the simulations for the two sides.
    results: [f32; 2],
}

/// What was said about a move if made by the side to move at the root, and by the other.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    weights: [f32; 2],
    /// Weighted results for the side that made the move.
    sums: [f32; 2],
}

impl Tally {
    #[inline(always)]
    fn add(&mut self, side: usize, weight: f32, sum: f32) {
        self.weights[side] += weight;
        self.sums[side] += sum;
    }
}

impl Pending {
    /// Holds back what a simulation says about the moves that were made from `depth` on; `result` is for the side to move at
    /// the root.
    pub(crate) fn note(&mut self, plays: &FirstPlays, simulation: &[u16], depth: usize, result: f32) {
        let results = [result, 1.0 - result];
        self.count += 1.0;
        (0..2).for_each(|side| self.results[side] += results[side]);
        let per_move = 1.0 / simulation.len().saturating_sub(depth).max(1) as f32;
        for (time, &code) in simulation.iter().enumerate().skip(depth) {
            let (side, code) = (time % 2, usize::from(code) % CODES);
            if usize::from(plays.times[side][code]) == time {
                let weight = 2.0 - (time - depth) as f32 * per_move;
                self.tally(code).add(side, weight, weight * results[side]);
            }
        }
    }

    #[inline(always)]
    fn tally(&mut self, code: usize) -> &mut Tally {
        if code >= self.tallies.len() {
            self.tallies.resize(code + 1, Tally::default());
        }
        &mut self.tallies[code]
    }

    /// Whether nothing is held back.
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0.0
    }

    /// Updates the edges of the node at `depth`.
    pub(crate) fn apply(&self, edges: &Edges<'_>, depth: usize) {
        let side = depth % 2;
        for (amaf, code) in edges.amaf().iter().zip(edges.codes()) {
            let code = usize::from(code.load(Relaxed)) % CODES;
            if let Some(Tally { weights, sums }) = self.tallies.get(code)
                && weights[side] > 0.0
            {
                Amaf::add(amaf, sums[side] / weights[side], weights[side]);
            }
        }
    }

    /// Takes over what is held back at the next node, at `depth`, to which the move `code` leads; nothing is left there.
    pub(crate) fn inherit(&mut self, next: &mut Pending, code: u16, depth: usize) {
        let (mover, code) = ((depth + 1) % 2, usize::from(code) % CODES);
        let (weight, sum) = (2.0 * next.count, 2.0 * next.results[mover]);
        if self.is_empty() {
            std::mem::swap(self, next);
        } else {
            if self.tallies.len() < next.tallies.len() {
                self.tallies.resize(next.tallies.len(), Tally::default());
            }
            for (mine, theirs) in self.tallies.iter_mut().zip(&next.tallies) {
                (0..2).for_each(|side| mine.add(side, theirs.weights[side], theirs.sums[side]));
            }
            self.count += next.count;
            (0..2).for_each(|side| self.results[side] += next.results[side]);
            next.clear();
        }
        if code != 0 {
            self.tally(code).add(mover, weight, sum);
        }
    }

    /// Forgets what is held back.
    pub(crate) fn clear(&mut self) {
        self.tallies.fill(Tally::default());
        (self.count, self.results) = (0.0, [0.0; 2]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Columns, NewEdge, Tree};

    #[test]
    fn only_first_plays_from_the_node_on_count() {
        let tree = Tree::new(1, Columns::AMAF);
        let new: Vec<NewEdge> = (30..36).map(|code| NewEdge { code, prior: Prior::NONE }).collect();
        let node = tree.add_node(&new).unwrap();
        let edges = tree.edges(node);
        let mut plays = FirstPlays::new();
        // Ours: 30, 32, 34, 31 (again), pass; theirs: 31, 33, 30 (again), 35.
        plays.note(&[30, 31, 32, 33, 34, 30, 31, 35, 0]);
        let weights = |edges: &Edges<'_>| -> Vec<f32> {
            edges.amaf().iter().map(|word| Amaf::unpack(word.load(Relaxed)).weight).collect()
        };
        plays.update(&edges, 6, 2, 1.0);
        let expected = [0.0, 0.0, 2.0, 0.0, 2.0 - 2.0 / 7.0, 0.0];
        assert!(
            weights(&edges).iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6),
            "{:?}",
            weights(&edges)
        );
        plays.update(&edges, 6, 1, 0.0);
        assert!(weights(&edges)[1] > 0.0 && weights(&edges)[3] > 0.0 && weights(&edges)[5] > 0.0);
        assert_eq!(weights(&edges)[0], 0.0);
    }

    /// Three edges deep: every node learns, one after the other, what each simulation says, with weights as seen from the last.
    #[test]
    fn what_is_held_back_is_not_lost() {
        const LAST: usize = 2;
        let tree = Tree::new(1, Columns::AMAF);
        let new: Vec<NewEdge> = (30..40).map(|code| NewEdge { code, prior: Prior::NONE }).collect();
        let nodes = || [(); LAST + 1].map(|()| tree.edges(tree.add_node(&new).unwrap()));
        let (expected, held_back) = (nodes(), nodes());
        let mut plays = FirstPlays::new();
        let mut held = [(); LAST + 1].map(|()| Pending::default());
        let simulations: [([u16; 8], f32); 3] = [
            ([30, 31, 32, 33, 34, 35, 36, 37], 1.0),
            ([30, 31, 34, 33, 32, 35, 30, 37], 0.0),
            ([30, 31, 34, 30, 33, 35, 36, 37], 1.0),
        ];
        for (simulation, result) in simulations {
            plays.note(&simulation);
            held[LAST].note(&plays, &simulation, LAST, result);
            for (depth, edges) in expected.iter().enumerate() {
                for time in (depth..simulation.len()).step_by(2) {
                    if !simulation[..time].contains(&simulation[time]) {
                        let weight =
                            2.0 - time.saturating_sub(LAST) as f32 / (simulation.len() - LAST) as f32;
                        let word = &edges.amaf()[usize::from(simulation[time] - 30)];
                        Amaf::add(word, if depth == 1 { 1.0 - result } else { result }, weight);
                    }
                }
            }
        }
        let weight = |word: &AtomicU64| Amaf::unpack(word.load(Relaxed)).weight;
        assert!(held_back.iter().flat_map(|edges| edges.amaf()).all(|word| weight(word) == 0.0));
        for depth in (0..=LAST).rev() {
            held[depth].apply(&held_back[depth], depth);
            if let [.., before, next] = &mut held[..=depth] {
                before.inherit(next, simulations[0].0[depth - 1], depth);
                assert!(next.is_empty() && !before.is_empty());
            }
        }
        for (depth, (expected, held_back)) in expected.iter().zip(&held_back).enumerate() {
            for (a, b) in expected.amaf().iter().zip(held_back.amaf()) {
                let (a, b) = (Amaf::unpack(a.load(Relaxed)), Amaf::unpack(b.load(Relaxed)));
                assert!((a.weight - b.weight).abs() < 1e-5, "{depth}: {a:?} {b:?}");
                assert!((a.mean - b.mean).abs() < 1e-5, "{depth}: {a:?} {b:?}");
            }
        }
    }

    #[test]
    fn amaf_results_average_by_weight() {
        let word = AtomicU64::new(Amaf { weight: 1.0, mean: 0.5 }.pack());
        Amaf::add(&word, 1.0, 2.0);
        Amaf::add(&word, 0.0, 1.0);
        let result = Amaf::unpack(word.load(Relaxed));
        assert!((result.mean - 2.5 / 4.0).abs() < 1e-6 && result.weight == 4.0, "{result:?}");
    }
}
