//! Convolutions of all kinds, with all that may become of their results.

use super::{Comparison, Random, Rounding, amx, distance_from_model, multipliers, number, rows, units};
use crate::kernel::Multiplier;
use crate::kernel::convolution::{Convolve3x3, Tiling};
use crate::kernel::direct::{ConvolveDirect, Field, Padding};
use crate::kernel::finish::{Active, Finish, Norm, Raw};
use crate::kernel::gemm::{Room, Weights};
use crate::kernel::lanes::Lanes;
use crate::kernel::portable::Portable;
use crate::kernel::scratch::Scratch;
use crate::kernel::simd::Simd;
use crate::kernel::stem::{Nonzero, Stem};
use crate::kernel::winograd::{Four, Three, TileSize, Transform};
use crate::model::{Activation, Conv};
use crate::network::{Layer, Method};

/// Boards with random numbers and a convolution.
struct Case {
    width: usize,
    height: usize,
    boards: usize,
    conv: Conv,
    input: Vec<f32>,
}

impl Case {
    fn new(random: &mut Random, side: usize, width: usize, height: usize, boards: usize) -> Case {
        let (inputs, outputs) = (random.between(1, 40), random.between(1, 70));
        let mut conv = Conv::new(side, inputs, outputs);
        conv.weights = random.numbers(side * side * inputs * outputs);
        let input = random.numbers(boards * width * height * inputs);
        Case { width, height, boards, conv, input }
    }

    fn points(&self) -> usize {
        self.boards * self.width * self.height
    }

    fn name(&self) -> String {
        let Conv { height: side, inputs, outputs, .. } = self.conv;
        format!(
            "{side}x{side} {inputs} to {outputs} on {} boards of {}x{}",
            self.boards, self.width, self.height
        )
    }

    /// The row of the point at a place of the kernel around a point, if it is on the board; rows count from 0.
    fn seen(&self, point: usize, place: usize) -> Option<usize> {
        let side = self.conv.height;
        let (width, height) = (self.width as isize, self.height as isize);
        let (board, point) = (point as isize / (width * height), point as isize % (width * height));
        let row = point / width + (place / side) as isize - (side / 2) as isize;
        let column = point % width + (place % side) as isize - (side / 2) as isize;
        let inside = (0..height).contains(&row) && (0..width).contains(&column);
        inside.then_some(((board * height + row) * width + column) as usize)
    }

    /// The sum by definition.
    fn expected(&self, point: usize, output: usize) -> f64 {
        let Conv { height: side, inputs, outputs, .. } = self.conv;
        let mut sum = 0.0;
        for place in 0..side * side {
            if let Some(row) = self.seen(point, place) {
                for input in 0..inputs {
                    let weight = self.conv.weights[(place * inputs + input) * outputs + output];
                    sum += f64::from(self.input[row * inputs + input]) * f64::from(weight);
                }
            }
        }
        sum
    }

    fn run(&self, multiplier: Multiplier, size: TileSize, finish: Finish<'_>) {
        let layer = Layer::new(multiplier, self.conv.clone());
        let input = rows(&self.input, self.conv.inputs);
        let input_lanes = layer.input_lanes;
        match &layer.method {
            Method::Winograd(_) => {
                let tiling = Tiling::new(size, self.width, self.height, self.boards);
                let (packing, factors) = layer.winograd_packing(size);
                let (mut data, mut factors) = (vec![Lanes::ZERO; packing.len()], vec![Lanes::ZERO; factors]);
                layer.transform(size, packing, Room { data: &mut data, factors: &mut factors });
                let tiles = self.boards * tiling.per_board();
                // Two boards at a time.
                let chunk = 2 * tiling.per_board();
                let mut scratch = Scratch::default();
                scratch.reserve(packing, chunk, chunk);
                multiplier.run(Convolve3x3 {
                    tiling: &tiling,
                    tiles,
                    chunk,
                    input: &input,
                    input_lanes,
                    weights: Weights { packing, data: &data, factors: &factors },
                    scratch: &mut scratch,
                    finish,
                });
            }
            Method::Direct { height, width, weights } => {
                let padding = Padding::new((*height, *width), (self.height, self.width), self.boards);
                let chunk = 64;
                let field = match height {
                    1 => Field::Rows(self.points()),
                    _ => Field::Boards(self.boards, &padding),
                };
                let mut scratch = Scratch::default();
                scratch.reserve(weights.view().packing, padding.span(chunk), chunk);
                layer.multiplier.run(ConvolveDirect {
                    field,
                    chunk,
                    input: &input,
                    input_lanes,
                    weights: weights.view(),
                    scratch: &mut scratch,
                    finish,
                });
            }
        }
    }

