//! Convolutions over boards.
//!
//! Buffers have a row of lanes per point, one board after the other, and before them row 0, all zeros: what a convolution finds outside of
//! the board.

use super::finish::Finish;
use super::gemm::{Group, Rows, Weights, multiply};
use super::lanes::Lanes;
use super::simd::{Kernel, Simd};
use super::winograd::{Four, Three, TileSize, Transform};

/// The row of what is outside of the board.
const OUTSIDE: u32 = 0;

/// How the tiles of a number of boards of one size lie.
#[derive(Debug)]
pub(crate) struct Tiling {
    size: TileSize,
    /// Tiles of one board.
    per_board: usize,
    /// `[tile][position]`: the row of each point of input.
    gather: Vec<u32>,
    /// `[tile][row][column]`: the row of each point of output, [`OUTSIDE`] if there is none.
    scatter: Vec<u32>,
}

impl Tiling {
    /// Tiles for `boards` boards.
    pub(crate) fn new(size: TileSize, width: usize, height: usize, boards: usize) -> Tiling {
        let inner = size.inner();
        let (columns, rows) = (width.div_ceil(inner), height.div_ceil(inner));
        let (mut gather, mut scatter) = (Vec::new(), Vec::new());
        for tile in 0..boards * rows * columns {
            let first = 1 + tile / (rows * columns) * width * height;
            let (top, left) = (tile / columns % rows * inner, tile % columns * inner);
            // Coordinates are one more than usual, so that the edge around the board has none below 0.
            let row_of = |y: usize, x: usize| {
                let inside = (1..=height).contains(&y) && (1..=width).contains(&x);
                if inside { (first + (y - 1) * width + x - 1) as u32 } else { OUTSIDE }
            };
            let square = |side: usize| (0..side * side).map(move |i| (i / side, i % side));
            gather.extend(square(size.outer()).map(|(y, x)| row_of(top + y, left + x)));
            scatter.extend(square(inner).map(|(y, x)| row_of(top + y + 1, left + x + 1)));
        }
        Tiling { size, per_board: rows * columns, gather, scatter }
    }

    /// The size of the tiles.
    pub(crate) fn size(&self) -> TileSize {
        self.size
    }

    /// Tiles of one board.
    pub(crate) fn per_board(&self) -> usize {
        self.per_board
    }
}

/// A 3×3 convolution by transforms.
pub(crate) struct Convolve3x3<'a> {
    pub(crate) tiling: &'a Tiling,
    /// Tiles to compute, from the first.
    pub(crate) tiles: usize,
    /// Tiles that are transformed together.
    pub(crate) chunk: usize,
    /// A row per point, after row 0.
    pub(crate) input: &'a [Lanes],
    /// Lanes of a row of input.
    pub(crate) input_lanes: usize,
    /// Transformed.
    pub(crate) weights: Weights<'a>,
    /// Room for the transformed input of a chunk.
    pub(crate) transformed: &'a mut [Lanes],
    /// Room for the products of a chunk.
    pub(crate) products: &'a mut [Lanes],
    /// What becomes of the result.
    pub(crate) finish: Finish<'a>,
}

impl Kernel for Convolve3x3<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        match self.tiling.size {
            TileSize::Three => self.convolve::<S, Three, 5, 3>(simd),
            TileSize::Four => self.convolve::<S, Four, 6, 4>(simd),
        }
    }
}

impl Convolve3x3<'_> {
    #[inline(always)]
    fn convolve<S: Simd, T: Transform<OUTER, INNER>, const OUTER: usize, const INNER: usize>(
        mut self,
        simd: S,
    ) {
        let packing = self.weights.packing;
        let mut first = 0;
        while first < self.tiles {
            let count = self.chunk.min(self.tiles - first);
            self.transform_input::<S, T, OUTER, INNER>(simd, first, count);
            for group in packing.groups() {
                for position in 0..OUTER * OUTER {
                    let rows = Rows {
                        data: &self.transformed[position * count * packing.depth..],
                        stride: packing.depth,
                        count,
                    };
                    let out = &mut self.products[position * count * group.columns..];
                    multiply(simd, rows, self.weights.panel(group, position), out, group.columns);
                }
                self.transform_output::<S, T, OUTER, INNER>(simd, first, count, group);
            }
            first += count;
        }
    }

    #[inline(always)]
    fn transform_input<S: Simd, T: Transform<OUTER, INNER>, const OUTER: usize, const INNER: usize>(
        &mut self,
        simd: S,
        first: usize,
        count: usize,
    ) {
        let (lanes, depth) = (self.input_lanes, self.weights.packing.depth);
        let zero = simd.splat(0.0);
        let gather = self.tiling.gather[first * OUTER * OUTER..].chunks_exact(OUTER * OUTER);
        for (tile, gather) in gather.take(count).enumerate() {
            for lane in 0..depth * S::DEPTH {
                let mut columns = [[zero; OUTER]; OUTER];
                if lane < lanes {
                    for (x, column) in columns.iter_mut().enumerate() {
                        for (y, number) in column.iter_mut().enumerate() {
                            let row = gather[y * OUTER + x] as usize;
                            *number = simd.load(&self.input[row * lanes + lane]);
                        }
                        *column = T::input(simd, *column);
                    }
                }
                for y in 0..OUTER {
                    for (x, number) in T::input(simd, columns.map(|column| column[y])).into_iter().enumerate()
                    {
                        let place = ((y * OUTER + x) * count + tile) * depth;
                        simd.put(&mut self.transformed[place..], lane, number);
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn transform_output<S: Simd, T: Transform<OUTER, INNER>, const OUTER: usize, const INNER: usize>(
        &mut self,
        simd: S,
        first: usize,
        count: usize,
        group: Group,
    ) {
        let zero = simd.splat(0.0);
        let scatter = self.tiling.scatter[first * INNER * INNER..].chunks_exact(INNER * INNER);
        for (tile, scatter) in scatter.take(count).enumerate() {
            for lane in 0..group.columns {
                let mut columns = [[zero; INNER]; OUTER];
                for (x, column) in columns.iter_mut().enumerate() {
                    let mut sums = [zero; OUTER];
                    for (y, number) in sums.iter_mut().enumerate() {
                        let place = ((y * OUTER + x) * count + tile) * group.columns + lane;
                        *number = simd.load(&self.products[place]);
                    }
                    *column = T::output(simd, sums);
                }
                let norm = self.finish.column(simd, group.start + lane);
                for y in 0..INNER {
                    for (x, sums) in T::output(simd, columns.map(|column| column[y])).into_iter().enumerate()
                    {
                        let point = scatter[y * INNER + x];
                        if point != OUTSIDE {
                            self.finish.take(simd, point as usize, group.start + lane, &norm, sums);
                        }
                    }
                }
            }
        }
    }
}
