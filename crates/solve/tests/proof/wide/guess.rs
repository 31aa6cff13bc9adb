//! Who probably wins, and by what: a proof-number search (A. Nagai's df-pn, 2002) over the positions of `graph.rs`, so that it tries the right ways first.
//!
//! A position on the path counts as not won. What the attacker wins here is won: it ends in captures. What the defender holds may rest on the path and is only a guess; it is `graph.rs` that proves it.

use super::estimate::estimate;
use super::graph::Graph;
use super::ground::Choice;
use super::store::{INFINITE, NONE, Numbers, State};

/// Longest line.
const MAX_DEPTH: usize = 250;

impl Graph<'_> {
    /// Searches until a position is probably decided; false if that takes too long.
    pub(super) fn guess(&mut self, node: u32) -> bool {
        self.visit(node, Numbers { win: INFINITE, hold: INFINITE }, 0);
        let Numbers { win, hold } = self.numbers_of(node);
        win == 0 || hold == 0
    }

    fn visit(&mut self, node: u32, limits: Numbers, depth: usize) {
        self.visits += 1;
        let position = self.nodes[node as usize].position;
        if depth == MAX_DEPTH {
            self.nodes[node as usize].numbers = Numbers { win: INFINITE - 1, hold: INFINITE - 1 };
            return;
        }
        let is_attackers_turn = position.is_attackers_turn();
        let first = self.choices.len();
        self.ground.choices(&position, &mut self.choices);
        for at in first..self.choices.len() {
            self.choices[at].node = self.find(&self.choices[at].after).unwrap_or(NONE);
            if self.choices[at].node == NONE {
                self.choices[at].numbers = estimate(self.ground, &self.choices[at].after);
            }
        }
        self.nodes[node as usize].is_on_path = true;
        loop {
            let summary = self.summary(first, is_attackers_turn);
            let Summary { numbers, best, second, unsolved } = summary;
            if numbers.win >= limits.win || numbers.hold >= limits.hold || self.is_over() {
                self.nodes[node as usize].numbers = numbers;
                if numbers.win == 0 {
                    if is_attackers_turn {
                        self.nodes[node as usize].witness = self.choice_node(best);
                    }
                    self.win(node);
                }
                break;
            }
            let before = self.numbers_after(&self.choices[best]);
            let child = self.choice_node(best);
            let numbers = self.numbers_of(child);
            if numbers != before {
                continue;
            }
            let Numbers { win, hold } = numbers;
            let second = second.saturating_add(second / 4 + 1);
            let limits = if is_attackers_turn {
                Numbers {
                    win: limits.win.min(second),
                    hold: limits.hold.saturating_sub(unsolved - 1).max(hold + 1),
                }
            } else {
                Numbers {
                    win: limits.win.saturating_sub(unsolved - 1).max(win + 1),
                    hold: limits.hold.min(second),
                }
            };
            self.visit(child, limits, depth + 1);
        }
        self.nodes[node as usize].is_on_path = false;
        self.choices.truncate(first);
    }

    fn choice_node(&mut self, at: usize) -> u32 {
        if self.choices[at].node == NONE {
            let after = self.choices[at].after;
            self.choices[at].node = self.node(&after);
        }
        self.choices[at].node
    }

    fn numbers_of(&self, node: u32) -> Numbers {
        let node = &self.nodes[node as usize];
        match node.state {
            State::Won => Numbers { win: 0, hold: INFINITE },
            State::Lost | State::Active => Numbers { win: INFINITE, hold: 0 },
            State::New | State::Open if node.is_on_path => Numbers { win: INFINITE, hold: 0 },
            State::New | State::Open => node.numbers,
        }
    }

    fn summary(&self, first: usize, is_attackers_turn: bool) -> Summary {
        let (mut best, mut least, mut second) = (first, INFINITE, INFINITE);
        let (mut most, mut unsolved) = (0, 0);
        for (at, choice) in self.choices.iter().enumerate().skip(first) {
            let Numbers { win, hold } = self.numbers_after(choice);
            let (own, other) = if is_attackers_turn { (win, hold) } else { (hold, win) };
            if own < least {
                (best, second, least) = (at, least, own);
            } else {
                second = second.min(own);
            }
            most = most.max(other);
            unsolved += u32::from(other > 0);
        }
        let other =
            if least == 0 { INFINITE } else { most.saturating_add(unsolved.saturating_sub(1)).min(INFINITE) };
        let numbers = if is_attackers_turn {
            Numbers { win: least, hold: other }
        } else {
            Numbers { win: other, hold: least }
        };
        Summary { numbers, best, second, unsolved: unsolved.max(1) }
    }

    fn numbers_after(&self, choice: &Choice) -> Numbers {
        match choice.node {
            _ if choice.after.is_captured() => Numbers { win: 0, hold: INFINITE },
            NONE => choice.numbers,
            node => self.numbers_of(node),
        }
    }
}

struct Summary {
    numbers: Numbers,
    best: usize,
    /// The least number of the others.
    second: u32,
    unsolved: u32,
}
