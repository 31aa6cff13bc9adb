//! Depth-first proof-number search (A. Nagai, 2002) for the problem game.
//!
//! *Numbers.* For the side to move `phi` estimates the effort to prove a win, `delta` that to prove a loss. In a
//! node `phi` is the least `delta` of the children. `delta` should be the sum of their `phi`, but a sum counts the same
//! work again and again where lines transpose, which in Go they do everywhere; instead it is their maximum plus one for each other child
//! that is not yet solved (weak proof numbers: T. Ueda et al., 2008). A child is searched until it is worse than the second best by a
//! fraction (1 + ε: J. Pawlewicz and L. Lew, 2006), so that the search does not jump about.
//!
//! *Zones.* A decided position has a zone, outside of which nothing matters to the proof (see `zone.rs`); moves that a proof for another move
//! refutes as well are not searched.
//!
//! *Repetition.* A position that stands on the path from the root already is decided by the round that leads back to it: the
//! attacker wins it if it costs the defender a threat, else the defender does (rule 5 of `problem.rs`). Threats that are counted do not come back, so only rounds of a
//! defender with any number of them can have a price. A result that rests on a repetition holds only where the repeated
//! ancestor is on the path (the graph-history interaction), so it carries the depth of the shallowest ancestor that it depends on. When
//! that is the node itself or deeper, the result is stored as proven: the winner goes on from the ancestor as before, and for ever if need
//! be. (A line without end in such a tree of moves goes back up infinitely often. If the defender made the tree, every
//! move that comes again and again lies on a round without a price. If the attacker made it, take the shallowest ancestor
//! that is come back to again and again: between two visits the whole way down to where a move leads back to it is gone, and that is a round with a price.) Otherwise it is
//! stored under a key that includes the whole path, and is only ever found on the same path again (compare A. Kishimoto and M. Müller, 2004).

use crate::advice::{ASK_AFTER, Advice, Weight};
use crate::arena::{Arena, Bits, bit, members};
use crate::cache::{Caches, Leaf};
use crate::child::{Child, NOWHERE, Summary, Value, grounds, prune};
use crate::estimate::estimate;
use crate::filter::Filter;
use crate::forced::{Actions, end};
use crate::memory::Memory;
use crate::position::{Position, mix};
use crate::problem::Problem;
use crate::side::Side;
use crate::survey::Survey;
use crate::table::{INFINITE, Numbers};
use crate::team::{Helpers, Seat};
use arrayvec::ArrayVec;
use std::sync::atomic::{AtomicBool, Ordering};

/// Longest line that is looked at; a longer one stays undecided.
const MAX_DEPTH: usize = 300;

/// Nodes between two questions to the outside whether to go on.
const POLL_INTERVAL: u64 = 1024;

/// Nodes between two looks at what other threads have found.
pub(crate) const NEWS_INTERVAL: u64 = 64;

/// How long a search may last.
pub struct Limits<'a> {
    /// Most nodes of all searches together.
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
pub(crate) struct Search<'a, M> {
    pub(crate) arena: &'a Arena,
    pub(crate) table: M,
    caches: &'a mut Caches,
    pub(crate) limits: &'a Limits<'a>,
    pub(crate) problem: &'a Problem,
    /// Somebody who knows likely moves.
    advice: Option<&'a mut Advice>,
    nodes: u64,
    /// Nodes of other threads that help, as far as they were heard of.
    pub(crate) nodes_of_others: u64,
    is_stopped: bool,
    /// The number of nodes at which the question in work is put aside.
    pub(crate) pause_at: u64,
    /// Who could help.
    pub(crate) helpers: Option<Helpers<'a>>,
    /// The place among the threads that work on the same question.
    pub(crate) seat: Option<Seat>,
    /// Whether their work is over.
    pub(crate) is_team_done: bool,
    /// The positions from the root to the node in work.
    path: Vec<Step>,
    on_path: Filter,
    /// The children of all nodes on the path, one node's after another.
    children: Vec<Child>,
    /// The sides about whom the worst was asked before: what they win all the same is in the table.
    pub(crate) asked: ArrayVec<Side, 2>,
    survey: Survey,
}

