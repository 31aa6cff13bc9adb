//! Playouts that draw every move by learned rates, as Ray does (section IV of the Cygo paper describes them).
//!
//! Every move has a rate, the product of the gammas of its features ([`feature`]): what the board says is kept in a table from move to move
//! ([`Rates`]), what the last moves add is found at every move ([`mark`]). Gammas are learned from game records
//! by minorisation–maximisation (Coulom 2007; `tesuji train playout`).

mod feature;
mod gammas;
mod mark;
mod rates;
mod table;
mod vicinity;

pub use feature::{FeatureReader, Features, GROUPS, Group, MOST_VALUES, Values};
pub use gammas::{GammaSets, Gammas};
pub use rates::Rates;
pub use table::{GammaError, GammaTable};

use super::{PlayoutRule, Position};
use crate::rng::Rng;
use mark::Marks;
use rates::scaled;
use std::sync::Arc;
use tesuji_board::{Chain, Point};

/// Draws moves by their rates.
#[derive(Clone)]
pub struct Rated {
    sets: GammaSets,
    gammas: Arc<Gammas>,
    rates: Box<Rates>,
    marks: Box<Marks>,
}

impl Rated {
    /// Playouts by these gammas.
    pub fn new(sets: GammaSets) -> Rated {
        let smallest = tesuji_board::Size::square(2).expect("a legal size");
        Rated {
            gammas: Arc::clone(sets.for_size(smallest)),
            sets,
            rates: Box::default(),
            marks: Box::default(),
        }
    }

    /// Sets the rates of the special moves; returns their sum and what their sum would be if they were not special.
    #[inline]
    fn rate_marks(&mut self, position: &Position) -> (u32, u32) {
        self.marks.look_at(position, &self.rates.vicinity);
        let (mut special, mut plain) = (0, 0);
        for mark in &mut self.marks.list {
            let rate = self.rates.rate(mark.point, position.to_move);
            let is_drawn = rate > 0 && !mark.banned;
            mark.rate = if is_drawn { scaled(rate as f32, self.gammas.of_mark(mark)) } else { 0 };
            special += mark.rate;
            plain += rate;
        }
        (special, plain)
    }
}

impl PlayoutRule for Rated {
    #[inline]
    fn start(&mut self, position: &Position) {
        self.gammas.clone_from(self.sets.for_size(position.board.size()));
        self.rates.start(&self.gammas, &position.board);
    }

    #[inline]
    fn propose(&mut self, position: &mut Position, rng: &mut Rng) -> Option<Point> {
        let color = position.to_move;
        let (special, plain) = self.rate_marks(position);
        let total = self.rates.total(color);
        if special + (total - plain) == 0 {
            return None;
        }
        loop {
            let number = rng.below((special + total) as usize) as u32;
            if number >= special {
                let point = self.rates.point_at(number - special, color)?;
                // A special move was drawn by its plain rate: that does not count.
                if !self.marks.contains(point) {
                    return Some(point);
                }
                continue;
            }
            let mut left = number;
            for mark in &self.marks.list {
                if left < mark.rate {
                    return Some(mark.point);
                }
                left -= mark.rate;
            }
        }
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
        self.rates.update(&self.gammas, &position.board, position.last);
    }
}

#[cfg(test)]
mod tests;
