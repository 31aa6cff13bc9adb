//! The games of this user, each an SGF file in one directory.
//!
//! A file is replaced as a whole after every change, so whatever dies at whatever moment leaves the game as it was before or after it. Every version has a
//! tag; who writes names the version that he saw, and is refused if somebody else has written since.

use serde::Serialize;
use std::collections::hash_map::DefaultHasher;
use std::fmt;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::UNIX_EPOCH;
use tesuji_sgf::{GameRecord, parse, write_file};

/// Games that are listed, the newest first.
const MAX_LISTED: usize = 200;
/// Longest id.
const MAX_ID: usize = 64;

/// A directory of games.
#[derive(Debug)]
pub(crate) struct Archive {
    directory: PathBuf,
    /// Held from looking at a version to replacing it.
    writing: Mutex<()>,
}

/// A game and the tag of its version.
#[derive(Debug)]
pub(crate) struct Stored {
    pub(crate) sgf: String,
    pub(crate) tag: String,
}

/// A line of the list.
#[derive(Debug, Serialize)]
pub(crate) struct Entry {
    id: String,
    /// Seconds since 1970.
    modified: u64,
    black: String,
    white: String,
    result: String,
    moves: usize,
    size: String,
}

/// Why a game cannot be had or stored.
#[derive(Debug)]
pub(crate) enum ArchiveError {
    /// An id that is none.
    BadId,
    NotFound,
    /// Somebody else has changed the game.
    Conflict,
    /// What should be stored is no game record.
    NoRecord(String),
    Io(io::Error),
}

impl fmt::Display for ArchiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArchiveError::BadId => f.write_str("this is no name of a game"),
            ArchiveError::NotFound => f.write_str("there is no such game"),
            ArchiveError::Conflict => f.write_str("the game was changed in another window"),
            ArchiveError::NoRecord(error) => write!(f, "this is no game record: {error}"),
            ArchiveError::Io(error) => write!(f, "the games cannot be read or written: {error}"),
        }
    }
}

impl std::error::Error for ArchiveError {}

impl Archive {
    /// The games in a directory, which is made if it is not there.
    pub(crate) fn open(directory: &Path) -> io::Result<Archive> {
        fs::create_dir_all(directory)?;
        Ok(Archive { directory: directory.to_owned(), writing: Mutex::new(()) })
    }

    pub(crate) fn list(&self) -> Result<Vec<Entry>, ArchiveError> {
        let mut found: Vec<(u64, String)> = Vec::new();
        for entry in fs::read_dir(&self.directory).map_err(ArchiveError::Io)? {
            let entry = entry.map_err(ArchiveError::Io)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let Some(id) = name.strip_suffix(".sgf").filter(|id| is_id(id)) else { continue };
            let modified = entry.metadata().and_then(|data| data.modified()).unwrap_or(UNIX_EPOCH);
            let seconds = modified.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
            found.push((seconds, id.to_owned()));
        }
        found.sort_by(|a, b| b.cmp(a));
        found.truncate(MAX_LISTED);
        Ok(found.into_iter().filter_map(|(modified, id)| self.entry(id, modified)).collect())
    }

    /// A line about a game; nothing if the file was spoilt by somebody.
    fn entry(&self, id: String, modified: u64) -> Option<Entry> {
        let stored = self.load(&id).ok()?;
        let parsed = parse(stored.sgf.as_bytes()).ok()?;
        let record = GameRecord::from_tree(parsed.collection.games.first()?).ok()?;
        let (width, height) = (record.size.width(), record.size.height());
        Some(Entry {
            id,
            modified,
            result: record.result.to_string(),
            moves: record.moves.len(),
            size: format!("{width}×{height}"),
            black: record.black_name,
            white: record.white_name,
        })
    }

