//! Heads by their definitions.

use super::Features;
use super::layer::{activate, matmul};
use crate::model::{Activation, Bias, MatMul, PassHead, PolicyHead, ValueHead};
use crate::output::Logits;

pub(super) fn policy(head: &PolicyHead, features: &Features, logits: &mut Logits) {
    match head {
        PolicyHead::Point(head) => {
            let moves = features.conv(&head.conv);
            for ((logit, value), bias) in logits.policy.iter_mut().zip(&moves.values).zip(&head.bias.values) {
                *logit = (value + f64::from(*bias)) as f32;
            }
        }
        PolicyHead::Pooled(head) => {
            let pooled = features.conv(&head.pooled).norm_act(&head.pooled_act).pool();
            let mut begin = features.conv(&head.conv);
            begin.add_to_all(&matmul(&head.to_bias, &pooled));
            let moves = begin.norm_act(&head.act).conv(&head.out);
            let area = moves.size.area();
            for point in 0..area {
                for (output, &value) in moves.point(point).iter().enumerate() {
                    logits.policy[output * area + point] = value as f32;
                }
            }
            let pass = match &head.pass {
                PassHead::Direct(weights) => matmul(weights, &pooled),
                PassHead::Hidden { hidden, bias, activation, out } => {
                    matmul(out, &dense(hidden, bias, *activation, &pooled))
                }
            };
            store(&mut logits.pass, &pass);
        }
    }
}

pub(super) fn value(head: &ValueHead, features: &Features, logits: &mut Logits) {
    match head {
        ValueHead::Dense(head) => {
            let begin = features.conv(&head.conv).norm_act(&head.act);
            let hidden = dense(&head.hidden, &head.hidden_bias, head.hidden_activation, &begin.values);
            let out = dense(&head.out, &head.out_bias, Activation::Identity, &hidden);
            logits.outcome[0] = out[0].tanh() as f32;
        }
        ValueHead::Pooled(head) => {
            let begin = features.conv(&head.conv).norm_act(&head.act);
            let pooled = begin.value_pool();
            let hidden = dense(&head.hidden, &head.hidden_bias, head.hidden_activation, &pooled);
            let identity = Activation::Identity;
            store(&mut logits.outcome, &dense(&head.outcome, &head.outcome_bias, identity, &hidden));
            if let Some(score) = &head.score {
                store(&mut logits.score, &dense(&score.out, &score.bias, identity, &hidden));
            }
            if let Some(ownership) = &head.ownership {
                store(&mut logits.ownership, &begin.conv(ownership).values);
            }
        }
    }
}

fn dense(weights: &MatMul, bias: &Bias, activation: Activation, input: &[f64]) -> Vec<f64> {
    let sums = matmul(weights, input);
    let summed = sums.iter().zip(&bias.values).map(|(sum, bias)| sum + f64::from(*bias));
    summed.map(|value| activate(activation, value)).collect()
}

fn store(target: &mut [f32], values: &[f64]) {
    for (target, &value) in target.iter_mut().zip(values) {
        *target = value as f32;
    }
}
