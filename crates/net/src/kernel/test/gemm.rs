//! Matrix products.

use super::{Comparison, Random, Rounding, distance_from_model, multipliers, number, rows};
use crate::kernel::gemm::{Packing, Room, Rows, Tile, Weights, multiply, pack};
use crate::kernel::isa::{Isa, Multiplier};
use crate::kernel::lanes::{Lanes, WIDTH};
use crate::kernel::self_check::SelfCheck;
use crate::kernel::simd::{Kernel, Simd};

/// A product of random matrices: `[row][input]` times `[position][input][output]`.
struct Product<'a> {
    rows: usize,
    inputs: usize,
    outputs: usize,
    positions: usize,
    tile_columns: usize,
    a: &'a [f32],
    b: &'a [f32],
}

impl Kernel for Product<'_> {
    /// `[position][row]`, a row of lanes each, after row 0; and rows from position to position.
    type Output = (Vec<Lanes>, usize);

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> (Vec<Lanes>, usize) {
        let Product { rows: count, inputs, outputs, positions, .. } = self;
        let depth = Lanes::count(inputs).div_ceil(S::DEPTH);
        let columns = Lanes::count(outputs);
        let tile_columns = self.tile_columns.min(S::TILE_ROWS.len());
        let packing = Packing { positions, taps: 1, depth, columns, tile_columns };
        let mut data = vec![Lanes::ZERO; packing.len()];
        let mut factors = vec![Lanes::ZERO; S::STEPS.map_or(0, |_| packing.factors())];
        let room = Room { data: &mut data, factors: &mut factors };
        pack(
            simd,
            packing,
            (inputs, outputs),
            room,
            |_| 1.0,
            |position, input, output| self.b[(position * inputs + input) * outputs + output],
        );
        let weights = Weights { packing, data: &data, factors: &factors };
        // One lane more than needed, to see that strides are respected.
        let stride = depth + 1;
        let numbers = rows(self.a, inputs);
        let lanes = Lanes::count(inputs);
        let room = count.next_multiple_of(S::ROWS_STEP);
        let mut data = vec![Lanes([7.0; WIDTH]); room * stride];
        for row in 0..count {
            for place in 0..depth * S::DEPTH {
                let x = if place < lanes { numbers[(row + 1) * lanes + place] } else { Lanes::ZERO };
                // The largest number is 1.
                let x = simd.mul(simd.load(&x), simd.splat(S::STEPS.unwrap_or(1.0)));
                simd.put(&mut data[row * stride..], place, x);
            }
        }
        let mut out = vec![Lanes::ZERO; (1 + positions * room) * columns];
        let a = Rows { data: &data, stride, count, distances: &[0] };
        for group in packing.groups() {
            for position in 0..positions {
                let to = &mut out[(1 + position * room) * columns + group.start..];
                multiply(simd, a, weights.panel(group, position), to, columns);
            }
        }
        (out, room)
    }
}

#[test]
fn products_of_all_sizes() {
    for (name, multiplier, rounding) in multipliers() {
        let mut random = Random(1);
        for round in 0..120 {
            let rows = if round < 40 { round + 1 } else { random.between(1, 40) };
            let (inputs, outputs) = (random.between(1, 70), random.between(1, 130));
            let (positions, tile_columns) = (random.between(1, 3), random.between(1, 3));
            let a = random.numbers(rows * inputs);
            let b = random.numbers(positions * inputs * outputs);
            let (out, room) =
                multiplier.run(Product { rows, inputs, outputs, positions, tile_columns, a: &a, b: &b });
            let mut comparison = Comparison::default();
            for position in 0..positions {
                for row in 0..rows {
                    for output in 0..outputs {
                        let expected: f64 = (0..inputs)
                            .map(|k| {
                                let b = b[(position * inputs + k) * outputs + output];
                                f64::from(a[row * inputs + k]) * f64::from(b)
                            })
                            .sum();
                        let lanes = Lanes::count(outputs);
                        comparison.add(number(&out, lanes, 1 + position * room + row, output), expected);
                    }
                }
            }
            let what = format!("{name}: {rows} rows, {inputs} inputs, {outputs} outputs");
            match rounding {
                Rounding::F32 => comparison.check_exact(&what),
                // At most 70 weights of −1 to 1 sum up to 65,000: they are rounded to one in a thousand or so.
                Rounding::Int16 => assert!(comparison.mean() < 5e-4, "{what}: {:.1e}", comparison.mean()),
                // Each of two factors is rounded to eight bits: at most 2⁻⁸ of each product, mostly far less of the sum.
                Rounding::Bf16 => assert!(comparison.mean() < 4e-3, "{what}: {:.1e}", comparison.mean()),
            }
        }
    }
}

