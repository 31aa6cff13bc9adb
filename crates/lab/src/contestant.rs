//! A preset as a player of games within the program.

use std::fmt;

use serde::{Deserialize, Serialize};
use tesuji_board::Game;
use tesuji_engine::Settings;
use tesuji_engine::decision::{Decision, Purpose, choose_move};
use tesuji_search::{Control, Progress, Refusal, Searcher, Simulations};

use crate::duel::{Action, Contestant};
use crate::stopwatch::thread_seconds;

/// How long a player thinks about every move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Thinking {
    /// So many simulations, never fewer.
    Playouts(u64),
    /// So many seconds of the processor.
    Seconds(f64),
}

/// One player of one game, who resigns as the engine would.
pub struct PresetPlayer {
    /// Its search.
    pub searcher: Box<dyn Searcher>,
    /// Moves thought about.
    pub decisions: u64,
    /// Seconds of the processor spent on them.
    pub seconds: f64,
    thinking: Thinking,
    resign_threshold: f64,
    resign_moves: u64,
    /// Moves in a row that looked lost.
    lost_moves: u64,
}

impl PresetPlayer {
    /// A player with settings that name one thread: processor time is that of the thread that plays. An error if they make no search.
    pub fn new(settings: &Settings, thinking: Thinking) -> Result<PresetPlayer, Refusal> {
        Ok(PresetPlayer {
            searcher: settings.searcher()?,
            decisions: 0,
            seconds: 0.0,
            thinking,
            resign_threshold: settings.resign_threshold,
            resign_moves: settings.resign_moves,
            lost_moves: 0,
        })
    }
}

impl Contestant for PresetPlayer {
    fn choose(&mut self, game: &Game) -> Action {
        let (color, started) = (game.to_move(), thread_seconds());
        match self.thinking {
            Thinking::Playouts(playouts) => self.searcher.search(game, color, &Simulations(playouts)),
            Thinking::Seconds(seconds) => self.searcher.search(game, color, &Deadline(started + seconds)),
        }
        let report = self.searcher.report();
        self.decisions += 1;
        self.seconds += thread_seconds() - started;
        let looks_lost = f64::from(report.win_rate) < self.resign_threshold;
        self.lost_moves = if looks_lost { self.lost_moves + 1 } else { 0 };
        if self.lost_moves >= self.resign_moves {
            return Action::Resign;
        }
        match choose_move(game, color, &report, Purpose::Play).decision {
            Decision::Move(mv) => Action::Move(mv),
            Decision::Resign => Action::Resign,
        }
    }
}

/// Stops at a time of this thread's processor clock.
struct Deadline(f64);

impl Control for Deadline {
    fn should_stop(&self, _progress: &Progress) -> bool {
        thread_seconds() >= self.0
    }
}

impl fmt::Display for Thinking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Thinking::Playouts(playouts) => write!(f, "{playouts} playouts a move"),
            Thinking::Seconds(seconds) => write!(f, "{seconds} s of the processor a move"),
        }
    }
}
