//! Rates as the moves of the next draw have them: those of the board times what the last moves make of them.
//!
//! The rates are changed where they stand and put back after the draw, because only some are near the last moves. There are no sums to
//! keep: adding up a whole board takes fewer instructions than keeping the sums of its rows, because the vector unit adds eight rates at
//! once. Sums are by lane, the points whose places are the same modulo [`LANES`].

use super::distance::{self, REACH, ROWS, Window};
use crate::rng::Rng;
use arrayvec::ArrayVec;
use std::ops::Range;
use tesuji_board::{Point, PointMap, Size};

/// Rates that are added up together.
const LANES: usize = 16;
/// Every fourth lane makes a group, so that the draw has fewer sums to go through.
const GROUPS: usize = 4;
/// Rates of a lane after which its sum so far is kept, for the same reason.
const STEPS: usize = 4;
/// Rates of all lanes up to there.
const BLOCK: usize = LANES * STEPS;
const MOST_BLOCKS: usize = Point::LIMIT / BLOCK;
/// Single rates that can be changed for a draw.
pub(super) const MOST_CHANGES: usize = 64;

/// What is changed for one draw, and the sums.
#[derive(Clone)]
pub(super) struct Weights {
    /// The points near the last move and near the one before.
    near: [Before; 2],
    /// Other points as they were before.
    points: ArrayVec<(Point, f32), MOST_CHANGES>,
    /// Sums of each lane up to the end of a block.
    blocks: [[f32; LANES]; MOST_BLOCKS],
    /// By lane, and by group of lanes.
    sums: [f32; LANES],
    groups: [f32; GROUPS],
    total: f32,
    /// Index from which on there are whole blocks with all points of the board, and how many.
    first: usize,
    block_count: usize,
    stride: usize,
    /// By index.
    on_board: PointMap<Option<Point>>,
}

/// Rates around a point as they were before.
#[derive(Clone, Copy, Default)]
struct Before {
    center: Option<Point>,
    rows: Window,
}

impl Default for Weights {
    fn default() -> Weights {
        Weights {
            near: [Before::default(); 2],
            points: ArrayVec::new(),
            blocks: [[0.0; LANES]; MOST_BLOCKS],
            sums: [0.0; LANES],
            groups: [0.0; GROUPS],
            total: 0.0,
            first: 0,
            block_count: 0,
            stride: 0,
            on_board: PointMap::filled(None),
        }
    }
}

impl Weights {
    /// Makes them those of a size.
    pub(super) fn fit(&mut self, size: Size) {
        let index = |x, y| size.point(x, y).map_or(0, Point::index);
        let (first, last) = (index(0, 0), index(size.width() - 1, size.height() - 1));
        self.stride = index(0, 1) - first;
        self.block_count = (last + 1 - first).div_ceil(BLOCK);
        self.first = first.min(Point::LIMIT - self.block_count * BLOCK);
        self.on_board.fill(None);
        size.points().for_each(|point| self.on_board[point] = Some(point));
    }

    /// The indices that all points of the board lie in, in whole blocks.
    #[inline(always)]
    pub(super) fn span(&self) -> Range<usize> {
        self.first..self.first + self.block_count * BLOCK
    }

    /// Multiplies the rates around the last move, or around the one before it, in some of the rows of the window.
    #[inline(always)]
    pub(super) fn multiply_around<const MOVE: usize>(
        &mut self,
        rates: &mut PointMap<f32>,
        center: Point,
        window: &Window,
    ) {
        let before = &mut self.near[MOVE];
        before.center = Some(center);
        for row in rows(MOVE) {
            if let Some(rates) = row_of(rates, center, row, self.stride) {
                // All of them are read before any is written, or the compiler finds no use for the vector unit.
                let (old, factors) = (*rates, window[row]);
                *rates = std::array::from_fn(|lane| old[lane] * factors[lane]);
                before.rows[row] = old;
            }
        }
    }

    /// Multiplies one rate.
    #[inline(always)]
    pub(super) fn multiply(&mut self, rates: &mut PointMap<f32>, point: Point, factor: f32) {
        if self.points.try_push((point, rates[point])).is_ok() {
            rates[point] *= factor;
        }
    }

    /// Puts the rates back, the last that were changed first.
    #[inline(always)]
    pub(super) fn restore(&mut self, rates: &mut PointMap<f32>) {
        for (point, rate) in self.points.drain(..).rev() {
            rates[point] = rate;
        }
        self.restore_around::<1>(rates);
        self.restore_around::<0>(rates);
    }

