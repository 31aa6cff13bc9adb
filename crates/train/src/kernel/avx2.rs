//! The product with AVX2 and FMA: blocks of up to 6 rows by 16 columns in 12 registers.

use super::{Into, Left, Right, Shape};
use std::arch::x86_64::{
    __m256, __m256i, _mm256_add_ps, _mm256_broadcast_ss, _mm256_fmadd_ps, _mm256_loadu_ps,
    _mm256_loadu_si256, _mm256_maskload_ps, _mm256_maskstore_ps, _mm256_setzero_ps, _mm256_storeu_ps,
};

const ROWS: usize = 6;
const LANES: usize = 8;

/// Eight lanes of this, beginning `8 − n` in, are a mask of the first `n` lanes.
const MASKS: [i32; 16] = [-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0];

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
    /// How many lanes of the last vector of a row exist, from 1.
    last: usize,
    into: Into,
}

/// # Safety
/// The machine has AVX2 and FMA, and the slices hold every element that the shape and the strides name.
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn multiply(
    shape: Shape,
    left: Left<'_>,
    right: Right<'_>,
    product: &mut [f32],
    stride: usize,
    into: Into,
) {
    let mut column = 0;
    while column < shape.columns {
        let width = (shape.columns - column).min(2 * LANES);
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
                    last: if width > LANES { width - LANES } else { width },
                    into,
                };
                match (width > LANES, block.last == LANES) {
                    (true, true) => by_rows::<2, true>(block, rows),
                    (true, false) => by_rows::<2, false>(block, rows),
                    (false, true) => by_rows::<1, true>(block, rows),
                    (false, false) => by_rows::<1, false>(block, rows),
                }
            }
            row += rows;
        }
        column += width;
    }
}

/// # Safety
/// As [`block`], for `rows` from 1 to [`ROWS`].
#[target_feature(enable = "avx2,fma")]
unsafe fn by_rows<const VECTORS: usize, const FULL: bool>(b: Block, rows: usize) {
    // SAFETY: the same contract.
    unsafe {
        match rows {
            1 => block::<1, VECTORS, FULL>(b),
            2 => block::<2, VECTORS, FULL>(b),
            3 => block::<3, VECTORS, FULL>(b),
            4 => block::<4, VECTORS, FULL>(b),
            5 => block::<5, VECTORS, FULL>(b),
            _ => block::<6, VECTORS, FULL>(b),
        }
    }
}

/// # Safety
/// `b` points to matrices with at least `R` rows and `8 · (VECTORS − 1) + last` columns (`last` is 8 if `FULL`), and the
/// machine has AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
#[inline(never)]
unsafe fn block<const R: usize, const VECTORS: usize, const FULL: bool>(b: Block) {
    let mut sums: [[__m256; VECTORS]; R] = [[_mm256_setzero_ps(); VECTORS]; R];
    let (mut left, mut right) = (b.left, b.right);
    // SAFETY: `last` is from 1 to 8, so eight numbers follow; the matrices reach as far as the contract says, and lanes
    // without an element are masked out.
    unsafe {
        let mask: __m256i = _mm256_loadu_si256(MASKS.as_ptr().add(LANES - b.last).cast());
        let is_whole = |vector: usize| FULL || vector + 1 < VECTORS;
        for _ in 0..b.depth {
            let mut others = [_mm256_setzero_ps(); VECTORS];
            for (vector, other) in others.iter_mut().enumerate() {
                let from = right.add(vector * LANES);
                *other =
                    if is_whole(vector) { _mm256_loadu_ps(from) } else { _mm256_maskload_ps(from, mask) };
            }
            for (row, sums) in sums.iter_mut().enumerate() {
                let factor = _mm256_broadcast_ss(&*left.add(row * b.row_stride));
                for (sum, other) in sums.iter_mut().zip(others) {
                    *sum = _mm256_fmadd_ps(factor, other, *sum);
                }
            }
            left = left.wrapping_add(b.column_stride);
            right = right.wrapping_add(b.right_stride);
        }
        for (row, sums) in sums.iter().enumerate() {
            for (vector, &sum) in sums.iter().enumerate() {
                let target = b.product.add(row * b.stride + vector * LANES);
                if is_whole(vector) {
                    let value = match b.into {
                        Into::Replace => sum,
                        Into::Add => _mm256_add_ps(_mm256_loadu_ps(target), sum),
                    };
                    _mm256_storeu_ps(target, value);
                } else {
                    let value = match b.into {
                        Into::Replace => sum,
                        Into::Add => _mm256_add_ps(_mm256_maskload_ps(target, mask), sum),
                    };
                    _mm256_maskstore_ps(target, mask, value);
                }
            }
        }
    }
}
