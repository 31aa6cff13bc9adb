//! Batch norm (Ioffe, Szegedy 2015) and the activation after it, in one pass over the numbers.
//!
//! Statistics are those of one shard, not of the whole batch ("ghost" batch norm; Hoffer, Hubara, Soudry 2017): so shards need
//! not wait for each other, and the result does not depend on how many threads there are. Sums run over the points of a board in f32 and
//! over boards in f64.

use super::activation::{Function, Identity, Mish, Relu, Silu};
use super::{Boards, Into};
use tesuji_net::model::Activation;

/// Added to the variance.
pub(crate) const EPSILON: f32 = 1e-5;

/// What a norm did in the forward pass: `y = f(x · scale + shift)` in each channel.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) mean: Vec<f32>,
    pub(crate) variance: Vec<f32>,
    /// `1 / √(variance + epsilon)`.
    inverse: Vec<f32>,
    scale: Vec<f32>,
    shift: Vec<f32>,
    /// Whether mean and variance are those of the shard, and so depend on `x`.
    is_batch: bool,
}

/// The parameters of a norm.
#[derive(Clone, Copy)]
pub(crate) struct Parameters<'a> {
    pub(crate) scale: &'a [f32],
    pub(crate) bias: &'a [f32],
}

impl Seen {
    /// Looks at a shard and norms by its own mean and variance.
    pub(crate) fn by_batch(&mut self, boards: &Boards, x: &[f32], parameters: Parameters<'_>) {
        let channels = parameters.scale.len();
        let (mut sums, mut squares) = (vec![0.0f64; channels], vec![0.0f64; channels]);
        let (mut sum, mut square) = (vec![0.0f32; channels], vec![0.0f32; channels]);
        for board in x.chunks_exact(boards.area() * channels) {
            sum.fill(0.0);
            square.fill(0.0);
            for point in board.chunks_exact(channels) {
                for ((sum, square), &value) in sum.iter_mut().zip(&mut square).zip(point) {
                    *sum += value;
                    *square += value * value;
                }
            }
            sums.iter_mut().zip(&sum).for_each(|(all, &one)| *all += f64::from(one));
            squares.iter_mut().zip(&square).for_each(|(all, &one)| *all += f64::from(one));
        }
        let points = boards.points() as f64;
        self.mean.clear();
        self.variance.clear();
        for (sum, square) in sums.iter().zip(&squares) {
            let mean = sum / points;
            self.mean.push(mean as f32);
            // Rounding may leave a constant channel slightly negative; a NaN must stay one.
            let variance = square / points - mean * mean;
            self.variance.push(if variance < 0.0 { 0.0 } else { variance as f32 });
        }
        self.is_batch = true;
        self.finish(parameters);
    }

    /// Norms by given statistics: those of earlier batches in evaluation, or 0 and 1 for a layer that has none.
    pub(crate) fn by_statistics(&mut self, mean: &[f32], variance: &[f32], parameters: Parameters<'_>) {
        mean.clone_into(&mut self.mean);
        variance.clone_into(&mut self.variance);
        self.is_batch = false;
        self.finish(parameters);
    }

    /// Only scale and bias: a layer that has no statistics.
    pub(crate) fn by_nothing(&mut self, parameters: Parameters<'_>) {
        let channels = parameters.scale.len();
        self.mean = vec![0.0; channels];
        self.variance = vec![1.0; channels];
        self.inverse = vec![1.0; channels];
        self.is_batch = false;
        parameters.scale.clone_into(&mut self.scale);
        parameters.bias.clone_into(&mut self.shift);
    }

    fn finish(&mut self, parameters: Parameters<'_>) {
        self.inverse.clear();
        self.inverse.extend(self.variance.iter().map(|variance| 1.0 / (variance + EPSILON).sqrt()));
        self.scale.clear();
        self.scale.extend(self.inverse.iter().zip(parameters.scale).map(|(inverse, scale)| inverse * scale));
        self.shift.clear();
        let terms = self.mean.iter().zip(&self.scale).zip(parameters.bias);
        self.shift.extend(terms.map(|((mean, scale), bias)| bias - mean * scale));
    }

