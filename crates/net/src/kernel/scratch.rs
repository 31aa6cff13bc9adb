//! Memory that convolutions use in between.

use super::gemm::Packing;
use super::lanes::Lanes;
use super::memory::zeros;
use super::simd::Simd;

/// Rows of products are computed in multiples of at most this.
const ROWS_STEP: usize = 32;

/// Memory that convolutions use in between.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// The left matrices of the products of a chunk: its input, transformed or padded.
    pub(crate) transformed: Vec<Lanes>,
    /// The products of a chunk, for one group of columns.
    pub(crate) products: Vec<Lanes>,
    /// The largest number of each board or row of a chunk, where multiplicands are whole numbers.
    pub(crate) largest: Vec<f32>,
}

impl Scratch {
    /// Makes room for chunks of so many rows of input and of output at each position.
    pub(crate) fn reserve(&mut self, packing: Packing, inputs: usize, outputs: usize) {
        let grow = |list: &mut Vec<Lanes>, rows: usize, lanes: usize| {
            let lanes = rows.next_multiple_of(ROWS_STEP) * packing.positions * lanes;
            if list.len() < lanes {
                *list = zeros(lanes);
            }
        };
        grow(&mut self.transformed, inputs, packing.depth);
        grow(&mut self.products, outputs, packing.tile_columns);
        self.largest.resize(self.largest.len().max(inputs), 0.0);
    }
}

/// The largest absolute number, or the smallest normal one if all are zero.
#[inline(always)]
pub(crate) fn largest<S: Simd>(simd: S, numbers: &[Lanes]) -> f32 {
    let zero = simd.splat(0.0);
    let mut most = simd.splat(f32::MIN_POSITIVE);
    for lanes in numbers {
        let x = simd.load(lanes);
        most = simd.max(most, simd.max(x, simd.sub(zero, x)));
    }
    let mut lanes = Lanes::ZERO;
    simd.store(&mut lanes, most);
    lanes.0.into_iter().fold(f32::MIN_POSITIVE, f32::max)
}
