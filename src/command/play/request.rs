//! What the person can ask for, and how it is typed.

use std::path::PathBuf;
use tesuji_board::{Move, Size, VertexError};
use tesuji_engine::suggestion;

/// One line of input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// Make this move.
    Move(Move),
    /// Take back the last move and its answer.
    Undo,
    /// What would the engine play?
    Hint,
    /// Who is ahead, and where?
    Score,
    /// Write the game to a file.
    Save(PathBuf),
    /// Resume the game in a file.
    Load(PathBuf),
    /// Give up.
    Resign,
    /// Another game on the same terms.
    New,
    /// Show the board again.
    Board,
    /// Show the game in the browser.
    Browser,
    /// List all this.
    Help,
    /// Leave.
    Quit,
}

/// The answer to `help`.
pub(super) const HELP: &str =
    "  D4             play there: letter of the column (there is no I), number of the row
  pass           pass; two passes in a row end the game
  undo           take back your last move and the answer
  hint           what the engine would play for you
  score          who is ahead, and whose each point is
  save FILE.sgf  write the game to a file
  load FILE.sgf  resume a game from a file
  resign         give up
  new            start again
  board          show the board
  web            go on in the browser
  quit           leave
";

/// All words, for those who mistype them.
const WORDS: [&str; 12] =
    ["pass", "undo", "hint", "score", "save", "load", "resign", "new", "board", "web", "help", "quit"];

impl Request {
    /// Reads a line; `None` if there is nothing on it.
    pub(super) fn parse(line: &str, size: Size) -> Result<Option<Request>, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let request = match word.to_ascii_lowercase().as_str() {
            "" => return Ok(None),
            "undo" | "u" => Request::Undo,
            "hint" => Request::Hint,
            "score" => Request::Score,
            "save" if rest.is_empty() => return Err("save needs a file name: save game.sgf".to_owned()),
            "save" => return Ok(Some(Request::Save(PathBuf::from(rest)))),
            "load" if rest.is_empty() => return Err("load needs a file name: load game.sgf".to_owned()),
            "load" => return Ok(Some(Request::Load(PathBuf::from(rest)))),
            "resign" => Request::Resign,
            "new" => Request::New,
            "board" | "show" => Request::Board,
            "web" => Request::Browser,
            "help" | "h" | "?" => Request::Help,
            "quit" | "q" | "exit" => Request::Quit,
            _ => match Move::from_gtp(word, size) {
                Ok(mv) => Request::Move(mv),
                Err(error @ VertexError::OffBoard(..)) => return Err(error.to_string()),
                Err(VertexError::Malformed(_)) => {
                    let meant = suggestion(word, WORDS);
                    return Err(format!(
                        "'{word}' is neither a point nor a command; help lists all commands{meant}"
                    ));
                }
            },
        };
        if rest.is_empty() { Ok(Some(request)) } else { Err(format!("unexpected '{rest}' after {word}")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Option<Request>, String> {
        Request::parse(line, Size::square(9).unwrap())
    }

    #[test]
    fn requests() {
        assert_eq!(parse(" PASS "), Ok(Some(Request::Move(Move::Pass))));
        assert!(matches!(parse("d4"), Ok(Some(Request::Move(Move::Play(_))))));
        assert_eq!(parse("save my game.sgf"), Ok(Some(Request::Save(PathBuf::from("my game.sgf")))));
        assert_eq!(parse("Quit"), Ok(Some(Request::Quit)));
        assert_eq!(parse(" \t"), Ok(None));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (line, expected) in [
            ("K1", "K1"),
            ("save", "file name"),
            ("load", "file name"),
            ("xyzzy", "xyzzy"),
            ("scoer", "did you mean 'score'?"),
            ("undo 3", "unexpected '3'"),
            ("é", "é"),
        ] {
            let error = parse(line).unwrap_err();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }

    #[test]
    fn help_lists_every_word() {
        for word in WORDS.iter().filter(|&&word| word != "help") {
            assert!(HELP.contains(&format!("  {word} ")), "{word}");
        }
    }
}
