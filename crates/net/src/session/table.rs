//! Tables that depend on the size of the board: what the first layer sees and makes of a constant plane, and the angles of rotary
//! positions.

use tesuji_board::Size;

use crate::kernel::Unit;
use crate::kernel::attention::Turns;
use crate::kernel::lanes::{Lanes, WIDTH};
use crate::kernel::stem::{Nonzero, Stem as StemKernel};
use crate::model::Rope;
use crate::network::{RopePlan, Stem};

/// Which points a kernel sees from each point: `[point][place]`, counted from 1; 0 is outside of the board.
fn seen(kernel: (usize, usize), size: Size) -> Vec<u32> {
    let (width, height) = (size.width() as isize, size.height() as isize);
    let mut rows = Vec::new();
    for point in 0..size.area() as isize {
        for place in 0..kernel.0 * kernel.1 {
            let row = point / width + (place / kernel.1) as isize - (kernel.0 / 2) as isize;
            let column = point % width + (place % kernel.1) as isize - (kernel.1 / 2) as isize;
            let inside = (0..height).contains(&row) && (0..width).contains(&column);
            rows.push(if inside { (row * width + column + 1) as u32 } else { 0 });
        }
    }
    rows
}

/// What the first layer sees, and what a constant plane makes.
#[derive(Debug)]
pub(super) struct StemTable {
    /// `[point][place]`: the row of the point that is seen there.
    pub(super) sources: Vec<u32>,
    pub(super) taps: usize,
    /// A row of zeros per point.
    pub(super) zeros: Vec<Lanes>,
    /// What the constant plane makes, a row per point.
    pub(super) constant: Vec<Lanes>,
}

impl StemTable {
    pub(super) fn new(stem: &Stem, unit: Unit, size: Size) -> StemTable {
        let taps = stem.height * stem.width;
        let sources = seen((stem.height, stem.width), size);
        let zeros = vec![Lanes::ZERO; size.area() * stem.columns];
        let mut table = StemTable { sources, taps, zeros, constant: Vec::new() };
        if let Some(plane) = stem.constant {
            table.constant = table.zeros.clone();
            unit.run(StemKernel {
                inputs: &vec![Nonzero { plane: plane as u32, value: 1.0 }; size.area()],
                starts: &(0..=size.area() as u32).collect::<Vec<_>>(),
                weights: &stem.weights,
                planes: stem.planes.len(),
                sources: &table.sources,
                taps,
                base: &table.zeros,
                added: &table.zeros[..stem.columns],
                to: &mut table.constant,
                columns: stem.columns,
            });
        }
        table
    }
}

/// Cosines and sines for a board.
pub(super) fn turns(plan: &RopePlan, size: Size) -> Turns {
    let pairs = plan.key_dim / 2;
    let lanes = Lanes::count(pairs);
    let mut turns = Turns { cosine: Vec::new(), sine: Vec::new() };
    let mut angles = vec![0.0f64; lanes * WIDTH];
    for kv_head in 0..plan.kv_heads {
        for point in 0..size.area() {
            let (column, row) = ((point % size.width()) as f64, (point / size.width()) as f64);
            for (pair, angle) in angles.iter_mut().enumerate().take(pairs) {
                *angle = match &plan.rope {
                    Rope::Learned { frequencies, .. } => {
                        let place = 2 * (kv_head * pairs + pair);
                        column * f64::from(frequencies[place]) + row * f64::from(frequencies[place + 1])
                    }
                    Rope::Fixed { theta } => {
                        let half = pairs / 2;
                        let (along, step) = if pair < half { (row, pair) } else { (column, pair - half) };
                        along * f64::from(*theta).powf(-2.0 * step as f64 / pairs as f64)
                    }
                };
            }
            let chunks = angles.chunks_exact(WIDTH);
            turns.cosine.extend(chunks.clone().map(|a| Lanes(std::array::from_fn(|i| a[i].cos() as f32))));
            turns.sine.extend(chunks.map(|a| Lanes(std::array::from_fn(|i| a[i].sin() as f32))));
        }
    }
    turns
}
