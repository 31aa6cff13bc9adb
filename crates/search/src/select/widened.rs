//! Progressive widening (Coulom 2007; Chaslot et al. 2008): a node considers its best moves by prior first, and one more whenever
//! it has been visited often enough. As in Ray, the next move has to wait a constant factor longer than the one before.

use super::{Prior, Scratch, Select};
use crate::tree::Edges;
use std::sync::Arc;

/// Another rule over the first edges of a node. Edges are in the order of their priors, best first.
#[derive(Clone, Debug)]
pub struct Widened<S> {
    rule: S,
    /// Visits before the second edge, the third, … are considered.
    thresholds: Arc<[u64]>,
}

impl<S> Widened<S> {
    /// A rule that waits `start` visits for the second edge and then `base` times longer for each further one.
    pub fn new(rule: S, start: f32, base: f32) -> Widened<S> {
        let steps = std::iter::successors(Some(f64::from(start)), |step| Some(step * f64::from(base)));
        let thresholds = steps.scan(0.0, |sum, step| {
            *sum += step;
            Some(*sum as u64)
        });
        Widened { rule, thresholds: thresholds.take_while(|&visits| visits < 1 << 40).take(1000).collect() }
    }

    /// How many edges are considered: later ones have no visits.
    fn width(&self, edges: &Edges<'_>) -> usize {
        let mut visits = 0;
        let mut width = 1;
        for i in 0..edges.len() {
            visits += u64::from(edges.value(i).visits);
            while self.thresholds.get(width - 1).is_some_and(|&threshold| visits >= threshold) {
                width += 1;
            }
            if i + 1 >= width {
                break;
            }
        }
        width.min(edges.len())
    }
}

impl<S: Select> Select for Widened<S> {
    const LEARNS_FROM_ALL_MOVES: bool = S::LEARNS_FROM_ALL_MOVES;

    fn extra(&self, prior: Prior) -> u64 {
        self.rule.extra(prior)
    }

    fn reach(&self, edges: &Edges<'_>) -> usize {
        (2 * self.width(edges) + 8).min(edges.len())
    }

    #[inline]
    fn choose(&self, edges: &Edges<'_>, scratch: &mut Scratch) -> usize {
        let chosen = self.rule.choose(&edges.first(self.width(edges)), scratch);
        if edges.value(chosen).proven() == Some(false) {
            // All that were considered are lost.
            return self.rule.choose(edges, scratch);
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::super::Ucb1;
    use super::super::testing::choice;
    use super::*;

    #[test]
    fn edges_come_in_one_by_one() {
        let rule = Widened::new(Ucb1 { exploration: 1.0 }, 10.0, 2.0);
        assert_eq!(*rule.thresholds.first_chunk().unwrap(), [10, 30, 70]);
        let untried = (0, 0.0, 0);
        assert_eq!(choice(&rule, &[(9, 0.1, 0), untried, untried]), 0);
        assert_eq!(choice(&rule, &[(10, 0.1, 0), untried, untried]), 1);
        assert_eq!(choice(&rule, &[(29, 0.9, 0), (1, 0.1, 0), untried]), 2);
        let lost = (3, f32::NEG_INFINITY, 0);
        assert_eq!(choice(&rule, &[lost, untried, untried]), 1, "nothing else is left");
    }
}
