//! One input line, as a controller sends it, and the arguments of a command.
//!
//! The rules are those of the GTP 2 draft: control characters other than tab vanish, tabs are
//! blanks, `#` starts a comment, an optional number in front is the id. On top of that a line is never an
//! error of the program: bytes that are no UTF-8 are replaced, and a number too large for an id is reported
//! to the controller. Blank lines and comments are kept as values because they interrupt an analysis.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::line::RawLine;

/// What one line of input means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Nothing but blanks or a comment: no answer, but it ends a running analysis.
    Blank,
    /// The comment `# interrupt`, with which GoGui asks a running command to finish early.
    Interrupt,
    /// A command to be answered.
    Command(Command),
    /// A line that is no command and still deserves an answer.
    Invalid {
        /// The id to answer with, where one could be read.
        id: Option<u32>,
        /// What is wrong with it.
        error: LineError,
    },
}

/// A command with its arguments, cleaned of comments and control characters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// The number the answer must repeat.
    pub id: Option<u32>,
    /// The command's name, case as sent.
    pub name: String,
    /// The arguments, split at blanks.
    pub args: Vec<String>,
    /// Everything after the name with its inner blanks, for file names and JSON.
    pub arg_text: String,
}

/// Why a line cannot be taken as a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineError {
    /// The id does not fit 32 bits.
    IdOutOfRange,
    /// An id without a command.
    MissingName,
    /// The line was too long to be kept.
    TooLong,
}

/// Why an argument cannot be used; positions are counted from 1, as a reader of the message would.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgError {
    /// There is no argument at this position.
    Missing {
        /// Position from 1.
        position: usize,
        /// The kind of value wanted.
        expected: String,
    },
    /// The argument at this position is of another kind.
    Unexpected {
        /// Position from 1.
        position: usize,
        /// The kind of value wanted.
        expected: String,
        /// What was sent.
        found: String,
    },
    /// There are more arguments than the command takes.
    TooMany {
        /// The largest number allowed.
        most: usize,
    },
}

impl Line {
    /// Reads one line, with or without its line end.
    pub fn parse(bytes: &[u8]) -> Line {
        let text = clean(bytes);
        let (code, comment) = text.split_once('#').unwrap_or((text.as_str(), ""));
        let code = code.trim_matches(' ');
        if code.is_empty() {
            let interrupt = comment.trim_matches(' ').eq_ignore_ascii_case("interrupt");
            return if interrupt { Line::Interrupt } else { Line::Blank };
        }
        let (first, rest) = split_word(code);
        if !first.bytes().all(|byte| byte.is_ascii_digit()) {
            return Line::Command(Command::new(None, first, rest));
        }
        let Ok(id) = first.parse() else {
            return Line::Invalid { id: None, error: LineError::IdOutOfRange };
        };
        match split_word(rest) {
            ("", _) => Line::Invalid { id: Some(id), error: LineError::MissingName },
            (name, rest) => Line::Command(Command::new(Some(id), name, rest)),
        }
    }

    pub(crate) fn from_raw(raw: &RawLine) -> Line {
        let line = Line::parse(&raw.bytes);
        match line {
            // A comment sign in the kept part means that only a comment was lost.
            Line::Command(command) if raw.truncated && !raw.bytes.contains(&b'#') => {
                Line::Invalid { id: command.id, error: LineError::TooLong }
            }
            line => line,
        }
    }
}

impl Command {
    fn new(id: Option<u32>, name: &str, arg_text: &str) -> Command {
        Command {
            id,
            name: name.to_owned(),
            args: arg_text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect(),
            arg_text: arg_text.to_owned(),
        }
    }

    /// The argument at `index` (from 0), or an error that names what was wanted.
    pub fn word(&self, index: usize, expected: &str) -> Result<&str, ArgError> {
        self.args
            .get(index)
            .map(String::as_str)
            .ok_or_else(|| ArgError::Missing { position: index + 1, expected: expected.to_owned() })
    }

    /// The argument at `index` read by the type's own parser.
    pub fn parsed<T: FromStr>(&self, index: usize, expected: &str) -> Result<T, ArgError> {
        let word = self.word(index, expected)?;
        word.parse().map_err(|_| unexpected(index, expected, word))
    }

    /// The argument at `index` as a whole number.
    pub fn integer(&self, index: usize) -> Result<i64, ArgError> {
        self.parsed(index, "integer")
    }