    /// Compares the sums with what they should be.
    fn check(&self, name: &str, multiplier: Multiplier, rounding: Rounding, size: TileSize) {
        let columns = Lanes::count(self.conv.outputs);
        let mut out = vec![Lanes::ZERO; (1 + self.points()) * columns];
        self.run(multiplier, size, Finish { columns, raw: Raw::Set(&mut out), active: None });
        let mut comparison = Comparison::default();
        for point in 0..self.points() {
            for output in (0..self.conv.outputs).step_by(3) {
                comparison.add(number(&out, columns, point + 1, output), self.expected(point, output));
            }
        }
        assert!(out[..columns].iter().all(|lanes| *lanes == Lanes::ZERO), "row 0 was written");
        let what = format!("{name}, {size:?}: {}", self.name());
        let bound = match (rounding, self.conv.height) {
            (Rounding::F32, _) => return comparison.check_exact(&what),
            (Rounding::Int16, 3) => 2e-3,
            (Rounding::Int16, _) => 1e-3,
            (Rounding::Bf16, _) => 4e-3,
        };
        assert!(comparison.mean() < bound, "{what}: {:.1e}", comparison.mean());
    }
}

#[test]
fn boards_of_all_sizes() {
    for (name, multiplier, rounding) in multipliers() {
        let mut random = Random(3);
        for width in 2..=25 {
            let height = if width % 3 == 0 { random.between(2, 25) } else { width };
            let boards = random.between(1, 3);
            let case = Case::new(&mut random, 3, width, height, boards);
            for size in TileSize::ALL {
                case.check(&name, multiplier, rounding, size);
            }
        }
    }
}

#[test]
fn batches_of_all_sizes() {
    for (name, multiplier, rounding) in multipliers() {
        let mut random = Random(4);
        for boards in 1..=16 {
            let (width, height) = (random.between(2, 7), random.between(2, 7));
            Case::new(&mut random, 3, width, height, boards).check(
                &name,
                multiplier,
                rounding,
                TileSize::Three,
            );
            Case::new(&mut random, 1, width, height, boards).check(
                &name,
                multiplier,
                rounding,
                TileSize::Three,
            );
        }
    }
}

#[test]
fn kernels_of_all_sizes() {
    for (name, multiplier, rounding) in multipliers() {
        let mut random = Random(5);
        for side in [1, 5, 7, 9] {
            for _ in 0..4 {
                let (width, height) = (random.between(2, 12), random.between(2, 12));
                Case::new(&mut random, side, width, height, 2).check(
                    &name,
                    multiplier,
                    rounding,
                    TileSize::Four,
                );
            }
        }
    }
}

#[test]
fn convolutions_with_amx_are_those_with_its_model() {
    let Some((name, multiplier)) = amx() else {
        eprintln!("skipped: this processor has neither AMX nor AVX-512 with bf16");
        return;
    };
    let mut random = Random(9);
    for round in 0..12 {
        let (width, height) = (random.between(2, 19), random.between(2, 19));
        let boards = random.between(1, 3);
        let case = Case::new(&mut random, if round % 3 == 0 { 1 } else { 3 }, width, height, boards);
        let outputs = case.conv.outputs;
        let columns = Lanes::count(outputs);
        let before = random.numbers(case.points() * outputs);
        let [scale, bias] = [0, 1].map(|_| rows(&random.numbers(outputs), outputs).split_off(columns));
        let [found, expected] = [multiplier, Multiplier::TileModel].map(|multiplier| {
            let (mut trunk, mut active) = (rows(&before, outputs), rows(&before, outputs));
            let norm = Norm { scale: &scale, bias: &bias, activation: Activation::Mish };
            let active_to = Some(Active { to: &mut active, norm });
            let finish = Finish { columns, raw: Raw::Add(&mut trunk), active: active_to };
            case.run(multiplier, TileSize::Four, finish);
            [trunk, active].concat()
        });
        let mut comparison = Comparison::default();
        for (found, expected) in found.iter().zip(&expected) {
            let pairs = found.0.iter().zip(expected.0);
            pairs.for_each(|(found, expected)| comparison.add(f64::from(*found), f64::from(expected)));
        }
        let bound = distance_from_model(name, 1e-6);
        assert!(comparison.worst() <= bound, "{name}: {}: {:.1e}", case.name(), comparison.worst());
    }
}

