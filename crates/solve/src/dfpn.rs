//! Depth-first proof-number search (A. Nagai, 2002) for the problem game.
//!
//! *Numbers.* For the side to move `phi` estimates the effort to prove a win, `delta` that to prove a loss. In a
//! node `phi` is the least `delta` of the children. `delta` should be the sum of their `phi`, but a sum counts the same
//! work again and again where lines transpose, which in Go they do everywhere; instead it is their maximum plus one for each other child
//! that is not yet solved (weak proof numbers: T. Ueda et al., 2008). A child is searched until it is worse than the second best by a
//! fraction (1 + ε: J. Pawlewicz and L. Lew, 2006), so that the search does not jump about.
//!
//! *Repetition.* A position that stands on the path from the root counts as lived: the attacker makes no progress. A win of
//! the attacker therefore never rests on a repetition and holds everywhere. A win of the defender may rest on one, and then holds
//! only where the repeated ancestor is on the path (the graph-history interaction). So each such result carries the
//! depth of the shallowest ancestor that it depends on. When that is the node itself or deeper, the defender can go
//! round for ever, which is a win by the rules: the result is stored as proven. Otherwise it is stored under a key
//! that includes the whole path, and is only ever found on the same path again (compare A. Kishimoto and M. Müller, 2004).

use crate::arena::{Arena, bit, members};
use crate::cache::Caches;
use crate::estimate::estimate;
use crate::filter::Filter;
use crate::forced::{Actions, end};
use crate::position::{Position, mix};
use crate::side::Side;
use crate::table::{INFINITE, Numbers, Table};
use std::sync::atomic::{AtomicBool, Ordering};

/// Longest line that is looked at; a longer one stays undecided.
const MAX_DEPTH: usize = 300;

/// No dependence on the path.
const NOWHERE: u16 = u16::MAX;

/// Nodes between two questions to the outside whether to go on.
const POLL_INTERVAL: u64 = 1024;

/// How long a search may last.
pub struct Limits<'a> {
    /// Most nodes of one search.
    pub nodes: u64,
    /// Ends the search when it becomes true.
    pub stop: &'a AtomicBool,
    /// Asked now and then: whether there is time left.
    pub has_time: &'a dyn Fn() -> bool,
}

impl std::fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Limits").field("nodes", &self.nodes).finish_non_exhaustive()
    }
}

/// One search after another with the same table.
pub(crate) struct Search<'a> {
    arena: &'a Arena,
    table: &'a mut Table,
    caches: &'a mut Caches,
    limits: &'a Limits<'a>,
    nodes: u64,
    is_stopped: bool,
    /// Hashes of the positions from the root to the node in work, and a hash of each such beginning.
    path: Vec<(u64, u64)>,
    on_path: Filter,
    /// The children of all nodes on the path, one node's after another.
    children: Vec<Child>,
}

/// A node's view of one of its moves.
#[derive(Clone, Copy)]
struct Child {
    position: Position,
    numbers: Numbers,
    /// Depth of the ancestor on which the numbers depend, if they are those of a win of the defender.
    dependence: u16,
}

