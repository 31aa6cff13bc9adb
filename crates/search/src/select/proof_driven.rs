//! PN-MCTS (E. Doe, M. Winands, D. Soemers, C. Browne 2022; J. Kowalski, E. Doe, M. Winands, D. Górski, D. Soemers 2024): moves that are nearer to a proof are tried more.
//!
//! A move gains `c·(1 − n/N)`, where n is its proof number for the side that makes it ([`ProofNumbers`](crate::tree::ProofNumbers)) and N the largest of its siblings that are
//! not lost. Every position has a number for each player (J. Kowalski, D. Soemers, S. Kosakowski, M. Winands 2025), so both sides look for their own proof.

use super::{Scored, Scratch, Select, Siblings, Standing, lines};
use crate::tree::{Columns, Edges};

/// Another rule, with a bonus for moves that are near a proof.
#[derive(Clone, Debug)]
pub struct ProofDriven<S> {
    /// The rule.
    pub rule: S,
    /// The factor c of the bonus.
    pub bonus: f32,
}

impl<S: Scored> Select for ProofDriven<S> {
    const COLUMNS: Columns = S::COLUMNS.and(Columns::PROOF);
    const LEARNS_FROM_ALL_MOVES: bool = S::LEARNS_FROM_ALL_MOVES;

    lines::as_its_rule!(width, reach, playout_share, bias_correction);

    #[inline]
    fn choose(&self, edges: &Edges<'_>, scratch: &mut Scratch) -> usize {
        lines::choose(self, edges, scratch)
    }
}

impl<S: Scored> Scored for ProofDriven<S> {
    /// That of the rule, and c/N.
    type Moment = (S::Moment, f32);
    const READS_MEAN: bool = S::READS_MEAN;
    const UNTRIED_FIRST: bool = S::UNTRIED_FIRST;

    #[inline(always)]
    fn attends(&self, scratch: &mut Scratch) -> bool {
        self.rule.attends(scratch)
    }

    #[inline(always)]
    fn reads_tried_policy(&self) -> bool {
        self.rule.reads_tried_policy()
    }

    #[inline(always)]
    fn moment(&self, siblings: Siblings) -> Self::Moment {
        (self.rule.moment(siblings), self.bonus / siblings.largest_proof.max(1.0))
    }

    #[inline(always)]
    fn score(&self, edge: Standing, (moment, factor): &Self::Moment) -> f32 {
        // A lost move has −∞ already, and an infinite number besides.
        let bonus = if edge.mean.abs() > 1.0 { 0.0 } else { self.bonus - factor * edge.proof };
        self.rule.score(edge, moment) + bonus
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::node;
    use super::super::{Prior, Ucb1};
    use super::*;
    use crate::synthetic::{Coins, Ends, Synthetic, Uniform};
    use crate::tree::{Child, NodeId, ProofNumbers, Tree};
    use crate::walk::{Expansion, Sharing, Task, Uct, WalkOptions, Walker};

    /// Which of these edges is chosen, each with a mean of 100 visits and a proof number.
    fn choice(bonus: f32, edges: &[(f32, u32)]) -> usize {
        let rule = ProofDriven { rule: Ucb1 { exploration: 0.0 }, bonus };
        let tree = Tree::new(1, ProofDriven::<Ucb1>::COLUMNS);
        let values: Vec<_> = edges.iter().map(|&(mean, _)| (100, mean, Prior::NONE)).collect();
        let root = node(&tree, &values);
        for (index, &(_, win)) in edges.iter().enumerate() {
            tree.set_proof_numbers(root + 1 + index as u32, ProofNumbers { win, lose: 1 });
        }
        rule.choose(&tree.edges(root), &mut Scratch::default())
    }

    #[test]
    fn a_move_near_its_proof_gains_by_its_share_of_the_largest_number() {
        // 0.5 + 0.2·(1 − 1/4) = 0.65 against 0.6 + 0.2·(1 − 4/4), and against 0.62 + 0.2·(1 − 2/4) = 0.72.
        assert_eq!(choice(0.2, &[(0.6, 4), (0.5, 1)]), 1);
        assert_eq!(choice(0.2, &[(0.6, 4), (0.5, 1), (0.62, 2)]), 2);
        assert_eq!(choice(0.0, &[(0.6, 4), (0.5, 1)]), 0, "without a bonus the mean decides");
        assert_eq!(choice(0.2, &[(0.6, 3), (0.5, 3)]), 0, "equal numbers change nothing");
    }

    #[test]
    fn proofs_decide_and_lost_moves_do_not_count_as_the_largest() {
        let (won, lost) = (f32::INFINITY, f32::NEG_INFINITY);
        assert_eq!(choice(0.2, &[(0.9, 1), (won, 0), (0.5, 4)]), 1);
        assert_eq!(choice(0.2, &[(lost, u32::MAX), (0.6, 4), (0.5, 1)]), 2);
        assert_eq!(choice(0.2, &[(lost, u32::MAX), (lost, u32::MAX)]), 0, "a node of lost moves");
    }

    /// Whether the numbers of all edges below a node are those of the positions that they lead to.
    fn is_consistent(tree: &Tree, node: NodeId) -> bool {
        let edges = tree.edges(node);
        (0..edges.len()).all(|i| {
            let Child::Node(child) = edges.child(i) else { return true };
            let replies = tree.edges(child);
            let replies = (0..replies.len()).map(|reply| replies.proof_numbers(reply));
            edges.value(i).proven().is_some()
                || edges.proof_numbers(i) == ProofNumbers::of_move_before(replies)
                    && is_consistent(tree, child)
        })
    }

    /// Simulations until a tree with certain ends is decided.
    fn needed(seed: u64, bonus: f32) -> u32 {
        let shape = Uniform { branching: 4, depth: 6, seed, ends: Ends::Certain };
        let rule = ProofDriven { rule: Ucb1 { exploration: 1.0 }, bonus };
        let tree = Tree::new(64 << 20, ProofDriven::<Ucb1>::COLUMNS);
        let mut walker: Walker<_, _, Uct> = Walker::new(Synthetic::new(shape), Coins::new(seed));
        let root = walker.add_node(&tree).unwrap();
        let (sharing, expansion) = (Sharing::Alone, Expansion::ByDomain);
        let options = WalkOptions { expand_after: 1, sharing, expansion };
        let task = Task { tree: &tree, root, rule: &rule, options, halving: None };
        let mut simulations = 0;
        loop {
            let edges = tree.edges(root);
            let numbers = ProofNumbers::of_move_before((0..edges.len()).map(|i| edges.proof_numbers(i)));
            if numbers.win == 0 || numbers.lose == 0 {
                return simulations;
            }
            assert!(walker.simulate(&task).is_some());
            assert!(!simulations.is_multiple_of(50) || is_consistent(&tree, root));
            simulations += 1;
        }
    }

    #[test]
    fn trees_are_decided_with_fewer_simulations() {
        let sum = |bonus: f32| (0..12).map(|seed| needed(seed, bonus)).sum::<u32>();
        let (without, with) = (sum(0.0), sum(1.0));
        assert!(with * 5 < without * 4, "{with} simulations with proof numbers, {without} without");
    }
}
