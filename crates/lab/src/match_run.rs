//! Runs a match: its games as jobs, every record into its directory at once.

use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::engine_spec::{EngineSpec, Launch};
use crate::host::Host;
use crate::job::{Builds, Findings, Flow, Job, JobError, RunError, Session, Venue, Workforce, adopt_old_log};
use crate::line_log::write_file;
use crate::match_work::{GameFinding, GameTask};
use crate::opening::write_opening;
use crate::plan::{MatchPlan, PlanError};
use crate::player::Fault;
use crate::record::GameLine;
use crate::schedule::{Schedule, ScheduledGame};

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
pub enum MatchError {
    /// The plan makes no match.
    Plan(PlanError),
    /// An engine does not even start.
    Start {
        /// Its name.
        name: String,
        /// What happened.
        fault: Fault,
    },
    /// The log tells of a game that is not in the plan, or not as it is planned.
    NotPlanned(String),
    /// A record cannot be written.
    Record(PathBuf, std::io::Error),
    /// The games cannot be played.
    Run(RunError),
}

/// Plays the games of a match that are not in its store yet, and returns all of them by number. Records go to `directory`.
///
/// When it is stopped, games under way are abandoned, to be played again with the same seeds when it is resumed.
pub fn run_match(
    plan: &MatchPlan,
    host: Host,
    venue: Venue<'_>,
    directory: Option<&Path>,
    mut on_event: impl FnMut(Event<'_>),
) -> Result<Vec<GameLine>, MatchError> {
    plan.check().map_err(MatchError::Plan)?;
    let work = plan.work(host);
    if let (Some(directory), Builds::Any) = (directory, venue.builds) {
        let convert = |game: Value| Some((key(game["game"].as_u64()?), json!({ "line": game })));
        adopt_old_log(directory, "games.jsonl", convert).map_err(|error| RunError::Store(error.into()))?;
    }
    let is_here = matches!(venue.workforce, Workforce::Threads(_));
    let mut session = Session::begin(venue, work, plan.agreed_terms())?;
    let schedule = Schedule::round_robin(plan.engines.len(), plan.games);
    let scheduled: HashMap<String, ScheduledGame> =
        schedule.games().map(|game| (key(game.game), game)).collect();
    let mut known = 0;
    for (key, finding) in session.ended()? {
        let game = scheduled.get(&key);
        let is_planned = match (&finding, game) {
            (Ok(finding), Some(game)) => plan.is_game_of(game, &finding.line),
            (Err(_), Some(_)) => true,
            (_, None) => false,
        };
        if !is_planned {
            return Err(MatchError::NotPlanned(key));
        }
        known += usize::from(finding.is_ok());
    }
    if known < scheduled.len() {
        // What others will start need not be here, but this program is.
        let work = session.work();
        let is_tried = |engine: &&EngineSpec| is_here || matches!(engine.launch, Launch::Preset(_));
        let tried = work.try_engines(work.engines.iter().filter(is_tried));
        tried.map_err(|(name, fault)| MatchError::Start { name, fault })?;
    }
    let jobs = jobs(plan, &schedule);
    let mut games: Vec<GameLine> = Vec::new();
    let mut broken = None;
    let findings = session.complete(&jobs, |progress| {
        let new: Vec<&GameFinding> = match progress.last {
            None => progress.findings.iter().flatten().collect(),
            Some(place) => progress.findings[place].iter().collect(),
        };
        for finding in new {
            if let Some(directory) = directory
                && let Err(error) = write_record(directory, finding)
            {
                broken = Some(error);
                return Flow::Enough;
            }
            games.push(finding.line.clone());
        }
        match progress.last {
            None => on_event(Event::Begin { total: progress.total, done: &games }),
            Some(place) if progress.findings[place].is_some() => on_event(Event::Game(&games)),
            Some(_) => {}
        }
        if plan.is_decided(&games) { Flow::Enough } else { Flow::GoOn }
    })?;
    if let Some((path, error)) = broken {
        return Err(MatchError::Record(path, error));
    }
    let Findings { failures, .. } = findings;
    if !failures.is_empty() {
        return Err(RunError::Failed(failures).into());
    }
    games.sort_by_key(|game| game.game);
    Ok(games)
}

fn jobs(plan: &MatchPlan, schedule: &Schedule) -> Vec<Job<GameTask>> {
    let rounds = usize::try_from(schedule.rounds()).unwrap_or(usize::MAX);
    let openings = plan.openings.list(plan.terms.size, plan.terms.rules, plan.seed, rounds);
    let job = |game: ScheduledGame| {
        let round = usize::try_from(game.round - 1).unwrap_or(usize::MAX);
        let opening = openings.get(round).map(|opening| write_opening(opening, plan.terms.size));
        Job { key: key(game.game), task: GameTask { game, opening: opening.unwrap_or_default() } }
    };
    schedule.games().map(job).collect()
}

fn key(game: u64) -> String {
    format!("game {game}")
}

/// Writes the record of a game; one that an old log does not have is left alone.
fn write_record(directory: &Path, finding: &GameFinding) -> Result<(), (PathBuf, std::io::Error)> {
    let path = directory.join(format!("game-{:05}.sgf", finding.line.game));
    if finding.sgf.is_empty() {
        return Ok(());
    }
    let written = fs::create_dir_all(directory).and_then(|()| match fs::read(&path) {
        Ok(old) if old == finding.sgf.as_bytes() => Ok(()),
        _ => write_file(&path, &finding.sgf),
    });
    written.map_err(|error| (path, error))
}

impl From<RunError> for MatchError {
    fn from(error: RunError) -> MatchError {
        MatchError::Run(error)
    }
}

impl From<JobError> for MatchError {
    fn from(error: JobError) -> MatchError {
        MatchError::Run(RunError::Setup(error))
    }
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchError::Plan(error) => error.fmt(f),
            MatchError::Start { name, fault } => write!(f, "{name} does not start: {}", fault.detail),
            MatchError::NotPlanned(key) => {
                write!(f, "the log holds {key}, which is not in the plan of this match as it is told there")
            }
            MatchError::Record(path, error) => write!(f, "{}: {error}", path.display()),
            MatchError::Run(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MatchError {}