#[test]
fn sums_are_added_normed_and_activated() {
    let activations = [Activation::Identity, Activation::Relu, Activation::Mish, Activation::Silu];
    let exact = multipliers().into_iter().filter(|(_, _, rounding)| *rounding == Rounding::F32);
    for (name, multiplier, _) in exact {
        let mut random = Random(6);
        for (side, activation) in [1, 3, 3, 5].into_iter().zip(activations) {
            let case = Case::new(&mut random, side, 9, 9, 2);
            let outputs = case.conv.outputs;
            let columns = Lanes::count(outputs);
            let before = random.numbers(case.points() * outputs);
            let (scale, bias) = (random.numbers(outputs), random.numbers(outputs));
            let (mut trunk, mut active) = (rows(&before, outputs), rows(&before, outputs));
            let [scale_lanes, bias_lanes] = [&scale, &bias].map(|list| rows(list, outputs));
            let norm = Norm { scale: &scale_lanes[columns..], bias: &bias_lanes[columns..], activation };
            let active_to = Some(Active { to: &mut active, norm });
            case.run(
                multiplier,
                TileSize::Four,
                Finish { columns, raw: Raw::Add(&mut trunk), active: active_to },
            );
            let (mut sums, mut results) = (Comparison::default(), Comparison::default());
            for point in 0..case.points() {
                for output in 0..outputs {
                    let sum = f64::from(before[point * outputs + output]) + case.expected(point, output);
                    sums.add(number(&trunk, columns, point + 1, output), sum);
                    let normed = sum * f64::from(scale[output]) + f64::from(bias[output]);
                    let expected = f64::from(activation.apply(normed as f32));
                    results.add(number(&active, columns, point + 1, output), expected);
                }
            }
            sums.check_exact(&format!("{name}: sums"));
            results.check_exact(&format!("{name}: {activation:?}"));
        }
    }
}

#[test]
fn the_first_layer_looks_at_inputs_that_are_not_zero() {
    for (name, unit) in units() {
        let mut random = Random(7);
        for side in [1, 3, 5] {
            let mut case = Case::new(&mut random, side, 7, 5, 1);
            for number in &mut case.input {
                *number = if random.between(0, 3) == 0 { *number } else { 0.0 };
            }
            let Conv { inputs, outputs, .. } = case.conv;
            let columns = Lanes::count(outputs);
            let weights = rows(&case.conv.weights, outputs).split_off(columns);
            let added = random.numbers(outputs);
            let base = random.numbers(case.points() * outputs);
            let (mut nonzero, mut starts) = (Vec::new(), vec![0]);
            for values in case.input.chunks_exact(inputs) {
                let values = values.iter().enumerate().filter(|(_, value)| **value != 0.0);
                nonzero.extend(values.map(|(plane, &value)| Nonzero { plane: plane as u32, value }));
                starts.push(nonzero.len() as u32);
            }
            let taps = side * side;
            let places = (0..case.points()).flat_map(|point| (0..taps).map(move |place| (point, place)));
            let sources: Vec<u32> = places
                .map(|(point, place)| case.seen(point, place).map_or(0, |row| row as u32 + 1))
                .collect();
            let mut out = vec![Lanes::ZERO; (1 + case.points()) * columns];
            unit.run(Stem {
                inputs: &nonzero,
                starts: &starts,
                weights: &weights,
                planes: inputs,
                sources: &sources,
                taps,
                base: &rows(&base, outputs)[columns..],
                added: &rows(&added, outputs)[columns..],
                to: &mut out[columns..],
                columns,
            });
            let mut comparison = Comparison::default();
            for point in 0..case.points() {
                for output in 0..outputs {
                    let begin = f64::from(base[point * outputs + output]) + f64::from(added[output]);
                    comparison
                        .add(number(&out, columns, point + 1, output), begin + case.expected(point, output));
                }
            }
            comparison.check_exact(&name);
        }
    }
}

/// The transforms in one dimension: transformed input times transformed weights, transformed back, is the convolution.
fn check_transform<T: Transform<OUTER, INNER>, const OUTER: usize, const INNER: usize>(size: TileSize) {
    assert_eq!((size.outer(), size.inner()), (OUTER, INNER));
    let mut random = Random(8);
    for _ in 0..50 {
        let input: [f32; OUTER] = std::array::from_fn(|_| random.number());
        let weights: [f32; 3] = std::array::from_fn(|_| random.number());
        // In two dimensions with a kernel of one column, the position of infinity in the other one has the weights.
        let mut conv = Conv::new(3, 1, 1);
        conv.weights = vec![0.0; 9];
        for (row, weight) in weights.iter().enumerate() {
            conv.weights[3 * row + 2] = *weight;
        }
        let transformed = size.transform_weights(&conv);
        let d = T::input(Portable, input.map(|x| Portable.splat(x)));
        let m =
            std::array::from_fn(|i| Portable.mul(d[i], Portable.splat(transformed[i * OUTER + OUTER - 1])));
        for (place, found) in T::output(Portable, m).into_iter().enumerate() {
            let expected: f32 = (0..3).map(|k| input[place + k] * weights[k]).sum();
            assert!((found[0] - expected).abs() < 1e-5, "{size:?}: {} instead of {expected}", found[0]);
        }
    }
}

#[test]
fn transforms_convolve() {
    check_transform::<Three, 5, 3>(TileSize::Three);
    check_transform::<Four, 6, 4>(TileSize::Four);
}

#[test]
fn tiles_are_chosen_by_the_work_they_make() {
    assert_eq!(TileSize::best(9, 9), TileSize::Three);
    assert_eq!(TileSize::best(19, 19), TileSize::Four);
    assert_eq!(TileSize::best(13, 13), TileSize::Four);
}
