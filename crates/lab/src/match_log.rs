//! The files of a match: what was agreed, one line per finished game, and the games.
//!
//! A line is written only when the game is over and its SGF exists, and it is on the disk before the next game counts. What
//! happens to a line that a crash cut short, and to a second runner, is the business of [`LineLog`].

use std::fmt;
use std::path::{Path, PathBuf};

use crate::line_log::{LineLog, LineLogError, write_file};
use crate::record::GameLine;
use crate::terms::{Terms, agree};

/// An open log.
#[derive(Debug)]
pub struct MatchLog {
    directory: PathBuf,
    lines: LineLog,
}

/// Why a log cannot be used.
#[derive(Debug)]
pub enum LogError {
    /// A file cannot be used.
    File(LineLogError),
    /// The directory holds a match with other terms, which differ in these.
    OtherMatch(PathBuf, Vec<String>),
    /// A line, by its number from 1, tells of a game that is not in the plan.
    NotPlanned(PathBuf, usize, u64),
}

impl MatchLog {
    /// Opens or creates the log in a directory and returns the games already finished, by number.
    ///
    /// `terms` are what makes games comparable; a log with other terms, or with a game that is not planned, is refused.
    pub fn open(
        directory: &Path,
        terms: &Terms,
        is_planned: impl Fn(&GameLine) -> bool,
    ) -> Result<(MatchLog, Vec<GameLine>), LogError> {
        let path = directory.join(LOG_NAME);
        let (lines, found) = LineLog::open::<GameLine>(&path)?;
        let differing = agree(&directory.join(TERMS_NAME), terms)?;
        if !differing.is_empty() {
            return Err(LogError::OtherMatch(directory.to_owned(), differing));
        }
        let mut games: Vec<GameLine> = Vec::new();
        for (index, game) in found.into_iter().enumerate() {
            if !is_planned(&game) {
                return Err(LogError::NotPlanned(path, index + 1, game.game));
            }
            // The first result of a game stands.
            if games.iter().all(|other| other.game != game.game) {
                games.push(game);
            }
        }
        games.sort_by_key(|game| game.game);
        Ok((MatchLog { directory: directory.to_owned(), lines }, games))
    }

    /// Adds a finished game and its SGF; both are on the disk afterwards.
    pub fn add(&mut self, game: &GameLine, sgf: &str) -> Result<(), LogError> {
        let path = self.directory.join(format!("game-{:05}.sgf", game.game));
        write_file(&path, sgf).map_err(|error| LineLogError::Io(path, error))?;
        Ok(self.lines.add(game)?)
    }
}

const LOG_NAME: &str = "games.jsonl";
const TERMS_NAME: &str = "match.json";

impl From<LineLogError> for LogError {
    fn from(error: LineLogError) -> LogError {
        LogError::File(error)
    }
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LogError::File(error) => error.fmt(f),
            LogError::OtherMatch(path, keys) => {
                let path = path.display();
                write!(
                    f,
                    "{path} holds another match, with other {}; choose another directory",
                    keys.join(", ")
                )
            }
            LogError::NotPlanned(path, line, game) => {
                let path = path.display();
                write!(
                    f,
                    "{path}, line {line}: game {game}, as it is told there, is not in the plan of this match"
                )
            }
        }
    }
}

impl std::error::Error for LogError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{CountMethod, Effort, Ending};
    use std::fs;
    use tesuji_board::GameResult;

    fn game(number: u64) -> GameLine {
        GameLine {
            match_id: "id".into(),
            game: number,
            round: 1,
            black: "a \"quoted\" name".into(),
            white: "b\nb".into(),
            result: GameResult::parse("B+3.5").unwrap(),
            ending: Ending::Score,
            counted_by: Some(CountMethod::Cleanup),
            detail: String::new(),
            moves: 77,
            effort: [
                Effort { moves: 3, seconds: 0.1, longest: 0.05, told: 1, playouts: 9 },
                Effort::default(),
            ],
        }
    }

    fn terms(seed: u64) -> Terms {
        Terms::from_iter([("seed".to_owned(), seed.into())])
    }

    fn open(directory: &Path) -> (MatchLog, Vec<GameLine>) {
        MatchLog::open(directory, &terms(1), |_| true).unwrap()
    }

    #[test]
    fn games_are_there_again() {
        let directory = tempfile::tempdir().unwrap();
        let (mut log, games) = open(directory.path());
        assert!(games.is_empty());
        log.add(&game(2), "(;)").unwrap();
        log.add(&game(1), "(;)").unwrap();
        drop(log);
        assert_eq!(open(directory.path()).1, [game(1), game(2)]);
        assert_eq!(fs::read_to_string(directory.path().join("game-00002.sgf")).unwrap(), "(;)");
    }

    #[test]
    fn a_line_cut_anywhere_is_repaired() {
        let directory = tempfile::tempdir().unwrap();
        let (mut log, _) = open(directory.path());
        log.add(&game(1), "(;)").unwrap();
        log.add(&game(2), "(;)").unwrap();
        drop(log);
        let path = directory.path().join(LOG_NAME);
        let whole = fs::read(&path).unwrap();
        let first = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        for cut in (first..whole.len()).step_by(23) {
            fs::write(&path, &whole[..cut]).unwrap();
            let (mut log, games) = open(directory.path());
            assert_eq!(games, [game(1)], "cut at {cut}");
            log.add(&game(2), "(;)").unwrap();
            drop(log);
            assert_eq!(fs::read(&path).unwrap(), whole, "cut at {cut}");
        }
    }

    #[test]
    fn other_matches_and_damage_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let (mut log, _) = open(directory.path());
        let again = MatchLog::open(directory.path(), &terms(1), |_| true);
        assert!(matches!(again, Err(LogError::File(LineLogError::Locked(_)))));
        log.add(&game(1), "(;)").unwrap();
        drop(log);
        let other = MatchLog::open(directory.path(), &terms(2), |_| true);
        assert!(matches!(&other, Err(LogError::OtherMatch(_, keys)) if keys == &["seed"]));
        let path = directory.path().join(LOG_NAME);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("nonsense\n{text}")).unwrap();
        let damaged = MatchLog::open(directory.path(), &terms(1), |_| true);
        assert!(matches!(damaged, Err(LogError::File(LineLogError::Damaged(_, 1, _)))));
    }
}
