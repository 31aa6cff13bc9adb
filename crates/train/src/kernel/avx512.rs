//! The product with AVX-512: blocks of up to 12 rows by 32 columns in 24 registers.

use super::{Into, Left, Right, Shape};
use std::arch::x86_64::{
    __m512, __mmask16, _mm512_add_ps, _mm512_fmadd_ps, _mm512_mask_storeu_ps, _mm512_maskz_loadu_ps,
    _mm512_set1_ps, _mm512_setzero_ps,
};

const ROWS: usize = 12;
const LANES: usize = 16;

/// One block of the product, as pointers to its first elements.
#[derive(Clone, Copy)]
struct Block {
    left: *const f32,
    row_stride: usize,
    column_stride: usize,
    right: *const f32,
    right_stride: usize,
    product: *mut f32,
    stride: usize,
    depth: usize,
    /// Which lanes of the last vector of a row exist.
    mask: __mmask16,
    into: Into,
}

/// # Safety
/// The machine has AVX-512F, and the slices hold every element that the shape and the strides name.
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn multiply(
    shape: Shape,
    left: Left<'_>,
    right: Right<'_>,
    product: &mut [f32],
    stride: usize,
    into: Into,
) {
    // Columns outside, rows inside: 32 columns of the right matrix stay in the first cache for all rows.
    let mut column = 0;
    while column < shape.columns {
        let width = (shape.columns - column).min(2 * LANES);
        let last = if width > LANES { width - LANES } else { width };
        let mut row = 0;
        while row < shape.rows {
            let rows = (shape.rows - row).min(ROWS);
            // SAFETY: the first elements of a block are elements of the matrices, by the contract of this function;
            // `block` stays inside `rows` rows and `width` columns, which exist.
            unsafe {
                let block = Block {
                    left: left.values.as_ptr().add(if shape.depth == 0 { 0 } else { row * left.row_stride }),
                    row_stride: left.row_stride,
                    column_stride: left.column_stride,
                    right: right.values.as_ptr().add(if shape.depth == 0 { 0 } else { column }),
                    right_stride: right.stride,
                    product: product.as_mut_ptr().add(row * stride + column),
                    stride,
                    depth: shape.depth,
                    mask: ((1u32 << last) - 1) as __mmask16,
                    into,
                };
                if width > LANES { by_rows::<2>(block, rows) } else { by_rows::<1>(block, rows) }
            }
            row += rows;
        }
        column += width;
    }
}

/// # Safety
/// As [`block`], for `rows` from 1 to [`ROWS`].
#[target_feature(enable = "avx512f")]
unsafe fn by_rows<const VECTORS: usize>(b: Block, rows: usize) {
    // SAFETY: the same contract.
    unsafe {
        match rows {
            1 => block::<1, VECTORS>(b),
            2 => block::<2, VECTORS>(b),
            3 => block::<3, VECTORS>(b),
            4 => block::<4, VECTORS>(b),
            5 => block::<5, VECTORS>(b),
            6 => block::<6, VECTORS>(b),
            7 => block::<7, VECTORS>(b),
            8 => block::<8, VECTORS>(b),
            9 => block::<9, VECTORS>(b),
            10 => block::<10, VECTORS>(b),
            11 => block::<11, VECTORS>(b),
            _ => block::<12, VECTORS>(b),
        }
    }
}

/// # Safety
/// `b` points to matrices with at least `R` rows and `16 · (VECTORS − 1)` columns more than the mask has lanes, and the
/// machine has AVX-512F.
#[target_feature(enable = "avx512f")]
#[inline(never)]
unsafe fn block<const R: usize, const VECTORS: usize>(b: Block) {
    let mask = |vector: usize| if vector + 1 == VECTORS { b.mask } else { !0 };
    let mut sums: [[__m512; VECTORS]; R] = [[_mm512_setzero_ps(); VECTORS]; R];
    let (mut left, mut right) = (b.left, b.right);
    for _ in 0..b.depth {
        // SAFETY: row and column exist by the contract; lanes without an element are masked out.
        unsafe {
            let mut others = [_mm512_setzero_ps(); VECTORS];
            for (vector, other) in others.iter_mut().enumerate() {
                *other = _mm512_maskz_loadu_ps(mask(vector), right.add(vector * LANES));
            }
            for (row, sums) in sums.iter_mut().enumerate() {
                let factor = _mm512_set1_ps(*left.add(row * b.row_stride));
                for (sum, other) in sums.iter_mut().zip(others) {
                    *sum = _mm512_fmadd_ps(factor, other, *sum);
                }
            }
        }
        left = left.wrapping_add(b.column_stride);
        right = right.wrapping_add(b.right_stride);
    }
    for (row, sums) in sums.iter().enumerate() {
        for (vector, &sum) in sums.iter().enumerate() {
            // SAFETY: as above, for the product.
            unsafe {
                let target = b.product.add(row * b.stride + vector * LANES);
                let value = match b.into {
                    Into::Replace => sum,
                    Into::Add => _mm512_add_ps(_mm512_maskz_loadu_ps(mask(vector), target), sum),
                };
                _mm512_mask_storeu_ps(target, mask(vector), value);
            }
        }
    }
}
