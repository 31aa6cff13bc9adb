//! Pooling over the whole board, as `tesuji_net::model` defines it: three numbers per channel.

use super::{Boards, Into};

/// The two kinds of pooling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pooling {
    /// Mean, mean scaled by the board's side, maximum.
    WithMaximum,
    /// Mean, and the mean scaled in two ways: the value head's.
    Means,
}

impl Pooling {
    /// What the mean is multiplied with in the second and, for [`Pooling::Means`], third part.
    fn factors(self, area: usize) -> (f32, f32) {
        let side = (area as f32).sqrt() - 14.0;
        match self {
            Pooling::WithMaximum => (side / 10.0, 0.0),
            Pooling::Means => (side / 10.0, side * side / 100.0 - 0.1),
        }
    }

    /// `pooled` is `[board][3 · channels]`; `places` gets the point of each channel's maximum (the first of equal ones).
    pub(crate) fn forward(
        self,
        boards: &Boards,
        channels: usize,
        x: &[f32],
        pooled: &mut [f32],
        places: &mut [u32],
    ) {
        let (second, third) = self.factors(boards.area());
        let each = x.chunks_exact(boards.area() * channels);
        let results = pooled.chunks_exact_mut(3 * channels).zip(places.chunks_exact_mut(channels));
        for (board, (pooled, places)) in each.zip(results) {
            let (mean, rest) = pooled.split_at_mut(channels);
            let (scaled, last) = rest.split_at_mut(channels);
            mean.fill(0.0);
            for point in board.chunks_exact(channels) {
                mean.iter_mut().zip(point).for_each(|(sum, value)| *sum += value);
            }
            mean.iter_mut().for_each(|sum| *sum /= boards.area() as f32);
            scaled.iter_mut().zip(&*mean).for_each(|(scaled, mean)| *scaled = mean * second);
            match self {
                Pooling::Means => last.iter_mut().zip(&*mean).for_each(|(last, mean)| *last = mean * third),
                Pooling::WithMaximum => {
                    last.copy_from_slice(&board[..channels]);
                    places.fill(0);
                    for (index, point) in board.chunks_exact(channels).enumerate().skip(1) {
                        for ((last, place), &value) in last.iter_mut().zip(places.iter_mut()).zip(point) {
                            if value > *last {
                                (*last, *place) = (value, index as u32);
                            }
                        }
                    }
                }
            }
        }
    }

    /// The gradient of what was pooled.
    pub(crate) fn backward(
        self,
        boards: &Boards,
        channels: usize,
        gradient: &[f32],
        places: &[u32],
        dx: &mut [f32],
        into: Into,
    ) {
        let (second, third) = self.factors(boards.area());
        let share = 1.0 / boards.area() as f32;
        let each = dx.chunks_exact_mut(boards.area() * channels);
        let given = gradient.chunks_exact(3 * channels).zip(places.chunks_exact(channels));
        for (board, (gradient, places)) in each.zip(given) {
            let (mean, rest) = gradient.split_at(channels);
            let (scaled, last) = rest.split_at(channels);
            if into == Into::Replace {
                board.fill(0.0);
            }
            for point in board.chunks_exact_mut(channels) {
                for (channel, value) in point.iter_mut().enumerate() {
                    *value += (mean[channel] + second * scaled[channel] + third * last[channel]) * share;
                }
            }
            if self == Pooling::WithMaximum {
                for (channel, (&place, last)) in places.iter().zip(last).enumerate() {
                    board[place as usize * channels + channel] += last;
                }
            }
        }
    }
}
