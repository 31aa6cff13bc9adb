//! How wrong a network is about a position, and in which direction.
//!
//! | target | loss |
//! |---|---|
//! | moves, replies | cross-entropy with the probabilities of all moves, legal or not |
//! | result | cross-entropy with win, loss (and no result); for a head with one number, the squared error of its tangent |
//! | score, lead | Huber's loss in units of the network's scaling, 20 points for ours |
//! | deviation | Huber's loss where a teacher names it, else the likelihood of the score under a normal distribution |
//! | ownership | cross-entropy of `(1 + tanh) / 2`, mean over the points |
//!
//! Losses of a batch are sums over its positions divided by their number, so that a target which is missing for some of them counts
//! less, not the same from fewer.

mod part;
mod tally;

pub use tally::Tally;

use crate::network::{Outputs, Program, Worker};
use crate::target::Targets;
use part::{distribution, huber, likelihood, ownership, tangent_error};
use tesuji_net::model::{Model, PolicyOutput, ScoreOutput};

/// How much each target counts.
///
/// The defaults follow KataGo's (Wu 2019) in their proportions: moves 1, replies 0.15, result 1.5, ownership 1.5, score small.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LossWeights {
    /// Of the move to play.
    pub policy: f32,
    /// Of the opponent's reply.
    pub reply: f32,
    /// Of the result.
    pub outcome: f32,
    /// Of the mean of the score.
    pub score: f32,
    /// Of its standard deviation.
    pub deviation: f32,
    /// Of the lead.
    pub lead: f32,
    /// Of ownership.
    pub ownership: f32,
}

impl Default for LossWeights {
    fn default() -> LossWeights {
        LossWeights {
            policy: 1.0,
            reply: 0.15,
            outcome: 1.5,
            score: 0.5,
            deviation: 0.1,
            lead: 0.5,
            ownership: 1.0,
        }
    }
}

/// What a loss has to know of the network.
pub(crate) struct Losses {
    outputs: Outputs,
    policy: Vec<PolicyOutput>,
    scores: Vec<ScoreOutput>,
    outcomes: usize,
    score_unit: f32,
    deviation_unit: f32,
    lead_unit: f32,
    weights: LossWeights,
}

/// The chance to win minus that to lose, from logits of two or three results.
fn value_of(logits: &[f32]) -> f32 {
    let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let shares = logits.iter().map(|logit| (logit - highest).exp());
    let total: f32 = shares.sum();
    ((logits[0] - highest).exp() - (logits[1] - highest).exp()) / total
}

impl Losses {
    pub(crate) fn new(model: &Model, outputs: Outputs, weights: LossWeights) -> Losses {
        let value = model.value.as_ref();
        Losses {
            outputs,
            policy: model.policy.as_ref().map_or(Vec::new(), |head| head.outputs().to_vec()),
            scores: value.map_or(Vec::new(), |head| head.scores().to_vec()),
            outcomes: value.map_or(0, |head| head.outcomes()),
            score_unit: model.scaling.score_mean,
            deviation_unit: model.scaling.score_stdev,
            lead_unit: model.scaling.lead,
            weights,
        }
    }

    /// Looks at the outputs for the positions `first..first + count` of the targets, adds what they cost to the tally, and writes the
    /// gradients of all outputs, each position's multiplied by `share`.
    pub(crate) fn judge(
        &self,
        program: &Program,
        worker: &mut Worker,
        targets: &Targets,
        (first, count): (usize, usize),
        share: f32,
        tally: &mut Tally,
    ) {
        tally.positions += count as f64;
        let mut total = self.judge_policy(program, worker, targets, (first, count), share, tally);
        if let Some(slot) = self.outputs.outcome {
            let (values, gradients) = worker.output(program, slot);
            let rows = values.chunks_exact(self.outcomes).zip(gradients.chunks_exact_mut(self.outcomes));
            for (position, (values, gradients)) in (first..).zip(rows) {
                total += self.judge_outcome(targets, position, values, gradients, share, tally);
            }
        }
        if let Some(slot) = self.outputs.score {
            let width = self.scores.len();
            let (values, gradients) = worker.output(program, slot);
            let rows = values.chunks_exact(width).zip(gradients.chunks_exact_mut(width));
            for (position, (values, gradients)) in (first..).zip(rows) {
                total += self.judge_scores(targets, position, values, gradients, share, tally);
            }
        }
        if let Some(slot) = self.outputs.ownership {
            let (values, gradients) = worker.output(program, slot);
            let area = values.len() / count.max(1);
            let rows = values.chunks_exact(area).zip(gradients.chunks_exact_mut(area));
            for (position, (values, gradients)) in (first..).zip(rows) {
                let (target, weight) = targets.ownership.of(position);
                if weight == 0.0 {
                    gradients.fill(0.0);
                    continue;
                }
                let loss = ownership(values, target, gradients, weight * self.weights.ownership * share);
                tally.ownership.add(weight, loss, 0.0);
                total += weight * self.weights.ownership * loss;
            }
        }
        tally.total += f64::from(total);
    }

