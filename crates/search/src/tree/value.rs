//! Visits, mean and proof of an edge in one atomic word, so that a reader never sees one without the other.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Number of simulations through an edge and their mean result for the side that makes the move, 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Value {
    /// Simulations.
    pub visits: u32,
    /// Mean result.
    pub mean: f32,
    /// What is known for certain.
    pub proof: Proof,
}

/// What is known of a move for certain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Proof {
    /// Nothing.
    #[default]
    Open,
    /// It loses, or is not allowed.
    Lost,
    /// It wins.
    Won,
}

/// From this many visits on the mean is a moving average: a true mean in 32 bits would stop moving at 2^24 visits.
const LONGEST_MEMORY: u32 = 1 << 22;

/// Bits of the number of visits; the two above them are the proof.
const VISIT_BITS: u32 = 30;
/// More visits are not counted.
const MOST_VISITS: u32 = (1 << VISIT_BITS) - 1;

/// The visits in the low half of a packed word.
#[inline(always)]
pub(crate) fn visits_of(low: u32) -> u32 {
    low & MOST_VISITS
}

/// What a selection rule scores an edge by: its mean, or ±∞ if its result is proven. Takes the halves of a packed word.
#[inline(always)]
pub(crate) fn worth_of(low: u32, mean: f32) -> f32 {
    let proof = low >> VISIT_BITS;
    let certain = if proof == Proof::Won as u32 { f32::INFINITY } else { f32::NEG_INFINITY };
    if proof == 0 { mean } else { certain }
}

impl Value {
    /// All fields in a word: visits and proof in the low half, the mean in the high half.
    #[inline(always)]
    pub fn pack(self) -> u64 {
        let low = self.visits.min(MOST_VISITS) | (self.proof as u32) << VISIT_BITS;
        u64::from(low) | u64::from(self.mean.to_bits()) << 32
    }

    /// Inverse of [`Value::pack`].
    #[inline(always)]
    pub fn unpack(word: u64) -> Value {
        let low = word as u32;
        let proof = match low >> VISIT_BITS {
            0 => Proof::Open,
            1 => Proof::Lost,
            _ => Proof::Won,
        };
        Value { visits: visits_of(low), mean: f32::from_bits((word >> 32) as u32), proof }
    }

    /// Whether the result is known for certain, and which.
    #[inline(always)]
    pub fn proven(self) -> Option<bool> {
        (self.proof != Proof::Open).then_some(self.proof == Proof::Won)
    }

    /// What selection rules score: the mean, or ±∞ if the result is proven.
    #[inline(always)]
    pub fn worth(self) -> f32 {
        match self.proof {
            Proof::Open => self.mean,
            Proof::Lost => f32::NEG_INFINITY,
            Proof::Won => f32::INFINITY,
        }
    }

    /// The mean as a probability: proven results are 0 or 1.
    pub fn probability(self) -> f32 {
        self.worth().clamp(0.0, 1.0)
    }

    /// Whether it was never tried and never will be: lost from the beginning, as illegal moves are.
    pub fn is_excluded(self) -> bool {
        self.visits == 0 && self.proof == Proof::Lost
    }

    #[inline(always)]
    fn with_result(self, result: f32) -> Value {
        let visits = (self.visits + 1).min(MOST_VISITS);
        let mean = self.mean + (result - self.mean) / visits.min(LONGEST_MEMORY) as f32;
        Value { visits, mean, ..self }
    }
}

/// What can be done to the packed [`Value`] of an edge. No update is lost, if [`MeanOf::add_alone`] is used as it says.
pub trait MeanOf {
    /// Adds a result.
    fn add(&self, result: f32);
    /// Adds a result if no other thread is about.
    fn add_alone(&self, result: f32);
    /// Adds a loss in advance, so that other threads look elsewhere meanwhile; returns the word as it was.
    fn add_virtual_loss(&self) -> u64;
    /// Turns a loss added in advance to the word `before` into the result.
    fn settle(&self, before: u64, result: f32);
    /// Takes back a loss added in advance.
    fn cancel(&self);
    /// Makes the result certain.
    fn prove(&self, win: bool);
}

impl MeanOf for AtomicU64 {
    #[inline]
    fn add(&self, result: f32) {
        change(self, |value| value.with_result(result));
    }

