//! A position as clients describe it, in the words of the analysis protocol: size, rules, komi, stones before the first move, moves.

use serde::Deserialize;
use std::fmt;
use tesuji_board::{Color, Game, MAX_KOMI, Move, Point, Rules, Size, SizeError};
use tesuji_sgf::replay_leniently;

/// What a client says.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Position {
    board_x_size: usize,
    board_y_size: usize,
    #[serde(default)]
    rules: Option<String>,
    #[serde(default)]
    komi: Option<f32>,
    #[serde(default)]
    initial_stones: Vec<(String, String)>,
    #[serde(default)]
    initial_player: Option<String>,
    #[serde(default)]
    moves: Vec<(String, String)>,
}

/// Moves that a position may have; no game is longer.
const MAX_MOVES: usize = 5000;

/// Why what a client says is no position.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PositionError {
    Size(SizeError),
    Field(&'static str, String),
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionError::Size(error) => error.fmt(f),
            PositionError::Field(name, error) => write!(f, "{name}: {error}"),
        }
    }
}

impl std::error::Error for PositionError {}

impl Position {
    /// The game that leads to it. Repetitions that the rules forbid stand if they were played.
    pub(crate) fn game(&self) -> Result<Game, PositionError> {
        let size = Size::new(self.board_x_size, self.board_y_size).map_err(PositionError::Size)?;
        let field = |name: &'static str| {
            move |error: &dyn fmt::Display| PositionError::Field(name, error.to_string())
        };
        let mut rules = match &self.rules {
            Some(name) => Rules::named(name).map_err(|error| field("rules")(&error))?,
            None => Rules::default(),
        };
        if let Some(komi) = self.komi {
            // A number that is none fails here too.
            if !(-MAX_KOMI..=MAX_KOMI).contains(&komi) {
                return Err(field("komi")(&format_args!("{komi} is not from -{MAX_KOMI} to {MAX_KOMI}")));
            }
            rules.komi = komi;
        }
        let first = match &self.initial_player {
            Some(name) => color(name).map_err(|error| field("initialPlayer")(&error))?,
            None => self
                .moves
                .first()
                .map_or(Ok(Color::Black), |(name, _)| color(name))
                .map_err(|error| field("moves")(&error))?,
        };
        let mut game = Game::new(size, rules);
        let stones = self.initial_stones.iter().map(|(name, at)| Ok((point(at, size)?, Some(color(name)?))));
        let stones: Vec<(Point, Option<Color>)> =
            stones.collect::<Result<_, String>>().map_err(|error| field("initialStones")(&error))?;
        game.set_up(stones, first).map_err(|error| field("initialStones")(&error))?;
        if self.moves.len() > MAX_MOVES {
            return Err(field("moves")(&format_args!("more than {MAX_MOVES}")));
        }
        let moves = self.moves.iter().map(|(name, at)| {
            Ok((color(name)?, Move::from_gtp(at, size).map_err(|error| format!("{at}: {error}"))?))
        });
        let moves: Vec<(Color, Move)> =
            moves.collect::<Result<_, String>>().map_err(|error| field("moves")(&error))?;
        replay_leniently(&mut game, moves).map_err(|error| field("moves")(&error))?;
        Ok(game)
    }
}

/// Reads a colour, or says that it is none.
pub(crate) fn color(name: &str) -> Result<Color, String> {
    Color::parse(name).ok_or_else(|| format!("{name} is no colour"))
}

/// Reads a point, or says why it is none.
pub(crate) fn point(name: &str, size: Size) -> Result<Point, String> {
    let read = Move::from_gtp(name, size).map_err(|error| format!("{name}: {error}"))?;
    read.point().ok_or_else(|| format!("{name} is no point"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(text: &str) -> Result<Game, String> {
        let position: Position = serde_json::from_str(text).map_err(|error| error.to_string())?;
        position.game().map_err(|error| error.to_string())
    }

    #[test]
    fn a_position_becomes_a_game() {
        let text = r#"{"boardXSize":9,"boardYSize":7,"rules":"japanese","komi":0.5,"initialPlayer":"W",
            "initialStones":[["B","C3"],["B","G5"]],"moves":[["W","E4"],["B","pass"]]}"#;
        let game = game(text).unwrap();
        assert_eq!((game.size().width(), game.size().height(), game.move_number()), (9, 7, 2));
        assert_eq!((game.handicap(), game.rules().komi, game.to_move()), (2, 0.5, Color::White));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, part) in [
            (r#"{"boardXSize":1,"boardYSize":9}"#, "1"),
            (r#"{"boardXSize":9}"#, "boardYSize"),
            (r#"{"boardXSize":9,"boardYSize":9,"rules":"chess"}"#, "rules: "),
            (r#"{"boardXSize":9,"boardYSize":9,"komi":1e30}"#, "komi: "),
            (r#"{"boardXSize":9,"boardYSize":9,"initialStones":[["B","Z99"]]}"#, "initialStones: Z99"),
            (r#"{"boardXSize":9,"boardYSize":9,"initialStones":[["B","pass"]]}"#, "no point"),
            (r#"{"boardXSize":9,"boardYSize":9,"moves":[["B","A1"],["W","A1"]]}"#, "moves: "),
            (r#"{"boardXSize":9,"boardYSize":9,"moves":[["red","A1"]]}"#, "no colour"),
        ] {
            let error = game(text).err().unwrap_or_default();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