    fn judge_policy(
        &self,
        program: &Program,
        worker: &mut Worker,
        targets: &Targets,
        (first, count): (usize, usize),
        share: f32,
        tally: &mut Tally,
    ) -> f32 {
        let (Some(slot), width) = (self.outputs.policy, self.policy.len()) else { return 0.0 };
        let area = worker.values(slot).len() / (width * count).max(1);
        let moves = area + usize::from(self.outputs.pass.is_some());
        let (mut logits, mut gradient) = (vec![0.0; moves], vec![0.0; moves]);
        let mut total = 0.0;
        for board in 0..count {
            for (output, kind) in self.policy.iter().enumerate() {
                let points = (0..area).map(|point| (board * area + point) * width + output);
                let values = worker.values(slot);
                logits.iter_mut().zip(points.clone()).for_each(|(logit, at)| *logit = values[at]);
                if let Some(pass) = self.outputs.pass {
                    logits[area] = worker.values(pass)[board * width + output];
                }
                let (target, own, counted) = match kind {
                    PolicyOutput::Move => (&targets.policy, self.weights.policy, &mut tally.policy),
                    PolicyOutput::Reply => (&targets.reply, self.weights.reply, &mut tally.reply),
                    // Nothing here says which games went better than expected.
                    PolicyOutput::Optimistic => (&targets.policy, 0.0, &mut tally.ignored),
                };
                let (target, mut weight) = target.of(first + board);
                // A head without a pass cannot learn one.
                if moves == area && target[area] > 0.0 {
                    weight = 0.0;
                }
                if weight == 0.0 || own == 0.0 {
                    gradient.fill(0.0);
                } else {
                    let (loss, hit) =
                        distribution(&logits, &target[..moves], &mut gradient, weight * own * share);
                    counted.add(weight, loss, hit);
                    total += weight * own * loss;
                }
                let (_, written) = worker.output(program, slot);
                points.zip(&gradient).for_each(|(at, gradient)| written[at] = *gradient);
                if let Some(pass) = self.outputs.pass {
                    worker.output(program, pass).1[board * width + output] = gradient[area];
                }
            }
        }
        total
    }

    fn judge_outcome(
        &self,
        targets: &Targets,
        position: usize,
        values: &[f32],
        gradients: &mut [f32],
        share: f32,
        tally: &mut Tally,
    ) -> f32 {
        let (target, weight) = targets.outcome.of(position);
        gradients.fill(0.0);
        if weight == 0.0 {
            return 0.0;
        }
        if let (&[win, loss, ..], [_, _, ..]) = (target, values) {
            let error = value_of(values) - (win - loss);
            tally.value.add(weight, error * error, 0.0);
        }
        let own = weight * self.weights.outcome;
        let (loss, hit) = match *target {
            [win, loss, _] if values.len() == 1 => {
                let expected = win - loss;
                let (error, tangent) = tangent_error(values[0], expected, &mut gradients[0], own * share);
                tally.value.add(weight, error, 0.0);
                (error, f32::from(u8::from(tangent * expected > 0.0)))
            }
            [win, loss, none] if values.len() == 2 => {
                let halves = [win + none / 2.0, loss + none / 2.0];
                distribution(values, &halves, gradients, own * share)
            }
            _ => distribution(values, target, gradients, own * share),
        };
        tally.outcome.add(weight, loss, hit);
        own * loss
    }

    fn judge_scores(
        &self,
        targets: &Targets,
        position: usize,
        values: &[f32],
        gradients: &mut [f32],
        share: f32,
        tally: &mut Tally,
    ) -> f32 {
        gradients.fill(0.0);
        let mean = self.scores.iter().position(|output| *output == ScoreOutput::Mean);
        let mut total = 0.0;
        for (output, kind) in self.scores.iter().enumerate() {
            let (value, gradient) = (values[output], &mut gradients[output]);
            match kind {
                ScoreOutput::Mean => {
                    let (target, weight) = targets.score.of(position);
                    if weight > 0.0 {
                        let own = weight * self.weights.score;
                        let error = value - target[0] / self.score_unit;
                        total += own * huber(error, gradient, own * share);
                        tally.score.add(weight, error.abs() * self.score_unit, 0.0);
                    }
                }
                ScoreOutput::Lead => {
                    let (target, weight) = targets.lead.of(position);
                    if weight > 0.0 {
                        let own = weight * self.weights.lead;
                        let error = value - target[0] / self.lead_unit;
                        total += own * huber(error, gradient, own * share);
                        tally.lead.add(weight, error.abs() * self.lead_unit, 0.0);
                    }
                }
                ScoreOutput::Stdev => {
                    let (target, weight) = targets.deviation.of(position);
                    let deviation = part::softplus(value);
                    let mut slope = 0.0;
                    if weight > 0.0 {
                        let own = weight * self.weights.deviation;
                        let error = deviation - target[0] / self.deviation_unit;
                        total += own * huber(error, &mut slope, own * share);
                    } else if let (Some(mean), (target, weight)) = (mean, targets.score.of(position))
                        && weight > 0.0
                    {
                        let own = weight * self.weights.deviation;
                        let error = (values[mean] - target[0] / self.score_unit) * self.score_unit
                            / self.deviation_unit;
                        total += own * likelihood(error, deviation, &mut slope, own * share);
                    }
                    *gradient = slope * part::logistic(value);
                }
                ScoreOutput::VarianceTime
                | ScoreOutput::ShortTermValueError
                | ScoreOutput::ShortTermScoreError => (),
            }
        }
        total
    }
}
