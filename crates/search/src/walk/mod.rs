//! Ways through the tree: how simulations find their leaves.
//!
//! A [`Walk`] is generic over the selection rule and the domain, and is chosen by type: [`Uct`] comes from the root every time,
//! [`Dfuct`] and [`DfuctExact`] go on where they are as long as the rule would come back there. It has two halves:
//! [`Walk::descend`] finds a [`Leaf`], [`Walk::settle`] takes it back with its evaluation, at once or later. What walks share is
//! here: the end of a way down ([`Kit::follow`]), expansion and the update of the way.

mod counters;
mod dfuct;
mod leaf;
mod memory;
mod proxy;
mod uct;
mod walker;

pub use counters::Counters;
pub use dfuct::{DepthFirst, Dfuct, DfuctAudited, DfuctExact};
pub use leaf::Leaf;
pub use proxy::ProxyUct;
pub use uct::Uct;
pub use walker::{Stride, Walker};

use crate::amaf::FirstPlays;
use crate::domain::{Domain, Step};
use crate::evaluate::{Evaluation, Moves};
use crate::halving::Halving;
use crate::select::{Scratch, Select};
use crate::tree::{Child, Columns, EdgeId, MeanOf, NewEdge, NodeId, Tree, Value};
use leaf::for_mover;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A way through the tree, with what it remembers from one simulation to the next.
pub trait Walk<S: Select>: Default + Send {
    /// Whether it can look for another leaf before the last one is settled.
    const MANY_LEAVES: bool = true;

    /// Finds a leaf; the domain stands there afterwards if it is to be judged.
    fn descend<D: Domain>(&mut self, domain: &mut D, kit: &mut Kit, task: &Task<'_, S>) -> Descent;

    /// Updates the tree with what a leaf came to.
    fn settle(
        &mut self,
        leaf: Leaf,
        evaluation: &Evaluation,
        kit: &mut Kit,
        task: &Task<'_, S>,
    ) -> Simulation;

    /// Puts what it still holds back into the tree and forgets where it was; needed before anybody else changes the tree. All
    /// leaves are settled by then.
    fn leave(&mut self, tree: &Tree);
}

/// What a descent found.
#[derive(Debug)]
pub enum Descent {
    /// A leaf.
    Leaf(Leaf),
    /// A forbidden move, which is then known.
    Forbidden,
    /// Others are in the way: the leaf waits for its evaluation already, or the move has just been proven lost. Nothing has changed.
    Collision,
}

/// What simulations are to be made.
pub struct Task<'a, S> {
    /// The tree.
    pub tree: &'a Tree,
    /// The node of the position that the domain rewinds to; it has edges.
    pub root: NodeId,
    /// How edges are chosen.
    pub rule: &'a S,
    /// How the tree is used.
    pub options: WalkOptions,
    /// Which move of the root a simulation follows, where that is not left to the rule; only [`Uct`] asks.
    pub halving: Option<&'a Halving>,
}

/// How simulations use the tree.
#[derive(Clone, Copy, Debug)]
pub struct WalkOptions {
    /// An edge gets a node when it is visited again after this many visits.
    pub expand_after: u32,
    /// Whether others use the tree at the same time.
    pub sharing: Sharing,
    /// Who says which moves a new node has.
    pub expansion: Expansion,
}

/// Who says which moves a new node has, and what is thought of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expansion {
    /// The domain, at once.
    ByDomain,
    /// The evaluator of the leaf, with its answer: until then the node is being made.
    ByEvaluator,
}

/// Whether others use the tree at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// One thread with one leaf at a time: results are reproducible.
    Alone,
    /// Several threads, or several leaves under way: a loss is added to each edge on the way down, and turned into the result on the way back.
    Shared,
}

/// What one simulation came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simulation {
    /// What its leaf came to.
    pub evaluation: Evaluation,
    /// Position of the first move among the edges of the root.
    pub root_edge: usize,
}

/// The buffers of one thread.
pub struct Kit {
    scratch: Scratch,
    moves: Moves,
    new_edges: Vec<NewEdge>,
    first_plays: FirstPlays,
    counters: Counters,
    /// Leaves that are not under way, kept for their memory.
    spare: Vec<Leaf>,
}

/// Where following an edge led.
enum Arrival {
    /// To a node that has edges.
    Node(NodeId),
    /// To the end of the way, known or to be judged.
    Leaf,
    /// To a forbidden position.
    Forbidden,
    /// To a node that waits for its evaluation, or to a move that somebody else has proven lost since it was chosen.
    Collision,
}

impl Kit {
    fn new() -> Kit {
        Kit {
            scratch: Scratch::default(),
            moves: Vec::new(),
            new_edges: Vec::new(),
            first_plays: FirstPlays::new(),
            counters: Counters::default(),
            spare: Vec::new(),
        }
    }

    fn take_leaf(&mut self) -> Leaf {
        self.spare.pop().unwrap_or_default()
    }

    /// A leaf at the root, for which the evaluator names the moves.
    fn take_root(&mut self) -> Leaf {
        let mut leaf = self.take_leaf();
        leaf.is_root = true;
        leaf
    }

    fn give_back(&mut self, mut leaf: Leaf) {
        leaf.clear();
        self.spare.push(leaf);
    }

    /// Adds the node of the position the domain stands on; nothing if there are no moves or there is no room.
    fn add_node(&mut self, domain: &mut impl Domain, tree: &Tree) -> Option<NodeId> {
        self.moves.clear();
        domain.moves(&mut self.moves);
        let moves = std::mem::take(&mut self.moves);
        let node = self.add_node_of(&moves, tree);
        self.moves = moves;
        node
    }

