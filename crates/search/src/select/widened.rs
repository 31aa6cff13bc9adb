//! Progressive widening (Coulom 2007; Chaslot et al. 2008): a node considers its best moves by prior first, and one more whenever
//! it has been visited often enough. As in Ray, the next move has to wait a constant factor longer than the one before.

use super::{LANES, Lines, Scored, Scratch, Select, Siblings, Standing, lines};
use crate::tree::{Columns, Edges, visits_of};
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering::Relaxed};

/// Another rule over the edges of a node that come first in the order of their priors.
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

    /// How many edges are considered, by the visits of groups of `LANES` edges in their order; more than there are if all.
    #[inline(always)]
    fn width_by(&self, visits_of_groups: impl Iterator<Item = u64>) -> usize {
        let mut visits = 0;
        for (group, more) in visits_of_groups.enumerate() {
            visits += more;
            let (before, seen) = (group * LANES, (group + 1) * LANES);
            // Most groups of a wide node are passed by this one look at the edge behind them.
            if self.thresholds.get(seen - 1).is_some_and(|&threshold| visits >= threshold) {
                continue;
            }
            let within = self.thresholds.iter().take(seen).skip(before);
            return 1 + before + within.take_while(|&&threshold| visits >= threshold).count();
        }
        usize::MAX
    }
}

impl<S: Scored> Select for Widened<S> {
    const COLUMNS: Columns = S::COLUMNS.and(Columns::ORDER);
    const LEARNS_FROM_ALL_MOVES: bool = S::LEARNS_FROM_ALL_MOVES;

    /// Edges that are not considered yet have no visits, unless the order changed when a policy came late.
    fn width(&self, edges: &Edges<'_>) -> usize {
        let values = edges.values();
        let visits_at = |word: &AtomicU64| u64::from(visits_of(word.load(Relaxed) as u32));
        match edges.rearranged() {
            None => self.width_by(values.chunks(LANES).map(|group| group.iter().map(visits_at).sum())),
            Some(order) => {
                let place = |place: &AtomicU16| usize::from(place.load(Relaxed));
                let visits_in =
                    |group: &[AtomicU16]| group.iter().map(|next| visits_at(&values[place(next)])).sum();
                self.width_by(order.chunks(LANES).map(visits_in))
            }
        }
        .min(edges.len())
    }

    fn reach(&self, edges: &Edges<'_>) -> usize {
        (2 * self.width(edges) + 8).min(edges.len())
    }

    lines::as_its_rule!(playout_share, bias_correction);

    #[inline]
    fn choose(&self, edges: &Edges<'_>, scratch: &mut Scratch) -> usize {
        lines::choose(self, edges, scratch)
    }
}

// An edge that is considered later is not foreseen, so no walk on these lines is exact.
lines::scored_by_its_rule!(Widened);

#[cfg(test)]
mod tests {
    use super::super::testing::choice;
    use super::super::{Prior, Ucb1};
    use super::*;

    const NONE: Prior = Prior::NONE;

    #[test]
    fn edges_come_in_one_by_one() {
        let rule = Widened::new(Ucb1 { exploration: 1.0 }, 10.0, 2.0);
        assert_eq!(*rule.thresholds.first_chunk().unwrap(), [10, 30, 70]);
        let untried = (0, 0.0, NONE);
        assert_eq!(choice(&rule, &[(9, 0.1, NONE), untried, untried]), 0);
        assert_eq!(choice(&rule, &[(10, 0.1, NONE), untried, untried]), 1);
        assert_eq!(choice(&rule, &[(29, 0.9, NONE), (1, 0.1, NONE), untried]), 2);
        let lost = (3, f32::NEG_INFINITY, NONE);
        assert_eq!(choice(&rule, &[lost, untried, untried]), 1, "nothing else is left");
    }
}
