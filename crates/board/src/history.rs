//! The positions a game has been through, for superko.
//!
//! Positions are told apart by their 64-bit Zobrist hash alone. Two different positions of one game of a thousand moves share a
//! hash with a probability of about 10⁻¹⁴; a wrong ban that rare is accepted.

use crate::board::Board;
use crate::color::Color;
use crate::point::Point;
use crate::rules::KoRule;
use crate::zobrist::stone_key;
use std::collections::HashMap;

/// Positions with the player to move in each, oldest first; also usable for a line of play in a search.
#[derive(Clone, Debug, Default)]
pub struct History {
    situations: Vec<(u64, Color)>,
    /// By position: how often it came with each colour to move since the last start.
    occurrences: HashMap<u64, [u32; 2]>,
    /// Numbers of the positions from which on they count; without any, all do.
    starts: Vec<usize>,
}

impl History {
    /// No positions.
    pub fn new() -> History {
        History::default()
    }

    /// Adds the position with this [`Board::hash`] and player to move.
    pub fn push(&mut self, hash: u64, to_move: Color) {
        self.situations.push((hash, to_move));
        self.occurrences.entry(hash).or_default()[to_move.index()] += 1;
    }

    /// Lets only positions added from now on count for superko, as when the button is taken; removing the next one revokes it.
    pub fn start_anew(&mut self) {
        self.starts.push(self.situations.len());
        self.occurrences.clear();
    }

    /// Removes the position added last, if there is one.
    pub fn pop(&mut self) -> Option<(u64, Color)> {
        let (hash, to_move) = self.situations.pop()?;
        if self.starts.last().is_some_and(|&start| start >= self.situations.len()) {
            self.starts.retain(|&start| start < self.situations.len());
            self.occurrences.clear();
            for &(hash, to_move) in &self.situations[self.starts.last().copied().unwrap_or(0)..] {
                self.occurrences.entry(hash).or_default()[to_move.index()] += 1;
            }
            return Some((hash, to_move));
        }
        if let Some(counts) = self.occurrences.get_mut(&hash) {
            counts[to_move.index()] -= 1;
            if *counts == [0, 0] {
                self.occurrences.remove(&hash);
            }
        }
        Some((hash, to_move))
    }

    /// Hashes and players to move, oldest first.
    pub fn situations(&self) -> &[(u64, Color)] {
        &self.situations
    }

    /// Whether a superko rule forbids making this position with this player to move next.
    pub fn forbids(&self, rule: KoRule, hash: u64, to_move: Color) -> bool {
        let counts = || self.occurrences.get(&hash);
        match rule {
            KoRule::Simple => false,
            KoRule::Positional => counts().is_some(),
            KoRule::Situational => counts().is_some_and(|counts| counts[to_move.index()] > 0),
        }
    }
}

/// The hash after `color` plays on the empty `point`, captures and suicide included.
pub fn hash_after(board: &Board, point: Point, color: Color) -> u64 {
    if board.is_suicide(point, color) {
        board.hash() ^ hash_of_atari(board, point, color)
    } else {
        board.hash() ^ stone_key(color, point.index()) ^ hash_of_atari(board, point, !color)
    }
}

/// The keys of all stones of `color` whose only liberty is `point`.
fn hash_of_atari(board: &Board, point: Point, color: Color) -> u64 {
    let chains = board.chains_beside(point, color).into_iter();
    let stones =
        chains.filter(|&chain| board.liberty_count(chain) == 1).flat_map(|chain| board.stones(chain));
    stones.fold(0, |hash, stone| hash ^ stone_key(color, stone.index()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_forgotten_one_occurrence_at_a_time() {
        let mut history = History::new();
        history.push(7, Color::Black);
        history.push(7, Color::White);
        assert!(!history.forbids(KoRule::Simple, 7, Color::Black));
        assert!(history.forbids(KoRule::Situational, 7, Color::White));
        assert_eq!(history.pop(), Some((7, Color::White)));
        assert!(history.forbids(KoRule::Positional, 7, Color::White));
        assert!(!history.forbids(KoRule::Situational, 7, Color::White));
        assert!(history.forbids(KoRule::Situational, 7, Color::Black));
        history.pop();
        assert!(!history.forbids(KoRule::Positional, 7, Color::Black));
        assert_eq!(history.pop(), None);
    }

    #[test]
    fn a_new_start_lifts_bans_until_it_is_taken_back() {
        let mut history = History::new();
        history.push(7, Color::Black);
        history.push(8, Color::White);
        history.start_anew();
        history.push(8, Color::Black);
        history.push(9, Color::White);
        let banned =
            |history: &History| [7, 8, 9].map(|hash| history.forbids(KoRule::Positional, hash, Color::White));
        assert_eq!(banned(&history), [false, true, true]);
        assert!(!history.forbids(KoRule::Situational, 8, Color::White));
        assert_eq!(history.situations().len(), 4);
        history.pop();
        assert_eq!(banned(&history), [false, true, false]);
        assert_eq!(history.pop(), Some((8, Color::Black)));
        assert_eq!(banned(&history), [true, true, false]);
        assert!(history.forbids(KoRule::Situational, 8, Color::White));
        history.push(9, Color::Black);
        assert_eq!(banned(&history), [true, true, true]);
    }
}
