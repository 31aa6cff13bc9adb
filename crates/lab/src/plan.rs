//! Everything that is to be known about a match before it begins.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;

use serde_json::{Map, Value, json};
use tesuji_board::Tax;

use crate::opening::OpeningSource;
use crate::record::GameLine;
use crate::referee::Terms;
use crate::schedule::Job;
use crate::sprt::{Decision, Sprt};
use crate::summary::Summary;

/// An engine of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// Its name in tables and records; no two are the same.
    pub name: String,
    /// What the user asked for; a match is resumed only with the same.
    pub description: String,
    /// The command line that starts it; `{seed}` and `{game}` stand for numbers of the game.
    pub command: String,
    /// What the clock means to it.
    pub clock: ClockUse,
}

/// What the clock of a match means to an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClockUse {
    /// It is told about the clock and loses when it runs out.
    #[default]
    Told,
    /// It knows by its command line, and loses when the clock runs out.
    Known,
    /// It plays without, as an engine of fixed strength does.
    Excused,
}

/// How long engines live.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lifetime {
    /// One game: nothing is carried over, and each game has its own seed.
    #[default]
    Game,
    /// Until the match ends or something goes wrong; for engines that start slowly.
    Match,
}

/// Everything that is to be known about a match.
#[derive(Clone, Debug)]
pub struct MatchPlan {
    /// The engines, two or more.
    pub engines: Vec<EngineSpec>,
    /// Games between any two of them.
    pub games: u64,
    /// What all games have in common.
    pub terms: Terms,
    /// How games begin.
    pub openings: OpeningSource,
    /// Determines openings and all seeds.
    pub seed: u64,
    /// Games at a time.
    pub parallel: usize,
    /// How long engines live.
    pub lifetime: Lifetime,
    /// The test that ends the match early, for two engines.
    pub sprt: Option<Sprt>,
    /// Where the log is; without one, nothing is written.
    pub directory: Option<PathBuf>,
}

/// Why a plan makes no match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanError {
    /// There are fewer than two engines.
    TooFew,
    /// Two engines have this name.
    SameName(String),
    /// A sequential test compares two engines, not more.
    Sprt,
    /// The referee cannot count by these rules.
    GroupTax,
}

impl MatchPlan {
    /// Names the match by its terms, those that change what a game number means.
    pub fn id(&self) -> String {
        let text = Value::Object(self.agreed_terms()).to_string();
        format!("{:016x}", fnv1a(text.as_bytes()))
    }

    /// Order and results of the games so far; those after the decision of a sequential test are not counted.
    pub fn summary(&self, games: &[GameLine]) -> Summary {
        let names = self.engines.iter().map(|engine| engine.name.clone()).collect();
        Summary::new(names, games, self.sprt)
    }

    pub(crate) fn agreed_terms(&self) -> Map<String, Value> {
        let terms = &self.terms;
        let rules: Vec<String> =
            terms.rules.entries().map(|(key, value)| format!("{key}={value:?}")).collect();
        let openings = match &self.openings {
            OpeningSource::Empty => json!("none"),
            OpeningSource::Random(plies) => json!({ "random": plies }),
            OpeningSource::Book(book) => {
                json!({ "book": format!("{:016x}", fnv1a(format!("{book:?}").as_bytes())) })
            }
        };
        let engine = |engine: &EngineSpec| json!([engine.name, engine.description, engine.clock.word()]);
        let methods: Vec<&str> = terms.methods.iter().map(|method| method.word()).collect();
        let entries = [
            ("engines", self.engines.iter().map(engine).collect()),
            ("size", json!(terms.size.to_string())),
            ("rules", json!(rules)),
            ("komi", json!(terms.rules.komi)),
            ("time", json!(terms.time)),
            ("lag", json!(terms.lag)),
            ("move limit", json!(terms.move_limit)),
            ("counting", json!([methods, terms.arbiter])),
            ("openings", openings),
            ("seed", json!(self.seed)),
        ];
        entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    }

    pub(crate) fn check(&self) -> Result<(), PlanError> {
        if self.engines.len() < 2 {
            return Err(PlanError::TooFew);
        }
        let mut names = BTreeSet::new();
        if let Some(twice) = self.engines.iter().find(|engine| !names.insert(&engine.name)) {
            return Err(PlanError::SameName(twice.name.clone()));
        }
        if self.sprt.is_some() && self.engines.len() > 2 {
            return Err(PlanError::Sprt);
        }
        if self.terms.rules.tax == Tax::All {
            return Err(PlanError::GroupTax);
        }
        Ok(())
    }

    /// Whether a line tells of this game of the schedule.
    pub(crate) fn is_game_of(&self, job: &Job, line: &GameLine) -> bool {
        let name = |engine: usize| self.engines[engine].name.as_str();
        (line.game, line.round, line.black.as_str(), line.white.as_str())
            == (job.game, job.round, name(job.black), name(job.white))
    }

    /// Whether the sequential test has heard enough.
    pub(crate) fn is_decided(&self, games: &[GameLine]) -> bool {
        self.sprt.is_some() && self.summary(games).sprt_state().is_some_and(|s| s.decision != Decision::Open)
    }
}

impl ClockUse {
    fn word(self) -> &'static str {
        match self {
            ClockUse::Told => "told",
            ClockUse::Known => "known",
            ClockUse::Excused => "excused",
        }
    }
}

/// Fills the places for numbers in a command line.
pub fn fill_command(template: &str, seed: u64, game: u64) -> String {
    template.replace("{seed}", &seed.to_string()).replace("{game}", &game.to_string())
}

/// A short, stable name for a text (FNV-1a, 64 bits).
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanError::TooFew => f.write_str("a match needs two engines"),
            PlanError::SameName(name) => {
                write!(f, "two engines are called '{name}'; give them names, as in NAME=COMMAND")
            }
            PlanError::Sprt => f.write_str("a sequential test compares two engines, not more"),
            PlanError::GroupTax => f.write_str("games with a tax on groups cannot be counted"),
        }
    }
}

impl std::error::Error for PlanError {}
