//! Which positions the attacker wins: the least set that holds captured targets, positions of the attacker with a way into the set and positions of the
//! defender with no way out of it. Found from one position on, without looking at what it does not hang on (X. Liu and S. Smolka, 1998).
//!
//! Every position begins as not won. One of the attacker's looks at one way after another until it finds one that is won; one of the defender's stays as it is
//! while it has a way, its *witness*, to one that is not won. Each remembers on whom it relies; where one of these turns out to be won, the attacker's position before it is won too
//! and the defender's goes on looking. No position ever turns back, so this ends, and then what is not won is so by right: the attacker has no way from there into the
//! won ones, and the defender's witness is not won. A round needs no thought: a position that waits for itself is not won so far. The order in which ways are tried changes only the time.

use super::estimate::estimate;
use super::ground::{Action, Choice, FIRST_OF_ATTACKER, Ground, MAX_INSIDE, NO_TOKENS, Position};

/// No position.
pub(super) const NONE: u32 = u32::MAX;

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

pub(super) struct Node {
    pub(super) position: Position,
    pub(super) state: State,
    /// The way that wins, or the defender's that does not lose.
    pub(super) witness: u32,
    pub(super) numbers: Numbers,
    /// Whether it is on the path of a guess.
    pub(super) is_on_path: bool,
    /// The first of the edges to those that rely on this.
    relying: u32,
    /// Shown to be so with any number of tokens.
    pub(super) is_settled: bool,
}

/// The effort to show that the attacker wins, and that the defender holds out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) win: u32,
    pub(super) hold: u32,
}

pub(super) const INFINITE: u32 = 1 << 30;

impl Numbers {
    pub(super) const NEW: Numbers = Numbers { win: 1, hold: 1 };
}

struct Edge {
    node: u32,
    next: u32,
}

/// The place of a node in the order of hashes.
#[derive(Clone, Copy)]
struct Slot {
    node: u32,
    /// Half of the hash, which nearly always tells that it is another position.
    mark: u32,
}

impl Slot {
    const EMPTY: Slot = Slot { node: NONE, mark: 0 };
}

/// A position whose ways are being looked at.
#[derive(Clone, Copy)]
struct Frame {
    node: u32,
    /// The place of the move that led here, for the order of ways.
    last: usize,
    first: usize,
    next: usize,
    /// The way that is being looked at.
    current: u32,
}

pub(super) struct Graph<'a> {
    pub(super) ground: &'a Ground,
    most_nodes: usize,
    pub(super) visits: usize,
    /// Whether a guess failed.
    is_given_up: bool,
    pub(super) nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// Places of nodes by the hash of their position, a power of two of them.
    slots: Vec<Slot>,
    frames: Vec<Frame>,
    pub(super) choices: Vec<Choice>,
    open: Vec<u32>,
    order: Order,
}

/// What has succeeded before, by side.
struct Order {
    successes: [[u32; ACTIONS]; 2],
    /// After each action.
    replies: [[u8; ACTIONS]; 2],
}

const ACTIONS: usize = MAX_INSIDE + 2;

