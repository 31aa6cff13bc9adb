//! A game as data to learn from.

use super::label::Label;
use super::record::{self, RecordError};
use std::fmt;
use tesuji_board::{Color, Game, IllegalMove, Move, Point, Rules, SetUpError, Size};
use tesuji_net::input::{People, Server};
use tesuji_sgf::{GameLine, GameRecord, RecordedResult, WinBy};

/// How a game ended, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GameEnd {
    /// Nobody knows.
    Unknown,
    /// Somebody won, by resignation or time or by nobody knows how much.
    Win(Color),
    /// It was counted: Black's points minus White's, komi included. 0 is a draw.
    Score(f32),
    /// There is no result, as after a triple ko.
    Void,
}

/// A game and what is known about it.
#[derive(Clone, Debug, PartialEq)]
pub struct GameSample {
    /// Width and height.
    pub size: Size,
    /// The rules, komi included.
    pub rules: Rules,
    /// Who played, where a player's rank is known.
    pub people: Option<People>,
    /// Stones before the first move.
    pub setup: Vec<(Color, Point)>,
    /// Who was to move then.
    pub first: Color,
    /// The moves.
    pub moves: Vec<(Color, Move)>,
    /// How it ended.
    pub end: GameEnd,
    /// Whose point it was in the end, 1 for Black's, −1 for White's, by point in reading order; empty if not known.
    pub black_ownership: Vec<i8>,
    /// What is thought of some positions, by ascending turn.
    pub labels: Vec<Label>,
}

/// Why a game cannot be played out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SampleError {
    /// The stones before the first move are no position.
    SetUp(SetUpError),
    /// This move, from 1, is illegal.
    Move(usize, IllegalMove),
}

impl fmt::Display for SampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SampleError::SetUp(error) => write!(f, "set-up: {error}"),
            SampleError::Move(number, error) => write!(f, "move {number}: {error}"),
        }
    }
}

impl std::error::Error for SampleError {}

impl GameSample {
    /// A game without a move.
    pub fn new(size: Size, rules: Rules) -> GameSample {
        GameSample {
            size,
            rules,
            people: None,
            setup: Vec::new(),
            first: Color::Black,
            moves: Vec::new(),
            end: GameEnd::Unknown,
            black_ownership: Vec::new(),
            labels: Vec::new(),
        }
    }

    /// A game of a line of games.
    pub fn of_line(line: &GameLine, rules: Rules) -> GameSample {
        let rules = Rules { komi: line.komi as f32, ..rules };
        GameSample {
            people: ranked(&line.black_rank, &line.white_rank),
            setup: line.setup.iter().map(|&point| (Color::Black, point)).collect(),
            first: line.first(),
            moves: line.colored_moves().collect(),
            end: GameEnd::of(&line.result),
            ..GameSample::new(line.size, rules)
        }
    }

    /// The main line of a record, by its own rules if it names known ones.
    pub fn of_record(record: &GameRecord, rules: Rules) -> GameSample {
        let black = record.setup_black.iter().map(|&point| (Color::Black, point));
        let white = record.setup_white.iter().map(|&point| (Color::White, point));
        GameSample {
            people: ranked(&record.black_rank, &record.white_rank),
            setup: black.chain(white).collect(),
            first: record.to_play,
            moves: record.moves.clone(),
            end: GameEnd::of(&record.result),
            ..GameSample::new(record.size, record.rules_or(rules))
        }
    }

    /// The game before its first move.
    pub fn start(&self) -> Result<Game, SampleError> {
        let mut game = Game::new(self.size, self.rules);
        if !self.setup.is_empty() || self.first != Color::Black {
            let stones = self.setup.iter().map(|&(color, point)| (point, Some(color)));
            game.set_up(stones, self.first).map_err(SampleError::SetUp)?;
        }
        Ok(game)
    }

