//! The edges from the root to the leaf of a simulation, and what its result does to them.

use super::Sharing;
use crate::tree::{EdgeId, MeanOf, NodeId, Tree};

/// The way of a simulation through the tree.
#[derive(Default)]
pub(super) struct Path {
    pub(super) steps: Vec<Footstep>,
}

/// One edge of the way.
#[derive(Clone, Copy)]
pub(super) struct Footstep {
    pub(super) node: NodeId,
    pub(super) index: u32,
    pub(super) edge: EdgeId,
    /// The statistics of the edge before a loss was added to it in advance.
    before: u64,
}

impl Path {
    /// Adds an edge, and a loss to it if other threads are about.
    #[inline(always)]
    pub(super) fn push(&mut self, tree: &Tree, node: NodeId, index: usize, sharing: Sharing) {
        let edge = node + 1 + index as u32;
        self.steps.push(Footstep { node, index: index as u32, edge, before: 0 });
        if sharing == Sharing::Shared {
            self.hold(tree, self.steps.len() - 1);
        }
    }

    /// Adds a loss in advance to an edge.
    pub(super) fn hold(&mut self, tree: &Tree, depth: usize) {
        let step = &mut self.steps[depth];
        step.before = tree.value(step.edge).add_virtual_loss();
    }

    /// Takes back all losses added in advance.
    pub(super) fn release(&self, tree: &Tree, sharing: Sharing) {
        if sharing == Sharing::Shared {
            self.steps.iter().for_each(|step| tree.value(step.edge).cancel());
        }
    }

    /// The result for the side that made the last move, if `result` is for the root's, or the other way round.
    pub(super) fn flip(&self, result: f32) -> f32 {
        if self.steps.len() % 2 == 1 { result } else { 1.0 - result }
    }

    /// Carries a proof of the last edge towards the root (MCTS-solver; Winands, Björnsson, Saito 2008).
    ///
    /// A won move makes the move before it lost; a node whose moves are all lost makes the move into it won. Moves
    /// that the domain does not offer (filling own eyes) are not considered.
    pub(super) fn spread_proof(&self, tree: &Tree, mut win: bool) {
        for pair in self.steps.windows(2).rev() {
            let (into, below) = (pair[0], pair[1]);
            let edges = tree.edges(below.node);
            if !win && (0..edges.len()).any(|i| edges.value(i).proven() != Some(false)) {
                return;
            }
            win = !win;
            tree.value(into.edge).prove(win);
        }
    }

    /// Adds a result for the side to move at the root to every edge.
    #[inline(always)]
    pub(super) fn back_up(&self, tree: &Tree, result: f32, sharing: Sharing) {
        for (depth, step) in self.steps.iter().enumerate() {
            let result = for_mover(result, depth);
            match sharing {
                Sharing::Alone => tree.value(step.edge).add_alone(result),
                Sharing::Shared => tree.value(step.edge).settle(step.before, result),
            }
        }
    }
}

/// A result for the side to move at the root as one for the side to move at `depth`.
#[inline(always)]
pub(super) fn for_mover(result: f32, depth: usize) -> f32 {
    if depth.is_multiple_of(2) { result } else { 1.0 - result }
}
