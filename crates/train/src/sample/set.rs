//! Games in memory, packed, with a list of the positions to learn from.

use super::balance::Balance;
use super::game::GameSample;
use super::record::{self, RecordError};
use tesuji_board::{Rules, Size};

/// A position to learn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Number of the game in its set.
    pub game: u32,
    /// Moves before the position.
    pub turn: u16,
}

/// What a game is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Networks learn from it.
    Training,
    /// Networks are judged by it.
    Validation,
}

/// Which games networks are judged by.
///
/// A game's own number decides, so that all its positions are on one side, and it stays there whatever other games there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Split {
    /// Games kept back, in thousandths.
    pub validation: u16,
}

impl Split {
    /// The side of a game.
    pub fn side(self, game: &GameSample) -> Side {
        if game.identity() % 1000 < u64::from(self.validation) { Side::Validation } else { Side::Training }
    }
}

/// Games in memory.
#[derive(Clone, Debug, Default)]
pub struct SampleSet {
    bytes: Vec<u8>,
    /// Where each game ends in `bytes`.
    ends: Vec<usize>,
    groups: Vec<Group>,
    /// The rules of the games, each once, without komi.
    rules: Vec<Rules>,
}

/// Positions of one side on boards of one size.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) size: Size,
    pub(crate) side: Side,
    pub(crate) places: Vec<Place>,
}

impl SampleSet {
    /// Adds a game that can be played out: its labelled positions, or, if it has no label, all positions in which somebody moved.
    /// Returns how many positions that are.
    pub fn add(&mut self, game: &GameSample, side: Side) -> usize {
        self.add_balanced(game, side, &Balance::default())
    }

    /// The same; positions of rare ranks are there several times.
    pub fn add_balanced(&mut self, game: &GameSample, side: Side, balance: &Balance) -> usize {
        let number = self.ends.len() as u32;
        let place = |turn: u16| Place { game: number, turn };
        let find = |group: &Group| (group.size, group.side) == (game.size, side);
        let index = self.groups.iter().position(find).unwrap_or_else(|| {
            self.groups.push(Group { size: game.size, side, places: Vec::new() });
            self.groups.len() - 1
        });
        let places = &mut self.groups[index].places;
        let before = places.len();
        if game.labels.is_empty() {
            for turn in 0..game.moves.len().min(u16::MAX.into()) as u16 {
                let copies = balance.copies(game, turn.into());
                places.extend(std::iter::repeat_n(place(turn), copies));
            }
        } else {
            let there = game.labels.iter().filter(|label| usize::from(label.turn) <= game.moves.len());
            places.extend(there.map(|label| place(label.turn)));
        }
        let added = places.len() - before;
        if added > 0 {
            record::write(game, &mut self.bytes);
            self.ends.push(self.bytes.len());
            let rules = Rules { komi: 0.0, ..game.rules };
            if !self.rules.contains(&rules) {
                self.rules.push(rules);
            }
        }
        added
    }

    /// Number of games.
    pub fn games(&self) -> usize {
        self.ends.len()
    }

    /// The name of the rules that all games were played under; nothing if there are several, or if they have no name.
    pub fn only_rules(&self) -> Option<&'static str> {
        match self.rules.as_slice() {
            [rules] => rules.name(),
            _ => None,
        }
    }

    /// Number of positions of a side.
    pub fn positions(&self, side: Side) -> usize {
        self.groups(side).map(|group| group.places.len()).sum()
    }

    /// Sizes of the boards.
    pub fn sizes(&self) -> impl Iterator<Item = Size> + '_ {
        self.groups.iter().map(|group| group.size)
    }

    pub(crate) fn groups(&self, side: Side) -> impl Iterator<Item = &Group> {
        self.groups.iter().filter(move |group| group.side == side && !group.places.is_empty())
    }

    /// The game of a position, with the labels of that position and the next one alone.
    pub fn game(&self, place: Place) -> Result<GameSample, RecordError> {
        let end = *self.ends.get(place.game as usize).ok_or(RecordError::Cut)?;
        let start = (place.game as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        record::read_around(&self.bytes[start..end], place.turn)
    }

    /// A number for all games and labels together: another one means other data.
    pub fn fingerprint(&self) -> u64 {
        // FNV-1a by words, which is fast enough for gigabytes.
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        let mut add = |word: u64| hash = (hash ^ word).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
        let (words, rest) = self.bytes.as_chunks::<8>();
        words.iter().for_each(|&word| add(u64::from_le_bytes(word)));
        rest.iter().for_each(|&byte| add(byte.into()));
        for group in &self.groups {
            add(group.size.area() as u64 * 2 + u64::from(group.side == Side::Validation));
            add(group.places.len() as u64);
        }
        hash
    }
}

