//! The innermost loop: a small matrix product whose sums stay in registers.
//!
//! The idea (Goto and van de Geijn 2008): each step loads a row of one matrix, a few registers wide, and multiplies it by one number of each
//! row of the other. There are as many sums as registers allow, so a load is used many times.
#![allow(unsafe_code)]

use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

use super::gemm::Tile;
use super::lanes::WIDTH;
use super::simd::Simd;

/// How far ahead weights are fetched, in lanes. From 32 to 64 nothing changes much; without, large nets wait for memory.
const AHEAD: usize = 64;

/// Instructions that multiply and add in vector registers.
pub(super) trait Accumulate: Simd {
    /// `sum + a * b`: multiplicands are as [`Simd::put`] writes them, sums as the instruction makes them.
    fn accumulate(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// The numbers that such sums are.
    fn sums(self, sums: Self::Vector) -> Self::Vector;
}

/// Computes a tile of `R` rows and `N` columns.
#[inline(always)]
pub(super) fn multiply<S: Accumulate, const R: usize, const N: usize>(simd: S, tile: Tile<'_>) {
    tile.check();
    assert_eq!((tile.rows, tile.columns), (R, N), "the function of another size");
    let steps = tile.depth() * WIDTH;
    let stride = tile.a_stride * WIDTH;
    let mut b = tile.b.as_ptr();
    let mut sums = [[simd.splat(0.0); N]; R];
    for &distance in tile.distances {
        // SAFETY: `check` has shown that `a` has `steps` numbers in each of `R` rows, `a_stride` lanes apart, from the row at each distance on.
        let mut a: *const f32 = unsafe { tile.a.as_ptr().cast::<f32>().add(distance * stride) };
        for _ in 0..steps {
            for column in 0..N {
                // SAFETY: a prefetch of any address does nothing but warm the cache.
                unsafe { _mm_prefetch::<_MM_HINT_T0>(b.wrapping_add(AHEAD + column).cast()) };
            }
            // SAFETY: as above, and `b` has `steps` times `N` lanes for each distance. The pointers move on by one step per turn.
            unsafe {
                let mut right = [simd.splat(0.0); N];
                for (column, right) in right.iter_mut().enumerate() {
                    *right = simd.load(&*b.add(column));
                }
                for (row, sums) in sums.iter_mut().enumerate() {
                    let left = simd.splat(*a.add(row * stride));
                    for (sum, right) in sums.iter_mut().zip(&right) {
                        *sum = simd.accumulate(*sum, left, *right);
                    }
                }
                a = a.add(1);
                b = b.add(N);
            }
        }
    }
    for (row, sums) in sums.iter().enumerate() {
        let out = &mut tile.out[row * tile.out_stride..][..N];
        for (column, (to, sum)) in out.iter_mut().zip(sums).enumerate() {
            let mut sum = simd.sums(*sum);
            if S::STEPS.is_some() {
                sum = simd.mul(sum, simd.load(&tile.factors[column]));
            }
            simd.store(to, sum);
        }
    }
}

/// Calls the function of the tile's number of rows.
macro_rules! by_rows {
    ($function:ident($simd:expr, $tile:expr) $columns:literal: $($rows:literal)*) => {
        match $tile.rows {
            $($rows => $function::<$rows, $columns>($simd, $tile),)*
            rows => unreachable!("a tile of {rows} rows and {} columns", $tile.columns),
        }
    };
}

/// Calls the function of the tile's size; the sizes are those of 32 registers with sixteen lanes each.
macro_rules! by_size {
    ($function:ident($simd:expr, $tile:expr)) => {
        match $tile.columns {
            1 => tile::by_rows!($function($simd, $tile) 1: 1 2 3 4 5 6 7 8 9 10 11 12 13 14),
            2 => tile::by_rows!($function($simd, $tile) 2: 1 2 3 4 5 6 7 8 9 10 11 12 13 14),
            3 => tile::by_rows!($function($simd, $tile) 3: 1 2 3 4 5 6 7 8 9),
            columns => unreachable!("a tile of {columns} columns"),
        }
    };
}

pub(super) use {by_rows, by_size};
