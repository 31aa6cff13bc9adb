//! Synthetic game trees as a [`Domain`]: trees of known shape and value, for tests and experiments without Go.
//!
//! A position is a depth and a hash of the moves that led to it. A [`Shape`] says from these how many moves there are and, where the
//! tree ends, how likely the side to move at the root is to win there. Two kinds of ends exist: *certain* ones, which are the end of a
//! game and can be proven, and *chancy* ones, which are judged by a coin again and again, as the bandits of the papers are.

use crate::domain::{Domain, Step};
use crate::evaluate::{Evaluation, Evaluator, Judged, Moves};
use crate::rng::Rng;
use crate::select::Prior;
use crate::walk::Leaf;

/// What a tree looks like.
pub trait Shape {
    /// What is at a position.
    fn place(&self, position: &Place) -> Spot;
}

/// A position in a synthetic tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Moves since the root.
    pub depth: usize,
    /// Depends on all moves since the root and on nothing else.
    pub hash: u64,
    /// The first move, counted from 0.
    pub first: usize,
    /// The last move, counted from 0.
    pub last: usize,
}

/// What is at a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spot {
    /// This many moves, at least one and at most 361.
    Moves(usize),
    /// The end of a game with this result for the side to move at the root.
    Certain(f32),
    /// The end of the tree: the side to move at the root wins with this probability whenever it is judged.
    Chancy(f32),
}

/// A synthetic tree to search.
#[derive(Clone, Debug)]
pub struct Synthetic<T> {
    shape: T,
    here: Place,
    /// By level.
    kept: Vec<Place>,
}

/// Judges positions of synthetic trees: random moves to the end, and a coin there if it is a chancy one.
#[derive(Clone, Debug)]
pub struct Coins {
    rng: Rng,
}

impl Coins {
    /// Moves and coins that follow a seed.
    pub fn new(seed: u64) -> Coins {
        Coins { rng: Rng::new(seed) }
    }
}

const ROOT: Place = Place { depth: 0, hash: 0, first: 0, last: 0 };

impl<T: Shape> Synthetic<T> {
    /// A tree of a shape.
    pub fn new(shape: T) -> Synthetic<T> {
        Synthetic { shape, here: ROOT, kept: Vec::new() }
    }
}

impl<T: Shape> Domain for Synthetic<T> {
    fn rewind(&mut self) {
        self.here = ROOT;
    }

    fn save(&mut self, level: usize) {
        if self.kept.len() <= level {
            self.kept.resize(level + 1, ROOT);
        }
        self.kept[level] = self.here;
    }

    fn restore(&mut self, level: usize) {
        self.here = self.kept[level];
    }

    fn play(&mut self, code: u16) -> Step {
        let last = usize::from(code) - 1;
        let first = if self.here.depth == 0 { last } else { self.here.first };
        let hash = mix(self.here.hash, u64::from(code));
        self.here = Place { depth: self.here.depth + 1, hash, first, last };
        match self.shape.place(&self.here) {
            Spot::Moves(_) | Spot::Chancy(_) => Step::Open,
            Spot::Certain(result) => Step::Over(Evaluation::of_result(result)),
        }
    }

    fn moves(&mut self, moves: &mut Moves) {
        let Spot::Moves(count) = self.shape.place(&self.here) else { return };
        // A policy that prefers some moves, so that rules with a policy have something to go by.
        let preference = |code: u16| 0.5 + unit(mix(self.here.hash, u64::from(code) << 20));
        let total: f32 = (1..=count as u16).map(preference).sum();
        moves.extend((1..=count as u16).map(|code| {
            let policy = preference(code) / total;
            (code, Prior { mean: 0.5, weight: 0.0, policy })
        }));
    }
}

impl<T: Shape> Evaluator<Synthetic<T>> for Coins {
    fn submit(&mut self, domain: &mut Synthetic<T>, mut leaf: Leaf) -> Option<Judged> {
        let result = loop {
            match domain.shape.place(&domain.here) {
                Spot::Moves(count) => {
                    let code = 1 + self.rng.below(count) as u16;
                    leaf.play_on(code);
                    domain.play(code);
                }
                Spot::Certain(result) => break result,
                Spot::Chancy(probability) => break f32::from(u8::from(self.rng.unit() < probability)),
            }
        };
        Some(Judged { leaf, evaluation: Evaluation::of_result(result) })
    }
}

/// A tree with the same number of moves everywhere, whose ends are won with probabilities drawn by hash.
#[derive(Clone, Copy, Debug)]
pub struct Uniform {
    /// Moves per position.
    pub branching: usize,
    /// Depth of the ends.
    pub depth: usize,
    /// Determines the probabilities of the ends.
    pub seed: u64,
    /// What the ends are like.
    pub ends: Ends,
}

