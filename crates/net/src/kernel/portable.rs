//! Any processor: safe Rust that the compiler vectorises as well as it can.
//!
//! In tests, `PortableInt16` and `TileModel` do what the instructions for whole numbers and those of AMX do, number by number.

use super::gemm::Tile;
use super::lanes::{Lanes, WIDTH};
use super::simd::Simd;

type Numbers = [f32; WIDTH];

/// Numbers in f32.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

/// As [`Portable`], with matrix products as AMX makes them: 16 rows at a time, multiplicands rounded to bf16.
#[cfg(test)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct TileModel;

/// As [`Portable`], with multiplicands of matrix products that are whole numbers.
#[cfg(test)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct PortableInt16;

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

/// `a * b + c`, rounded twice: where the processor has no such instruction, `f32::mul_add` is a slow function call.
#[inline(always)]
fn rounded_twice(a: Numbers, b: Numbers, c: Numbers) -> Numbers {
    each(each(a, b, |x, y| x * y), c, |x, y| x + y)
}

/// `a * b + c`, rounded once, as the instructions do that go with AMX.
#[cfg(test)]
fn rounded_once(a: Numbers, b: Numbers, c: Numbers) -> Numbers {
    std::array::from_fn(|lane| a[lane].mul_add(b[lane], c[lane]))
}

/// What all have in common: everything but matrix products.
macro_rules! lane_by_lane {
    ($mul_add:ident) => {
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

        #[inline(always)]
        fn mul_add(self, a: Numbers, b: Numbers, c: Numbers) -> Numbers {
            $mul_add(a, b, c)
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
    lane_by_lane!(rounded_twice);

    const DEPTH: usize = 1;
    const STEPS: Option<f32> = None;
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
impl Simd for TileModel {
    lane_by_lane!(rounded_once);

    const DEPTH: usize = 2;
    const STEPS: Option<f32> = None;
    const ROWS_STEP: usize = 16;
    const TILE_ROWS: &[usize] = &[32, 32];

    fn put(self, to: &mut [Lanes], place: usize, x: Numbers) {
        put_halves(to, place, x, to_bf16);
    }

    fn multiply(self, tile: Tile<'_>) {
        tile.check();
        assert!([16, 32].contains(&tile.rows), "{} rows", tile.rows);
        let depth = tile.depth();
        for row in (0..tile.rows).step_by(16) {
            for column in 0..tile.columns {
                let mut sums = [[0.0; WIDTH]; 16];
                for (index, &distance) in tile.distances.iter().enumerate() {
                    for k in 0..depth {
                        // Two tile registers: 16 rows of multiplicands, 16 steps of weights.
                        let a: [Numbers; 16] =
                            std::array::from_fn(|i| tile.a[(row + distance + i) * tile.a_stride + k].0);
                        let step = (index * depth + k) * 16;
                        let b: [Numbers; 16] =
                            std::array::from_fn(|i| tile.b[(step + i) * tile.columns + column].0);
                        add_product(&mut sums, &a, &b);
                    }
                }
                for (i, sums) in sums.into_iter().enumerate() {
                    tile.out[(row + i) * tile.out_stride + column].0 = sums;
                }
            }
        }
    }
}

/// What `TDPBF16PS` does with numbers that are not tiny, by Intel's description of it: the products of first numbers are summed up by
/// themselves, and those of second ones.
#[cfg(test)]
fn add_product(sums: &mut [Numbers; 16], a: &[Numbers; 16], b: &[Numbers; 16]) {
    let bf16 = |half: u16| f32::from_bits(u32::from(half) << 16);
    let b = b.map(|row| [0, 1].map(|half| row.map(|x| bf16(halves(x)[half]))));
    for (sums, a) in sums.iter_mut().zip(a) {
        let mut added = [[0.0; WIDTH]; 2];
        for (x, b) in a.iter().zip(&b) {
            for half in 0..2 {
                let x = bf16(halves(*x)[half]);
                added[half] = each(added[half], b[half], |sum, y| sum + x * y);
            }
        }
        *sums = each(*sums, each(added[0], added[1], |x, y| x + y), |x, y| x + y);
    }
}

/// The two numbers in the bits of one.
#[cfg(test)]
fn halves(x: f32) -> [u16; 2] {
    [x.to_bits() as u16, (x.to_bits() >> 16) as u16]
}

/// Writes sixteen numbers of sixteen bits.
#[cfg(test)]
fn put_halves(to: &mut [Lanes], place: usize, x: Numbers, half: impl Fn(f32) -> u16) {
    let to = &mut to[place / 2].0[place % 2 * WIDTH / 2..][..WIDTH / 2];
    for (pair, two) in to.iter_mut().zip(x.chunks_exact(2)) {
        *pair = f32::from_bits(u32::from(half(two[1])) << 16 | u32::from(half(two[0])));
    }
}

#[cfg(test)]
impl Simd for PortableInt16 {
    lane_by_lane!(rounded_twice);

    const DEPTH: usize = 2;
    const STEPS: Option<f32> = Some(32767.0);
    const TILE_ROWS: &[usize] = &[4];

    fn put(self, to: &mut [Lanes], place: usize, x: Numbers) {
        put_halves(to, place, x, |x| x.round_ties_even() as i16 as u16);
    }

    fn multiply(self, tile: Tile<'_>) {
        let factors = tile.factors[0];
        // The sums are whole numbers, in the bits of others until the end.
        let mut out = vec![Lanes::ZERO; tile.rows];
        multiply(Tile { out: &mut out, out_stride: 1, ..tile }, |sum, a, b| {
            each(sum, b.0, |sum, b| {
                let [a, b] = [a, b].map(|x| halves(x).map(|half| i32::from(half as i16)));
                let products = a[0] * b[0] + a[1] * b[1];
                f32::from_bits((sum.to_bits() as i32 + products) as u32)
            })
        });
        for (row, sums) in out.into_iter().enumerate() {
            let sums = each(sums.0, sums.0, |sum, _| sum.to_bits() as i32 as f32);
            tile.out[row * tile.out_stride].0 = each(sums, factors.0, |sum, factor| sum * factor);
        }
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
    let depth = tile.depth();
    for (place, b) in tile.b.as_chunks::<WIDTH>().0.iter().enumerate() {
        let first = tile.distances[place / depth] * tile.a_stride + place % depth;
        let a: [&Numbers; R] = std::array::from_fn(|row| &tile.a[first + row * tile.a_stride].0);
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
