//! The sequential probability ratio test on pairs of games.
//!
//! Both games of a pair start from the same opening with colours exchanged, so they are not independent; the pair is,
//! and its score is one of five (0, ½, 1, 1½, 2 points: the pentanomial model of fishtest). The likelihood ratio is the
//! generalised one: the distribution of pair scores is free except for the strength under test, and is fitted to the
//! results under either hypothesis by maximum likelihood (Van den Bergh, "A practical introduction to the GSPRT").
//!
//! Strength is either the logistic Elo number or the normalised one, which divides by the spread of the results and so
//! does not depend on how many pairs an opening decides by itself.

use crate::statistics::{Interval, Sample, rate_of_elo};

/// How many pairs gave 0, ½, 1, 1½ and 2 points to the first engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// Indexed by half points.
    pub counts: [u64; 5],
}

/// What an Elo number measures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EloModel {
    /// The expected score.
    #[default]
    Logistic,
    /// The expected score in units of the spread of one game.
    Normalized,
}

/// A test of "at most `elo0`" against "at least `elo1`".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The hypothesis to reject.
    pub elo0: f64,
    /// The hypothesis to accept.
    pub elo1: f64,
    /// Probability to accept `elo1` when `elo0` is true.
    pub alpha: f64,
    /// Probability to accept `elo0` when `elo1` is true.
    pub beta: f64,
    /// The unit of both numbers.
    pub model: EloModel,
}

/// What a test has decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// More games are needed.
    Open,
    /// `elo0` is accepted.
    AcceptElo0,
    /// `elo1` is accepted.
    AcceptElo1,
}

/// Where a test stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SprtState {
    /// The logarithm of the likelihood ratio.
    pub llr: f64,
    /// Where it decides.
    pub bounds: Interval,
    /// What it has decided.
    pub decision: Decision,
}

impl Pairs {
    /// Counts one more pair by the half points of the first engine, 0 to 4.
    pub fn add(&mut self, half_points: usize) {
        if let Some(count) = self.counts.get_mut(half_points) {
            *count += 1;
        }
    }

    /// Number of pairs.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The score per game over whole pairs; its interval respects that the games of a pair belong together.
    pub fn sample(&self) -> Option<Sample> {
        let each = self.counts.iter().zip(SCORES);
        Sample::of(each.flat_map(|(&count, score)| std::iter::repeat_n(score, count as usize)))
    }

    /// Probabilities of the five scores; those never seen get a trace, lest a fit be impossible.
    fn frequencies(&self) -> (f64, [f64; 5]) {
        let counts = self.counts.map(|count| if count == 0 { TRACE } else { count as f64 });
        let total: f64 = counts.iter().sum();
        (total, counts.map(|count| count / total))
    }
}

impl Sprt {
    /// A logistic test with the usual 5 % for either error.
    pub fn new(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model: EloModel::Logistic }
    }

    /// Where the test stands after these pairs.
    pub fn state(&self, pairs: &Pairs) -> SprtState {
        let bounds = Interval {
            low: (self.beta / (1.0 - self.alpha)).ln(),
            high: ((1.0 - self.beta) / self.alpha).ln(),
        };
        let llr = if pairs.total() == 0 { 0.0 } else { self.llr(pairs) };
        let decision = if llr >= bounds.high {
            Decision::AcceptElo1
        } else if llr <= bounds.low {
            Decision::AcceptElo0
        } else {
            Decision::Open
        };
        SprtState { llr, bounds, decision }
    }

    fn llr(&self, pairs: &Pairs) -> f64 {
        let (total, seen) = pairs.frequencies();
        let [fit0, fit1] = [self.elo0, self.elo1].map(|elo| match self.model {
            EloModel::Logistic => fit_mean(&seen, rate_of_elo(elo)),
            // A pair's mean score spreads less than one game's by the square root of two.
            EloModel::Normalized => fit_ratio(&seen, elo * std::f64::consts::SQRT_2 / NORMALIZED_SCALE),
        });
        let ratio = |(p, (p0, p1)): (&f64, (&f64, &f64))| p * (p1 / p0).ln();
        total * seen.iter().zip(fit0.iter().zip(&fit1)).map(ratio).sum::<f64>()
    }
}

/// Points per game of the five pair scores.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Pairs assumed where none were seen, as in fishtest.
const TRACE: f64 = 1e-3;

/// Normalised Elo per standard deviation of one game: the slope of the logistic curve at equality, without draws.
const NORMALIZED_SCALE: f64 = 800.0 / std::f64::consts::LN_10;

/// Steps of the fit for a normalised strength; each gains several digits.
const MAX_FIT_STEPS: usize = 30;

/// The most likely distribution for what was seen among those of this mean, which lies inside 0 to 1.
fn fit_mean(seen: &[f64; 5], mean: f64) -> [f64; 5] {
    fit_constraint(seen, &SCORES.map(|score| score - mean))
}

/// The most likely distribution among those whose mean is `ratio` standard deviations above ½.
///
/// The spread depends on the fit, so the constraint is made linear around the last fit until nothing changes.
fn fit_ratio(seen: &[f64; 5], ratio: f64) -> [f64; 5] {
    let mut fit = [0.2; 5];
    for _ in 0..MAX_FIT_STEPS {
        let mean: f64 = fit.iter().zip(SCORES).map(|(p, score)| p * score).sum();
        let variance: f64 = fit.iter().zip(SCORES).map(|(p, score)| p * (score - mean).powi(2)).sum();
        let deviation = variance.sqrt();
        let constraint = SCORES.map(|score| {
            score - 0.5 - ratio * deviation * (1.0 + ((score - mean) / deviation).powi(2)) / 2.0
        });
        let next = fit_constraint(seen, &constraint);
        let change = next.iter().zip(&fit).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        fit = next;
        if change < 1e-12 {
            break;
        }
    }
    fit
}