    /// The argument at `index` as a whole number within `range`.
    pub fn integer_in(&self, index: usize, range: RangeInclusive<i64>) -> Result<i64, ArgError> {
        let number = self.integer(index)?;
        if range.contains(&number) {
            return Ok(number);
        }
        let expected = format!("integer from {} to {}", range.start(), range.end());
        Err(unexpected(index, &expected, &self.args[index]))
    }

    /// The argument at `index` as a finite number.
    pub fn number(&self, index: usize) -> Result<f64, ArgError> {
        let expected = "number";
        let number: f64 = self.parsed(index, expected)?;
        if number.is_finite() { Ok(number) } else { Err(unexpected(index, expected, &self.args[index])) }
    }

    /// The argument at `index` as `true`/`false`, `1`/`0`, any case.
    pub fn boolean(&self, index: usize) -> Result<bool, ArgError> {
        let expected = "true or false";
        let word = self.word(index, expected)?;
        match word.to_ascii_lowercase().as_str() {
            "true" | "1" => Ok(true),
            "false" | "0" => Ok(false),
            _ => Err(unexpected(index, expected, word)),
        }
    }

    /// Refuses a command with more than `most` arguments.
    pub fn at_most(&self, most: usize) -> Result<(), ArgError> {
        if self.args.len() <= most { Ok(()) } else { Err(ArgError::TooMany { most }) }
    }
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LineError::IdOutOfRange => "command id out of range",
            LineError::MissingName => "missing command name",
            LineError::TooLong => "line too long",
        })
    }
}

impl std::error::Error for LineError {}

impl fmt::Display for ArgError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArgError::Missing { position, expected } => {
                write!(f, "expected {expected} as argument {position}")
            }
            ArgError::Unexpected { position, expected, found } => {
                write!(f, "expected {expected} as argument {position}, found '{found}'")
            }
            ArgError::TooMany { most: 0 } => f.write_str("expected no arguments"),
            ArgError::TooMany { most: 1 } => f.write_str("expected at most 1 argument"),
            ArgError::TooMany { most } => write!(f, "expected at most {most} arguments"),
        }
    }
}

impl std::error::Error for ArgError {}

/// Lets a handler, which fails with a text, use `?` on an argument.
impl From<ArgError> for String {
    fn from(error: ArgError) -> String {
        error.to_string()
    }
}

/// Characters of a hostile argument repeated in an error message.
const QUOTED_CHARS: usize = 60;

fn unexpected(index: usize, expected: &str, word: &str) -> ArgError {
    let mut found: String = word.chars().take(QUOTED_CHARS).collect();
    if found.len() < word.len() {
        found.push('…');
    }
    ArgError::Unexpected { position: index + 1, expected: expected.to_owned(), found }
}

fn clean(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    // Some Windows shells put a byte-order mark in front of piped text.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    text.chars().map(|char| if char == '\t' { ' ' } else { char }).filter(|char| !char.is_control()).collect()
}

