//! The experiment on networks and playouts in one tree (Itoh, Itoh 2019): the engine with a network against the engine without.
//!
//! [`Cygo`] is the work: each job is a game of a variant, each opening played twice with colours exchanged. The variants of the
//! two sweeps differ in λ, the playouts' part in the value of a move, and in the playouts before a node gets its moves. [`write`]
//! sets the games beside the figures of the paper.

mod paper;
mod report;

pub use paper::HEADING;
pub use report::write;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use tesuji_board::{Rules, Size};
use tesuji_engine::{Net, Settings};
use tesuji_net::Isa;

use crate::contestant::Thinking;
use crate::job::{Job, JobError, Work};
use crate::terms::Terms;
use crate::variant::{self, Arm, GameFinding, GameTask, Series};

/// How games are played.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cygo {
    /// The variants, each against its base.
    pub arms: Vec<Arm>,
    /// How long both sides think about a move.
    pub thinking: Thinking,
    /// Side of the board.
    pub side: usize,
    /// Komi.
    pub komi: f32,
    /// The file of the network; the built-in one if there is none.
    pub net: Option<PathBuf>,
    /// What the network is called.
    pub net_name: String,
    /// The checksum of its file, so that results with another one are not mixed with these; built-in ones belong to the build.
    #[serde(default)]
    pub net_checksum: String,
}

/// The two parameters that the paper varies.
pub const SHARE: &str = "playout-share";
/// See [`SHARE`].
pub const THRESHOLD: &str = "expand-after";

/// The values that the paper tries, and those at which one of the two says nothing; its best ones.
pub const SHARES: [&str; 8] = ["0", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "1"];
/// See [`SHARES`].
pub const THRESHOLDS: [&str; 5] = ["10", "15", "20", "25", "30"];
/// See [`SHARES`].
pub const BEST: (&str, &str) = ("0.7", "20");

/// The variants of both sweeps; the one in both comes once.
pub fn sweeps(base: &str) -> Vec<Arm> {
    let arm = |share: &str, threshold: &str| Arm {
        preset: "cygo".to_owned(),
        switches: vec![format!("{SHARE}={share}"), format!("{THRESHOLD}={threshold}")],
        base: base.to_owned(),
    };
    let shares = SHARES.map(|share| arm(share, BEST.1));
    let thresholds = THRESHOLDS.into_iter().filter(|&threshold| threshold != BEST.1);
    shares.into_iter().chain(thresholds.map(|threshold| arm(BEST.0, threshold))).collect()
}

/// The network of a file, or those that come with the program.
pub fn network(file: Option<&Path>) -> Net {
    file.map_or_else(Net::default, |path| Net::load(path.to_owned(), Isa::best(), |_| ()))
}

impl Cygo {
    /// What findings depend on besides their tasks. Variants are in the keys of their games.
    pub fn terms(&self, series: Series) -> Terms {
        Terms::from_iter([
            ("thinking".to_owned(), self.thinking.to_string().into()),
            ("side".to_owned(), self.side.into()),
            ("komi".to_owned(), self.komi.to_string().into()),
            ("network".to_owned(), self.net_name.clone().into()),
            ("network checksum".to_owned(), self.net_checksum.clone().into()),
            ("base".to_owned(), self.arms.first().map_or("", |arm| arm.base.as_str()).into()),
            ("opening plies".to_owned(), series.opening_plies.into()),
            ("seed".to_owned(), series.seed.into()),
        ])
    }

    /// The games, one variant after the other.
    pub fn jobs(&self, series: Series) -> Vec<Job<GameTask>> {
        let Ok((size, rules)) = self.board() else { return Vec::new() };
        variant::jobs(&self.arms, size, rules, series)
    }

    fn board(&self) -> Result<(Size, Rules), JobError> {
        let size = Size::square(self.side).map_err(|error| JobError::Refused(error.to_string()))?;
        Ok((size, variant::rules(self.komi)))
    }
}

impl Work for Cygo {
    const KIND: &'static str = "cygo";
    type Task = GameTask;
    type Finding = GameFinding;
    type Tools = Vec<[Settings; 2]>;

    fn tools(&self) -> Result<Vec<[Settings; 2]>, JobError> {
        let net = network(self.net.as_deref());
        let (size, _) = self.board()?;
        match net.wait(size) {
            Some(reader) if reader.name() == self.net_name => {}
            Some(reader) => return Err(JobError::Refused(format!("the network here is {}", reader.name()))),
            None => return Err(JobError::Refused("the network cannot be used".to_owned())),
        }
        self.arms.iter().map(|arm| arm.settings(&net).map_err(JobError::Refused)).collect()
    }

    fn work(
        &self,
        settings: &mut Vec<[Settings; 2]>,
        task: &GameTask,
        stop: &AtomicBool,
    ) -> Result<GameFinding, JobError> {
        let (size, rules) = self.board()?;
        let missing = || JobError::Refused(format!("there is no variant {}", task.arm));
        variant::play(size, rules, settings.get(task.arm).ok_or_else(missing)?, self.thinking, task, stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sweeps_are_the_papers_and_make_sense() {
        let arms = sweeps("rave");
        assert_eq!(arms.len(), 12);
        assert_eq!(arms[5].to_string(), "cygo:playout-share=0.7,expand-after=20");
        assert_eq!(arms[11].to_string(), "cygo:playout-share=0.7,expand-after=30");
        assert!(arms.iter().all(|arm| arm.settings(&Net::default()).is_ok()));
    }
}
