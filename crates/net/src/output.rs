//! What comes out of a network, and what it means.
//!
//! [`Logits`] are the bare numbers of the heads, the same whoever computed them. [`Decoder`] makes an [`Evaluation`] of them:
//! probabilities of moves and results, points, ownership. Both are for the side to move, and both belong to the caller, who uses
//! them again for the next position. What the numbers of KataGo's networks mean follows its file format's versions.

use std::fmt;

use crate::model::{Family, Model, PolicyOutput, Scaling, ScoreOutput};
use tesuji_board::Size;

/// The bare outputs of a network for one position, before any post-processing; for the side to move.
///
/// Made once per network and used again: filling it does not allocate after the first board of the largest size.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Logits {
    /// `[output][point]`, one board per output of the policy head; empty without one.
    pub policy: Vec<f32>,
    /// The logit of a pass per output of the policy head; empty where the head has none.
    pub pass: Vec<f32>,
    /// Logits of win, loss and (if there are three) no result; one number from −1 to 1 from the paper's head, its tangent
    /// already taken; empty without a value head.
    pub outcome: Vec<f32>,
    /// One number per score output of the value head.
    pub score: Vec<f32>,
    /// Before the tangent, per point; empty where the head has none.
    pub ownership: Vec<f32>,
}

impl Logits {
    /// Gives all lists the lengths that a network has on a board, for whoever fills them.
    pub fn fit(&mut self, model: &Model, size: Size) {
        let outputs = model.policy.as_ref().map_or(0, |head| head.outputs().len());
        let has_pass = model.policy.as_ref().is_some_and(|head| head.has_pass());
        let value = model.value.as_ref();
        self.policy.resize(outputs * size.area(), 0.0);
        self.pass.resize(if has_pass { outputs } else { 0 }, 0.0);
        self.outcome.resize(value.map_or(0, |head| head.outcomes()), 0.0);
        self.score.resize(value.map_or(0, |head| head.scores().len()), 0.0);
        let owned = value.is_some_and(|head| head.has_ownership());
        self.ownership.resize(if owned { size.area() } else { 0 }, 0.0);
    }
}

/// What a network thinks of a position, for the side to move. Empty or absent where it has no opinion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// The probability of each point, 0 where a move is illegal; with [`Evaluation::pass`] they sum to 1. Empty without a policy
    /// head.
    pub policy: Vec<f32>,
    /// The probability of a pass.
    pub pass: f32,
    /// Who wins.
    pub outcome: Option<Outcome>,
    /// Mean of the final score in points.
    pub score_mean: Option<f32>,
    /// Mean of the square of the final score: variance and square of the mean together.
    pub score_square: Option<f32>,
    /// The komi that would make the game even, in points.
    pub lead: Option<f32>,
    /// How many moves ahead the result is decided, in squared spread.
    pub variance_time: Option<f32>,
    /// Expected error of the win rate against a search soon after, on a scale from −1 to 1.
    pub short_term_value_error: Option<f32>,
    /// Expected error of the score against a search soon after, in points.
    pub short_term_score_error: Option<f32>,
    /// Who has each point at the end, from −1 (the opponent) to 1 (the side to move). Empty where the head has none.
    pub ownership: Vec<f32>,
}

/// Probabilities of the results of a game, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// The side to move wins.
    pub win: f32,
    /// The opponent wins.
    pub loss: f32,
    /// The game ends without result.
    pub no_result: f32,
}

impl Outcome {
    /// The share of the point that is expected, 0 to 1; no result is worth half.
    pub fn win_rate(self) -> f32 {
        self.win + 0.5 * self.no_result
    }
}

/// What the caller knows of a position that decides how outputs are read.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Whether each point is a legal move; passing always is.
    pub legal: &'a [bool],
    /// Whether a game may end without result: under simple ko, and under territory scoring.
    pub no_result: bool,
    /// How much of the optimistic policy is mixed in, where a network has one: 0 none, 1 all of it.
    pub optimism: f32,
}

