//! Pooling: numbers of the whole board.

use super::finish::Norm;
use super::lanes::Lanes;
use super::point::Source;
use super::simd::{Kernel, Simd};

/// Three numbers per channel of each board, after norm and activation.
pub(crate) struct Pool<'a> {
    pub(crate) boards: usize,
    pub(crate) area: usize,
    /// How many columns.
    pub(crate) columns: usize,
    pub(crate) from: Source<'a>,
    pub(crate) norm: Norm<'a>,
    pub(crate) third: Third,
    /// A row per board, after row 0: `columns` lanes with means, as many with scaled means, as many with the third number.
    pub(crate) to: &'a mut [Lanes],
}

/// The third pooled number of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Third {
    /// The largest.
    Max,
    /// The mean, scaled by the square of the board's size: for value heads.
    SquareMean,
}

impl Kernel for Pool<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let from = self.from;
        let spread = (self.area as f32).sqrt() - 14.0;
        for board in 0..self.boards {
            for column in 0..self.columns {
                let norm = self.norm.column(simd, column);
                let mut sum = simd.splat(0.0);
                let mut largest = simd.splat(f32::NEG_INFINITY);
                for row in board * self.area + 1..(board + 1) * self.area + 1 {
                    let x = simd.load(&from.data[row * from.stride + from.start + column]);
                    let x = norm.apply(simd, x);
                    sum = simd.add(sum, x);
                    largest = simd.max(largest, x);
                }
                let mean = simd.mul(sum, simd.splat(1.0 / self.area as f32));
                let third = match self.third {
                    Third::Max => largest,
                    Third::SquareMean => simd.mul(mean, simd.splat(spread * spread / 100.0 - 0.1)),
                };
                let to = &mut self.to[(board + 1) * 3 * self.columns..][..3 * self.columns];
                simd.store(&mut to[column], mean);
                simd.store(&mut to[self.columns + column], simd.mul(mean, simd.splat(spread / 10.0)));
                simd.store(&mut to[2 * self.columns + column], third);
            }
        }
    }
}
