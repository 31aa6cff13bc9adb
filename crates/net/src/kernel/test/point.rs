//! Activations, norms and pooling.

use super::{Comparison, Random, number, rows, units};
use crate::kernel::activation::{activate, exp};
use crate::kernel::finish::Norm;
use crate::kernel::lanes::{Lanes, WIDTH};
use crate::kernel::point::{Activate, Gate, RootMeanSquare, Source, Target};
use crate::kernel::pool::{Pool, Third};
use crate::kernel::simd::{Kernel, Simd};
use crate::model::{Activation, Extent};

/// A function of each number.
struct Map<'a>(&'a mut [Lanes], Option<Activation>);

impl Kernel for Map<'_> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        for lanes in self.0 {
            let x = simd.load(lanes);
            let y = self.1.map_or_else(|| exp(simd, x), |activation| activate(simd, activation, x));
            simd.store(lanes, y);
        }
    }
}

/// The largest relative error of a function over a range.
fn worst(
    unit: crate::kernel::Unit,
    function: Option<Activation>,
    range: (f32, f32),
    f: impl Fn(f64) -> f64,
) -> f64 {
    let steps = 100_000;
    let inputs: Vec<f32> =
        (0..=steps).map(|i| range.0 + (range.1 - range.0) * i as f32 / steps as f32).collect();
    let mut lanes: Vec<Lanes> = vec![Lanes::ZERO; Lanes::count(inputs.len())];
    Lanes::fill(&mut lanes, &inputs);
    unit.run(Map(&mut lanes, function));
    let found = lanes.iter().flat_map(|lanes| lanes.0);
    let errors = inputs.iter().zip(found).map(|(&x, found)| {
        let expected = f(f64::from(x));
        (f64::from(found) - expected).abs() / expected.abs().max(f64::from(f32::MIN_POSITIVE))
    });
    errors.fold(0.0, f64::max)
}

#[test]
fn functions_are_within_their_bounds() {
    let mish = |x: f64| x * x.exp().ln_1p().tanh();
    let silu = |x: f64| x / (1.0 + (-x).exp());
    for (name, unit) in units() {
        let error = worst(unit, None, (-87.0, 88.0), f64::exp);
        assert!(error < 2e-7, "{name}: e to the power, {error:.1e}");
        let error = worst(unit, Some(Activation::Mish), (-80.0, 100.0), mish);
        assert!(error < 5e-7, "{name}: mish, {error:.1e}");
        let error = worst(unit, Some(Activation::Silu), (-80.0, 100.0), silu);
        assert!(error < 5e-7, "{name}: silu, {error:.1e}");
        let error = worst(unit, Some(Activation::Relu), (-5.0, 5.0), |x| x.max(0.0));
        assert_eq!(error, 0.0, "{name}: relu");
    }
}

#[test]
fn functions_of_extreme_numbers() {
    for (name, unit) in units() {
        for (activation, x, expected) in [
            (Some(Activation::Mish), -1e30, 0.0),
            (Some(Activation::Mish), 1e30, 1e30),
            (Some(Activation::Mish), 0.0, 0.0),
            (Some(Activation::Silu), -1e30, 0.0),
            (Some(Activation::Silu), 1e30, 1e30),
            (None, f32::NEG_INFINITY, 0.0),
            (None, 0.0, 1.0),
        ] {
            let mut lanes = [Lanes([x; WIDTH])];
            unit.run(Map(&mut lanes, activation));
            let found = lanes[0].0[5];
            let close = (found - expected).abs() <= 1e-6 * expected.abs().max(1e-7);
            assert!(close, "{name}: {activation:?} of {x} is {found}");
        }
        // A number that is none must not look like one.
        for activation in [None, Some(Activation::Mish), Some(Activation::Silu), Some(Activation::Relu)] {
            let mut lanes = [Lanes([f32::NAN; WIDTH])];
            unit.run(Map(&mut lanes, activation));
            assert!(lanes[0].0[5].is_nan(), "{name}: {activation:?}");
        }
    }
}

#[test]
fn parts_of_rows_are_activated() {
    for (name, unit) in units() {
        let mut random = Random(10);
        let (boards, area, columns) = (3, 7, 2);
        let channels = columns * WIDTH;
        let data = rows(&random.numbers(boards * area * 4 * WIDTH), 4 * WIDTH);
        let [scale, bias] = [0, 1].map(|_| rows(&random.numbers(channels), channels).split_off(columns));
        let added = rows(&random.numbers(boards * channels), channels);
        let mut to = vec![Lanes::ZERO; (1 + boards * area) * 3];
        unit.run(Activate {
            boards,
            area,
            columns,
            from: Source { data: &data, stride: 4, start: 2 },
            to: Target { data: &mut to, stride: 3, start: 1 },
            norm: Norm { scale: &scale, bias: &bias, activation: Activation::Relu },
            added: Some(&added),
        });
        let mut comparison = Comparison::default();
        for row in 1..=boards * area {
            for channel in 0..channels {
                let x = number(&data, 4, row, 2 * WIDTH + channel)
                    + number(&added, columns, 1 + (row - 1) / area, channel);
                let normed = x * number(&scale, columns, 0, channel) + number(&bias, columns, 0, channel);
                comparison.add(number(&to, 3, row, WIDTH + channel), normed.max(0.0));
            }
            assert_eq!(to[3 * row], Lanes::ZERO, "{name}: other lanes were written");
        }
        comparison.check_exact(&name);
    }
}

