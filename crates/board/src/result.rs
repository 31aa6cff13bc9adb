//! How a game ended, in the notation that GTP (`final_score`) and SGF (`RE`) share.

use crate::color::Color;
use std::fmt;

/// A counted position, komi included.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Score {
    /// Black's points minus White's.
    pub black_lead: f32,
}

impl Score {
    /// The score of a board on which Black is `lead` points ahead when White also gets `komi`.
    pub fn with_komi(lead: i32, komi: f32) -> Score {
        Score { black_lead: lead as f32 - komi }
    }

    /// Who won, unless it is a draw.
    pub fn winner(self) -> Option<Color> {
        if self.black_lead > 0.0 {
            Some(Color::Black)
        } else if self.black_lead < 0.0 {
            Some(Color::White)
        } else {
            None
        }
    }

    /// By how many points the winner is ahead.
    pub fn margin(self) -> f32 {
        self.black_lead.abs()
    }
}

/// As [`GameResult`]: `B+3.5`, `W+10`, `0`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        GameResult::from(*self).fmt(f)
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GameResult {
    /// Somebody won.
    Win(Color, Margin),
    /// Both have the same number of points.
    Draw,
    /// There is no result, as after a triple ko or an abandoned game.
    Void,
    /// The result is not known.
    Unknown,
}

/// By what a game was won.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Margin {
    /// More points, this many.
    Points(f32),
    /// The opponent resigned.
    Resignation,
    /// The opponent ran out of time.
    Time,
    /// The opponent forfeited the game, for example by an illegal move.
    Forfeit,
    /// Not stated.
    Unstated,
}

impl GameResult {
    /// Who won, if anybody did.
    pub fn winner(self) -> Option<Color> {
        match self {
            GameResult::Win(winner, _) => Some(winner),
            GameResult::Draw | GameResult::Void | GameResult::Unknown => None,
        }
    }

    /// Reads a result in any case, with the long forms of SGF (`B+Resign`, `Draw`).
    pub fn parse(text: &str) -> Result<GameResult, ResultError> {
        let malformed = || ResultError(text.to_owned());
        let lower = text.trim().to_ascii_lowercase();
        match lower.as_str() {
            "0" | "draw" => return Ok(GameResult::Draw),
            "void" => return Ok(GameResult::Void),
            "?" => return Ok(GameResult::Unknown),
            _ => {}
        }
        let (winner, margin) = lower.split_once('+').ok_or_else(malformed)?;
        let winner = match winner {
            "b" => Color::Black,
            "w" => Color::White,
            _ => return Err(malformed()),
        };
        let margin = match margin {
            "" => Margin::Unstated,
            "r" | "resign" => Margin::Resignation,
            "t" | "time" => Margin::Time,
            "f" | "forfeit" => Margin::Forfeit,
            number => match number.parse::<f32>() {
                Ok(points)
                    if points.is_finite() && number.starts_with(|c: char| c.is_ascii_digit() || c == '.') =>
                {
                    Margin::Points(points)
                }
                _ => return Err(malformed()),
            },
        };
        Ok(if margin == Margin::Points(0.0) { GameResult::Draw } else { GameResult::Win(winner, margin) })
    }
}

impl From<Score> for GameResult {
    fn from(score: Score) -> GameResult {
        match score.winner() {
            Some(winner) => GameResult::Win(winner, Margin::Points(score.margin())),
            None => GameResult::Draw,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameResult::Win(winner, margin) => {
                write!(f, "{}+", winner.letter())?;
                match margin {
                    Margin::Points(points) => points.fmt(f),
                    Margin::Resignation => f.write_str("R"),
                    Margin::Time => f.write_str("T"),
                    Margin::Forfeit => f.write_str("F"),
                    Margin::Unstated => Ok(()),
                }
            }
            GameResult::Draw => f.write_str("0"),
            GameResult::Void => f.write_str("Void"),
            GameResult::Unknown => f.write_str("?"),
        }
    }
}

/// A text that is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultError(pub String);

impl fmt::Display for ResultError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is not the result of a game", self.0)
    }
}

impl std::error::Error for ResultError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: GameResult, printed: &str) {
        let result = GameResult::parse(text).unwrap();
        assert_eq!(result, expected, "{text}");
        assert_eq!(result.to_string(), printed);
        assert_eq!(GameResult::parse(printed), Ok(result));
    }

    #[test]
    fn results_are_read_and_printed() {
        let black = |margin| GameResult::Win(Color::Black, margin);
        let white = |margin| GameResult::Win(Color::White, margin);
        check("B+3.5", black(Margin::Points(3.5)), "B+3.5");
        check("w+12", white(Margin::Points(12.0)), "W+12");
        check("B+.5", black(Margin::Points(0.5)), "B+0.5");
        check("W+R", white(Margin::Resignation), "W+R");
        check("W+Resign", white(Margin::Resignation), "W+R");
        check("B+Time", black(Margin::Time), "B+T");
        check("B+F", black(Margin::Forfeit), "B+F");
        check("B+", black(Margin::Unstated), "B+");
        check("0", GameResult::Draw, "0");
        check(" Draw ", GameResult::Draw, "0");
        check("B+0.0", GameResult::Draw, "0");
        check("Void", GameResult::Void, "Void");
        check("?", GameResult::Unknown, "?");
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "B", "+", "X+3", "B+x", "B+-3", "B++3", "B+nan", "B+inf", "Black wins", "B+1e99"] {
            assert_eq!(GameResult::parse(text), Err(ResultError(text.to_owned())));
        }
    }

    #[test]
    fn scores_name_the_winner() {
        let check = |lead, komi, printed: &str, winner| {
            let score = Score::with_komi(lead, komi);
            assert_eq!((score.to_string().as_str(), score.winner()), (printed, winner));
        };
        check(11, 7.5, "B+3.5", Some(Color::Black));
        check(7, 7.5, "W+0.5", Some(Color::White));
        check(7, 7.0, "0", None);
        check(-81, 0.0, "W+81", Some(Color::White));
    }
}
