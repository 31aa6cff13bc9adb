//! Layers by their definitions.

use super::Features;
use crate::model::{Activation, Affine, Conv, Extent, MatMul, NormAct, RmsNorm};

/// A vector times a matrix.
pub(super) fn matmul(matmul: &MatMul, input: &[f64]) -> Vec<f64> {
    let mut output = vec![0.0; matmul.outputs];
    for (&x, weights) in input.iter().zip(matmul.weights.chunks_exact(matmul.outputs)) {
        accumulate(&mut output, x, weights);
    }
    output
}

/// Adds `x` times each weight.
fn accumulate(output: &mut [f64], x: f64, weights: &[f32]) {
    // Most inputs of first layers, and half of what ReLU leaves, are 0.
    if x != 0.0 {
        for (sum, &weight) in output.iter_mut().zip(weights) {
            *sum += x * f64::from(weight);
        }
    }
}

/// The value of an activation in f64.
pub(super) fn activate(activation: Activation, x: f64) -> f64 {
    match activation {
        Activation::Identity => x,
        Activation::Relu => x.max(0.0),
        Activation::Mish => x * softplus(x).tanh(),
        Activation::Silu => x / (1.0 + (-x).exp()),
    }
}

/// `ln(1 + eˣ)`, without overflow.
pub(super) fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

impl Features {
    /// A convolution: the sum over the kernel's places that lie on the board.
    pub(super) fn conv(&self, conv: &Conv) -> Features {
        let (width, height) = (self.size.width() as isize, self.size.height() as isize);
        let mut output = Features::new(self.size, conv.outputs);
        for row in 0..height {
            for column in 0..width {
                let target = (row * width + column) as usize;
                for y in 0..conv.height {
                    for x in 0..conv.width {
                        let from_row = row + y as isize - (conv.height / 2) as isize;
                        let from_column = column + x as isize - (conv.width / 2) as isize;
                        if !(0..height).contains(&from_row) || !(0..width).contains(&from_column) {
                            continue;
                        }
                        let source = (from_row * width + from_column) as usize;
                        let place = (y * conv.width + x) * conv.inputs * conv.outputs;
                        let weights = conv.weights[place..].chunks_exact(conv.outputs);
                        for (&value, weights) in self.point(source).iter().zip(weights) {
                            accumulate(output.point_mut(target), value, weights);
                        }
                    }
                }
            }
        }
        output
    }

    /// A matrix applied to each point.
    pub(super) fn matmul(&self, weights: &MatMul) -> Features {
        let mut output = Features::new(self.size, weights.outputs);
        for point in 0..self.size.area() {
            output.point_mut(point).copy_from_slice(&matmul(weights, self.point(point)));
        }
        output
    }

    pub(super) fn activate(&mut self, activation: Activation) {
        for value in &mut self.values {
            *value = activate(activation, *value);
        }
    }

    pub(super) fn affine(&mut self, affine: &Affine) {
        for values in self.values.chunks_exact_mut(self.channels) {
            for (channel, value) in values.iter_mut().enumerate() {
                *value = *value * f64::from(affine.scale[channel]) + f64::from(affine.bias[channel]);
            }
        }
    }

    /// The features after a norm and its activation.
    pub(super) fn norm_act(&self, act: &NormAct) -> Features {
        let mut output = self.clone();
        output.affine(&act.norm);
        output.activate(act.activation);
        output
    }

    pub(super) fn rms_norm(&mut self, norm: &RmsNorm) {
        let extent = match norm.extent {
            Extent::Point => self.channels,
            Extent::Board => self.values.len(),
        };
        for part in self.values.chunks_exact_mut(extent) {
            let square = part.iter().map(|value| value * value).sum::<f64>() / part.len() as f64;
            let divisor = (square + f64::from(norm.epsilon)).sqrt();
            // Zeros stay zeros where epsilon is 0.
            let factor = if divisor > 0.0 { 1.0 / divisor } else { 0.0 };
            for (index, value) in part.iter_mut().enumerate() {
                let channel = index % self.channels;
                let bias = if norm.has_bias { f64::from(norm.bias[channel]) } else { 0.0 };
                *value = *value * factor * f64::from(norm.scale[channel]) + bias;
            }
        }
    }

    /// Means, means by the board's side, and maxima: what blocks and the policy head pool.
    pub(super) fn pool(&self) -> Vec<f64> {
        let means = self.means();
        let side = (self.size.area() as f64).sqrt() - 14.0;
        let mut pooled = means.clone();
        pooled.extend(means.iter().map(|mean| mean * side / 10.0));
        for channel in 0..self.channels {
            let values = self.values.iter().skip(channel).step_by(self.channels);
            pooled.push(values.copied().fold(f64::NEG_INFINITY, f64::max));
        }
        pooled
    }

    /// Means, and means by the board's side and its square: what the value head pools.
    pub(super) fn value_pool(&self) -> Vec<f64> {
        let means = self.means();
        let side = (self.size.area() as f64).sqrt() - 14.0;
        let mut pooled = means.clone();
        pooled.extend(means.iter().map(|mean| mean * side / 10.0));
        pooled.extend(means.iter().map(|mean| mean * (side * side / 100.0 - 0.1)));
        pooled
    }

    fn means(&self) -> Vec<f64> {
        let mut means = vec![0.0; self.channels];
        for values in self.values.chunks_exact(self.channels) {
            for (mean, value) in means.iter_mut().zip(values) {
                *mean += value;
            }
        }
        let area = self.size.area() as f64;
        means.iter_mut().for_each(|mean| *mean /= area);
        means
    }
}
