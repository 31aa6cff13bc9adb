//! How often positions are learned from, by the rank of who moved.

use super::game::GameSample;
use tesuji_net::input::Rank;

/// Most copies of a position: beyond that a network would learn the few games of a rank by heart.
const MOST_COPIES: f64 = 8.0;

/// Copies of positions by rank. By default one each, and of sides without a rank too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Balance {
    copies: [u8; Rank::COUNT],
    strangers: u8,
}

impl Default for Balance {
    fn default() -> Balance {
        Balance { copies: [1; Rank::COUNT], strangers: 1 }
    }
}

impl Balance {
    /// The balance for so many positions of each rank: halfway, on a logarithmic scale, between the ranks as they are and all ranks alike.
    /// Sides without a rank are programs or strangers: nobody learns from them.
    pub fn of(counts: &[u64; Rank::COUNT]) -> Balance {
        let most = counts.iter().copied().max().unwrap_or(0) as f64;
        Balance {
            copies: counts
                .map(|count| (most / count.max(1) as f64).sqrt().round().clamp(1.0, MOST_COPIES) as u8),
            strangers: 0,
        }
    }

    /// How often the position after so many moves is learned from.
    pub(super) fn copies(&self, game: &GameSample, turn: usize) -> usize {
        let rank = game.people.and_then(|people| people.rank(game.to_move(turn)));
        rank.map_or(self.strangers, |rank| self.copies[rank.steps()]).into()
    }

    /// Adds the moves of a game to counts by rank.
    pub fn count(game: &GameSample, counts: &mut [u64; Rank::COUNT]) {
        for turn in 0..game.moves.len() {
            if let Some(rank) = game.people.and_then(|people| people.rank(game.to_move(turn))) {
                counts[rank.steps()] += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{SampleSet, Side};
    use tesuji_board::{Color, Move, Rules, Size};
    use tesuji_net::input::People;

    #[test]
    fn rare_ranks_are_copied_and_programs_teach_nothing() {
        let mut game = GameSample::new(Size::square(5).unwrap(), Rules::default());
        game.moves =
            [Color::Black, Color::White].repeat(3).into_iter().map(|color| (color, Move::Pass)).collect();
        let mut counts = [0; Rank::COUNT];
        (counts[10], counts[20]) = (1600, 100);
        let balance = Balance::of(&counts);
        let positions = |people| {
            let mut game = game.clone();
            game.people = people;
            let mut set = SampleSet::default();
            set.add_balanced(&game, Side::Training, &balance)
        };
        let rank = |steps| Rank::from_steps(steps);
        assert_eq!(positions(None), 0);
        assert_eq!(
            positions(Some(People { black: rank(10), white: rank(20), ..People::default() })),
            3 + 3 * 4
        );
        assert_eq!(positions(Some(People { black: None, white: rank(20), ..People::default() })), 3 * 4);
        assert_eq!(positions(Some(People { black: rank(0), white: None, ..People::default() })), 3 * 8);
    }
}
