//! The losses of single outputs, each with its slope.

use crate::target::LEFT_OUT;

/// Where Huber's loss stops being a square: at half a unit, 10 points for our nets.
const HUBER: f32 = 0.5;
/// No score is believed to be known better than this, in units: 0.4 points for our nets.
const LEAST_DEVIATION: f32 = 0.02;
/// Errors beyond so many deviations pull no harder.
const MOST_DEVIATIONS: f32 = 5.0;

/// Cross-entropy of a softmax over all but what is left out; the gradient is multiplied by `share`. Also whether the likeliest of both agree, 1 or 0.
pub(super) fn distribution(logits: &[f32], target: &[f32], gradient: &mut [f32], share: f32) -> (f32, f32) {
    let included = logits.iter().zip(target).filter(|(_, target)| **target != LEFT_OUT);
    let highest = included.fold(f32::NEG_INFINITY, |highest, (logit, _)| highest.max(*logit));
    let mut sum = 0.0;
    for ((gradient, logit), target) in gradient.iter_mut().zip(logits).zip(target) {
        *gradient = if *target == LEFT_OUT { 0.0 } else { (logit - highest).exp() };
        sum += *gradient;
    }
    let log_sum = sum.ln() + highest;
    let (mut loss, mut mass) = (0.0, 0.0);
    for (target, logit) in target.iter().map(|target| target.max(0.0)).zip(logits) {
        loss += target * (log_sum - logit);
        mass += target;
    }
    for (gradient, target) in gradient.iter_mut().zip(target) {
        *gradient = (*gradient / sum * mass - target.max(0.0)) * share;
    }
    (loss, f32::from(u8::from(largest(logits) == largest(target))))
}

/// The first of the largest.
fn largest(values: &[f32]) -> usize {
    let mut best = 0;
    for (index, value) in values.iter().enumerate() {
        if *value > values[best] {
            best = index;
        }
    }
    best
}

/// Squared error of a tangent; also the tangent.
pub(super) fn tangent_error(value: f32, target: f32, gradient: &mut f32, share: f32) -> (f32, f32) {
    let tangent = value.tanh();
    let error = tangent - target;
    *gradient = 2.0 * error * (1.0 - tangent * tangent) * share;
    (error * error, tangent)
}

/// Huber's loss of an error (Huber 1964): a square near zero, a line beyond.
pub(super) fn huber(error: f32, gradient: &mut f32, share: f32) -> f32 {
    *gradient = error.clamp(-HUBER, HUBER) * share;
    if error.abs() <= HUBER { 0.5 * error * error } else { HUBER * (error.abs() - 0.5 * HUBER) }
}

/// Negative logarithm of the likelihood of an error under a normal distribution, up to a constant; the slope is that of the
/// deviation alone, so that this never moves the mean.
pub(super) fn likelihood(error: f32, deviation: f32, gradient: &mut f32, share: f32) -> f32 {
    let bounded = deviation.max(LEAST_DEVIATION);
    let ratio = (error / bounded).clamp(-MOST_DEVIATIONS, MOST_DEVIATIONS);
    *gradient = if deviation < LEAST_DEVIATION && ratio.abs() < 1.0 {
        0.0
    } else {
        (1.0 - ratio * ratio) / bounded * share
    };
    bounded.ln() + 0.5 * ratio * ratio
}

/// Cross-entropy of `(1 + tanh x) / 2` with `(1 + target) / 2`, mean over the points.
pub(super) fn ownership(values: &[f32], target: &[f32], gradient: &mut [f32], share: f32) -> f32 {
    let each = 1.0 / values.len() as f32;
    let mut loss = 0.0;
    for ((value, target), gradient) in values.iter().zip(target).zip(gradient) {
        // (1 + tanh x) / 2 is the logistic function of 2x.
        let (logit, mine) = (2.0 * value, 0.5 * (1.0 + target));
        loss += softplus(logit) - mine * logit;
        *gradient = 2.0 * (logistic(logit) - mine) * each * share;
    }
    loss * each
}

/// `ln(1 + eˣ)`.
pub(super) fn softplus(x: f32) -> f32 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// `1 / (1 + e⁻ˣ)`, the slope of [`softplus`].
pub(super) fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_as_if_it_were_not_there() {
        let (mut all, mut some) = ([0.0; 4], [0.0; 3]);
        let with = distribution(&[0.5, 90.0, -1.0, 2.0], &[0.0, LEFT_OUT, 1.0, 0.0], &mut all, -0.5);
        let without = distribution(&[0.5, -1.0, 2.0], &[0.0, 1.0, 0.0], &mut some, -0.5);
        assert_eq!(with.0, without.0);
        assert_eq!((all[0], all[1], all[2], all[3]), (some[0], 0.0, some[1], some[2]));
    }
}
