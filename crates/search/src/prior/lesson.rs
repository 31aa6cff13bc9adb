//! Learning weights from moves of strong players.
//!
//! First a [`Census`] finds the shapes that are common enough to say something about, then a [`Lesson`] goes through positions
//! and raises the weights of what was played against what was not: multinomial logistic regression by AdaGrad (Duchi,
//! Hazan, Singer 2011), which finds the maximum that Coulom's minorisation–maximisation finds, without storing positions.

use super::feature::{FEATURES, Features, Scout};
use super::view::{LEVELS, View};
use super::weights::Weights;
use crate::playout::{Position, is_sensible};
use crate::rng::Rng;
use crate::shape_table::ShapeTable;
use arrayvec::ArrayVec;
use std::collections::HashMap;
use tesuji_board::Point;

/// Counts shapes around moves.
#[derive(Default)]
pub struct Census {
    view: View,
    counts: HashMap<u32, u32>,
}

impl Census {
    /// Counts the shapes of a move that was played and of one drawn from all others, which shows what is usually left alone.
    pub fn count(&mut self, position: &Position, played: Point, rng: &mut Rng) {
        self.view.look_at(position);
        let empties = position.board.empties();
        let other = empties[rng.below(empties.len())];
        for shape in [played, other].into_iter().flat_map(|point| self.view.shapes(point)) {
            *self.counts.entry(shape).or_default() += 1;
        }
    }

    /// The shapes that were counted at least so often, in the order of their hashes.
    pub fn common(&self, least: u32) -> Vec<u32> {
        let mut common: Vec<u32> =
            self.counts.iter().filter(|&(_, &count)| count >= least).map(|(&shape, _)| shape).collect();
        common.sort_unstable();
        common
    }
}

/// Weights while they are learned.
pub struct Lesson {
    view: View,
    scout: Scout,
    shapes: Vec<u32>,
    /// From a shape to its place among the weights, after the features.
    places: ShapeTable<u32>,
    weights: Vec<f32>,
    /// Sums of squared gradients.
    squares: Vec<f32>,
    gradients: Vec<f32>,
    touched: Vec<u32>,
    candidates: Vec<Candidate>,
}

struct Candidate {
    point: Point,
    places: ArrayVec<u32, 24>,
    probability: f32,
}

/// How a position was predicted before learning from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Place of the move that was played among all, best first, from 0; those as good as it come first.
    pub rank: usize,
    /// Its probability.
    pub probability: f32,
}

/// Step length of the first update.
const RATE: f32 = 0.08;
/// Keeps the weights of what is seen rarely from becoming large.
const FIRST_SQUARE: f32 = 0.02;

impl Lesson {
    /// A lesson about these shapes that begins with earlier weights, or with none.
    pub fn new(shapes: Vec<u32>, earlier: Option<&Weights>) -> Lesson {
        let places =
            ShapeTable::new(shapes.iter().enumerate().map(|(i, &shape)| (shape, (FEATURES + i) as u32)));
        let count = FEATURES + shapes.len();
        let mut weights = vec![0.0; count];
        if let Some(earlier) = earlier {
            for (feature, weight) in weights[..FEATURES].iter_mut().enumerate() {
                *weight = earlier.of_features(&Features::from_iter([feature as u16]));
            }
            for (weight, &shape) in weights[FEATURES..].iter_mut().zip(&shapes) {
                *weight = earlier.of_shape(shape);
            }
        }
        Lesson {
            view: View::new(),
            scout: Scout::default(),
            shapes,
            places,
            weights,
            squares: vec![FIRST_SQUARE; count],
            gradients: vec![0.0; count],
            touched: Vec::new(),
            candidates: Vec::new(),
        }
    }

