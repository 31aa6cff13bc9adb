//! The positions of a graph and what is known of each.

use super::estimate::estimate;
use super::graph::Graph;
use super::ground::{FIRST_OF_ATTACKER, NO_TOKENS, Position};

/// No position.
pub(super) const NONE: u32 = u32::MAX;

/// By how much a likely result takes less effort.
const LIKELY: u32 = 8;

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    New,
    /// Its ways are being looked at.
    Active,
    /// Not won, as far as is known.
    Lost,
    /// The defender's witness has turned out to be won, and nobody has looked for another.
    Open,
    Won,
}

/// A position and what is known of it.
pub(super) struct Node {
    pub(super) position: Position,
    pub(super) state: State,
    /// The way that wins, or the defender's that does not lose.
    pub(super) witness: u32,
    pub(super) numbers: Numbers,
    /// Whether it is on the path of a guess.
    pub(super) is_on_path: bool,
    /// The first of the edges to those that rely on this.
    pub(super) relying: u32,
    /// Shown to be so with any number of tokens.
    pub(super) is_settled: bool,
}

/// The effort to show that the attacker wins, and that the defender holds out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) win: u32,
    pub(super) hold: u32,
}

/// The effort that nothing takes.
pub(super) const INFINITE: u32 = 1 << 30;

impl Numbers {
    pub(super) const NEW: Numbers = Numbers { win: 1, hold: 1 };
}

/// The place of a node in the order of hashes.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    node: u32,
    /// Half of the hash, which nearly always tells that it is another position.
    mark: u32,
}

impl Slot {
    const EMPTY: Slot = Slot { node: NONE, mark: 0 };

    /// Enough to begin with.
    pub(super) fn some() -> Vec<Slot> {
        vec![Slot::EMPTY; 1 << 12]
    }

    fn of(node: u32, position: &Position) -> Slot {
        Slot { node, mark: (hash(position) >> 32) as u32 }
    }
}

impl Graph<'_> {
    /// The node of a position, a new one if there is none yet.
    pub(super) fn node(&mut self, position: &Position) -> u32 {
        let slot = match self.find(position) {
            Ok(node) => return node,
            Err(slot) => slot,
        };
        let node = self.nodes.len() as u32;
        let (state, numbers) = self.first_state(position);
        let is_settled = state != State::New;
        self.nodes.push(Node {
            position: *position,
            state,
            witness: NONE,
            numbers,
            is_on_path: false,
            relying: NONE,
            is_settled,
        });
        self.slots[slot] = Slot::of(node, position);
        if self.nodes.len() * 2 > self.slots.len() {
            self.slots = vec![Slot::EMPTY; self.slots.len() * 2];
            for node in 0..self.nodes.len() {
                let position = self.nodes[node].position;
                if let Err(slot) = self.find(&position) {
                    self.slots[slot] = Slot::of(node as u32, &position);
                }
            }
        }
        node
    }

    /// What is known of a new position, and the effort that it may take. What was shown for any number of tokens holds for this one; what is so without tokens is likely.
    fn first_state(&self, position: &Position) -> (State, Numbers) {
        let mut numbers = estimate(self.ground, position);
        if position.is_captured() {
            return (State::Won, numbers);
        }
        let without_tokens = Position { tokens: NO_TOKENS, ..*position };
        let Ok(twin) = self.find(&without_tokens) else { return (State::New, numbers) };
        let twin = &self.nodes[twin as usize];
        match twin.state {
            State::Won | State::Lost if twin.is_settled => return (twin.state, numbers),
            State::Won => numbers.win = 1 + numbers.win / LIKELY,
            State::Lost if position.tokens < FIRST_OF_ATTACKER => numbers.hold = 0,
            State::Lost => numbers.hold = 1 + numbers.hold / LIKELY,
            _ => {}
        }
        (State::New, numbers)
    }

    /// The node of a position, or the slot where it would be.
    pub(super) fn find(&self, position: &Position) -> Result<u32, usize> {
        let (mask, hash) = (self.slots.len() - 1, hash(position));
        let mut slot = hash as usize & mask;
        loop {
            match self.slots[slot] {
                Slot { node: NONE, .. } => return Err(slot),
                Slot { node, mark }
                    if mark == (hash >> 32) as u32 && self.nodes[node as usize].position == *position =>
                {
                    return Ok(node);
                }
                _ => slot = (slot + 1) & mask,
            }
        }
    }
}

/// Where to look for a position first; the positions themselves are compared.
fn hash(position: &Position) -> u64 {
    let Position { stones: [one, other], targets, turn, banned, tokens } = *position;
    let rest = u64::from(turn) | u64::from(banned) << 8 | u64::from(tokens) << 16;
    let mixed = [other, targets, rest].iter().fold(one, |mix, &part| {
        // An odd number without pattern: the golden ratio in 64 bits.
        let mix = (mix.rotate_left(25) ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mix ^ mix >> 32
    });
    mixed ^ mixed >> 17
}
