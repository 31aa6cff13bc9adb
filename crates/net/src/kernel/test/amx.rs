//! What the assembly of AMX must not do, and that it is really run. The other instruction sets are asked the same.

use super::guarded::{Guarded, Side};
use super::{Random, multipliers};
use crate::kernel::gemm::Tile;
use crate::kernel::lanes::{Lanes, WIDTH};
use crate::kernel::simd::{Kernel, Simd};

/// Random tiles of whole numbers, in buffers that are just large enough.
struct Tiles<'a> {
    random: &'a mut Random,
    side: Side,
}

/// What is where nothing should be written.
const UNTOUCHED: Lanes = Lanes([0.5; WIDTH]);

impl Kernel for Tiles<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Tiles { random, side } = self;
        for (columns, &most) in (1..).zip(S::TILE_ROWS) {
            for rows in (S::ROWS_STEP..=most).step_by(S::ROWS_STEP) {
                for _ in 0..8 {
                    check(simd, random, side, rows, columns);
                }
            }
        }
    }
}

#[inline(always)]
fn check<S: Simd>(simd: S, random: &mut Random, side: Side, rows: usize, columns: usize) {
    let depth = random.between(1, 4);
    let (a_stride, out_stride) = (depth + random.between(0, 2), columns + random.between(0, 2));
    let distances: Vec<usize> = (0..random.between(1, 9)).map(|_| random.between(0, 20)).collect();
    let last = distances.iter().max().copied().unwrap_or(0);
    let (inputs, outputs) = (depth * WIDTH * S::DEPTH, columns * WIDTH);
    let mut numbers =
        |count: usize| -> Vec<i32> { (0..count).map(|_| random.between(0, 14) as i32 - 7).collect() };
    let left: Vec<Vec<i32>> = (0..rows + last).map(|_| numbers(inputs)).collect();
    let right: Vec<Vec<i32>> = (0..distances.len() * inputs).map(|_| numbers(outputs)).collect();

    let mut a = Guarded::new((rows - 1 + last) * a_stride + depth, side, UNTOUCHED);
    for (row, numbers) in left.iter().enumerate() {
        for (place, x) in numbers.chunks_exact(WIDTH).enumerate() {
            let x = Lanes(std::array::from_fn(|i| x[i] as f32));
            simd.put(&mut a[row * a_stride..], place, simd.load(&x));
        }
    }
    let mut b = Guarded::new(distances.len() * depth * WIDTH * columns, side, UNTOUCHED);
    for place in 0..b.len() {
        let (step, column) = (place / columns, place % columns);
        for half in 0..S::DEPTH {
            let weight =
                |i: usize| right[step * S::DEPTH + i % S::DEPTH][column * WIDTH + i / S::DEPTH] as f32;
            let x = Lanes(std::array::from_fn(|i| weight(half * WIDTH + i)));
            simd.put(&mut b[place..], half, simd.load(&x));
        }
    }
    let factors = vec![Lanes([1.0; WIDTH]); S::STEPS.map_or(0, |_| columns)];
    let mut out = Guarded::new((rows - 1) * out_stride + columns, side, UNTOUCHED);
    simd.multiply(Tile {
        rows,
        columns,
        a: &a,
        a_stride,
        distances: &distances,
        b: &b,
        factors: &factors,
        out: &mut out,
        out_stride,
    });

    for (place, found) in out.iter().enumerate() {
        let (row, column) = (place / out_stride, place % out_stride);
        let sum = |output: usize| -> i32 {
            let rows = distances.iter().flat_map(|distance| &left[row + distance]);
            rows.zip(&right).map(|(x, weights)| x * weights[column * WIDTH + output]).sum()
        };
        let expected = if column < columns {
            Lanes(std::array::from_fn(|output| sum(output) as f32))
        } else {
            UNTOUCHED
        };
        assert_eq!(
            *found, expected,
            "{rows} rows, {columns} columns, {distances:?}: row {row}, column {column}"
        );
    }
}

#[test]
fn tiles_touch_nothing_else() {
    for (name, multiplier, _) in multipliers() {
        println!("{name}");
        let random = &mut Random(20);
        for side in [Side::Front, Side::Back] {
            multiplier.run(Tiles { random, side });
        }
    }
}

/// A test that silently ran something else would prove nothing.
#[test]
#[cfg(target_arch = "x86_64")]
fn the_assembly_is_run() {
    use super::{amx, amx_emulator};
    use crate::kernel::self_check::SelfCheck;
    let Some((name, multiplier)) = amx() else {
        eprintln!("skipped: this processor has neither AMX nor AVX-512 with bf16");
        return;
    };
    let threads = std::thread::scope(|scope| {
        let run = || {
            let before = amx_emulator::products();
            assert!(multiplier.run(SelfCheck), "{name}");
            amx_emulator::products() - before
        };
        [scope.spawn(run), scope.spawn(run)].map(|thread| thread.join().unwrap())
    });
    // Of 16 rows and 16 columns: 1 · 1 · 1, 1 · 2 · 1, 3 · 3 · 2 and 2 · 1 · 9 for one column, twice as many for two.
    let expected = if name == "amx" { 0 } else { 3 * (1 + 2 + 18 + 18) };
    assert_eq!(threads, [expected; 2], "{name}");
}
