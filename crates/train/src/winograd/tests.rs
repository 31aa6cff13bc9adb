use super::*;
use crate::kernel::{Instructions, Machine, Work, noise, translated};

/// A convolution by its definition, in double precision.
fn convolution(width: usize, height: usize, inputs: usize, outputs: usize, x: &[f32], w: &[f32]) -> Vec<f64> {
    let mut result = vec![0.0; width * height * outputs];
    for (index, value) in result.iter_mut().enumerate() {
        let (point, o) = (index / outputs, index % outputs);
        let (px, py) = (point % width, point / width);
        for (cell, dy, dx) in (0..9).map(|cell| (cell, cell / 3, cell % 3)) {
            if (1..=height).contains(&(py + dy)) && (1..=width).contains(&(px + dx)) {
                let from = (py + dy - 1) * width + px + dx - 1;
                for i in 0..inputs {
                    *value +=
                        f64::from(x[from * inputs + i]) * f64::from(w[(cell * inputs + i) * outputs + o]);
                }
            }
        }
    }
    result
}

/// The same by transforms, with the product at each place by its definition.
fn by_transforms(domain: &Domain, inputs: usize, outputs: usize, x: &[f32], w: &[f32]) -> Vec<f32> {
    let places = domain.tiling.places();
    let mut weights = vec![f32::NAN; places * inputs * outputs];
    transform_weights(domain.tiling, inputs * outputs, w, &mut weights);
    let mut v = vec![0.0; domain.len(inputs)];
    input(domain, inputs, x, &mut v);
    let mut m = vec![0.0; domain.len(outputs)];
    for place in 0..places {
        for tile in 0..domain.tiles() {
            for o in 0..outputs {
                let term = |i: usize| {
                    v[place * domain.stride(inputs) + tile * inputs + i]
                        * weights[(place * inputs + i) * outputs + o]
                };
                m[place * domain.stride(outputs) + tile * outputs + o] = (0..inputs).map(term).sum();
            }
        }
    }
    let mut y = vec![f32::NAN; domain.boards * domain.width * domain.height * outputs];
    output(domain, outputs, &m, None, &mut y);
    y
}

#[test]
fn both_tilings_make_the_convolution_on_all_boards() {
    for (width, height) in [(2, 2), (3, 3), (4, 4), (5, 7), (7, 7), (9, 9), (13, 13), (19, 19), (25, 3)] {
        for tiling in [Tiling::Three, Tiling::Four] {
            let (inputs, outputs, boards) = (5, 17, 2);
            let domain = Domain { tiling, width, height, boards };
            let x = noise(boards * width * height * inputs, 1);
            let w = noise(9 * inputs * outputs, 2);
            let found = by_transforms(&domain, inputs, outputs, &x, &w);
            for (board, x) in x.chunks_exact(width * height * inputs).enumerate() {
                let expected = convolution(width, height, inputs, outputs, x, &w);
                let found = &found[board * expected.len()..][..expected.len()];
                for (found, expected) in found.iter().zip(&expected) {
                    let error = (f64::from(*found) - expected).abs();
                    assert!(error < 2e-4, "{tiling:?} {width}x{height}: {error}");
                }
            }
        }
    }
}

/// `⟨f(x), y⟩ = ⟨x, f*(y)⟩` is what makes f* the adjoint of f.
fn assert_adjoint(fx: &[f32], y: &[f32], x: &[f32], fy: &[f32]) {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum::<f64>();
    let (there, back) = (dot(fx, y), dot(x, fy));
    let size = dot(fx, fx).sqrt() * dot(y, y).sqrt();
    assert!((there - back).abs() < 1e-6 * size, "{there} and {back}");
}

#[test]
fn transforms_and_their_adjoints_belong_together() {
    let (channels, boards) = (19, 2);
    for (width, height) in [(2, 3), (9, 9), (10, 7), (19, 19)] {
        for tiling in [Tiling::Three, Tiling::Four] {
            let domain = Domain { tiling, width, height, boards };
            let points = noise(boards * width * height * channels, 3);
            // The gap between places belongs to nobody.
            let mut places = vec![0.0; domain.len(channels)];
            for place in 0..tiling.places() {
                let values = noise(domain.tiles() * channels, 100 + place as u64);
                places[place * domain.stride(channels)..][..values.len()].copy_from_slice(&values);
            }
            let mut there = vec![0.0; places.len()];
            input(&domain, channels, &points, &mut there);
            let mut back = vec![0.0; points.len()];
            input_adjoint(&domain, channels, &places, &mut back);
            assert_adjoint(&there, &places, &points, &back);

            let mut there = vec![0.0; points.len()];
            output(&domain, channels, &places, None, &mut there);
            let mut back = vec![0.0; places.len()];
            output_adjoint(&domain, channels, &points, &mut back);
            assert_adjoint(&there, &points, &places, &back);
            let mut added = vec![0.0; points.len()];
            output(&domain, channels, &places, Some(&points), &mut added);
            for ((added, base), there) in added.iter().zip(&points).zip(&there) {
                assert!((added - base - there).abs() < 1e-4);
            }
        }
    }
    for tiling in [Tiling::Three, Tiling::Four] {
        let (small, large) = (noise(9 * 20, 5), noise(tiling.places() * 20, 6));
        let (mut there, mut back) = (vec![0.0; large.len()], vec![0.0; small.len()]);
        transform_weights(tiling, 20, &small, &mut there);
        untransform_weights(tiling, 20, &large, &mut back);
        assert_adjoint(&there, &large, &small, &back);
    }
}

#[test]
fn the_tiling_suits_the_board() {
    assert_eq!(Tiling::of(9, 9), Tiling::Three);
    assert_eq!(Domain::new(9, 9, 1).tiles_per_board(), 9);
    assert_eq!(Tiling::of(19, 19), Tiling::Four);
    assert_eq!(Domain::new(19, 19, 1).tiles_per_board(), 25);
}

/// As a work: a tile through the transforms, by a machine.
struct Transformed<'a> {
    numbers: &'a [f32],
    found: &'a mut Vec<f32>,
}

impl Work for Transformed<'_> {
    #[inline(always)]
    fn run<M: Machine>(self, machine: M) {
        for from in (0..=self.numbers.len() - 6 * M::WIDTH).step_by(M::WIDTH) {
            let load = || std::array::from_fn(|i| machine.load(&self.numbers[from + i * M::WIDTH..]));
            let mut lines: [tile::Line<M::Numbers>; 4] = std::array::from_fn(|_| load());
            Four::input(&mut lines[0]);
            Four::input_adjoint(&mut lines[1]);
            Four::output(&mut lines[2]);
            Three::output_adjoint(&mut lines[3]);
            for number in lines.concat() {
                let at = self.found.len();
                self.found.resize(at + M::WIDTH, f32::NAN);
                machine.store(number, &mut self.found[at..]);
            }
        }
    }
}

#[test]
fn all_machines_give_the_same_bits() {
    let numbers = noise(16 * 40, 7);
    let found: Vec<Vec<u32>> = Instructions::all_available()
        .into_iter()
        .map(|instructions| {
            let mut found = Vec::new();
            translated(instructions, Transformed { numbers: &numbers, found: &mut found });
            found.iter().map(|number| number.to_bits()).collect()
        })
        .collect();
    assert!(found.iter().all(|bits| *bits == found[0] && bits.len() == 16 * 35 * 24));
}
