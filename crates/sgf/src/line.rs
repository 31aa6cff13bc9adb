//! One game a line: `size komi handicap result black_rank white_rank moves`, separated by blanks.
//!
//! The form in which training games are stored: Black moves first and colours alternate strictly. In handicap games Black's stones stand before
//! the moves, with a slash between, and White moves first. Moves are two letters each, column then row, without separators; `tt` is a pass, or `zz` on boards
//! where `tt` is a point. An unknown rank is `?`, a draw is `0`. Files may be compressed with zstd.

use std::fmt;
use std::io::{self, BufRead, Read};
use std::path::Path;

use tesuji_board::{Color, Move, Point, Size};

use crate::packed::open_text;
use crate::property::{RecordedResult, decimal, pass_is_tt, point, point_letters};

/// One game; made once and filled again for every line.
#[derive(Clone, Debug, PartialEq)]
pub struct GameLine {
    /// Size of the board, a square.
    pub size: Size,
    /// Points for White.
    pub komi: f64,
    /// Handicap stones that were agreed on.
    pub handicap: u16,
    /// How the game ended.
    pub result: RecordedResult,
    /// Rank of the player with the black stones, or `?`.
    pub black_rank: String,
    /// Rank of the player with the white stones, or `?`.
    pub white_rank: String,
    /// Stones of Black's that stand before the first move, which is White's if there are any.
    pub setup: Vec<Point>,
    /// The moves, strictly alternating.
    pub moves: Vec<Move>,
}

/// Why a line is no game, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineError {
    /// What is wrong.
    pub kind: LineErrorKind,
    /// Line, from 1.
    pub line: usize,
    /// Byte of the line, from 1.
    pub column: usize,
}

