//! Matrix products: everything that is not convolved in the frequency domain, and the middle of what is.
//!
//! The left matrix has a row per point (or per tile of points), its columns contiguous; the right one are weights, packed
//! once in the order in which [`Simd::multiply`] reads them. Several products of the same shape with different weights, one per *position*
//! of a Winograd transform, are packed together.

use super::lanes::{Lanes, WIDTH};
use super::simd::Simd;

/// A small product: `out[row][column] = Σ a[row][k] * b[k][column]`.
pub(crate) struct Tile<'a> {
    /// Rows, at least 1.
    pub(crate) rows: usize,
    /// Columns in lanes, at least 1.
    pub(crate) columns: usize,
    /// Multiplicands as [`Simd::put`] writes them, row by row.
    pub(crate) a: &'a [Lanes],
    /// Lanes from row to row of `a`.
    pub(crate) a_stride: usize,
    /// `[step][column]`.
    pub(crate) b: &'a [Lanes],
    /// Sums, row by row.
    pub(crate) out: &'a mut [Lanes],
    /// Lanes from row to row of `out`.
    pub(crate) out_stride: usize,
}

impl Tile<'_> {
    /// That all numbers which the product needs are there; a kernel without bounds checks relies on it.
    #[inline(always)]
    pub(crate) fn check(&self) {
        assert!(self.rows > 0 && self.columns > 0, "an empty tile");
        let steps = self.b.len() / self.columns;
        assert!(
            steps * self.columns == self.b.len() && steps.is_multiple_of(WIDTH),
            "weights of another shape"
        );
        let depth = steps / WIDTH;
        assert!(self.a.len() >= (self.rows - 1) * self.a_stride + depth, "rows are missing");
        assert!(self.out.len() >= (self.rows - 1) * self.out_stride + self.columns, "too little room");
    }
}

/// The shape of packed weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Packing {
    /// Products packed together.
    pub(crate) positions: usize,
    /// Lanes of a row of the left matrix, in the format of the instruction set.
    pub(crate) depth: usize,
    /// Columns in lanes.
    pub(crate) columns: usize,
    /// Most columns of a tile.
    pub(crate) tile_columns: usize,
}

/// A range of columns that is computed tile by tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    /// First column, in lanes.
    pub(crate) start: usize,
    /// Columns, in lanes.
    pub(crate) columns: usize,
}

impl Packing {
    /// Lanes of the packed weights.
    pub(crate) fn len(&self) -> usize {
        self.positions * self.depth * WIDTH * self.columns
    }

    /// The columns in groups of nearly equal size.
    pub(crate) fn groups(self) -> impl Iterator<Item = Group> {
        let count = self.columns.div_ceil(self.tile_columns);
        (0..count).map(move |index| {
            let start = index * self.columns / count;
            Group { start, columns: (index + 1) * self.columns / count - start }
        })
    }

    /// Where the weights of a group and a position are.
    fn range(&self, group: Group, position: usize) -> std::ops::Range<usize> {
        let steps = self.depth * WIDTH;
        let start = steps * (self.positions * group.start + position * group.columns);
        start..start + steps * group.columns
    }
}

/// Packs weights: `weight(position, k, column)` for all `k` below `inputs` and all columns below `outputs`; zeros behind them.
pub(crate) fn pack<S: Simd>(
    simd: S,
    packing: Packing,
    inputs: usize,
    outputs: usize,
    weights: &mut [Lanes],
    weight: impl Fn(usize, usize, usize) -> f32,
) {
    assert_eq!(weights.len(), packing.len(), "room for other weights");
    assert!(
        inputs <= packing.depth * WIDTH * S::DEPTH && outputs <= packing.columns * WIDTH,
        "too small a shape"
    );
    // A lane of a step has `DEPTH` weights of consecutive inputs: sixteen of them at a time, in the order of the lanes.
    for group in packing.groups() {
        for position in 0..packing.positions {
            let panel = &mut weights[packing.range(group, position)];
            for (step, row) in panel.chunks_exact_mut(group.columns).enumerate() {
                for (column, lanes) in row.iter_mut().enumerate() {
                    let number = |place: usize| {
                        let (lane, k) = (place / S::DEPTH, step * S::DEPTH + place % S::DEPTH);
                        let output = (group.start + column) * WIDTH + lane;
                        if k < inputs && output < outputs { weight(position, k, output) } else { 0.0 }
                    };
                    for half in 0..S::DEPTH {
                        let numbers = Lanes(std::array::from_fn(|i| number(half * WIDTH + i)));
                        simd.put(std::slice::from_mut(lanes), half, simd.load(&numbers));
                    }
                }
            }
        }
    }
}

/// The left matrix of a product.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    /// Multiplicands as [`Simd::put`] writes them, row by row.
    pub(crate) data: &'a [Lanes],
    /// Lanes from row to row.
    pub(crate) stride: usize,
    /// How many rows.
    pub(crate) count: usize,
}

/// Packed weights.
#[derive(Clone, Copy)]
pub(crate) struct Weights<'a> {
    pub(crate) packing: Packing,
    pub(crate) data: &'a [Lanes],
}

impl<'a> Weights<'a> {
    /// The weights of a group of columns at a position.
    #[inline(always)]
    pub(crate) fn panel(&self, group: Group, position: usize) -> Panel<'a> {
        Panel { data: &self.data[self.packing.range(group, position)], columns: group.columns }
    }
}

/// Weights of a few columns, `[step][column]`.
#[derive(Clone, Copy)]
pub(crate) struct Panel<'a> {
    data: &'a [Lanes],
    columns: usize,
}

/// Multiplies all rows by the weights of a panel; `out` gets the panel's columns every `out_stride` lanes.
#[inline(always)]
pub(crate) fn multiply<S: Simd>(simd: S, a: Rows<'_>, b: Panel<'_>, out: &mut [Lanes], out_stride: usize) {
    // Tiles of nearly equal height: a low one at the end would use the registers badly.
    let tiles = a.count.div_ceil(S::TILE_ROWS[b.columns - 1]);
    for tile in 0..tiles {
        let start = tile * a.count / tiles;
        simd.multiply(Tile {
            rows: (tile + 1) * a.count / tiles - start,
            columns: b.columns,
            a: &a.data[start * a.stride..],
            a_stride: a.stride,
            b: b.data,
            out: &mut out[start * out_stride..],
            out_stride,
        });
    }
}