    pub(crate) fn load(&self, id: &str) -> Result<Stored, ArchiveError> {
        let sgf = fs::read_to_string(self.path(id)?).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => ArchiveError::NotFound,
            _ => ArchiveError::Io(error),
        })?;
        let tag = tag(&sgf);
        Ok(Stored { sgf, tag })
    }

    /// Stores a game whose last version known to the writer has tag `seen`, none if it is new; returns the new tag.
    pub(crate) fn store(&self, id: &str, sgf: &str, seen: Option<&str>) -> Result<String, ArchiveError> {
        let path = self.path(id)?;
        let parsed = parse(sgf.as_bytes()).map_err(|error| ArchiveError::NoRecord(error.to_string()))?;
        let game = parsed.collection.games.first();
        let game = game.ok_or_else(|| ArchiveError::NoRecord("it is empty".to_owned()))?;
        GameRecord::from_tree(game).map_err(|error| ArchiveError::NoRecord(error.to_string()))?;
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let new = tag(sgf);
        match self.load(id) {
            Ok(stored) if stored.tag == new => return Ok(new),
            Ok(stored) if seen != Some(stored.tag.as_str()) => return Err(ArchiveError::Conflict),
            Ok(_) | Err(ArchiveError::NotFound) => {}
            Err(error) => return Err(error),
        }
        write_file(&path, sgf).map_err(ArchiveError::Io)?;
        Ok(new)
    }

    pub(crate) fn remove(&self, id: &str) -> Result<(), ArchiveError> {
        fs::remove_file(self.path(id)?).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => ArchiveError::NotFound,
            _ => ArchiveError::Io(error),
        })
    }

    fn path(&self, id: &str) -> Result<PathBuf, ArchiveError> {
        if is_id(id) { Ok(self.directory.join(format!("{id}.sgf"))) } else { Err(ArchiveError::BadId) }
    }
}

/// Letters, digits and hyphens alone: nothing that leads out of the directory.
fn is_id(id: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !id.is_empty() && id.len() <= MAX_ID && id.bytes().all(is_allowed)
}

/// Tells versions apart; nobody gains from forging one.
fn tag(sgf: &str) -> String {
    let mut hasher = DefaultHasher::new();
    sgf.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "(;GM[1]FF[4]SZ[9]PB[You]PW[Tesuji];B[ee];W[ce])";
    const LONGER: &str = "(;GM[1]FF[4]SZ[9]PB[You]PW[Tesuji];B[ee];W[ce];B[cc])";

    #[test]
    fn games_are_kept_and_listed() {
        let directory = tempfile::tempdir().unwrap();
        let archive = Archive::open(&directory.path().join("games")).unwrap();
        assert!(archive.list().unwrap().is_empty());
        let first = archive.store("one", GAME, None).unwrap();
        archive.store("one", LONGER, Some(&first)).unwrap();
        let again = Archive::open(&directory.path().join("games")).unwrap();
        assert_eq!(again.load("one").unwrap().sgf, LONGER);
        let list = again.list().unwrap();
        assert_eq!((list.len(), list[0].moves, list[0].size.as_str()), (1, 3, "9×9"));
        again.remove("one").unwrap();
        assert!(matches!(again.load("one"), Err(ArchiveError::NotFound)));
    }

    #[test]
    fn nobody_overwrites_what_he_has_not_seen() {
        let directory = tempfile::tempdir().unwrap();
        let archive = Archive::open(directory.path()).unwrap();
        let first = archive.store("one", GAME, None).unwrap();
        assert!(matches!(archive.store("one", LONGER, None), Err(ArchiveError::Conflict)));
        let second = archive.store("one", LONGER, Some(&first)).unwrap();
        assert!(matches!(archive.store("one", GAME, Some(&first)), Err(ArchiveError::Conflict)));
        assert_eq!(archive.load("one").unwrap().tag, second);
        // The same text once more is no change.
        assert_eq!(archive.store("one", LONGER, None).unwrap(), second);
    }

    #[test]
    fn nothing_but_games_goes_in_and_nothing_gets_out() {
        let directory = tempfile::tempdir().unwrap();
        let archive = Archive::open(directory.path()).unwrap();
        for text in ["", "no game", "(;SZ[99];B[aa])"] {
            assert!(matches!(archive.store("one", text, None), Err(ArchiveError::NoRecord(_))), "{text}");
        }
        for id in ["", "../one", "a/b", "a.b", "A", &"a".repeat(65)] {
            assert!(matches!(archive.store(id, GAME, None), Err(ArchiveError::BadId)), "{id}");
            assert!(matches!(archive.load(id), Err(ArchiveError::BadId)), "{id}");
        }
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
    }
}