    #[inline(always)]
    fn add_alone(&self, result: f32) {
        self.store(Value::unpack(self.load(Relaxed)).with_result(result).pack(), Relaxed);
    }

    #[inline]
    fn add_virtual_loss(&self) -> u64 {
        change(self, |value| value.with_result(0.0))
    }

    #[inline]
    fn settle(&self, before: u64, result: f32) {
        // If nobody else was here meanwhile, the mean becomes what a thread alone would have made of it, to the last bit.
        let before = Value::unpack(before);
        let (with_loss, settled) = (before.with_result(0.0).pack(), before.with_result(result).pack());
        if self.compare_exchange(with_loss, settled, Relaxed, Relaxed).is_ok() {
            return;
        }
        change(self, |value| {
            let mean = value.mean + result / value.visits.clamp(1, LONGEST_MEMORY) as f32;
            Value { mean, ..value }
        });
    }

    fn cancel(&self) {
        change(self, |value| {
            let visits = value.visits.saturating_sub(1);
            let mean = if visits == 0 { 0.0 } else { value.mean * value.visits as f32 / visits as f32 };
            Value { visits, mean, ..value }
        });
    }

    fn prove(&self, win: bool) {
        let proof = if win { Proof::Won } else { Proof::Lost };
        change(self, |value| Value { proof, ..value });
    }
}

#[inline(always)]
fn change(word: &AtomicU64, new: impl Fn(Value) -> Value) -> u64 {
    let changed = word.fetch_update(Relaxed, Relaxed, |old| Some(new(Value::unpack(old)).pack()));
    // It cannot fail with a closure that always answers.
    changed.unwrap_or_else(|old| old)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(word: &AtomicU64, visits: u32, mean: f32) {
        let value = Value::unpack(word.load(Relaxed));
        assert_eq!(value.visits, visits);
        assert!((value.mean - mean).abs() < 1e-6, "{value:?}");
    }

    #[test]
    fn results_average() {
        let word = AtomicU64::new(0);
        [1.0, 0.0, 1.0, 1.0].into_iter().for_each(|result| word.add(result));
        close(&word, 4, 0.75);
        let before = word.add_virtual_loss();
        close(&word, 5, 0.6);
        word.settle(before, 1.0);
        close(&word, 5, 0.8);
        word.add_virtual_loss();
        word.cancel();
        close(&word, 5, 0.8);
    }

    #[test]
    fn settling_is_adding() {
        let (alone, shared) = (AtomicU64::new(0), AtomicU64::new(0));
        for i in 0..1000 {
            let result = (i * 7919 % 101) as f32 / 101.0;
            alone.add_alone(result);
            let before = shared.add_virtual_loss();
            shared.settle(before, result);
            assert_eq!(alone.load(Relaxed), shared.load(Relaxed));
        }
        let (first, second) = (shared.add_virtual_loss(), shared.add_virtual_loss());
        shared.settle(first, 1.0);
        shared.settle(second, 0.0);
        alone.add(1.0);
        alone.add(0.0);
        let expected = Value::unpack(alone.load(Relaxed));
        close(&shared, expected.visits, expected.mean);
    }

    #[test]
    fn a_proof_is_not_averaged_away() {
        let word = AtomicU64::new(0);
        word.add(1.0);
        word.prove(false);
        word.add(1.0);
        let before = word.add_virtual_loss();
        word.settle(before, 1.0);
        let value = Value::unpack(word.load(Relaxed));
        assert_eq!((value.visits, value.proven(), value.probability()), (3, Some(false), 0.0));
        assert_eq!((value.mean, value.worth()), (1.0, f32::NEG_INFINITY), "the mean is kept beside it");
        let (low, mean) = (value.pack() as u32, value.mean);
        assert_eq!((visits_of(low), worth_of(low, mean)), (value.visits, value.worth()));
    }

    #[test]
    fn the_mean_keeps_moving_for_ever() {
        let old = Value { visits: 1 << 29, mean: 0.5, ..Value::default() };
        assert!(old.with_result(0.0).mean < 0.5 && old.with_result(1.0).mean > 0.5);
        let full = Value { visits: MOST_VISITS, ..old };
        assert_eq!(full.with_result(1.0).visits, MOST_VISITS);
    }
}
