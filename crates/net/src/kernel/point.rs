//! What is done at each point by itself: norms and activations that no convolution could take along.

use super::activation::activate;
use super::finish::Norm;
use super::lanes::{Lanes, WIDTH};
use super::simd::{Kernel, Simd};
use crate::model::{Activation, Extent};

/// Some columns of a buffer with a row per point.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    /// The buffer, row 0 included.
    pub(crate) data: &'a [Lanes],
    /// Lanes of a row.
    pub(crate) stride: usize,
    /// First lane in the row.
    pub(crate) start: usize,
}

/// Some columns of a buffer with a row per point, to be written.
pub(crate) struct Target<'a> {
    /// The buffer, row 0 included.
    pub(crate) data: &'a mut [Lanes],
    /// Lanes of a row.
    pub(crate) stride: usize,
    /// First lane in the row.
    pub(crate) start: usize,
}

/// Norm and activation of the points of some boards.
pub(crate) struct Activate<'a> {
    pub(crate) boards: usize,
    pub(crate) area: usize,
    /// How many columns.
    pub(crate) columns: usize,
    pub(crate) from: Source<'a>,
    pub(crate) to: Target<'a>,
    pub(crate) norm: Norm<'a>,
    /// Per board, a number to be added to each channel before the norm; row 0 is not used.
    pub(crate) added: Option<&'a [Lanes]>,
}

impl Kernel for Activate<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Activate { from, to, .. } = self;
        for board in 0..self.boards {
            for column in 0..self.columns {
                let norm = self.norm.column(simd, column);
                let added = match self.added {
                    Some(added) => simd.load(&added[(board + 1) * self.columns + column]),
                    None => simd.splat(0.0),
                };
                for row in board * self.area + 1..(board + 1) * self.area + 1 {
                    let x = simd.load(&from.data[row * from.stride + from.start + column]);
                    let y = norm.apply(simd, simd.add(x, added));
                    simd.store(&mut to.data[row * to.stride + to.start + column], y);
                }
            }
        }
    }
}

/// Division by the root of the mean square, with factor, summand and activation.
pub(crate) struct RootMeanSquare<'a> {
    pub(crate) boards: usize,
    pub(crate) area: usize,
    /// Lanes of a row of both buffers.
    pub(crate) columns: usize,
    /// Channels; the lanes behind them are zero.
    pub(crate) channels: usize,
    pub(crate) from: &'a [Lanes],
    pub(crate) to: &'a mut [Lanes],
    pub(crate) norm: Norm<'a>,
    pub(crate) epsilon: f32,
    /// How many points share a mean.
    pub(crate) extent: Extent,
}

impl Kernel for RootMeanSquare<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let points = match self.extent {
            Extent::Point => 1,
            Extent::Board => self.area,
        };
        let size = points * self.columns;
        let from = self.from[self.columns..].chunks_exact(size);
        let to = self.to[self.columns..].chunks_exact_mut(size);
        let number = (points * self.channels) as f32;
        for (from, to) in from.zip(to).take(self.boards * self.area / points) {
            let mut sum = simd.splat(0.0);
            for x in from {
                let x = simd.load(x);
                sum = simd.mul_add(x, x, sum);
            }
            let mean = total(simd, sum) / number;
            let root = (mean + self.epsilon).sqrt();
            // Zeros stay zeros where epsilon is 0.
            let factor = simd.splat(if root > 0.0 { 1.0 / root } else { 0.0 });
            for (from, to) in from.chunks_exact(self.columns).zip(to.chunks_exact_mut(self.columns)) {
                for (column, (x, y)) in from.iter().zip(to).enumerate() {
                    let scaled =
                        simd.mul(simd.mul(simd.load(x), factor), simd.load(&self.norm.scale[column]));
                    let sum = simd.add(scaled, simd.load(&self.norm.bias[column]));
                    simd.store(y, activate(simd, self.norm.activation, sum));
                }
            }
        }
    }
}

/// `to = silu(from) * gate`, the gate lying behind `from` in each row.
pub(crate) struct Gate<'a> {
    pub(crate) rows: usize,
    /// Lanes of a row of the result, and of each half of the source.
    pub(crate) columns: usize,
    pub(crate) from: &'a [Lanes],
    pub(crate) to: &'a mut [Lanes],
}

impl Kernel for Gate<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let from = self.from.chunks_exact(2 * self.columns).skip(1);
        let to = self.to.chunks_exact_mut(self.columns).skip(1);
        for (from, to) in from.zip(to).take(self.rows) {
            let (hidden, gate) = from.split_at(self.columns);
            for ((x, gate), y) in hidden.iter().zip(gate).zip(to) {
                let x = activate(simd, Activation::Silu, simd.load(x));
                simd.store(y, simd.mul(x, simd.load(gate)));
            }
        }
    }
}

/// The sum of all lanes.
#[inline(always)]
pub(crate) fn total<S: Simd>(simd: S, x: S::Vector) -> f32 {
    let mut lanes = Lanes::ZERO;
    simd.store(&mut lanes, x);
    let mut half = WIDTH / 2;
    while half > 0 {
        for i in 0..half {
            lanes.0[i] += lanes.0[i + half];
        }
        half /= 2;
    }
    lanes.0[0]
}
