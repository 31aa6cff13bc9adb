//! Everything that is to be known about a match before it begins.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::{Value, json};
use tesuji_board::Tax;

use crate::engine_spec::{EngineSpec, Lifetime};
use crate::host::Host;
use crate::match_work::MatchWork;
use crate::opening::OpeningSource;
use crate::record::GameLine;
use crate::referee::GameTerms;
use crate::schedule::ScheduledGame;
use crate::sprt::{Decision, Sprt};
use crate::summary::Summary;
use crate::terms::{Terms, fingerprint};

/// Everything that is to be known about a match.
#[derive(Clone, Debug)]
pub struct MatchPlan {
    /// The engines, two or more.
    pub engines: Vec<EngineSpec>,
    /// Games between any two of them.
    pub games: u64,
    /// What all games have in common.
    pub terms: GameTerms,
    /// How games begin.
    pub openings: OpeningSource,
    /// Determines openings and all seeds.
    pub seed: u64,
    /// How long engines live.
    pub lifetime: Lifetime,
    /// The test that ends the match early, for two engines.
    pub sprt: Option<Sprt>,
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
        fingerprint(Value::Object(self.agreed_terms()).to_string().as_bytes())
    }

    /// How its games are played on a machine.
    pub fn work(&self, host: Host) -> MatchWork {
        MatchWork {
            match_id: self.id(),
            engines: self.engines.clone(),
            terms: self.terms.clone(),
            seed: self.seed,
            lifetime: self.lifetime,
            host,
        }
    }

    /// Order and results of the games so far; those after the decision of a sequential test are not counted.
    pub fn summary(&self, games: &[GameLine]) -> Summary {
        let names = self.engines.iter().map(|engine| engine.name.clone()).collect();
        Summary::new(names, games, self.sprt)
    }

    pub(crate) fn agreed_terms(&self) -> Terms {
        let terms = &self.terms;
        let rules: Vec<String> =
            terms.rules.entries().map(|(key, value)| format!("{key}={value:?}")).collect();
        let openings = match &self.openings {
            OpeningSource::Empty => json!("none"),
            OpeningSource::Random(plies) => json!({ "random": plies }),
            OpeningSource::Book(book) => {
                json!({ "book": fingerprint(format!("{book:?}").as_bytes()) })
            }
        };
        let engine = |engine: &EngineSpec| {
            let mut words = vec![engine.name.clone(), engine.description(), engine.clock.word().to_owned()];
            words.extend(engine.net.as_ref().map(ToString::to_string));
            json!(words)
        };
        let methods: Vec<&str> = terms.methods.iter().map(|method| method.word()).collect();
        let entries = [
            ("engines", self.engines.iter().map(engine).collect()),
            ("size", json!(terms.size.to_string())),
            ("rules", json!(rules)),
            ("komi", json!(terms.rules.komi.to_string())),
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
    pub(crate) fn is_game_of(&self, game: &ScheduledGame, line: &GameLine) -> bool {
        let name = |engine: usize| self.engines[engine].name.as_str();
        (line.game, line.round, line.black.as_str(), line.white.as_str())
            == (game.game, game.round, name(game.black), name(game.white))
    }

    /// Whether the sequential test has heard enough.
    pub(crate) fn is_decided(&self, games: &[GameLine]) -> bool {
        self.sprt.is_some() && self.summary(games).sprt_state().is_some_and(|s| s.decision != Decision::Open)
    }
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
