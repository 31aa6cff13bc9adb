//! Games in files: names, writing without losing what was there, and reading a game to resume.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use tesuji_board::{Color, Game, GameResult, Rules};
use tesuji_sgf::{GameRecord, read};

use crate::argument;

use super::date::today;
use super::{ENGINE_NAME, PERSON_NAME};

/// A game from a file.
pub(super) struct SavedGame {
    pub(super) game: Game,
    /// How it ended, if it has.
    pub(super) result: Option<GameResult>,
    /// The person's colour: as the file says, else whose turn it is.
    pub(super) person: Color,
    /// Whether the file is one of ours, in which nothing is lost if the game is written again.
    pub(super) is_ours: bool,
}

impl SavedGame {
    /// Reads the first game of a file: its main line, under the rules it names or else `fallback`.
    pub(super) fn load(path: &Path, fallback: Rules) -> anyhow::Result<SavedGame> {
        ensure!(!argument::is_standard_input(path), "your moves come from standard input, not the game");
        let bytes = argument::read(path)?;
        SavedGame::read(&bytes, fallback).with_context(|| format!("cannot resume {}", path.display()))
    }

    fn read(bytes: &[u8], fallback: Rules) -> anyhow::Result<SavedGame> {
        let parsed = read(bytes)?;
        let tree = parsed.collection.games.first().context("there is no game in it")?;
        let record = GameRecord::from_tree(tree)?;
        let game = record.replay_leniently(record.rules_or(fallback))?;
        let (person, is_ours) = match (record.black_name.as_str(), record.white_name.as_str()) {
            (PERSON_NAME, ENGINE_NAME) => (Color::Black, true),
            (ENGINE_NAME, PERSON_NAME) => (Color::White, true),
            _ => (game.to_move(), false),
        };
        Ok(SavedGame { result: GameResult::parse(&record.result.to_string()).ok(), game, person, is_ours })
    }
}

/// The name with `.sgf` at its end, which a person may leave out.
pub(super) fn with_extension(path: &Path) -> PathBuf {
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sgf")) {
        return path.to_owned();
    }
    let mut name = path.as_os_str().to_owned();
    name.push(".sgf");
    PathBuf::from(name)
}

/// A file name with today's date that is not taken.
pub(super) fn dated_name() -> PathBuf {
    free_name(&PathBuf::from(format!("tesuji-{}.sgf", today())))
}

/// The name, or else the first one with a number behind it, that is not taken.
pub(super) fn free_name(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let numbered = (2..).map(|number| path.with_file_name(format!("{stem}-{number}.sgf")));
    std::iter::once(path.to_owned()).chain(numbered).find(|name| !name.exists()).unwrap_or_default()
}

/// Writes a file whole or not at all: what was there before stays if this fails.
pub(super) fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let written = fs::write(&part, text).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        // Left over only if this fails too, and then nothing can be done about it.
        let _ = fs::remove_file(&part);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_get_the_extension_they_lack() {
        for (name, expected) in [
            ("a", "a.sgf"),
            ("a.sgf", "a.sgf"),
            ("b/a.SGF", "b/a.SGF"),
            ("a.b", "a.b.sgf"),
            ("b/c d", "b/c d.sgf"),
        ] {
            assert_eq!(with_extension(Path::new(name)), PathBuf::from(expected));
        }
    }

    #[test]
    fn the_person_is_who_the_file_says() {
        for (sgf, person, is_ours) in [
            ("(;SZ[9]PB[You]PW[Tesuji];B[ee])", Color::Black, true),
            ("(;SZ[9]PB[Tesuji]PW[You])", Color::White, true),
            ("(;SZ[9]PB[You]PW[Me];B[ee])", Color::White, false),
            ("(;SZ[9])", Color::Black, false),
        ] {
            let saved = SavedGame::read(sgf.as_bytes(), Rules::default()).unwrap();
            assert_eq!((saved.person, saved.is_ours), (person, is_ours), "{sgf}");
        }
    }

    #[test]
    fn what_is_no_game_is_said() {
        for (sgf, expected) in [
            ("", "expected a game"),
            ("(;SZ[99])", "99"),
            ("(;SZ[9];B[ee];W[ee])", "move 2 (W E5): the point is occupied"),
        ] {
            let error = SavedGame::read(sgf.as_bytes(), Rules::default()).err().unwrap();
            assert!(format!("{error:#}").contains(expected), "{sgf}: {error:#}");
        }
    }
}
