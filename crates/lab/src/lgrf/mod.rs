//! The experiment on last good replies (Nakamura, Tominaga, Maekawa 2017): engines with reply tables against the same engine without.
//!
//! [`Lgrf`] is the work: each job is a game of a variant, each opening played twice with colours exchanged. [`write`] sets the
//! [`GameFinding`]s beside the figures of the paper.

mod paper;
mod report;

pub use paper::HEADING;
pub use report::write;

use std::fmt;

use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use tesuji_board::{Color, Game, Rules, Size};
use tesuji_engine::Settings;

use crate::contestant::{PresetPlayer, Thinking};
use crate::duel::{self, Contestant};
use crate::job::{Job, JobError, Work};
use crate::opening::{OpeningSource, read_opening, write_opening};
use crate::terms::Terms;

/// How games are played.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Lgrf {
    /// The variants, each against its base.
    pub arms: Vec<Arm>,
    /// How long both sides think about a move.
    pub thinking: Thinking,
}

/// Which games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Series {
    /// Games of each variant.
    pub games: usize,
    /// Random stones on the board before a game.
    pub opening_plies: usize,
    /// Determines openings and engines.
    pub seed: u64,
}

/// A variant and what it is compared with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arm {
    /// The preset.
    pub preset: String,
    /// Parameters other than by default, as `name=value`.
    pub switches: Vec<String>,
    /// The preset of the opponent.
    pub base: String,
}

/// A game to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameTask {
    /// The variant, by its place.
    pub arm: usize,
    /// The colour of the variant.
    #[serde(with = "crate::written::color")]
    pub color: Color,
    /// The first moves.
    pub opening: Vec<String>,
    /// Seeds of the variant and of its opponent.
    pub seeds: [u64; 2],
}

/// What came of a game.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct GameFinding {
    /// Whether the variant won; nothing after a draw.
    pub won: Option<bool>,
    /// Whether the variant had Black.
    pub black: bool,
    /// Moves of the game.
    pub moves: usize,
    /// What the variant did.
    pub variant: SideEffort,
    /// What its opponent did.
    pub base: SideEffort,
}

/// What one side did in a game.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct SideEffort {
    /// Moves that it thought about.
    pub decisions: u64,
    /// Simulations.
    pub simulations: u64,
    /// Seconds of the processor.
    pub seconds: f64,
    /// Moves of playouts.
    pub playout_moves: u64,
    /// Those that were random.
    pub random: u64,
    /// Those that were stored replies: EN-2, EN-1, LGRF-2, LGRF-1.
    pub replies: [u64; 4],
}

/// Side of the board, as in the paper.
pub const SIDE: usize = 9;
/// Komi, as in the paper.
pub const KOMI: f32 = 6.5;

/// The rules: area, and the board counts as it stands, so that nobody has to agree on dead stones.
pub fn rules() -> Rules {
    // The table of rules is tested to have them.
    Rules { komi: KOMI, ..Rules::named("cgos").unwrap_or_default() }
}

/// Megabytes for the tree of a player.
const MEMORY: u64 = 64;

impl Arm {
    /// The settings of the variant and of its base.
    pub fn settings(&self) -> Result<[Settings; 2], String> {
        let of = |preset: &str, switches: &[String]| {
            let preset = Settings::of_preset(preset).map_err(|error| error.to_string())?;
            let mut settings = Settings { memory: MEMORY, ..preset };
            for switch in switches {
                let (name, value) =
                    switch.split_once('=').ok_or_else(|| format!("{switch}: expected name=value"))?;
                settings.set(name, value).map_err(|error| error.to_string())?;
            }
            let names = switches.iter().filter_map(|switch| Some(switch.split_once('=')?.0));
            settings.check(names).map_err(|error| error.to_string())?;
            Ok::<Settings, String>(settings)
        };
        Ok([of(&self.preset, &self.switches)?, of(&self.base, &[])?])
    }
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
        let pairs = series.games.div_ceil(2);
        let openings = OpeningSource::Random(series.opening_plies).list(size, rules(), series.seed, pairs);
        let mut jobs = Vec::new();
        for (arm, variant) in self.arms.iter().enumerate() {
            for number in 0..series.games {
                let color = if number % 2 == 0 { Color::Black } else { Color::White };
                let seeds =
                    [2 * number, 2 * number + 1].map(|n| series.seed.wrapping_mul(1 << 32) + n as u64);
                let opening = write_opening(&openings[number / 2], size);
                let key = format!("{variant} {number}");
                jobs.push(Job { key, task: GameTask { arm, color, opening, seeds } });
            }
        }
        jobs
    }
}