    #[inline(always)]
    fn restore_around<const MOVE: usize>(&mut self, rates: &mut PointMap<f32>) {
        let before = &mut self.near[MOVE];
        if let Some(center) = before.center.take() {
            for row in rows(MOVE) {
                if let Some(rates) = row_of(rates, center, row, self.stride) {
                    *rates = before.rows[row];
                }
            }
        }
    }

    /// Adds up; whether any rate is above 0. Not inlined: the compiler then finds no use for the vector unit.
    #[inline(never)]
    pub(super) fn sum_up(&mut self, rates: &PointMap<f32>) -> bool {
        let mut sums = [0.0; LANES];
        let (blocks, _) = rates.as_slice()[self.first..].as_chunks::<BLOCK>();
        for (block, so_far) in blocks.iter().zip(&mut self.blocks).take(self.block_count) {
            for lanes in block.chunks_exact(LANES) {
                for (sum, rate) in sums.iter_mut().zip(lanes) {
                    *sum += rate;
                }
            }
            *so_far = sums;
        }
        self.sums = sums;
        let of = |lane: usize| (sums[lane] + sums[lane + 4]) + (sums[lane + 8] + sums[lane + 12]);
        self.groups = [of(0), of(1), of(2), of(3)];
        self.total = (self.groups[0] + self.groups[1]) + (self.groups[2] + self.groups[3]);
        self.total > 0.0
    }

    /// A point, each as often as its rate says; there must be one.
    #[inline(always)]
    pub(super) fn draw(&self, rates: &PointMap<f32>, rng: &mut Rng) -> Option<Point> {
        let (group, left) = place_of(rng.unit() * self.total, &self.groups);
        let of_group: [f32; 4] = std::array::from_fn(|i| self.sums[group % GROUPS + GROUPS * i]);
        let (place, left) = place_of(left, &of_group);
        let lane = (group + GROUPS * place) % LANES;
        let mut block = 0;
        while left >= self.blocks[block][lane] {
            block += 1;
            if block >= self.block_count.min(MOST_BLOCKS) {
                return self.last_of_lane(rates, lane);
            }
        }
        // Added up as the sums were, so one of the block is found.
        let mut sum = if block > 0 { self.blocks[block - 1][lane] } else { 0.0 };
        let mut index = self.first + block * BLOCK + lane;
        for _ in 1..STEPS {
            sum += rates.as_slice().get(index)?;
            if left < sum {
                break;
            }
            index += LANES;
        }
        self.on_board.as_slice().get(index).copied().flatten()
    }

    /// For a number that lies behind the last rate of its lane, because sums are rounded.
    #[cold]
    #[inline(never)]
    fn last_of_lane(&self, rates: &PointMap<f32>, lane: usize) -> Option<Point> {
        let indices = (self.first + lane..).step_by(LANES).take(self.block_count * STEPS);
        let points = indices.filter_map(|index| self.on_board.as_slice()[index]);
        points.filter(|&point| rates[point] > 0.0).last()
    }
}

/// Rows of the window around the last move or around the one before it.
const fn rows(mv: usize) -> Range<usize> {
    if mv == 0 { 0..ROWS } else { 1..ROWS - 1 }
}

/// The rates in one row around a point, from two to the left of it on; nothing for rows far above the board or below it.
#[inline(always)]
fn row_of(
    rates: &mut PointMap<f32>,
    center: Point,
    row: usize,
    stride: usize,
) -> Option<&mut [f32; distance::LANES]> {
    // Below 0 it wraps around.
    let place = center.index().wrapping_sub(REACH).wrapping_add(row * stride).wrapping_sub(REACH * stride);
    rates.as_mut_slice().get_mut(place..)?.first_chunk_mut()
}

/// Which of some numbers one is among when they lie one behind the other, and what is left of it there.
#[inline(always)]
fn place_of(mut left: f32, numbers: &[f32; 4]) -> (usize, f32) {
    for (place, &number) in numbers.iter().enumerate() {
        if left < number {
            return (place, left);
        }
        left -= number;
    }
    last_above_0(numbers)
}

/// For a number that lies behind the last one, because sums are rounded.
#[cold]
#[inline(never)]
fn last_above_0(numbers: &[f32; 4]) -> (usize, f32) {
    (numbers.iter().rposition(|&number| number > 0.0).unwrap_or(0), f32::MAX)
}