/// A position on the path.
#[derive(Clone, Copy)]
struct Step {
    hash: u64,
    /// A hash of the path up to here.
    path_hash: u64,
    /// Moves up to here that cost the defender a threat.
    costs: u32,
}

impl<'a, M: Memory> Search<'a, M> {
    pub(crate) fn new(
        arena: &'a Arena,
        problem: &'a Problem,
        (table, caches): (M, &'a mut Caches),
        advice: Option<&'a mut Advice>,
        limits: &'a Limits<'a>,
    ) -> Search<'a, M> {
        Search {
            arena,
            table,
            caches,
            limits,
            problem,
            advice,
            nodes: 0,
            nodes_of_others: 0,
            is_stopped: false,
            pause_at: u64::MAX,
            helpers: None,
            seat: None,
            is_team_done: false,
            path: Vec::new(),
            on_path: Filter::new(),
            children: Vec::new(),
            asked: ArrayVec::new(),
            survey: Survey::new(),
        }
    }

    /// Nodes searched so far, by all threads.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes + self.nodes_of_others
    }

    /// Whether a limit was reached.
    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Who wins from a position; nothing if a limit is reached first.
    pub(crate) fn winner(&mut self, position: &Position) -> Option<Side> {
        self.winner_within(position, u64::MAX)
    }

    /// Who wins from a position; nothing if that takes more nodes than these. To ask again goes on from there.
    pub(crate) fn winner_within(&mut self, position: &Position, nodes: u64) -> Option<Side> {
        if let Some(winner) = self.known_winner(position) {
            return Some(winner);
        }
        self.is_stopped |= self.nodes() >= self.limits.nodes;
        if self.is_stopped {
            return None;
        }
        self.pause_at = self.nodes().saturating_add(nodes);
        self.search_together(position);
        let is_new =
            |side: &Side| !self.asked.contains(side) && position.worst_for(*side).has_threats_of(position);
        if let Some(side) = [Side::Attacker, Side::Defender].into_iter().find(is_new) {
            self.asked.push(side);
        }
        self.known_winner(position)
    }

    /// Searches a position until it is decided or a limit is reached.
    pub(crate) fn search(&mut self, position: &Position) {
        self.visit(position, false, Numbers { phi: INFINITE, delta: INFINITE });
        self.path.clear();
        self.children.clear();
        self.on_path = Filter::new();
    }

    /// Who wins from a position, as far as the table or the position itself tells.
    pub(crate) fn known_winner(&self, position: &Position) -> Option<Side> {
        match self.table.get(position.hash()) {
            Some(entry) => entry.numbers.winner(position.turn()),
            None => {
                let mut survey = Survey::new();
                survey.take(self.arena, position);
                let (numbers, _) = decided(self.arena, &self.table, &self.asked, position, &mut survey)?;
                numbers.winner(position.turn())
            }
        }
    }

    /// Nodes searched below a position, as far as the table remembers.
    pub(crate) fn work(&self, position: &Position) -> u32 {
        self.table.get(position.hash()).map_or(0, |entry| entry.work)
    }

    /// Searches a node until one of its numbers reaches the threshold; the move to it cost the defender a threat, or not.
    fn visit(&mut self, position: &Position, is_paid: bool, thresholds: Numbers) -> Value {
        // Counted also where the line is too long: a forced line asks there again and again until a limit ends it.
        self.count_node();
        let depth = self.path.len();
        if depth >= MAX_DEPTH {
            let numbers = Numbers { phi: INFINITE - 1, delta: INFINITE - 1 };
            return Value { numbers, zone: 0, dependence: NOWHERE };
        }
        let nodes_before = self.nodes;
        self.enter(position.hash(), is_paid);
        let first = self.children.len();
        let actions = self.expand(position);
        prune(self.arena, position, &mut self.children[first..], &actions);
        let mut work_until_advice = match self.advice {
            Some(_) => ASK_AFTER.saturating_sub(u64::from(self.work(position))),
            None => u64::MAX,
        };
        let mut known;
        let numbers = loop {
            if self.nodes - nodes_before >= work_until_advice {
                self.weigh(position, first);
                work_until_advice = u64::MAX;
            }
            if M::IS_SHARED && self.advice.is_none() {
                self.make_way(first);
            }
            let summary = Summary::of(&self.children[first..]);
            let numbers = summary.numbers;
            known = numbers;
            let must_end = self.is_stopped || self.is_team_done || self.nodes() >= self.pause_at;
            if numbers.phi >= thresholds.phi || numbers.delta >= thresholds.delta || must_end {
                break numbers;
            }
            let best = first + summary.best;
            let child = self.children[best];
            let second = summary.second_delta.saturating_add(summary.second_delta / 4 + 1);
            let child_thresholds = Numbers {
                phi: thresholds.delta.saturating_sub(summary.unsolved - 1).max(child.value.numbers.phi + 1),
                delta: child.weight.light(thresholds.phi.min(second)),
            };
            let before = self.nodes;
            let value = self.visit(&child.position, child.is_paid, child_thresholds);
            self.children[best].value = value;
            let has_news = M::IS_SHARED && self.nodes - before >= NEWS_INTERVAL && self.hear_news(first);
            if has_news || self.children[best].is_refuted() {
                prune(self.arena, position, &mut self.children[first..], &actions);
            }
        };
        let (zone, dependence) = grounds(self.arena, position, numbers, &self.children[first..], &actions);
        self.leave();
        self.children.truncate(first);
        let work = u32::try_from(self.nodes - nodes_before + 1).unwrap_or(u32::MAX);
        self.store(position, Value { numbers: known, zone, dependence }, depth, work)
    }

    /// Gives the children of a position the weights that somebody advises.
    fn weigh(&mut self, position: &Position, first: usize) {
        if let Some(advice) = &mut self.advice {
            let weights = advice.weights(self.arena, self.problem, position);
            for child in &mut self.children[first..] {
                child.weight = weights.of(child.at);
            }
        }
    }

    fn store(&mut self, position: &Position, value: Value, depth: usize, work: u32) -> Value {
        let key = position.hash();
        let before = self.table.get(key);
        let total_work = work.saturating_add(before.map_or(0, |entry| entry.work));
        if usize::from(value.dependence) >= depth {
            self.table.put(key, value.numbers, value.zone, total_work, 0);
            return Value { dependence: NOWHERE, ..value };
        }
        // The numbers that hold everywhere stay what they were.
        let (numbers, zone) =
            before.map_or((Numbers { phi: 1, delta: 1 }, 0), |entry| (entry.numbers, entry.zone()));
        self.table.put(key, numbers, zone, total_work, 0);
        self.table.mark_conditional(key);
        let conditional_key = conditional_key(key, self.path_hash());
        self.table.put(conditional_key, value.numbers, value.zone, work, value.dependence);
        value
    }

    /// Appends the children of a position.
    fn expand(&mut self, position: &Position) -> Actions {
        let arena = self.arena;
        let actions = self.caches.actions.get(position.hash(), || Actions::of(arena, position));
        let first = self.children.len();
        for at in members(actions.points) {
            if let Some(next) = position.play(arena, at) {
                self.children.push(Child::unknown(next, Some(at as u8), position.costs_defender(at)));
            }
        }
        if actions.may_pass {
            self.children.push(Child::unknown(position.pass(), None, false));
        }
        self.touch_all(first);
        for at in first..self.children.len() {
            let Child { position, is_paid, .. } = self.children[at];
            self.children[at].value = self.look_up(&position, is_paid);
        }
        actions
    }

    /// Reads from memory what looking up the children will need: all at once, so that the processor waits for it only once.
    fn touch_all(&self, first: usize) {
        let keys = || self.children[first..].iter().map(|child| child.position.hash());
        let leaves = keys().fold(0, |all, key| all ^ self.caches.leaves.touch(key));
        let entries =
            keys().filter(|&key| self.table.may_have(key)).fold(0, |all, key| all ^ self.table.touch(key));
        std::hint::black_box(leaves ^ entries);
    }

    fn look_up(&mut self, position: &Position, is_paid: bool) -> Value {
        let key = position.hash();
        if self.on_path.may_contain(key)
            && let Some(ancestor) = self.path.iter().position(|step| step.hash == key)
        {
            let is_free = !is_paid && self.costs() == self.path[ancestor].costs;
            let winner = if is_free { Side::Defender } else { Side::Attacker };
            let numbers = Numbers::won_by(winner, position.turn());
            return Value { numbers, zone: self.arena.all(), dependence: ancestor as u16 };
        }
        let Some(entry) = self.table.get(key) else {
            let Search { arena, ref table, ref asked, ref mut survey, .. } = *self;
            let guess = || {
                survey.take(arena, position);
                let (numbers, zone) = decided(arena, table, asked, position, survey)
                    .unwrap_or_else(|| (estimate(arena, position, survey), 0));
                Leaf { numbers, zone: zone.into() }
            };
            let Leaf { numbers, zone } = self.caches.leaves.get(key, guess);
            return Value { numbers, zone: zone.into(), dependence: NOWHERE };
        };
        if entry.has_conditional
            && !entry.numbers.is_solved()
            && let Some(conditional) = self.table.get(conditional_key(key, self.path_hash()))
        {
            let (numbers, dependence) = (conditional.numbers, conditional.dependence);
            return Value { numbers, zone: self.arena.all(), dependence };
        }
        Value { numbers: entry.numbers, zone: entry.zone(), dependence: NOWHERE }
    }

    /// Makes the moves that other threads work on seem harder than they are, so that this one looks elsewhere if there is something
    /// nearly as good. It does not matter to what is decided.
    fn make_way(&mut self, first: usize) {
        for child in self.children[first..].iter_mut().filter(|child| !child.value.numbers.is_solved()) {
            let is_busy = self.table.is_busy(child.position.hash());
            child.weight = if is_busy { Weight::BUSY } else { Weight::NONE };
        }
    }

    /// Reads what other threads have decided about the children meanwhile, and whether that is something.
    fn hear_news(&mut self, first: usize) -> bool {
        let mut has_news = false;
        for child in self.children[first..].iter_mut().filter(|child| !child.value.numbers.is_solved()) {
            if let Some(entry) = self.table.get(child.position.hash()) {
                has_news |= entry.numbers.is_solved();
                child.value = Value { numbers: entry.numbers, zone: entry.zone(), dependence: NOWHERE };
            }
        }
        has_news
    }

    fn count_node(&mut self) {
        self.nodes += 1;
        if M::IS_SHARED
            && self.nodes.is_multiple_of(NEWS_INTERVAL)
            && let Some(seat) = &self.seat
        {
            self.is_team_done |= seat.tell_and_hear(NEWS_INTERVAL, &mut self.nodes_of_others);
        }
        self.is_stopped |= self.nodes() >= self.limits.nodes;
        if self.nodes.is_multiple_of(POLL_INTERVAL) {
            self.is_stopped |= self.limits.stop.load(Ordering::Relaxed) || !(self.limits.has_time)();
        }
    }

    fn enter(&mut self, hash: u64, is_paid: bool) {
        let (path_hash, costs) = (mix(self.path_hash() ^ hash), self.costs() + u32::from(is_paid));
        self.path.push(Step { hash, path_hash, costs });
        self.on_path.add(hash);
        self.table.enter(hash);
    }

    fn leave(&mut self) {
        if let Some(step) = self.path.pop() {
            self.on_path.remove(step.hash);
            self.table.leave(step.hash);
        }
    }

    fn path_hash(&self) -> u64 {
        self.path.last().map_or(0, |step| step.path_hash)
    }

    fn costs(&self) -> u32 {
        self.path.last().map_or(0, |step| step.costs)
    }
}

/// The result and zone of a position that was never searched, if it shows it, or if it was searched with threats that are worse for
/// the winner.
fn decided(
    arena: &Arena,
    table: &impl Memory,
    asked: &[Side],
    position: &Position,
    survey: &mut Survey,
) -> Option<(Numbers, Bits)> {
    end(arena, position, survey).or_else(|| {
        asked.iter().find_map(|&side| {
            let entry = table.get(position.worst_for(side).hash())?;
            let is_won = entry.numbers.winner(position.turn()) == Some(side);
            is_won.then(|| (entry.numbers, entry.zone()))
        })
    })
}

/// The key of a result that holds on one path only.
fn conditional_key(key: u64, path_hash: u64) -> u64 {
    key ^ mix(path_hash)
}

const _: () = assert!(MAX_DEPTH < NOWHERE as usize && bit(0) == 1);