    fn add_node_of(&mut self, moves: &Moves, tree: &Tree) -> Option<NodeId> {
        if moves.is_empty() {
            return None;
        }
        self.new_edges.clear();
        self.new_edges.extend(moves.iter().map(|&(code, prior)| NewEdge { code, prior }));
        tree.add_node(&self.new_edges)
    }

    /// Adds edge `index` of `node` to the way and makes its move.
    #[inline(always)]
    fn follow<S: Select>(
        &mut self,
        domain: &mut impl Domain,
        task: &Task<'_, S>,
        leaf: &mut Leaf,
        node: NodeId,
        index: usize,
    ) -> Arrival {
        let (tree, sharing) = (task.tree, task.options.sharing);
        let edge = tree.edge(node, index);
        let value = edge.value();
        leaf.push(tree, node, index, sharing);
        if let Some(win) = value.proven() {
            // Nobody follows a lost move while there are others.
            if !win && sharing == Sharing::Shared && !leaf::all_lost(tree, node) {
                leaf.release(tree, sharing);
                return Arrival::Collision;
            }
            // Either this move decides, or every move of the node is lost and so is the node.
            leaf.spread_proof(tree, win);
            leaf.known = Some(Evaluation::of_result(leaf.flip(if win { 1.0 } else { 0.0 })));
            return Arrival::Leaf;
        }
        self.counters.moves += 1;
        leaf.moves.push(edge.code());
        if S::COLUMNS.has(Columns::NETWORK) {
            let visits = |word: &AtomicU64| Value::unpack(word.load(Relaxed)).visits;
            leaf.is_valued = tree.network(edge.id).map(visits).unwrap_or(0) > 0;
        }
        match domain.play(edge.code()) {
            Step::Open => {}
            Step::Judged => return Arrival::Leaf,
            Step::Over(evaluation) => {
                let won = leaf.flip(evaluation.result);
                if won == 0.0 || won == 1.0 {
                    edge.word.prove(won == 1.0);
                    leaf.spread_proof(tree, won == 1.0);
                }
                leaf.known = Some(evaluation);
                return Arrival::Leaf;
            }
            Step::Forbidden => {
                edge.word.prove(false);
                leaf.release(tree, sharing);
                return Arrival::Forbidden;
            }
        }
        // Edges visited less have no node; not to look saves a wait for memory at the end of every simulation.
        if value.visits < task.options.expand_after {
            return Arrival::Leaf;
        }
        match (edge.child(), task.options.expansion) {
            (Child::Node(child), _) => Arrival::Node(child),
            (Child::None, Expansion::ByDomain) => match self.expand(domain, task, edge.id) {
                Some(child) => Arrival::Node(child),
                None => Arrival::Leaf,
            },
            (Child::Expanding, Expansion::ByDomain) => Arrival::Leaf,
            (Child::None, Expansion::ByEvaluator) if !tree.is_full() && tree.claim(edge.id) => {
                leaf.claim = Some(edge.id);
                Arrival::Leaf
            }
            (Child::None, Expansion::ByEvaluator) if tree.is_full() => Arrival::Leaf,
            (_, Expansion::ByEvaluator) => {
                leaf.release(tree, sharing);
                Arrival::Collision
            }
        }
    }

    /// Counts that a move led into a node where this edge is followed next.
    #[inline(always)]
    fn count_entry(&mut self, tree: &Tree, node: NodeId, index: usize) {
        self.counters.reexpansions += u64::from(tree.edge(node, index).value().visits > 0);
    }

    fn expand<S: Select>(
        &mut self,
        domain: &mut impl Domain,
        task: &Task<'_, S>,
        edge: EdgeId,
    ) -> Option<NodeId> {
        if task.tree.is_full() || !task.tree.claim(edge) {
            return None;
        }
        let node = self.add_node(domain, task.tree);
        task.tree.publish(edge, node);
        node
    }

    /// Makes the node that a leaf has claimed, from the evaluator's answer.
    fn fulfil_claim(&mut self, leaf: &Leaf, tree: &Tree) {
        if let Some(edge) = leaf.claim {
            let node = self.add_node_of(leaf.answered_moves(), tree);
            tree.publish(edge, node);
        }
    }

    /// Updates the edges of the way, and their siblings if the rule learns from all moves.
    #[inline(always)]
    fn settle<S: Select>(&mut self, leaf: &Leaf, evaluation: &Evaluation, task: &Task<'_, S>) -> Simulation {
        self.fulfil_claim(leaf, task.tree);
        let evaluation = match task.rule.bias_correction() {
            0.0 => *evaluation,
            part => leaf.correct_bias(task.tree, evaluation, part),
        };
        let evaluation = &evaluation;
        leaf.back_up(task.tree, evaluation, task.options.sharing);
        if task.rule.bias_correction() != 0.0 {
            leaf.learn_bias(task.tree, evaluation);
        }
        if S::COLUMNS.has(Columns::SQUARES) {
            leaf.add_squares(task.tree, evaluation);
        }
        if S::COLUMNS.has(Columns::PROOF) {
            leaf.renew_proof_numbers(task.tree);
        }
        if S::LEARNS_FROM_ALL_MOVES {
            self.first_plays.note(&leaf.moves);
            for (depth, step) in leaf.steps.iter().enumerate() {
                let edges = task.tree.edges(step.node);
                let reach = task.rule.reach(&edges);
                self.first_plays.update(&edges, reach, depth, for_mover(evaluation.result, depth));
            }
        }
        Simulation { evaluation: *evaluation, root_edge: leaf.root_edge() }
    }
}
