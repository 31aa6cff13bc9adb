//! UCB1-Tuned (Auer et al. 2002): the exploration term is limited by the observed variance.

use super::{Scored, Scratch, Select, Siblings, Standing, lines};
use crate::tree::Edges;

/// UCB1-Tuned. Results are wins and losses, so the variance follows from the mean.
#[derive(Clone, Copy, Debug)]
pub struct Ucb1Tuned {
    /// Factor of the exploration term.
    pub exploration: f32,
}

impl Select for Ucb1Tuned {
    #[inline]
    fn choose(&self, edges: &Edges<'_>, scratch: &mut Scratch) -> usize {
        lines::choose(self, edges, scratch)
    }
}

impl Scored for Ucb1Tuned {
    /// `ln s`.
    type Moment = f32;
    const UNTRIED_FIRST: bool = true;

    #[inline(always)]
    fn moment(&self, siblings: Siblings) -> f32 {
        (siblings.visits.max(1) as f32).ln()
    }

    #[inline(always)]
    fn score(&self, edge: Standing, log_total: &f32) -> f32 {
        let (n, q) = (edge.n(), edge.mean);
        let share = log_total / n;
        let variance = q * (1.0 - q) + (2.0 * share).sqrt();
        let limited = if variance < 0.25 { variance } else { 0.25 };
        let bound = q + self.exploration * (share * limited).sqrt();
        let untried = if q < 0.0 { q } else { f32::MAX };
        let certain = if q.abs() > 1.0 { q } else { bound };
        if n == 0.0 { untried } else { certain }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Prior;
    use super::super::testing::choice;
    use super::*;

    const NONE: Prior = Prior::NONE;

    #[test]
    fn a_sure_loser_is_explored_less_than_by_ucb1() {
        let edges = [(200, 0.4, NONE), (20, 0.02, NONE), (20, 0.3, NONE)];
        assert_eq!(choice(&Ucb1Tuned { exploration: 1.0 }, &edges), 2);
        assert_eq!(choice(&Ucb1Tuned { exploration: 1.0 }, &[(9, 0.9, NONE), (0, 0.0, NONE)]), 1);
        let lost = f32::NEG_INFINITY;
        assert_eq!(
            choice(&Ucb1Tuned { exploration: 1.0 }, &[(9, lost, NONE), (9, 0.0, NONE), (0, lost, NONE)]),
            1
        );
        assert_eq!(choice(&Ucb1Tuned { exploration: 1.0 }, &[(9, 0.9, NONE), (9, f32::INFINITY, NONE)]), 1);
    }
}
