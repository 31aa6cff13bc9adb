//! Games from files, whatever their format: our own, SGF (a file or a folder of them), or one game a line.

use crate::sample::{FileError, GameSample, is_sample_file, read_samples};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tesuji_board::{Rules, Size};
use tesuji_sgf::{GameLine, GameRecord, ReadError, parse, read_lines};

/// What was found besides good games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceReport {
    /// Games handed on.
    pub games: usize,
    /// Games or files that could not be understood.
    pub broken: usize,
    /// Games that were cut before an illegal move.
    pub cut: usize,
    /// What was wrong, for the first few of them, each with its place.
    pub messages: Vec<String>,
}

/// Why games cannot be had from a path.
#[derive(Debug)]
pub enum SourceError {
    /// It cannot be read.
    Io(PathBuf, io::Error),
    /// It is a damaged file of samples.
    File(FileError),
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SourceError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            SourceError::File(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SourceError {}

/// Most messages that are kept.
const MAX_MESSAGES: usize = 10;

impl SourceReport {
    fn broken(&mut self, place: impl fmt::Display, error: impl fmt::Display) {
        self.broken += 1;
        self.say(place, error);
    }

    fn say(&mut self, place: impl fmt::Display, error: impl fmt::Display) {
        if self.messages.len() < MAX_MESSAGES {
            self.messages.push(format!("{place}: {error}"));
        }
    }

    fn hand_on(&mut self, place: impl fmt::Display, mut game: GameSample, visit: &mut dyn FnMut(GameSample)) {
        if let Err(error) = game.make_legal() {
            self.cut += 1;
            self.say(place, error);
        }
        if !game.moves.is_empty() {
            self.games += 1;
            visit(game);
        }
    }
}

/// Calls `visit` with every game of a file or folder, in the order of names. Games in which a move is illegal end before it; games that name no
/// rules get `rules`. What cannot be understood is counted and passed over.
pub fn read_games(
    path: &Path,
    rules: Rules,
    report: &mut SourceReport,
    visit: &mut dyn FnMut(GameSample),
) -> Result<(), SourceError> {
    let failed = |error| SourceError::Io(path.to_owned(), error);
    if fs::metadata(path).map_err(failed)?.is_dir() {
        let entries = fs::read_dir(path).map_err(failed)?;
        let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>();
        let mut paths = paths.map_err(failed)?;
        paths.sort();
        for path in paths {
            // A folder of games may hold other things.
            if path.is_dir() || is_sgf(&path) {
                read_games(&path, rules, report, visit)?;
            }
        }
        return Ok(());
    }
    if is_sample_file(path).map_err(failed)? {
        let place = path.display();
        let dropped = read_samples(path, |game| report.hand_on(&place, game, visit));
        if let Some(dropped) = dropped.map_err(SourceError::File)? {
            report.say(place, dropped);
        }
        return Ok(());
    }
    if is_sgf(path) {
        read_sgf(path, &fs::read(path).map_err(failed)?, rules, report, visit);
        return Ok(());
    }
    let mut lines = read_lines(path).map_err(failed)?;
    let mut line = GameLine::new(Size::square(19).map_err(|e| failed(io::Error::other(e)))?);
    loop {
        match lines.next_game(&mut line) {
            Ok(false) => return Ok(()),
            Ok(true) => {
                // Where the stones of a handicap stood may not be in the line.
                if line.handicap == 0 || !line.setup.is_empty() {
                    let place = format!("{}, line {}", path.display(), lines.line_number());
                    report.hand_on(place, GameSample::of_line(&line, rules), visit);
                }
            }
            Err(ReadError::Io(error)) => return Err(failed(error)),
            Err(ReadError::Line(error)) => report.broken(path.display(), error),
        }
    }
}

fn is_sgf(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sgf"))
}

fn read_sgf(
    path: &Path,
    bytes: &[u8],
    rules: Rules,
    report: &mut SourceReport,
    visit: &mut dyn FnMut(GameSample),
) {
    let parsed = match parse(bytes) {
        Ok(parsed) => parsed,
        Err(error) => return report.broken(path.display(), error),
    };
    for (number, tree) in parsed.collection.games.iter().enumerate() {
        let place = format!("{}, game {}", path.display(), number + 1);
        match GameRecord::from_tree(tree) {
            Ok(record) => report.hand_on(place, GameSample::of_record(&record, rules), visit),
            Err(error) => report.broken(place, error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::SampleFile;

    #[test]
    fn all_formats_give_the_same_games() {
        let directory = tempfile::tempdir().unwrap();
        let rules = Rules { komi: 6.5, ..Rules::default() };
        let read = |name: &str| {
            let (mut report, mut games) = (SourceReport::default(), Vec::new());
            read_games(&directory.path().join(name), rules, &mut report, &mut |game| games.push(game))
                .unwrap();
            (games, report)
        };
        let write = |name: &str, text: &str| {
            let path = directory.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        // The second game plays on an occupied point, the third is none, the fourth has a handicap.
        write(
            "lines.txt",
            "9 6.5 0 B+3.5 ? ? eecdttfg\n9 6.5 0 W+R ? ? eecdee\n9 six\n9 0.5 2 B+R ? ? aabb\n9 6.5 0 B+R ? ?\n",
        );
        write("sgf/a.sgf", "(;SZ[9]KM[6.5]RE[B+3.5];B[ee];W[cd];B[];W[fg])");
        write("sgf/deep/b.sgf", "(;SZ[9]KM[6.5]RE[W+R];B[ee];W[cd];B[ee])");
        write("sgf/c.sgf", "(;SZ[99]");
        write("sgf/note.txt", "not a game");
        let (lines, report) = read("lines.txt");
        assert_eq!((report.games, report.broken, report.cut), (2, 1, 1));
        assert!(report.messages[0].contains("line 2") && report.messages[0].contains("move 3"), "{report:?}");
        assert_eq!((lines[0].moves.len(), lines[1].moves.len()), (4, 2));
        let (records, report) = read("sgf");
        assert_eq!((report.games, report.broken, report.cut), (2, 1, 1));
        assert_eq!(records, lines);
        let (mut file, _) = SampleFile::open(&directory.path().join("own"), |_| ()).unwrap();
        lines.iter().for_each(|game| file.add(game).unwrap());
        file.flush().unwrap();
        assert_eq!(read("own").0, lines);
        let missing = directory.path().join("nowhere");
        let mut report = SourceReport::default();
        let error = read_games(&missing, rules, &mut report, &mut |_| ()).unwrap_err();
        assert!(error.to_string().contains("nowhere"));
    }
}
