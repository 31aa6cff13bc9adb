//! What game records teach about moves: the probability that a strong player would choose each.
//!
//! A move is the sum of the weights of its shapes ([`View`]) and features ([`Scout`]); probabilities are the softmax of the sums
//! over the moves of a position, which is the Bradley–Terry model of Coulom (2007) with logarithms of his gammas as weights.
//! Weights are learned by [`Lesson`] and kept in files by [`Weights`].

mod feature;
mod lesson;
mod view;
mod weights;

pub use feature::{FEATURES, Features, Scout};
pub use lesson::{Census, Lesson, Outcome};
pub use view::{LEVELS, Shapes, View};
pub use weights::{Weights, WeightsError};

use crate::playout::Position;
use tesuji_board::Point;

/// Looks at positions through weights.
#[derive(Clone)]
pub struct Predictor<'a> {
    weights: &'a Weights,
    view: View,
    scout: Scout,
}

impl<'a> Predictor<'a> {
    /// A predictor that has seen nothing yet.
    pub fn new(weights: &'a Weights) -> Predictor<'a> {
        Predictor { weights, view: View::new(), scout: Scout::default() }
    }

    /// The position that the next questions are about.
    pub fn look_at(&mut self, position: &Position) {
        self.view.look_at(position);
        self.scout.look_at(position);
    }

    /// The sum of the weights of a legal move in the position looked at.
    pub fn strength(&mut self, position: &Position, point: Point) -> f32 {
        let shapes = self.view.shapes(point);
        let features = self.scout.features(position, point);
        self.weights.of_shapes(&shapes) + self.weights.of_features(&features)
    }
}