/// What is wrong with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineErrorKind {
    /// The line ends before the field of this name.
    Missing(&'static str),
    /// The field of this name cannot be understood.
    Field(&'static str),
    /// There is more on the line than moves.
    Surplus,
    /// Not a point of the board.
    Move,
    /// The last move has one letter only.
    HalfMove,
    /// The line is not UTF-8.
    NotText,
    /// The line is longer than any game.
    TooLong,
}

/// Why the next game could not be read.
#[derive(Debug)]
pub enum ReadError {
    /// The file could not be read.
    Io(io::Error),
    /// The line could not be understood.
    Line(LineError),
}

/// Reads games line by line.
pub struct LineReader<R> {
    input: R,
    buffer: Vec<u8>,
    line: usize,
    failed: bool,
}

/// Longest line accepted, in bytes.
const MAX_LINE: u64 = 1 << 20;

/// Opens a file of games, compressed with zstd or plain.
pub fn read_lines(path: impl AsRef<Path>) -> io::Result<LineReader<Box<dyn BufRead + Send>>> {
    Ok(LineReader::new(open_text(path)?))
}

impl<R: BufRead> LineReader<R> {
    /// Reads from `input`, whose next byte begins line 1.
    pub fn new(input: R) -> LineReader<R> {
        LineReader { input, buffer: Vec::new(), line: 0, failed: false }
    }

    /// The line read last, from 1.
    pub fn line_number(&self) -> usize {
        self.line
    }

    /// Puts the next game into `game`; `false` means that there is none. Lines without text are skipped.
    ///
    /// After an error about a line the next call goes on with the next line, unless the line was too long.
    pub fn next_game(&mut self, game: &mut GameLine) -> Result<bool, ReadError> {
        loop {
            self.buffer.clear();
            if self.failed || (&mut self.input).take(MAX_LINE).read_until(b'\n', &mut self.buffer)? == 0 {
                return Ok(false);
            }
            self.line += 1;
            let error = |kind, column| ReadError::Line(LineError { kind, line: self.line, column });
            if self.buffer.len() as u64 == MAX_LINE {
                self.failed = true;
                return Err(error(LineErrorKind::TooLong, self.buffer.len()));
            }
            let text = std::str::from_utf8(&self.buffer)
                .map_err(|e| error(LineErrorKind::NotText, e.valid_up_to() + 1))?;
            if !text.trim().is_empty() {
                game.read(text, self.line).map_err(ReadError::Line)?;
                return Ok(true);
            }
        }
    }
}

impl GameLine {
    /// A game without a move.
    pub fn new(size: Size) -> GameLine {
        GameLine {
            size,
            komi: 0.0,
            handicap: 0,
            result: RecordedResult::Missing,
            black_rank: String::new(),
            white_rank: String::new(),
            setup: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// Replaces this game by that of `text`, which is line `line` of its file; after an error the game is a
    /// mixture.
    pub fn read(&mut self, text: &str, line: usize) -> Result<(), LineError> {
        let mut fields = Fields { text, position: 0, line };
        self.size = fields.parse("size", |field| Size::square(field.parse().ok()?).ok())?;
        self.komi = fields.parse("komi", decimal)?;
        self.handicap = fields.parse("handicap", |field| field.parse().ok())?;
        self.result = fields.parse("result", |field| Some(RecordedResult::parse(field)))?;
        for (name, rank) in [("black rank", &mut self.black_rank), ("white rank", &mut self.white_rank)] {
            let (_, field) = fields.next().ok_or_else(|| fields.error_here(LineErrorKind::Missing(name)))?;
            rank.clear();
            rank.push_str(field);
        }
        self.setup.clear();
        self.moves.clear();
        if let Some((start, text)) = fields.next() {
            let (stones, moves) = text.split_once('/').unwrap_or(("", text));
            self.read_stones(stones).map_err(|(kind, at)| fields.error(kind, start + at))?;
            let start = start + text.len() - moves.len();
            self.read_moves(moves).map_err(|(kind, at)| fields.error(kind, start + at))?;
        }
        match fields.next() {
            Some((start, _)) => Err(fields.error(LineErrorKind::Surplus, start)),
            None => Ok(()),
        }
    }

    /// Who makes the first move.
    pub fn first(&self) -> Color {
        if self.setup.is_empty() { Color::Black } else { Color::White }
    }

    fn read_stones(&mut self, text: &str) -> Result<(), (LineErrorKind, usize)> {
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        for (i, &[x, y]) in pairs.iter().enumerate() {
            self.setup.push(point(x, y, self.size).ok_or((LineErrorKind::Move, 2 * i))?);
        }
        if rest.is_empty() { Ok(()) } else { Err((LineErrorKind::HalfMove, text.len() - 1)) }
    }

    fn read_moves(&mut self, text: &str) -> Result<(), (LineErrorKind, usize)> {
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        let pass = pass_letters(self.size);
        for (i, &[x, y]) in pairs.iter().enumerate() {
            self.moves.push(match point(x, y, self.size) {
                Some(point) => Move::Play(point),
                None if [x, y] == pass => Move::Pass,
                None => return Err((LineErrorKind::Move, 2 * i)),
            });
        }
        if rest.is_empty() { Ok(()) } else { Err((LineErrorKind::HalfMove, text.len() - 1)) }
    }
}

/// The two letters that mean a pass, always off the board.
fn pass_letters(size: Size) -> [u8; 2] {
    if pass_is_tt(size) { *b"tt" } else { *b"zz" }
}

/// Writes the line without its line end. A rank or result that cannot stand in a field becomes `?`; of a
/// rectangular board only the width is written.
impl fmt::Display for GameLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn field(text: &str) -> &str {
            if text.is_empty() || text.contains(char::is_whitespace) { "?" } else { text }
        }
        write!(f, "{} {} {} ", self.size.width(), self.komi, self.handicap)?;
        let result = self.result.to_string();
        write!(f, "{} {} {}", field(&result), field(&self.black_rank), field(&self.white_rank))?;
        let is_bare = self.setup.is_empty() && self.moves.is_empty();
        f.write_str(if is_bare { "" } else { " " })?;
        for &point in &self.setup {
            let [x, y] = point_letters(point, self.size);
            write!(f, "{x}{y}")?;
        }
        f.write_str(if self.setup.is_empty() { "" } else { "/" })?;
        for mv in &self.moves {
            let [x, y] = match mv {
                Move::Play(point) => point_letters(*point, self.size),
                Move::Pass => pass_letters(self.size).map(char::from),
            };
            write!(f, "{x}{y}")?;
        }
        Ok(())
    }
}

/// The blank-separated parts of a line.
struct Fields<'a> {
    text: &'a str,
    position: usize,
    line: usize,
}

impl<'a> Fields<'a> {
    /// Where the next field starts, and the field.
    fn next(&mut self) -> Option<(usize, &'a str)> {
        let rest = &self.text[self.position..];
        let start = self.position + rest.find(|c: char| !c.is_ascii_whitespace())?;
        let rest = &self.text[start..];
        let field = &rest[..rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len())];
        self.position = start + field.len();
        Some((start, field))
    }

    fn parse<T>(&mut self, name: &'static str, parse: impl Fn(&str) -> Option<T>) -> Result<T, LineError> {
        let (start, field) = self.next().ok_or_else(|| self.error_here(LineErrorKind::Missing(name)))?;
        parse(field).ok_or_else(|| self.error(LineErrorKind::Field(name), start))
    }

    fn error_here(&self, kind: LineErrorKind) -> LineError {
        self.error(kind, self.position)
    }

    fn error(&self, kind: LineErrorKind, offset: usize) -> LineError {
        LineError { kind, line: self.line, column: offset + 1 }
    }
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: ", self.line, self.column)?;
        match self.kind {
            LineErrorKind::Missing(name) => write!(f, "expected the {name} before the end of the line"),
            LineErrorKind::Field(name) => write!(f, "this is no {name}"),
            LineErrorKind::Surplus => f.write_str("expected the line to end after the moves"),
            LineErrorKind::Move => {
                f.write_str("expected the two letters of a point of the board or of a pass")
            }
            LineErrorKind::HalfMove => f.write_str("expected a second letter for the last move"),
            LineErrorKind::NotText => f.write_str("the line is not UTF-8"),
            LineErrorKind::TooLong => f.write_str("the line is longer than any game"),
        }
    }
}

