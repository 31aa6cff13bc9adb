//! PUCT with a policy (Silver et al. 2016): `Q + c P sqrt(N) / (1 + n)`.

use super::{HOPELESS, LANES, Prior, Scratch, Select, best, copy, mean, total_visits, visits};
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
        let padded = copy(edges.values, &mut scratch.values, HOPELESS);
        copy(edges.extras, &mut scratch.extras, 0);
        let (values, extras) = (&scratch.values[..padded], &scratch.extras[..padded]);
        let total = total_visits(values) as f32;
        let first_play = parent_mean(values) - self.first_play_reduction;
        // A little above zero before the first visit, so that the policy decides then too.
        let factor = self.exploration * total.max(0.01).sqrt();
        let scores = &mut scratch.scores[..padded];
        for ((values, extras), scores) in
            values.chunks_exact(LANES).zip(extras.chunks_exact(LANES)).zip(scores.chunks_exact_mut(LANES))
        {
            for lane in 0..LANES {
                let (n, q) = (visits(values[lane]), mean(values[lane]));
                let policy = f32::from_bits(extras[lane] as u32);
                let expected = if n == 0.0 && q >= 0.0 { first_play } else { q };
                scores[lane] = expected + factor * policy / (1.0 + n);
            }
        }
        best(scores)
    }
}

/// Mean over the visited edges, 0.5 if there is none; proven ones left out.
#[inline(always)]
fn parent_mean(values: &[u64]) -> f32 {
    let (mut sum, mut count) = (0.0, 0.0);
    for &word in values {
        let q = mean(word);
        let n = if q.abs() <= 1.0 { visits(word) } else { 0.0 };
        sum += if n > 0.0 { n * q } else { 0.0 };
        count += n;
    }
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
