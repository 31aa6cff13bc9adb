//! Convolutions that are matrix products at once: 1×1, dense layers (their boards are the rows), and kernels of unusual size, whose
//! inputs are gathered first.

use super::finish::Finish;
use super::gemm::{Rows, Weights, multiply};
use super::lanes::Lanes;
use super::simd::{Kernel, Simd};

/// A product of rows and weights. Buffers have a row 0 before the first row that counts.
pub(crate) struct ConvolveRows<'a> {
    /// Rows to compute, from row 1.
    pub(crate) rows: usize,
    /// Rows that are computed together.
    pub(crate) chunk: usize,
    /// A row per point, after row 0.
    pub(crate) input: &'a [Lanes],
    /// Lanes of a row of input.
    pub(crate) input_lanes: usize,
    /// Which rows of input make a row of the left matrix.
    pub(crate) gather: Gather<'a>,
    pub(crate) weights: Weights<'a>,
    /// Room for a chunk of rows of the left matrix, if they are not used where they are.
    pub(crate) gathered: &'a mut [Lanes],
    /// Room for the products of a chunk.
    pub(crate) products: &'a mut [Lanes],
    /// What becomes of the result.
    pub(crate) finish: Finish<'a>,
}

/// Which rows of input make a row of the left matrix.
#[derive(Clone, Copy)]
pub(crate) enum Gather<'a> {
    /// The row itself.
    Same,
    /// `[row][tap]`: as many as the kernel has places, one after the other.
    Taps(usize, &'a [u32]),
}

impl Kernel for ConvolveRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let packing = self.weights.packing;
        let mut first = 0;
        while first < self.rows {
            let count = self.chunk.min(self.rows - first);
            let in_place = S::DEPTH == 1 && matches!(self.gather, Gather::Same);
            if !in_place {
                self.gather(simd, first, count);
            }
            for group in packing.groups() {
                let rows = if in_place {
                    let data = &self.input[(first + 1) * self.input_lanes..];
                    Rows { data, stride: self.input_lanes, count }
                } else {
                    Rows { data: self.gathered, stride: packing.depth, count }
                };
                multiply(simd, rows, self.weights.panel(group, 0), self.products, group.columns);
                for lane in 0..group.columns {
                    let norm = self.finish.column(simd, group.start + lane);
                    for row in 0..count {
                        let sums = simd.load(&self.products[row * group.columns + lane]);
                        self.finish.take(simd, first + row + 1, group.start + lane, &norm, sums);
                    }
                }
            }
            first += count;
        }
    }
}

impl ConvolveRows<'_> {
    #[inline(always)]
    fn gather<S: Simd>(&mut self, simd: S, first: usize, count: usize) {
        let (lanes, depth) = (self.input_lanes, self.weights.packing.depth);
        for row in 0..count {
            let to = &mut self.gathered[row * depth..][..depth];
            let mut place = 0;
            let mut copy = |from: usize| {
                for x in &self.input[from * lanes..][..lanes] {
                    simd.put(to, place, simd.load(x));
                    place += 1;
                }
            };
            match self.gather {
                Gather::Same => copy(first + row + 1),
                Gather::Taps(taps, sources) => {
                    for &from in &sources[(first + row) * taps..][..taps] {
                        copy(from as usize);
                    }
                }
            }
            while place < depth * S::DEPTH {
                simd.put(to, place, simd.splat(0.0));
                place += 1;
            }
        }
    }
}