#[test]
fn units_of_a_kind_round_alike() {
    for kind in [Rounding::Int16, Rounding::Bf16] {
        let alike: Vec<_> = multipliers().into_iter().filter(|(_, _, rounding)| *rounding == kind).collect();
        let mut random = Random(2);
        for _ in 0..10 {
            let (rows, inputs, outputs) =
                (random.between(1, 50), random.between(1, 200), random.between(1, 64));
            let (positions, tile_columns) = (1, 3);
            let (a, b) = (random.numbers(rows * inputs), random.numbers(inputs * outputs));
            let outs = alike.iter().map(|(name, multiplier, _)| {
                let product = Product { rows, inputs, outputs, positions, tile_columns, a: &a, b: &b };
                (name, multiplier.run(product).0)
            });
            let outs: Vec<_> = outs.collect();
            for (name, out) in &outs {
                let mut comparison = Comparison::default();
                let lanes = Lanes::count(outputs);
                for (row, output) in (1..=rows).flat_map(|row| (0..outputs).map(move |output| (row, output)))
                {
                    comparison.add(number(out, lanes, row, output), number(&outs[0].1, lanes, row, output));
                }
                let bound = match kind {
                    Rounding::Bf16 => distance_from_model(name, 1e-6),
                    _ => 1e-6,
                };
                let what = format!("{name}: {rows} rows, {inputs} inputs, {outputs} outputs");
                assert!(comparison.worst() <= bound, "{what}: {:.1e}", comparison.worst());
            }
        }
    }
}

/// All multiplicands as large as they can be: the sums must not overflow.
#[test]
fn sums_of_whole_numbers_have_room() {
    for (name, multiplier, _) in
        multipliers().into_iter().filter(|(_, _, rounding)| *rounding == Rounding::Int16)
    {
        for inputs in [2, 32, 192] {
            let (a, b) = (vec![1.0; inputs], vec![-1.0; inputs * 16]);
            let (rows, outputs, positions, tile_columns) = (1, 16, 1, 1);
            let (out, _) =
                multiplier.run(Product { rows, inputs, outputs, positions, tile_columns, a: &a, b: &b });
            let error = out[1].0.map(|sum| (sum / inputs as f32 + 1.0).abs());
            assert!(error.iter().all(|&error| error < 1e-3), "{name}: {:?} instead of {inputs}", out[1]);
        }
    }
}

#[test]
fn every_tile_that_fits_is_there() {
    struct All;
    impl Kernel for All {
        type Output = usize;
        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> usize {
            let mut tiles = 0;
            for (columns, &most) in (1..).zip(S::TILE_ROWS) {
                for rows in (S::ROWS_STEP..=most).step_by(S::ROWS_STEP) {
                    let mut a = vec![Lanes::ZERO; 2 * rows];
                    for row in 0..rows {
                        for half in 0..S::DEPTH {
                            simd.put(&mut a[2 * row..], half, simd.splat(1.0));
                        }
                    }
                    let mut b = vec![Lanes::ZERO; WIDTH * columns];
                    for lanes in &mut b {
                        for half in 0..S::DEPTH {
                            simd.put(std::slice::from_mut(lanes), half, simd.splat(1.0));
                        }
                    }
                    let mut out = vec![Lanes([3.0; WIDTH]); rows * (columns + 1)];
                    let (a, b) = (&a[..], &b[..]);
                    let out_stride = columns + 1;
                    let factors = vec![Lanes([0.5; WIDTH]); S::STEPS.map_or(0, |_| columns)];
                    let factors = &factors[..];
                    simd.multiply(Tile {
                        rows,
                        columns,
                        a,
                        a_stride: 2,
                        distances: &[0],
                        b,
                        factors,
                        out: &mut out,
                        out_stride,
                    });
                    let sum = (WIDTH * S::DEPTH) as f32 * S::STEPS.map_or(1.0, |_| 0.5);
                    for row in out.chunks_exact(out_stride) {
                        assert!(row[..columns].iter().all(|lanes| lanes.0 == [sum; WIDTH]));
                        assert_eq!(row[columns].0, [3.0; WIDTH], "written behind the row");
                    }
                    tiles += 1;
                }
            }
            tiles
        }
    }
    for (name, multiplier, _) in multipliers() {
        assert!(multiplier.run(All) > 3, "{name}");
    }
}

#[test]
#[should_panic(expected = "rows are missing")]
fn a_tile_does_not_read_beyond_its_rows() {
    let (a, b, mut out) = (vec![Lanes::ZERO; 3], vec![Lanes::ZERO; 2 * WIDTH], vec![Lanes::ZERO; 2]);
    let multiplier = Multiplier::new(Isa::best_exact()).expect("it is available");
    struct One<'a>(Tile<'a>);
    impl Kernel for One<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, simd: S) {
            simd.multiply(self.0);
        }
    }
    multiplier.run(One(Tile {
        rows: 2,
        columns: 1,
        a: &a,
        a_stride: 2,
        distances: &[0],
        b: &b,
        factors: &[],
        out: &mut out,
        out_stride: 1,
    }));
}

#[test]
fn every_unit_passes_the_check_of_itself() {
    for (name, multiplier, _) in multipliers() {
        assert!(multiplier.run(SelfCheck), "{name}");
    }
}
