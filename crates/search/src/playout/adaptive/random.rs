//! Random moves drawn by factors: the last resort of playouts that adapt.

use super::{Adaptation, AdaptationScheme, Rows};
use crate::playout::{Lesson, Light, PlayoutRule, Position, RandomSafe, is_sensible};
use crate::rng::Rng;
use tesuji_board::{Board, Color, Point};

/// Which moves a random player takes.
pub trait Taste: Clone {
    /// Whether it takes an empty point, and if so, gladly or for want of another.
    fn judge(&self, board: &Board, point: Point, color: Color) -> Option<LastResort>;
}

/// How gladly a point is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastResort {
    /// At once.
    No,
    /// If there is no other.
    Yes,
}

impl Taste for Light {
    #[inline(always)]
    fn judge(&self, board: &Board, point: Point, color: Color) -> Option<LastResort> {
        is_sensible(board, point, color).then_some(LastResort::No)
    }
}

impl Taste for RandomSafe {
    #[inline(always)]
    fn judge(&self, board: &Board, point: Point, color: Color) -> Option<LastResort> {
        RandomSafe::judge(board, point, color)
    }
}

/// A random point that is to somebody's taste, each as often as playouts before have found it good.
#[derive(Clone)]
pub struct AdaptedRandom<T> {
    taste: T,
    adaptation: Adaptation,
    /// Points that may still be drawn, with their factors.
    left: Vec<(Point, f32)>,
}

impl<T: Taste> AdaptedRandom<T> {
    /// Nothing is learned yet.
    pub fn new(taste: T, scheme: AdaptationScheme) -> AdaptedRandom<T> {
        AdaptedRandom { taste, adaptation: Adaptation::new(scheme), left: Vec::new() }
    }

    /// All empty points, and the sum of their factors.
    fn gather(&mut self, board: &Board, rows: Rows) -> f32 {
        self.left.clear();
        self.left.extend(board.empties().iter().map(|&point| (point, 1.0)));
        for factors in self.adaptation.factors(rows) {
            self.left.iter_mut().for_each(|(point, factor)| *factor *= factors[*point]);
        }
        self.left.iter().map(|&(_, factor)| factor).sum()
    }

    /// Draws a point; those that are not to the taste are left out from then on.
    fn draw(&mut self, board: &Board, color: Color, total: &mut f32, rng: &mut Rng) -> Option<Point> {
        let mut last_resort = None;
        while let Some(last) = self.left.len().checked_sub(1) {
            let mut wanted = rng.unit() * *total;
            let place = self.left.iter().position(|&(_, factor)| {
                wanted -= factor;
                wanted < 0.0
            });
            // Behind all of them only because sums are rounded.
            let place = place.unwrap_or(last);
            let (point, factor) = self.left[place];
            match self.taste.judge(board, point, color) {
                Some(LastResort::No) => return Some(point),
                Some(LastResort::Yes) => last_resort = last_resort.or(Some(point)),
                None => {}
            }
            self.left.swap_remove(place);
            *total -= factor;
        }
        last_resort
    }
}

impl<T: Taste> PlayoutRule for AdaptedRandom<T> {
    fn start(&mut self, position: &Position) {
        self.adaptation.start(position);
        let area = position.board.size().area();
        if self.left.capacity() < area {
            self.left.reserve(area);
        }
    }

    fn propose(&mut self, position: &mut Position, rng: &mut Rng) -> Option<Point> {
        let (board, color) = (&position.board, position.to_move);
        let rows = self.adaptation.rows(position);
        let mut total = self.gather(board, rows);
        let chosen = self.draw(board, color, &mut total, rng)?;
        let other = self.draw(board, color, &mut total, rng).unwrap_or(chosen);
        self.adaptation.note(rows, color, chosen, other);
        Some(chosen)
    }

    fn learn(&mut self, lesson: &Lesson<'_>) {
        self.adaptation.learn(lesson);
    }

    fn forget(&mut self) {
        self.adaptation.forget();
    }
}
