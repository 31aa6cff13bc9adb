//! PUCT with a policy (Silver et al. 2016): `Q + c P sqrt(N) / (1 + n)`.
//!
//! Three refinements as in KataGo: `c` grows with the logarithm of the visits, and with the spread of the results below the node; and an untried edge is valued the further below the
//! mean, the more of the policy has been tried. Depth-first walks do without: they foresee straight lines whose clock is the
//! square root of the visits.

use super::{Lines, Scored, Scratch, Select, Siblings, Standing, lines, refined};
use crate::tree::{Columns, Edges};

/// PUCT; an edge has the probability of its move.
#[derive(Clone, Copy, Debug)]
pub struct Puct {
    /// Factor of the exploration term.
    pub exploration: f32,
    /// How much of itself the factor gains, for every e-fold of the visits beyond [`GROWTH_START`].
    pub growth: f32,
    /// How far below the mean of its visited siblings an edge without visits is valued.
    pub first_play_reduction: f32,
    /// Whether that is at full length only when the whole policy has been tried, and shorter by the root of what has been before.
    pub by_tried_policy: bool,
    /// How much of the factor is proportional to the spread of results, where the rule is told that; 0 is none of it, 1 all.
    pub spread_scale: f32,
}

impl Puct {
    /// Without refinements.
    pub const PLAIN: Puct = Puct {
        exploration: 1.0,
        growth: 0.0,
        first_play_reduction: 0.2,
        by_tried_policy: false,
        spread_scale: 0.0,
    };
}

/// Visits from which on the factor grows notably (KataGo).
const GROWTH_START: f32 = 500.0;

/// What the edges of a node have in common.
#[derive(Clone, Copy, Debug, Default)]
pub struct PuctMoment {
    /// `c sqrt(N)`.
    factor: f32,
    /// Value of an edge without visits.
    first_play: f32,
}

impl Select for Puct {
    const COLUMNS: Columns = Columns::POLICY;

    #[inline]
    fn choose(&self, edges: &Edges<'_>, scratch: &mut Scratch) -> usize {
        lines::choose(self, edges, scratch)
    }
}

impl Scored for Puct {
    type Moment = PuctMoment;
    const READS_MEAN: bool = true;

    #[inline(always)]
    fn reads_tried_policy(&self) -> bool {
        self.by_tried_policy
    }

    #[inline(always)]
    fn moment(&self, siblings: Siblings) -> PuctMoment {
        // A little above zero before the first visit, so that the policy decides then too.
        let visits = (siblings.visits as f32).max(0.01);
        let mut factor = self.exploration * visits.sqrt();
        if self.growth > 0.0 {
            factor *= 1.0 + self.growth * (1.0 + visits / GROWTH_START).ln();
        }
        if let Some(spread) = siblings.spread {
            factor *= 1.0 + self.spread_scale * (spread / refined::EXPECTED_SPREAD.0 - 1.0);
        }
        let mut reduction = self.first_play_reduction;
        if self.by_tried_policy {
            reduction *= siblings.tried_policy.clamp(0.0, 1.0).sqrt();
        }
        PuctMoment { factor, first_play: siblings.mean - reduction }
    }

    #[inline(always)]
    fn score(&self, edge: Standing, moment: &PuctMoment) -> f32 {
        self.start(edge, moment) + moment.factor * edge.policy / (1.0 + edge.n())
    }
}

impl Lines for Puct {
    const MEAN_LEEWAY: f32 = 0.02;

    #[inline(always)]
    fn clock(&self, moment: &PuctMoment) -> Option<f32> {
        Some(moment.factor)
    }

    #[inline(always)]
    fn start(&self, edge: Standing, moment: &PuctMoment) -> f32 {
        let untried = if edge.mean < 0.0 { edge.mean } else { moment.first_play };
        if edge.n() == 0.0 { untried } else { edge.mean }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Prior;
    use super::super::testing::choice;
    use super::*;

    fn policy(policy: f32) -> Prior {
        Prior { policy, ..Prior::NONE }
    }

    #[test]
    fn an_untried_edge_falls_as_more_of_the_policy_is_tried() {
        let rule = Puct { by_tried_policy: true, first_play_reduction: 0.4, ..Puct::PLAIN };
        // N = 4: 0.5 + 2·0.36/5 = 0.644 against 0.5 − 0.4·√0.36 + 2·0.19 = 0.64 and, by the full length, 0.48.
        let edges = [(4, 0.5, policy(0.36)), (0, 0.0, policy(0.19)), (0, 0.0, policy(0.1))];
        assert_eq!(choice(&rule, &edges), 0);
        // With less of it tried: 0.5 + 2·0.16/5 = 0.564 against 0.5 − 0.4·√0.16 + 2·0.19 = 0.72.
        let edges = [(4, 0.5, policy(0.16)), (0, 0.0, policy(0.19)), (0, 0.0, policy(0.1))];
        assert_eq!(choice(&rule, &edges), 1);
        assert_eq!(
            choice(&Puct { first_play_reduction: 0.4, ..Puct::PLAIN }, &edges),
            0,
            "0.48 at full length"
        );
    }

    #[test]
    fn the_factor_grows_with_the_visits() {
        let factor = |growth, visits| Puct { growth, ..Puct::PLAIN }.moment(Siblings::of(visits, 0.5)).factor;
        assert_eq!(factor(0.0, 400), 20.0);
        assert!((factor(0.5, 500) - 500f32.sqrt() * (1.0 + 0.5 * 2f32.ln())).abs() < 1e-3);
    }

    #[test]
    fn follows_the_formula() {
        let rule = Puct::PLAIN;
        assert_eq!(
            choice(&rule, &[(0, 0.0, policy(0.3)), (0, 0.0, policy(0.7))]),
            1,
            "policy before any visit"
        );
        // N = 16: 0.5 + 4·0.5/17 = 0.618 against 0.3 + 4·0.1 = 0.7 and 0.3 + 4·0.05 = 0.5.
        let edges = [(16, 0.5, policy(0.5)), (0, 0.0, policy(0.1)), (0, 0.0, policy(0.05))];
        assert_eq!(choice(&rule, &edges), 1);
        let edges = [(16, 0.5, policy(0.5)), (0, f32::NEG_INFINITY, policy(0.9)), (0, 0.0, policy(0.05))];
        assert_eq!(choice(&rule, &edges), 0, "lost edges are not tried");
    }
}