    /// Predicts the move that was played; nothing if it is none that the search would consider.
    pub fn predict(&mut self, position: &Position, played: Point) -> Option<Outcome> {
        self.view.look_at(position);
        self.scout.look_at(position);
        self.candidates.clear();
        let (board, color) = (&position.board, position.to_move);
        let mut highest = f32::NEG_INFINITY;
        for &point in board.empties().iter().filter(|&&point| is_sensible(board, point, color)) {
            let features = self.scout.features(position, point);
            let mut places: ArrayVec<u32, 24> = features.iter().map(|&feature| u32::from(feature)).collect();
            let shapes: [u32; LEVELS] = self.view.shapes(point);
            places.extend(shapes.iter().filter_map(|&shape| self.places.get(shape)));
            let strength: f32 = places.iter().map(|&place| self.weights[place as usize]).sum();
            highest = highest.max(strength);
            self.candidates.push(Candidate { point, places, probability: strength });
        }
        let mut total = 0.0;
        for candidate in &mut self.candidates {
            candidate.probability = (candidate.probability - highest).exp();
            total += candidate.probability;
        }
        self.candidates.iter_mut().for_each(|candidate| candidate.probability /= total);
        let played = self.candidates.iter().find(|candidate| candidate.point == played)?;
        let as_good = |candidate: &&Candidate| candidate.probability >= played.probability;
        let rank = self.candidates.iter().filter(as_good).count() - 1;
        Some(Outcome { rank, probability: played.probability })
    }

    /// Learns from the position predicted last.
    pub fn learn(&mut self, played: Point) {
        for candidate in &self.candidates {
            let gradient = candidate.probability - f32::from(candidate.point == played);
            // What is this small changes nothing, and most candidates are.
            if gradient.abs() < 1e-4 {
                continue;
            }
            for &place in &candidate.places {
                if self.gradients[place as usize] == 0.0 {
                    self.touched.push(place);
                }
                self.gradients[place as usize] += gradient;
            }
        }
        for place in self.touched.drain(..) {
            let place = place as usize;
            let gradient = std::mem::take(&mut self.gradients[place]);
            self.squares[place] += gradient * gradient;
            self.weights[place] -= RATE * gradient / self.squares[place].sqrt();
        }
    }

    /// The bytes of a file of weights; shapes whose weight says little are left out.
    pub fn file(&self, least_weight: f32) -> Vec<u8> {
        let features = std::array::from_fn(|feature| self.weights[feature]);
        let learned = self.shapes.iter().copied().zip(self.weights[FEATURES..].iter().copied());
        let shapes: Vec<(u32, f32)> = learned.filter(|(_, weight)| weight.abs() >= least_weight).collect();
        Weights::write(&features, &shapes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playout::{Light, PlayoutRule};
    use tesuji_board::{Board, Color, Move, Size};

    /// A player who always answers beside the last move where that is possible.
    fn taught(position: &Position) -> Option<Point> {
        let (board, color) = (&position.board, position.to_move);
        let Move::Play(last) = position.last else { return None };
        board.empty_around(last).find(|&point| is_sensible(board, point, color))
    }

    /// Calls `look` with positions of random games and the answer of the player.
    fn positions(rng: &mut Rng, count: usize, mut look: impl FnMut(&Position, Point, &mut Rng)) {
        let mut position = Position::new(Board::new(Size::square(9).unwrap()), Color::Black);
        let start = position.clone();
        for turn in 0..count {
            if turn % 40 == 0 {
                position.copy_from(&start);
            }
            if let Some(answer) = taught(&position) {
                look(&position, answer, rng);
            }
            let point = Light.propose(&mut position, rng);
            position.play(point.map_or(Move::Pass, Move::Play));
        }
    }

    #[test]
    fn learns_what_is_played() {
        let mut rng = Rng::new(1);
        let mut census = Census::default();
        positions(&mut rng, 3000, |position, answer, rng| census.count(position, answer, rng));
        let mut lesson = Lesson::new(census.common(3), None);
        let (mut before, mut after, mut asked) = (0, 0, 0);
        positions(&mut rng, 300, |position, answer, _| {
            before += usize::from(lesson.predict(position, answer).is_some_and(|outcome| outcome.rank < 4));
        });
        positions(&mut rng, 3000, |position, answer, _| {
            if lesson.predict(position, answer).is_some() {
                lesson.learn(answer);
            }
        });
        let weights = Weights::read(&lesson.file(0.0)).unwrap_or_else(|error| panic!("{error}"));
        let mut lesson = Lesson::new(census.common(3), Some(&weights));
        positions(&mut rng, 300, |position, answer, _| {
            asked += 1;
            after += usize::from(lesson.predict(position, answer).is_some_and(|outcome| outcome.rank < 4));
        });
        assert!(before < asked / 5 && after > asked * 9 / 10, "{before}, then {after} of {asked}");
    }
}