/// What the ends of a [`Uniform`] tree are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// Won or lost for certain: a game that can be solved.
    Certain,
    /// Won with a probability of their own.
    Chancy,
}

impl Shape for Uniform {
    fn place(&self, place: &Place) -> Spot {
        if place.depth < self.depth {
            return Spot::Moves(self.branching);
        }
        let probability = unit(mix(place.hash, self.seed));
        match self.ends {
            Ends::Certain => Spot::Certain(if probability < 0.5 { 0.0 } else { 1.0 }),
            Ends::Chancy => Spot::Chancy(probability),
        }
    }
}

/// T(m, i, p, q): the first of `candidates` moves is a trap with `replies` answers. The root's side wins with `others` after
/// every other candidate, with `baited` after all answers to the trap but the last, and with `refuted` after that one.
#[derive(Clone, Copy, Debug)]
pub struct Deceptive {
    /// m.
    pub candidates: usize,
    /// i.
    pub replies: usize,
    /// p.
    pub baited: f32,
    /// q.
    pub refuted: f32,
    /// Winning probability of the other candidates.
    pub others: f32,
}

impl Shape for Deceptive {
    fn place(&self, place: &Place) -> Spot {
        match (place.depth, place.first) {
            (0, _) => Spot::Moves(self.candidates),
            (1, 0) => Spot::Moves(self.replies),
            (_, 0) if place.last + 1 == self.replies => Spot::Chancy(self.refuted),
            (_, 0) => Spot::Chancy(self.baited),
            _ => Spot::Chancy(self.others),
        }
    }
}

/// A chain of traps behind the first of `candidates` moves: of the `replies` in each position only the last keeps to the chain. Who leaves
/// it loses most of the time: the root's side wins with `baited` if the opponent leaves it and with `refuted` if it does so itself.
/// After `links` moves of the chain it is over, as if the next to move had left it; with one link it is [`Deceptive`].
#[derive(Clone, Copy, Debug)]
pub struct Chain {
    /// Moves at the root.
    pub candidates: usize,
    /// Moves in each position of the chain.
    pub replies: usize,
    /// Moves of the chain after the first candidate.
    pub links: usize,
    /// Winning probability after a mistake of the opponent.
    pub baited: f32,
    /// Winning probability after a mistake of the root's side.
    pub refuted: f32,
    /// Winning probability of the other candidates.
    pub others: f32,
    /// Answers to the other candidates, all alike; 0 if the tree ends there.
    pub other_replies: usize,
}

impl Chain {
    /// Whether the first candidate is the best for the side to move at the root.
    pub fn first_is_best(&self) -> bool {
        let value = if self.links.is_multiple_of(2) { self.baited } else { self.refuted };
        value > self.others
    }

    /// Who suffers at a position below the first candidate where the chain ends or was left by the move that led there.
    fn end(&self, depth: usize) -> Spot {
        Spot::Chancy(if depth.is_multiple_of(2) { self.baited } else { self.refuted })
    }
}

impl Shape for Chain {
    fn place(&self, place: &Place) -> Spot {
        let keeps = place.last + 1 == self.replies;
        match (place.depth, place.first) {
            (0, _) => Spot::Moves(self.candidates),
            (depth, first) if first != 0 => plain(depth, self.other_replies, self.others),
            (1, _) => Spot::Moves(self.replies),
            (depth, _) if !keeps => self.end(depth),
            (depth, _) if depth > self.links => self.end(depth + 1),
            _ => Spot::Moves(self.replies),
        }
    }
}

/// The first of `candidates` moves is the best although the answers to it differ: the root's side wins with probabilities spread evenly
/// from `least` to `most`, and with `others` after every other candidate.
#[derive(Clone, Copy, Debug)]
pub struct Varied {
    /// Moves at the root.
    pub candidates: usize,
    /// Answers to the first of them.
    pub replies: usize,
    /// Winning probability after the best answer.
    pub least: f32,
    /// Winning probability after the worst.
    pub most: f32,
    /// Winning probability of the other candidates.
    pub others: f32,
    /// Answers to the other candidates, all alike; 0 if the tree ends there.
    pub other_replies: usize,
}

impl Shape for Varied {
    fn place(&self, place: &Place) -> Spot {
        match (place.depth, place.first) {
            (0, _) => Spot::Moves(self.candidates),
            (1, 0) => Spot::Moves(self.replies),
            (_, 0) => {
                let step = (self.most - self.least) / (self.replies.max(2) - 1) as f32;
                Spot::Chancy(self.least + step * place.last as f32)
            }
            (depth, _) => plain(depth, self.other_replies, self.others),
        }
    }
}

/// A candidate to which all answers, if there are any, are alike.
fn plain(depth: usize, replies: usize, probability: f32) -> Spot {
    if depth == 1 && replies > 0 { Spot::Moves(replies) } else { Spot::Chancy(probability) }
}

