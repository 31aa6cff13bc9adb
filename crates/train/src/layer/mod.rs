//! Layers: what each computes, and both its gradients, by hand.
//!
//! A layer works on a *shard*: some boards of one size, values as `[board][point][channel]` or `[board][number]`. It knows neither its
//! place in a network nor where its parameters live. Gradients with respect to parameters are always added to what is
//! there; those with respect to inputs say which in an [`Into`].

pub(crate) mod activation;
pub(crate) mod conv;
pub(crate) mod dense;
pub(crate) mod norm;
pub(crate) mod pool;

pub(crate) use crate::kernel::Into;

/// The boards of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Boards {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) count: usize,
}

impl Boards {
    /// Points of one board.
    pub(crate) fn area(&self) -> usize {
        self.width * self.height
    }

    /// Points of all boards.
    pub(crate) fn points(&self) -> usize {
        self.count * self.area()
    }
}

/// Adds what `from` has for each board to every point of `to`: a bias per channel.
pub(crate) fn add_channels(boards: &Boards, channels: usize, from: &[f32], to: &mut [f32]) {
    for (bias, board) in from.chunks_exact(channels).zip(to.chunks_exact_mut(boards.area() * channels)) {
        for point in board.chunks_exact_mut(channels) {
            point.iter_mut().zip(bias).for_each(|(value, bias)| *value += bias);
        }
    }
}

/// The gradient of the bias in [`add_channels`]: the sum over the points of each board.
pub(crate) fn sum_channels(boards: &Boards, channels: usize, gradient: &[f32], bias: &mut [f32], into: Into) {
    if into == Into::Replace {
        bias.fill(0.0);
    }
    for (bias, board) in bias.chunks_exact_mut(channels).zip(gradient.chunks_exact(boards.area() * channels))
    {
        for point in board.chunks_exact(channels) {
            bias.iter_mut().zip(point).for_each(|(sum, value)| *sum += value);
        }
    }
}