/// What the children say of their parent, and which of them to search.
struct Summary {
    numbers: Numbers,
    best: usize,
    second_delta: u32,
    /// Number of children that are not yet lost for the parent.
    unsolved: u32,
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        arena: &'a Arena,
        table: &'a mut Table,
        caches: &'a mut Caches,
        limits: &'a Limits<'a>,
    ) -> Search<'a> {
        Search {
            arena,
            table,
            caches,
            limits,
            nodes: 0,
            is_stopped: false,
            path: Vec::new(),
            on_path: Filter::new(),
            children: Vec::new(),
        }
    }

    /// Nodes searched so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Who wins from a position; nothing if a limit is reached first.
    pub(crate) fn winner(&mut self, position: &Position) -> Option<Side> {
        if let Some(winner) = self.known_winner(position) {
            return Some(winner);
        }
        self.visit(position, Numbers { phi: INFINITE, delta: INFINITE });
        self.path.clear();
        self.children.clear();
        self.on_path = Filter::new();
        self.known_winner(position)
    }

    /// Who wins from a position, as far as the table or the position itself tells.
    pub(crate) fn known_winner(&self, position: &Position) -> Option<Side> {
        let numbers = match self.table.get(position.hash()) {
            Some(entry) => entry.numbers,
            None => end(self.arena, position)?,
        };
        match numbers {
            Numbers { phi: 0, .. } => Some(position.turn()),
            Numbers { delta: 0, .. } => Some(!position.turn()),
            _ => None,
        }
    }

    /// Nodes searched below a position, as far as the table remembers.
    pub(crate) fn work(&self, position: &Position) -> u32 {
        self.table.get(position.hash()).map_or(0, |entry| entry.work)
    }

    /// Searches a node until one of its numbers reaches the threshold.
    fn visit(&mut self, position: &Position, thresholds: Numbers) -> (Numbers, u16) {
        // Counted also where the line is too long: a forced line asks there again and again until a limit ends it.
        self.count_node();
        let depth = self.path.len();
        if depth >= MAX_DEPTH {
            return (Numbers { phi: INFINITE - 1, delta: INFINITE - 1 }, NOWHERE);
        }
        let nodes_before = self.nodes;
        self.enter(position.hash());
        let first = self.children.len();
        self.expand(position);
        let mut known;
        let numbers = loop {
            let summary = self.summarise(first);
            let numbers = summary.numbers;
            known = numbers;
            if numbers.phi >= thresholds.phi || numbers.delta >= thresholds.delta || self.is_stopped {
                break numbers;
            }
            let child = self.children[summary.best];
            let second = summary.second_delta.saturating_add(summary.second_delta / 4 + 1);
            let child_thresholds = Numbers {
                phi: thresholds.delta.saturating_sub(summary.unsolved - 1).max(child.numbers.phi + 1),
                delta: thresholds.phi.min(second),
            };
            let (numbers, dependence) = self.visit(&child.position, child_thresholds);
            let child = &mut self.children[summary.best];
            (child.numbers, child.dependence) = (numbers, dependence);
        };
        let dependence = self.dependence(position.turn(), numbers, first);
        self.leave();
        self.children.truncate(first);
        let work = u32::try_from(self.nodes - nodes_before + 1).unwrap_or(u32::MAX);
        self.store(position, known, dependence, depth, work)
    }

    fn store(
        &mut self,
        position: &Position,
        numbers: Numbers,
        dependence: u16,
        depth: usize,
        work: u32,
    ) -> (Numbers, u16) {
        let key = position.hash();
        let before = self.table.get(key).copied();
        let total_work = work.saturating_add(before.map_or(0, |entry| entry.work));
        if usize::from(dependence) >= depth {
            self.table.put(key, numbers, total_work, 0);
            return (numbers, NOWHERE);
        }
        // The numbers that hold everywhere stay what they were.
        let unconditional = before.map_or(Numbers { phi: 1, delta: 1 }, |entry| entry.numbers);
        self.table.put(key, unconditional, total_work, 0);
        self.table.mark_conditional(key);
        self.table.put(conditional_key(key, self.path_hash()), numbers, work, dependence);
        (numbers, dependence)
    }

    /// Appends the children of a position.
    fn expand(&mut self, position: &Position) {
        let arena = self.arena;
        let actions = self.caches.actions.get(position.hash(), || Actions::of(arena, position));
        for at in members(actions.points) {
            if let Some(next) = position.play(self.arena, at) {
                self.add_child(next);
            }
        }
        if actions.may_pass {
            self.add_child(position.pass());
        }
    }

    fn add_child(&mut self, position: Position) {
        let (numbers, dependence) = self.look_up(&position);
        self.children.push(Child { position, numbers, dependence });
    }

    fn look_up(&mut self, position: &Position) -> (Numbers, u16) {
        let key = position.hash();
        if self.on_path.may_contain(key)
            && let Some(ancestor) = self.path.iter().position(|&(hash, _)| hash == key)
        {
            return (Numbers::won_by(Side::Defender, position.turn()), ancestor as u16);
        }
        let Some(entry) = self.table.get(key) else {
            let arena = self.arena;
            let guess = || end(arena, position).unwrap_or_else(|| estimate(arena, position));
            let numbers = self.caches.leaves.get(key, guess);
            return (numbers, NOWHERE);
        };
        if entry.has_conditional
            && !entry.numbers.is_solved()
            && let Some(conditional) = self.table.get(conditional_key(key, self.path_hash()))
        {
            return (conditional.numbers, conditional.dependence);
        }
        (entry.numbers, NOWHERE)
    }

    fn summarise(&self, first: usize) -> Summary {
        let (mut phi, mut second_delta, mut best) = (INFINITE, INFINITE, first);
        let (mut highest, mut unsolved) = (0, 0);
        for (at, child) in self.children.iter().enumerate().skip(first) {
            let numbers = child.numbers;
            if numbers.delta < phi {
                (second_delta, phi, best) = (phi, numbers.delta, at);
            } else {
                second_delta = second_delta.min(numbers.delta);
            }
            if numbers.phi > 0 {
                unsolved += 1;
                highest = highest.max(numbers.phi);
            }
        }
        let delta = if phi == 0 {
            INFINITE
        } else if unsolved == 0 {
            0
        } else {
            (highest + unsolved - 1).min(INFINITE - 1)
        };
        let phi = if delta == 0 { INFINITE } else { phi.min(INFINITE - u32::from(phi > 0)) };
        Summary { numbers: Numbers { phi, delta }, best, second_delta, unsolved }
    }

    /// The depth of the shallowest ancestor on which the solved node depends.
    fn dependence(&self, to_move: Side, numbers: Numbers, first: usize) -> u16 {
        let children = self.children[first..].iter();
        match to_move {
            // One winning move is enough: the one that depends on the least.
            Side::Defender if numbers.phi == 0 => {
                let winning = children.filter(|child| child.numbers.delta == 0);
                winning.map(|child| child.dependence).max().unwrap_or(NOWHERE)
            }
            Side::Attacker if numbers.delta == 0 => {
                children.map(|child| child.dependence).min().unwrap_or(NOWHERE)
            }
            _ => NOWHERE,
        }
    }

    fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(POLL_INTERVAL) {
            self.is_stopped |= self.nodes >= self.limits.nodes
                || self.limits.stop.load(Ordering::Relaxed)
                || !(self.limits.has_time)();
        }
    }

    fn enter(&mut self, hash: u64) {
        self.path.push((hash, mix(self.path_hash() ^ hash)));
        self.on_path.add(hash);
    }

    fn leave(&mut self) {
        if let Some((hash, _)) = self.path.pop() {
            self.on_path.remove(hash);
        }
    }

    fn path_hash(&self) -> u64 {
        self.path.last().map_or(0, |&(_, hash)| hash)
    }
}

/// The key of a result that holds on one path only.
fn conditional_key(key: u64, path_hash: u64) -> u64 {
    key ^ mix(path_hash)
}

const _: () = assert!(MAX_DEPTH < NOWHERE as usize && bit(0) == 1);
