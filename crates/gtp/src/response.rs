//! The text of an answer, in both directions: printing our own, reading the head of another engine's.
//!
//! An empty line ends a response, so a body must not contain one: lines without visible text are dropped
//! and control characters other than tab vanish. One exception keeps boards aligned: a body that starts
//! with a line break leaves the head line alone. The head always ends with a blank, even before nothing,
//! because GoGui takes as the answer whatever follows the first blank of the response (read in its
//! GtpClient).

use std::fmt::{self, Write as _};

/// What a handler answers: the text after `=`, or the text after `?`.
pub type Reply = Result<String, String>;

/// A complete answer; `Display` prints it with the empty line that ends it.
#[derive(Clone, Copy, Debug)]
pub struct Response<'a> {
    /// The id of the command answered.
    pub id: Option<u32>,
    /// Success or failure, with its text.
    pub reply: &'a Reply,
}

impl fmt::Display for Response<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (status, body) = match self.reply {
            Ok(body) => (Status::Success, body),
            Err(body) => (Status::Failure, body),
        };
        write_head(f, status, self.id)?;
        let mut lines = visible_lines(body).peekable();
        if body.starts_with('\n') || body.starts_with("\r\n") || lines.peek().is_none() {
            f.write_char('\n')?;
        }
        for line in lines {
            writeln!(f, "{line}")?;
        }
        f.write_char('\n')
    }
}

/// Whether a response starts with `=` or `?`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Success,
    Failure,
}

/// The first line of a response, taken apart.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Head<'a> {
    pub(crate) status: Status,
    pub(crate) id: Option<u32>,
    pub(crate) text: &'a str,
}

impl Head<'_> {
    /// Reads a first line; `None` when it is not one.
    pub(crate) fn parse(line: &str) -> Option<Head<'_>> {
        let (status, rest) = match line.strip_prefix('=') {
            Some(rest) => (Status::Success, rest),
            None => (Status::Failure, line.strip_prefix('?')?),
        };
        let digits = rest.len() - rest.trim_start_matches(|char: char| char.is_ascii_digit()).len();
        let (id, text) = rest.split_at(digits);
        let id = if id.is_empty() { None } else { Some(id.parse().ok()?) };
        if !text.is_empty() && !text.starts_with([' ', '\t']) {
            return None;
        }
        Some(Head { status, id, text: text.trim() })
    }
}

/// Writes `=id ` or `?id `.
pub(crate) fn write_head(out: &mut impl fmt::Write, status: Status, id: Option<u32>) -> fmt::Result {
    out.write_char(match status {
        Status::Success => '=',
        Status::Failure => '?',
    })?;
    if let Some(id) = id {
        write!(out, "{id}")?;
    }
    out.write_char(' ')
}

/// The lines of a text that may stand inside a response.
pub(crate) fn visible_lines(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split('\n')
        .map(|line| {
            let kept: String = line.chars().filter(|&char| char == '\t' || !char.is_control()).collect();
            kept.trim_end().to_owned()
        })
        .filter(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_answers_that_end_once() {
        let ok = |text: &str| Ok(text.to_owned());
        let table: &[(Option<u32>, Reply, &str)] = &[
            (None, ok(""), "= \n\n"),
            (Some(0), ok(""), "=0 \n\n"),
            (Some(12), ok("D4"), "=12 D4\n\n"),
            (None, Err("illegal move".into()), "? illegal move\n\n"),
            (Some(3), Err(String::new()), "?3 \n\n"),
            (None, ok("a\nb"), "= a\nb\n\n"),
            (None, ok("a\n\n\nb\n\n"), "= a\nb\n\n"),
            (None, ok("a\r\n\r\n \t\r\nb\r\n"), "= a\nb\n\n"),
            (None, ok("a\n\u{0}\u{1b}\nb"), "= a\nb\n\n"),
            (None, ok("\n   A B\n 1 . ."), "= \n   A B\n 1 . .\n\n"),
            (Some(1), ok("\r\n\r\n   A B"), "=1 \n   A B\n\n"),
            (None, ok("\n\n"), "= \n\n"),
            (None, ok("\r"), "= \n\n"),
            (None, ok(" \n \n"), "= \n\n"),
            (None, ok("a\tb"), "= a\tb\n\n"),
        ];
        for (id, reply, expected) in table {
            let printed = Response { id: *id, reply }.to_string();
            assert_eq!(&printed, expected, "{reply:?}");
            assert_eq!(printed.find("\n\n"), Some(printed.len() - 2), "{reply:?}");
        }
    }

    #[test]
    fn reads_heads() {
        let head = |status, id, text| Some(Head { status, id, text });
        assert_eq!(Head::parse("= "), head(Status::Success, None, ""));
        assert_eq!(Head::parse("=12"), head(Status::Success, Some(12), ""));
        assert_eq!(Head::parse("=12 D4 "), head(Status::Success, Some(12), "D4"));
        assert_eq!(Head::parse("=12\tD4"), head(Status::Success, Some(12), "D4"));
        assert_eq!(Head::parse("? no 1"), head(Status::Failure, None, "no 1"));
        for garbage in ["", "hello", " = x", "=x", "=12x", "=99999999999 x", "info =1"] {
            assert_eq!(Head::parse(garbage), None, "{garbage:?}");
        }
    }
}
