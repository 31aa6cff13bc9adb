//! One game while it is labelled.

use super::explore::ExplorePlan;
use super::play::{DECIDED_MOVES, HOPELESS, PlayPlan, vary_komi};
use crate::sample::{GameEnd, GameSample, Label};
use tesuji_board::{Game, Move};
use tesuji_net::Seat;
use tesuji_net::input::{Line, SYMMETRIES};
use tesuji_net::output::Evaluation;
use tesuji_search::Rng;

/// What to write down of which positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    /// Share of the positions that are labelled, from 0 to 1.
    pub share: f32,
    /// Most moves of a label.
    pub most_moves: usize,
    /// Least probability of a move in a label.
    pub least_probability: f32,
    /// Whether labels have the ownership of points.
    pub ownership: bool,
    /// Standard deviation of what is added to the komi of every other game that is followed or explored, in points; 0 leaves all as they are.
    pub komi_spread: f32,
    /// Decides all that is drawn.
    pub seed: u64,
}

impl Default for Wanted {
    fn default() -> Wanted {
        Wanted {
            share: 1.0,
            most_moves: 32,
            least_probability: 0.001,
            ownership: true,
            komi_spread: 0.0,
            seed: 1,
        }
    }
}

impl Wanted {
    /// Changes the komi of every other game.
    fn change_komi(&self, sample: &mut GameSample, rng: &mut Rng) {
        if self.komi_spread > 0.0 && rng.below(2) == 0 {
            let before = sample.rules.komi;
            sample.rules.komi = vary_komi(before, self.komi_spread, rng);
            // Whoever was ahead may not be so with another komi.
            sample.end = match sample.end {
                GameEnd::Score(lead) => GameEnd::Score(lead + before - sample.rules.komi),
                _ => GameEnd::Unknown,
            };
        }
    }
}

/// A game and where in it we are.
pub(super) struct ActiveGame {
    pub(super) number: usize,
    pub(super) sample: GameSample,
    game: Game,
    course: Course,
    rng: Rng,
    /// Symmetry in which the network sees the current position.
    symmetry: usize,
}

/// Where the moves come from.
enum Course {
    /// The sample has them.
    Follow { turn: usize },
    /// The network plays: first some random moves, and to the end or until the game has been decided for some moves.
    Play { opening: usize, is_played_out: bool, decided: u32 },
}

impl ActiveGame {
    /// Follows a game; nothing if none of its positions is wanted, or it cannot be played.
    pub(super) fn follow(number: usize, mut sample: GameSample, wanted: &Wanted) -> Option<ActiveGame> {
        let mut rng = Rng::for_stream(wanted.seed, sample.identity());
        wanted.change_komi(&mut sample, &mut rng);
        sample.labels.clear();
        let game = sample.start().ok()?;
        let course = Course::Follow { turn: 0 };
        let mut own = ActiveGame { number, sample, game, course, rng, symmetry: 0 };
        own.find_next(wanted).then_some(own)
    }

    /// Labels the positions that a search from a game comes to; nothing if it comes to none.
    pub(super) fn explore(
        number: usize,
        sample: &GameSample,
        plan: &ExplorePlan<'_>,
        wanted: &Wanted,
    ) -> Option<ActiveGame> {
        let mut rng = Rng::for_stream(wanted.seed, sample.identity());
        let mut sample = sample.clone();
        wanted.change_komi(&mut sample, &mut rng);
        let (sample, game) = plan.stray(sample, &mut rng)?;
        let course = Course::Follow { turn: game.move_number() + 1 };
        let mut own = ActiveGame { number, sample, game, course, rng, symmetry: 0 };
        own.find_next(wanted).then_some(own)
    }

