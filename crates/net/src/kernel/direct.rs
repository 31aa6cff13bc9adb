//! Convolutions as matrix products at once: 1×1, dense layers (their boards are the rows), and kernels of any other size.
//!
//! Boards are copied to a *padded* buffer, in which a row of the board ends with the zeros that lie to its right and to the left of the next one, and
//! boards are separated by the rows of zeros that lie between them. So each place of the kernel is a constant distance there, and
//! the sum over the places is one long product without any gathering. 1×1 needs none of that.

use super::finish::Finish;
use super::gemm::{Rows, Weights, multiply};
use super::lanes::Lanes;
use super::scratch::Scratch;
use super::simd::{Kernel, Simd};

/// How boards of one size lie in a padded buffer for a kernel of one size.
#[derive(Debug)]
pub(crate) struct Padding {
    height: usize,
    width: usize,
    /// By place of the kernel: how many rows after the row of an output the input is.
    distances: Vec<usize>,
    /// By row of the padded buffer: the row of the point in other buffers, 0 if it is none.
    sources: Vec<u32>,
    /// By output: the row of its point in other buffers, 0 if it is none.
    targets: Vec<u32>,
    /// Outputs of each board but the last.
    per_board: usize,
    /// Outputs of the last board.
    last_board: usize,
}

impl Padding {
    /// For a kernel of this height and width on `boards` boards.
    pub(crate) fn new(kernel: (usize, usize), board: (usize, usize), boards: usize) -> Padding {
        let (half_height, half_width) = (kernel.0 / 2, kernel.1 / 2);
        let (height, width) = board;
        let line = width + half_width;
        let before = half_height * line + half_width;
        let per_board = (height + half_height) * line;
        let distances =
            (0..kernel.0 * kernel.1).map(|place| place / kernel.1 * line + place % kernel.1).collect();
        let targets: Vec<u32> = (0..boards * per_board)
            .map(|output| {
                let (row, column) = (output % per_board / line, output % line);
                let inside = row < height && column < width;
                if inside { (1 + (output / per_board * height + row) * width + column) as u32 } else { 0 }
            })
            .collect();
        let mut sources = vec![0; before];
        sources.extend(&targets);
        sources.resize(boards * per_board + 2 * before, 0);
        Padding {
            height: kernel.0,
            width: kernel.1,
            distances,
            sources,
            targets,
            per_board,
            last_board: height * line - half_width,
        }
    }

    /// Whether it is for a kernel of this size.
    pub(crate) fn is_for(&self, height: usize, width: usize) -> bool {
        (self.height, self.width) == (height, width)
    }

    /// How many rows of padded input a number of consecutive outputs sees.
    pub(crate) fn span(&self, outputs: usize) -> usize {
        outputs + self.distances.last().copied().unwrap_or(0)
    }
}

/// Which rows are multiplied.
#[derive(Clone, Copy)]
pub(crate) enum Field<'a> {
    /// So many rows from row 1, each by itself.
    Rows(usize),
    /// All points of so many boards, with those around them.
    Boards(usize, &'a Padding),
}

/// A convolution without transforms. Buffers have a row per point, after row 0.
///
/// The positions of the weights are parts of a row, one after the other: sums of whole numbers must not become too long.
pub(crate) struct ConvolveDirect<'a> {
    pub(crate) field: Field<'a>,
    /// Outputs that are computed together.
    pub(crate) chunk: usize,
    pub(crate) input: &'a [Lanes],
    /// Lanes of a row of input.
    pub(crate) input_lanes: usize,
    pub(crate) weights: Weights<'a>,
    pub(crate) scratch: &'a mut Scratch,
    /// What becomes of the result.
    pub(crate) finish: Finish<'a>,
}

impl Kernel for ConvolveDirect<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let packing = self.weights.packing;
        let parts = packing.positions;
        let (outputs, distances) = match self.field {
            Field::Rows(rows) => (rows, &[0][..]),
            Field::Boards(boards, padding) => {
                assert!(S::STEPS.is_none(), "rows of whole numbers have different units");
                (boards.saturating_sub(1) * padding.per_board + padding.last_board, &padding.distances[..])
            }
        };
        let in_place = S::DEPTH == 1 && matches!(self.field, Field::Rows(_));
        let mut first = 0;
        while first < outputs {
            let count = self.chunk.min(outputs - first);
            if !in_place {
                self.fill(simd, first, count);
            }
            for group in packing.groups() {
                for part in 0..parts {
                    let (data, stride) = if in_place {
                        (&self.input[(first + 1) * self.input_lanes..], self.input_lanes)
                    } else {
                        (&self.scratch.transformed[..], parts * packing.depth)
                    };
                    let rows = Rows { data: &data[part * packing.depth..], stride, count, distances };
                    let out = &mut self.scratch.products[part * self.chunk * group.columns..];
                    multiply(simd, rows, self.weights.panel(group, part), out, group.columns);
                }
                for lane in 0..group.columns {
                    let norm = self.finish.column(simd, group.start + lane);
                    for row in 0..count {
                        let target = match self.field {
                            Field::Rows(_) => first + row + 1,
                            Field::Boards(_, padding) => padding.targets[first + row] as usize,
                        };
                        if target == 0 {
                            continue;
                        }
                        let mut sums = simd.load(&self.scratch.products[row * group.columns + lane]);
                        for part in 1..parts {
                            let place = (part * self.chunk + row) * group.columns + lane;
                            sums = simd.add(sums, simd.load(&self.scratch.products[place]));
                        }
                        if S::STEPS.is_some() {
                            sums = simd.mul(sums, simd.splat(self.scratch.largest[row]));
                        }
                        self.finish.take(simd, target, group.start + lane, &norm, sums);
                    }
                }
            }
            first += count;
        }
    }
}

impl ConvolveDirect<'_> {
    /// Writes the rows that a chunk sees in the format of the instruction set.
    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, first: usize, count: usize) {
        let depth = self.weights.packing.positions * self.weights.packing.depth;
        let rows = match self.field {
            Field::Rows(_) => count,
            Field::Boards(_, padding) => padding.span(count),
        };
        for row in 0..rows {
            let source = match self.field {
                Field::Rows(_) => first + row + 1,
                Field::Boards(_, padding) => padding.sources[first + row] as usize,
            };
            let from = &self.input[source * self.input_lanes..][..self.input_lanes];
            let to = &mut self.scratch.transformed[row * depth..][..depth];
            let mut factor = simd.splat(1.0);
            if let Some(steps) = S::STEPS {
                let largest = super::scratch::largest(simd, from);
                self.scratch.largest[row] = largest;
                factor = simd.splat(steps / largest);
            }
            for (place, x) in from.iter().enumerate() {
                let x = simd.load(x);
                simd.put(to, place, if S::STEPS.is_some() { simd.mul(x, factor) } else { x });
            }
            for place in from.len()..depth * S::DEPTH {
                simd.put(to, place, simd.splat(0.0));
            }
        }
    }
}
