//! The tree of a search: nodes with their positions, and edges with the statistics of moves.
//!
//! Everything lies in two vectors that are emptied, not freed, between searches. The edges of a node are in random order and
//! are visited for the first time in that order, so `replies.visited` is also the next of them.

use super::number::{self, Numbers};
use super::rule::{ProofRule, Replies, log_share};
use crate::arena::{Arena, members};
use crate::position::{Action, Position, mix};
use crate::side::Side;
use tesuji_search::Rng;

/// Names a node.
pub(super) type NodeId = u32;

/// The node of the problem itself.
pub(super) const ROOT: NodeId = 0;

/// What is certain about a move or a position, for the side that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// Nothing.
    Open,
    /// It wins.
    Won,
    /// It loses.
    Lost,
}

/// A move and what came of it.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub(super) visits: u32,
    /// For the side that makes the move.
    pub(super) wins: u32,
    /// c·F, as of the last visit: nothing that it depends on changes without one.
    pub(super) bonus: f32,
    /// Log X of this move as a reply: of the share that the opponent won.
    log_refuted: f32,
    /// Proof numbers after the move, if the rule needs them.
    pub(super) numbers: Numbers,
    /// The node below, or [`ROOT`], which is below nothing.
    child: NodeId,
    pub(super) action: Action,
    pub(super) standing: Standing,
}

impl Edge {
    fn new(action: Action) -> Edge {
        let standing = Standing::Open;
        let (bonus, log_refuted, numbers) = (0.0, 0.0, number::UNTRIED);
        Edge { visits: 0, wins: 0, bonus, log_refuted, numbers, child: ROOT, action, standing }
    }

    /// The share of playouts that the side which makes the move won.
    #[inline(always)]
    fn share(&self) -> f32 {
        self.wins as f32 / self.visits as f32
    }
}

struct Node {
    position: Position,
    first: u32,
    visits: u32,
    /// Edges that are lost.
    lost: u32,
    /// The edges, as replies to the move that led here.
    replies: Replies,
    standing: Standing,
}

/// All nodes of a search.
#[derive(Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// The different proof numbers of the moves of one node, the least first; kept only for its room.
    ranking: Vec<u32>,
}