    /// `y = f(norm(x))`.
    pub(crate) fn forward(&self, activation: Activation, x: &[f32], y: &mut [f32]) {
        match activation {
            Activation::Identity => self.forward_as::<Identity>(x, y),
            Activation::Relu => self.forward_as::<Relu>(x, y),
            Activation::Mish => self.forward_as::<Mish>(x, y),
            Activation::Silu => self.forward_as::<Silu>(x, y),
        }
    }

    fn forward_as<F: Function>(&self, x: &[f32], y: &mut [f32]) {
        let channels = self.scale.len();
        let (scale, shift) = (&self.scale[..channels], &self.shift[..channels]);
        for (x, y) in x.chunks_exact(channels).zip(y.chunks_exact_mut(channels)) {
            for channel in 0..channels {
                y[channel] = F::value(x[channel] * scale[channel] + shift[channel]);
            }
        }
    }

    /// Makes `dx`, and adds the gradients of scale and bias; `gradient` is lost on the way.
    #[expect(clippy::too_many_arguments, reason = "two gradients in, three out")]
    pub(crate) fn backward(
        &self,
        boards: &Boards,
        activation: Activation,
        x: &[f32],
        gradient: &mut [f32],
        dx: &mut [f32],
        into: Into,
        d_scale: &mut [f32],
        d_bias: &mut [f32],
    ) {
        let sums = match activation {
            Activation::Identity => self.sums::<Identity>(boards, x, gradient),
            Activation::Relu => self.sums::<Relu>(boards, x, gradient),
            Activation::Mish => self.sums::<Mish>(boards, x, gradient),
            Activation::Silu => self.sums::<Silu>(boards, x, gradient),
        };
        let channels = self.scale.len();
        // dx = scale · (g − mean(g) − x̂ · mean(g x̂)) is linear in g and x: one factor each, and a constant.
        let (mut factor, mut constant) = (vec![0.0f32; channels], vec![0.0f32; channels]);
        for (channel, &(g, gx)) in sums.iter().enumerate() {
            d_bias[channel] += g as f32;
            d_scale[channel] += gx as f32;
            if self.is_batch {
                let points = boards.points() as f64;
                let (mean, inverse) = (f64::from(self.mean[channel]), f64::from(self.inverse[channel]));
                let scale = f64::from(self.scale[channel]);
                factor[channel] = (-scale * inverse * gx / points) as f32;
                constant[channel] = (-scale * (g - mean * inverse * gx) / points) as f32;
            }
        }
        let scale = &self.scale[..channels];
        let rows = gradient.chunks_exact(channels).zip(x.chunks_exact(channels));
        for (dx, (g, x)) in dx.chunks_exact_mut(channels).zip(rows) {
            match into {
                Into::Replace => {
                    for c in 0..channels {
                        dx[c] = g[c] * scale[c] + x[c] * factor[c] + constant[c];
                    }
                }
                Into::Add => {
                    for c in 0..channels {
                        dx[c] += g[c] * scale[c] + x[c] * factor[c] + constant[c];
                    }
                }
            }
        }
    }

    /// Takes the gradient through the activation, and sums it, and it times the normed `x`, over all points.
    fn sums<F: Function>(&self, boards: &Boards, x: &[f32], gradient: &mut [f32]) -> Vec<(f64, f64)> {
        let channels = self.scale.len();
        let mut sums = vec![(0.0f64, 0.0f64); channels];
        let (mut plain, mut times) = (vec![0.0f32; channels], vec![0.0f32; channels]);
        let (scale, shift) = (&self.scale[..channels], &self.shift[..channels]);
        let length = boards.area() * channels;
        for (x, gradient) in x.chunks_exact(length).zip(gradient.chunks_exact_mut(length)) {
            plain.fill(0.0);
            times.fill(0.0);
            for (x, g) in x.chunks_exact(channels).zip(gradient.chunks_exact_mut(channels)) {
                for c in 0..channels {
                    let through = g[c] * F::slope(x[c] * scale[c] + shift[c]);
                    g[c] = through;
                    plain[c] += through;
                    times[c] += through * x[c];
                }
            }
            for (c, (g, gx)) in sums.iter_mut().enumerate() {
                *g += f64::from(plain[c]);
                *gx += f64::from(times[c]);
            }
        }
        for (c, (g, gx)) in sums.iter_mut().enumerate() {
            *gx = (*gx - f64::from(self.mean[c]) * *g) * f64::from(self.inverse[c]);
        }
        sums
    }
}