/// Why outputs mean nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecodeError {
    /// The list of legal moves, or a list of outputs, is not as long as network and board ask for.
    Length,
    /// An output is infinite or no number.
    NotFinite,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DecodeError::Length => write!(f, "outputs and board do not fit each other"),
            DecodeError::NotFinite => write!(f, "the network answered with a number that is not finite"),
        }
    }
}

impl std::error::Error for DecodeError {}

/// What is needed of a model to understand its outputs, without its weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoder {
    /// Outputs of the policy head.
    outputs: usize,
    optimistic: Option<usize>,
    has_pass: bool,
    outcomes: usize,
    has_ownership: bool,
    scores: Vec<ScoreOutput>,
    scaling: Scaling,
    /// From version 9 on the variance of time was trained.
    has_variance_time: bool,
    errors: ErrorForm,
}

/// How short-term errors are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ErrorForm {
    /// Not trained.
    Absent,
    /// `√(softplus(x) · factor)`.
    Square,
    /// `softplus(x / 2) · √factor`.
    Root,
}

impl Decoder {
    /// A decoder for the outputs of a model.
    pub fn new(model: &Model) -> Decoder {
        let (has_variance_time, errors) = match model.family {
            Family::Katago { version: ..9 } => (false, ErrorForm::Absent),
            Family::Katago { version: 9 } => (true, ErrorForm::Absent),
            Family::Katago { version: 10..14 } => (true, ErrorForm::Square),
            Family::Katago { .. } | Family::Paper | Family::Tesuji => (true, ErrorForm::Root),
        };
        let outputs = model.policy.as_ref().map_or(&[][..], |head| head.outputs());
        Decoder {
            optimistic: outputs.iter().position(|&output| output == PolicyOutput::Optimistic),
            outputs: outputs.len(),
            has_pass: model.policy.as_ref().is_some_and(|head| head.has_pass()),
            outcomes: model.value.as_ref().map_or(0, |head| head.outcomes()),
            has_ownership: model.value.as_ref().is_some_and(|head| head.has_ownership()),
            scores: model.value.as_ref().map_or(&[][..], |head| head.scores()).to_vec(),
            scaling: model.scaling,
            has_variance_time,
            errors,
        }
    }

    /// Reads the outputs for one position.
    pub fn decode(
        &self,
        logits: &Logits,
        question: Question<'_>,
        evaluation: &mut Evaluation,
    ) -> Result<(), DecodeError> {
        let area = question.legal.len();
        let owned = if self.has_ownership { area } else { 0 };
        let passes = if self.has_pass { self.outputs } else { 0 };
        let lengths = [
            (logits.policy.len(), self.outputs * area),
            (logits.pass.len(), passes),
            (logits.outcome.len(), self.outcomes),
            (logits.score.len(), self.scores.len()),
            (logits.ownership.len(), owned),
        ];
        if lengths.iter().any(|(found, expected)| found != expected) {
            return Err(DecodeError::Length);
        }
        evaluation.policy.clear();
        evaluation.pass = 0.0;
        if self.outputs > 0 {
            self.policy(logits, question, evaluation)?;
        }
        evaluation.outcome = self.outcome(&logits.outcome, question.no_result)?;
        self.score(&logits.score, evaluation)?;
        evaluation.ownership.clear();
        evaluation.ownership.extend(logits.ownership.iter().map(|logit| logit.tanh()));
        if evaluation.ownership.iter().all(|owner| owner.is_finite()) {
            Ok(())
        } else {
            Err(DecodeError::NotFinite)
        }
    }