impl Tree {
    /// Forgets all nodes.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
    }

    /// Number of nodes.
    #[cfg(test)]
    pub(super) fn len(&self) -> NodeId {
        self.nodes.len() as NodeId
    }

    /// Adds a node with an edge for each legal move, in an order that depends on position and seed alone. The first one is the root.
    pub(super) fn add(&mut self, arena: &Arena, position: Position, seed: u64) -> NodeId {
        let first = self.edges.len();
        let points = members(position.empty(arena)).filter(|&at| position.play(arena, at).is_some());
        self.edges.extend(points.map(|at| Edge::new(Action::Play(at as u8))));
        if position.may_pass() {
            self.edges.push(Edge::new(Action::Pass));
        }
        let edges = &mut self.edges[first..];
        let mut rng = Rng::for_stream(mix(seed), position.hash());
        for last in (1..edges.len()).rev() {
            edges.swap(last, rng.below(last + 1));
        }
        let replies = Replies { count: edges.len() as u32, ..Replies::default() };
        let standing = if edges.is_empty() { Standing::Lost } else { Standing::Open };
        self.nodes.push(Node { position, first: first as u32, visits: 0, lost: 0, replies, standing });
        (self.nodes.len() - 1) as NodeId
    }

    /// What is certain about a node's position.
    #[inline]
    pub(super) fn standing(&self, node: NodeId) -> Standing {
        self.nodes[node as usize].standing
    }

    /// A node's position.
    pub(super) fn position(&self, node: NodeId) -> &Position {
        &self.nodes[node as usize].position
    }

    /// The position after an edge.
    pub(super) fn after(&self, arena: &Arena, node: NodeId, at: usize) -> Option<Position> {
        self.position(node).after(arena, self.edges(node)[at].action)
    }

    /// Whether the move of an edge costs the defender a threat.
    pub(super) fn costs_defender(&self, node: NodeId, at: usize) -> bool {
        matches!(self.edges(node)[at].action, Action::Play(at) if self.position(node).costs_defender(at.into()))
    }

    /// The edges of a node.
    #[inline]
    pub(super) fn edges(&self, node: NodeId) -> &[Edge] {
        let node = &self.nodes[node as usize];
        let first = node.first as usize;
        &self.edges[first..first + node.replies.count as usize]
    }

    /// The node below an edge.
    #[inline]
    pub(super) fn child(&self, node: NodeId, at: usize) -> Option<NodeId> {
        let child = self.edges(node)[at].child;
        (child != ROOT).then_some(child)
    }

    /// Puts a node below an edge.
    pub(super) fn set_child(&mut self, node: NodeId, at: usize, child: NodeId) {
        let edge = self.nodes[node as usize].first as usize + at;
        self.edges[edge].child = child;
    }

    /// The edge to follow from a node that is not decided.
    #[inline]
    pub(super) fn choose(&self, node: NodeId, rule: &ProofRule) -> usize {
        let Node { visits, replies, .. } = self.nodes[node as usize];
        if replies.visited < replies.count {
            return replies.visited as usize;
        }
        let exploration = rule.exploration_squared(visits);
        let (mut best, mut highest) = (0, f32::NEG_INFINITY);
        for (at, edge) in self.edges(node).iter().enumerate() {
            let score = edge.share() + (exploration / edge.visits as f32).sqrt() + edge.bonus;
            if score > highest && edge.standing != Standing::Lost {
                (best, highest) = (at, score);
            }
        }
        best
    }

    /// The move to play in a node: one that wins, else the most visited that does not lose, else the most visited.
    pub(super) fn best(&self, node: NodeId) -> Option<Action> {
        let worth = |edge: &&Edge| match edge.standing {
            Standing::Won => (2, edge.visits, edge.wins),
            Standing::Open => (1, edge.visits, edge.wins),
            Standing::Lost => (0, edge.visits, edge.wins),
        };
        self.edges(node).iter().max_by_key(worth).map(|edge| edge.action)
    }

    /// Adds the result of a simulation to all edges of its path, and carries a proof of its end towards the root.
    pub(super) fn back_up(
        &mut self,
        path: &[(NodeId, usize)],
        rule: &ProofRule,
        winner: Side,
        mut is_proof: bool,
    ) {
        for &(id, at) in path.iter().rev() {
            let first = self.nodes[id as usize].first as usize;
            let edge = &mut self.edges[first + at];
            let child = edge.child;
            let replies = if child == ROOT { Replies::default() } else { self.nodes[child as usize].replies };
            let node = &mut self.nodes[id as usize];
            let mover = node.position.turn();
            let is_won = winner == mover;
            let before = edge.log_refuted;
            node.replies.visited += u32::from(edge.visits == 0);
            node.visits += 1;
            edge.visits += 1;
            edge.wins += u32::from(is_won);
            edge.log_refuted = log_share(1.0 - edge.share());
            if !rule.nearness.is_number() {
                edge.bonus = rule.bonus(mover == Side::Attacker, edge.share(), &replies);
            }
            if is_proof {
                edge.standing = if is_won { Standing::Won } else { Standing::Lost };
                edge.log_refuted = log_share(if is_won { 0.0 } else { 1.0 });
                node.lost += u32::from(!is_won);
                node.standing = match is_won {
                    true => Standing::Won,
                    false if node.lost == node.replies.count => Standing::Lost,
                    false => Standing::Open,
                };
                is_proof = node.standing != Standing::Open;
            }
            node.replies.visited_log_sum += f64::from(edge.log_refuted) - f64::from(before);
            if rule.nearness.is_number() {
                self.renumber(id, at, rule);
            }
        }
    }

    /// Counts again what a proof takes after an edge of a node, of which nothing changes without a visit, and ranks the edge and its siblings.
    fn renumber(&mut self, id: NodeId, at: usize, rule: &ProofRule) {
        let Edge { child, standing, .. } = self.edges(id)[at];
        let mover = self.position(id).turn();
        let numbers = match standing {
            Standing::Won => number::won_by(mover),
            Standing::Lost => number::won_by(!mover),
            Standing::Open => {
                let below = self.edges(child).iter().map(|reply| reply.numbers);
                number::of_node(self.position(child).turn(), below)
            }
        };
        let node = &self.nodes[id as usize];
        let first = node.first as usize;
        let edges = &mut self.edges[first..first + node.replies.count as usize];
        edges[at].numbers = numbers;
        let is_open = |edge: &&mut Edge| edge.standing != Standing::Lost;
        let ours = |edge: &Edge| edge.numbers[mover.index()];
        self.ranking.clear();
        self.ranking.extend(edges.iter_mut().filter(is_open).map(|edge| ours(edge)));
        number::sort_by_rank(&mut self.ranking);
        let weight = rule.weight_for(mover == Side::Attacker);
        for edge in edges.iter_mut().filter(is_open) {
            edge.bonus = weight * number::nearness(rule.nearness, ours(edge), &self.ranking);
        }
    }
}
