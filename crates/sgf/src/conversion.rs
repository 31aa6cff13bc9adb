//! Between records and the one-line format, which holds games from the start only: a square board, at most a handicap set up, moves
//! strictly in turn. Names, date, rules and comments are lost on the way to a line.

use std::fmt;

use tesuji_board::{Color, Move};

use crate::game::GameRecord;
use crate::line::GameLine;
use crate::property::Komi;

/// Why a record does not fit on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineConversionError {
    /// The board is no square.
    NotSquare,
    /// There are stones before the first move that are no handicap.
    SetUp,
    /// This move, counted from 1, is not by the player whose turn it is.
    Turn(usize),
}

impl fmt::Display for LineConversionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineConversionError::NotSquare => f.write_str("the board is not square"),
            LineConversionError::SetUp => {
                f.write_str("stones are set up before the first move, and not as a handicap")
            }
            LineConversionError::Turn(number) => write!(f, "move {number} is out of turn"),
        }
    }
}

impl std::error::Error for LineConversionError {}

impl GameLine {
    /// The moves with their players.
    pub fn colored_moves(&self) -> impl Iterator<Item = (Color, Move)> + '_ {
        let skipped = usize::from(self.first() == Color::White);
        Color::BOTH.into_iter().cycle().skip(skipped).zip(self.moves.iter().copied())
    }
}

impl TryFrom<&GameRecord> for GameLine {
    type Error = LineConversionError;

    fn try_from(record: &GameRecord) -> Result<GameLine, LineConversionError> {
        if !record.size.is_square() {
            return Err(LineConversionError::NotSquare);
        }
        // A handicap is Black's stones alone, and White to move.
        let is_handicap = !record.setup_black.is_empty();
        if !record.setup_white.is_empty() || is_handicap && record.to_play == Color::Black {
            return Err(LineConversionError::SetUp);
        }
        let mut turns = Color::BOTH.into_iter().cycle().skip(usize::from(is_handicap));
        if let Some(i) = record.moves.iter().position(|&(color, _)| turns.next() != Some(color)) {
            return Err(LineConversionError::Turn(i + 1));
        }
        Ok(GameLine {
            size: record.size,
            komi: record.komi.points().unwrap_or_default(),
            handicap: record.handicap,
            result: record.result.clone(),
            black_rank: record.black_rank.clone(),
            white_rank: record.white_rank.clone(),
            setup: record.setup_black.clone(),
            moves: record.moves.iter().map(|&(_, mv)| mv).collect(),
        })
    }
}

impl From<&GameLine> for GameRecord {
    fn from(line: &GameLine) -> GameRecord {
        let rank = |text: &str| if text == "?" { String::new() } else { text.to_owned() };
        GameRecord {
            komi: Komi::Points(line.komi),
            handicap: line.handicap,
            result: line.result.clone(),
            black_rank: rank(&line.black_rank),
            white_rank: rank(&line.white_rank),
            setup_black: line.setup.clone(),
            to_play: line.first(),
            moves: line.colored_moves().collect(),
            ..GameRecord::new(line.size)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse;
    use tesuji_board::Size;

    fn to_line(sgf: &str) -> Result<String, LineConversionError> {
        let parsed = parse(sgf.as_bytes()).unwrap();
        let record = GameRecord::from_tree(&parsed.collection.games[0]).unwrap();
        GameLine::try_from(&record).map(|line| line.to_string())
    }

    #[test]
    fn lines_read_back_from_records() {
        for text in [
            "9 6.5 0 W+R 3p ? eeccttgg",
            "19 0 0 0 ? 9d",
            "19 7.5 0 ? ? ? pddpttttaa",
            "9 0.5 2 B+R 9k ? gccg/eeff",
        ] {
            let mut line = GameLine::new(Size::square(9).unwrap());
            line.read(text, 1).unwrap();
            assert_eq!(to_line(&GameRecord::from(&line).to_sgf()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert_eq!(to_line("(;SZ[9:8];B[aa])"), Err(LineConversionError::NotSquare));
        assert_eq!(to_line("(;SZ[9]AW[aa];B[bb])"), Err(LineConversionError::SetUp));
        assert_eq!(to_line("(;SZ[9];B[aa];B[bb])"), Err(LineConversionError::Turn(2)));
        assert_eq!(to_line("(;SZ[9];W[aa])"), Err(LineConversionError::Turn(1)));
    }
}
