//! Playouts that draw every move by learned rates, as Ray does (section IV of the Cygo paper describes them).
//!
//! Every move has a rate, the product of the gammas of its features ([`feature`]): what the board says is kept in a table from move to move
//! ([`Rates`]); what the last moves make of it is found at every move ([`distance`], [`response`]) and multiplied into the table for one
//! draw ([`weights`]). Gammas are learned from game records by minorisation–maximisation (Coulom 2007; `tesuji train playout`)
//! or balanced so that playouts are right on average (`tesuji train balance`).

mod adapted;
mod distance;
mod feature;
mod gammas;
mod rates;
mod response;
mod shape;
mod sides;
mod table;
mod tactics;
mod vicinity;
mod weights;

pub use adapted::AdaptedRated;
pub use feature::{FeatureReader, Features, GROUPS, Group, MOST_VALUES, Values};
pub use gammas::{GammaSets, Gammas};
pub use rates::Rates;
pub use table::{GammaError, GammaTable};

use super::{PlayoutRule, Position};
use crate::rng::Rng;
use arrayvec::ArrayVec;
use distance::Windows;
use feature::RESPONSE;
use std::sync::Arc;
use tesuji_board::{Chain, Move, Point, PointMap, Size};
use weights::{MOST_CHANGES, Weights};

/// Responses kept at most; others have the rate that they had without. With a ko as many as can be changed for a draw.
const MOST_RESPONSES: usize = MOST_CHANGES - 1;

/// Draws moves by their rates.
#[derive(Clone)]
pub struct Rated {
    sets: GammaSets,
    gammas: Arc<Gammas>,
    size: Option<Size>,
    rates: Box<Rates>,
    windows: Windows,
    weights: Box<Weights>,
    columns: Box<PointMap<u8>>,
    /// By point: how it answers the last move; 0 again after every draw.
    responses: Box<PointMap<u8>>,
}

impl Rated {
    /// Playouts by these gammas.
    pub fn new(sets: GammaSets) -> Rated {
        let smallest = Size::square(2).expect("a legal size");
        Rated {
            gammas: Arc::clone(sets.for_size(smallest)),
            sets,
            size: None,
            rates: Box::default(),
            windows: Windows::default(),
            weights: Box::default(),
            columns: Box::new(PointMap::filled(0)),
            responses: Box::new(PointMap::filled(0)),
        }
    }

    /// Another size than before.
    #[cold]
    fn fit(&mut self, size: Size) {
        self.size = Some(size);
        self.gammas.clone_from(self.sets.for_size(size));
        self.windows.fit(size, &self.gammas);
        self.weights.fit(size);
        size.points().for_each(|point| self.columns[point] = size.x(point) as u8);
    }

    /// Calls `read` with the rates of all moves of a position; that of a move that is no legal point means nothing.
    pub fn look_at(&mut self, position: &Position, read: impl FnOnce(&PointMap<f32>)) {
        self.start(position);
        self.weigh(position);
        let rates = self.rates.of_mut(position.to_move);
        read(rates);
        self.weights.restore(rates);
    }

    /// Two moves drawn independently by the same rates: the second tells what else the first could have been. For learning.
    pub fn propose_two(&mut self, position: &Position, rng: &mut Rng) -> Option<[Point; 2]> {
        self.weigh(position);
        let rates = self.rates.of_mut(position.to_move);
        let points = match self.weights.sum_up(rates) {
            true => self.weights.draw(rates, rng).zip(self.weights.draw(rates, rng)),
            false => None,
        };
        self.weights.restore(rates);
        points.map(Into::into)
    }

    /// Makes the rates of the player to move those of the next draw, until they are put back.
    #[inline]
    fn weigh(&mut self, position: &Position) {
        let (board, player) = (&position.board, position.to_move);
        let mut responses: ArrayVec<Point, MOST_RESPONSES> = ArrayVec::new();
        if let Move::Play(last) = position.last {
            response::find(board, last, player, &*self.rates, &mut |point, response| {
                let known = &mut self.responses[point];
                if *known == 0 {
                    if responses.try_push(point).is_ok() {
                        *known = response;
                    }
                } else {
                    *known = response.min(*known);
                }
            });
        }
        let rates = self.rates.of_mut(player);
        let column = |point: Point| usize::from(self.columns[point]);
        if let Move::Play(last) = position.last {
            let window = &self.windows.around(column(last))[0];
            self.weights.multiply_around::<0>(rates, last, window);
        }
        if let Move::Play(before) = position.before_last {
            let window = &self.windows.around(column(before))[1];
            self.weights.multiply_around::<1>(rates, before, window);
        }
        for &point in &responses {
            let response = std::mem::take(&mut self.responses[point]);
            self.weights.multiply(rates, point, self.gammas.of(RESPONSE, response));
        }
        if let Some(point) = board.ko_point(player) {
            self.weights.multiply(rates, point, 0.0);
        }
    }
}

impl PlayoutRule for Rated {
    #[inline]
    fn start(&mut self, position: &Position) {
        let size = position.board.size();
        if self.size != Some(size) {
            self.fit(size);
        }
        self.rates.start(&self.gammas, &position.board);
    }

    #[inline]
    fn propose(&mut self, position: &mut Position, rng: &mut Rng) -> Option<Point> {
        self.weigh(position);
        let rates = self.rates.of_mut(position.to_move);
        let point = if self.weights.sum_up(rates) { self.weights.draw(rates, rng) } else { None };
        self.weights.restore(rates);
        point
    }

    #[inline(always)]
    fn stone_removed(&mut self, point: Point) {
        self.rates.stone_removed(point);
    }

    #[inline(always)]
    fn liberties_changed(&mut self, chain: Chain) {
        self.rates.liberties_changed(chain);
    }

    #[inline]
    fn played(&mut self, position: &Position) {
        self.rates.update(&self.gammas, &position.board, position.last, !position.to_move);
    }
}

#[cfg(test)]
mod tests;
