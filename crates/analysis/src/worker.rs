//! What a worker does with a position.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::json;
use tesuji_board::Game;
use tesuji_engine::{Imitator, Player, Settings};
use tesuji_net::Reader;
use tesuji_net::input::Line;
use tesuji_net::output::Evaluation;
use tesuji_search::{Control, Progress, Report};

use crate::query::Limits;
use crate::reply::{Subject, nothing};
use crate::schedule::Schedule;
use crate::task::{Client, Search, Task};

/// How long a position is searched while others wait.
const TURN: Duration = Duration::from_millis(100);
/// How much of an optimistic policy KataGo mixes into what it tells of a root.
const OPTIMISM: f32 = 0.2;

/// What workers share.
pub(crate) struct Workshop {
    pub(crate) schedule: Schedule,
    /// Of every search.
    pub(crate) settings: Settings,
    /// Players with nothing to do, kept for their memory.
    pub(crate) idle: Mutex<Vec<Player>>,
    pub(crate) most_idle: usize,
}

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Stop {
    /// It has all visits or all the time.
    Done,
    /// Somebody ended it.
    Ended,
    /// A report is due.
    Report,
    /// Others wait.
    Others,
}

/// Ends one piece of a search.
struct Piece<'a> {
    ends: &'a AtomicBool,
    client: &'a Client,
    schedule: &'a Schedule,
    limits: Limits,
    /// Simulations of the pieces before.
    made: u64,
    /// Time of the pieces before.
    spent: Duration,
    report_at: Option<Duration>,
    /// When the worker began with the position.
    turn_started: Instant,
    started: Instant,
    why: AtomicU8,
}

impl Workshop {
    /// Works until the service ends.
    pub(crate) fn work(&self) {
        while let Some(mut taken) = self.schedule.take() {
            let started = Instant::now();
            // A panic is a bug, but one position must not take the others with it.
            let worked = catch_unwind(AssertUnwindSafe(|| self.analyze(&mut taken.task, started)));
            if worked.as_ref().is_ok_and(|&stop| stop == Stop::Others) {
                self.schedule.put_back(taken);
                continue;
            }
            let (client, place, task) = (taken.task.client.number, taken.place(), &mut taken.task);
            if worked.is_err() {
                let problem = "internal error, please report it";
                let (id, turn) = (&task.query().id, task.turn);
                task.client.reply(&json!({ "error": problem, "id": id, "turnNumber": turn }));
            }
            if let Some(search) = task.search.take() {
                self.retire(search.player);
            }
            drop(taken);
            self.schedule.finish(client, place);
        }
    }

    /// Searches and reports until the position is done, or others are to have their turn.
    fn analyze(&self, task: &mut Task, started: Instant) -> Stop {
        let mut search = match task.search.take() {
            Some(search) => search,
            None if task.is_ended() => {
                task.client.reply(&nothing(&task.query().id, task.turn));
                return Stop::Ended;
            }
            None => Box::new(self.begin(task)),
        };
        let stop = loop {
            let (stop, report) = self.search_piece(task, &mut search, started);
            if stop == Stop::Others {
                break stop;
            }
            let query = task.query();
            let opinion = search.opinion.as_ref();
            let people = search.people.as_ref();
            let subject = Subject { query, turn: task.turn, game: &search.game, opinion, people };
            if task.client.listens() {
                task.client.reply(&subject.describe(&report, stop == Stop::Report));
            }
            if stop != Stop::Report {
                break stop;
            }
            search.report_at = query.reports.and_then(|reports| search.spent.checked_add(reports.every));
        };
        task.search = Some(search);
        stop
    }

    fn search_piece(&self, task: &Task, search: &mut Search, turn_started: Instant) -> (Stop, Report) {
        let piece = Piece {
            ends: &task.ends,
            client: &task.client,
            schedule: &self.schedule,
            limits: task.query().limits,
            made: search.made,
            spent: search.spent,
            report_at: search.report_at,
            turn_started,
            started: Instant::now(),
            why: AtomicU8::new(Stop::Done as u8),
        };
        search.player.search(&search.game, search.game.to_move(), &piece);
        let report = search.player.analysis();
        // Players are handed out with nothing searched.
        search.made = report.effort.simulations;
        search.spent += piece.started.elapsed();
        (piece.why(), report)
    }

    fn begin(&self, task: &Task) -> Search {
        let query = task.query();
        let game = query.position(task.turn);
        let net = Some(&self.settings.net).filter(|_| self.settings.search.asks_network());
        let opinion = net.and_then(|net| net.wait(game.size())).and_then(|reader| opinion(&reader, &game));
        let people = query.people.and_then(|rank| {
            let mut imitator = Imitator::default();
            imitator.policy(&game, game.to_move(), rank).cloned()
        });
        let mut player = self.hire();
        player.set_focus(query.focus.clone());
        let report_at = query.reports.map(|reports| reports.first);
        Search { player, game, opinion, people, made: 0, spent: Duration::ZERO, report_at }
    }

    fn hire(&self) -> Player {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.unwrap_or_else(|| Player::new(self.settings.clone()))
    }

    fn retire(&self, mut player: Player) {
        player.clear();
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < self.most_idle {
            idle.push(player);
        }
    }

    /// Forgets what only saves time.
    pub(crate) fn forget(&self) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// What a network thinks of a position; nothing if it was made for other boards.
fn opinion(reader: &Reader, game: &Game) -> Option<Evaluation> {
    let mut seat = reader.seat(game.size(), 1)?;
    let line = Line::from_game(game, game.to_move());
    let place = seat.add(&line.view(), 0);
    seat.evaluate(OPTIMISM).ok()?;
    Some(seat.evaluation(place).clone())
}

impl Piece<'_> {
    fn why(&self) -> Stop {
        let all = [Stop::Done, Stop::Ended, Stop::Report, Stop::Others];
        all.into_iter().find(|&stop| stop as u8 == self.why.load(Ordering::Relaxed)).unwrap_or(Stop::Done)
    }

    fn reason_to_stop(&self, progress: &Progress) -> Option<Stop> {
        let simulations = self.made + progress.simulations;
        if self.ends.load(Ordering::Relaxed) || !self.client.listens() {
            return Some(Stop::Ended);
        }
        if simulations.max(progress.root_visits) >= self.limits.visits {
            return Some(Stop::Done);
        }
        if simulations == 0 {
            return None;
        }
        let spent = self.spent + self.started.elapsed();
        if self.limits.time.is_some_and(|limit| spent >= limit) {
            Some(Stop::Done)
        } else if self.report_at.is_some_and(|at| spent >= at) {
            Some(Stop::Report)
        } else if self.turn_started.elapsed() >= TURN && self.schedule.is_crowded() {
            Some(Stop::Others)
        } else {
            None
        }
    }
}

impl Control for Piece<'_> {
    fn should_stop(&self, progress: &Progress) -> bool {
        let reason = self.reason_to_stop(progress);
        if let Some(stop) = reason {
            self.why.store(stop as u8, Ordering::Relaxed);
        }
        reason.is_some()
    }

    fn wants_ownership(&self) -> bool {
        true
    }

    fn simulation_limit(&self) -> Option<u64> {
        Some(self.limits.visits.saturating_sub(self.made))
    }
}
