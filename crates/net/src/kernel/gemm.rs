//! Matrix products: direct convolutions, and the middle of those by transforms.
//!
//! The left matrix has a row per point (or per tile of points), its columns contiguous; the right one are weights, packed
//! once in the order in which [`Simd::multiply`] reads them. Several products of the same shape with different weights, one per *position*
//! of a Winograd transform, are packed together.

use super::lanes::{Lanes, WIDTH};
use super::simd::Simd;

/// A small product: `out[row][column] = factors[column] * Σ a[row + distance][k] * b[distance][k][column]`, summed over `k` and a
/// list of distances.
pub(crate) struct Tile<'a> {
    /// Rows, at least 1.
    pub(crate) rows: usize,
    /// Columns in lanes, at least 1.
    pub(crate) columns: usize,
    /// Multiplicands as [`Simd::put`] writes them, row by row.
    pub(crate) a: &'a [Lanes],
    /// Lanes from row to row of `a`.
    pub(crate) a_stride: usize,
    /// How many rows further down a row of `a` is read.
    pub(crate) distances: &'a [usize],
    /// `[distance][step][column]`.
    pub(crate) b: &'a [Lanes],
    /// Per column, where multiplicands are whole numbers; otherwise empty and 1.
    pub(crate) factors: &'a [Lanes],
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
        let last = *self.distances.iter().max().expect("a product of something");
        let depth = self.depth();
        assert!(
            self.b.len() == self.distances.len() * depth * WIDTH * self.columns,
            "weights of another shape"
        );
        assert!(self.a.len() >= (self.rows - 1 + last) * self.a_stride + depth, "rows are missing");
        assert!(self.factors.is_empty() || self.factors.len() == self.columns, "factors of another shape");
        assert!(self.out.len() >= (self.rows - 1) * self.out_stride + self.columns, "too little room");
    }

    /// Lanes of a row that are multiplied.
    #[inline(always)]
    pub(crate) fn depth(&self) -> usize {
        self.b.len() / (self.distances.len() * WIDTH * self.columns)
    }
}

/// The shape of packed weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Packing {
    /// Products packed together.
    pub(crate) positions: usize,
    /// Rows of the left matrix that are summed up to a row of the product, each with weights of its own.
    pub(crate) taps: usize,
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
        self.positions * self.steps() * self.columns
    }

    /// Steps of a product.
    fn steps(&self) -> usize {
        self.taps * self.depth * WIDTH
    }

    /// Lanes of the factors of whole numbers.
    pub(crate) fn factors(&self) -> usize {
        self.positions * self.columns
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
        let steps = self.steps();
        let start = steps * (self.positions * group.start + position * group.columns);
        start..start + steps * group.columns
    }

    /// Where the factors of a group and a position are.
    fn factor_range(&self, group: Group, position: usize) -> std::ops::Range<usize> {
        let start = self.positions * group.start + position * group.columns;
        start..start + group.columns
    }
}

/// Where packed weights go.
pub(crate) struct Room<'a> {
    /// [`Packing::len`] lanes.
    pub(crate) data: &'a mut [Lanes],
    /// [`Packing::factors`] lanes for whole numbers, none otherwise.
    pub(crate) factors: &'a mut [Lanes],
}

/// Sums of products of whole numbers must fit into 32 bits: the most that the absolute weights of an output may sum up to.
fn largest_sum(steps: f32) -> f32 {
    ((1u32 << 31) as f32 / steps).floor() - 1.0
}

