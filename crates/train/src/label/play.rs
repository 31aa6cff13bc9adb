//! Games that a network plays against itself while it labels them.

use crate::sample::GameSample;
use tesuji_board::{Game, Move, Rules, Size};
use tesuji_search::Rng;

/// How such games are played.
///
/// They are to be varied rather than good: the labels are good whatever was played.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayPlan {
    /// How many games.
    pub games: usize,
    /// The board.
    pub size: Size,
    /// The rules; each game has one of them.
    pub rules: Vec<Rules>,
    /// Standard deviation of the komi around that of the rules, in points; every other game has that of the rules.
    pub komi_spread: f32,
    /// Mean number of moves at the beginning that are drawn from all legal ones.
    pub random_opening: f32,
    /// Temperature of the policy at the beginning.
    pub early_temperature: f32,
    /// Temperature later on.
    pub late_temperature: f32,
    /// Chance of a move drawn from all legal ones later on.
    pub wild: f32,
    /// Share of the games that are played to their end; the others end when they have been decided for some moves.
    pub played_out: f32,
}

impl PlayPlan {
    /// What has proved good on boards of a size.
    pub fn new(games: usize, size: Size, rules: Rules) -> PlayPlan {
        PlayPlan {
            games,
            size,
            rules: vec![rules],
            komi_spread: 3.0,
            random_opening: 1.5,
            early_temperature: 1.3,
            late_temperature: 0.9,
            wild: 0.02,
            played_out: 0.3,
        }
    }

    /// The beginning of a game.
    pub(super) fn start(&self, rng: &mut Rng) -> GameSample {
        let rules =
            if self.rules.is_empty() { Rules::default() } else { self.rules[rng.below(self.rules.len())] };
        let komi = if rng.below(2) == 0 { rules.komi } else { vary_komi(rules.komi, self.komi_spread, rng) };
        GameSample::new(self.size, Rules { komi, ..rules })
    }

    /// Number of random moves at the beginning of a game: exponentially distributed.
    pub(super) fn opening_moves(&self, rng: &mut Rng) -> usize {
        (-(1.0 - rng.unit()).ln() * self.random_opening) as usize
    }

    /// Whether a game is to be played to its end.
    pub(super) fn is_played_out(&self, rng: &mut Rng) -> bool {
        rng.unit() < self.played_out
    }

    /// Longest game, in moves.
    pub(super) fn most_moves(&self) -> usize {
        3 * self.size.area() / 2 + 20
    }

    /// The next move, given the probabilities of points and, last, the pass.
    pub(super) fn choose(&self, game: &Game, probabilities: &[f32], opening: usize, rng: &mut Rng) -> Move {
        let turn = game.move_number();
        if turn < opening || rng.unit() < self.wild {
            return random_move(game, rng);
        }
        // From early to late over the first quarter of a full board.
        let done = (4.0 * turn as f32 / self.size.area() as f32).min(1.0);
        let temperature = self.early_temperature + done * (self.late_temperature - self.early_temperature);
        let strength = |&probability: &f32| probability.powf(1.0 / temperature.max(0.05));
        let total: f32 = probabilities.iter().map(strength).sum();
        let mut left = rng.unit() * total;
        for (code, probability) in probabilities.iter().enumerate() {
            left -= strength(probability);
            if left < 0.0 {
                return self.size.points().nth(code).map_or(Move::Pass, Move::Play);
            }
        }
        Move::Pass
    }
}

/// A game is decided when one side's chance to win has been below [`HOPELESS`] for so many moves.
pub(super) const DECIDED_MOVES: u32 = 8;
/// See [`DECIDED_MOVES`].
pub(super) const HOPELESS: f32 = 0.02;

/// A komi around the given one, rounded to half points.
pub fn vary_komi(komi: f32, spread: f32, rng: &mut Rng) -> f32 {
    // The sum of twelve uniform numbers is almost normal with variance 1.
    let normal: f32 = (0..12).map(|_| rng.unit()).sum::<f32>() - 6.0;
    (2.0 * (komi + spread * normal)).round() / 2.0
}

/// Any legal move on the board; a pass if there is none.
fn random_move(game: &Game, rng: &mut Rng) -> Move {
    // In the order of the board, so that a seed decides.
    let color = game.to_move();
    let legal = || game.size().points().filter(|&point| game.legality(color, point).is_ok());
    match legal().count() {
        0 => Move::Pass,
        count => legal().nth(rng.below(count)).map_or(Move::Pass, Move::Play),
    }
}
