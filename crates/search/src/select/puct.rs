//! PUCT with a policy (Silver et al. 2016): `Q + c P sqrt(N) / (1 + n)`.

use super::{Lines, Scored, Scratch, Select, Standing, lines};
use crate::tree::{Columns, Edges};

/// PUCT; an edge has the probability of its move.
#[derive(Clone, Copy, Debug)]
pub struct Puct {
    /// Factor of the exploration term.
    pub exploration: f32,
    /// How far below the mean of its visited siblings an edge without visits is valued.
    pub first_play_reduction: f32,
}

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
    fn moment(&self, total_visits: u64, mean: f32) -> PuctMoment {
        // A little above zero before the first visit, so that the policy decides then too.
        let factor = self.exploration * (total_visits as f32).max(0.01).sqrt();
        PuctMoment { factor, first_play: mean - self.first_play_reduction }
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
    fn follows_the_formula() {
        let rule = Puct { exploration: 1.0, first_play_reduction: 0.2 };
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
