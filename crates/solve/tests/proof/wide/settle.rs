//! Which positions are won, or not, with any number of tokens of the side that fails there.
//!
//! The winner's way on is the witness of each position; where the other side may put a token down, what follows has to be as good without the ban. Positions from which no line in these ways leaves the set are
//! as good with every number of tokens as with this one: the defender holds out for ever, or the attacker gets from each token to the next one or to capture, so that they come to an end.

use super::graph::Graph;
use super::ground::{Action, NOWHERE, Position};
use super::store::{NONE, Node, State};
use std::collections::HashMap;

impl Graph<'_> {
    /// Whether what is so in a position is so with any number of tokens of the side that fails; nothing if that takes too many positions.
    pub(super) fn settle(&mut self, start: &Position) -> Option<bool> {
        let is_won = self.is_won(start)?;
        let mut nodes = vec![self.node(start)];
        let mut places: HashMap<u32, usize> = HashMap::from([(nodes[0], 0)]);
        // By place: who relies on it.
        let mut before: Vec<Vec<usize>> = vec![Vec::new()];
        let mut broken = Vec::new();
        let mut done = 0;
        while done < nodes.len() {
            let Node { position, is_settled, .. } = self.nodes[nodes[done] as usize];
            let mut ways = if is_settled { Vec::new() } else { self.ways(nodes[done], is_won) };
            if !is_settled && position.banned != NOWHERE && position.is_attackers_turn() != is_won {
                let after = position.without_ban();
                if self.is_won(&after)? == is_won {
                    ways.push(self.node(&after));
                } else {
                    broken.push(done);
                }
            }
            for next in ways {
                let place = *places.entry(next).or_insert_with(|| {
                    nodes.push(next);
                    before.push(Vec::new());
                    nodes.len() - 1
                });
                before[place].push(done);
            }
            done += 1;
        }
        let mut is_broken = vec![false; nodes.len()];
        while let Some(place) = broken.pop() {
            if !std::mem::replace(&mut is_broken[place], true) {
                broken.append(&mut before[place]);
            }
        }
        for (&node, &is_broken) in nodes.iter().zip(&is_broken) {
            self.nodes[node as usize].is_settled |= !is_broken;
        }
        Some(!is_broken[0])
    }

    /// The ways on that have to be as good for the winner: its witness, or all ways of the other side but a token.
    fn ways(&mut self, node: u32, is_won: bool) -> Vec<u32> {
        let position = self.nodes[node as usize].position;
        let witness = self.nodes[node as usize].witness;
        let mut choices = Vec::new();
        if position.is_attackers_turn() == is_won {
            assert_ne!(witness, NONE, "a proof without a way on");
            return vec![witness];
        }
        self.ground.choices(&position, &mut choices);
        choices.retain(|choice| choice.action != Action::Token);
        let ways: Vec<u32> = choices.iter().map(|choice| self.node(&choice.after)).collect();
        let is_right = |&way: &u32| match self.nodes[way as usize].state {
            State::Won => is_won,
            State::Lost => !is_won,
            _ => false,
        };
        assert!(ways.iter().all(is_right), "a proof with a gap");
        ways
    }
}