impl<'a> Graph<'a> {
    pub(super) fn new(ground: &'a Ground, most_nodes: usize) -> Graph<'a> {
        Graph {
            ground,
            most_nodes,
            visits: 0,
            is_given_up: false,
            nodes: Vec::new(),
            edges: Vec::new(),
            slots: vec![Slot::EMPTY; 1 << 12],
            frames: Vec::new(),
            choices: Vec::new(),
            open: Vec::new(),
            order: Order {
                successes: [[0; ACTIONS]; 2],
                replies: [[ACTIONS as u8; ACTIONS]; 2],
            },
        }
    }

    /// Positions looked at.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the attacker wins; nothing if that takes too many positions.
    pub(super) fn is_won(&mut self, position: &Position) -> Option<bool> {
        let root = self.node(position);
        while !matches!(self.nodes[root as usize].state, State::Lost | State::Won) {
            self.enter(root, Action::Pass);
            if self.is_over() {
                return None;
            }
            while self.step() {
                if self.is_over() {
                    return None;
                }
            }
        }
        Some(self.nodes[root as usize].state == State::Won)
    }

    /// Whether it takes too long.
    pub(super) fn is_over(&self) -> bool {
        self.is_given_up || self.nodes.len() > self.most_nodes || self.visits > 3 * self.most_nodes
    }

    /// One step of the search; false if there is nothing left to do.
    fn step(&mut self) -> bool {
        while let Some(node) = self.open.pop() {
            if self.is_needed(node) {
                self.enter(node, Action::Pass);
            }
        }
        let Some(&frame) = self.frames.last() else { return false };
        let Frame { node, next, current, .. } = frame;
        let is_attackers_turn = self.nodes[node as usize].position.is_attackers_turn();
        if self.nodes[node as usize].state == State::Won {
            self.leave();
            return true;
        }
        if current != NONE {
            match self.nodes[current as usize].state {
                State::New | State::Open => {
                    let action = self.choices[next - 1].action;
                    self.enter(current, action);
                    return true;
                }
                State::Won if is_attackers_turn => {
                    self.decide_by(current, State::Won);
                    return true;
                }
                State::Won => {}
                State::Active | State::Lost => {
                    self.rely(node, current);
                    if !is_attackers_turn {
                        self.decide_by(current, State::Lost);
                        return true;
                    }
                }
            }
        }
        if next == self.choices.len() {
            self.leave();
            if is_attackers_turn {
                self.nodes[node as usize].state = State::Lost;
            } else {
                self.win(node);
            }
            return true;
        }
        let best = (next..self.choices.len()).max_by_key(|&at| self.weight(&frame, &self.choices[at]));
        self.choices.swap(next, best.unwrap_or(next));
        let after = self.choices[next].after;
        let current = self.node(&after);
        if let Some(frame) = self.frames.last_mut() {
            (frame.next, frame.current) = (next + 1, current);
        }
        true
    }

    /// How soon to try a way.
    fn weight(&self, frame: &Frame, choice: &Choice) -> u64 {
        let side = usize::from(self.nodes[frame.node as usize].position.turn);
        let index = choice.action.index();
        let is_reply = usize::from(self.order.replies[side][frame.last]) == index;
        let success = u64::from(self.order.successes[side][index]) + 1;
        let is_guess = side == 1 && match self.find(&choice.after) {
            Ok(node) => self.nodes[node as usize].numbers.hold == 0,
            Err(_) => estimate(self.ground, &choice.after).hold == 0,
        };
        success * (1 + u64::from(choice.captured)) * if is_reply { 8 } else { 1 } + if is_guess { 1 << 40 } else { 0 }
    }

    /// Begins to look at the ways of a position.
    fn enter(&mut self, node: u32, by: Action) {
        if self.nodes[node as usize].state == State::Open {
            self.nodes[node as usize].numbers = Numbers::NEW;
        }
        if self.nodes[node as usize].numbers.hold != 0 && !self.guess(node) {
            self.is_given_up = true;
            return;
        }
        if self.nodes[node as usize].state == State::Won {
            return;
        }
        let first = self.choices.len();
        self.nodes[node as usize].state = State::Active;
        let position = self.nodes[node as usize].position;
        self.frames.push(Frame { node, last: by.index(), first, next: first, current: NONE });
        self.ground.choices(&position, &mut self.choices);
        // A way that is known to succeed needs no search.
        let wanted = if position.is_attackers_turn() { State::Won } else { State::Lost };
        let known = (first..self.choices.len()).find(|&at| {
            let after = &self.choices[at].after;
            wanted == State::Won && after.is_captured()
                || self.find(after).is_ok_and(|node| self.nodes[node as usize].state == wanted)
        });
        if let Some(known) = known {
            self.choices.swap(first, known);
            let after = self.choices[first].after;
            let current = self.node(&after);
            if let Some(frame) = self.frames.last_mut() {
                (frame.next, frame.current) = (first + 1, current);
            }
        }
    }

    fn leave(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.choices.truncate(frame.first);
        }
    }

