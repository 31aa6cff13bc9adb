//! Convolutions over boards.
//!
//! Buffers have a row of lanes per point, one board after the other, and before them row 0, all zeros: what a convolution finds outside of
//! the board.

use super::finish::Finish;
use super::gemm::{Group, Rows, Weights, multiply};
use super::lanes::Lanes;
use super::scratch::{Scratch, largest};
use super::simd::{Kernel, Simd};
use super::winograd::{Four, Three, TileSize, Transform};

/// A loop over the numbers below a constant of at most six, written out: the compiler would not unroll it, and arrays indexed by a
/// variable do not live in registers.
macro_rules! unroll {
    ($i:ident < $n:ident $body:block) => {
        unroll!($i < $n $body: 0 1 2 3 4 5)
    };
    ($i:ident < $n:ident $body:block: $($value:literal)*) => {
        $({
            #[allow(non_upper_case_globals)]
            const $i: usize = $value;
            if $i < $n $body
        })*
    };
}

/// The row of what is outside of the board.
const OUTSIDE: u32 = 0;

/// How the tiles of a number of boards of one size lie.
#[derive(Debug)]
pub(crate) struct Tiling {
    size: TileSize,
    /// Tiles of one board.
    per_board: usize,
    /// Points of one board.
    area: usize,
    /// By position: how large a transformed number can be if those of the tile are at most 1.
    bounds: Vec<f32>,
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
        let bounds = (0..size.positions()).map(|position| size.input_bound(position)).collect();
        Tiling { size, per_board: rows * columns, area: width * height, bounds, gather, scatter }
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
    /// Tiles that are transformed together: those of whole boards.
    pub(crate) chunk: usize,
    /// A row per point, after row 0.
    pub(crate) input: &'a [Lanes],
    /// Lanes of a row of input.
    pub(crate) input_lanes: usize,
    /// Transformed.
    pub(crate) weights: Weights<'a>,
    pub(crate) scratch: &'a mut Scratch,
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
                        data: &self.scratch.transformed[position * count * packing.depth..],
                        stride: packing.depth,
                        count,
                        distances: &[0],
                    };
                    let out = &mut self.scratch.products[position * count * group.columns..];
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
        // From position to position.
        let stride = count * depth * S::DEPTH;
        let per_board = self.tiling.per_board;
        let mut factors = [[zero; OUTER]; OUTER];
        for (tile, gather) in gather.take(count).enumerate() {
            if let Some(steps) = S::STEPS
                && tile.is_multiple_of(per_board)
            {
                let area = self.tiling.area * lanes;
                let board = &self.input[lanes + (first + tile) / per_board * area..][..area];
                let largest = largest(simd, board);
                self.scratch.largest[tile / per_board] = largest;
                for (factor, bound) in factors.as_flattened_mut().iter_mut().zip(&self.tiling.bounds) {
                    *factor = simd.splat(steps / (largest * bound));
                }
            }
            for lane in 0..lanes {
                let mut columns = [[zero; OUTER]; OUTER];
                unroll!(x < OUTER {
                    let mut column = [zero; OUTER];
                    unroll!(y < OUTER {
                        let row = gather[y * OUTER + x] as usize;
                        column[y] = simd.load(&self.input[row * lanes + lane]);
                    });
                    columns[x] = T::input(simd, column);
                });
                let first = tile * depth * S::DEPTH + lane;
                unroll!(y < OUTER {
                    let mut row = [zero; OUTER];
                    unroll!(x < OUTER { row[x] = columns[x][y]; });
                    let row = T::input(simd, row);
                    unroll!(x < OUTER {
                        let number = if S::STEPS.is_some() { simd.mul(row[x], factors[y][x]) } else { row[x] };
                        simd.put(&mut self.scratch.transformed, (y * OUTER + x) * stride + first, number);
                    });
                });
            }
            for lane in lanes..depth * S::DEPTH {
                for position in 0..OUTER * OUTER {
                    simd.put(
                        &mut self.scratch.transformed,
                        position * stride + tile * depth * S::DEPTH + lane,
                        zero,
                    );
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
        // From position to position.
        let stride = count * group.columns;
        // On their way through the first cache, so that there is only one copy of what comes after them.
        let mut points = [[Lanes::ZERO; INNER]; INNER];
        for (tile, scatter) in scatter.take(count).enumerate() {
            // What one step of the multiplicands stands for is in the factors of the weights but for this.
            let largest = simd.splat(if S::STEPS.is_some() {
                self.scratch.largest[tile / self.tiling.per_board]
            } else {
                1.0
            });
            for lane in 0..group.columns {
                let first = tile * group.columns + lane;
                let mut columns = [[zero; INNER]; OUTER];
                unroll!(x < OUTER {
                    let mut column = [zero; OUTER];
                    unroll!(y < OUTER {
                        column[y] = simd.load(&self.scratch.products[(y * OUTER + x) * stride + first]);
                    });
                    columns[x] = T::output(simd, column);
                });
                unroll!(y < INNER {
                    let mut row = [zero; OUTER];
                    unroll!(x < OUTER { row[x] = columns[x][y]; });
                    let row = T::output(simd, row);
                    unroll!(x < INNER {
                        let sums = if S::STEPS.is_some() { simd.mul(row[x], largest) } else { row[x] };
                        simd.store(&mut points[y][x], sums);
                    });
                });
                let norm = self.finish.column(simd, group.start + lane);
                for (&row, sums) in scatter.iter().zip(points.as_flattened()) {
                    if row != OUTSIDE {
                        self.finish.take(simd, row as usize, group.start + lane, &norm, simd.load(sums));
                    }
                }
            }
        }
    }
}
