//! Positions for a value network: one from each of many games.

use super::play::{PolicyPlay, Stopped, Turn};
use crate::label::LabelError;
use crate::sample::{GameSample, Label};
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use tesuji_board::Game;
use tesuji_net::Reader;
use tesuji_net::input::{Line, SYMMETRIES};
use tesuji_search::Rng;

/// How such games are played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValuePlan {
    /// How policies play.
    pub play: PolicyPlay,
    /// The random move is one of the first so many, each as often as the others.
    pub latest: usize,
}

/// What the number of the random move differs by from other uses of the seed.
const MOMENTS: u64 = 0x6d6f_6d65_6e74;
/// Most moves of a label, and the least probability of one.
const LABEL_MOVES: usize = 32;
const LEAST_PROBABILITY: f32 = 0.001;

impl ValuePlan {
    /// Number of the random move of a game, from 1.
    fn moment(&self, number: u64) -> usize {
        1 + Rng::for_stream(self.play.seed ^ MOMENTS, number).below(self.latest.max(1))
    }
}

/// Plays games of some numbers: before the random move by `first`, after it by `second`. Each has one label, on the position after the random move:
/// the moves that `first` thinks of there, as one network is to know moves and value in the end. How the game ended is the value.
pub fn value_games(
    plan: &ValuePlan,
    first: &Reader,
    second: &Reader,
    numbers: Range<u64>,
    stop: &AtomicBool,
) -> Result<Vec<GameSample>, Stopped> {
    let turn = |number: u64, game: &Game| match (game.move_number() + 1).cmp(&plan.moment(number)) {
        std::cmp::Ordering::Less => Turn::Policy(0),
        std::cmp::Ordering::Equal => Turn::Chance,
        std::cmp::Ordering::Greater => Turn::Policy(1),
    };
    let mut games = plan.play.games(&[first, second], numbers.clone(), &turn, stop)?;
    let size = plan.play.size;
    let mut seat = first.seat(size, plan.play.together).ok_or(Stopped::Network(LabelError::Board(size)))?;
    for (own, first_number) in games.chunks_mut(seat.capacity()).zip(numbers.step_by(seat.capacity())) {
        for (sample, number) in own.iter_mut().zip(first_number..) {
            // A game that was over before the random move, which hardly ever happens, shows its last decision.
            let turn = plan.moment(number).min(sample.moves.len().saturating_sub(1));
            let mut game = Game::new(sample.size, sample.rules);
            for &(color, mv) in &sample.moves[..turn] {
                _ = game.play(color, mv);
            }
            let symmetry = Rng::for_stream(plan.play.seed ^ MOMENTS, !number).below(SYMMETRIES);
            seat.add(&Line::from_game(&game, game.to_move()).view(), symmetry);
            sample.labels = vec![Label { turn: turn as u16, ..Label::default() }];
        }
        seat.evaluate(0.0).map_err(|error| Stopped::Network(LabelError::Decode(error)))?;
        for (place, sample) in own.iter_mut().enumerate() {
            let evaluation = seat.evaluation(place);
            let mut shares = evaluation.policy.clone();
            shares.push(evaluation.pass);
            if let (false, Some(label)) = (evaluation.policy.is_empty(), sample.labels.first_mut()) {
                label.set_policy(&shares, LABEL_MOVES, LEAST_PROBABILITY);
            }
        }
    }
    Ok(games)
}