    fn policy(
        &self,
        logits: &Logits,
        question: Question<'_>,
        evaluation: &mut Evaluation,
    ) -> Result<(), DecodeError> {
        let area = question.legal.len();
        let mut pass_logit = logits.pass.first().copied();
        evaluation.policy.extend_from_slice(&logits.policy[..area]);
        if let Some(optimistic) = self.optimistic.filter(|_| question.optimism != 0.0) {
            let mix = |logit: f32, other: f32| logit + question.optimism * (other - logit);
            let others = &logits.policy[optimistic * area..];
            for (logit, &other) in evaluation.policy.iter_mut().zip(others) {
                *logit = mix(*logit, other);
            }
            if let Some(logit) = &mut pass_logit {
                *logit = mix(*logit, logits.pass[optimistic]);
            }
        }
        let mut top = pass_logit.unwrap_or(f32::NEG_INFINITY);
        for (&logit, &legal) in evaluation.policy.iter().zip(question.legal) {
            if legal && !logit.is_finite() {
                return Err(DecodeError::NotFinite);
            }
            top = if legal { top.max(logit) } else { top };
        }
        evaluation.pass = pass_logit.map_or(0.0, |logit| (logit - top).exp());
        let mut sum = evaluation.pass;
        for (value, &legal) in evaluation.policy.iter_mut().zip(question.legal) {
            *value = if legal { (*value - top).exp() } else { 0.0 };
            sum += *value;
        }
        // Only a network without opinion on passing can be left with no move at all.
        if sum == 0.0 {
            return Ok(());
        }
        if !sum.is_finite() {
            return Err(DecodeError::NotFinite);
        }
        evaluation.pass /= sum;
        evaluation.policy.iter_mut().for_each(|value| *value /= sum);
        Ok(())
    }

    fn outcome(&self, logits: &[f32], no_result: bool) -> Result<Option<Outcome>, DecodeError> {
        if !logits.iter().all(|logit| logit.is_finite()) {
            return Err(DecodeError::NotFinite);
        }
        let softmax = |logits: [f32; 3]| {
            let top = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let [win, loss, no_result] = logits.map(|logit| (logit - top).exp());
            let sum = win + loss + no_result;
            Some(Outcome { win: win / sum, loss: loss / sum, no_result: no_result / sum })
        };
        match *logits {
            [] => Ok(None),
            [value] => {
                let win = 0.5 + 0.5 * value;
                Ok(Some(Outcome { win, loss: 1.0 - win, no_result: 0.0 }))
            }
            [win, loss] => Ok(softmax([win, loss, f32::NEG_INFINITY])),
            [win, loss, _] if !no_result => Ok(softmax([win, loss, f32::NEG_INFINITY])),
            [win, loss, none] => Ok(softmax([win, loss, none])),
            _ => Err(DecodeError::Length),
        }
    }

    fn score(&self, logits: &[f32], evaluation: &mut Evaluation) -> Result<(), DecodeError> {
        if !logits.iter().all(|logit| logit.is_finite()) {
            return Err(DecodeError::NotFinite);
        }
        let logit = |output| {
            let place = self.scores.iter().position(|&score| score == output)?;
            Some(logits[place])
        };
        let error = |output, factor: f32| match (self.errors, logit(output)?) {
            (ErrorForm::Absent, _) => None,
            (ErrorForm::Square, x) => Some((softplus(x) * factor).sqrt()),
            (ErrorForm::Root, x) => Some(softplus(0.5 * x) * factor.sqrt()),
        };
        let scaling = &self.scaling;
        // Without result there is no score.
        let share = evaluation.outcome.map_or(1.0, |outcome| 1.0 - outcome.no_result);
        let mean = logit(ScoreOutput::Mean).map(|mean| mean * scaling.score_mean);
        let stdev = logit(ScoreOutput::Stdev).map(|stdev| softplus(stdev) * scaling.score_stdev);
        evaluation.score_mean = mean.map(|mean| mean * share);
        evaluation.score_square = mean.zip(stdev).map(|(mean, stdev)| (mean * mean + stdev * stdev) * share);
        evaluation.lead = logit(ScoreOutput::Lead).map(|lead| lead * scaling.lead * share);
        let variance_time = logit(ScoreOutput::VarianceTime).filter(|_| self.has_variance_time);
        evaluation.variance_time = variance_time.map(|time| softplus(time) * scaling.variance_time);
        evaluation.short_term_value_error =
            error(ScoreOutput::ShortTermValueError, scaling.short_term_value_error);
        evaluation.short_term_score_error =
            error(ScoreOutput::ShortTermScoreError, scaling.short_term_score_error);
        Ok(())
    }
}