    /// Begins a game that the network plays.
    pub(super) fn play(number: usize, plan: &PlayPlan, wanted: &Wanted) -> ActiveGame {
        let mut rng = Rng::for_stream(wanted.seed, number as u64);
        let sample = plan.start(&mut rng);
        let game = Game::new(sample.size, sample.rules);
        let opening = plan.opening_moves(&mut rng);
        let course = Course::Play { opening, is_played_out: plan.is_played_out(&mut rng), decided: 0 };
        let symmetry = rng.below(SYMMETRIES);
        ActiveGame { number, sample, game, course, rng, symmetry }
    }

    /// Goes on to the next wanted position of a game that is followed, this one included; whether there is one.
    fn find_next(&mut self, wanted: &Wanted) -> bool {
        let Course::Follow { turn } = &mut self.course else { return true };
        loop {
            if *turn > self.sample.moves.len() {
                return false;
            }
            while self.game.move_number() < *turn {
                let (color, mv) = self.sample.moves[self.game.move_number()];
                if self.game.play(color, mv).is_err() {
                    return false;
                }
            }
            if !self.game.is_over() && self.rng.unit() < wanted.share {
                self.symmetry = self.rng.below(SYMMETRIES);
                return true;
            }
            *turn += 1;
        }
    }

    /// Asks about the current position; its place among those that wait.
    pub(super) fn ask(&self, seat: &mut Seat) -> usize {
        let line = Line::from_game(&self.game, self.game.to_move());
        seat.add(&line.view(), self.symmetry)
    }

    /// Takes the answer for the current position and goes on; whether there is another position to ask about.
    pub(super) fn answer(
        &mut self,
        evaluation: &Evaluation,
        wanted: &Wanted,
        plan: Option<&PlayPlan>,
        probabilities: &mut Vec<f32>,
    ) -> bool {
        probabilities.clear();
        probabilities.extend_from_slice(&evaluation.policy);
        probabilities.push(evaluation.pass);
        if plan.is_none() || self.rng.unit() < wanted.share {
            self.sample.labels.push(make_label(self.game.move_number(), evaluation, probabilities, wanted));
        }
        match (&mut self.course, plan) {
            (Course::Play { opening, is_played_out, decided }, Some(plan)) => {
                if evaluation.policy.is_empty() {
                    return false;
                }
                let is_hopeless = evaluation.outcome.is_some_and(|outcome| {
                    outcome.win_rate() < HOPELESS || outcome.win_rate() > 1.0 - HOPELESS
                });
                *decided = if is_hopeless { *decided + 1 } else { 0 };
                if *decided >= DECIDED_MOVES && !*is_played_out {
                    return false;
                }
                let color = self.game.to_move();
                let mv = plan.choose(&self.game, probabilities, *opening, &mut self.rng);
                let mv = if self.game.play(color, mv).is_ok() {
                    mv
                } else {
                    // Rounding may draw a move whose probability is 0; a pass always can be made.
                    _ = self.game.play(color, Move::Pass);
                    Move::Pass
                };
                self.sample.moves.push((color, mv));
                self.symmetry = self.rng.below(SYMMETRIES);
                !self.game.is_over() && self.game.move_number() < plan.most_moves()
            }
            _ => {
                if let Course::Follow { turn } = &mut self.course {
                    *turn += 1;
                }
                self.find_next(wanted)
            }
        }
    }
}

fn make_label(turn: usize, evaluation: &Evaluation, probabilities: &[f32], wanted: &Wanted) -> Label {
    let mut label = Label { turn: u16::try_from(turn).unwrap_or(u16::MAX), ..Label::default() };
    if !evaluation.policy.is_empty() {
        label.set_policy(probabilities, wanted.most_moves, wanted.least_probability);
    }
    label.outcome = evaluation.outcome.map(|outcome| [outcome.win, outcome.loss, outcome.no_result]);
    label.score = evaluation.score_mean;
    label.lead = evaluation.lead;
    // The square has the share of games with a result in it, and so has the mean.
    label.deviation = evaluation
        .score_square
        .zip(evaluation.score_mean)
        .map(|(square, mean)| (square - mean * mean).max(0.0).sqrt());
    if wanted.ownership {
        label.set_ownership(&evaluation.ownership);
    }
    label
}
