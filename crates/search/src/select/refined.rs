//! Refinements that take statistics of their own: how far results below a move differ, for rules whose exploration follows that ([`Siblings::spread`]), and what the network gets wrong again and
//! again ([`Biases`](crate::tree::Biases)).

use super::{Lines, Scored, Scratch, Select, Siblings, Standing, lines};
use crate::tree::{Columns, Edges};

/// Another rule, refined.
#[derive(Clone, Debug)]
pub struct Refined<S> {
    /// The rule.
    pub rule: S,
    /// Which part of the known bias of its kind is taken off a network's value.
    pub bias_correction: f32,
}

impl<S: Scored> Select for Refined<S> {
    const COLUMNS: Columns = S::COLUMNS.and(Columns::SQUARES).and(Columns::JUDGEMENT);
    const LEARNS_FROM_ALL_MOVES: bool = S::LEARNS_FROM_ALL_MOVES;

    lines::as_its_rule!(width, reach, playout_share);

    #[inline(always)]
    fn bias_correction(&self) -> f32 {
        self.bias_correction
    }

    #[inline]
    fn choose(&self, edges: &Edges<'_>, scratch: &mut Scratch) -> usize {
        lines::choose(self, edges, scratch)
    }
}

lines::scored_by_its_rule!(Refined);

/// The spread that a node is thought to have before anything is known, as a standard deviation, and how many results that opinion is worth (KataGo: 0.4 on a scale of −1 to 1, and 2).
pub(super) const EXPECTED_SPREAD: (f32, f32) = (0.2, 2.0);

/// The standard deviation of the results below a node whose edges have these visits, means and means of squares; proven ones do not count.
#[inline(always)]
pub(super) fn spread(visits: &[u32], means: &[f32], squares: &[f32]) -> f32 {
    let (mut count, mut sum, mut sum_of_squares) = (0.0, 0.0, 0.0);
    for ((&visits, &mean), &square) in visits.iter().zip(means).zip(squares) {
        let n = if mean.abs() > 1.0 { 0.0 } else { super::float(visits) };
        count += n;
        sum += if n > 0.0 { n * mean } else { 0.0 };
        sum_of_squares += n * square;
    }
    // About the mean, and never below zero, however the sums were rounded.
    let deviations = if count > 0.0 { (sum_of_squares - sum * sum / count).max(0.0) } else { 0.0 };
    let (expected, weight) = EXPECTED_SPREAD;
    ((deviations + weight * expected * expected) / (count + weight)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::testing::node;
    use super::super::{Prior, Puct};
    use super::*;
    use crate::tree::{MeanOf, Tree};

    #[test]
    fn the_spread_is_that_of_all_results_together() {
        // Results 0.2 and 0.8 twice each: 0.3 about their mean, and 2 expected ones of 0.2.
        let squares = [0.34, 0.34, 0.0, 0.0];
        let found = spread(&[2, 2, 0, 5], &[0.5, 0.5, 0.0, f32::NEG_INFINITY], &squares);
        let expected = ((4.0 * 0.09 + 2.0 * 0.04) / 6.0f32).sqrt();
        assert!((found - expected).abs() < 1e-6, "{found}, expected {expected}");
        assert_eq!(spread(&[], &[], &[]), 0.2);
        // Equal results leave nothing but what was expected.
        let found = spread(&[98], &[0.7], &[0.49]);
        assert!((found - (2.0 * 0.04 / 100.0f32).sqrt()).abs() < 1e-3, "{found}");
    }

    /// The choice between a good move and one with fewer visits, in a node whose results have a spread.
    fn choice(scale: f32, results: [f32; 2]) -> usize {
        let rule = Puct { spread_scale: scale, ..Puct::PLAIN };
        let rule = Refined { rule, bias_correction: 0.0 };
        let tree = Tree::new(1, Refined::<Puct>::COLUMNS);
        let policy = |policy| Prior { policy, ..Prior::NONE };
        let root = node(&tree, &[(90, 0.5, policy(0.5)), (10, 0.3, policy(0.4))]);
        for result in results {
            tree.squares(root + 1).unwrap().add(result * result);
            tree.squares(root + 2).unwrap().add((result - 0.2) * (result - 0.2));
        }
        rule.choose(&tree.edges(root), &mut Scratch::default())
    }

    #[test]
    fn where_results_differ_more_is_tried() {
        // 0.5 + 10·0.5/91 = 0.555 against 0.3 + 10·0.4/11 = 0.664; calm results halve what exploration adds and more.
        assert_eq!(choice(0.0, [0.5, 0.5]), 1);
        assert_eq!(choice(0.9, [0.5, 0.5]), 0);
        assert_eq!(choice(0.9, [0.2, 0.8]), 1);
    }
}
