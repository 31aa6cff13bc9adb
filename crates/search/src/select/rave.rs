//! RAVE as in Fuego (Enzenberger, Müller, Arneson, Segal 2010; Gelly, Silver 2007).
//!
//! `β = r / (n (1/init + r/final) + r)`, `value = β·RAVE + (1 − β)·Q`. The RAVE statistics start as the prior, so the prior
//! fades as real simulations come in.

use super::{Lines, Prior, Scratch, Select, Standing, lines};
use crate::tree::Edges;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// RAVE; the extra of an edge is the weight and mean of its all-moves-as-first results.
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
    const LEARNS_FROM_ALL_MOVES: bool = true;

    fn extra(&self, prior: Prior) -> u64 {
        Amaf { weight: prior.weight, mean: prior.mean }.pack()
    }

    #[inline]
    fn choose(&self, edges: &Edges<'_>, scratch: &mut Scratch) -> usize {
        lines::choose(self, edges, scratch)
    }
}

impl Lines for Rave {
    type Moment = RaveMoment;

    #[inline(always)]
    fn attends(&self, scratch: &mut Scratch) -> bool {
        scratch.choices = scratch.choices.wrapping_add(1);
        let ignored = self.ignored_every > 0 && scratch.choices.is_multiple_of(self.ignored_every);
        self.initial_weight > 0.0 && !ignored
    }

    #[inline(always)]
    fn moment(&self, total_visits: u64, _mean: f32) -> RaveMoment {
        let exploration = match self.exploration {
            0.0 => 0.0,
            factor => factor * factor * (total_visits.max(1) as f32).ln(),
        };
        RaveMoment {
            exploration,
            inverse_initial: 1.0 / self.initial_weight.max(f32::MIN_POSITIVE),
            inverse_final: 1.0 / self.final_weight,
        }
    }

    #[inline(always)]
    fn clock(&self, moment: &RaveMoment) -> Option<f32> {
        (self.exploration > 0.0).then(|| moment.exploration.sqrt())
    }

    #[inline(always)]
    fn score(&self, edge: Standing, moment: &RaveMoment) -> f32 {
        // The root and the quotient would cost more than all the rest, and by default they are not wanted.
        let bonus = if self.exploration > 0.0 { (moment.exploration / (edge.n() + 1.0)).sqrt() } else { 0.0 };
        self.start(edge, moment) + bonus
    }

    #[inline(always)]
    fn start(&self, edge: Standing, moment: &RaveMoment) -> f32 {
        let (n, q) = (edge.n(), edge.mean);
        let (r, v) = (f32::from_bits(edge.extra.0), edge.extra.1);
        let beta = r / (n * (moment.inverse_initial + r * moment.inverse_final) + r);
        let mixed = beta * v + (1.0 - beta) * q;
        let known = if n + r == 0.0 { self.first_play } else { mixed };
        if q.abs() > 1.0 { q } else { known }
    }
}

/// All-moves-as-first statistics of an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Amaf {
    pub(crate) weight: f32,
    pub(crate) mean: f32,
}

impl Amaf {
    pub(crate) fn pack(self) -> u64 {
        u64::from(self.weight.to_bits()) | u64::from(self.mean.to_bits()) << 32
    }

    pub(crate) fn unpack(word: u64) -> Amaf {
        Amaf { weight: f32::from_bits(word as u32), mean: f32::from_bits((word >> 32) as u32) }
    }

    /// Adds a weighted result; an update by another thread at the same time may get lost.
    #[inline(always)]
    pub(crate) fn add(word: &AtomicU64, result: f32, result_weight: f32) {
        let old = Amaf::unpack(word.load(Relaxed));
        let weight = old.weight + result_weight;
        let mean = old.mean + (result - old.mean) * result_weight / weight;
        // Far beyond `final_weight` more weight means nothing, and a float would stop counting.
        let weight = if weight < 1e6 { weight } else { old.weight };
        word.store(Amaf { weight, mean }.pack(), Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{choice, choice_with};
    use super::*;

    const FUEGO: Rave = Rave {
        initial_weight: 1.0,
        final_weight: 5000.0,
        exploration: 0.0,
        first_play: 1.0,
        ignored_every: 0,
    };

    fn amaf(weight: f32, mean: f32) -> u64 {
        Amaf { weight, mean }.pack()
    }

    #[test]
    fn follows_the_formula() {
        assert_eq!(choice(&FUEGO, &[(9, 0.9, amaf(9.0, 0.9)), (0, 0.0, 0)]), 1, "the unknown first");
        assert_eq!(choice(&FUEGO, &[(0, 0.0, amaf(9.0, 0.4)), (0, 0.0, amaf(9.0, 0.6))]), 1);
        // n = r = 100: β = 100 / (100·1.02 + 100) = 0.495; 0.495·0.2 + 0.505·0.8 = 0.503 against 0.5.
        assert_eq!(choice(&FUEGO, &[(100, 0.8, amaf(100.0, 0.2)), (0, 0.0, amaf(5.0, 0.5))]), 0);
        assert_eq!(choice(&FUEGO, &[(100, 0.8, amaf(100.0, 0.2)), (0, 0.0, amaf(5.0, 0.51))]), 1);
    }

    #[test]
    fn proven_edges_decide() {
        let (won, lost) = (f32::INFINITY, f32::NEG_INFINITY);
        assert_eq!(choice(&FUEGO, &[(0, lost, amaf(9.0, 1.0)), (1, 0.0, amaf(9.0, 0.0)), (2, lost, 0)]), 1);
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

    #[test]
    fn amaf_results_average_by_weight() {
        let word = AtomicU64::new(amaf(1.0, 0.5));
        Amaf::add(&word, 1.0, 2.0);
        Amaf::add(&word, 0.0, 1.0);
        let result = Amaf::unpack(word.load(Relaxed));
        assert!((result.mean - 2.5 / 4.0).abs() < 1e-6 && result.weight == 4.0, "{result:?}");
    }
}
