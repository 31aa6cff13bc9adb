//! One thread's simulations: a walk, a domain to walk in, and an evaluator for the leaves.

use super::{Counters, Descent, Kit, Leaf, Simulation, Task, Walk};
use crate::domain::Domain;
use crate::evaluate::{Evaluator, Judged};
use crate::select::Select;
use crate::tree::{NodeId, Tree};

/// One thread's way through the tree.
pub struct Walker<D, E, W> {
    /// The thing searched.
    pub domain: D,
    /// What judges leaves.
    pub evaluator: E,
    walk: W,
    kit: Kit,
    /// Leaves that the evaluator has.
    under_way: usize,
}

/// What a step of a walker came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stride {
    /// A simulation was settled.
    Settled(Simulation),
    /// A leaf went to the evaluator, which answers later.
    Submitted,
    /// A forbidden move was met, which is then known.
    Forbidden,
    /// Others are in the way; see [`Descent::Collision`].
    Collision,
}

impl<D: Domain, E: Evaluator<D>, W: Default> Walker<D, E, W> {
    /// A walker at the root of its domain.
    pub fn new(domain: D, evaluator: E) -> Walker<D, E, W> {
        let (walk, kit) = (W::default(), Kit::new());
        Walker { domain, evaluator, walk, kit, under_way: 0 }
    }

    /// Adds the node of the position the domain stands on.
    pub fn add_node(&mut self, tree: &Tree) -> Option<NodeId> {
        self.kit.add_node(&mut self.domain, tree)
    }

    /// Adds the node of the root, with the moves that the evaluator names if it does.
    pub fn plant(&mut self, tree: &Tree) -> Option<NodeId> {
        if !self.evaluator.names_moves() {
            self.domain.rewind();
            return self.add_node(tree);
        }
        let leaf = self.judged_root()?;
        let node = self.kit.add_node_of(leaf.answered_moves(), tree);
        self.kit.give_back(leaf);
        node
    }

    /// Gives the node of the root the probabilities that the evaluator names now, where it looks closer there.
    pub fn renew_root(&mut self, tree: &Tree, root: NodeId) {
        if !self.evaluator.names_moves() || !self.evaluator.looks_closer_at_root() {
            return;
        }
        let Some(leaf) = self.judged_root() else { return };
        let moves = leaf.answered_moves();
        tree.set_policy(root, &|code| moves.iter().find(|mv| mv.0 == code).map_or(0.0, |mv| mv.1.policy));
        self.kit.give_back(leaf);
    }

    /// The root as a leaf, with the moves that the evaluator names.
    fn judged_root(&mut self) -> Option<Leaf> {
        self.domain.rewind();
        let leaf = self.kit.take_root();
        let judged = self.evaluator.submit(&mut self.domain, leaf).or_else(|| self.evaluator.collect())?;
        Some(judged.leaf)
    }

    /// Makes one whole simulation; nothing if it met a forbidden move.
    #[inline]
    pub fn simulate<S: Select>(&mut self, task: &Task<'_, S>) -> Option<Simulation>
    where
        W: Walk<S>,
    {
        match self.step(task) {
            Stride::Settled(simulation) => Some(simulation),
            Stride::Submitted => self.collect(task),
            Stride::Forbidden | Stride::Collision => None,
        }
    }

    /// Looks for a leaf and gives it to the evaluator.
    #[inline]
    pub fn step<S: Select>(&mut self, task: &Task<'_, S>) -> Stride
    where
        W: Walk<S>,
    {
        self.kit.counters.simulations += 1;
        match self.walk.descend(&mut self.domain, &mut self.kit, task) {
            Descent::Leaf(leaf) => match leaf.known {
                Some(evaluation) => Stride::Settled(self.settle(Judged { leaf, evaluation }, task)),
                None => match self.evaluator.submit(&mut self.domain, leaf) {
                    Some(judged) => Stride::Settled(self.settle(judged, task)),
                    None => {
                        self.under_way += 1;
                        Stride::Submitted
                    }
                },
            },
            Descent::Forbidden => Stride::Forbidden,
            Descent::Collision => {
                self.kit.counters.simulations -= 1;
                self.kit.counters.collisions += 1;
                Stride::Collision
            }
        }
    }

    /// Settles a leaf that the evaluator has judged by now; nothing if it has none.
    pub fn collect<S: Select>(&mut self, task: &Task<'_, S>) -> Option<Simulation>
    where
        W: Walk<S>,
    {
        let judged = self.evaluator.collect()?;
        self.under_way -= 1;
        Some(self.settle(judged, task))
    }

    /// Lets the evaluator judge the position of the root, for what it finds there; the tree learns nothing.
    pub fn judge_root(&mut self) {
        self.domain.rewind();
        let leaf = self.kit.take_leaf();
        if let Some(judged) =
            self.evaluator.submit(&mut self.domain, leaf).or_else(|| self.evaluator.collect())
        {
            self.kit.give_back(judged.leaf);
        }
    }

    /// Leaves that the evaluator has and that are not settled yet.
    pub fn under_way(&self) -> usize {
        self.under_way
    }

    /// How many leaves may be under way at once.
    pub fn most_under_way<S: Select>(&self) -> usize
    where
        W: Walk<S>,
    {
        if W::MANY_LEAVES { self.evaluator.batch().max(1) } else { 1 }
    }

    /// See [`Walk::leave`].
    pub fn leave<S: Select>(&mut self, tree: &Tree)
    where
        W: Walk<S>,
    {
        debug_assert_eq!(self.under_way, 0, "every leaf has been settled");
        self.walk.leave(tree);
    }

    /// What the simulations cost so far.
    pub fn counters(&self) -> Counters {
        self.kit.counters
    }

    #[inline(always)]
    fn settle<S: Select>(&mut self, judged: Judged, task: &Task<'_, S>) -> Simulation
    where
        W: Walk<S>,
    {
        self.walk.settle(judged.leaf, &judged.evaluation, &mut self.kit, task)
    }
}
