//! What kernels may do with sixteen numbers at once.
//!
//! Kernels are written once, against [`Simd`]; an instruction set is an implementation of it. A value of such a type is the proof
//! that the processor has the instructions, which is why the methods are safe to call. Everything between the entry of a
//! kernel ([`super::Unit::run`]) and these methods must be inlined, or the compiler may not use the instructions: hence
//! `#[inline(always)]` throughout, and no closures around vectors, which are functions of their own. The one exception is [`Simd::multiply`], a function of its own for each size.

use super::gemm::Tile;
use super::lanes::Lanes;

/// An instruction set, as seen by kernels.
pub(crate) trait Simd: Copy {
    /// Sixteen numbers in registers.
    type Vector: Copy;

    /// How many products a lane sums in one step of a matrix product: as many multiplicands share its 32 bits.
    const DEPTH: usize;
    /// Multiplicands are whole numbers up to this, positive or negative; nothing if they are any numbers.
    const STEPS: Option<f32>;
    /// Rows of a tile are a multiple of this.
    const ROWS_STEP: usize = 1;
    /// Most rows of a tile by its columns in lanes, from one column on: what fits into the registers.
    const TILE_ROWS: &[usize];

    /// The same number in all lanes.
    fn splat(self, x: f32) -> Self::Vector;
    /// From memory.
    fn load(self, from: &Lanes) -> Self::Vector;
    /// To memory.
    fn store(self, to: &mut Lanes, x: Self::Vector);
    /// `a + b`.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a - b`.
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a * b`.
    fn mul(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a / b`.
    fn div(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a * b + c`, with one rounding where the instruction exists.
    fn mul_add(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;
    /// The larger of each pair; `b` where one of them is no number.
    fn max(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// The smaller of each pair; `b` where one of them is no number.
    fn min(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Two to the power of whole numbers from −126 to 127.
    fn power_of_two(self, n: Self::Vector) -> Self::Vector;

    /// Writes sixteen multiplicands of a matrix product in the format of the instruction set, rounded if necessary, as the
    /// `place`-th sixteen of a list that begins with `to`.
    fn put(self, to: &mut [Lanes], place: usize, x: Self::Vector);
    /// A small matrix product; the tile's rows and columns are within [`Simd::TILE_ROWS`].
    fn multiply(self, tile: Tile<'_>);
}

/// A kernel: something to be computed with any instruction set.
pub(crate) trait Kernel {
    /// What comes out.
    type Output;
    /// Computes it. To be marked `#[inline(always)]`.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}
