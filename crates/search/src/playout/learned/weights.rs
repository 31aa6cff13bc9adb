//! Rates as the moves of the next draw have them: those of the board times what the last moves make of them.
//!
//! There are no sums to keep: adding up a whole board takes fewer instructions than keeping the sums of its rows, because the vector
//! unit adds eight rates at once. Sums are by lane, the points whose places are the same modulo [`LANES`].

use super::distance::Window;
use crate::rng::Rng;
use tesuji_board::{Point, PointMap, Size};

/// Rates that are added up together.
const LANES: usize = 16;
/// Lanes whose sums are added up, so that the draw has fewer to go through.
const GROUPED: usize = 4;
const GROUPS: usize = LANES / GROUPED;
/// Before the first point, so that a window around it begins inside.
const MARGIN: usize = 64;
/// Room for the largest board, its margins and the last lanes.
const PLACES: usize = MARGIN + Point::LIMIT.next_multiple_of(LANES) + MARGIN;

/// The rates of one draw.
#[derive(Clone)]
pub(super) struct Weights {
    /// By the index of the point, after a margin.
    weights: [f32; PLACES],
    /// By lane, and by group of lanes.
    sums: [f32; LANES],
    groups: [f32; GROUPS],
    total: f32,
    /// Index of the first point of the board, and the lanes from there to the last one.
    first: usize,
    lanes: usize,
    stride: usize,
    points: PointMap<Option<Point>>,
}

impl Default for Weights {
    fn default() -> Weights {
        Weights {
            weights: [0.0; PLACES],
            sums: [0.0; LANES],
            groups: [0.0; GROUPS],
            total: 0.0,
            first: 0,
            lanes: 0,
            stride: 0,
            points: PointMap::filled(None),
        }
    }
}

impl Weights {
    /// Makes them those of a size.
    pub(super) fn fit(&mut self, size: Size) {
        let index = |x, y| size.point(x, y).map_or(0, Point::index);
        self.first = index(0, 0);
        self.stride = index(0, 1) - self.first;
        self.lanes = (index(size.width() - 1, size.height() - 1) + 1 - self.first).div_ceil(LANES);
        self.weights = [0.0; PLACES];
        size.points().for_each(|point| self.points[point] = Some(point));
    }

    /// Begins with the rates that the board alone gives.
    #[inline(always)]
    pub(super) fn load(&mut self, rates: &PointMap<f32>) {
        let end = self.first + LANES * self.lanes;
        self.weights[MARGIN + self.first..MARGIN + end].copy_from_slice(&rates.as_slice()[self.first..end]);
    }

    /// Multiplies the rates around a point.
    #[inline(always)]
    pub(super) fn multiply_around(&mut self, center: Point, window: &Window, rows: std::ops::Range<usize>) {
        let start = MARGIN + center.index() - 2 * self.stride - 2;
        for row in rows {
            let place = start + row * self.stride;
            for (weight, factor) in
                self.weights[place..place + super::distance::LANES].iter_mut().zip(&window[row])
            {
                *weight *= factor;
            }
        }
    }

    /// Multiplies one rate.
    #[inline(always)]
    pub(super) fn multiply(&mut self, point: Point, factor: f32) {
        self.weights[MARGIN + point.index()] *= factor;
    }

    /// Adds up; whether any rate is above 0.
    #[inline(always)]
    pub(super) fn sum_up(&mut self) -> bool {
        let mut sums = [0.0; LANES];
        let start = MARGIN + self.first;
        for lane in self.weights[start..start + LANES * self.lanes].chunks_exact(LANES) {
            for (sum, weight) in sums.iter_mut().zip(lane) {
                *sum += weight;
            }
        }
        self.sums = sums;
        self.groups = std::array::from_fn(|group| {
            let first = GROUPED * group;
            (sums[first] + sums[first + 1]) + (sums[first + 2] + sums[first + 3])
        });
        self.total = (self.groups[0] + self.groups[1]) + (self.groups[2] + self.groups[3]);
        self.total > 0.0
    }

    /// A point, each as often as its rate says; there must be one.
    #[inline(always)]
    pub(super) fn draw(&self, rng: &mut Rng) -> Option<Point> {
        let mut left = rng.unit() * self.total;
        let group = place_of(&mut left, &self.groups, 1)?;
        let lane = GROUPED * group + place_of(&mut left, &self.sums[GROUPED * group..][..GROUPED], 1)?;
        let start = MARGIN + self.first + lane;
        let place = place_of(&mut left, &self.weights[start..start + LANES * (self.lanes - 1) + 1], LANES)?;
        self.points_at(self.first + lane + place * LANES)
    }

    #[inline(always)]
    fn points_at(&self, index: usize) -> Option<Point> {
        self.points.as_slice().get(index).copied().flatten()
    }

    #[cfg(test)]
    pub(super) fn weight(&self, point: Point) -> f32 {
        self.weights[MARGIN + point.index()]
    }
}

/// Which of every `step`th number one is among when they lie one behind the other; makes it what is left of that one.
#[inline(always)]
fn place_of(left: &mut f32, numbers: &[f32], step: usize) -> Option<usize> {
    for (place, &number) in numbers.iter().step_by(step).enumerate() {
        if *left < number {
            return Some(place);
        }
        *left -= number;
    }
    last_above_0(left, numbers, step)
}

/// For a number that lies behind the last one, because sums are rounded.
#[cold]
#[inline(never)]
fn last_above_0(left: &mut f32, numbers: &[f32], step: usize) -> Option<usize> {
    *left = f32::MAX;
    numbers.iter().step_by(step).rposition(|&number| number > 0.0)
}
