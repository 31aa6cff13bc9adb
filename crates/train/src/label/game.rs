//! One game while it is labelled.

use super::play::{PlayPlan, vary_komi};
use crate::sample::{GameEnd, GameSample, Label};
use tesuji_board::{Game, KoRule, Move, Scoring};
use tesuji_net::input::{Encoder, Layout, Line, Planes, Turns};
use tesuji_net::model::Input;
use tesuji_net::output::{Decoder, Evaluation, Logits, Question};
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
    /// Standard deviation of what is added to the komi of every other game that is followed, in points; 0 leaves all as they are.
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
    /// The network plays.
    Play { opening: usize },
}

/// Buffers to ask about positions of one size.
pub(super) struct Desk {
    encoder: Encoder,
    planes: Planes,
    turned: Planes,
    turns: Turns,
    decoder: Decoder,
    evaluation: Evaluation,
    /// What the network said, in the symmetry of the game.
    straight: Logits,
    legal: Vec<bool>,
    probabilities: Vec<f32>,
}

impl Desk {
    pub(super) fn new(input: &Input, decoder: &Decoder, size: tesuji_board::Size) -> Desk {
        Desk {
            encoder: Encoder::new(input, size),
            planes: Planes::new(size),
            turned: Planes::new(size),
            turns: Turns::of(size),
            decoder: decoder.clone(),
            evaluation: Evaluation::default(),
            straight: Logits::default(),
            legal: Vec::new(),
            probabilities: Vec::new(),
        }
    }
}

impl ActiveGame {
    /// Follows a game; nothing if none of its positions is wanted, or it cannot be played.
    pub(super) fn follow(number: usize, mut sample: GameSample, wanted: &Wanted) -> Option<ActiveGame> {
        let mut rng = Rng::for_stream(wanted.seed, sample.identity());
        if wanted.komi_spread > 0.0 && rng.below(2) == 0 {
            let before = sample.rules.komi;
            sample.rules.komi = vary_komi(before, wanted.komi_spread, &mut rng);
            // Whoever was ahead may not be so with another komi.
            sample.end = match sample.end {
                GameEnd::Score(lead) => GameEnd::Score(lead + before - sample.rules.komi),
                _ => GameEnd::Unknown,
            };
        }
        sample.labels.clear();
        let game = sample.start().ok()?;
        let course = Course::Follow { turn: 0 };
        let mut own = ActiveGame { number, sample, game, course, rng, symmetry: 0 };
        own.find_next(wanted).then_some(own)
    }

    /// Begins a game that the network plays.
    pub(super) fn play(number: usize, plan: &PlayPlan, wanted: &Wanted) -> Option<ActiveGame> {
        let mut rng = Rng::for_stream(wanted.seed, number as u64);
        let sample = plan.start(&mut rng);
        let game = sample.start().ok()?;
        let course = Course::Play { opening: plan.opening_moves(&mut rng) };
        let symmetry = rng.below(8);
        Some(ActiveGame { number, sample, game, course, rng, symmetry })
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
                self.symmetry = self.rng.below(8);
                return true;
            }
            *turn += 1;
        }
    }

    /// Appends what a network sees of the current position.
    pub(super) fn ask(&self, desk: &mut Desk, input: &Input, planes: &mut Vec<f32>, globals: &mut Vec<f32>) {
        let line = Line::from_game(&self.game, self.game.to_move());
        desk.encoder.encode(&line.view(), &mut desk.planes);
        desk.turned.turn_from(&desk.planes, desk.turns.get(self.symmetry));
        let (first, first_global) = (planes.len(), globals.len());
        planes.resize(first + input.planes.len() * self.game.size().area(), 0.0);
        globals.resize(first_global + input.globals.len(), 0.0);
        // Both have the lengths that are asked for.
        _ = desk.turned.write_planes(&input.planes, Layout::PlaneMajor, &mut planes[first..]);
        _ = desk.turned.write_globals(&input.globals, &mut globals[first_global..]);
    }

    /// Takes the answer for the current position and goes on; whether there is another position to ask about. An answer that means nothing
    /// leaves the position without a label, and ends a game that is played.
    pub(super) fn answer(
        &mut self,
        desk: &mut Desk,
        logits: &Logits,
        wanted: &Wanted,
        plan: Option<&PlayPlan>,
    ) -> bool {
        let size = self.game.size();
        let turn = desk.turns.get(self.symmetry);
        desk.straight.clone_from(logits);
        turn.take_back(&logits.policy, &mut desk.straight.policy);
        turn.take_back(&logits.ownership, &mut desk.straight.ownership);
        let color = self.game.to_move();
        desk.legal.clear();
        desk.legal.extend(size.points().map(|point| self.game.legality(color, point).is_ok()));
        let rules = self.game.rules();
        let question = Question {
            legal: &desk.legal,
            no_result: rules.ko == KoRule::Simple || rules.scoring == Scoring::Territory,
            optimism: 0.0,
        };
        let decoded = desk.decoder.decode(&desk.straight, question, &mut desk.evaluation).is_ok();
        let evaluation = &desk.evaluation;
        desk.probabilities.clear();
        desk.probabilities.extend_from_slice(&evaluation.policy);
        desk.probabilities.push(evaluation.pass);
        if decoded && (plan.is_none() || self.rng.unit() < wanted.share) {
            let label = make_label(self.game.move_number(), evaluation, &desk.probabilities, wanted);
            self.sample.labels.push(label);
        }
        match (&mut self.course, plan) {
            (Course::Play { opening }, Some(plan)) => {
                if !decoded || evaluation.policy.is_empty() {
                    return false;
                }
                let mv = plan.choose(&self.game, &desk.probabilities, *opening, &mut self.rng);
                let mv = if self.game.play(color, mv).is_ok() {
                    mv
                } else {
                    // The policy of illegal moves is 0, so that this does not happen; a pass always can.
                    _ = self.game.play(color, Move::Pass);
                    Move::Pass
                };
                self.sample.moves.push((color, mv));
                self.symmetry = self.rng.below(8);
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
