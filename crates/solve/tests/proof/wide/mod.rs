//! Life and death from the rules of Go for larger regions. The game is that of `reference.rs`, and so is the answer; this finds it without looking at every
//! position. It knows nothing of the solver either.
//!
//! *Why the answer is the same.* There the positions won by the attacker spread backwards over all that can arise. Here `graph.rs` finds the same least set, but only
//! the part that a question hangs on. What differs is which positions there are:
//!
//! - *Passes.* An attacker who passes without a ban loses: the defender passes too, and the game is over. So that pass is left out, and then whether the last move was a pass matters to nobody: only the
//!   defender could end the game by a second pass.
//! - *Tokens.* One that is put down where there is no ban changes nothing but their number, and one more never hurts its owner, who need not use it. So only those that lift a ban are looked at.
//! - *Bans.* The board that may not come back is told by one point: only a stone where the last move captured a single stone can bring it back. That is found by playing it and comparing boards.
//! - *Any number of tokens.* The attacker's: a win takes finitely many moves, so a token has no price. The defender's: there, layers are made until one more token changes no position
//!   at all. Here it is enough to show it for a set of positions that is closed: from each the attacker has a way, whatever the defender plays, to capture or to a token that leads into the
//!   set again. So with every number of tokens the attacker gets to the next one, and they come to an end. With the number of tokens at which nothing changes any
//!   more every position that is won is in such a set.

mod estimate;
mod graph;
mod ground;
mod guess;
mod order;
mod settle;
mod store;

use crate::reference::{Question, Verdict};
use graph::Graph;
use ground::{ANY_OF_ATTACKER, Action, FIRST_OF_ATTACKER, Ground, NO_TOKENS, Position, Tokens};

/// Tokens of the defender beyond which a question is left open.
const MOST_TOKENS: u8 = 8;

/// The answer to a question.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) verdict: Verdict,
    /// First moves with which the side to move does as well as it can, `None` for a pass; no moves if it fails.
    pub(crate) best: Vec<Option<usize>>,
    /// Those that do so if threats are not counted.
    pub(crate) right: Vec<Option<usize>>,
    /// Positions that were looked at.
    pub(crate) positions: usize,
}

/// How many tokens a side has; the other has none.
#[derive(Clone, Copy)]
enum Count {
    Number(u8),
    Any,
}

/// The answer; nothing if it takes more positions than these, or the region is too large.
pub(crate) fn answer(question: &Question, most_positions: usize) -> Option<Found> {
    let (ground, start) = Ground::new(question)?;
    Search { graph: Graph::new(&ground, most_positions), ground: &ground, start }.answer()
}

struct Search<'a> {
    graph: Graph<'a>,
    ground: &'a Ground,
    start: Position,
}

impl Search<'_> {
    fn answer(mut self) -> Option<Found> {
        let verdict = self.verdict()?;
        let is_attackers_turn = self.start.is_attackers_turn();
        let fails = verdict == if is_attackers_turn { Verdict::Lives } else { Verdict::Dies };
        if fails {
            return Some(Found { verdict, best: Vec::new(), right: Vec::new(), positions: self.graph.len() });
        }
        // What the side to move has, and what the other has, where only the best moves succeed, and where all right ones do.
        let (best, right) = match verdict {
            Verdict::Ko { attacker_wins, needs } if attacker_wins == is_attackers_turn => {
                ((!is_attackers_turn, Count::Number(needs as u8 - 1)), (is_attackers_turn, Count::Number(0)))
            }
            Verdict::Ko { needs: 3, .. } => {
                ((is_attackers_turn, Count::Any), (is_attackers_turn, Count::Any))
            }
            Verdict::Ko { needs, .. } => {
                ((is_attackers_turn, Count::Number(needs as u8)), (is_attackers_turn, Count::Any))
            }
            _ => ((!is_attackers_turn, Count::Any), (!is_attackers_turn, Count::Any)),
        };
        let best = self.first_moves(best)?;
        let right = self.first_moves(right)?;
        Some(Found { verdict, best, right, positions: self.graph.len() })
    }

    fn verdict(&mut self) -> Option<Verdict> {
        let start = self.start;
        let attacker_wins = self.wins(&start, false, Count::Number(0))?;
        if self.wins(&start, !attacker_wins, Count::Any)? == attacker_wins {
            return Some(if attacker_wins { Verdict::Dies } else { Verdict::Lives });
        }
        for needs in 1..3 {
            if self.wins(&start, !attacker_wins, Count::Number(needs))? != attacker_wins {
                return Some(Verdict::Ko { attacker_wins, needs: needs.into() });
            }
        }
        Some(Verdict::Ko { attacker_wins, needs: 3 })
    }

    /// First moves that succeed, be it after a token, where a side has so many.
    fn first_moves(&mut self, (are_attackers, count): (bool, Count)) -> Option<Vec<Option<usize>>> {
        let start = self.start;
        let is_attackers_turn = start.is_attackers_turn();
        let mut moves = Vec::new();
        let mut choices = Vec::new();
        self.ground.choices(&start, &mut choices);
        for choice in &choices {
            if self.wins(&choice.after, are_attackers, count)? == is_attackers_turn {
                moves.push(self.name(choice.action));
            }
        }
        let one_less = match count {
            Count::Number(0) => None,
            Count::Number(number) => Some(Count::Number(number - 1)),
            Count::Any => Some(Count::Any),
        };
        if let Some(one_less) = one_less.filter(|_| are_attackers == is_attackers_turn) {
            choices.clear();
            self.ground.choices(&start.without_ban(), &mut choices);
            for choice in choices.iter().filter(|choice| choice.action != Action::Pass) {
                let name = self.name(choice.action);
                if !moves.contains(&name)
                    && self.wins(&choice.after, are_attackers, one_less)? == is_attackers_turn
                {
                    moves.push(name);
                }
            }
        }
        // As the reference has them: the pass last.
        moves.sort_unstable_by_key(|mv| mv.unwrap_or(usize::MAX));
        Some(moves)
    }

    fn name(&self, action: Action) -> Option<usize> {
        match action {
            Action::Play(at) => Some(self.ground.inside[usize::from(at)]),
            Action::Pass | Action::Token => None,
        }
    }

    /// Whether the attacker wins a position if this side has so many tokens.
    fn wins(&mut self, position: &Position, are_attackers: bool, count: Count) -> Option<bool> {
        let with = |tokens: Tokens| Position { tokens, ..*position };
        match (are_attackers, count) {
            (_, Count::Number(0)) => self.graph.is_won(&with(NO_TOKENS)),
            (true, Count::Number(number)) => self.graph.is_won(&with(FIRST_OF_ATTACKER + number - 1)),
            (false, Count::Number(number)) => self.graph.is_won(&with(number)),
            (true, Count::Any) => {
                let without = with(NO_TOKENS);
                if self.graph.is_won(&without)? {
                    Some(true)
                } else if self.graph.settle(&without)? {
                    Some(false)
                } else {
                    self.graph.is_won(&with(ANY_OF_ATTACKER))
                }
            }
            (false, Count::Any) => {
                for number in 0..=MOST_TOKENS {
                    if !self.graph.is_won(&with(number))? {
                        return Some(false);
                    }
                    if self.graph.settle(&with(number))? {
                        return Some(true);
                    }
                }
                None
            }
        }
    }
}
