//! Runs a match: several games at a time, every result into the log at once.
//!
//! Only the thread that calls [`run`] writes. When the match is stopped, games under way are abandoned, to be played
//! again with the same seeds when it is resumed. An engine deep in thought does not delay the end: nobody waits long for its
//! thread, and its closed input tells it that the match is over.

use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::match_log::{LogError, MatchLog};
use crate::plan::{MatchPlan, PlanError, fill_command};
use crate::player::{Fault, Player};
use crate::record::GameLine;
use crate::schedule::{Job, Schedule};
use crate::worker::{Finished, Shared, start_workers};

/// What happens while a match runs.
pub enum Event<'a> {
    /// It begins, with so many games, of which some were found in the log.
    Begin {
        /// All games.
        total: usize,
        /// Games found in the log.
        done: &'a [GameLine],
    },
    /// A game has ended and is in the log; all games so far, this one last.
    Game(&'a [GameLine]),
}

/// Why a match cannot be run.
#[derive(Debug)]
pub enum RunError {
    /// The plan makes no match.
    Plan(PlanError),
    /// An engine does not even start.
    Start {
        /// Its name.
        name: String,
        /// What happened.
        fault: Fault,
    },
    /// The log is unusable.
    Log(LogError),
    /// No thread could be started, or one ended in a panic.
    Worker(String),
}

/// Plays the games of a match that are not in its log yet, and returns all of them by number.
///
/// Raising `stop` ends it early, with the log intact.
pub fn run(
    plan: &MatchPlan,
    stop: &AtomicBool,
    mut on_event: impl FnMut(Event<'_>),
) -> Result<Vec<GameLine>, RunError> {
    plan.check().map_err(RunError::Plan)?;
    let schedule = Schedule::round_robin(plan.engines.len(), plan.games);
    let jobs: Vec<Job> = schedule.jobs().collect();
    let match_id = plan.id();
    let is_planned =
        |game: &GameLine| game.match_id == match_id && jobs.iter().any(|job| plan.is_game_of(job, game));
    let opened = plan.directory.as_ref().map(|path| MatchLog::open(path, &plan.agreed_terms(), is_planned));
    let (mut log, mut games) = match opened.transpose().map_err(RunError::Log)? {
        Some((log, games)) => (Some(log), games),
        None => (None, Vec::new()),
    };
    on_event(Event::Begin { total: jobs.len(), done: &games });
    let done: BTreeSet<u64> = games.iter().map(|game| game.game).collect();
    let missing: VecDeque<Job> = jobs.into_iter().filter(|job| !done.contains(&job.game)).collect();
    if missing.is_empty() || plan.is_decided(&games) {
        return Ok(games);
    }
    try_engines(plan)?;

    let mut left = missing.len();
    let rounds = usize::try_from(schedule.rounds()).unwrap_or(usize::MAX);
    let shared = Arc::new(Shared {
        plan: plan.clone(),
        openings: plan.openings.list(plan.terms.size, plan.terms.rules, plan.seed, rounds),
        queue: Mutex::new(missing),
        abandon: AtomicBool::new(false),
    });
    let results = start_workers(&shared).map_err(|error| RunError::Worker(error.to_string()))?;
    let mut accept = |(game, sgf): Finished| {
        if let Some(log) = &mut log {
            log.add(&game, &sgf).map_err(RunError::Log)?;
        }
        games.push(game);
        on_event(Event::Game(&games));
        Ok(plan.is_decided(&games))
    };
    let mut outcome = Ok(());
    while left > 0 && !stop.load(Ordering::Relaxed) {
        let decided = match results.recv_timeout(POLL) {
            Ok(finished) => accept(finished),
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => {
                Err(RunError::Worker("a game ended in a panic".to_owned()))
            }
        };
        left -= 1;
        if !matches!(decided, Ok(false)) {
            outcome = decided.map(drop);
            break;
        }
    }
    shared.abandon.store(true, Ordering::Relaxed);
    let late = receive_last(&results);
    outcome?;
    for finished in late {
        accept(finished)?;
    }
    games.sort_by_key(|game| game.game);
    Ok(games)
}

/// How often a waiting runner looks whether it shall stop.
const POLL: Duration = Duration::from_millis(50);

/// How long workers have to let go of their engines.
const CLOSING_GRACE: Duration = Duration::from_secs(4);

/// Starts and ends every engine once, so that a wrong path is an error and not a hundred lost games.
fn try_engines(plan: &MatchPlan) -> Result<(), RunError> {
    for engine in &plan.engines {
        let command = fill_command(&engine.command, 0, 0);
        let started = Player::start(&command, plan.terms.command_timeout).and_then(|mut player| {
            player.ask("name")?;
            player.quit();
            Ok(())
        });
        started.map_err(|fault| RunError::Start { name: engine.name.clone(), fault })?;
    }
    Ok(())
}

/// Waits until every worker has ended, but not for long, and returns the games that were just finished.
fn receive_last(results: &Receiver<Finished>) -> Vec<Finished> {
    let end = Instant::now() + CLOSING_GRACE;
    let next = || results.recv_timeout(end.saturating_duration_since(Instant::now())).ok();
    std::iter::from_fn(next).collect()
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Plan(error) => error.fmt(f),
            RunError::Start { name, fault } => write!(f, "{name} does not start: {}", fault.detail),
            RunError::Log(error) => error.fmt(f),
            RunError::Worker(reason) => write!(f, "the match broke off: {reason}"),
        }
    }
}

impl std::error::Error for RunError {}
