//! The first layer: few inputs are not zero, so only those are looked at.

use super::lanes::Lanes;
use super::simd::{Kernel, Simd};

/// The first layer on one board.
pub(crate) struct Stem<'a> {
    /// The inputs that are not zero.
    pub(crate) inputs: &'a [Nonzero],
    /// `[tap][plane]`, a row of lanes each.
    pub(crate) weights: &'a [Lanes],
    pub(crate) planes: usize,
    /// `[point][tap]`: the row of `to` that sees the point through the tap; 0 if that is outside of the board.
    pub(crate) targets: &'a [u32],
    pub(crate) taps: usize,
    /// What the points begin with, a row each.
    pub(crate) base: &'a [Lanes],
    /// What is added to all points.
    pub(crate) added: &'a [Lanes],
    /// A row per point of the board, after one row that is not used.
    pub(crate) to: &'a mut [Lanes],
    /// Lanes of a row.
    pub(crate) columns: usize,
}

/// An input that is not zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Nonzero {
    pub(crate) plane: u32,
    pub(crate) point: u32,
    pub(crate) value: f32,
}

impl Kernel for Stem<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let columns = self.columns;
        let rows = self.to.chunks_exact_mut(columns).skip(1).zip(self.base.chunks_exact(columns));
        for (to, base) in rows {
            for ((to, base), added) in to.iter_mut().zip(base).zip(self.added) {
                simd.store(to, simd.add(simd.load(base), simd.load(added)));
            }
        }
        for input in self.inputs {
            let value = simd.splat(input.value);
            let targets = &self.targets[input.point as usize * self.taps..][..self.taps];
            for (tap, &row) in targets.iter().enumerate() {
                if row == 0 {
                    continue;
                }
                let weights =
                    &self.weights[(tap * self.planes + input.plane as usize) * columns..][..columns];
                let to = &mut self.to[row as usize * columns..][..columns];
                for (sum, weight) in to.iter_mut().zip(weights) {
                    let x = simd.mul_add(value, simd.load(weight), simd.load(sum));
                    simd.store(sum, x);
                }
            }
        }
    }
}
