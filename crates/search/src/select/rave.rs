//! RAVE as in Fuego (Enzenberger, Müller, Arneson, Segal 2010; Gelly, Silver 2007).
//!
//! `β = r / (n (1/init + r/final) + r)`, `value = β·RAVE + (1 − β)·Q`. The RAVE statistics start as the prior, so the prior
//! fades as real simulations come in.

use super::{Lines, Scored, Scratch, Select, Siblings, Standing, lines};
use crate::tree::{Columns, Edges};

/// RAVE; an edge has the weight and mean of its all-moves-as-first results.
#[derive(Clone, Copy, Debug)]
pub struct Rave {
    /// Weight of the first RAVE results against a real one; 0 = they are never looked at.
    pub initial_weight: f32,
    /// Limit of the RAVE weight for many results.
    pub final_weight: f32,
    /// Factor of a UCB exploration term; 0 in Fuego.
    pub exploration: f32,
    /// Value of an edge about which nothing is known.
    pub first_play: f32,
    /// Every how many choices RAVE is ignored, so that a move with a bad name gets its chance; 0 = never.
    pub ignored_every: u32,
}

/// What the edges of a node have in common.
#[derive(Clone, Copy, Debug, Default)]
pub struct RaveMoment {
    /// `c² ln s`.
    exploration: f32,
    inverse_initial: f32,
    inverse_final: f32,
}

impl Select for Rave {
    const COLUMNS: Columns = Columns::AMAF;
    const LEARNS_FROM_ALL_MOVES: bool = true;

    #[inline]
    fn choose(&self, edges: &Edges<'_>, scratch: &mut Scratch) -> usize {
        lines::choose(self, edges, scratch)
    }
}

impl Scored for Rave {
    type Moment = RaveMoment;

    #[inline(always)]
    fn attends(&self, scratch: &mut Scratch) -> bool {
        scratch.choices = scratch.choices.wrapping_add(1);
        let ignored = self.ignored_every > 0 && scratch.choices.is_multiple_of(self.ignored_every);
        self.initial_weight > 0.0 && !ignored
    }

    #[inline(always)]
    fn moment(&self, siblings: Siblings) -> RaveMoment {
        let exploration = match self.exploration {
            0.0 => 0.0,
            factor => factor * factor * (siblings.visits.max(1) as f32).ln(),
        };
        RaveMoment {
            exploration,
            inverse_initial: 1.0 / self.initial_weight.max(f32::MIN_POSITIVE),
            inverse_final: 1.0 / self.final_weight,
        }
    }

    #[inline(always)]
    fn score(&self, edge: Standing, moment: &RaveMoment) -> f32 {
        // The root and the quotient would cost more than all the rest, and by default they are not wanted.
        let bonus = if self.exploration > 0.0 { (moment.exploration / (edge.n() + 1.0)).sqrt() } else { 0.0 };
        self.start(edge, moment) + bonus
    }
}

impl Lines for Rave {
    #[inline(always)]
    fn clock(&self, moment: &RaveMoment) -> Option<f32> {
        (self.exploration > 0.0).then(|| moment.exploration.sqrt())
    }

    #[inline(always)]
    fn start(&self, edge: Standing, moment: &RaveMoment) -> f32 {
        let (n, q) = (edge.n(), edge.mean);
        let (r, v) = (edge.amaf_weight, edge.amaf_mean);
        let beta = r / (n * (moment.inverse_initial + r * moment.inverse_final) + r);
        let mixed = beta * v + (1.0 - beta) * q;
        let known = if n + r == 0.0 { self.first_play } else { mixed };
        if q.abs() > 1.0 { q } else { known }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Prior;
    use super::super::testing::{choice, choice_with};
    use super::*;

    const FUEGO: Rave = Rave {
        initial_weight: 1.0,
        final_weight: 5000.0,
        exploration: 0.0,
        first_play: 1.0,
        ignored_every: 0,
    };

    fn amaf(weight: f32, mean: f32) -> Prior {
        Prior { weight, mean, policy: 0.0 }
    }

    #[test]
    fn follows_the_formula() {
        assert_eq!(
            choice(&FUEGO, &[(9, 0.9, amaf(9.0, 0.9)), (0, 0.0, amaf(0.0, 0.0))]),
            1,
            "the unknown first"
        );
        assert_eq!(choice(&FUEGO, &[(0, 0.0, amaf(9.0, 0.4)), (0, 0.0, amaf(9.0, 0.6))]), 1);
        // n = r = 100: β = 100 / (100·1.02 + 100) = 0.495; 0.495·0.2 + 0.505·0.8 = 0.503 against 0.5.
        assert_eq!(choice(&FUEGO, &[(100, 0.8, amaf(100.0, 0.2)), (0, 0.0, amaf(5.0, 0.5))]), 0);
        assert_eq!(choice(&FUEGO, &[(100, 0.8, amaf(100.0, 0.2)), (0, 0.0, amaf(5.0, 0.51))]), 1);
    }

    #[test]
    fn proven_edges_decide() {
        let (won, lost) = (f32::INFINITY, f32::NEG_INFINITY);
        assert_eq!(
            choice(&FUEGO, &[(0, lost, amaf(9.0, 1.0)), (1, 0.0, amaf(9.0, 0.0)), (2, lost, amaf(0.0, 0.0))]),
            1
        );
        assert_eq!(choice(&FUEGO, &[(9, 0.9, amaf(9.0, 1.0)), (1, won, amaf(9.0, 0.0))]), 1);
    }

    #[test]
    fn rave_is_ignored_now_and_then() {
        let rule = Rave { ignored_every: 3, ..FUEGO };
        let edges = [(9, 0.4, amaf(100.0, 0.9)), (9, 0.5, amaf(100.0, 0.1))];
        let mut scratch = Scratch::default();
        let choices: Vec<usize> = (0..6).map(|_| choice_with(&rule, &edges, &mut scratch)).collect();
        assert_eq!(choices, [0, 0, 1, 0, 0, 1]);
    }
}
