//! PUCT with a policy (Silver et al. 2016): `Q + c P sqrt(N) / (1 + n)`.

use super::{HOPELESS, LANES, Prior, Scratch, Select, best, float, total};
use crate::tree::Edges;

/// PUCT; the extra of an edge is its policy probability.
#[derive(Clone, Copy, Debug)]
pub struct Puct {
    /// Factor of the exploration term.
    pub exploration: f32,
    /// How far below the mean of its visited siblings an edge without visits is valued.
    pub first_play_reduction: f32,
}

impl Select for Puct {
    fn extra(&self, prior: Prior) -> u64 {
        u64::from(prior.policy.to_bits())
    }

    #[inline]
    fn choose(&self, edges: &Edges<'_>, scratch: &mut Scratch) -> usize {
        let padded = scratch.values.copy(edges.values, HOPELESS);
        scratch.extras.copy(edges.extras, (0, 0.0));
        let (visits, means) = (&scratch.values.low.0[..padded], &scratch.values.high.0[..padded]);
        let policies = &scratch.extras.low.0[..padded];
        let first_play = parent_mean(visits, means) - self.first_play_reduction;
        // A little above zero before the first visit, so that the policy decides then too.
        let factor = self.exploration * total(visits).max(0.01).sqrt();
        let scores = &mut scratch.scores.0[..padded];
        for (((score, &n), &q), &policy) in scores.iter_mut().zip(visits).zip(means).zip(policies) {
            let n = float(n);
            let untried = if q < 0.0 { q } else { first_play };
            let expected = if n == 0.0 { untried } else { q };
            *score = expected + factor * f32::from_bits(policy) / (1.0 + n);
        }
        best(scores)
    }
}

/// Mean over the visited edges, 0.5 if there is none; proven ones left out.
#[inline(always)]
fn parent_mean(visits: &[u32], means: &[f32]) -> f32 {
    // In lanes, because a sum of floats in order cannot be vectorised.
    let (mut sums, mut counts) = ([0.0; LANES], [0.0; LANES]);
    for (visits, means) in visits.chunks_exact(LANES).zip(means.chunks_exact(LANES)) {
        for lane in 0..LANES {
            let proven = means[lane].abs() > 1.0;
            let n = if proven { 0.0 } else { float(visits[lane]) };
            let q = if proven { 0.0 } else { means[lane] };
            sums[lane] += n * q;
            counts[lane] += n;
        }
    }
    let (sum, count) = (sums.iter().sum::<f32>(), counts.iter().sum::<f32>());
    if count > 0.0 { sum / count } else { 0.5 }
}

#[cfg(test)]
mod tests {
    use super::super::testing::choice;
    use super::*;

    fn policy(p: f32) -> u64 {
        u64::from(p.to_bits())
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
