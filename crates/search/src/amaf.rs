//! All moves as first: what a simulation says about moves that were played later in it.
//!
//! A move counts for the side that played it, the first time its point was played by anybody, at every node of the path from
//! which it was played on. Early moves weigh up to twice as much as the last (as in Fuego).

use crate::select::Amaf;
use crate::tree::Edges;
use std::sync::atomic::Ordering::Relaxed;
use tesuji_board::Point;

/// Time of moves that were not played.
const NEVER: u16 = u16::MAX;

/// When each move was first played in a simulation, by the side to move at the root and by the other.
pub(crate) struct FirstPlays {
    times: [Box<[u16; Point::LIMIT]>; 2],
    length: usize,
}

impl FirstPlays {
    pub(crate) fn new() -> FirstPlays {
        FirstPlays { times: [(); 2].map(|()| Box::new([NEVER; Point::LIMIT])), length: 0 }
    }

    /// Notes the moves of a simulation.
    #[inline]
    pub(crate) fn note(&mut self, simulation: &[u16]) {
        let [even, odd] = &mut self.times;
        even.fill(NEVER);
        odd.fill(NEVER);
        self.length = simulation.len();
        for (time, &code) in simulation.iter().enumerate() {
            let code = usize::from(code) % Point::LIMIT;
            // Code 0 is a pass, which says nothing about any point.
            if code != 0 && even[code] == NEVER && odd[code] == NEVER {
                let mine = if time % 2 == 0 { &mut *even } else { &mut *odd };
                mine[code] = time as u16;
            }
        }
    }

    /// Updates the edges of the node at `depth` with the result for the side that moves there.
    #[inline]
    pub(crate) fn update(&self, edges: &Edges<'_>, depth: usize, result: f32) {
        self.each(edges, depth, |i, weight| Amaf::add(&edges.extras[i], result, weight));
    }

    /// Calls `use_weight` with the position and the weight of every edge whose move was played from `depth` on.
    #[inline(always)]
    fn each(&self, edges: &Edges<'_>, depth: usize, mut use_weight: impl FnMut(usize, f32)) {
        let times = &self.times[depth % 2];
        let per_move = 1.0 / self.length.saturating_sub(depth).max(1) as f32;
        for (i, code) in edges.codes.iter().enumerate() {
            let time = times[usize::from(code.load(Relaxed)) % Point::LIMIT];
            if time != NEVER && usize::from(time) >= depth {
                use_weight(i, 2.0 - (usize::from(time) - depth) as f32 * per_move);
            }
        }
    }
}

/// What simulations said about the edges of a node, held back while the search stays below it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pending {
    /// Weight and weighted sum of results by edge; empty if nothing is held back.
    sums: Vec<(f32, f32)>,
}

impl Pending {
    /// Holds back what a simulation says, with the result for the side that moves at the node.
    pub(crate) fn note(&mut self, plays: &FirstPlays, edges: &Edges<'_>, depth: usize, result: f32) {
        self.sums.resize(edges.len(), (0.0, 0.0));
        plays.each(edges, depth, |i, weight| {
            let (total, sum) = &mut self.sums[i];
            *total += weight;
            *sum += weight * result;
        });
    }

    /// Whether nothing is held back.
    pub(crate) fn is_empty(&self) -> bool {
        self.sums.is_empty()
    }

    /// Updates the edges of the node.
    pub(crate) fn apply(&mut self, edges: &Edges<'_>) {
        for (extra, &(weight, sum)) in edges.extras.iter().zip(&self.sums) {
            if weight > 0.0 {
                Amaf::add(extra, sum / weight, weight);
            }
        }
        self.sums.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{NewEdge, Tree};

    #[test]
    fn only_first_plays_from_the_node_on_count() {
        let tree = Tree::new(1);
        let new: Vec<NewEdge> = (30..36).map(|code| NewEdge { code, extra: 0 }).collect();
        let node = tree.add_node(&new).unwrap();
        let edges = tree.edges(node);
        let mut plays = FirstPlays::new();
        // Ours: 30, 32, 34, 31 (again), pass; theirs: 31, 33, 30 (again), 35.
        plays.note(&[30, 31, 32, 33, 34, 30, 31, 35, 0]);
        let weights = |edges: &Edges<'_>| -> Vec<f32> {
            edges.extras.iter().map(|extra| Amaf::unpack(extra.load(Relaxed)).weight).collect()
        };
        plays.update(&edges, 2, 1.0);
        let expected = [0.0, 0.0, 2.0, 0.0, 2.0 - 2.0 / 7.0, 0.0];
        assert!(
            weights(&edges).iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6),
            "{:?}",
            weights(&edges)
        );
        plays.update(&edges, 1, 0.0);
        assert!(weights(&edges)[1] > 0.0 && weights(&edges)[3] > 0.0 && weights(&edges)[5] > 0.0);
        assert_eq!(weights(&edges)[0], 0.0);
    }

    #[test]
    fn what_is_held_back_is_not_lost() {
        let tree = Tree::new(1);
        let new: Vec<NewEdge> = (30..36).map(|code| NewEdge { code, extra: 0 }).collect();
        let nodes = [(); 2].map(|()| tree.add_node(&new).unwrap());
        let [at_once, later] = nodes.map(|node| tree.edges(node));
        let (mut plays, mut pending) = (FirstPlays::new(), Pending::default());
        for (simulation, result) in
            [(&[30, 31, 32, 33], 1.0), (&[32, 30, 34, 31], 0.0), (&[32, 33, 34, 30], 1.0)]
        {
            plays.note(simulation);
            plays.update(&at_once, 0, result);
            pending.note(&plays, &later, 0, result);
        }
        assert!(later.extras.iter().all(|extra| extra.load(Relaxed) == 0));
        pending.apply(&later);
        for (a, b) in at_once.extras.iter().zip(later.extras) {
            let (a, b) = (Amaf::unpack(a.load(Relaxed)), Amaf::unpack(b.load(Relaxed)));
            assert!((a.weight - b.weight).abs() < 1e-5 && (a.mean - b.mean).abs() < 1e-5, "{a:?} {b:?}");
        }
        assert_eq!(Amaf::unpack(later.extras[5].load(Relaxed)).weight, 0.0);
    }
}
