//! A leaf: the edges from the root to it, what was held there in advance, and what its evaluation does to them.

use super::Sharing;
use crate::evaluate::{Evaluation, Moves};
use crate::tree::{Child, EdgeId, Judgement, MeanOf, NodeId, ProofNumbers, Tree, Value};
use std::sync::atomic::Ordering::Relaxed;

/// The end of a way through the tree, on its way to being judged. It owns the losses added in advance to the edges on the way,
/// so it has to be settled, once.
#[derive(Debug, Default)]
pub struct Leaf {
    pub(super) steps: Vec<Footstep>,
    /// All moves since the root; an evaluator that plays on adds its own.
    pub(crate) moves: Vec<u16>,
    /// What the leaf came to, if it needs no evaluator.
    pub(super) known: Option<Evaluation>,
    /// The edge whose node is to be made from the evaluator's answer.
    pub(super) claim: Option<EdgeId>,
    /// Whether it is the root, whose node is to be made from the evaluator's answer.
    pub(super) is_root: bool,
    /// Whether a network has judged it at an earlier visit, and the tree keeps that.
    pub(super) is_valued: bool,
    /// The kind of its position, for [`Biases`](crate::tree::Biases), if a network judges it.
    pub(crate) kind: Option<u16>,
    /// The moves of that node, by the evaluator.
    answer: Moves,
}

/// One edge of the way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Footstep {
    pub(super) node: NodeId,
    pub(super) index: u32,
    pub(super) edge: EdgeId,
    /// The statistics of the edge before a loss was added to it in advance.
    before: u64,
}

impl Leaf {
    /// The codes of all moves since the root, those of an evaluator that played on included.
    pub fn moves(&self) -> &[u16] {
        &self.moves
    }

    /// The code of the move that its way began with; nothing at the root.
    pub fn first_move(&self) -> Option<u16> {
        self.moves.first().copied().filter(|_| !self.steps.is_empty())
    }

    /// Adds a move that the evaluator played on from the leaf.
    pub fn play_on(&mut self, code: u16) {
        self.moves.push(code);
    }

    /// How many of the moves were made within the tree.
    pub fn depth(&self) -> usize {
        self.steps.len()
    }

    /// Whether the evaluator's answer makes a node, for which it then has to name the moves.
    pub fn wants_moves(&self) -> bool {
        self.claim.is_some() || self.is_root
    }

    /// Whether it is the position that the search starts from.
    pub fn is_root(&self) -> bool {
        self.is_root
    }

    /// Whether a network's value of it would be news.
    pub fn wants_value(&self) -> bool {
        !self.is_valued
    }

    /// Where the evaluator puts the moves of the leaf and what it thinks of them, best first.
    pub fn answer_moves(&mut self) -> &mut Moves {
        &mut self.answer
    }

    /// Where the evaluator put the moves.
    pub(crate) fn answered_moves(&self) -> &Moves {
        &self.answer
    }

    /// Empties it for another way; keeps its memory.
    pub(super) fn clear(&mut self) {
        self.steps.clear();
        self.moves.clear();
        self.answer.clear();
        (self.known, self.claim, self.is_root, self.is_valued, self.kind) = (None, None, false, false, None);
    }

    /// Back to the first `depth` edges.
    pub(super) fn truncate(&mut self, depth: usize) {
        self.steps.truncate(depth);
        self.moves.truncate(depth);
        self.answer.clear();
        (self.known, self.claim, self.is_root, self.is_valued, self.kind) = (None, None, false, false, None);
    }

    /// Position of the first move among the edges of the root.
    pub(super) fn root_edge(&self) -> usize {
        self.steps.first().map_or(0, |step| step.index as usize)
    }

    /// Adds an edge, and a loss to it if others may come by before it is settled.
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
            if !win && !all_lost(tree, below.node) {
                return;
            }
            win = !win;
            tree.value(into.edge).prove(win);
        }
    }

    /// Computes the proof numbers of the edges on the way again, from the leaf towards the root as far as they change.
    pub(super) fn renew_proof_numbers(&self, tree: &Tree) {
        let renew = |into: EdgeId, node: NodeId| {
            let edges = tree.edges(node);
            let replies = (0..edges.len()).map(|i| edges.proof_numbers(i));
            tree.set_proof_numbers(into, ProofNumbers::of_move_before(replies))
        };
        if let Some(last) = self.steps.last()
            && self.claim.is_some()
            && let Child::Node(made) = tree.edge(last.node, last.index as usize).child()
        {
            renew(last.edge, made);
        }
        for pair in self.steps.windows(2).rev() {
            if !renew(pair[0].edge, pair[1].node) {
                return;
            }
        }
    }

    /// Adds the square of an evaluation to every edge.
    pub(super) fn add_squares(&self, tree: &Tree, evaluation: &Evaluation) {
        for (depth, step) in self.steps.iter().enumerate() {
            if let Some(squares) = tree.squares(step.edge) {
                let result = for_mover(evaluation.result, depth);
                squares.add(result * result);
            }
        }
    }

    /// Takes a part of the known bias of its kind off the value of a position, and keeps what was said.
    pub(super) fn correct_bias(&self, tree: &Tree, evaluation: &Evaluation, part: f32) -> Evaluation {
        let (Some(kind), Some(last), Some(biases)) = (self.kind, self.steps.last(), tree.biases()) else {
            return *evaluation;
        };
        let own = self.flip(evaluation.result);
        let given = (own - part * biases.of(kind)).clamp(0.0, 1.0);
        tree.set_judgement(last.edge, Judgement { kind, own, given });
        Evaluation { result: self.flip(given), ..*evaluation }
    }

    /// Learns how wrong the positions above the leaf were judged, after their statistics have its result.
    pub(super) fn learn_bias(&self, tree: &Tree, evaluation: &Evaluation) {
        let Some(biases) = tree.biases() else { return };
        let above = self.steps.len().saturating_sub(1);
        for (depth, step) in self.steps[..above].iter().enumerate() {
            if let Some(judgement) = tree.judgement(step.edge) {
                let after = Value::unpack(tree.value(step.edge).load(Relaxed));
                biases.learn(judgement, after, for_mover(evaluation.result, depth));
            }
        }
    }

    /// Adds an evaluation to every edge.
    #[inline(always)]
    pub(super) fn back_up(&self, tree: &Tree, evaluation: &Evaluation, sharing: Sharing) {
        for (depth, step) in self.steps.iter().enumerate() {
            let result = for_mover(evaluation.result, depth);
            match sharing {
                Sharing::Alone => tree.value(step.edge).add_alone(result),
                Sharing::Shared => tree.value(step.edge).settle(step.before, result),
            }
        }
        if let Some(network) = evaluation.network {
            for (depth, step) in self.steps.iter().enumerate() {
                if let Some(value) = tree.network(step.edge) {
                    value.add(for_mover(network, depth));
                }
            }
        }
    }
}

/// Whether every move of a node is proven lost.
pub(super) fn all_lost(tree: &Tree, node: NodeId) -> bool {
    let edges = tree.edges(node);
    (0..edges.len()).all(|i| edges.value(i).proven() == Some(false))
}

/// A result for the side to move at the root as one for the side to move at `depth`.
#[inline(always)]
pub(super) fn for_mover(result: f32, depth: usize) -> f32 {
    if depth.is_multiple_of(2) { result } else { 1.0 - result }
}
