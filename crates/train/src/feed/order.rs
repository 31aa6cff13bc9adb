//! Which positions make up which batch: a function of the seed and the step alone.
//!
//! Time goes in *rounds*. In a round every position is drawn once, in a new order, but for what is left of each board size when no whole
//! batch can be made of it any more. A batch has boards of one size. Nothing is remembered from one batch to the next, so that
//! a run which was stopped goes on exactly where it was.

use crate::sample::{Place, SampleSet, Side};
use tesuji_board::Size;
use tesuji_search::Rng;

/// The order of a set's positions.
pub(crate) struct Order<'a> {
    set: &'a SampleSet,
    seed: u64,
    batch: usize,
    round: Option<Round>,
}

/// One round: the shuffled positions of each size, and the batches in their order.
struct Round {
    number: u64,
    /// Numbers of positions in their group, shuffled.
    shuffled: Vec<Vec<u32>>,
    /// Group and first position of each batch.
    batches: Vec<(usize, usize)>,
}

impl<'a> Order<'a> {
    /// The order for a seed; batches have `batch` positions, or all there are of a size if they are fewer.
    pub(crate) fn new(set: &'a SampleSet, seed: u64, batch: usize) -> Order<'a> {
        Order { set, seed, batch: batch.max(1), round: None }
    }

    /// Batches of a round.
    pub(crate) fn batches_per_round(&self) -> u64 {
        self.set.groups(Side::Training).map(|group| (group.places.len() / self.batch).max(1) as u64).sum()
    }

    /// The positions of a step, each with the number of a symmetry; nothing if there is no position at all.
    pub(crate) fn batch(&mut self, step: u64) -> Option<(Size, Vec<(Place, usize)>)> {
        let per_round = self.batches_per_round();
        if per_round == 0 {
            return None;
        }
        let number = step / per_round;
        if self.round.as_ref().is_none_or(|round| round.number != number) {
            self.round = Some(self.shuffle(number));
        }
        let round = self.round.as_ref()?;
        let (group, first) = round.batches[(step % per_round) as usize];
        let places = &self.set.groups(Side::Training).nth(group)?;
        let mut rng = Rng::for_stream(self.seed ^ SYMMETRIES, step);
        let drawn = round.shuffled[group][first..].iter().take(self.batch);
        let drawn = drawn.map(|&index| (places.places[index as usize], rng.below(8))).collect();
        Some((places.size, drawn))
    }

    fn shuffle(&self, number: u64) -> Round {
        let mut rng = Rng::for_stream(self.seed ^ ORDER, number);
        let (mut shuffled, mut batches) = (Vec::new(), Vec::new());
        for (index, group) in self.set.groups(Side::Training).enumerate() {
            let mut order: Vec<u32> = (0..group.places.len() as u32).collect();
            shuffle(&mut order, &mut rng);
            let count = (order.len() / self.batch).max(1);
            batches.extend((0..count).map(|batch| (index, batch * self.batch)));
            shuffled.push(order);
        }
        shuffle(&mut batches, &mut rng);
        Round { number, shuffled, batches }
    }
}

/// What different uses of one seed differ by.
const ORDER: u64 = 0x6f72_6465_7200;
const SYMMETRIES: u64 = 0x7475_726e_7300;

/// Puts a list into random order (Fisher, Yates).
fn shuffle<T>(list: &mut [T], rng: &mut Rng) {
    for last in (1..list.len()).rev() {
        list.swap(last, rng.below(last + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::GameSample;
    use std::collections::HashSet;
    use tesuji_board::{Color, Move, Rules};

    /// Games of passes: all that matters here is how long they are.
    fn set(lengths: &[(usize, usize)]) -> SampleSet {
        let mut set = SampleSet::default();
        for &(side, moves) in lengths {
            let mut game = GameSample::new(Size::square(side).unwrap(), Rules::default());
            game.moves = vec![(Color::Black, Move::Pass); moves];
            set.add(&game, Side::Training);
        }
        set
    }

    #[test]
    fn a_round_draws_every_position_once_and_each_round_differs() {
        let set = set(&[(9, 100), (9, 60), (13, 40), (19, 3)]);
        let mut order = Order::new(&set, 5, 20);
        // 8 of 9×9, 2 of 13×13 and one small one of 19×19.
        assert_eq!(order.batches_per_round(), 11);
        let mut rounds = Vec::new();
        for round in 0..3 {
            let mut seen = HashSet::new();
            let mut sequence = Vec::new();
            for step in 0..11 {
                let (size, drawn) = order.batch(round * 11 + step).unwrap();
                assert_eq!(drawn.len(), if size.width() == 19 { 3 } else { 20 });
                for (place, symmetry) in drawn {
                    assert!(symmetry < 8);
                    assert!(seen.insert((place.game, place.turn)));
                    sequence.push(place);
                }
            }
            assert_eq!(seen.len(), 203);
            rounds.push(sequence);
        }
        assert!(rounds[0] != rounds[1] && rounds[1] != rounds[2]);
    }

    #[test]
    fn a_step_is_the_same_whenever_it_is_asked_for() {
        let set = set(&[(9, 500)]);
        let mut in_order = Order::new(&set, 1, 32);
        let all: Vec<_> = (0..60).map(|step| in_order.batch(step).unwrap()).collect();
        for step in [59, 3, 40, 0, 15, 16] {
            assert_eq!(Order::new(&set, 1, 32).batch(step as u64).unwrap(), all[step]);
        }
        assert_ne!(Order::new(&set, 2, 32).batch(0).unwrap(), all[0]);
        assert_eq!(Order::new(&SampleSet::default(), 1, 32).batch(0), None);
    }
}
