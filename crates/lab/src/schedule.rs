//! Who plays whom, with which colours, seeds and opening.
//!
//! In a round every two engines meet over one opening, once with either colour. The number of a game says all of that and
//! does not depend on how many games are asked for, so that a match can be interrupted, resumed and prolonged.

use serde::{Deserialize, Serialize};
use tesuji_search::Rng;

/// The games of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Pairs of engines by index, the first of which has Black in the first game of a pair.
    pairings: Vec<(usize, usize)>,
    games_per_pairing: u64,
}

/// One game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledGame {
    /// Number of the game, from 1.
    pub game: u64,
    /// Number of the round, from 1.
    pub round: u64,
    /// Index of the engine with the black stones.
    pub black: usize,
    /// Index of the engine with the white stones.
    pub white: usize,
}

impl Schedule {
    /// A round-robin of engines; with two of them, a plain match.
    pub fn round_robin(engines: usize, games_per_pairing: u64) -> Schedule {
        let pairings = (0..engines).flat_map(|a| (a + 1..engines).map(move |b| (a, b))).collect();
        Schedule { pairings, games_per_pairing }
    }

    /// Number of rounds.
    pub fn rounds(&self) -> u64 {
        self.games_per_pairing.div_ceil(2)
    }

    /// All games in order.
    pub fn games(&self) -> impl Iterator<Item = ScheduledGame> + '_ {
        (1..=self.rounds()).flat_map(move |round| {
            let pairs = self.pairings.iter().enumerate();
            pairs.flat_map(move |(index, &(first, second))| {
                let before = 2 * ((round - 1) * self.pairings.len() as u64 + index as u64);
                let games = [(first, second), (second, first)].into_iter().enumerate();
                let wanted = if 2 * round > self.games_per_pairing { 1 } else { 2 };
                games.take(wanted).map(move |(second_game, (black, white))| ScheduledGame {
                    game: before + second_game as u64 + 1,
                    round,
                    black,
                    white,
                })
            })
        })
    }
}

impl ScheduledGame {
    /// The seeds of Black's engine, of White's and of the referee; small enough for engines that count in 32 bits.
    pub fn seeds(&self, match_seed: u64) -> [u64; 3] {
        let mut rng = Rng::for_stream(match_seed, self.game);
        std::array::from_fn(|_| rng.next_u64() >> 33)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(engines: usize, games: u64, expected: &str) {
        let schedule = Schedule::round_robin(engines, games);
        let words =
            schedule.games().map(|game| format!("{}:{}{}@{}", game.game, game.black, game.white, game.round));
        assert_eq!(words.collect::<Vec<_>>().join(" "), expected);
    }

    #[test]
    fn colours_alternate_and_openings_are_shared() {
        check(2, 4, "1:01@1 2:10@1 3:01@2 4:10@2");
        check(2, 3, "1:01@1 2:10@1 3:01@2");
        check(3, 2, "1:01@1 2:10@1 3:02@1 4:20@1 5:12@1 6:21@1");
        check(3, 3, "1:01@1 2:10@1 3:02@1 4:20@1 5:12@1 6:21@1 7:01@2 9:02@2 11:12@2");
        check(1, 3, "");
    }

    #[test]
    fn every_game_has_its_own_seeds() {
        let mut seeds: Vec<u64> =
            Schedule::round_robin(4, 100).games().flat_map(|game| game.seeds(1)).collect();
        seeds.sort_unstable();
        let total = seeds.len();
        seeds.dedup();
        assert_eq!((total, seeds.len()), (1800, 1800));
        assert!(seeds.iter().all(|&seed| seed < 1 << 31));
    }
}