/// Packs weights: `weight(position, k, column)` for all `k` below `inputs` and all columns below `outputs`; zeros behind them. Rows that are summed
/// up follow each other in `k`, each filled up to whole lanes.
///
/// Whole numbers are the weights times a number per position and output, as large as possible without overflow. What they are to be multiplied by
/// afterwards, and `unit(position)`, what a multiplicand of [`Simd::STEPS`] stands for there, become the factors.
pub(crate) fn pack<S: Simd>(
    simd: S,
    packing: Packing,
    (inputs, outputs): (usize, usize),
    to: Room<'_>,
    unit: impl Fn(usize) -> f32,
    weight: impl Fn(usize, usize, usize) -> f32,
) {
    assert_eq!(to.data.len(), packing.len(), "room for other weights");
    assert!(inputs <= packing.steps() * S::DEPTH && outputs <= packing.columns * WIDTH, "too small a shape");
    for group in packing.groups() {
        for position in 0..packing.positions {
            let panel = &mut to.data[packing.range(group, position)];
            let mut scales = vec![1.0; group.columns * WIDTH];
            if let Some(steps) = S::STEPS {
                let factors = &mut to.factors[packing.factor_range(group, position)];
                for (lane, scale) in scales.iter_mut().enumerate() {
                    let output = group.start * WIDTH + lane;
                    let weights = (0..inputs)
                        .map(|k| if output < outputs { weight(position, k, output).abs() } else { 0.0 });
                    let (sum, largest) =
                        weights.fold((0.0, 0.0f32), |(sum, largest), w| (sum + w, largest.max(w)));
                    if largest > 0.0 {
                        *scale = (steps / largest).min((largest_sum(steps) - inputs as f32) / sum);
                    }
                    factors[lane / WIDTH].0[lane % WIDTH] = unit(position) / (*scale * steps);
                }
            }
            for (step, row) in panel.chunks_exact_mut(group.columns).enumerate() {
                for (column, lanes) in row.iter_mut().enumerate() {
                    // A lane of a step has `DEPTH` weights of consecutive inputs.
                    let number = |place: usize| {
                        let (lane, k) = (place / S::DEPTH, step * S::DEPTH + place % S::DEPTH);
                        let output = (group.start + column) * WIDTH + lane;
                        let inside = k < inputs && output < outputs;
                        if inside { weight(position, k, output) * scales[column * WIDTH + lane] } else { 0.0 }
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
    /// What is summed up to a row of the product: rows so much further down; `[0]` for a plain product.
    pub(crate) distances: &'a [usize],
}

/// Packed weights.
#[derive(Clone, Copy)]
pub(crate) struct Weights<'a> {
    pub(crate) packing: Packing,
    pub(crate) data: &'a [Lanes],
    /// Empty if multiplicands are any numbers.
    pub(crate) factors: &'a [Lanes],
}

impl<'a> Weights<'a> {
    /// The weights of a group of columns at a position.
    #[inline(always)]
    pub(crate) fn panel(&self, group: Group, position: usize) -> Panel<'a> {
        let factors = self.packing.factor_range(group, position);
        Panel {
            data: &self.data[self.packing.range(group, position)],
            factors: if self.factors.is_empty() { &[] } else { &self.factors[factors] },
            columns: group.columns,
        }
    }
}

/// Weights of a few columns, `[step][column]`.
#[derive(Clone, Copy)]
pub(crate) struct Panel<'a> {
    pub(super) data: &'a [Lanes],
    pub(super) factors: &'a [Lanes],
    pub(super) columns: usize,
}

/// Multiplies all rows by the weights of a panel; `out` gets the panel's columns every `out_stride` lanes. There must be room for a
/// multiple of [`Simd::ROWS_STEP`] rows.
#[inline(always)]
pub(crate) fn multiply<S: Simd>(simd: S, a: Rows<'_>, b: Panel<'_>, out: &mut [Lanes], out_stride: usize) {
    // Tiles of nearly equal height: a low one at the end would use the registers badly.
    let steps = a.count.div_ceil(S::ROWS_STEP);
    let tiles = a.count.div_ceil(S::TILE_ROWS[b.columns - 1]);
    for tile in 0..tiles {
        let start = tile * steps / tiles * S::ROWS_STEP;
        simd.multiply(Tile {
            rows: (tile + 1) * steps / tiles * S::ROWS_STEP - start,
            columns: b.columns,
            a: &a.data[start * a.stride..],
            a_stride: a.stride,
            distances: a.distances,
            b: b.data,
            factors: b.factors,
            out: &mut out[start * out_stride..],
            out_stride,
        });
    }
}