    /// Cuts the game before its first illegal move, and labels of positions that are not there any more; says what was wrong.
    /// What is known of the end of a game that was cut stays: it is still how the game ended.
    pub fn make_legal(&mut self) -> Result<(), SampleError> {
        let mut game = match self.start() {
            Ok(game) => game,
            Err(error) => {
                self.moves.clear();
                self.labels.clear();
                return Err(error);
            }
        };
        for (index, &(color, mv)) in self.moves.iter().enumerate() {
            if let Err(error) = game.play(color, mv) {
                self.moves.truncate(index);
                self.labels.retain(|label| usize::from(label.turn) <= index);
                return Err(SampleError::Move(index + 1, error));
            }
        }
        Ok(())
    }

    /// Who is to move after so many moves.
    pub fn to_move(&self, turn: usize) -> Color {
        match turn.checked_sub(1).and_then(|last| self.moves.get(last)) {
            Some(&(color, _)) => !color,
            None => self.first,
        }
    }

    /// The game as bytes, for whoever sends it elsewhere.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        record::write(self, &mut bytes);
        bytes
    }

    /// Reads what [`GameSample::to_bytes`] made; its moves may still be illegal.
    pub fn from_bytes(bytes: &[u8]) -> Result<GameSample, RecordError> {
        record::read(bytes)
    }

    /// A number for the game by its size, stones and moves alone: the same game with other labels or another komi has the same.
    pub fn identity(&self) -> u64 {
        let mut hash = Hash::new();
        hash.add(self.size.width() as u64);
        hash.add(self.size.height() as u64);
        for &(color, point) in &self.setup {
            hash.add(1 + 2 * self.size.ordinal(point) as u64 + u64::from(color == Color::White));
        }
        hash.add(0);
        for &(color, mv) in &self.moves {
            let code = mv.point().map_or(self.size.area(), |point| self.size.ordinal(point));
            hash.add(2 * code as u64 + u64::from(color == Color::White));
        }
        hash.finish()
    }
}

/// The players of these ranks, if one of them is a rank; where they played is not in a record.
fn ranked(black: &str, white: &str) -> Option<People> {
    let people = People { black: black.parse().ok(), white: white.parse().ok(), server: Server::default() };
    (people.black.is_some() || people.white.is_some()).then_some(people)
}

impl GameEnd {
    /// What a record says.
    pub fn of(result: &RecordedResult) -> GameEnd {
        match result {
            RecordedResult::Win(color, WinBy::Score(points)) => {
                let points = *points as f32;
                GameEnd::Score(if *color == Color::Black { points } else { -points })
            }
            // A clock or a rule says nothing about the position.
            RecordedResult::Win(_, WinBy::Time | WinBy::Forfeit) => GameEnd::Unknown,
            RecordedResult::Win(color, _) => GameEnd::Win(*color),
            RecordedResult::Draw => GameEnd::Score(0.0),
            RecordedResult::Void => GameEnd::Void,
            RecordedResult::Missing | RecordedResult::Other(_) => GameEnd::Unknown,
        }
    }

    /// Probabilities of win, loss and no result for a player, if the end is known; a draw is half of each.
    pub fn outcome(self, color: Color) -> Option<[f32; 3]> {
        let winner = |winner: Color| if winner == color { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
        match self {
            GameEnd::Unknown => None,
            GameEnd::Void => Some([0.0, 0.0, 1.0]),
            GameEnd::Win(color) => Some(winner(color)),
            GameEnd::Score(lead) if lead > 0.0 => Some(winner(Color::Black)),
            GameEnd::Score(lead) if lead < 0.0 => Some(winner(Color::White)),
            GameEnd::Score(_) => Some([0.5, 0.5, 0.0]),
        }
    }
}

/// A hash that is the same on all machines and in all versions: multiply and mix, as in SplitMix64 (Steele, Lea, Flood 2014).
struct Hash(u64);

impl Hash {
    fn new() -> Hash {
        Hash(0x7465_7375_6a69)
    }

    fn add(&mut self, value: u64) {
        let mut z = (self.0 ^ value).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        self.0 = z ^ (z >> 31);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
