//! The first layer: few inputs are not zero, so only those are looked at.

use super::lanes::Lanes;
use super::simd::{Kernel, Simd};

/// The first layer on one board.
pub(crate) struct Stem<'a> {
    /// The inputs that are not zero, point by point.
    pub(crate) inputs: &'a [Nonzero],
    /// Where the inputs of each point begin, and where the last ones end.
    pub(crate) starts: &'a [u32],
    /// `[tap][plane]`, a row of lanes each.
    pub(crate) weights: &'a [Lanes],
    pub(crate) planes: usize,
    /// `[point][tap]`: the number of the point that is seen there, counted from 1; 0 if that is outside of the board.
    pub(crate) sources: &'a [u32],
    pub(crate) taps: usize,
    /// What the points begin with, a row each.
    pub(crate) base: &'a [Lanes],
    /// What is added to all points.
    pub(crate) added: &'a [Lanes],
    /// A row per point of the board.
    pub(crate) to: &'a mut [Lanes],
    /// Lanes of a row.
    pub(crate) columns: usize,
}

/// An input that is not zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Nonzero {
    pub(crate) plane: u32,
    pub(crate) value: f32,
}

impl Kernel for Stem<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let mut start = 0;
        while start < self.columns {
            // As many sums as fit into the registers of AVX2.
            start += match self.columns - start {
                1 => self.sum::<S, 1>(simd, start),
                2 => self.sum::<S, 2>(simd, start),
                3 => self.sum::<S, 3>(simd, start),
                4 => self.sum::<S, 4>(simd, start),
                5 => self.sum::<S, 5>(simd, start),
                _ => self.sum::<S, 6>(simd, start),
            };
        }
    }
}

impl Stem<'_> {
    /// Sums up `B` lanes of all points, and returns how many that are.
    #[inline(always)]
    fn sum<S: Simd, const B: usize>(&mut self, simd: S, start: usize) -> usize {
        let columns = self.columns;
        let sources = self.sources.chunks_exact(self.taps);
        for (point, (to, sources)) in self.to.chunks_exact_mut(columns).zip(sources).enumerate() {
            let mut sums = [simd.splat(0.0); B];
            for (i, sum) in sums.iter_mut().enumerate() {
                let base = simd.load(&self.base[point * columns + start + i]);
                *sum = simd.add(base, simd.load(&self.added[start + i]));
            }
            for (tap, &source) in sources.iter().enumerate() {
                if source == 0 {
                    continue;
                }
                let source = source as usize;
                let inputs = &self.inputs[self.starts[source - 1] as usize..self.starts[source] as usize];
                for input in inputs {
                    let value = simd.splat(input.value);
                    let row = (tap * self.planes + input.plane as usize) * columns + start;
                    for (sum, weight) in sums.iter_mut().zip(&self.weights[row..row + B]) {
                        *sum = simd.mul_add(value, simd.load(weight), *sum);
                    }
                }
            }
            for (to, sum) in to[start..].iter_mut().zip(sums) {
                simd.store(to, sum);
            }
        }
        B
    }
}
