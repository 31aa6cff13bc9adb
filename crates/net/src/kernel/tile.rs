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

/// Computes a tile of `R` rows and `N` columns, `accumulate` being `sum + a * b`.
#[inline(always)]
pub(super) fn multiply<S: Simd, const R: usize, const N: usize>(
    simd: S,
    tile: Tile<'_>,
    accumulate: impl Fn(S::Vector, S::Vector, S::Vector) -> S::Vector,
) {
    tile.check();
    assert_eq!((tile.rows, tile.columns), (R, N), "the function of another size");
    let steps = tile.b.len() / N;
    let mut a: *const f32 = tile.a.as_ptr().cast();
    let mut b = tile.b.as_ptr();
    let stride = tile.a_stride * WIDTH;
    let mut sums = [[simd.splat(0.0); N]; R];
    for _ in 0..steps {
        for column in 0..N {
            // SAFETY: a prefetch of any address does nothing but warm the cache.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(b.wrapping_add(AHEAD + column).cast()) };
        }
        // SAFETY: `check` has shown that `b` has `steps` times `N` lanes, and that in each of `R` rows, `a_stride` lanes apart,
        // `a` has at least `steps` numbers. The pointers move on by one step per turn.
        unsafe {
            let right: [S::Vector; N] = std::array::from_fn(|column| simd.load(&*b.add(column)));
            for (row, sums) in sums.iter_mut().enumerate() {
                let left = simd.splat(*a.add(row * stride));
                for (sum, right) in sums.iter_mut().zip(right) {
                    *sum = accumulate(*sum, left, right);
                }
            }
            a = a.add(1);
            b = b.add(N);
        }
    }
    for (row, sums) in sums.into_iter().enumerate() {
        for (to, sum) in tile.out[row * tile.out_stride..].iter_mut().zip(sums) {
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
