//! Weights to begin with.

use super::Network;
use tesuji_net::model::Role;
use tesuji_search::Rng;

impl Network {
    /// Random weights for a seed: normal, with the variance that keeps values in range through ReLUs (He et al. 2015).
    ///
    /// The last convolution of a residual block begins smaller the more blocks there are, and outputs begin near zero, so that the first
    /// steps are not spent on undoing chance.
    pub fn initial_parameters(&self, seed: u64) -> Vec<f32> {
        let blocks = self.description().trunk.blocks.len().max(1) as f64;
        let mut parameters = vec![0.0; self.layout().len()];
        for (index, entry) in self.layout().entries().iter().enumerate() {
            let list = &mut parameters[entry.range.clone()];
            match entry.role {
                Role::Scale => list.fill(1.0),
                Role::Bias | Role::Frequency => (),
                Role::Weight => {
                    let inputs: usize = entry.shape.iter().rev().skip(1).product();
                    let name = entry.name.as_str();
                    let factor = if name.ends_with(".last.weights") || name.ends_with(".up.weights") {
                        1.0 / blocks.sqrt()
                    } else if OUTPUTS.contains(&name) {
                        0.1
                    } else {
                        1.0
                    };
                    let deviation = factor * (2.0 / inputs as f64).sqrt();
                    let mut rng = Rng::for_stream(seed, index as u64);
                    list.iter_mut().for_each(|weight| *weight = (deviation * normal(&mut rng)) as f32);
                }
            }
        }
        parameters
    }
}

/// The layers that make outputs.
const OUTPUTS: [&str; 8] = [
    "policy.conv.weights",
    "policy.out.weights",
    "policy.pass.weights",
    "policy.pass.out.weights",
    "value.out.weights",
    "value.outcome.weights",
    "value.score.out.weights",
    "value.ownership.weights",
];

/// A number of the standard normal distribution (Box, Muller 1958).
fn normal(rng: &mut Rng) -> f64 {
    let unit = |bits: u64| ((bits >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
    let (a, b) = (unit(rng.next_u64()), unit(rng.next_u64()));
    (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
}
