//! What a run of self-play does: all that its results depend on, besides the network that it begins with.

use serde::{Deserialize, Serialize};
use tesuji_board::{Rules, Size};

use crate::variant;

/// A run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// How games are played.
    pub game: GamePlan,
    /// Games of a cycle.
    pub games: u64,
    /// How a network learns from them.
    pub learning: Learning,
    /// How it is compared with the best.
    pub gate: GatePlan,
    /// What the run begins with, in words that tell runs apart.
    pub start: String,
    /// Decides all that is drawn.
    pub seed: u64,
}

/// How games are played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GamePlan {
    /// The board.
    #[serde(with = "crate::written::size")]
    pub size: Size,
    /// The rules, with the komi that is thought to be fair.
    #[serde(with = "crate::written::rules")]
    pub rules: Rules,
    /// Standard deviation of the komi of every other game, in points.
    pub komi_spread: f32,
    /// Simulations of a move that the policy learns from.
    pub full_visits: u64,
    /// Simulations of other moves.
    pub cheap_visits: u64,
    /// Share of moves with a full search.
    pub full_share: f32,
    /// Above 1 the unlikely moves of a position become likelier in its search.
    pub root_temperature: f32,
    /// Mean number of first moves that are drawn from all legal ones, in every other game.
    pub random_opening: f32,
    /// Mean number of moves after that which are drawn from the policy.
    pub policy_opening: f32,
    /// Temperature of those.
    pub opening_temperature: f32,
    /// Temperature of the visits that moves are drawn from, at the beginning.
    pub early_temperature: f32,
    /// The same from the middle of the game on.
    pub late_temperature: f32,
    /// Chance to win below which a player resigns.
    pub resign_below: f32,
    /// Its moves in a row that must look so.
    pub resign_moves: u32,
    /// Share of games that nobody resigns.
    pub played_out: f32,
}

/// How a network learns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Learning {
    /// How often a position is learned from, about.
    pub reuse: f64,
    /// Positions that are all used; see [`Learning::window`].
    pub first_window: u64,
    /// Positions of a batch.
    pub batch: usize,
    /// Length of steps.
    pub rate: f32,
    /// What remains of the averaged weights in a step.
    pub average: f32,
    /// Share of the game's result where the search has an opinion too.
    pub result_share: f32,
    /// Games kept back, in thousandths.
    pub validation: u16,
    /// Whether norms are those of batches, as for networks that begin with random weights; others have none any more.
    pub has_batch_norm: bool,
}

/// How networks are compared.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GatePlan {
    /// Simulations of each move.
    pub visits: u64,
    /// Most pairs of games; each pair has one opening and both colours.
    pub pairs: usize,
    /// Random stones before each game.
    pub opening_plies: usize,
    /// The test: the new network is rejected if it is at most so much stronger, in Elo…
    pub elo0: f64,
    /// … and accepted if it is at least so much stronger.
    pub elo1: f64,
}

/// How fast the window grows beyond its first size, and how much of the growth counts (Wu 2019, appendix C).
const WINDOW_EXPONENT: f64 = 0.75;
const WINDOW_SCALE: f64 = 0.4;

impl Plan {
    /// What is known to be good, or believed, for boards of a size.
    pub fn new(size: Size) -> Plan {
        let area = size.area() as f32;
        let komi = if area <= 81.0 { 7.0 } else { 7.5 };
        Plan {
            game: GamePlan {
                size,
                rules: variant::rules(komi),
                komi_spread: 2.0,
                full_visits: 48,
                cheap_visits: 8,
                full_share: 0.25,
                root_temperature: 1.2,
                random_opening: 1.5,
                policy_opening: 0.05 * area,
                opening_temperature: 1.2,
                early_temperature: 0.8,
                late_temperature: 0.25,
                resign_below: 0.03,
                resign_moves: 3,
                played_out: 0.3,
            },
            games: 400,
            learning: Learning {
                reuse: 5.0,
                first_window: 60_000,
                batch: 128,
                rate: 0.0003,
                average: 0.998,
                result_share: 0.5,
                validation: 30,
                has_batch_norm: false,
            },
            gate: GatePlan { visits: 32, pairs: 100, opening_plies: 4, elo0: 0.0, elo1: 35.0 },
            start: String::new(),
            seed: 1,
        }
    }
}

impl GamePlan {
    /// Longest game, in moves.
    pub fn most_moves(&self) -> usize {
        3 * self.size.area() / 2 + 20
    }
}

impl Learning {
    /// Positions to learn from when there are so many in all: all of them at first, later a share that gets smaller.
    pub fn window(&self, positions: u64) -> u64 {
        let (all, first) = (positions as f64, self.first_window.max(1) as f64);
        if all <= first {
            return positions;
        }
        let growth = ((all / first).powf(WINDOW_EXPONENT) - 1.0) / WINDOW_EXPONENT;
        (first * (1.0 + WINDOW_SCALE * growth)) as u64
    }

    /// Steps for so many new positions.
    pub fn steps(&self, positions: u64) -> u64 {
        ((positions as f64 * self.reuse / self.batch.max(1) as f64).ceil() as u64).max(1)
    }
}
