//! Sequential halving at the root, for few simulations (Karnin, Koren, Somekh 2013; with a policy: Danihelka and others 2022, without the noise that
//! learning needs).
//!
//! PUCT spends most of a small budget on the move that it liked first. Here the likeliest moves of the root get equal shares of the simulations, then the
//! worse half of them is left out, and so on until two remain. Which are worse is decided by policy and values together. Below the root
//! the rule chooses as ever. Whoever wants this must know the number of simulations beforehand.

use crate::tree::Edges;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A value counts, beside the logarithm of the policy, as this number and the visits of the most visited move together (Danihelka and others: 50).
const VALUE_VISITS: f32 = 50.0;

/// Which move of the root each simulation of a search follows.
#[derive(Debug)]
pub struct Halving {
    /// By simulation: how many visits of this search the move to follow has so far.
    schedule: Vec<u32>,
    /// By edge: visits from before this search.
    earlier: Vec<u32>,
    begun: AtomicUsize,
}

impl Halving {
    /// Shares simulations among the most likely moves of a node.
    pub fn new(simulations: u64, moves: usize, edges: &Edges<'_>) -> Halving {
        let earlier: Vec<u32> = (0..edges.len()).map(|i| edges.value(i).visits).collect();
        // More moves than simulations cannot be compared at all.
        let moves = moves.min(earlier.len()).min(usize::try_from(simulations).unwrap_or(usize::MAX)).max(1);
        Halving { schedule: schedule(simulations, moves), earlier, begun: AtomicUsize::new(0) }
    }

    /// The edge of the root that the next simulation follows; nothing where the schedule has no say: a move is proven to win, the
    /// schedule is over, or other threads are ahead of it.
    pub fn choose(&self, edges: &Edges<'_>) -> Option<usize> {
        let visits = *self.schedule.get(self.begun.fetch_add(1, Relaxed))?;
        let all = 0..edges.len();
        if all.clone().any(|i| edges.value(i).proven() == Some(true)) {
            return None;
        }
        let most = all.clone().map(|i| edges.value(i).visits).max().unwrap_or(0) as f32;
        let is_due = |&i: &usize| {
            let value = edges.value(i);
            let earlier = self.earlier.get(i).copied().unwrap_or(0);
            value.proven().is_none() && value.visits.saturating_sub(earlier) == visits
        };
        let score = |i: usize| {
            let policy = edges.policies().get(i).map_or(0.0, |policy| f32::from_bits(policy.load(Relaxed)));
            let value = edges.value(i);
            let worth = if value.visits > 0 { value.probability() } else { 0.0 };
            policy.max(f32::MIN_POSITIVE).ln() + (VALUE_VISITS + most) * worth
        };
        all.filter(is_due).max_by(|&a, &b| score(a).total_cmp(&score(b)).then(b.cmp(&a)))
    }
}

/// How many visits the move of each simulation has before it: all moves of a round get as many, then half of them go on.
fn schedule(simulations: u64, moves: usize) -> Vec<u32> {
    let budget = usize::try_from(simulations).unwrap_or(usize::MAX).min(MOST_SIMULATIONS);
    let rounds = moves.next_power_of_two().ilog2().max(1) as usize;
    let (mut found, mut left, mut visits) = (Vec::with_capacity(budget), moves, 0);
    while found.len() < budget {
        for _ in 0..(budget / (rounds * left)).max(1) {
            found.extend(std::iter::repeat_n(visits, left));
            visits += 1;
        }
        left = (left / 2).max(2).min(moves);
    }
    found.truncate(budget);
    found
}

/// Beyond this the rule chooses at the root too.
const MOST_SIMULATIONS: usize = 1 << 16;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::Prior;
    use crate::select::testing::node;
    use crate::tree::{Columns, MeanOf, Tree};

    #[test]
    fn every_round_has_an_equal_share() {
        // 16 simulations, 4 moves: two rounds of 8, the second between two moves.
        assert_eq!(schedule(16, 4), [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
        assert_eq!(schedule(3, 2), [0, 0, 1]);
        assert_eq!(schedule(3, 1), [0, 1, 2]);
        for (simulations, moves) in [(200, 16), (50, 8), (7, 7), (1, 1), (33, 5)] {
            let found = schedule(simulations, moves);
            assert_eq!(found.len() as u64, simulations);
            assert_eq!(found.iter().filter(|&&visits| visits == 0).count(), moves);
        }
    }

    #[test]
    fn the_likeliest_moves_come_first_and_the_better_half_stays() {
        let tree = Tree::new(1, Columns::POLICY);
        let policy = |policy| Prior { policy, ..Prior::NONE };
        let edges =
            [(0, 0.0, policy(0.1)), (0, 0.0, policy(0.5)), (0, 0.0, policy(0.3)), (0, 0.0, policy(0.1))];
        let node = node(&tree, &edges);
        let halving = Halving::new(12, 3, &tree.edges(node));
        let worth = [0.9, 0.4, 0.6, 1.0];
        let mut followed = Vec::new();
        for _ in 0..12 {
            let edges = tree.edges(node);
            let index = halving.choose(&edges).unwrap();
            followed.push(index);
            edges.values()[index].add(worth[index]);
        }
        // Edge 3 is no better known than edge 0, but later; edge 1 is the worst of the three.
        assert_eq!(followed[..3], [1, 2, 0]);
        assert_eq!(followed.iter().filter(|&&index| index == 3).count(), 0);
        let count = |wanted| followed.iter().filter(|&&index| index == wanted).count();
        assert!(count(0) == count(2) && count(1) < count(2), "{followed:?}");
        assert_eq!(halving.choose(&tree.edges(node)), None, "the schedule is over");
    }

    #[test]
    fn proofs_are_left_to_the_rule() {
        let tree = Tree::new(1, Columns::POLICY);
        let node = node(&tree, &[(0, 0.0, Prior { policy: 0.9, ..Prior::NONE }), (0, 0.0, Prior::NONE)]);
        let edges = tree.edges(node);
        let halving = Halving::new(10, 2, &edges);
        edges.values()[0].prove(false);
        assert_eq!(halving.choose(&edges), Some(1), "a lost move is not followed");
        edges.values()[1].prove(true);
        assert_eq!(halving.choose(&edges), None);
    }
}
