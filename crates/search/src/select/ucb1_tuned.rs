//! UCB1-Tuned (Auer et al. 2002): the exploration term is limited by the observed variance.

use super::{HOPELESS, Prior, Scratch, Select, best, float, total};
use crate::tree::Edges;

/// UCB1-Tuned. Results are wins and losses, so the variance follows from the mean.
#[derive(Clone, Copy, Debug)]
pub struct Ucb1Tuned {
    /// Factor of the exploration term.
    pub exploration: f32,
}

impl Select for Ucb1Tuned {
    fn extra(&self, _prior: Prior) -> u64 {
        0
    }

    #[inline]
    fn choose(&self, edges: &Edges<'_>, scratch: &mut Scratch) -> usize {
        let padded = scratch.values.copy(edges.values, HOPELESS);
        let (visits, means) = (&scratch.values.low.0[..padded], &scratch.values.high.0[..padded]);
        let log_total = (total(visits).max(1) as f32).ln();
        let scores = &mut scratch.scores.0[..padded];
        for ((score, &n), &q) in scores.iter_mut().zip(visits).zip(means) {
            let n = float(n);
            let share = log_total / n;
            let variance = q * (1.0 - q) + (2.0 * share).sqrt();
            let limited = if variance < 0.25 { variance } else { 0.25 };
            let bound = q + self.exploration * (share * limited).sqrt();
            let untried = if q < 0.0 { q } else { f32::MAX };
            let certain = if q.abs() > 1.0 { q } else { bound };
            *score = if n == 0.0 { untried } else { certain };
        }
        best(scores)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::choice;
    use super::*;

    #[test]
    fn a_sure_loser_is_explored_less_than_by_ucb1() {
        let edges = [(200, 0.4, 0), (20, 0.02, 0), (20, 0.3, 0)];
        assert_eq!(choice(&Ucb1Tuned { exploration: 1.0 }, &edges), 2);
        assert_eq!(choice(&Ucb1Tuned { exploration: 1.0 }, &[(9, 0.9, 0), (0, 0.0, 0)]), 1);
        let lost = f32::NEG_INFINITY;
        assert_eq!(choice(&Ucb1Tuned { exploration: 1.0 }, &[(9, lost, 0), (9, 0.0, 0), (0, lost, 0)]), 1);
        assert_eq!(choice(&Ucb1Tuned { exploration: 1.0 }, &[(9, 0.9, 0), (9, f32::INFINITY, 0)]), 1);
    }
}