#[cfg(test)]
mod tests {
    use super::super::label::Label;
    use super::super::record::tests::random_game;
    use super::*;
    use tesuji_search::Rng;

    #[test]
    fn positions_come_back_with_their_labels() {
        let mut rng = Rng::new(7);
        let games: Vec<GameSample> = (0..40).map(|_| random_game(&mut rng)).collect();
        let mut set = SampleSet::default();
        let mut kept = Vec::new();
        for game in &games {
            if set.add(game, Side::Training) > 0 {
                kept.push(game);
            }
        }
        let mut seen = 0;
        for group in set.groups(Side::Training) {
            for &place in &group.places {
                let (game, original) = (set.game(place).unwrap(), kept[place.game as usize]);
                assert_eq!(game.moves, original.moves);
                assert_eq!(game.size, group.size);
                let near = |label: &&Label| label.turn == place.turn || label.turn == place.turn + 1;
                let expected: Vec<Label> = original.labels.iter().filter(near).cloned().collect();
                assert_eq!(game.labels, expected);
                seen += 1;
            }
        }
        assert_eq!(seen, set.positions(Side::Training));
        assert!(seen > 500);
    }

    #[test]
    fn rules_are_named_if_all_games_have_the_same_whatever_their_komi() {
        let mut rng = Rng::new(9);
        let game = |rng: &mut Rng, name: &str, komi: f32| GameSample {
            rules: Rules { komi, ..Rules::named(name).unwrap() },
            ..random_game(rng)
        };
        let mut set = SampleSet::default();
        assert_eq!(set.only_rules(), None);
        for komi in [0.5, 6.5, 7.5] {
            while set.add(&game(&mut rng, "japanese", komi), Side::Training) == 0 {}
        }
        assert_eq!(set.only_rules(), Some("japanese"));
        while set.add(&game(&mut rng, "aga", 7.5), Side::Validation) == 0 {}
        assert_eq!(set.only_rules(), None);
    }

    #[test]
    fn the_split_is_by_game_and_about_as_large_as_asked_for() {
        let mut rng = Rng::new(8);
        let split = Split { validation: 100 };
        let mut kept = 0;
        for _ in 0..2000 {
            let game = random_game(&mut rng);
            let mut other = game.clone();
            other.rules.komi += 1.0;
            other.labels.clear();
            assert_eq!(split.side(&game), split.side(&other));
            kept += usize::from(split.side(&game) == Side::Validation);
        }
        // Five standard deviations of a binomial distribution around 200 are 67.
        assert!((133..267).contains(&kept), "{kept}");
    }

    #[test]
    fn the_fingerprint_sees_every_change() {
        let mut rng = Rng::new(9);
        let games: Vec<GameSample> = (0..5).map(|_| random_game(&mut rng)).collect();
        let of = |games: &[GameSample], side| {
            let mut set = SampleSet::default();
            games.iter().for_each(|game| _ = set.add(game, side));
            set.fingerprint()
        };
        let mut changed = games.clone();
        changed[2].rules.komi += 0.5;
        let all = [
            of(&games, Side::Training),
            of(&games, Side::Validation),
            of(&games[1..], Side::Training),
            of(&changed, Side::Training),
        ];
        assert!((0..4).all(|i| (0..i).all(|j| all[i] != all[j])));
    }
}
