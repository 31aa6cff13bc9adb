//! A preset as a player of games within the program.

use std::fmt;

use serde::{Deserialize, Serialize};
use tesuji_board::Game;
use tesuji_engine::decision::Decision;
use tesuji_engine::{Allowance, MoveQuestion, Player, Settings};
use tesuji_search::{Control, Progress, Refusal, Simulations};

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

/// One player of one game.
pub struct PresetPlayer {
    /// What thinks.
    pub player: Player,
    /// Moves thought about.
    pub decisions: u64,
    /// Seconds of the processor spent on them.
    pub seconds: f64,
    thinking: Thinking,
}

impl PresetPlayer {
    /// A player with settings that name one thread: processor time is that of the thread that plays. An error if they make no search.
    pub fn new(settings: &Settings, thinking: Thinking) -> Result<PresetPlayer, Refusal> {
        settings.search.check()?;
        Ok(PresetPlayer { player: Player::new(settings.clone()), decisions: 0, seconds: 0.0, thinking })
    }
}

impl Contestant for PresetPlayer {
    fn choose(&mut self, game: &Game) -> Action {
        let started = thread_seconds();
        let question = MoveQuestion::of(game);
        let choice = match self.thinking {
            Thinking::Playouts(playouts) => {
                self.player.choose(&question, &Allowance::by(&Simulations(playouts)), &mut |_| ())
            }
            Thinking::Seconds(seconds) => {
                self.player.choose(&question, &Allowance::by(&Deadline(started + seconds)), &mut |_| ())
            }
        };
        self.decisions += 1;
        self.seconds += thread_seconds() - started;
        match choice.decision {
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