/// The first word and the rest without the blanks between.
fn split_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    (word, rest.trim_start_matches(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(bytes: &[u8]) -> Command {
        match Line::parse(bytes) {
            Line::Command(command) => command,
            other => panic!("{:?} gave {other:?}", String::from_utf8_lossy(bytes)),
        }
    }

    /// Bytes sent, then id, name and arguments expected.
    type Case = (&'static [u8], Option<u32>, &'static str, &'static [&'static str]);

    #[test]
    fn commands() {
        let table: &[Case] = &[
            (b"name", None, "name", &[]),
            (b"name\n", None, "name", &[]),
            (b"name\r\n", None, "name", &[]),
            (b"name\r", None, "name", &[]),
            (b"7 name", Some(7), "name", &[]),
            (b"007 name", Some(7), "name", &[]),
            (b"0 name", Some(0), "name", &[]),
            (b"4294967295 name", Some(u32::MAX), "name", &[]),
            (b"   7   play  b   D4  ", Some(7), "play", &["b", "D4"]),
            (b"\t7\tplay\tb\tD4\t\r\n", Some(7), "play", &["b", "D4"]),
            (b"play b D4 # a comment", None, "play", &["b", "D4"]),
            (b"play b D4#comment # again", None, "play", &["b", "D4"]),
            (b"name # interrupt", None, "name", &[]),
            (b"na\x00m\x07e\x7f", None, "name", &[]),
            (b"\xef\xbb\xbfname", None, "name", &[]),
            (b"echo \xff\xfe", None, "echo", &["\u{fffd}\u{fffd}"]),
            ("echo 碁".as_bytes(), None, "echo", &["碁"]),
            (b"1play b D4", None, "1play", &["b", "D4"]),
            (b"-1 name", None, "-1", &["name"]),
            (b"kata-analyze B 50", None, "kata-analyze", &["B", "50"]),
        ];
        for &(bytes, id, name, args) in table {
            let found = command(bytes);
            assert_eq!((found.id, found.name.as_str()), (id, name), "{bytes:?}");
            assert_eq!(found.args, args, "{bytes:?}");
        }
    }

    #[test]
    fn lines_that_are_no_commands() {
        let invalid = |id, error| Line::Invalid { id, error };
        let table: &[(&[u8], Line)] = &[
            (b"", Line::Blank),
            (b"\r\n", Line::Blank),
            (b" \t \x01", Line::Blank),
            (b"# a comment", Line::Blank),
            (b"  #", Line::Blank),
            (b"# interrupted", Line::Blank),
            (b"# interrupt", Line::Interrupt),
            (b"#interrupt\r\n", Line::Interrupt),
            (b" \t# INTERRUPT \n", Line::Interrupt),
            (b"12", invalid(Some(12), LineError::MissingName)),
            (b" 12 # name", invalid(Some(12), LineError::MissingName)),
            (b"4294967296 name", invalid(None, LineError::IdOutOfRange)),
            (b"99999999999999999999999999 name", invalid(None, LineError::IdOutOfRange)),
        ];
        for (bytes, expected) in table {
            assert_eq!(&Line::parse(bytes), expected, "{:?}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn argument_text_keeps_inner_blanks() {
        assert_eq!(command(b"3 loadsgf  my  game.sgf \r\n").arg_text, "my  game.sgf");
        assert_eq!(command(b"loadsgf").arg_text, "");
    }

    #[test]
    fn a_truncated_line_is_refused_unless_only_a_comment_was_lost() {
        let truncated = |text: &str| Line::from_raw(&RawLine { bytes: text.into(), truncated: true });
        assert_eq!(truncated("5 play b"), Line::Invalid { id: Some(5), error: LineError::TooLong });
        assert!(matches!(truncated("5 name # long"), Line::Command(_)));
        assert_eq!(truncated("# long"), Line::Blank);
    }

    #[test]
    fn no_bytes_make_the_parser_panic() {
        for a in 0..=255u8 {
            for b in [0, b' ', b'#', b'1', b'\r', 0x80, 0xc3, 0xff] {
                Line::parse(&[a, b, a]);
            }
        }
    }

    #[test]
    fn typed_arguments() {
        let c = command(b"c -3 6.5 TRUE word nan 99999999999999999999");
        assert_eq!(c.integer(0), Ok(-3));
        assert_eq!(c.number(0), Ok(-3.0));
        assert_eq!(c.number(1), Ok(6.5));
        assert_eq!(c.boolean(2), Ok(true));
        assert_eq!(c.word(3, "word"), Ok("word"));
        assert_eq!(c.integer_in(0, -3..=0), Ok(-3));
        assert_eq!(c.parsed::<u8>(0, "byte").map_err(String::from), message("byte", 1, "-3"));
        assert_eq!(c.integer(1).map_err(String::from), message("integer", 2, "6.5"));
        assert_eq!(c.boolean(3).map_err(String::from), message("true or false", 4, "word"));
        assert_eq!(c.number(4).map_err(String::from), message("number", 5, "nan"));
        assert_eq!(c.integer(5).map_err(String::from), message("integer", 6, "99999999999999999999"));
        assert_eq!(c.integer_in(0, 1..=25).map_err(String::from), message("integer from 1 to 25", 1, "-3"));
        assert_eq!(c.integer(6).unwrap_err().to_string(), "expected integer as argument 7");
        assert_eq!(c.at_most(6), Ok(()));
        assert_eq!(c.at_most(5).unwrap_err().to_string(), "expected at most 5 arguments");
        assert_eq!(c.at_most(0).unwrap_err().to_string(), "expected no arguments");
    }

    #[test]
    fn an_error_repeats_only_the_start_of_a_long_argument() {
        let long = "x".repeat(10_000);
        let error = command(format!("c {long}").as_bytes()).integer(0).unwrap_err().to_string();
        assert!(error.len() < 150, "{error}");
    }

    fn message<T>(expected: &str, position: usize, found: &str) -> Result<T, String> {
        Err(format!("expected {expected} as argument {position}, found '{found}'"))
    }
}
