//! Whether matrix products come out right on this processor: what is asked before instructions are used that few processors have.

use super::gemm::{Panel, Rows, multiply};
use super::lanes::{Lanes, WIDTH};
use super::simd::{Kernel, Simd};

/// Compares products of several shapes with sums by definition. The numbers are whole and small, so all formats have them, and every sum
/// is exact.
pub(crate) struct SelfCheck;

/// A product.
struct Shape {
    rows: usize,
    /// Lanes of a row that are multiplied.
    depth: usize,
    distances: &'static [usize],
}

/// Rows that fill tiles of all heights and such that do not; the last one is a 3×3 convolution on a board with rows of six points.
const SHAPES: [Shape; 4] = [
    Shape { rows: 1, depth: 1, distances: &[0] },
    Shape { rows: 16, depth: 2, distances: &[0] },
    Shape { rows: 33, depth: 3, distances: &[5, 0] },
    Shape { rows: 32, depth: 1, distances: &[0, 1, 2, 6, 7, 8, 12, 13, 14] },
];

/// What is where nothing should be written.
const UNTOUCHED: Lanes = Lanes([0.5; WIDTH]);

impl Kernel for SelfCheck {
    type Output = bool;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> bool {
        (1..=S::TILE_ROWS.len()).all(|columns| SHAPES.iter().all(|shape| is_right(simd, shape, columns)))
    }
}

#[inline(always)]
fn is_right<S: Simd>(simd: S, shape: &Shape, columns: usize) -> bool {
    let &Shape { rows, depth, distances } = shape;
    let (inputs, outputs) = (depth * WIDTH * S::DEPTH, columns * WIDTH);
    let filled = rows.next_multiple_of(S::ROWS_STEP);
    // One lane more than needed from row to row, on both sides.
    let (stride, out_stride) = (depth + 1, columns + 1);
    let seen = filled + distances.iter().max().copied().unwrap_or(0);
    // A row of inputs after the other, and a row of outputs for each input of each distance.
    let left: Vec<i32> =
        (0..seen * inputs).map(|i| (i / inputs * 7 + i % inputs * 5) as i32 % 11 - 5).collect();
    let right: Vec<i32> = (0..distances.len() * inputs * outputs)
        .map(|i| (i / outputs * 3 + i / outputs / 29 + i % outputs * 5) as i32 % 13 - 6)
        .collect();

    let mut a = vec![UNTOUCHED; seen * stride];
    for (to, from) in a.chunks_exact_mut(stride).zip(left.chunks_exact(inputs)) {
        put(simd, to, inputs, |k| from[k]);
    }
    let mut b = vec![Lanes::ZERO; distances.len() * depth * WIDTH * columns];
    for (place, to) in b.chunks_exact_mut(1).enumerate() {
        let (step, column) = (place / columns, place % columns);
        // A lane has the weights of consecutive inputs.
        let weight =
            |i: usize| right[(step * S::DEPTH + i % S::DEPTH) * outputs + column * WIDTH + i / S::DEPTH];
        put(simd, to, WIDTH * S::DEPTH, weight);
    }
    let factors = vec![Lanes([1.0; WIDTH]); S::STEPS.map_or(0, |_| columns)];
    let mut out = vec![UNTOUCHED; filled * out_stride];
    let rows = Rows { data: &a, stride, count: rows, distances };
    multiply(simd, rows, Panel { data: &b, factors: &factors, columns }, &mut out, out_stride);

    let mut expected = vec![0i32; outputs];
    out.chunks_exact(out_stride).enumerate().all(|(row, found)| {
        expected.fill(0);
        for (tap, distance) in distances.iter().enumerate() {
            let left = &left[(row + distance) * inputs..][..inputs];
            let right = &right[tap * inputs * outputs..][..inputs * outputs];
            for (x, weights) in left.iter().zip(right.chunks_exact(outputs)) {
                expected.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += x * weight);
            }
        }
        let sums = found[..columns].iter().flat_map(|lanes| lanes.0);
        sums.zip(&expected).all(|(found, &expected)| found == expected as f32) && found[columns] == UNTOUCHED
    })
}

/// Writes so many multiplicands.
#[inline(always)]
fn put<S: Simd>(simd: S, to: &mut [Lanes], count: usize, number: impl Fn(usize) -> i32) {
    for place in 0..count / WIDTH {
        let numbers = Lanes(std::array::from_fn(|i| number(place * WIDTH + i) as f32));
        simd.put(to, place, simd.load(&numbers));
    }
}
