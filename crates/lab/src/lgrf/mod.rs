//! The experiment on last good replies (Nakamura, Tominaga, Maekawa 2017): engines with reply tables against the same engine without.
//!
//! A [`Plan`] makes [`Game`]s of variants, each opening played twice with colours exchanged; the program plays them and hands back
//! [`Outcome`]s; [`write`] sets what came of them beside the figures of the paper.

mod paper;
mod report;

pub use paper::HEADING;
pub use report::write;

use std::fmt;

use serde::{Deserialize, Serialize};
use tesuji_board::{Color, Rules, Size};

use crate::experiment::Job;
use crate::opening::{Opening, OpeningSource};

/// What is to be played.
pub struct Plan {
    /// The variants, each against its base.
    pub arms: Vec<Arm>,
    /// Games of each.
    pub games: usize,
    /// Random stones on the board before a game.
    pub opening_plies: usize,
    /// Determines openings and engines.
    pub seed: u64,
}

/// A variant and what it is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    /// The preset.
    pub preset: String,
    /// Parameters other than by default, as `name=value`.
    pub switches: Vec<String>,
    /// The preset of the opponent.
    pub base: String,
}

/// A game to be played.
#[derive(Clone, Debug)]
pub struct Game {
    /// The variant, by its place in the plan.
    pub arm: usize,
    /// The colour of the variant.
    pub color: Color,
    /// The first moves.
    pub opening: Opening,
    /// Seeds of the variant and of its opponent.
    pub seeds: [u64; 2],
}

/// What came of a game.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct Outcome {
    /// Whether the variant won; nothing after a draw.
    pub won: Option<bool>,
    /// Whether the variant had Black.
    pub black: bool,
    /// Moves of the game.
    pub moves: usize,
    /// What the variant did.
    pub variant: Effort,
    /// What its opponent did.
    pub base: Effort,
}

/// What one side did in a game.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct Effort {
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

impl Plan {
    /// The games, one variant after the other.
    pub fn jobs(&self) -> Vec<Job<Game>> {
        let Ok(size) = Size::square(SIDE) else { return Vec::new() };
        let pairs = self.games.div_ceil(2);
        let openings = OpeningSource::Random(self.opening_plies).list(size, rules(), self.seed, pairs);
        let mut jobs = Vec::new();
        for (arm, variant) in self.arms.iter().enumerate() {
            for number in 0..self.games {
                let color = if number % 2 == 0 { Color::Black } else { Color::White };
                let seeds = [2 * number, 2 * number + 1].map(|n| self.seed.wrapping_mul(1 << 32) + n as u64);
                let opening = openings[number / 2].clone();
                let key = format!("{variant} {number}");
                jobs.push(Job { key, task: Game { arm, color, opening, seeds } });
            }
        }
        jobs
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
        let plan = |games| Plan {
            arms: vec![arm("lgrf-1", &[]), arm("lgrf-en-1", &["a=1", "b=2"])],
            games,
            opening_plies: 2,
            seed: 7,
        };
        let jobs = plan(6).jobs();
        assert_eq!(jobs.len(), 12);
        assert_eq!(jobs[7].key, "lgrf-en-1:a=1,b=2 1");
        for pair in jobs.chunks(2) {
            assert_eq!(pair[0].task.opening, pair[1].task.opening);
            assert_eq!([pair[0].task.color, pair[1].task.color], Color::BOTH);
            assert_ne!(pair[0].task.seeds, pair[1].task.seeds);
        }
        assert_ne!(jobs[0].task.opening, jobs[2].task.opening);
        assert_eq!(jobs[0].task.opening, jobs[6].task.opening, "all variants meet the same openings");
        let more = plan(20).jobs();
        assert!((0..6).all(|i| more[i].key == jobs[i].key && more[i].task.opening == jobs[i].task.opening));
    }
}