/// `ln(1 + eˣ)`, without overflow.
fn softplus(x: f32) -> f32 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ResidualPlan, paper_policy, residual};

    fn size() -> Size {
        Size::square(2).unwrap()
    }

    /// Answers of one of our nets on 2×2: move and reply, win and loss, three scores, ownership.
    fn example() -> (Decoder, Logits) {
        let model = residual("example", &ResidualPlan::new(1, 4));
        let mut logits = Logits::default();
        logits.fit(&model, size());
        logits.policy.copy_from_slice(&[500.0, -500.0, 499.0, 9e9, 1.0, 2.0, 3.0, 4.0]);
        logits.pass.copy_from_slice(&[498.0, 0.0]);
        logits.outcome.copy_from_slice(&[300.0, 302.0]);
        (Decoder::new(&model), logits)
    }

    fn decode(decoder: &Decoder, logits: &Logits, legal: &[bool]) -> Result<Evaluation, DecodeError> {
        let question = Question { legal, no_result: true, optimism: 1.0 };
        let mut evaluation =
            Evaluation { lead: Some(7.0), variance_time: Some(7.0), pass: 7.0, ..Evaluation::default() };
        decoder.decode(logits, question, &mut evaluation).map(|()| evaluation)
    }

    #[test]
    fn large_logits_do_not_overflow_and_illegal_moves_do_not_count() {
        let (decoder, logits) = example();
        let evaluation = decode(&decoder, &logits, &[true, true, true, false]).unwrap();
        let total = 1.0 + (-1f32).exp() + (-2f32).exp();
        let expected = [1.0 / total, 0.0, (-1f32).exp() / total, 0.0];
        for (found, expected) in evaluation.policy.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
        assert!((evaluation.pass - (-2f32).exp() / total).abs() < 1e-6);
        let outcome = evaluation.outcome.unwrap();
        assert!((outcome.win_rate() - 1.0 / (1.0 + 2f32.exp())).abs() < 1e-6);
        assert_eq!(outcome.no_result, 0.0);
        // Nothing is left of what was there before.
        assert_eq!((evaluation.lead, evaluation.variance_time), (Some(0.0), None));
    }

    #[test]
    fn what_is_not_finite_is_refused_unless_nobody_asked() {
        let (decoder, logits) = example();
        let all = [true; 4];
        let change = |change: fn(&mut Logits)| {
            let mut logits = logits.clone();
            change(&mut logits);
            decode(&decoder, &logits, &all).map(|_| ())
        };
        assert_eq!(change(|_| ()), Ok(()));
        assert_eq!(change(|logits| logits.policy[0] = f32::NAN), Err(DecodeError::NotFinite));
        assert_eq!(change(|logits| logits.policy[0] = f32::INFINITY), Err(DecodeError::NotFinite));
        assert_eq!(change(|logits| logits.pass[0] = f32::NAN), Err(DecodeError::NotFinite));
        assert_eq!(change(|logits| logits.outcome[1] = f32::NAN), Err(DecodeError::NotFinite));
        assert_eq!(change(|logits| logits.score[2] = f32::INFINITY), Err(DecodeError::NotFinite));
        assert_eq!(change(|logits| logits.ownership[3] = f32::NAN), Err(DecodeError::NotFinite));
        let mut logits = logits.clone();
        logits.policy[3] = f32::NAN;
        assert!(decode(&decoder, &logits, &[true, true, true, false]).is_ok());
    }

    #[test]
    fn lists_of_another_length_are_refused() {
        let (decoder, logits) = example();
        for area in [0, 3, 5, 8, 9] {
            assert_eq!(decode(&decoder, &logits, &vec![true; area]), Err(DecodeError::Length), "{area}");
        }
        assert_eq!(decode(&decoder, &Logits::default(), &[true; 4]), Err(DecodeError::Length));
    }

    #[test]
    fn a_network_without_pass_may_have_no_move_left() {
        let model = paper_policy(2, 2);
        let mut logits = Logits::default();
        logits.fit(&model, size());
        let evaluation = decode(&Decoder::new(&model), &logits, &[false; 4]).unwrap();
        assert_eq!((evaluation.policy, evaluation.pass, evaluation.outcome), (vec![0.0; 4], 0.0, None));
        let evaluation = decode(&Decoder::new(&model), &logits, &[true, false, false, true]).unwrap();
        assert_eq!(evaluation.policy, [0.5, 0.0, 0.0, 0.5]);
    }
}
