//! Tables that depend on the size of the board: which points a kernel sees, where the first layer's inputs go, and the angles
//! of rotary positions.

use tesuji_board::Size;

use crate::kernel::Unit;
use crate::kernel::attention::Turns;
use crate::kernel::lanes::{Lanes, WIDTH};
use crate::kernel::stem::{Nonzero, Stem as StemKernel};
use crate::model::Rope;
use crate::network::{RopePlan, Stem};

/// The row of the point that lies so far below and to the right of a point, 0 if that is outside of the board; rows count from 1.
fn shifted(size: Size, point: usize, down: isize, right: isize) -> usize {
    let (width, height) = (size.width() as isize, size.height() as isize);
    let (row, column) = (point as isize / width + down, point as isize % width + right);
    let inside = (0..height).contains(&row) && (0..width).contains(&column);
    if inside { (row * width + column + 1) as usize } else { 0 }
}

/// Places of a kernel as distances from its middle.
fn places(height: usize, width: usize) -> impl Iterator<Item = (isize, isize)> {
    let distance = |place: usize, side: usize| place as isize - (side / 2) as isize;
    (0..height * width).map(move |place| (distance(place / width, height), distance(place % width, width)))
}

/// Which points a kernel sees from each point.
#[derive(Debug)]
pub(super) struct TapTable {
    height: usize,
    width: usize,
    /// `[board][point][place]`: rows of points.
    pub(super) rows: Vec<u32>,
}

impl TapTable {
    pub(super) fn new(height: usize, width: usize, size: Size, boards: usize) -> TapTable {
        let mut rows = Vec::new();
        for board in 0..boards {
            for point in 0..size.area() {
                rows.extend(places(height, width).map(|(down, right)| {
                    let row = shifted(size, point, down, right);
                    if row == 0 { 0 } else { (board * size.area() + row) as u32 }
                }));
            }
        }
        TapTable { height, width, rows }
    }

    /// Whether it is for this kernel.
    pub(super) fn is(&self, height: usize, width: usize) -> bool {
        (self.height, self.width) == (height, width)
    }

    /// Places of the kernel.
    pub(super) fn taps(&self) -> usize {
        self.height * self.width
    }
}

/// Where the first layer's inputs go.
#[derive(Debug)]
pub(super) struct StemTable {
    /// `[point][place]`: the row of the point that sees the point there.
    pub(super) targets: Vec<u32>,
    pub(super) taps: usize,
    /// A row of zeros per point.
    pub(super) zeros: Vec<Lanes>,
    /// What the constant plane makes, a row per point.
    pub(super) constant: Vec<Lanes>,
}

impl StemTable {
    pub(super) fn new(stem: &Stem, unit: Unit, size: Size) -> StemTable {
        let points = 0..size.area();
        // A point is seen at a place by the point that lies as far on the other side.
        let targets = points.clone().flat_map(|point| {
            places(stem.height, stem.width)
                .map(move |(down, right)| shifted(size, point, -down, -right) as u32)
        });
        let mut table = StemTable {
            targets: targets.collect(),
            taps: stem.height * stem.width,
            zeros: vec![Lanes::ZERO; size.area() * stem.columns],
            constant: Vec::new(),
        };
        if let Some(plane) = stem.constant {
            let ones: Vec<Nonzero> = points
                .map(|point| Nonzero { plane: plane as u32, point: point as u32, value: 1.0 })
                .collect();
            let mut rows = vec![Lanes::ZERO; (size.area() + 1) * stem.columns];
            let added = vec![Lanes::ZERO; stem.columns];
            unit.exact().run(StemKernel {
                inputs: &ones,
                weights: &stem.weights,
                planes: stem.planes.len(),
                targets: &table.targets,
                taps: table.taps,
                base: &table.zeros,
                added: &added,
                to: &mut rows,
                columns: stem.columns,
            });
            table.constant = rows.split_off(stem.columns);
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
