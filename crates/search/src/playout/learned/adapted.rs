//! Learned rates that adapt while a search goes on: see [`crate::playout::adaptive`].

use super::Rated;
use crate::playout::adaptive::{Adaptation, AdaptationScheme};
use crate::playout::{Lesson, PlayoutRule, Position};
use crate::rng::Rng;
use tesuji_board::{Chain, Point, PointMap};

/// Draws moves by their rates times what playouts before have found.
#[derive(Clone)]
pub struct AdaptedRated {
    rated: Rated,
    adaptation: Adaptation,
    /// The rates as they were before they were multiplied.
    before: Box<PointMap<f32>>,
}

impl AdaptedRated {
    /// Nothing is learned yet.
    pub fn new(rated: Rated, scheme: AdaptationScheme) -> AdaptedRated {
        AdaptedRated { rated, adaptation: Adaptation::new(scheme), before: Box::new(PointMap::filled(0.0)) }
    }
}

#[cfg(test)]
impl AdaptedRated {
    pub(super) fn rated(&self) -> &Rated {
        &self.rated
    }
}

impl PlayoutRule for AdaptedRated {
    #[inline]
    fn start(&mut self, position: &Position) {
        self.rated.start(position);
        self.adaptation.start(position);
    }

    fn propose(&mut self, position: &mut Position, rng: &mut Rng) -> Option<Point> {
        let (color, rows) = (position.to_move, self.adaptation.rows(position));
        let span = self.rated.weights.span();
        let rates = &mut self.rated.rates.of_mut(color).as_mut_slice()[span.clone()];
        let before = &mut self.before.as_mut_slice()[span.clone()];
        before.copy_from_slice(rates);
        for factors in self.adaptation.factors(rows) {
            rates
                .iter_mut()
                .zip(&factors.as_slice()[span.clone()])
                .for_each(|(rate, factor)| *rate *= factor);
        }
        let drawn = self.rated.propose_two(position, rng);
        self.rated.rates.of_mut(color).as_mut_slice()[span].copy_from_slice(before);
        let [chosen, other] = drawn?;
        self.adaptation.note(rows, color, chosen, other);
        Some(chosen)
    }

    #[inline(always)]
    fn stone_removed(&mut self, point: Point) {
        self.rated.stone_removed(point);
    }

    #[inline(always)]
    fn liberties_changed(&mut self, chain: Chain) {
        self.rated.liberties_changed(chain);
    }

    #[inline]
    fn played(&mut self, position: &Position) {
        self.rated.played(position);
    }

    fn learn(&mut self, lesson: &Lesson<'_>) {
        self.adaptation.learn(lesson);
    }

    fn forget(&mut self) {
        self.adaptation.forget();
    }
}
