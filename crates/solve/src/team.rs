//! Several threads on one question.
//!
//! All search the same position with the same table, from the root on; positions that one works on seem harder to the others (`memory.rs`), so that they spread. Whatever a
//! thread stores is a proof or a number that says where to look, so it does not matter who stored it: the verdict is that of one thread. What
//! depends on a path is stored with the path, and found by whoever is on the same one. The first thread that decides the root ends the work of all. Only
//! the calling thread looks at the clock.

use crate::cache::Caches;
use crate::dfpn::{Limits, Search};
use crate::memory::{Memory, Shared};
use crate::position::Position;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

/// Nodes that one thread spends on a question before others help, unless somebody says otherwise: most questions are easy, and starting threads takes time.
pub(crate) const ALONE: u64 = 4_000;

/// What other threads need.
pub(crate) struct Helpers<'a> {
    pub(crate) table: &'a Shared,
    /// One set for each of them.
    pub(crate) caches: &'a mut [Caches],
    /// Nodes that one thread spends on a question before.
    pub(crate) after: u64,
}

/// What the threads of a question have in common.
#[derive(Default)]
pub(crate) struct Team {
    is_done: AtomicBool,
    nodes_of_helpers: AtomicU64,
}

/// A thread's place in a team.
pub(crate) enum Seat {
    /// The thread that asked, and how many nodes others had searched before.
    First(Arc<Team>, u64),
    Helper(Arc<Team>),
}

impl Seat {
    /// Tells of new nodes, hears of those of others, and whether the work is over.
    pub(crate) fn tell_and_hear(&self, new_nodes: u64, nodes_of_others: &mut u64) -> bool {
        let team = match self {
            Seat::First(team, before) => {
                *nodes_of_others = before + team.nodes_of_helpers.load(Ordering::Relaxed);
                team
            }
            Seat::Helper(team) => {
                team.nodes_of_helpers.fetch_add(new_nodes, Ordering::Relaxed);
                team
            }
        };
        team.is_done.load(Ordering::Relaxed)
    }
}

impl<M: Memory> Search<'_, M> {
    /// Searches a position, with the others if it takes long, until it is decided or a limit is reached.
    pub(crate) fn search_together(&mut self, position: &Position) {
        let Some(mut helpers) = self.helpers.take() else { return self.search(position) };
        let pause_at = self.pause_at;
        self.pause_at = pause_at.min(self.nodes().saturating_add(helpers.after));
        self.search(position);
        self.pause_at = pause_at;
        let is_over = self.is_stopped() || self.nodes() >= pause_at;
        if !is_over && self.known_winner(position).is_none() {
            self.search_with(&mut helpers, position);
        }
        self.helpers = Some(helpers);
    }

    fn search_with(&mut self, helpers: &mut Helpers<'_>, position: &Position) {
        let team = Arc::new(Team::default());
        let (arena, problem, stop, asked) = (self.arena, self.problem, self.limits.stop, self.asked.clone());
        let (table, before) = (helpers.table, self.nodes_of_others);
        thread::scope(|scope| {
            for caches in helpers.caches.iter_mut() {
                let (team, asked) = (Arc::clone(&team), asked.clone());
                let help = move || {
                    let limits = Limits { nodes: u64::MAX, stop, has_time: &|| true };
                    let mut helper = Search::new(arena, problem, (table, caches), None, &limits);
                    helper.asked = asked;
                    helper.seat = Some(Seat::Helper(Arc::clone(&team)));
                    helper.search(position);
                    team.is_done.store(true, Ordering::Relaxed);
                };
                // Without the thread the work takes longer, and that is all.
                let _ = thread::Builder::new().spawn_scoped(scope, help);
            }
            self.seat = Some(Seat::First(Arc::clone(&team), before));
            self.search(position);
            team.is_done.store(true, Ordering::Relaxed);
        });
        (self.seat, self.is_team_done) = (None, false);
        self.nodes_of_others = before + team.nodes_of_helpers.load(Ordering::Relaxed);
    }
}
