//! What a network said of positions, kept for the next time they come up: after other moves in another order, or when a leaf that
//! was only valued gets a node.
//!
//! A table of fixed size that all threads of a search share. A new opinion takes the place of whatever was there.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tesuji_net::output::Evaluation;

/// What is kept of a network's evaluation. All of it is about the side to move.
#[derive(Debug, Default)]
pub(crate) struct Opinion {
    key: u64,
    /// Probabilities of the points.
    pub(crate) policy: Vec<f32>,
    /// Probability of a pass.
    pub(crate) pass: f32,
    /// Chance to win, where the network says.
    pub(crate) win_rate: Option<f32>,
    /// Points ahead, where the network says.
    pub(crate) lead: Option<f32>,
}

impl Opinion {
    /// Takes over what is kept of an evaluation.
    pub(crate) fn note(&mut self, key: u64, evaluation: &Evaluation) {
        self.key = key;
        self.policy.clone_from(&evaluation.policy);
        self.pass = evaluation.pass;
        self.win_rate = evaluation.outcome.map(|outcome| outcome.win_rate());
        self.lead = evaluation.lead.or(evaluation.score_mean);
    }

    /// Mixes in a part of another evaluation of the same position.
    pub(crate) fn blend(&mut self, evaluation: &Evaluation, part: f32) {
        let mix = |own: &mut f32, other: f32| *own += (other - *own) * part;
        self.policy.iter_mut().zip(&evaluation.policy).for_each(|(own, &other)| mix(own, other));
        mix(&mut self.pass, evaluation.pass);
        if let (Some(own), Some(outcome)) = (&mut self.win_rate, evaluation.outcome) {
            mix(own, outcome.win_rate());
        }
        if let (Some(own), Some(lead)) = (&mut self.lead, evaluation.lead.or(evaluation.score_mean)) {
            mix(own, lead);
        }
    }

    /// Becomes another one, in its own memory.
    fn copy_from(&mut self, other: &Opinion) {
        self.policy.clone_from(&other.policy);
        (self.key, self.pass, self.win_rate, self.lead) = (other.key, other.pass, other.win_rate, other.lead);
    }
}

/// The table.
#[derive(Debug)]
pub(crate) struct Opinions {
    slots: Box<[Mutex<Opinion>]>,
}

impl Opinions {
    /// A table of about so many bytes for boards of an area.
    pub(crate) fn new(bytes: usize, area: usize) -> Opinions {
        let each = size_of::<Mutex<Opinion>>() + area * size_of::<f32>();
        Opinions { slots: (0..(bytes / each).max(1)).map(|_| Mutex::default()).collect() }
    }

    /// Copies the opinion of a position; whether there is one.
    pub(crate) fn find(&self, key: u64, found: &mut Opinion) -> bool {
        let slot = self.slot(key);
        let is_there = slot.key == key && !slot.policy.is_empty();
        if is_there {
            found.copy_from(&slot);
        }
        is_there
    }

    /// Keeps an opinion.
    pub(crate) fn keep(&self, opinion: &Opinion) {
        self.slot(opinion.key).copy_from(opinion);
    }

    /// Forgets everything; keeps the memory.
    pub(crate) fn clear(&self) {
        for slot in &self.slots {
            lock(slot).policy.clear();
        }
    }

    fn slot(&self, key: u64) -> MutexGuard<'_, Opinion> {
        // The high bits of the product, so that any number of slots is used evenly.
        let index = (u128::from(key) * self.slots.len() as u128) >> 64;
        lock(&self.slots[index as usize])
    }
}

/// A thread that panicked leaves an opinion that is whole or will not be found.
fn lock(slot: &Mutex<Opinion>) -> MutexGuard<'_, Opinion> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opinion(key: u64, pass: f32) -> Opinion {
        Opinion { key, policy: vec![0.25; 3], pass, ..Opinion::default() }
    }

    #[test]
    fn what_was_kept_is_found_until_something_takes_its_place() {
        let opinions = Opinions::new(1, 3);
        let mut found = Opinion::default();
        assert!(!opinions.find(0, &mut found), "an empty slot has no opinion of key 0");
        opinions.keep(&opinion(7, 0.5));
        assert!(opinions.find(7, &mut found));
        assert_eq!((found.pass, found.policy.len()), (0.5, 3));
        assert!(!opinions.find(8, &mut found));
        opinions.keep(&opinion(8, 0.1));
        assert!(!opinions.find(7, &mut found) && opinions.find(8, &mut found));
        opinions.clear();
        assert!(!opinions.find(8, &mut found));
    }

    #[test]
    fn it_keeps_to_its_memory() {
        let bytes = 1 << 20;
        let opinions = Opinions::new(bytes, 361);
        for key in 0..20_000_u64 {
            opinions.keep(&Opinion {
                policy: vec![0.0; 361],
                ..opinion(key.wrapping_mul(0x9E37_79B9_7F4A_7C15), 0.0)
            });
        }
        let used = |slot: &Mutex<Opinion>| {
            size_of::<Mutex<Opinion>>() + lock(slot).policy.capacity() * size_of::<f32>()
        };
        let total: usize = opinions.slots.iter().map(used).sum();
        assert!(total <= bytes && total > bytes / 2, "{total}");
    }
}
