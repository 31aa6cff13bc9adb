//! Where the moves of playouts come from. Only playouts that ask for it count: a counter is a rule around a rule.

use super::{Lesson, PlayoutRule, Position};
use crate::rng::Rng;
use std::ops::AddAssign;
use tesuji_board::{Chain, Point};

/// Moves of playouts by origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// All moves, passes included.
    pub moves: u64,
    /// Those that the last resort chose at random.
    pub random: u64,
    /// Those that were stored replies, by [`super::Table`].
    pub replies: [u64; 4],
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Usage) {
        self.moves += other.moves;
        self.random += other.random;
        self.replies.iter_mut().zip(other.replies).for_each(|(sum, count)| *sum += count);
    }
}

/// A last resort that counts the moves it is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counted<R> {
    rule: R,
    random: u64,
}

impl<R> Counted<R> {
    /// Counts what a rule is asked for.
    pub fn new(rule: R) -> Counted<R> {
        Counted { rule, random: 0 }
    }
}

impl<R: PlayoutRule> PlayoutRule for Counted<R> {
    #[inline(always)]
    fn start(&mut self, position: &Position) {
        self.rule.start(position);
    }

    #[inline(always)]
    fn propose(&mut self, position: &mut Position, rng: &mut Rng) -> Option<Point> {
        let proposal = self.rule.propose(position, rng);
        self.random += u64::from(proposal.is_some());
        proposal
    }

    #[inline(always)]
    fn stone_removed(&mut self, point: Point) {
        self.rule.stone_removed(point);
    }

    #[inline(always)]
    fn liberties_changed(&mut self, chain: Chain) {
        self.rule.liberties_changed(chain);
    }

    #[inline(always)]
    fn played(&mut self, position: &Position) {
        self.rule.played(position);
    }

    #[inline(always)]
    fn learn(&mut self, lesson: &Lesson<'_>) {
        self.rule.learn(lesson);
    }

    fn forget(&mut self) {
        self.rule.forget();
        self.random = 0;
    }

    fn usage(&self) -> Usage {
        let mut usage = self.rule.usage();
        usage.random += self.random;
        usage
    }
}

#[cfg(test)]
mod tests {
    use super::super::compose::testing::{Spy, check_forwarding};
    use super::*;

    #[test]
    fn what_is_counted_still_learns() {
        check_forwarding(|spy: Spy| Counted::new(spy));
    }
}
