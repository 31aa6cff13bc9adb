//! Any processor: safe Rust that the compiler vectorises as well as it can.
//!
//! In tests, `PortableBf16` does what AVX-512BF16 does, number by number.

use super::gemm::Tile;
use super::lanes::{Lanes, WIDTH};
use super::simd::Simd;

type Numbers = [f32; WIDTH];

/// Numbers in f32.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

/// As [`Portable`], with the multiplicands of matrix products rounded to bf16.
#[cfg(test)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct PortableBf16;

/// Applies a function lane by lane.
#[inline(always)]
fn each(a: Numbers, b: Numbers, f: impl Fn(f32, f32) -> f32) -> Numbers {
    let mut out = a;
    for (x, y) in out.iter_mut().zip(b) {
        *x = f(*x, y);
    }
    out
}

/// The upper sixteen bits of the nearest number that needs no more, ties to even.
#[cfg(test)]
fn to_bf16(x: f32) -> u16 {
    let bits = x.to_bits();
    ((bits + 0x7fff + ((bits >> 16) & 1)) >> 16) as u16
}

/// What both have in common: everything but matrix products.
macro_rules! lane_by_lane {
    () => {
        type Vector = Numbers;

        #[inline(always)]
        fn splat(self, x: f32) -> Numbers {
            [x; WIDTH]
        }

        #[inline(always)]
        fn load(self, from: &Lanes) -> Numbers {
            from.0
        }

        #[inline(always)]
        fn store(self, to: &mut Lanes, x: Numbers) {
            to.0 = x;
        }

        #[inline(always)]
        fn add(self, a: Numbers, b: Numbers) -> Numbers {
            each(a, b, |x, y| x + y)
        }

        #[inline(always)]
        fn sub(self, a: Numbers, b: Numbers) -> Numbers {
            each(a, b, |x, y| x - y)
        }

        #[inline(always)]
        fn mul(self, a: Numbers, b: Numbers) -> Numbers {
            each(a, b, |x, y| x * y)
        }

        #[inline(always)]
        fn div(self, a: Numbers, b: Numbers) -> Numbers {
            each(a, b, |x, y| x / y)
        }

        // Two roundings: where the processor has no such instruction, `f32::mul_add` is a slow function call.
        #[inline(always)]
        fn mul_add(self, a: Numbers, b: Numbers, c: Numbers) -> Numbers {
            each(each(a, b, |x, y| x * y), c, |x, y| x + y)
        }

        #[inline(always)]
        fn max(self, a: Numbers, b: Numbers) -> Numbers {
            each(a, b, |x, y| if x > y { x } else { y })
        }

        #[inline(always)]
        fn min(self, a: Numbers, b: Numbers) -> Numbers {
            each(a, b, |x, y| if x < y { x } else { y })
        }

        #[inline(always)]
        fn power_of_two(self, n: Numbers) -> Numbers {
            each(n, n, |x, _| f32::from_bits(((x as i32 + 127) as u32) << 23))
        }
    };
}

impl Simd for Portable {
    lane_by_lane!();

    const DEPTH: usize = 1;
    const TILE_ROWS: &[usize] = &[4];

    #[inline(always)]
    fn put(self, to: &mut [Lanes], place: usize, x: Numbers) {
        to[place].0 = x;
    }

    fn multiply(self, tile: Tile<'_>) {
        multiply(tile, |sum, a, b| each(each([a; WIDTH], b.0, |x, y| x * y), sum, |x, y| x + y));
    }
}

#[cfg(test)]
impl Simd for PortableBf16 {
    lane_by_lane!();

    const DEPTH: usize = 2;
    const TILE_ROWS: &[usize] = &[4];

    fn put(self, to: &mut [Lanes], place: usize, x: Numbers) {
        let half = &mut to[place / 2].0[place % 2 * WIDTH / 2..][..WIDTH / 2];
        for (pair, two) in half.iter_mut().zip(x.chunks_exact(2)) {
            *pair = f32::from_bits(u32::from(to_bf16(two[1])) << 16 | u32::from(to_bf16(two[0])));
        }
    }

    fn multiply(self, tile: Tile<'_>) {
        // The number in the lower half of the bits, and the one in the upper half.
        let low = |x: f32| f32::from_bits(x.to_bits() << 16);
        let high = |x: f32| f32::from_bits(x.to_bits() & 0xffff_0000);
        multiply(tile, |sum, a, b| {
            let mut out = sum;
            for (sum, &b) in out.iter_mut().zip(&b.0) {
                *sum += low(a) * low(b) + high(a) * high(b);
            }
            out
        });
    }
}

/// A tile of up to four rows and one column of lanes.
#[inline(always)]
fn multiply(tile: Tile<'_>, accumulate: impl Fn(Numbers, f32, &Lanes) -> Numbers) {
    tile.check();
    match (tile.rows, tile.columns) {
        (1, 1) => multiply_rows::<1>(tile, accumulate),
        (2, 1) => multiply_rows::<2>(tile, accumulate),
        (3, 1) => multiply_rows::<3>(tile, accumulate),
        (4, 1) => multiply_rows::<4>(tile, accumulate),
        (rows, columns) => unreachable!("a tile of {rows} rows and {columns} columns"),
    }
}

#[inline(always)]
fn multiply_rows<const R: usize>(tile: Tile<'_>, accumulate: impl Fn(Numbers, f32, &Lanes) -> Numbers) {
    let mut sums = [[0.0; WIDTH]; R];
    for (place, b) in tile.b.as_chunks::<WIDTH>().0.iter().enumerate() {
        let a: [&Numbers; R] = std::array::from_fn(|row| &tile.a[row * tile.a_stride + place].0);
        for (step, b) in b.iter().enumerate() {
            for (sum, a) in sums.iter_mut().zip(a) {
                *sum = accumulate(*sum, a[step], b);
            }
        }
    }
    for (row, sum) in sums.into_iter().enumerate() {
        tile.out[row * tile.out_stride].0 = sum;
    }
}
