//! UCB1 (Auer, Cesa-Bianchi, Fischer 2002), as the papers on UCT use it: `w/n + c sqrt(2 ln s / n)`.

use super::{Lines, Scored, Scratch, Select, Siblings, Standing, lines};
use crate::tree::Edges;

/// UCB1; an edge without visits comes before all others.
#[derive(Clone, Copy, Debug)]
pub struct Ucb1 {
    /// Factor of the exploration term; 1 in the papers.
    pub exploration: f32,
}

impl Select for Ucb1 {
    #[inline]
    fn choose(&self, edges: &Edges<'_>, scratch: &mut Scratch) -> usize {
        lines::choose(self, edges, scratch)
    }
}

impl Scored for Ucb1 {
    /// `c² 2 ln s`, the square of the clock.
    type Moment = f32;
    const UNTRIED_FIRST: bool = true;

    #[inline(always)]
    fn moment(&self, siblings: Siblings) -> f32 {
        let log_total = (siblings.visits.max(1) as f32).ln();
        self.exploration * self.exploration * 2.0 * log_total
    }

    #[inline(always)]
    fn score(&self, edge: Standing, factor: &f32) -> f32 {
        let (n, q) = (edge.n(), edge.mean);
        let bound = q + (factor / n).sqrt();
        let untried = if q < 0.0 { q } else { f32::MAX };
        if n == 0.0 { untried } else { bound }
    }
}

impl Lines for Ucb1 {
    #[inline(always)]
    fn clock(&self, factor: &f32) -> Option<f32> {
        Some(factor.sqrt())
    }

    #[inline(always)]
    fn start(&self, edge: Standing, _factor: &f32) -> f32 {
        let untried = if edge.mean < 0.0 { edge.mean } else { f32::MAX };
        if edge.n() == 0.0 { untried } else { edge.mean }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Prior;
    use super::super::testing::choice;
    use super::*;

    const NONE: Prior = Prior::NONE;

    #[test]
    fn follows_the_formula() {
        let rule = Ucb1 { exploration: 1.0 };
        assert_eq!(
            choice(&rule, &[(9, 0.9, NONE), (0, 0.0, NONE), (0, 0.0, NONE)]),
            1,
            "untried first, in order"
        );
        // s = 110, ln s = 4.70: 0.6 + 0.307 = 0.907 against 0.1 + 0.970 = 1.070.
        assert_eq!(choice(&rule, &[(100, 0.6, NONE), (10, 0.1, NONE)]), 1);
        assert_eq!(choice(&Ucb1 { exploration: 0.5 }, &[(100, 0.6, NONE), (10, 0.1, NONE)]), 0);
        assert_eq!(choice(&rule, &[(10, 0.5, NONE), (10, 0.5, NONE)]), 0, "the first of equals");
    }

    #[test]
    fn proven_edges_decide() {
        let rule = Ucb1 { exploration: 1.0 };
        let (won, lost) = (f32::INFINITY, f32::NEG_INFINITY);
        assert_eq!(choice(&rule, &[(9, 0.9, NONE), (1, lost, NONE), (0, lost, NONE), (3, 0.5, NONE)]), 3);
        assert_eq!(choice(&rule, &[(9, 0.9, NONE), (1, won, NONE), (3, 0.1, NONE)]), 1);
    }
}
