//! Matrix products.

use super::{Comparison, Random, number, rows, units};
use crate::kernel::gemm::{Packing, Rows, Tile, Weights, multiply, pack};
use crate::kernel::lanes::{Lanes, WIDTH};
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
    /// `[position][row]`, a row of lanes each, after row 0.
    type Output = Vec<Lanes>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Vec<Lanes> {
        let Product { rows: count, inputs, outputs, positions, .. } = self;
        let depth = Lanes::count(inputs).div_ceil(S::DEPTH);
        let columns = Lanes::count(outputs);
        let tile_columns = self.tile_columns.min(S::TILE_ROWS.len());
        let packing = Packing { positions, depth, columns, tile_columns };
        let mut weights = vec![Lanes::ZERO; packing.len()];
        pack(simd, packing, inputs, outputs, &mut weights, |position, input, output| {
            self.b[(position * inputs + input) * outputs + output]
        });
        let weights = Weights { packing, data: &weights };
        // One lane more than needed, to see that strides are respected.
        let stride = depth + 1;
        let numbers = rows(self.a, inputs);
        let lanes = Lanes::count(inputs);
        let mut data = vec![Lanes([7.0; WIDTH]); count * stride];
        for row in 0..count {
            for place in 0..depth * S::DEPTH {
                let x = if place < lanes { numbers[(row + 1) * lanes + place] } else { Lanes::ZERO };
                simd.put(&mut data[row * stride..], place, simd.load(&x));
            }
        }
        let mut out = vec![Lanes::ZERO; (1 + positions * count) * columns];
        let a = Rows { data: &data, stride, count };
        for group in packing.groups() {
            for position in 0..positions {
                let to = &mut out[(1 + position * count) * columns + group.start..];
                multiply(simd, a, weights.panel(group, position), to, columns);
            }
        }
        out
    }
}

#[test]
fn products_of_all_sizes() {
    for (name, unit, is_bf16) in units() {
        let mut random = Random(1);
        for round in 0..120 {
            let rows = if round < 40 { round + 1 } else { random.between(1, 40) };
            let (inputs, outputs) = (random.between(1, 70), random.between(1, 130));
            let (positions, tile_columns) = (random.between(1, 3), random.between(1, 3));
            let a = random.numbers(rows * inputs);
            let b = random.numbers(positions * inputs * outputs);
            let out = unit.run(Product { rows, inputs, outputs, positions, tile_columns, a: &a, b: &b });
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
                        comparison.add(number(&out, lanes, 1 + position * rows + row, output), expected);
                    }
                }
            }
            let what = format!("{name}: {rows} rows, {inputs} inputs, {outputs} outputs");
            if is_bf16 {
                // Each of two factors is rounded to eight bits: at most 2⁻⁸ of each product, mostly far less of the sum.
                assert!(comparison.mean() < 4e-3, "{what}: {:.1e}", comparison.mean());
            } else {
                comparison.check_exact(&what);
            }
        }
    }
}

#[test]
fn the_bf16_units_round_alike() {
    let mut outs = Vec::new();
    for (name, unit, is_bf16) in units() {
        if is_bf16 {
            let mut random = Random(2);
            let (a, b) = (random.numbers(11 * 96), random.numbers(96 * 64));
            let (rows, inputs, outputs) = (11, 96, 64);
            let (positions, tile_columns) = (1, 3);
            let out = unit.run(Product { rows, inputs, outputs, positions, tile_columns, a: &a, b: &b });
            outs.push((name, out));
        }
    }
    for (name, out) in &outs {
        let mut comparison = Comparison::default();
        for (found, expected) in out.iter().zip(&outs[0].1) {
            for (found, expected) in found.0.iter().zip(expected.0) {
                comparison.add(f64::from(*found), f64::from(expected));
            }
        }
        // Only the order of the sums differs.
        assert!(comparison.worst() < 1e-6, "{name}: {:.1e}", comparison.worst());
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
                for rows in 1..=most {
                    let mut a = vec![Lanes::ZERO; 2 * rows];
                    for row in 0..rows {
                        for half in 0..S::DEPTH {
                            simd.put(&mut a[2 * row..], half, simd.splat(1.0));
                        }
                    }
                    let mut b = vec![Lanes::ZERO; WIDTH * columns];
                    for lanes in &mut b {
                        for half in 0..S::DEPTH {
                            simd.put(std::slice::from_mut(lanes), half, simd.splat(0.5));
                        }
                    }
                    let mut out = vec![Lanes([3.0; WIDTH]); rows * (columns + 1)];
                    let (a, b) = (&a[..], &b[..]);
                    let out_stride = columns + 1;
                    simd.multiply(Tile { rows, columns, a, a_stride: 2, b, out: &mut out, out_stride });
                    let sum = (WIDTH * S::DEPTH) as f32 / 2.0;
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
    for (name, unit, _) in units() {
        assert!(unit.run(All) >= 4, "{name}");
    }
}

#[test]
#[should_panic(expected = "rows are missing")]
fn a_tile_does_not_read_beyond_its_rows() {
    let (a, b, mut out) = (vec![Lanes::ZERO; 3], vec![Lanes::ZERO; 2 * WIDTH], vec![Lanes::ZERO; 2]);
    let (_, unit, _) = units().pop().expect("there is always the portable unit");
    struct One<'a>(Tile<'a>);
    impl Kernel for One<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, simd: S) {
            simd.multiply(self.0);
        }
    }
    unit.run(One(Tile { rows: 2, columns: 1, a: &a, a_stride: 2, b: &b, out: &mut out, out_stride: 1 }));
}
