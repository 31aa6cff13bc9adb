//! The experiment on last good replies (Nakamura, Tominaga, Maekawa 2017): engines with reply tables against the same engine without.
//!
//! [`Lgrf`] is the work: each job is a game of a variant, each opening played twice with colours exchanged. [`write`] sets the
//! [`GameFinding`]s beside the figures of the paper.

mod paper;
mod report;

pub use paper::HEADING;
pub use report::write;

use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use tesuji_board::{Rules, Size};
use tesuji_engine::{Net, Settings};

use crate::contestant::Thinking;
use crate::job::{Job, JobError, Work};
use crate::terms::Terms;
use crate::variant::{self, Arm, GameFinding, GameTask, Series};

/// How games are played.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Lgrf {
    /// The variants, each against its base.
    pub arms: Vec<Arm>,
    /// How long both sides think about a move.
    pub thinking: Thinking,
}

/// Side of the board, as in the paper.
pub const SIDE: usize = 9;
/// Komi, as in the paper.
pub const KOMI: f32 = 6.5;

fn rules() -> Rules {
    variant::rules(KOMI)
}

impl Lgrf {
    /// What findings depend on besides their tasks. Variants are in the keys of their games.
    pub fn terms(&self, series: Series) -> Terms {
        Terms::from_iter([
            ("thinking".to_owned(), self.thinking.to_string().into()),
            ("opening plies".to_owned(), series.opening_plies.into()),
            ("seed".to_owned(), series.seed.into()),
        ])
    }

    /// The games, one variant after the other.
    pub fn jobs(&self, series: Series) -> Vec<Job<GameTask>> {
        let Ok(size) = Size::square(SIDE) else { return Vec::new() };
        variant::jobs(&self.arms, size, rules(), series)
    }
}

impl Work for Lgrf {
    const KIND: &'static str = "lgrf";
    type Task = GameTask;
    type Finding = GameFinding;
    type Tools = Vec<[Settings; 2]>;

    fn tools(&self) -> Result<Vec<[Settings; 2]>, JobError> {
        self.arms.iter().map(|arm| arm.settings(&Net::default()).map_err(JobError::Refused)).collect()
    }

    fn work(
        &self,
        settings: &mut Vec<[Settings; 2]>,
        task: &GameTask,
        stop: &AtomicBool,
    ) -> Result<GameFinding, JobError> {
        let refused = |reason: String| JobError::Refused(reason);
        let size = Size::square(SIDE).map_err(|error| refused(error.to_string()))?;
        let settings =
            settings.get(task.arm).ok_or_else(|| refused(format!("there is no variant {}", task.arm)))?;
        variant::play(size, rules(), settings, self.thinking, task, stop)
    }
}
