//! Openings, so that deterministic engines do not play the same game again and again.
//!
//! Each opening is played twice with colours exchanged: whoever it favours, it favours both once. Random openings are made
//! of stones that a player might place: away from the edge, legal, and not in atari; no two are the same up to symmetry
//! as long as the board offers enough of them. The list for a seed is a prefix of every longer list for it, so that a match can be prolonged.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use tesuji_board::{Color, Game, IllegalMove, Move, Point, Rules, Size, VertexError, canonical_hash};
use tesuji_search::Rng;
use tesuji_sgf::{GameRecord, RecordError, parse};

/// The first moves of a game.
pub type Opening = Vec<(Color, Move)>;

/// Where openings come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningSource {
    /// Every game starts from the empty board.
    Empty,
    /// Random stones, this many.
    Random(usize),
    /// A list, used again from its start when it is at its end.
    Book(Vec<Opening>),
}

/// Why a file is no list of openings.
#[derive(Debug)]
pub enum OpeningError {
    /// It cannot be read.
    Read(PathBuf, std::io::Error),
    /// There is no opening in it.
    Empty(PathBuf),
    /// It looks like SGF but is not.
    Sgf(PathBuf, String),
    /// One of its openings cannot be played.
    Entry {
        /// Number of the line, or of the game in an SGF file, from 1.
        number: usize,
        /// What is wrong.
        problem: EntryProblem,
    },
}

/// What can be wrong with one opening.
#[derive(Debug)]
pub enum EntryProblem {
    /// Not a vertex of the board.
    Vertex(VertexError),
    /// Move number so and so, from 1, is illegal.
    Illegal(usize, IllegalMove),
    /// The SGF game has no readable main line.
    Record(RecordError),
    /// The SGF game is for another board.
    Size(Size),
    /// The SGF game begins with stones set up.
    SetUp,
}

/// An opening in words, such as `B D4`.
pub fn write_opening(opening: &Opening, size: Size) -> Vec<String> {
    opening.iter().map(|&(color, mv)| format!("{} {}", color.letter(), mv.to_gtp(size))).collect()
}

/// Reads the words of an opening; whether it can be played is for a game to say.
pub fn read_opening(words: &[String], size: Size) -> Result<Opening, String> {
    let read = |word: &String| {
        let (color, vertex) = word.split_once(' ').ok_or_else(|| format!("'{word}' is no move"))?;
        let color = Color::parse(color).ok_or_else(|| format!("'{word}' is no move"))?;
        Ok((color, Move::from_gtp(vertex, size).map_err(|error| error.to_string())?))
    };
    words.iter().map(read).collect()
}

impl OpeningSource {
    /// Reads a file of openings: SGF games, or one line of vertices each with Black first and `#` before comments.
    ///
    /// At most `plies` moves of each are used.
    pub fn from_file(
        path: &Path,
        size: Size,
        rules: Rules,
        plies: usize,
    ) -> Result<OpeningSource, OpeningError> {
        let bytes = std::fs::read(path).map_err(|error| OpeningError::Read(path.to_owned(), error))?;
        let is_sgf = bytes.trim_ascii_start().starts_with(b"(");
        let entries = if is_sgf { sgf_entries(path, &bytes, size)? } else { line_entries(&bytes, size)? };
        let mut book = Vec::new();
        for (number, mut opening) in entries {
            opening.truncate(plies);
            check_legal(&opening, size, rules).map_err(|problem| OpeningError::Entry { number, problem })?;
            book.push(opening);
        }
        if book.is_empty() {
            Err(OpeningError::Empty(path.to_owned()))
        } else {
            Ok(OpeningSource::Book(book))
        }
    }

    /// The first `count` openings for a seed.
    pub fn list(&self, size: Size, rules: Rules, seed: u64, count: usize) -> Vec<Opening> {
        match self {
            OpeningSource::Empty => vec![Opening::new(); count],
            OpeningSource::Book(book) => book.iter().cycle().take(count).cloned().collect(),
            OpeningSource::Random(plies) => random_openings(size, rules, *plies, seed, count),
        }
    }
}

