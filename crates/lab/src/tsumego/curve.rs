//! How often a search is right after how many playouts.
//!
//! Many seeds search the same problem and are asked for their move at fixed numbers of playouts. The share that is right is a noisy curve that
//! rises on the whole; the rising curve that fits it best (isotonic regression, R. Barlow et al., 1972) is read off where it crosses
//! 90 %, between two checkpoints on a logarithmic scale.

use serde::{Deserialize, Serialize};
use tesuji_search::Rng;

/// The share of seeds that has to be right.
pub const GOAL: f64 = 0.9;

/// Playouts at the first checkpoint.
const FIRST: f64 = 8.0;

/// Checkpoints per doubling.
const PER_OCTAVE: f64 = 4.0;

/// The numbers of playouts at which searches are asked, up to a limit that is one of them.
pub fn checkpoints(limit: u64) -> impl Iterator<Item = u64> {
    let at = |k: u32| (FIRST * (f64::from(k) / PER_OCTAVE).exp2()).round() as u64;
    // One bit each has to fit into a word.
    (0..u64::BITS).map(at).take_while(move |&playouts| playouts <= limit)
}

/// What the searches of one problem with one rule came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Curve {
    /// Playouts of each search, at most.
    pub limit: u64,
    /// By seed: bit k is set if the answer at checkpoint k was right.
    pub right: Vec<u64>,
    /// By seed: playouts after which the winner was proved; 0 if it was not.
    pub proved: Vec<u64>,
}

/// Playouts that are needed for the goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Needed {
    /// This many.
    Playouts(f64),
    /// More than the limit.
    MoreThan(f64),
}

impl Needed {
    /// The number, or the limit as a lower bound of it.
    pub fn at_least(self) -> f64 {
        match self {
            Needed::Playouts(playouts) | Needed::MoreThan(playouts) => playouts,
        }
    }

    /// Whether the goal was reached.
    pub fn is_reached(self) -> bool {
        matches!(self, Needed::Playouts(_))
    }
}

impl Curve {
    /// The share of right answers, by checkpoint.
    pub fn shares(&self) -> Vec<f64> {
        self.shares_of(self.right.iter())
    }

    /// Playouts that are needed for the goal.
    pub fn needed(&self) -> Needed {
        self.crossing(&self.shares())
    }

    /// The same for seeds drawn with replacement from those that there are: what another experiment might have found.
    pub fn needed_by_chance(&self, rng: &mut Rng) -> Needed {
        let count = self.right.len();
        let drawn: Vec<u64> = (0..count).map(|_| self.right[rng.below(count.max(1))]).collect();
        self.crossing(&self.shares_of(drawn.iter()))
    }

    /// The median of playouts to a proof, if more than half of the seeds found one.
    pub fn median_to_proof(&self) -> Option<f64> {
        let mut playouts: Vec<u64> =
            self.proved.iter().map(|&playouts| if playouts == 0 { u64::MAX } else { playouts }).collect();
        playouts.sort_unstable();
        playouts.get(playouts.len() / 2).filter(|&&median| median < u64::MAX).map(|&median| median as f64)
    }

    fn shares_of<'a>(&self, answers: impl ExactSizeIterator<Item = &'a u64>) -> Vec<f64> {
        let trials = answers.len().max(1) as f64;
        let mut counts = vec![0_u32; checkpoints(self.limit).count()];
        for &bits in answers {
            for (k, count) in counts.iter_mut().enumerate() {
                *count += (bits >> k & 1) as u32;
            }
        }
        counts.into_iter().map(|count| f64::from(count) / trials).collect()
    }

    fn crossing(&self, shares: &[f64]) -> Needed {
        let rising = isotonic(shares);
        let Some(k) = rising.iter().position(|&share| share >= GOAL) else {
            return Needed::MoreThan(self.limit as f64);
        };
        let at = |k: usize| checkpoints(self.limit).nth(k).unwrap_or(self.limit) as f64;
        if k == 0 {
            return Needed::Playouts(at(0));
        }
        let part = (GOAL - rising[k - 1]) / (rising[k] - rising[k - 1]);
        Needed::Playouts(at(k - 1) * (at(k) / at(k - 1)).powf(part))
    }
}