    /// The position that is being looked at is decided by this way.
    fn decide_by(&mut self, witness: u32, state: State) {
        let Some(Frame { node, last, first, next, .. }) = self.frames.pop() else { return };
        let action = self.choices[next - 1].action;
        self.choices.truncate(first);
        let side = usize::from(self.nodes[node as usize].position.turn);
        self.order.note(side, last, action.index());
        self.nodes[node as usize].witness = witness;
        if state == State::Won {
            self.win(node);
        } else {
            self.nodes[node as usize].state = state;
        }
    }

    /// Notes that a position is won, and those before it that are won by that.
    pub(super) fn win(&mut self, node: u32) {
        self.nodes[node as usize].state = State::Won;
        let mut won = vec![node];
        while let Some(after) = won.pop() {
            let mut edge = std::mem::replace(&mut self.nodes[after as usize].relying, NONE);
            while edge != NONE {
                let Edge { node, next } = self.edges[edge as usize];
                edge = next;
                let before = &mut self.nodes[node as usize];
                if before.position.is_attackers_turn() {
                    if before.state != State::Won {
                        (before.state, before.witness) = (State::Won, after);
                        won.push(node);
                    }
                } else if before.state == State::Lost && before.witness == after {
                    before.state = State::Open;
                    self.open.push(node);
                }
            }
        }
    }

    /// Whether somebody relies on an open position.
    fn is_needed(&self, node: u32) -> bool {
        let mut edge = self.nodes[node as usize].relying;
        while edge != NONE && self.nodes[node as usize].state == State::Open {
            let Edge { node: before, next } = self.edges[edge as usize];
            edge = next;
            let before = &self.nodes[before as usize];
            let is_attackers_turn = before.position.is_attackers_turn();
            if before.state != State::Won
                && (is_attackers_turn || (before.state == State::Lost && before.witness == node))
            {
                return true;
            }
        }
        false
    }

    fn rely(&mut self, node: u32, on: u32) {
        let relied_on = &mut self.nodes[on as usize];
        self.edges.push(Edge { node, next: relied_on.relying });
        relied_on.relying = self.edges.len() as u32 - 1;
    }

    /// The node of a position, a new one if there is none yet.
    pub(super) fn node(&mut self, position: &Position) -> u32 {
        let slot = match self.find(position) {
            Ok(node) => return node,
            Err(slot) => slot,
        };
        let node = self.nodes.len() as u32;
        let mut numbers = estimate(self.ground, position);
        let mut state = if position.is_captured() { State::Won } else { State::New };
        if position.tokens != NO_TOKENS
            && let Ok(twin) = self.find(&Position { tokens: NO_TOKENS, ..*position })
        {
            let twin = &self.nodes[twin as usize];
            match twin.state {
                State::Won | State::Lost if twin.is_settled => state = twin.state,
                State::Won => numbers.win = 1 + numbers.win / 8,
                State::Lost if position.tokens < FIRST_OF_ATTACKER => numbers.hold = 0,
                State::Lost => numbers.hold = 1 + numbers.hold / 8,
                _ => {}
            }
        }
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
        self.slots[slot] = Slot { node, mark: (hash(position) >> 32) as u32 };
        if self.nodes.len() * 2 > self.slots.len() {
            self.slots = vec![Slot::EMPTY; self.slots.len() * 2];
            for node in 0..self.nodes.len() {
                let position = self.nodes[node].position;
                if let Err(slot) = self.find(&position) {
                    self.slots[slot] = Slot { node: node as u32, mark: (hash(&position) >> 32) as u32 };
                }
            }
        }
        node
    }

    /// The node of a position, or the slot where it would be.
    pub(super) fn find(&self, position: &Position) -> Result<u32, usize> {
        let (mask, hash) = (self.slots.len() - 1, hash(position));
        let mut slot = hash as usize & mask;
        loop {
            match self.slots[slot] {
                Slot { node: NONE, .. } => return Err(slot),
                Slot { node, mark } if mark == (hash >> 32) as u32 && self.nodes[node as usize].position == *position => return Ok(node),
                _ => slot = (slot + 1) & mask,
            }
        }
    }
}

impl Order {
    fn note(&mut self, side: usize, last: usize, index: usize) {
        self.replies[side][last] = index as u8;
        self.successes[side][index] += 1;
        if self.successes[side][index] > 1 << 16 {
            self.successes[side].iter_mut().for_each(|count| *count /= 2);
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