/// The most likely distribution `p` for what was seen among those with `Σ p·c = 0`, which is
/// `seen / (1 + x·c)` for the one `x` that satisfies the constraint.
///
/// A constraint of one sign only cannot be met; then the distribution is returned as seen.
fn fit_constraint(seen: &[f64; 5], constraint: &[f64; 5]) -> [f64; 5] {
    let least = constraint.iter().copied().fold(f64::INFINITY, f64::min);
    let most = constraint.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        return *seen;
    }
    // All probabilities are positive between these poles, and the sum falls from +∞ to −∞.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let sum = |x: f64| seen.iter().zip(constraint).map(|(p, c)| p * c / (1.0 + x * c)).sum::<f64>();
    // Halving until the ends are neighbours: some 60 steps, and no step can leave the interval.
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if sum(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = f64::midpoint(low, high);
    std::array::from_fn(|i| seen[i] / (1.0 + x * constraint[i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn close(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{found}, expected {expected}");
    }

    #[test]
    fn bounds_are_wald_s() {
        let state = Sprt::new(0.0, 10.0).state(&Pairs::default());
        close(state.bounds.high, 19f64.ln(), 1e-12);
        close(state.bounds.low, -19f64.ln(), 1e-12);
        assert_eq!((state.llr, state.decision), (0.0, Decision::Open));
    }

    #[test]
    fn pairs_won_or_lost_whole_are_a_bernoulli_test() {
        // Without middle scores the free distribution is fixed by its mean: the plain likelihood ratio.
        let pairs = Pairs { counts: [400, 0, 0, 0, 600] };
        let sprt = Sprt::new(-10.0, 35.0);
        let (p0, p1) = (rate_of_elo(-10.0), rate_of_elo(35.0));
        let expected = 600.0 * (p1 / p0).ln() + 400.0 * ((1.0 - p1) / (1.0 - p0)).ln();
        close(sprt.state(&pairs).llr, expected, 0.01);
    }

    #[test]
    fn many_pairs_agree_with_the_normal_approximation() {
        // Van den Bergh: LLR ≈ n (s1 − s0)(2·mean − s0 − s1) / (2·variance) for small differences.
        let pairs = Pairs { counts: [1200, 3100, 7000, 3300, 1250] };
        let sample = pairs.sample().unwrap();
        let (s0, s1) = (rate_of_elo(0.0), rate_of_elo(4.0));
        let n = pairs.total() as f64;
        let expected = n * (s1 - s0) * (2.0 * sample.mean - s0 - s1) / (2.0 * sample.deviation.powi(2));
        close(Sprt::new(0.0, 4.0).state(&pairs).llr, expected, 0.02);
    }

    #[test]
    fn decisions() {
        let sprt = Sprt::new(0.0, 20.0);
        let better = Pairs { counts: [50, 0, 200, 0, 150] };
        assert_eq!(sprt.state(&better).decision, Decision::AcceptElo1);
        let worse = Pairs { counts: [150, 0, 200, 0, 50] };
        assert_eq!(sprt.state(&worse).decision, Decision::AcceptElo0);
        // Hypotheses placed symmetrically around an even result cannot be told apart by it.
        let even = Pairs { counts: [100, 10, 200, 10, 100] };
        let state = Sprt::new(-20.0, 20.0).state(&even);
        close(state.llr, 0.0, 1e-9);
        assert_eq!(state.decision, Decision::Open);
        let all = Pairs { counts: [0, 0, 0, 0, 60] };
        assert_eq!(sprt.state(&all).decision, Decision::AcceptElo1);
        assert!(sprt.state(&all).llr.is_finite());
    }

    #[test]
    fn fits_meet_their_constraint_and_are_the_most_likely() {
        let seen = [0.1, 0.2, 0.3, 0.25, 0.15];
        let fit = fit_mean(&seen, 0.45);
        close(fit.iter().sum(), 1.0, 1e-9);
        close(fit.iter().zip(SCORES).map(|(p, s)| p * s).sum(), 0.45, 1e-12);
        let likelihood = |p: &[f64; 5]| seen.iter().zip(p).map(|(seen, p)| seen * p.ln()).sum::<f64>();
        // Directions that keep both the sum and the mean.
        for direction in [[1.0, -2.0, 1.0, 0.0, 0.0], [0.0, 1.0, -2.0, 1.0, 0.0], [0.0, 0.0, 1.0, -2.0, 1.0]]
        {
            for step in [-1e-3, 1e-3] {
                let moved = std::array::from_fn(|i| fit[i] + step * direction[i]);
                assert!(likelihood(&moved) < likelihood(&fit));
            }
        }
    }

    #[test]
    fn a_normalised_fit_has_the_ratio_asked_for() {
        let seen = [0.1, 0.2, 0.3, 0.25, 0.15];
        for ratio in [-0.3, 0.0, 0.05, 0.4] {
            let fit = fit_ratio(&seen, ratio);
            let mean: f64 = fit.iter().zip(SCORES).map(|(p, s)| p * s).sum();
            let variance: f64 = fit.iter().zip(SCORES).map(|(p, s)| p * (s - mean).powi(2)).sum();
            close((mean - 0.5) / variance.sqrt(), ratio, 1e-9);
        }
    }
}