/// Stream of random numbers that openings are drawn from; games use the streams from 0.
const OPENING_STREAM: u64 = u64::MAX;

/// Attempts at an opening that was not there before.
const ATTEMPTS: usize = 200;

fn random_openings(size: Size, rules: Rules, plies: usize, seed: u64, count: usize) -> Vec<Opening> {
    let mut rng = Rng::for_stream(seed, OPENING_STREAM);
    let mut seen = BTreeSet::new();
    let mut list = Vec::with_capacity(count);
    while list.len() < count {
        let mut game = random_opening(size, rules, plies, &mut rng);
        for _ in 1..ATTEMPTS {
            if seen.insert(canonical_hash(game.board()).0) {
                break;
            }
            game = random_opening(size, rules, plies, &mut rng);
        }
        list.push(game.moves().to_vec());
    }
    list
}

fn random_opening(size: Size, rules: Rules, plies: usize, rng: &mut Rng) -> Game {
    let mut game = Game::new(size, rules);
    for _ in 0..plies {
        let color = game.to_move();
        // In reading order: the board's own list of empty points depends on how it was stored.
        let mut choice: Vec<Point> = size
            .points()
            .filter(|&point| line(size, point) >= lowest_line(size) && is_reasonable(&game, color, point))
            .collect();
        if choice.is_empty() {
            choice = size.points().filter(|&point| is_reasonable(&game, color, point)).collect();
        }
        if choice.is_empty() {
            break;
        }
        let point = choice[rng.below(choice.len())];
        // `is_reasonable` has asked for legality.
        if game.play(color, Move::Play(point)).is_err() {
            break;
        }
    }
    game
}

/// Distance from the edge, 1 on it.
fn line(size: Size, point: Point) -> usize {
    let (x, y) = (size.x(point), size.y(point));
    1 + x.min(y).min(size.width() - 1 - x).min(size.height() - 1 - y)
}

/// The line below which nobody opens a game.
fn lowest_line(size: Size) -> usize {
    match size.width().min(size.height()) {
        0..4 => 1,
        4..7 => 2,
        _ => 3,
    }
}

fn is_reasonable(game: &Game, color: Color, point: Point) -> bool {
    game.legality(color, point).is_ok() && !game.board().is_self_atari(point, color)
}

fn check_legal(opening: &Opening, size: Size, rules: Rules) -> Result<(), EntryProblem> {
    let mut game = Game::new(size, rules);
    for (index, &(color, mv)) in opening.iter().enumerate() {
        game.play(color, mv).map_err(|error| EntryProblem::Illegal(index + 1, error))?;
    }
    Ok(())
}

fn line_entries(bytes: &[u8], size: Size) -> Result<Vec<(usize, Opening)>, OpeningError> {
    let text = String::from_utf8_lossy(bytes);
    let mut entries = Vec::new();
    for (index, text) in text.lines().enumerate() {
        let text = text.split('#').next().unwrap_or_default();
        let words = text.split([' ', '\t', ',', '\r']).filter(|word| !word.is_empty());
        let moves: Result<Vec<Move>, VertexError> = words.map(|word| Move::from_gtp(word, size)).collect();
        let number = index + 1;
        let moves =
            moves.map_err(|error| OpeningError::Entry { number, problem: EntryProblem::Vertex(error) })?;
        if !moves.is_empty() {
            entries.push((number, Color::BOTH.into_iter().cycle().zip(moves).collect()));
        }
    }
    Ok(entries)
}

fn sgf_entries(path: &Path, bytes: &[u8], size: Size) -> Result<Vec<(usize, Opening)>, OpeningError> {
    let parsed = parse(bytes).map_err(|error| OpeningError::Sgf(path.to_owned(), error.to_string()))?;
    let mut entries = Vec::new();
    for (index, tree) in parsed.collection.games.iter().enumerate() {
        let number = index + 1;
        let wrong = |problem| OpeningError::Entry { number, problem };
        let record = GameRecord::from_tree(tree).map_err(|error| wrong(EntryProblem::Record(error)))?;
        if record.size != size {
            return Err(wrong(EntryProblem::Size(record.size)));
        }
        if !record.setup_black.is_empty() || !record.setup_white.is_empty() {
            return Err(wrong(EntryProblem::SetUp));
        }
        entries.push((number, record.moves));
    }
    Ok(entries)
}