impl std::error::Error for LineError {}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Io(error) => error.fmt(f),
            ReadError::Line(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ReadError::Io(error) => Some(error),
            ReadError::Line(error) => Some(error),
        }
    }
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> ReadError {
        ReadError::Io(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(side: usize) -> Size {
        Size::square(side).unwrap()
    }

    #[test]
    fn lines_are_read_and_printed_alike() {
        for text in [
            "19 6.5 0 W+R 3p 1p dqpdcd",
            "9 5.5 0 B+13.5 1d ? eettee",
            "9 7 2 0 ? ?",
            "25 -3.75 0 ? 9d 9d ttzzyy",
            "9 0.5 2 B+R 9k 3k gccg/eeffgd",
            "9 0.5 2 W+R 9k 3k gccg/",
        ] {
            let mut game = GameLine::new(size(9));
            game.read(text, 1).unwrap();
            assert_eq!(game.to_string(), text);
        }
        let mut game = GameLine::new(size(9));
        game.read(" 9\t7 2 0 ? ?  aatt \r\n", 1).unwrap();
        assert_eq!(game.moves, [size(9).point(0, 0).map_or(Move::Pass, Move::Play), Move::Pass]);
    }

    #[test]
    fn errors_name_the_column() {
        for (text, kind, column) in [
            ("", LineErrorKind::Missing("size"), 1),
            ("19", LineErrorKind::Missing("komi"), 3),
            ("1 6.5 0 B+R ? ? aa", LineErrorKind::Field("size"), 1),
            ("19 six 0 B+R ? ? aa", LineErrorKind::Field("komi"), 4),
            ("19 6.5 -1 B+R ? ? aa", LineErrorKind::Field("handicap"), 8),
            ("19 6.5 0 B+R ?", LineErrorKind::Missing("white rank"), 15),
            ("19 6.5 0 B+R ? ? aazz", LineErrorKind::Move, 20),
            ("9 6.5 0 B+R ? ? aaja", LineErrorKind::Move, 19),
            ("9 6.5 0 B+R ? ? aab", LineErrorKind::HalfMove, 19),
            ("9 6.5 0 B+R ? ? aa bb", LineErrorKind::Surplus, 20),
            ("9 6.5 0 B+R ? ? é", LineErrorKind::Move, 17),
            ("9 6.5 2 B+R ? ? aatt/bb", LineErrorKind::Move, 19),
            ("9 6.5 2 B+R ? ? aac/bb", LineErrorKind::HalfMove, 19),
            ("9 6.5 2 B+R ? ? aacc/bbxx", LineErrorKind::Move, 24),
        ] {
            let found = GameLine::new(size(9)).read(text, 7);
            assert_eq!(found, Err(LineError { kind, line: 7, column }), "{text:?}");
        }
    }

    #[test]
    fn a_bad_line_does_not_end_the_file() {
        let text = b"9 7 0 0 ? ? aa\n\n9 7 0 0 ? ? xx\n\xFF\n9 7 0 0 ? ? bb".as_slice();
        let mut reader = LineReader::new(text);
        let mut game = GameLine::new(size(9));
        let mut outcomes = Vec::new();
        loop {
            match reader.next_game(&mut game) {
                Ok(false) => break,
                Ok(true) => outcomes.push(Ok(game.to_string())),
                Err(ReadError::Line(error)) => outcomes.push(Err((error.line, error.column))),
                Err(ReadError::Io(error)) => panic!("{error}"),
            }
        }
        let good = |moves: &str| Ok(format!("9 7 0 0 ? ? {moves}"));
        assert_eq!(outcomes, [good("aa"), Err((3, 13)), Err((4, 1)), good("bb")]);
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let mut reader = LineReader::new(io::BufReader::new(io::repeat(b'a')));
        let mut game = GameLine::new(size(9));
        let error = reader.next_game(&mut game).unwrap_err();
        assert!(matches!(error, ReadError::Line(LineError { kind: LineErrorKind::TooLong, line: 1, .. })));
        assert!(!reader.next_game(&mut game).unwrap());
    }

    #[test]
    fn compressed_and_plain_files_read_alike() {
        let text = "9 7 0 0 ? ? aa\n9 7 0 B+R ? ? bb\n";
        let directory = std::env::temp_dir();
        let name = format!("tesuji-sgf-line-{}", std::process::id());
        for (suffix, bytes) in [
            (".txt", text.as_bytes().to_vec()),
            (".txt.zst", zstd::encode_all(text.as_bytes(), 1).unwrap()),
            (".empty", Vec::new()),
        ] {
            let path = directory.join(format!("{name}{suffix}"));
            std::fs::write(&path, &bytes).unwrap();
            let mut reader = read_lines(&path).unwrap();
            std::fs::remove_file(&path).unwrap();
            let mut game = GameLine::new(size(19));
            let mut found = String::new();
            while reader.next_game(&mut game).unwrap() {
                found += &format!("{game}\n");
            }
            assert_eq!(found, if bytes.is_empty() { "" } else { text });
        }
    }
}
