//! Visits and mean of an edge in one atomic word, so that a reader never sees one without the other.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Number of simulations through an edge and their mean result for the side that makes the move, 0 to 1.
///
/// A proven win has the mean +∞, a proven loss (or an illegal move) −∞: selection then needs no extra test.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Value {
    /// Simulations.
    pub visits: u32,
    /// Mean result.
    pub mean: f32,
}

/// From this many visits on the mean is a moving average: a true mean in 32 bits would stop moving at 2^24 visits.
const LONGEST_MEMORY: u32 = 1 << 22;

impl Value {
    /// Both fields in a word, visits in the low half.
    #[inline(always)]
    pub fn pack(self) -> u64 {
        u64::from(self.visits) | u64::from(self.mean.to_bits()) << 32
    }

    /// Inverse of [`Value::pack`].
    #[inline(always)]
    pub fn unpack(word: u64) -> Value {
        Value { visits: word as u32, mean: f32::from_bits((word >> 32) as u32) }
    }

    /// Whether the result is known for certain, and which.
    pub fn proven(self) -> Option<bool> {
        self.mean.is_infinite().then_some(self.mean > 0.0)
    }

    /// The mean as a probability: proven results are 0 or 1.
    pub fn probability(self) -> f32 {
        self.mean.clamp(0.0, 1.0)
    }

    #[inline(always)]
    fn with_result(self, result: f32) -> Value {
        let visits = self.visits.saturating_add(1);
        let mean = self.mean + (result - self.mean) / visits.min(LONGEST_MEMORY) as f32;
        self.replaced(visits, mean)
    }

    /// Keeps a proven mean whatever is averaged into it.
    #[inline(always)]
    fn replaced(self, visits: u32, mean: f32) -> Value {
        Value { visits, mean: if self.mean.is_infinite() { self.mean } else { mean } }
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
            value.replaced(value.visits, value.mean + result / value.visits.clamp(1, LONGEST_MEMORY) as f32)
        });
    }

    fn cancel(&self) {
        change(self, |value| {
            let visits = value.visits.saturating_sub(1);
            let mean = if visits == 0 { 0.0 } else { value.mean * value.visits as f32 / visits as f32 };
            value.replaced(visits, mean)
        });
    }

    fn prove(&self, win: bool) {
        let mean = if win { f32::INFINITY } else { f32::NEG_INFINITY };
        change(self, |value| Value { mean, ..value });
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
    }

    #[test]
    fn the_mean_keeps_moving_for_ever() {
        let old = Value { visits: 1 << 30, mean: 0.5 };
        assert!(old.with_result(0.0).mean < 0.5 && old.with_result(1.0).mean > 0.5);
        let full = Value { visits: u32::MAX, mean: 0.5 };
        assert_eq!(full.with_result(1.0).visits, u32::MAX);
    }
}
