//! From moves to the rank of who made them.
//!
//! By Bayes' rule: every rank is as likely as another beforehand, and each move multiplies a rank's chances by the probability that its players make it.
//! Moves of one game are not independent, and the network is not exact, so a move counts for less than one ([`TRUST`]).

use tesuji_net::input::Rank;

/// How much of a move's likelihood counts: a guess, to be measured with `tesuji lab people`, whose intervals should hold as often as they say.
const TRUST: f64 = 0.6;
/// Moves cannot count against a rank more than this, whatever the network says.
const LEAST_PROBABILITY: f32 = 1e-4;

/// What moves of one player say about the rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    log_likelihood: [f64; Rank::COUNT],
    moves: usize,
}

/// A rank, and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The middle of the distribution, in steps above 30k.
    pub mean: f64,
    /// The rank nearest to it.
    pub rank: Rank,
    /// The rank is in between with a probability of 90 %.
    pub interval: (Rank, Rank),
}

impl Default for Evidence {
    fn default() -> Evidence {
        Evidence { log_likelihood: [0.0; Rank::COUNT], moves: 0 }
    }
}

impl Evidence {
    /// Adds a move by its probability for players of every rank.
    pub fn add(&mut self, probabilities: &[f32; Rank::COUNT]) {
        for (sum, &probability) in self.log_likelihood.iter_mut().zip(probabilities) {
            *sum += f64::from(probability.max(LEAST_PROBABILITY)).ln();
        }
        self.moves += 1;
    }

    /// Adds what other moves say.
    pub fn join(&mut self, other: &Evidence) {
        self.log_likelihood.iter_mut().zip(other.log_likelihood).for_each(|(sum, more)| *sum += more);
        self.moves += other.moves;
    }

    /// Moves so far.
    pub fn moves(&self) -> usize {
        self.moves
    }

    /// The probability of every rank.
    pub fn distribution(&self) -> [f64; Rank::COUNT] {
        let top = self.log_likelihood.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights = self.log_likelihood.map(|log| (TRUST * (log - top)).exp());
        let total: f64 = weights.iter().sum();
        weights.map(|weight| weight / total)
    }

    /// The rank that the moves speak for.
    pub fn estimate(&self) -> Estimate {
        let distribution = self.distribution();
        let mean: f64 = distribution.iter().zip(0..).map(|(share, steps)| share * f64::from(steps)).sum();
        let quantile = |wanted: f64| {
            let mut sum = 0.0;
            let place = distribution.iter().position(|share| {
                sum += share;
                sum >= wanted
            });
            place.and_then(Rank::from_steps).unwrap_or(Rank::HIGHEST)
        };
        let rank = Rank::from_steps(mean.round() as usize).unwrap_or(Rank::HIGHEST);
        Estimate { mean, rank, interval: (quantile(0.05), quantile(0.95)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Players of rank r make a move with probability proportional to exp(−(r − 20)² / 200).
    fn typical_of_20() -> [f32; Rank::COUNT] {
        std::array::from_fn(|steps| 0.2 * (-(steps as f32 - 20.0).powi(2) / 200.0).exp())
    }

    #[test]
    fn without_moves_every_rank_is_as_likely() {
        let estimate = Evidence::default().estimate();
        assert!((estimate.mean - 19.0).abs() < 1e-9);
        assert!(estimate.interval.0.steps() <= 2 && estimate.interval.1.steps() >= 36);
    }

    #[test]
    fn more_moves_make_it_surer() {
        let mut width = 99;
        for moves in [1, 10, 100] {
            let mut evidence = Evidence::default();
            (0..moves).for_each(|_| evidence.add(&typical_of_20()));
            let Estimate { rank, interval: (low, high), .. } = evidence.estimate();
            assert!(high.steps() - low.steps() < width && low <= rank && rank <= high);
            width = high.steps() - low.steps();
            assert!(rank.steps().abs_diff(20) <= 1);
            assert_eq!(evidence.moves(), moves);
        }
        assert!(width <= 6);
    }

    #[test]
    fn evidence_adds_up_and_impossible_moves_do_not_decide_alone() {
        let mut all = Evidence::default();
        let mut one = Evidence::default();
        one.add(&typical_of_20());
        all.join(&one);
        all.join(&one);
        let mut both = one.clone();
        both.add(&typical_of_20());
        assert_eq!(all, both);
        let mut never = typical_of_20();
        never[20] = 0.0;
        both.add(&never);
        assert!(both.distribution().iter().all(|share| share.is_finite() && *share > 0.0));
    }
}