impl Work for Lgrf {
    const KIND: &'static str = "lgrf";
    type Task = GameTask;
    type Finding = GameFinding;
    type Tools = Vec<[Settings; 2]>;

    fn tools(&self) -> Result<Vec<[Settings; 2]>, JobError> {
        self.arms.iter().map(|arm| arm.settings().map_err(JobError::Refused)).collect()
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
        let mut start = Game::new(size, rules());
        for (color, mv) in read_opening(&task.opening, size).map_err(refused)? {
            start.play(color, mv).map_err(|error| refused(error.to_string()))?;
        }
        let player = |i: usize| {
            PresetPlayer::new(&Settings { seed: task.seeds[i], ..settings[i].clone() }, self.thinking)
                .map_err(|error| refused(error.to_string()))
        };
        let (mut variant, mut base) = (player(0)?, player(1)?);
        let mut by_color: [&mut dyn Contestant; 2] = [&mut variant, &mut base];
        by_color.rotate_left(task.color.index());
        let duel = duel::play(start, by_color, stop).ok_or(JobError::Interrupted)?;
        Ok(GameFinding {
            won: duel.winner.map(|winner| winner == task.color),
            black: task.color == Color::Black,
            moves: duel.moves,
            variant: effort(&variant),
            base: effort(&base),
        })
    }
}

fn effort(player: &PresetPlayer) -> SideEffort {
    let spent = player.player.analysis().effort;
    SideEffort {
        decisions: player.decisions,
        simulations: spent.simulations,
        seconds: player.seconds,
        playout_moves: spent.usage.moves,
        random: spent.usage.random,
        replies: spent.usage.replies,
    }
}

impl fmt::Display for Arm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.preset)?;
        self.switches
            .iter()
            .enumerate()
            .try_for_each(|(i, switch)| write!(f, "{}{switch}", if i == 0 { ':' } else { ',' }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_come_in_pairs_and_more_games_begin_with_the_same() {
        let arm = |preset: &str, switches: &[&str]| Arm {
            preset: preset.to_owned(),
            switches: switches.iter().map(|&switch| switch.to_owned()).collect(),
            base: "lgrf-0".to_owned(),
        };
        let arms = vec![arm("lgrf-1", &[]), arm("lgrf-en-1", &["a=1", "b=2"])];
        let work = Lgrf { arms, thinking: Thinking::Playouts(1) };
        let series = |games| Series { games, opening_plies: 2, seed: 7 };
        let jobs = work.jobs(series(6));
        assert_eq!(jobs.len(), 12);
        assert_eq!(jobs[7].key, "lgrf-en-1:a=1,b=2 1");
        for pair in jobs.chunks(2) {
            assert_eq!(pair[0].task.opening, pair[1].task.opening);
            assert_eq!([pair[0].task.color, pair[1].task.color], Color::BOTH);
            assert_ne!(pair[0].task.seeds, pair[1].task.seeds);
        }
        assert_ne!(jobs[0].task.opening, jobs[2].task.opening);
        assert_eq!(jobs[0].task.opening, jobs[6].task.opening, "all variants meet the same openings");
        let more = work.jobs(series(20));
        assert!((0..6).all(|i| more[i].key == jobs[i].key && more[i].task.opening == jobs[i].task.opening));
    }
}
