//! From gradients to better parameters.

mod schedule;

pub use schedule::{Schedule, Shape};

use crate::network::Layout;
use tesuji_net::model::Role;

/// The rule by which parameters follow their gradients.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Rule {
    /// Gradient descent with momentum.
    Sgd {
        /// What remains of the last step.
        momentum: f32,
    },
    /// Steps by the moments of the gradient (Kingma, Ba 2015), weight decay apart from it (Loshchilov, Hutter 2019).
    Adam {
        /// What remains of the mean of the gradient.
        mean_decay: f32,
        /// What remains of the mean of its square.
        square_decay: f32,
        /// Keeps steps finite.
        epsilon: f32,
    },
}

impl Rule {
    /// Adam as it is usually set.
    pub const ADAM: Rule = Rule::Adam { mean_decay: 0.9, square_decay: 0.999, epsilon: 1e-8 };
    /// Gradient descent with the usual momentum.
    pub const SGD: Rule = Rule::Sgd { momentum: 0.9 };
}

/// How to optimise.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Optimizer {
    /// The rule.
    pub rule: Rule,
    /// Step lengths over time.
    pub schedule: Schedule,
    /// How fast weights shrink, as a share of the step length; scales and biases do not.
    pub weight_decay: f32,
    /// Longest gradient; longer ones are shortened to it. Not at all if 0.
    pub clip: f32,
}

/// What an optimiser remembers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moments {
    /// Momentum, or the mean of the gradient.
    pub mean: Vec<f32>,
    /// The mean of its square; empty for a rule that has none.
    pub square: Vec<f32>,
}

impl Optimizer {
    /// What is remembered before the first step.
    pub fn initial_moments(&self, parameters: usize) -> Moments {
        let square = match self.rule {
            Rule::Sgd { .. } => 0,
            Rule::Adam { .. } => parameters,
        };
        Moments { mean: vec![0.0; parameters], square: vec![0.0; square] }
    }

