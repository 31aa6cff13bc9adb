//! What a network gets wrong again and again (KataGo's subtree value bias correction, D. Wu): if what lies below a position is worse than the network thought of it, then
//! so it will be after the same moves elsewhere in the tree.
//!
//! Positions are kin if their last two moves and the stones around the last one are the same. A table has, for every kind, the mean of `own − below`: what the network said of a
//! position minus the mean of all results below it, each position weighed by a power of their number. New positions are corrected by a part of that. Updates by two threads at
//! once may get lost.

use super::Value;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Kinds of positions: hashes of this many bits, 0 for none.
const KIND_BITS: u32 = 16;
/// Bits of a result in a [`Judgement`].
const RESULT_BITS: u32 = 24;

/// The power of the number of results below a position that it is weighed by (KataGo: 0.85).
const WEIGHT_POWER: f32 = 0.85;

/// The mean error by kind of position.
pub struct Biases(Box<[AtomicU64]>);

/// What was said of a position when it was judged, for the side that moved into it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// Its kind; never 0.
    pub kind: u16,
    /// What the network said.
    pub own: f32,
    /// What was added to the tree, corrected.
    pub given: f32,
}

/// The kind of a position by the hash of what makes it.
pub fn kind_of(hash: u64) -> u16 {
    ((hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - KIND_BITS)) as u16).max(1)
}

impl Judgement {
    pub(super) fn pack(self) -> u64 {
        let fixed = |result: f32| (result.clamp(0.0, 1.0) * SCALE) as u64;
        u64::from(self.kind) << (2 * RESULT_BITS) | fixed(self.own) << RESULT_BITS | fixed(self.given)
    }

    /// Nothing if the position was not judged by a network.
    pub(super) fn unpack(word: u64) -> Option<Judgement> {
        let result = |fixed: u64| (fixed & ((1 << RESULT_BITS) - 1)) as f32 / SCALE;
        let kind = (word >> (2 * RESULT_BITS)) as u16;
        (kind != 0).then(|| Judgement { kind, own: result(word >> RESULT_BITS), given: result(word) })
    }

    /// How much a position with these statistics says of its kind, and its weight: after a result was added, less before that.
    fn news(self, after: Value, result: f32) -> (f32, f32) {
        let below = |count: f32, sum: f32| {
            let weight = if count > 0.0 { count.powf(WEIGHT_POWER) } else { 0.0 };
            (if count > 0.0 { weight * (self.own - sum / count) } else { 0.0 }, weight)
        };
        let (count, sum) = (after.visits as f32 - 1.0, after.mean * after.visits as f32 - self.given);
        let (now, before) = (below(count, sum), below(count - 1.0, sum - result));
        (now.0 - before.0, now.1 - before.1)
    }
}

const SCALE: f32 = ((1_u32 << RESULT_BITS) - 1) as f32;

impl Biases {
    pub(super) fn new() -> Biases {
        Biases((0..1 << KIND_BITS).map(|_| AtomicU64::new(0)).collect())
    }

    /// Memory of a table.
    pub(super) const BYTES: usize = 8 << KIND_BITS;

    pub(super) fn clear(&mut self) {
        self.0.iter_mut().for_each(|word| *word.get_mut() = 0);
    }

    /// By how much positions of a kind were thought too good for the side that moved into them.
    pub fn of(&self, kind: u16) -> f32 {
        let (sum, weight) = halves(self.0[usize::from(kind)].load(Relaxed));
        if weight > 0.0 { (sum / weight).clamp(-1.0, 1.0) } else { 0.0 }
    }

    /// Learns from a result below a position, whose statistics have it already.
    pub fn learn(&self, judgement: Judgement, after: Value, result: f32) {
        let (more, weight) = judgement.news(after, result);
        let word = &self.0[usize::from(judgement.kind)];
        let (sum, total) = halves(word.load(Relaxed));
        let joined = u64::from((sum + more).to_bits()) << 32 | u64::from((total + weight).to_bits());
        word.store(joined, Relaxed);
    }
}

fn halves(word: u64) -> (f32, f32) {
    (f32::from_bits((word >> 32) as u32), f32::from_bits(word as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A position that was judged, and then these results came from below it.
    fn learned(biases: &Biases, judgement: Judgement, results: &[f32]) {
        let mut after = Value { visits: 1, mean: judgement.given, ..Value::default() };
        for &result in results {
            after.visits += 1;
            after.mean += (result - after.mean) / after.visits as f32;
            biases.learn(judgement, after, result);
        }
    }

    #[test]
    fn the_bias_is_the_weighed_mean_of_what_was_too_good() {
        let biases = Biases::new();
        let judgement = |kind, own, given| Judgement { kind, own, given };
        learned(&biases, judgement(7, 0.7, 0.6), &[0.5, 0.3]);
        assert!((biases.of(7) - 0.3).abs() < 1e-5, "{}", biases.of(7));
        learned(&biases, judgement(7, 0.5, 0.5), &[0.6; 8]);
        let (few, many) = (2f32.powf(WEIGHT_POWER), 8f32.powf(WEIGHT_POWER));
        let expected = (few * 0.3 - many * 0.1) / (few + many);
        assert!((biases.of(7) - expected).abs() < 1e-5, "{} instead of {expected}", biases.of(7));
        assert_eq!(biases.of(8), 0.0, "nothing is known of other kinds");
    }

    #[test]
    fn judgements_are_read_as_they_were_stored() {
        assert_eq!(Judgement::unpack(0), None);
        let judgement = Judgement { kind: 65_535, own: 0.25, given: 1.0 };
        let read = Judgement::unpack(judgement.pack()).unwrap();
        assert!(read.kind == 65_535 && (read.own - 0.25).abs() < 1e-6 && read.given == 1.0);
        assert!((0..1000).all(|hash| kind_of(hash) != 0));
    }
}
