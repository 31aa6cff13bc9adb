//! Games of self-play as jobs.

use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use tesuji_board::Color;
use tesuji_engine::Settings;
use tesuji_net::Reader;
use tesuji_train::sample::{GameEnd, GameSample};

use super::game;
use super::mover::NetFile;
use super::plan::GamePlan;
use crate::host::Host;
use crate::job::{Job, JobError, Work};
use crate::terms::Terms;

/// How the games of a cycle are played.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlayWork {
    /// How games are played.
    pub plan: GamePlan,
    /// The best network so far.
    pub net: NetFile,
    /// Decides, with the number of a game, all that is drawn in it.
    pub seed: u64,
    /// The machine; everybody has another one.
    #[serde(skip)]
    pub host: Host,
}

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayTask {
    /// Its number in the whole run.
    pub number: u64,
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayFinding {
    /// The game with its labels, as bytes in hexadecimal digits.
    pub sample: String,
    /// Simulations.
    pub simulations: u64,
    /// In a game that was played out although somebody would have resigned: whether that would have been right.
    pub right_to_resign: Option<bool>,
}

/// Most simulations of a move that a job may ask for.
const MOST_VISITS: u64 = 100_000;

impl PlayWork {
    /// What games depend on besides their numbers.
    pub fn terms(&self) -> Terms {
        let plan = serde_json::to_value(&self.plan).unwrap_or_default();
        Terms::from_iter([
            ("game".to_owned(), plan),
            ("network checksum".to_owned(), self.net.checksum.as_str().into()),
            ("seed".to_owned(), self.seed.into()),
        ])
    }

    /// The games with these numbers.
    pub fn jobs(numbers: std::ops::Range<u64>) -> Vec<Job<PlayTask>> {
        numbers.map(|number| Job { key: format!("game {number}"), task: PlayTask { number } }).collect()
    }
}

impl PlayFinding {
    /// The game, which may come from elsewhere: nothing if it is none on such a board, or not legal.
    pub fn game(&self, plan: &GamePlan) -> Option<GameSample> {
        let digits = self.sample.as_bytes();
        let pairs = digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
        let bytes = pairs.collect::<Option<Vec<u8>>>()?;
        let mut sample = GameSample::from_bytes(&bytes).ok().filter(|sample| sample.size == plan.size)?;
        let is_legal = sample.make_legal().is_ok();
        is_legal.then_some(sample)
    }
}

impl Work for PlayWork {
    const KIND: &'static str = "selfplay";
    type Task = PlayTask;
    type Finding = PlayFinding;
    type Tools = (Settings, Reader);

    fn tools(&self) -> Result<(Settings, Reader), JobError> {
        let visits = self.plan.full_visits.max(self.plan.cheap_visits);
        if visits > MOST_VISITS || self.plan.cheap_visits == 0 || self.plan.full_visits == 0 {
            return Err(JobError::Refused(format!("{visits} simulations are not from 1 to {MOST_VISITS}")));
        }
        self.net.ready(&self.host, self.plan.size)
    }

    fn work(
        &self,
        (settings, reader): &mut (Settings, Reader),
        task: &PlayTask,
        stop: &AtomicBool,
    ) -> Result<PlayFinding, JobError> {
        let played = game::play(&self.plan, settings, reader, (self.seed, task.number), stop)?;
        let winner = match played.sample.end {
            GameEnd::Score(lead) if lead > 0.0 => Some(Color::Black),
            GameEnd::Score(lead) if lead < 0.0 => Some(Color::White),
            _ => None,
        };
        let sample = played.sample.to_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        let right_to_resign = played.would_resign.map(|loser| winner == Some(!loser));
        Ok(PlayFinding { sample, simulations: played.simulations, right_to_resign })
    }
}