/// The rising sequence with the least squared distance from the given one (pool adjacent violators).
fn isotonic(values: &[f64]) -> Vec<f64> {
    let mut blocks: Vec<(f64, usize)> = Vec::with_capacity(values.len());
    for &value in values {
        let mut block = (value, 1);
        while let Some(&(mean, count)) = blocks.last().filter(|&&(mean, _)| mean >= block.0) {
            let total = count + block.1;
            block = ((mean * count as f64 + block.0 * block.1 as f64) / total as f64, total);
            blocks.pop();
        }
        blocks.push(block);
    }
    blocks.into_iter().flat_map(|(mean, count)| std::iter::repeat_n(mean, count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A curve of ten seeds with these numbers of right answers, right ones first.
    fn curve(counts: &[u32]) -> Curve {
        let limit = checkpoints(u64::MAX).nth(counts.len() - 1).unwrap();
        let bits = |seed: u32| {
            counts.iter().enumerate().map(|(k, &count)| u64::from(seed < count) << k).sum::<u64>()
        };
        Curve { limit, right: (0..10).map(bits).collect(), proved: Vec::new() }
    }

    #[test]
    fn checkpoints_rise_by_quarters_of_an_octave() {
        assert_eq!(checkpoints(33).collect::<Vec<_>>(), [8, 10, 11, 13, 16, 19, 23, 27, 32]);
        let all: Vec<u64> = checkpoints(u64::MAX).collect();
        assert!(all.is_sorted_by(|a, b| a < b));
        assert_eq!(all.len(), 64);
    }

    #[test]
    fn isotonic_fits() {
        assert_eq!(isotonic(&[1.0, 3.0, 2.0, 4.0]), [1.0, 2.5, 2.5, 4.0]);
        assert_eq!(isotonic(&[3.0, 2.0, 1.0]), [2.0; 3]);
        assert_eq!(isotonic(&[3.0, 4.0, 5.0, 0.0]), [3.0; 4]);
    }

    #[test]
    fn the_goal_is_read_off_between_checkpoints() {
        let Needed::Playouts(needed) = curve(&[5, 5, 5, 5, 8, 10, 10]).needed() else { panic!("reached") };
        // Half of the way from 16 to 19 on a logarithmic scale.
        assert!((needed - (16.0_f64 * 19.0).sqrt()).abs() < 1e-9, "{needed}");
        assert_eq!(curve(&[9, 10]).needed(), Needed::Playouts(8.0));
        assert_eq!(curve(&[10, 2, 2]).needed(), Needed::MoreThan(11.0));
        // Right at first by luck: what comes later counts as well.
        assert!(curve(&[9, 5, 5, 10, 10, 10]).needed().at_least() > 11.0);
    }

    #[test]
    fn chance_moves_a_noisy_curve_and_no_certain_one() {
        let mut rng = Rng::new(1);
        let mut spread = |curve: &Curve| {
            let found: Vec<f64> = (0..50).map(|_| curve.needed_by_chance(&mut rng).at_least()).collect();
            found.iter().any(|&needed| needed != found[0])
        };
        assert!(!spread(&curve(&[0, 0, 10, 10])));
        assert!(spread(&curve(&[0, 3, 6, 9, 10, 10])));
    }

    #[test]
    fn most_seeds_decide_about_proofs() {
        let with = |proved: &[u64]| Curve { limit: 8, right: Vec::new(), proved: proved.to_vec() };
        assert_eq!(with(&[5, 0, 3]).median_to_proof(), Some(5.0));
        assert_eq!(with(&[5, 0, 0]).median_to_proof(), None);
        assert_eq!(with(&[]).median_to_proof(), None);
    }
}
