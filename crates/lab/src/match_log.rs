//! The files of a match: what was agreed, one line per finished game, and the games.
//!
//! A line is written only when the game is over and its SGF exists, and it is on the disk before the next game counts.
//! A line that was cut short by a crash has no line end; it is removed when the log is opened again, and its game is
//! played again. The log is locked while it is open, so that two runners cannot both add to it.

use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use serde_json::{Map, Value};

use crate::record::GameLine;

/// An open log.
#[derive(Debug)]
pub struct MatchLog {
    directory: PathBuf,
    file: File,
}

/// Why a log cannot be used.
#[derive(Debug)]
pub enum LogError {
    /// A file cannot be read or written.
    Io(PathBuf, io::Error),
    /// Another runner has it open.
    Locked(PathBuf),
    /// The directory holds a match with other terms, which differ in these.
    OtherMatch(PathBuf, Vec<String>),
    /// A line, by its number from 1, is damaged in a way that a crash does not explain.
    Damaged(PathBuf, usize, String),
}

impl MatchLog {
    /// Opens or creates the log in a directory and returns the games already finished, by number.
    ///
    /// `terms` are what makes games comparable; a log with other terms is refused.
    pub fn open(
        directory: &Path,
        match_id: &str,
        terms: &Map<String, Value>,
    ) -> Result<(MatchLog, Vec<GameLine>), LogError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |error| LogError::Io(path, error)
        };
        fs::create_dir_all(directory).map_err(failed(directory))?;
        let path = directory.join(LOG_NAME);
        let opened = OpenOptions::new().read(true).append(true).create(true).open(&path);
        let mut file = opened.map_err(failed(&path))?;
        lock(&file, &path)?;
        agree_on_terms(directory, terms)?;
        let text = read_whole_lines(&mut file).map_err(failed(&path))?;
        let mut games: Vec<GameLine> = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let game: GameLine = serde_json::from_str(line)
                .map_err(|error| LogError::Damaged(path.clone(), index + 1, error.to_string()))?;
            // The first result of a game stands.
            if game.match_id == match_id && games.iter().all(|other| other.game != game.game) {
                games.push(game);
            }
        }
        games.sort_by_key(|game| game.game);
        Ok((MatchLog { directory: directory.to_owned(), file }, games))
    }

    /// Adds a finished game and its SGF; both are on the disk afterwards.
    pub fn add(&mut self, game: &GameLine, sgf: &str) -> Result<(), LogError> {
        let path = self.directory.join(format!("game-{:05}.sgf", game.game));
        write_file(&path, sgf).map_err(|error| LogError::Io(path, error))?;
        let mut line = serde_json::to_string(game).unwrap_or_default();
        line.push('\n');
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(|error| LogError::Io(self.directory.join(LOG_NAME), error))
    }
}

const LOG_NAME: &str = "games.jsonl";
const TERMS_NAME: &str = "match.json";

/// A process just forked holds the locks of its parent until it becomes another program.
const LOCK_ATTEMPTS: u32 = 40;
const LOCK_PAUSE: Duration = Duration::from_millis(25);

fn lock(file: &File, path: &Path) -> Result<(), LogError> {
    for _ in 0..LOCK_ATTEMPTS {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => thread::sleep(LOCK_PAUSE),
            Err(TryLockError::Error(error)) => return Err(LogError::Io(path.to_owned(), error)),
        }
    }
    Err(LogError::Locked(path.to_owned()))
}

/// Writes the terms of a new match, or compares them with those of an old one.
fn agree_on_terms(directory: &Path, terms: &Map<String, Value>) -> Result<(), LogError> {
    let path = directory.join(TERMS_NAME);
    let failed = |error| LogError::Io(path.clone(), error);
    let text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let text = serde_json::to_string_pretty(terms).unwrap_or_default();
            return write_file(&path, &(text + "\n")).map_err(failed);
        }
        text => text.map_err(failed)?,
    };
    let old: Map<String, Value> = serde_json::from_str(&text)
        .map_err(|error| LogError::Damaged(path.clone(), error.line(), error.to_string()))?;
    let mut keys: Vec<String> = old.keys().chain(terms.keys()).cloned().collect();
    keys.sort();
    keys.dedup();
    keys.retain(|key| old.get(key) != terms.get(key));
    if keys.is_empty() { Ok(()) } else { Err(LogError::OtherMatch(directory.to_owned(), keys)) }
}

/// The lines that are complete; what follows the last of them is cut off the file.
fn read_whole_lines(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut bytes)?;
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    if whole < bytes.len() {
        bytes.truncate(whole);
        file.set_len(whole as u64)?;
        file.sync_all()?;
    }
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Writes a file that is either there as a whole or not at all.
fn write_file(path: &Path, text: &str) -> io::Result<()> {
    let partial = path.with_extension("partial");
    let mut file = File::create(&partial)?;
    file.write_all(text.as_bytes())?;
    file.sync_data()?;
    fs::rename(&partial, path)
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LogError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            LogError::Locked(path) => write!(f, "{}: another match is writing to it", path.display()),
            LogError::OtherMatch(path, keys) => {
                let path = path.display();
                write!(
                    f,
                    "{path} holds another match, with other {}; choose another directory",
                    keys.join(", ")
                )
            }
            LogError::Damaged(path, line, error) => write!(f, "{}, line {line}: {error}", path.display()),
        }
    }
}

impl std::error::Error for LogError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{CountMethod, Effort, Ending};
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

    fn terms(seed: u64) -> Map<String, Value> {
        Map::from_iter([("seed".to_owned(), Value::from(seed))])
    }

    fn open(directory: &Path) -> (MatchLog, Vec<GameLine>) {
        MatchLog::open(directory, "id", &terms(1)).unwrap()
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
        let again = MatchLog::open(directory.path(), "id", &terms(1));
        assert!(matches!(again, Err(LogError::Locked(_))));
        log.add(&game(1), "(;)").unwrap();
        drop(log);
        let other = MatchLog::open(directory.path(), "id", &terms(2));
        assert!(matches!(&other, Err(LogError::OtherMatch(_, keys)) if keys == &["seed"]));
        let path = directory.path().join(LOG_NAME);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("nonsense\n{text}")).unwrap();
        let damaged = MatchLog::open(directory.path(), "id", &terms(1));
        assert!(matches!(damaged, Err(LogError::Damaged(_, 1, _))));
    }
}
