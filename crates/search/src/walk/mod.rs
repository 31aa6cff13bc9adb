//! Ways through the tree: how simulations find their leaves.
//!
//! A [`Walk`] is generic over the selection rule and the domain, and is chosen by type: [`Uct`] comes from the root every time,
//! [`Dfuct`] and [`DfuctExact`] go on where they are as long as the rule would come back there. What they share is
//! here: the end of a way down ([`Kit::follow`]), expansion, the path and its update.

mod counters;
mod dfuct;
mod memory;
mod path;
mod proxy;
mod uct;

pub use counters::Counters;
pub use dfuct::{DepthFirst, Dfuct, DfuctAudited, DfuctExact};
pub use proxy::ProxyUct;
pub use uct::Uct;

use crate::amaf::FirstPlays;
use crate::domain::{Domain, Step};
use crate::select::{Prior, Scratch, Select};
use crate::tree::{Child, EdgeId, MeanOf, NewEdge, NodeId, Tree};
use path::Path;

/// A way through the tree, with what it remembers from one simulation to the next.
pub trait Walk<S: Select>: Default + Send {
    /// Makes one simulation; nothing if it met a forbidden move, which is then known.
    fn simulate<D: Domain>(
        &mut self,
        domain: &mut D,
        kit: &mut Kit,
        task: &Task<'_, S>,
    ) -> Option<Simulation>;

    /// Puts what it still holds back into the tree and forgets where it was; needed before anybody else changes the tree.
    fn leave(&mut self, tree: &Tree);
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
}

/// How simulations use the tree.
#[derive(Clone, Copy, Debug)]
pub struct WalkOptions {
    /// An edge gets a node when it is visited again after this many visits.
    pub expand_after: u32,
    /// Whether other threads use the tree at the same time.
    pub sharing: Sharing,
}

/// Whether other threads use the tree at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// One thread: results are reproducible.
    Alone,
    /// Several: a loss is added to each edge on the way down, and turned into the result on the way back.
    Shared,
}

/// What one simulation came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simulation {
    /// Result for the side to move at the root, 0 to 1.
    pub result: f32,
    /// Position of the first move among the edges of the root.
    pub root_edge: usize,
}

/// One thread's way through the tree.
pub struct Walker<D, W> {
    /// The thing searched.
    pub domain: D,
    walk: W,
    kit: Kit,
}

impl<D: Domain, W: Default> Walker<D, W> {
    /// A walker at the root of its domain.
    pub fn new(domain: D) -> Walker<D, W> {
        Walker { domain, walk: W::default(), kit: Kit::new() }
    }

    /// Adds the node of the position the domain stands on.
    pub fn add_node<S: Select>(&mut self, tree: &Tree, rule: &S) -> Option<NodeId> {
        self.kit.add_node(&mut self.domain, tree, rule)
    }

    /// Makes one simulation; nothing if it met a forbidden move, which is then known.
    #[inline]
    pub fn simulate<S: Select>(&mut self, task: &Task<'_, S>) -> Option<Simulation>
    where
        W: Walk<S>,
    {
        self.kit.counters.simulations += 1;
        self.walk.simulate(&mut self.domain, &mut self.kit, task)
    }

    /// See [`Walk::leave`].
    pub fn leave<S: Select>(&mut self, tree: &Tree)
    where
        W: Walk<S>,
    {
        self.walk.leave(tree);
    }

    /// What the simulations cost so far.
    pub fn counters(&self) -> Counters {
        self.kit.counters
    }
}

/// The buffers of one thread.
pub struct Kit {
    scratch: Scratch,
    moves: Vec<(u16, Prior)>,
    new_edges: Vec<NewEdge>,
    first_plays: FirstPlays,
    counters: Counters,
}

/// Where following an edge led.
enum Arrival {
    /// To a node that has edges.
    Node(NodeId),
    /// To the end of the simulation, with the result for the side to move at the root.
    Result(f32),
    /// To a forbidden position.
    Forbidden,
}

impl Kit {
    fn new() -> Kit {
        Kit {
            scratch: Scratch::default(),
            moves: Vec::new(),
            new_edges: Vec::new(),
            first_plays: FirstPlays::new(),
            counters: Counters::default(),
        }
    }

    /// Adds the node of the position the domain stands on; nothing if there are no moves or there is no room.
    fn add_node<S: Select>(&mut self, domain: &mut impl Domain, tree: &Tree, rule: &S) -> Option<NodeId> {
        self.moves.clear();
        domain.moves(&mut self.moves);
        if self.moves.is_empty() {
            return None;
        }
        self.new_edges.clear();
        self.new_edges
            .extend(self.moves.iter().map(|&(code, prior)| NewEdge { code, extra: rule.extra(prior) }));
        tree.add_node(&self.new_edges)
    }

    /// Adds edge `index` of `node` to the path and makes its move.
    #[inline(always)]
    fn follow<S: Select>(
        &mut self,
        domain: &mut impl Domain,
        task: &Task<'_, S>,
        path: &mut Path,
        node: NodeId,
        index: usize,
    ) -> Arrival {
        let tree = task.tree;
        let edge = tree.edge(node, index);
        let value = edge.value();
        path.push(tree, node, index, task.options.sharing);
        if let Some(win) = value.proven() {
            // Either this move decides, or every move of the node is lost and so is the node.
            path.spread_proof(tree, win);
            return Arrival::Result(path.flip(if win { 1.0 } else { 0.0 }));
        }
        self.counters.moves += 1;
        match domain.play(edge.code()) {
            Step::Open => {}
            Step::Over(result) => {
                let won = path.flip(result);
                if won == 0.0 || won == 1.0 {
                    edge.word.prove(won == 1.0);
                    path.spread_proof(tree, won == 1.0);
                }
                return Arrival::Result(result);
            }
            Step::Forbidden => {
                edge.word.prove(false);
                path.release(tree, task.options.sharing);
                return Arrival::Forbidden;
            }
        }
        // Edges visited less have no node; not to look saves a wait for memory at the end of every simulation.
        let is_due = value.visits >= task.options.expand_after;
        let child = match if is_due { edge.child() } else { Child::Expanding } {
            Child::Node(child) => Some(child),
            Child::None => self.expand(domain, task, edge.id),
            Child::Expanding => None,
        };
        match child {
            Some(child) => Arrival::Node(child),
            None => Arrival::Result(domain.evaluate()),
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
        let node = self.add_node(domain, task.tree, task.rule);
        task.tree.publish(edge, node);
        node
    }
}
