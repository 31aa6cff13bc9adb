//! UCT: every simulation walks from the root to a leaf, adds to the tree there, judges the leaf and updates the path.

use crate::amaf::FirstPlays;
use crate::domain::{Domain, Step};
use crate::select::{Prior, Scratch, Select};
use crate::tree::{Child, EdgeId, MeanOf, NewEdge, NodeId, Tree};

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

/// One thread's way through the tree, with its buffers.
pub struct Walker<D> {
    /// The thing searched.
    pub domain: D,
    /// The edges from the root to the leaf of the last simulation.
    path: Vec<Footstep>,
    scratch: Scratch,
    moves: Vec<(u16, Prior)>,
    new_edges: Vec<NewEdge>,
    first_plays: FirstPlays,
}

#[derive(Clone, Copy)]
struct Footstep {
    node: NodeId,
    index: u32,
    edge: EdgeId,
}

/// What one simulation came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simulation {
    /// Result for the side to move at the root, 0 to 1.
    pub result: f32,
    /// Position of the first move among the edges of the root.
    pub root_edge: usize,
}

impl<D: Domain> Walker<D> {
    /// A walker at the root of its domain.
    pub fn new(domain: D) -> Walker<D> {
        Walker {
            domain,
            path: Vec::with_capacity(256),
            scratch: Scratch::default(),
            moves: Vec::new(),
            new_edges: Vec::new(),
            first_plays: FirstPlays::new(),
        }
    }

    /// Adds the node of the position the domain stands on.
    pub fn add_node<S: Select>(&mut self, tree: &Tree, rule: &S) -> Option<NodeId> {
        self.moves.clear();
        self.domain.moves(&mut self.moves);
        self.new_edges.clear();
        self.new_edges
            .extend(self.moves.iter().map(|&(code, prior)| NewEdge { code, extra: rule.extra(prior) }));
        tree.add_node(&self.new_edges)
    }

    /// Makes one simulation; nothing if it met a forbidden move, which is then known.
    #[inline]
    pub fn simulate<S: Select>(
        &mut self,
        tree: &Tree,
        root: NodeId,
        rule: &S,
        options: &WalkOptions,
    ) -> Option<Simulation> {
        self.domain.rewind();
        self.path.clear();
        let mut node = root;
        let result = loop {
            let edges = tree.edges(node);
            let index = rule.choose(&edges, &mut self.scratch);
            let footstep = Footstep { node, index: index as u32, edge: edges.first + index as u32 };
            self.path.push(footstep);
            let value = edges.value(index);
            if options.sharing == Sharing::Shared {
                edges.values[index].add_virtual_loss();
            }
            if let Some(win) = value.proven() {
                // Either this move decides, or every move of the node is lost and so is the node.
                self.spread_proof(tree, win);
                break self.for_root(if win { 1.0 } else { 0.0 });
            }
            match self.domain.play(edges.code(index)) {
                Step::Open => {}
                Step::Over(result) => {
                    let won = self.for_root(result);
                    if won == 0.0 || won == 1.0 {
                        edges.values[index].prove(won == 1.0);
                        self.spread_proof(tree, won == 1.0);
                    }
                    break result;
                }
                Step::Forbidden => {
                    edges.values[index].prove(false);
                    if options.sharing == Sharing::Shared {
                        self.path.iter().for_each(|step| tree.value(step.edge).cancel());
                    }
                    return None;
                }
            }
            let child = match edges.child(index) {
                Child::Node(child) => Some(child),
                Child::None if value.visits >= options.expand_after => self.expand(tree, footstep.edge, rule),
                Child::None | Child::Expanding => None,
            };
            match child {
                Some(child) => node = child,
                None => break self.domain.evaluate(),
            }
        };
        self.back_up::<S>(tree, result, options.sharing);
        Some(Simulation { result, root_edge: self.path[0].index as usize })
    }

    /// The result for the side that made the last move of the path, if `result` is for the root's, or the other way round.
    fn for_root(&self, result: f32) -> f32 {
        if self.path.len() % 2 == 1 { result } else { 1.0 - result }
    }

    fn expand<S: Select>(&mut self, tree: &Tree, edge: EdgeId, rule: &S) -> Option<NodeId> {
        if tree.is_full() || !tree.claim(edge) {
            return None;
        }
        let node = self.add_node(tree, rule);
        tree.publish(edge, node);
        node
    }

    /// Carries a proof of the last edge of the path towards the root (MCTS-solver; Winands, Björnsson, Saito 2008).
    ///
    /// A won move makes the move before it lost; a node whose moves are all lost makes the move into it won. Moves
    /// that the domain does not offer (filling own eyes) are not considered.
    fn spread_proof(&self, tree: &Tree, mut win: bool) {
        for pair in self.path.windows(2).rev() {
            let (into, below) = (pair[0], pair[1]);
            let edges = tree.edges(below.node);
            if !win && (0..edges.len()).any(|i| edges.value(i).proven() != Some(false)) {
                return;
            }
            win = !win;
            tree.value(into.edge).prove(win);
        }
    }

    fn back_up<S: Select>(&mut self, tree: &Tree, result: f32, sharing: Sharing) {
        if S::LEARNS_FROM_ALL_MOVES {
            self.first_plays.note(self.domain.simulation());
        }
        for (depth, step) in self.path.iter().enumerate() {
            let result = if depth % 2 == 0 { result } else { 1.0 - result };
            match sharing {
                Sharing::Alone => tree.value(step.edge).add(result),
                Sharing::Shared => tree.value(step.edge).settle(result),
            }
            if S::LEARNS_FROM_ALL_MOVES {
                self.first_plays.update(&tree.edges(step.node), depth, result);
            }
        }
    }
}
