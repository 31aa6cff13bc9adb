//! Which positions the attacker wins: the least set that holds captured targets, positions of the attacker with a way into the set and positions of the
//! defender with no way out of it. Found from one position on, without looking at what it does not hang on (X. Liu and S. Smolka, 1998).
//!
//! Every position begins as not won. One of the attacker's looks at one way after another until it finds one that is won; one of the defender's stays as it is
//! while it has a way, its *witness*, to one that is not won. Each remembers on whom it relies; where one of these turns out to be won, the attacker's position before it is won too
//! and the defender's goes on looking. No position ever turns back, so this ends, and then what is not won is so by right: the attacker has no way from there into the
//! won ones, and the defender's witness is not won. A round needs no thought: a position that waits for itself is not won so far. The order in which ways are tried changes only the time.

use super::estimate::estimate;
use super::ground::{Action, Choice, Ground, Position};
use super::order::Order;
use super::store::{NONE, Node, Numbers, Slot, State};

/// Most visits of guesses for each position.
const VISITS: usize = 3;

/// How much sooner a way is tried that is guessed to be right.
const GUESSED: u64 = 1 << 40;

/// That a position relies on another, in the list of those that do.
struct Edge {
    node: u32,
    next: u32,
}

/// A position whose ways are being looked at.
#[derive(Clone, Copy)]
struct Frame {
    node: u32,
    /// What led here, for the order of ways.
    last: Action,
    /// Its ways begin here, and those that were not looked at here.
    first: usize,
    next: usize,
    /// The way that is being looked at.
    current: u32,
}

pub(super) struct Graph<'a> {
    pub(super) ground: &'a Ground,
    most_nodes: usize,
    /// Of guesses.
    pub(super) visits: usize,
    /// Whether a guess failed.
    is_given_up: bool,
    pub(super) nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// Places of nodes by the hash of their position, a power of two of them.
    pub(super) slots: Vec<Slot>,
    frames: Vec<Frame>,
    /// The ways of all positions that are being looked at, one position's after another.
    pub(super) choices: Vec<Choice>,
    /// Positions that were found to be open, and may have to be looked at again.
    open: Vec<u32>,
    order: Order,
}

impl<'a> Graph<'a> {
    pub(super) fn new(ground: &'a Ground, most_nodes: usize) -> Graph<'a> {
        Graph {
            ground,
            most_nodes,
            visits: 0,
            is_given_up: false,
            nodes: Vec::new(),
            edges: Vec::new(),
            slots: Slot::some(),
            frames: Vec::new(),
            choices: Vec::new(),
            open: Vec::new(),
            order: Order::new(),
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
        self.is_given_up || self.nodes.len() > self.most_nodes || self.visits > VISITS * self.most_nodes
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
        let position = &self.nodes[frame.node as usize].position;
        let is_guess = !position.is_attackers_turn()
            && match self.find(&choice.after) {
                Ok(node) => self.nodes[node as usize].numbers.hold == 0,
                Err(_) => estimate(self.ground, &choice.after).hold == 0,
            };
        let weight = self.order.weight(position.turn, frame.last, choice.action);
        weight * (1 + u64::from(choice.captured)) + if is_guess { GUESSED } else { 0 }
    }

    /// Begins to look at the ways of a position, unless the guess already wins.
    fn enter(&mut self, node: u32, by: Action) {
        if self.nodes[node as usize].state == State::Open {
            // That it holds was guessed wrong.
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
        self.frames.push(Frame { node, last: by, first, next: first, current: NONE });
        self.ground.choices(&position, &mut self.choices);
        // A way that is known to succeed needs no search.
        let wanted = if position.is_attackers_turn() { State::Won } else { State::Lost };
        let is_known = |choice: &Choice| {
            wanted == State::Won && choice.after.is_captured()
                || self.find(&choice.after).is_ok_and(|node| self.nodes[node as usize].state == wanted)
        };
        let known = (first..self.choices.len()).find(|&at| is_known(&self.choices[at]));
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
        let side = self.nodes[node as usize].position.turn;
        self.order.note(side, last, action);
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
}
