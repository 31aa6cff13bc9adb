//! A preset as a player of games within the program.

use std::fmt;

use tesuji_board::Game;
use tesuji_engine::Settings;
use tesuji_engine::decision::{Decision, Purpose, choose_move};
use tesuji_lab::duel::{Choice, Contestant};
use tesuji_lab::stopwatch::thread_seconds;
use tesuji_search::{Control, Progress, Searcher, Simulations};

/// How long a player thinks about every move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Thinking {
    /// So many simulations, never fewer.
    Playouts(u64),
    /// So many seconds of the processor.
    Seconds(f64),
}

/// One player of one game, who resigns as the engine would.
pub(crate) struct Player {
    pub(crate) searcher: Box<dyn Searcher>,
    /// Moves thought about.
    pub(crate) decisions: u64,
    /// Seconds of the processor spent on them.
    pub(crate) seconds: f64,
    thinking: Thinking,
    resign_threshold: f64,
    resign_moves: u64,
    /// Moves in a row that looked lost.
    lost_moves: u64,
}

impl Player {
    /// A player with settings that name one thread: processor time is that of the thread that plays.
    pub(crate) fn new(settings: &Settings, thinking: Thinking) -> Player {
        Player {
            searcher: settings.searcher().expect("settings are checked before they are used"),
            decisions: 0,
            seconds: 0.0,
            thinking,
            resign_threshold: settings.resign_threshold,
            resign_moves: settings.resign_moves,
            lost_moves: 0,
        }
    }
}

impl Contestant for Player {
    fn choose(&mut self, game: &Game) -> Choice {
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
            return Choice::Resign;
        }
        match choose_move(game, color, &report, Purpose::Play).decision {
            Decision::Move(mv) => Choice::Move(mv),
            Decision::Resign => Choice::Resign,
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
