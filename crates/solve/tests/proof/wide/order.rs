//! In which order ways are tried: what has succeeded before comes first.

use super::ground::{Action, MAX_INSIDE};

const ACTIONS: usize = MAX_INSIDE + 2;

/// A success counts for more if it was in reply to the same action.
const REPLY: u64 = 8;

/// Beyond this all counts are halved.
const MOST_SUCCESSES: u32 = 1 << 16;

/// What has succeeded before, by side.
pub(super) struct Order {
    successes: [[u32; ACTIONS]; 2],
    /// After each action.
    replies: [[usize; ACTIONS]; 2],
}

impl Order {
    pub(super) fn new() -> Order {
        Order { successes: [[0; ACTIONS]; 2], replies: [[ACTIONS; ACTIONS]; 2] }
    }

    pub(super) fn note(&mut self, side: u8, last: Action, action: Action) {
        let (side, index) = (usize::from(side), action.index());
        self.replies[side][last.index()] = index;
        self.successes[side][index] += 1;
        if self.successes[side][index] > MOST_SUCCESSES {
            self.successes[side].iter_mut().for_each(|count| *count /= 2);
        }
    }

    pub(super) fn weight(&self, side: u8, last: Action, action: Action) -> u64 {
        let (side, index) = (usize::from(side), action.index());
        let successes = u64::from(self.successes[side][index]) + 1;
        if self.replies[side][last.index()] == index { successes * REPLY } else { successes }
    }
}