impl fmt::Display for OpeningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningError::Read(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            OpeningError::Empty(path) => write!(f, "no opening in {}", path.display()),
            OpeningError::Sgf(path, error) => write!(f, "{} is no SGF: {error}", path.display()),
            OpeningError::Entry { number, problem } => write!(f, "opening {number}: {problem}"),
        }
    }
}

impl fmt::Display for EntryProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EntryProblem::Vertex(error) => error.fmt(f),
            EntryProblem::Illegal(number, error) => write!(f, "move {number}: {error}"),
            EntryProblem::Record(error) => error.fmt(f),
            EntryProblem::Size(size) => write!(f, "it is for a board of {size}"),
            EntryProblem::SetUp => f.write_str("stones set up before the first move are not supported"),
        }
    }
}

impl std::error::Error for OpeningError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(side: usize) -> Size {
        Size::square(side).unwrap()
    }

    fn random(side: usize, plies: usize, seed: u64, count: usize) -> Vec<Opening> {
        OpeningSource::Random(plies).list(size(side), Rules::default(), seed, count)
    }

    fn read(text: &str) -> Result<OpeningSource, OpeningError> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        OpeningSource::from_file(file.path(), size(9), Rules::default(), 3)
    }

    #[test]
    fn random_openings_are_legal_and_all_different() {
        let list = random(9, 4, 7, 300);
        let mut seen = BTreeSet::new();
        for opening in &list {
            let mut game = Game::new(size(9), Rules::default());
            for (index, &(color, mv)) in opening.iter().enumerate() {
                assert_eq!(color, Color::BOTH[index % 2]);
                assert!(mv.point().is_some_and(|point| line(size(9), point) >= 3));
                game.play(color, mv).unwrap();
            }
            assert_eq!(game.move_number(), 4);
            assert!(seen.insert(canonical_hash(game.board()).0));
        }
    }

    #[test]
    fn a_seed_means_one_endless_list() {
        assert_eq!(random(9, 4, 7, 100)[..60], random(9, 4, 7, 60)[..]);
        assert_ne!(random(9, 4, 7, 60), random(9, 4, 8, 60));
    }

    #[test]
    fn small_boards_run_out_of_openings_but_not_of_games() {
        // On 3×3 there are only three first moves up to symmetry.
        assert_eq!(random(3, 1, 1, 10).len(), 10);
        assert_eq!(random(2, 30, 1, 2).len(), 2);
        assert!(random(9, 0, 1, 2).iter().all(Vec::is_empty));
    }

    #[test]
    fn books() {
        let OpeningSource::Book(book) = read("# comment\nE5 C3 g7 C7\n\npass,D4 # more\n").unwrap() else {
            panic!("no book");
        };
        let text = |opening: &Opening| {
            let each = opening.iter().map(|(color, mv)| format!("{}:{}", color.letter(), mv.to_gtp(size(9))));
            each.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(book.iter().map(text).collect::<Vec<_>>(), ["B:E5 W:C3 B:G7", "B:pass W:D4"]);
        let sgf = "(;SZ[9];B[ee];W[cc](;B[dd])(;B[ff]))(;SZ[9];B[aa])";
        let OpeningSource::Book(book) = read(sgf).unwrap() else { panic!("no book") };
        assert_eq!(book.iter().map(text).collect::<Vec<_>>(), ["B:E5 W:C7 B:D6", "B:A9"]);
        let list = OpeningSource::Book(book).list(size(9), Rules::default(), 0, 5);
        assert_eq!((list.len(), &list[0]), (5, &list[4]));
    }

    #[test]
    fn wrong_books() {
        for (text, expected) in [
            ("\n# nothing\n", "no opening"),
            ("E5\nE5 E5\n", "opening 2: move 2"),
            ("E5 K1\n", "opening 1: 'K1' is not on a 9x9 board"),
            ("(;SZ[19];B[aa])", "opening 1: it is for a board of 19x19"),
            ("(;SZ[9]AB[aa])", "opening 1: stones set up"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