    /// Makes step `step`, from 0, of length `rate`. Returns the length of the gradient before it was shortened; nothing changes unless
    /// that is a number.
    pub(crate) fn step(
        &self,
        layout: &Layout,
        step: u64,
        rate: f32,
        gradients: &[f32],
        parameters: &mut [f32],
        moments: &mut Moments,
    ) -> f64 {
        let length = gradients.iter().map(|&g| f64::from(g) * f64::from(g)).sum::<f64>().sqrt();
        if !length.is_finite() {
            return length;
        }
        let shorten = match f64::from(self.clip) {
            clip if clip > 0.0 && length > clip => (clip / length) as f32,
            _ => 1.0,
        };
        for entry in layout.entries() {
            let decay = if entry.role == Role::Weight { self.weight_decay } else { 0.0 };
            let range = entry.range.clone();
            let (gradients, parameters) = (&gradients[range.clone()], &mut parameters[range.clone()]);
            let mean = &mut moments.mean[range.clone()];
            match self.rule {
                Rule::Sgd { momentum } => {
                    for ((p, m), g) in parameters.iter_mut().zip(mean).zip(gradients) {
                        *m = momentum * *m + (shorten * g + decay * *p);
                        *p -= rate * *m;
                    }
                }
                Rule::Adam { mean_decay, square_decay, epsilon } => {
                    let turn = i32::try_from(step + 1).unwrap_or(i32::MAX);
                    // The first means are pulled towards the zeros that they began with.
                    let mean_share = 1.0 - mean_decay.powi(turn);
                    let square_share = 1.0 - square_decay.powi(turn);
                    let squares = &mut moments.square[range];
                    for (((p, m), s), g) in parameters.iter_mut().zip(mean).zip(squares).zip(gradients) {
                        let g = shorten * g;
                        *m = mean_decay * *m + (1.0 - mean_decay) * g;
                        *s = square_decay * *s + (1.0 - square_decay) * g * g;
                        let direction = (*m / mean_share) / ((*s / square_share).sqrt() + epsilon);
                        *p -= rate * (direction + decay * *p);
                    }
                }
            }
        }
        length
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{Network, Normalization};
    use tesuji_net::model::{ResidualPlan, residual};

    const RATE: f32 = 0.1;

    fn network() -> Network {
        Network::new(&residual("test", &ResidualPlan::new(1, 4)), Normalization::Batch).unwrap()
    }

    fn optimizer(rule: Rule) -> Optimizer {
        let schedule = Schedule { rate: RATE, warm_up: 0, shape: Shape::Constant };
        Optimizer { rule, schedule, weight_decay: 0.0, clip: 0.0 }
    }

    #[test]
    fn a_bowl_is_descended_to_its_bottom() {
        let network = network();
        for rule in [Rule::SGD, Rule::ADAM] {
            let optimizer = optimizer(rule);
            let mut parameters = vec![1.0; network.layout().len()];
            let mut moments = optimizer.initial_moments(parameters.len());
            for step in 0..300 {
                let gradients: Vec<f32> = parameters.iter().map(|p| p - 0.25).collect();
                optimizer.step(network.layout(), step, RATE, &gradients, &mut parameters, &mut moments);
            }
            assert!(parameters.iter().all(|p| (p - 0.25).abs() < 1e-3), "{rule:?}: {}", parameters[0]);
        }
    }

    /// The first steps by the formulas of the papers, with pencil and paper.
    #[test]
    fn first_steps_are_those_of_the_papers() {
        let network = network();
        let gradients = vec![0.5; network.layout().len()];
        let check = |optimizer: &Optimizer, expected: [f32; 2]| {
            let mut parameters = vec![1.0; gradients.len()];
            let mut moments = optimizer.initial_moments(gradients.len());
            for (step, expected) in (0..).zip(expected) {
                optimizer.step(network.layout(), step, RATE, &gradients, &mut parameters, &mut moments);
                assert!((parameters[0] - expected).abs() < 1e-6, "{} at {step}", parameters[0]);
            }
        };
        // 1 − 0.1·0.5; then the momentum is 0.9·0.5 + 0.5.
        check(&optimizer(Rule::SGD), [0.95, 0.95 - 0.095]);
        // Adam moves by the sign of a constant gradient.
        check(&optimizer(Rule::ADAM), [0.9, 0.8]);
        let decay = Optimizer { weight_decay: 0.1, ..optimizer(Rule::SGD) };
        // 0.5 + 0.1·1, then 0.9·0.6 + 0.5 + 0.1·0.94.
        check(&decay, [0.94, 0.94 - 0.1134]);
        let decay = Optimizer { weight_decay: 0.1, ..optimizer(Rule::ADAM) };
        check(&decay, [0.89, 0.89 - 0.1 - 0.0089]);
        // Shortened to a hundredth: each of n equal numbers becomes 0.01/√n.
        let each = 0.01 / (gradients.len() as f32).sqrt();
        let clip = Optimizer { clip: 0.01, ..optimizer(Rule::SGD) };
        check(&clip, [1.0 - 0.1 * each, 1.0 - 0.1 * each - 0.19 * each]);
    }

    #[test]
    fn scales_and_biases_do_not_decay() {
        let network = network();
        let optimizer = Optimizer { weight_decay: 0.5, ..optimizer(Rule::SGD) };
        let mut parameters = vec![1.0; network.layout().len()];
        let mut moments = optimizer.initial_moments(parameters.len());
        let gradients = vec![0.0; parameters.len()];
        optimizer.step(network.layout(), 0, RATE, &gradients, &mut parameters, &mut moments);
        for entry in network.layout().entries() {
            let is_weight = entry.role == Role::Weight;
            let expected = if is_weight { 0.95 } else { 1.0 };
            assert!(parameters[entry.range.clone()].iter().all(|&p| p == expected), "{}", entry.name);
        }
    }

    #[test]
    fn a_gradient_that_is_no_number_changes_nothing() {
        let network = network();
        let optimizer = optimizer(Rule::ADAM);
        let mut parameters = vec![1.0; network.layout().len()];
        let mut moments = optimizer.initial_moments(parameters.len());
        let mut gradients = vec![0.1; parameters.len()];
        gradients[7] = f32::NAN;
        let length = optimizer.step(network.layout(), 0, RATE, &gradients, &mut parameters, &mut moments);
        assert!(length.is_nan() && parameters.iter().all(|&p| p == 1.0));
        assert_eq!(moments, optimizer.initial_moments(parameters.len()));
    }
}
