//! What is kept of a finished game: one line in the log, from which every table is made.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tesuji_board::{Color, GameResult};

/// One finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameLine {
    /// The match it belongs to.
    #[serde(rename = "match")]
    pub match_id: String,
    /// Its number in the match, from 1.
    pub game: u64,
    /// The round, from 1; in a round every pair of engines plays one opening with both colours.
    pub round: u64,
    /// Name of the engine with the black stones.
    pub black: String,
    /// Name of the engine with the white stones.
    pub white: String,
    /// How it ended, as SGF writes it.
    #[serde(serialize_with = "write_result", deserialize_with = "read_result")]
    pub result: GameResult,
    /// What ended it.
    pub ending: Ending,
    /// How the score was found, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted_by: Option<CountMethod>,
    /// More about the ending, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Number of moves, those of the opening included.
    pub moves: u64,
    /// What the engines spent, Black first.
    pub effort: [Effort; 2],
}

/// What ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Both passed, and the points were counted.
    Score,
    /// The loser resigned.
    Resign,
    /// The loser's time was over, or it did not answer.
    Time,
    /// The loser ended or did not start.
    Crash,
    /// The loser made a move that the rules forbid.
    Illegal,
    /// The loser said something that no GTP engine may say at this point.
    Protocol,
    /// There were too many moves; the game is drawn.
    MoveLimit,
}

/// A way to find the score of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CountMethod {
    /// Both engines name the same dead stones.
    Agreement,
    /// A third engine says.
    Arbiter,
    /// Both engines play on until all dead stones are captured.
    Cleanup,
    /// The referee plays the position out many times.
    Playouts,
    /// All stones on the board are alive.
    Board,
}

/// What an engine spent on its own moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Effort {
    /// Moves it was asked for.
    pub moves: u64,
    /// Seconds for all of them.
    pub seconds: f64,
    /// Seconds for the slowest of them.
    pub longest: f64,
    /// Moves of which it said the number of playouts.
    pub told: u64,
    /// Playouts for those.
    pub playouts: u64,
}

impl GameLine {
    /// The name of the engine with stones of this colour.
    pub fn player(&self, color: Color) -> &str {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    /// Half points of the player of a colour: 2 for a win, 1 for a game that nobody won.
    pub fn half_points(&self, color: Color) -> usize {
        match self.result.winner() {
            Some(winner) if winner == color => 2,
            Some(_) => 0,
            None => 1,
        }
    }
}

impl Ending {
    /// Every ending, the usual ones first.
    pub const ALL: [Ending; 7] = [
        Ending::Score,
        Ending::Resign,
        Ending::Time,
        Ending::Crash,
        Ending::Illegal,
        Ending::Protocol,
        Ending::MoveLimit,
    ];

    /// The word for it in tables.
    pub fn word(self) -> &'static str {
        match self {
            Ending::Score => "score",
            Ending::Resign => "resign",
            Ending::Time => "time",
            Ending::Crash => "crash",
            Ending::Illegal => "illegal",
            Ending::Protocol => "protocol",
            Ending::MoveLimit => "limit",
        }
    }
}

impl CountMethod {
    /// Every method, the most trusted first.
    pub const ALL: [CountMethod; 5] = [
        CountMethod::Agreement,
        CountMethod::Arbiter,
        CountMethod::Cleanup,
        CountMethod::Playouts,
        CountMethod::Board,
    ];

    /// The word for it in tables and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            CountMethod::Agreement => "agreement",
            CountMethod::Arbiter => "arbiter",
            CountMethod::Cleanup => "cleanup",
            CountMethod::Playouts => "playouts",
            CountMethod::Board => "board",
        }
    }

    /// The method of that word.
    pub fn parse(word: &str) -> Option<CountMethod> {
        CountMethod::ALL.into_iter().find(|method| method.word() == word)
    }
}

impl Effort {
    /// Adds one move.
    pub fn add(&mut self, seconds: f64, playouts: Option<u64>) {
        self.moves += 1;
        self.seconds += seconds;
        self.longest = self.longest.max(seconds);
        if let Some(playouts) = playouts {
            self.told += 1;
            self.playouts += playouts;
        }
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Effort) -> Effort {
        Effort {
            moves: self.moves + other.moves,
            seconds: self.seconds + other.seconds,
            longest: self.longest.max(other.longest),
            told: self.told + other.told,
            playouts: self.playouts + other.playouts,
        }
    }
}

fn write_result<S: Serializer>(result: &GameResult, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(result)
}

fn read_result<'de, D: Deserializer<'de>>(deserializer: D) -> Result<GameResult, D::Error> {
    let text = String::deserialize(deserializer)?;
    GameResult::parse(&text).map_err(serde::de::Error::custom)
}
