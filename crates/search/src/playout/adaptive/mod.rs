//! Playouts that learn from each other while a search goes on.
//!
//! A move has a *factor*, which the rate that it is drawn by is multiplied by: 1 at first, larger for moves that won, smaller for those that
//! lost. The logarithm of the factor is the weight of a policy that follows the gradient of winning. There are two schemes: playout
//! policy adaptation (PPA; Cazenave 2015), where the moves of the winner are learned, and policy gradient (Graf, Platzner 2015), where both sides
//! learn, and more from a result that was not expected.
//!
//! Both take off what could have been played instead: the sum over all moves, each by its probability. Here one more move, drawn by
//! the same rates, stands for that sum. On average it is the same, and it costs one draw instead of a second walk through the playout.
//!
//! Factors are kept by point, and if wanted also by point and the last move, and by point and the last two (n-grams), all multiplied
//! together. Every thread adapts by itself: factors are multiplied a whole board at once, which atomics would not allow.

mod random;

pub use random::{AdaptedRandom, LastResort, Taste};

use super::{Lesson, Position};
use tesuji_board::{Color, Move, Point, PointMap};

/// Rows of the factors by the last two moves; pairs of moves that fall on one row share it.
const PAIR_ROWS: usize = 2048;
/// Most kinds of factors: by no, one and two moves.
const MOST_KINDS: usize = 3;
/// Part of each result in the mean of results.
const RECENT: f32 = 1.0 / 128.0;
/// No factor is larger, or smaller than one by it.
const MOST_FACTOR: f32 = 20.0;

/// How playouts adapt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdaptationScheme {
    /// Who learns.
    pub learners: Learners,
    /// Last moves that factors depend on, up to two.
    pub context: usize,
    /// What one lesson adds to the logarithm of a factor.
    pub rate: f32,
}

/// Who learns from a playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learners {
    /// The winner (PPA).
    Winner,
    /// Both, in proportion to how unexpected the result is (policy gradient).
    Both,
}

/// The factors of one thread, and the choices of the playout under way.
#[derive(Clone)]
pub struct Adaptation {
    scheme: AdaptationScheme,
    /// By kind: the rows of both players.
    factors: Vec<Vec<PointMap<f32>>>,
    choices: Vec<Choice>,
    /// How often Black has won lately.
    black_mean: f32,
}

/// Where the factors of a move are: the rows by kind.
#[derive(Clone, Copy)]
pub(super) struct Rows([u16; MOST_KINDS]);

/// A move that was drawn, and what else could have been.
#[derive(Clone, Copy)]
struct Choice {
    rows: Rows,
    color: Color,
    chosen: Point,
    other: Point,
}

impl Adaptation {
    /// Factors that are all 1.
    pub fn new(scheme: AdaptationScheme) -> Adaptation {
        let rows = [1, Point::LIMIT, PAIR_ROWS];
        let kinds = rows.iter().take(1 + scheme.context);
        let factors = kinds.map(|&rows| vec![PointMap::filled(1.0); 2 * rows]).collect();
        Adaptation { scheme, factors, choices: Vec::new(), black_mean: 0.5 }
    }

    /// A playout begins.
    #[inline]
    pub(super) fn start(&mut self, position: &Position) {
        self.choices.clear();
        // As many moves as a playout can have, so that it does not allocate.
        let most = 3 * position.board.size().area();
        if self.choices.capacity() < most {
            self.choices.reserve(most);
        }
    }

    /// Where the factors of the moves of a position are.
    #[inline(always)]
    pub(super) fn rows(&self, position: &Position) -> Rows {
        let side = position.to_move.index();
        let [last, before] = [position.last, position.before_last].map(|mv| usize::from(Move::code(mv)));
        let pair = (last * Point::LIMIT + before).wrapping_mul(0x9E37_79B1) >> 16;
        let row = |row: usize, rows: usize| (side * rows + row % rows) as u16;
        Rows([side as u16, row(last, Point::LIMIT), row(pair, PAIR_ROWS)])
    }

    /// The factors of all moves: what their rates are multiplied by, one row after the other.
    #[inline(always)]
    pub(super) fn factors(&self, rows: Rows) -> impl Iterator<Item = &PointMap<f32>> {
        self.factors.iter().zip(rows.0).filter_map(|(factors, row)| factors.get(usize::from(row)))
    }

    /// Notes that a move was drawn, and another that could have been.
    #[inline(always)]
    pub(super) fn note(&mut self, rows: Rows, color: Color, chosen: Point, other: Point) {
        if chosen != other && self.choices.len() < self.choices.capacity() {
            self.choices.push(Choice { rows, color, chosen, other });
        }
    }

    /// Learns from the playout that is over.
    pub(super) fn learn(&mut self, lesson: &Lesson<'_>) {
        let won = if lesson.winner == Color::Black { 1.0 } else { 0.0 };
        let surprise = match self.scheme.learners {
            Learners::Winner => 1.0,
            Learners::Both => (won - self.black_mean).abs(),
        };
        self.black_mean += RECENT * (won - self.black_mean);
        let up = (self.scheme.rate * surprise).exp();
        let down = 1.0 / up;
        for choice in &self.choices {
            let has_won = choice.color == lesson.winner;
            if !has_won && self.scheme.learners == Learners::Winner {
                continue;
            }
            let (chosen, other) = if has_won { (up, down) } else { (down, up) };
            for (factors, row) in self.factors.iter_mut().zip(choice.rows.0) {
                if let Some(row) = factors.get_mut(usize::from(row)) {
                    let change = |factor: f32, by: f32| (factor * by).clamp(1.0 / MOST_FACTOR, MOST_FACTOR);
                    row[choice.chosen] = change(row[choice.chosen], chosen);
                    row[choice.other] = change(row[choice.other], other);
                }
            }
        }
        self.choices.clear();
    }

    /// Forgets everything.
    pub(super) fn forget(&mut self) {
        self.factors.iter_mut().flatten().for_each(|row| row.fill(1.0));
        self.choices.clear();
        self.black_mean = 0.5;
    }
}

#[cfg(test)]
mod tests;