/// A hash of two numbers (the finaliser of SplitMix64).
fn mix(a: u64, b: u64) -> u64 {
    let mut z = a.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(b).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number in `0.0..1.0` from a hash.
fn unit(hash: u64) -> f32 {
    (hash >> 40) as f32 / (1_u64 << 24) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::Ucb1;
    use crate::tree::{Columns, Tree};
    use crate::walk::{Expansion, Sharing, Task, Uct, WalkOptions, Walker};

    fn shares<T: Shape>(shape: T, simulations: u32) -> (Vec<u32>, Vec<Option<bool>>) {
        let tree = Tree::new(64 << 20, Columns::NONE);
        let rule = Ucb1 { exploration: 0.5 };
        let mut walker: Walker<_, _, Uct> = Walker::new(Synthetic::new(shape), Coins::new(1));
        let root = walker.add_node(&tree).unwrap();
        let (sharing, expansion) = (Sharing::Alone, Expansion::ByDomain);
        let options = WalkOptions { expand_after: 1, sharing, expansion };
        let task = Task { tree: &tree, root, rule: &rule, options, halving: None };
        (0..simulations).for_each(|_| assert!(walker.simulate(&task).is_some()));
        let edges = tree.edges(root);
        (0..edges.len()).map(|i| (edges.value(i).visits, edges.value(i).proven())).unzip()
    }

    /// Whether the side to move wins by minimax, in a tree with certain ends.
    fn wins(shape: &Uniform, place: Place) -> bool {
        let root_to_move = place.depth.is_multiple_of(2);
        (1..=shape.branching as u64).any(|code| {
            let next = Place { depth: place.depth + 1, hash: mix(place.hash, code), ..place };
            match shape.place(&next) {
                Spot::Certain(result) => (result == 1.0) == root_to_move,
                _ => !wins(shape, next),
            }
        })
    }

    #[test]
    fn certain_ends_are_proven_right() {
        let mut decided = [0, 0];
        for seed in 0..10 {
            let shape = Uniform { branching: 3, depth: 4, seed, ends: Ends::Certain };
            let (_, proofs) = shares(shape, 3000);
            let won = wins(&shape, ROOT);
            assert_eq!(proofs.contains(&Some(true)), won, "seed {seed}");
            assert!(won || proofs.iter().all(|&proof| proof == Some(false)), "seed {seed}");
            decided[usize::from(won)] += 1;
        }
        assert!(decided[0] > 0 && decided[1] > 0, "both results occur");
    }

    /// The value of a position for the side to move at the root by minimax over the probabilities of the ends.
    fn value(shape: &impl Shape, place: Place) -> f32 {
        let Spot::Moves(count) = shape.place(&place) else {
            let (Spot::Chancy(value) | Spot::Certain(value)) = shape.place(&place) else { return 0.5 };
            return value;
        };
        let values = (0..count).map(|last| {
            let first = if place.depth == 0 { last } else { place.first };
            value(shape, Place { depth: place.depth + 1, hash: 0, first, last })
        });
        if place.depth.is_multiple_of(2) { values.fold(0.0, f32::max) } else { values.fold(1.0, f32::min) }
    }

    fn value_of_first(shape: &impl Shape) -> f32 {
        value(shape, Place { depth: 1, hash: 0, first: 0, last: 0 })
    }

    #[test]
    fn shapes_have_the_values_they_promise() {
        let trap = Deceptive { candidates: 3, replies: 4, baited: 0.7, refuted: 0.1, others: 0.5 };
        assert_eq!(value_of_first(&trap), 0.1);
        for links in 1..=5 {
            let other_replies = links % 3;
            let (baited, refuted, others) = (0.7, 0.1, 0.5);
            let chain = Chain { candidates: 3, replies: 4, links, baited, refuted, others, other_replies };
            assert_eq!(value_of_first(&chain), if links % 2 == 0 { 0.7 } else { 0.1 }, "{links} links");
            assert_eq!(chain.first_is_best(), links % 2 == 0);
            assert_eq!(value(&chain, ROOT), if links % 2 == 0 { 0.7 } else { 0.5 });
        }
        let varied =
            Varied { candidates: 3, replies: 5, least: 0.6, most: 0.8, others: 0.5, other_replies: 4 };
        assert_eq!(value_of_first(&varied), 0.6);
        assert_eq!(varied.place(&Place { depth: 2, hash: 0, first: 0, last: 4 }), Spot::Chancy(0.8));
    }

    #[test]
    fn the_trap_deceives_at_first_and_not_for_ever() {
        let trap = Deceptive { candidates: 5, replies: 30, baited: 0.7, refuted: 0.1, others: 0.5 };
        let (early, _) = shares(trap, 100);
        let (late, _) = shares(trap, 20_000);
        assert!(early[0] > 30, "{early:?}");
        assert!(late[0] < 4000, "{late:?}");
    }
}