#[test]
fn boards_are_pooled() {
    for (name, unit) in units() {
        let mut random = Random(11);
        for third in [Third::Max, Third::SquareMean] {
            let (boards, area) = (random.between(1, 4), random.between(4, 361));
            let channels = random.between(1, 40);
            let columns = Lanes::count(channels);
            let data = rows(&random.numbers(boards * area * channels), channels);
            let [scale, bias] = [0, 1].map(|_| rows(&random.numbers(channels), channels).split_off(columns));
            let mut to = vec![Lanes::ZERO; (1 + boards) * 3 * columns];
            unit.run(Pool {
                boards,
                area,
                columns,
                from: Source { data: &data, stride: columns, start: 0 },
                norm: Norm { scale: &scale, bias: &bias, activation: Activation::Mish },
                third,
                to: &mut to,
            });
            let mut comparison = Comparison::default();
            let side = (area as f64).sqrt() - 14.0;
            for board in 0..boards {
                for channel in 0..channels {
                    let values: Vec<f64> = (0..area)
                        .map(|point| {
                            let x = number(&data, columns, 1 + board * area + point, channel);
                            let x =
                                x * number(&scale, columns, 0, channel) + number(&bias, columns, 0, channel);
                            x * x.exp().ln_1p().tanh()
                        })
                        .collect();
                    let mean = values.iter().sum::<f64>() / area as f64;
                    let last = match third {
                        Third::Max => values.iter().copied().fold(f64::MIN, f64::max),
                        Third::SquareMean => mean * (side * side / 100.0 - 0.1),
                    };
                    for (part, expected) in [mean, mean * side / 10.0, last].into_iter().enumerate() {
                        let found = number(&to, 3 * columns, board + 1, part * columns * WIDTH + channel);
                        comparison.add(found, expected);
                    }
                }
            }
            comparison.check_exact(&format!("{name}: {third:?}"));
        }
    }
}

#[test]
fn root_mean_squares() {
    for (name, unit) in units() {
        let mut random = Random(12);
        for extent in [Extent::Point, Extent::Board] {
            let (boards, area, channels) = (2, random.between(4, 40), random.between(1, 70));
            let columns = Lanes::count(channels);
            let mut numbers = random.numbers(boards * area * channels);
            // A point of zeros stays zero, whatever it is divided by.
            numbers[..channels].fill(0.0);
            let data = rows(&numbers, channels);
            let [scale, bias] = [0, 1].map(|_| rows(&random.numbers(channels), channels).split_off(columns));
            let mut to = vec![Lanes::ZERO; data.len()];
            let norm = Norm { scale: &scale, bias: &bias, activation: Activation::Identity };
            let (from, epsilon) = (&data[..], 0.0);
            unit.run(RootMeanSquare {
                boards,
                area,
                columns,
                channels,
                from,
                to: &mut to,
                norm,
                epsilon,
                extent,
            });
            let mut comparison = Comparison::default();
            for row in 1..=boards * area {
                let members: Vec<usize> = match extent {
                    Extent::Point => vec![row],
                    Extent::Board => {
                        (1..=boards * area).filter(|r| (r - 1) / area == (row - 1) / area).collect()
                    }
                };
                let squares = members.iter().flat_map(|&r| (0..channels).map(move |c| (r, c)));
                let sum: f64 = squares.map(|(r, c)| number(&data, columns, r, c).powi(2)).sum();
                let root = (sum / (members.len() * channels) as f64).sqrt();
                for channel in 0..channels {
                    let x = number(&data, columns, row, channel);
                    let x = if x == 0.0 { 0.0 } else { x / root };
                    let expected =
                        x * number(&scale, columns, 0, channel) + number(&bias, columns, 0, channel);
                    comparison.add(number(&to, columns, row, channel), expected);
                }
            }
            comparison.check_exact(&format!("{name}: {extent:?}"));
        }
    }
}

#[test]
fn gates() {
    for (name, unit) in units() {
        let mut random = Random(13);
        let (points, columns) = (9, 3);
        let data = rows(&random.numbers(points * 2 * columns * WIDTH), 2 * columns * WIDTH);
        let mut to = vec![Lanes::ZERO; (1 + points) * columns];
        unit.run(Gate { rows: points, columns, from: &data, to: &mut to });
        let mut comparison = Comparison::default();
        for row in 1..=points {
            for channel in 0..columns * WIDTH {
                let x = number(&data, 2 * columns, row, channel);
                let gate = number(&data, 2 * columns, row, columns * WIDTH + channel);
                comparison.add(number(&to, columns, row, channel), x / (1.0 + (-x).exp()) * gate);
            }
        }
        comparison.check_exact(&name);
    }
}
