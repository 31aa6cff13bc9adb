//! Advice of a policy: which moves are looked at first.
//!
//! Where a node has taken much work already, a policy is asked for the likely moves. The number of every other move then counts for more than it is, the more so
//! the less likely the move, so that the search comes to it later and sooner leaves it. A proof does not depend on it: what is decided stays
//! decided, and no move is left out. An answer of a network takes as long as some hundreds of nodes, so it is asked only where thousands
//! have gone. Numbers from a policy follow A. Nagai's df-pn⁺, in which the edges of the tree have weights.

use crate::arena::{Arena, MAX_POINTS, bit, members};
use crate::position::Position;
use crate::problem::Problem;
use crate::side::Side;
use crate::table::INFINITE;
use tesuji_board::{Board, Color};

/// Knows likely moves, such as a network does. Nothing is proved by it.
pub trait Advisor: Send {
    /// The probability of each point in reading order, for `to_move`; nothing for boards that it does not know.
    fn policy(&mut self, board: &Board, to_move: Color) -> Option<&[f32]>;
}

/// Nodes below a position after which its moves are asked for.
pub(crate) const ASK_AFTER: u64 = 2_000;

/// Answers that are remembered.
const SLOTS: usize = 1 << 12;

/// How much more the number of a move counts than it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Weight(u8);

impl Weight {
    /// As much as it is.
    pub(crate) const NONE: Weight = Weight(1 << Weight::FRACTION);
    /// Of a move that another thread works on.
    pub(crate) const BUSY: Weight = Weight(12);
    /// Of a move that is hardly worth a look.
    const MOST: Weight = Weight(64);
    const FRACTION: u32 = 3;

    /// The weight of a move of a probability, given that of the likeliest one.
    fn of(probability: f32, best: f32) -> Weight {
        let ratio = (best / probability.max(1e-6)).sqrt();
        Weight((ratio * f32::from(Weight::NONE.0)).clamp(Weight::NONE.0.into(), Weight::MOST.0.into()) as u8)
    }

    /// What a number counts for. One that means decided stays as it is.
    #[inline]
    pub(crate) fn heavy(self, number: u32) -> u32 {
        if number >= INFINITE - 1 {
            return number;
        }
        let heavy = (u64::from(number) * u64::from(self.0)) >> Weight::FRACTION;
        heavy.min(u64::from(INFINITE - 1)) as u32
    }

    /// The least number that counts for as much as this, or for more.
    #[inline]
    pub(crate) fn light(self, heavy: u32) -> u32 {
        if heavy >= INFINITE - 1 {
            return heavy;
        }
        (u64::from(heavy) << Weight::FRACTION).div_ceil(u64::from(self.0)) as u32
    }
}

/// The weights of the moves in a position, by point of the region.
#[derive(Clone, Copy)]
pub(crate) struct Weights([Weight; MAX_POINTS]);

impl Weights {
    /// The weight of a move, or of a pass, of which a policy for whole boards says nothing.
    pub(crate) fn of(&self, at: Option<u8>) -> Weight {
        at.map_or(Weight::NONE, |at| self.0[usize::from(at)])
    }
}

/// An advisor and what it said.
pub(crate) struct Advice {
    advisor: Box<dyn Advisor>,
    slots: Vec<Slot>,
}

#[derive(Clone)]
struct Slot {
    key: Option<u64>,
    weights: Weights,
}

impl Advice {
    pub(crate) fn of(advisor: Box<dyn Advisor>) -> Advice {
        let slot = Slot { key: None, weights: Weights([Weight::NONE; MAX_POINTS]) };
        Advice { advisor, slots: vec![slot; SLOTS] }
    }

    /// Forgets what was said about another problem.
    pub(crate) fn clear(&mut self) {
        self.slots.iter_mut().for_each(|slot| slot.key = None);
    }

    /// The weights of the moves in a position.
    pub(crate) fn weights(&mut self, arena: &Arena, problem: &Problem, position: &Position) -> Weights {
        let key = position.hash_of_stones();
        let slot = &mut self.slots[key as usize % SLOTS];
        if slot.key != Some(key) {
            slot.key = Some(key);
            slot.weights = ask(&mut *self.advisor, arena, problem, position);
        }
        slot.weights
    }
}

fn ask(advisor: &mut dyn Advisor, arena: &Arena, problem: &Problem, position: &Position) -> Weights {
    let mut weights = Weights([Weight::NONE; MAX_POINTS]);
    let to_move = color_of(problem, position.turn());
    let size = problem.board().size();
    let Some(policy) = advisor.policy(&board(arena, problem, position), to_move) else { return weights };
    let probability = |at: usize| policy.get(size.ordinal(arena.point(at))).copied().unwrap_or(0.0);
    let empty = || members(position.empty(arena));
    let best = empty().map(probability).fold(0.0, f32::max);
    for at in empty() {
        weights.0[at] = Weight::of(probability(at), best);
    }
    weights
}

fn color_of(problem: &Problem, side: Side) -> Color {
    if side == Side::Defender { problem.defender() } else { !problem.defender() }
}

/// The whole board in a position.
fn board(arena: &Arena, problem: &Problem, position: &Position) -> Board {
    let before = problem.board();
    let mut board = Board::new(before.size());
    for point in before.size().points() {
        let color = match arena.index_of(point) {
            None => before.color(point),
            Some(at) => [Side::Attacker, Side::Defender]
                .into_iter()
                .find(|&side| position.stones(side) & bit(at) != 0)
                .map(|side| color_of(problem, side)),
        };
        if let Some(color) = color {
            board.set_up(point, color);
        }
    }
    board
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_grow_as_probabilities_fall() {
        for (probability, expected) in [(0.4, 8), (0.1, 16), (0.025, 32), (0.0, 64)] {
            assert_eq!(Weight::of(probability, 0.4), Weight(expected), "{probability}");
        }
        assert_eq!(Weight::of(0.0, 0.0), Weight::NONE, "a policy that gives nothing to any move");
    }

    /// A child is searched until its number counts for more than the threshold: the bound that it gets lies above its number.
    #[test]
    fn a_threshold_leaves_room_for_work() {
        for weight in [8, 9, 13, 31, 64].map(Weight) {
            for number in (1..2000).chain([INFINITE / 80, INFINITE - 2]) {
                let heavy = weight.heavy(number);
                assert!(heavy >= number && heavy < INFINITE);
                assert!(weight.light(heavy + 1) > number || heavy + 1 >= INFINITE - 1, "{weight:?} {number}");
            }
            for decided in [0, INFINITE - 1, INFINITE] {
                assert_eq!((weight.heavy(decided), weight.light(decided)), (decided, decided));
            }
        }
    }
}
