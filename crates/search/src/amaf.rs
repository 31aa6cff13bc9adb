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
        let times = &self.times[depth % 2];
        let per_move = 1.0 / self.length.saturating_sub(depth).max(1) as f32;
        for (code, extra) in edges.codes.iter().zip(edges.extras) {
            let time = times[usize::from(code.load(Relaxed)) % Point::LIMIT];
            if time != NEVER && usize::from(time) >= depth {
                let weight = 2.0 - (usize::from(time) - depth) as f32 * per_move;
                Amaf::add(extra, result, weight);
            }
        }
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
}
