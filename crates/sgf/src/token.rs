//! Cuts SGF text into brackets, semicolons, identifiers and values.
//!
//! Shared by the parser and the scanner, so that both agree on where a value ends. Blanks are everything up
//! to U+0020. A value is handed out as it stands between its brackets; [`unescape`] turns it into text.

use std::borrow::Cow;
use std::fmt;

use memchr::{memchr, memchr2};

/// A piece of SGF text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    Open,
    Close,
    Semicolon,
    /// Letters and digits as written, lower case included.
    Identifier(&'a str),
    /// What stands between `[` and `]`, escapes and all.
    Value(&'a str),
    End,
}

/// Why text cannot be cut into tokens, or why a token is in the wrong place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenError {
    /// A character that begins nothing; a value that contains an unescaped `]` is the usual cause.
    Unexpected(char),
    /// A `[` that no property identifier precedes.
    ValueWithoutIdentifier,
    /// An identifier without a `[` after it.
    IdentifierWithoutValue,
    /// The `[` of a value that the file ends inside of.
    UnterminatedValue,
}

impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TokenError::Unexpected(found) => {
                write!(f, "expected `;`, `(`, `)` or a property identifier, found {found:?}")
            }
            TokenError::ValueWithoutIdentifier => {
                f.write_str("expected a property identifier before this value")
            }
            TokenError::IdentifierWithoutValue => f.write_str("expected `[` after the property identifier"),
            TokenError::UnterminatedValue => {
                f.write_str("expected `]` to end this value before the end of the file")
            }
        }
    }
}

/// A [`TokenError`] and the byte of the text it is about.
pub(crate) type Located = (TokenError, usize);

/// Hands out the tokens of a text one by one.
#[derive(Clone, Debug)]
pub(crate) struct Tokenizer<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Tokenizer<'a> {
    pub(crate) fn new(text: &'a str) -> Tokenizer<'a> {
        Tokenizer { text, position: 0 }
    }

    /// Where the next token is looked for.
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// Skips to the `(` of the next game: one with `;`, or with an identifier and `[`, behind it. Returns
    /// where that is; everything before it is no part of any game.
    pub(crate) fn find_game(&mut self) -> Option<usize> {
        let bytes = self.text.as_bytes();
        while let Some(distance) = memchr(b'(', &bytes[self.position..]) {
            let open = self.position + distance;
            self.position = open + 1;
            let mut ahead = self.clone();
            ahead.skip_blanks();
            if bytes.get(ahead.position) == Some(&b';') || (ahead.identifier().is_some() && ahead.at_value())
            {
                self.position = open;
                return Some(open);
            }
        }
        self.position = bytes.len();
        None
    }

    /// The next token and where it begins.
    #[inline]
    pub(crate) fn next(&mut self) -> Result<(Token<'a>, usize), Located> {
        self.skip_blanks();
        let start = self.position;
        let Some(&byte) = self.text.as_bytes().get(start) else { return Ok((Token::End, start)) };
        let token = match byte {
            b';' => Token::Semicolon,
            b'(' => Token::Open,
            b')' => Token::Close,
            b'[' => return self.value().map(|value| (Token::Value(value), start)),
            _ => {
                return match self.identifier() {
                    Some(identifier) => Ok((Token::Identifier(identifier), start)),
                    None => Err((TokenError::Unexpected(self.char_at(start)), start)),
                };
            }
        };
        self.position += 1;
        Ok((token, start))
    }

    /// The next value of the property whose identifier or earlier value was read last, if there is one more.
    #[inline]
    pub(crate) fn next_value(&mut self) -> Result<Option<&'a str>, Located> {
        if self.at_value() { self.value().map(Some) } else { Ok(None) }
    }

    /// The letters of colour and point, and where the property begins, if a node that begins with a move,
    /// like `;B[pd]`, is next and the move has no second value. A short cut through [`Tokenizer::next`], for
    /// what most of every file consists of.
    #[inline]
    pub(crate) fn next_move_node(&mut self) -> Option<([u8; 3], usize)> {
        self.skip_blanks();
        let start = self.position;
        let &[b';', color @ (b'B' | b'W'), b'[', x @ b'a'..=b'y', y @ b'a'..=b'y', b']', ..] =
            &self.text.as_bytes()[start..]
        else {
            return None;
        };
        self.position += 6;
        if self.at_value() {
            self.position = start;
            return None;
        }
        Some(([color, x, y], start + 1))
    }

    /// Skips to behind the `)` that closes `depth` open variations, or to the end of the text; returns how
    /// many are left open. Looks at nothing but brackets.
    pub(crate) fn skip_variations(&mut self, mut depth: usize) -> Result<usize, Located> {
        while depth > 0 {
            let rest = &self.text.as_bytes()[self.position..];
            let Some(distance) = memchr::memchr3(b'[', b'(', b')', rest) else {
                self.position = self.text.len();
                break;
            };
            self.position += distance;
            match rest[distance] {
                b'[' => {
                    self.value()?;
                    continue;
                }
                b'(' => depth += 1,
                _ => depth -= 1,
            }
            self.position += 1;
        }
        Ok(depth)
    }

    #[inline]
    fn skip_blanks(&mut self) {
        let bytes = self.text.as_bytes();
        while bytes.get(self.position).is_some_and(|&byte| byte <= b' ') {
            self.position += 1;
        }
    }

    #[inline]
    fn at_value(&mut self) -> bool {
        self.skip_blanks();
        self.text.as_bytes().get(self.position) == Some(&b'[')
    }

    #[inline]
    fn identifier(&mut self) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        let start = self.position;
        if !bytes.get(start)?.is_ascii_alphabetic() {
            return None;
        }
        while bytes.get(self.position).is_some_and(u8::is_ascii_alphanumeric) {
            self.position += 1;
        }
        Some(&self.text[start..self.position])
    }

    /// Assumes that a `[` is next.
    #[inline]
    fn value(&mut self) -> Result<&'a str, Located> {
        let bytes = self.text.as_bytes();
        let start = self.position + 1;
        // A move has two letters; the general search would cost more than it finds.
        if let Some([a, b, b']', ..]) = bytes.get(start..)
            && a.is_ascii_alphanumeric()
            && b.is_ascii_alphanumeric()
        {
            self.position = start + 3;
            return Ok(&self.text[start..start + 2]);
        }
        let mut position = start;
        loop {
            let rest = bytes.get(position..).unwrap_or_default();
            let Some(distance) = memchr2(b']', b'\\', rest) else {
                return Err((TokenError::UnterminatedValue, self.position));
            };
            position += distance;
            if bytes[position] == b']' {
                self.position = position + 1;
                return Ok(&self.text[start..position]);
            }
            position += 2;
        }
    }

    fn char_at(&self, position: usize) -> char {
        self.text.get(position..).and_then(|rest| rest.chars().next()).unwrap_or(char::REPLACEMENT_CHARACTER)
    }
}

/// The text of a raw value: backslashes resolved, soft line breaks dropped, other line breaks turned into
/// `\n`.
#[inline]
pub(crate) fn unescape(raw: &str) -> Cow<'_, str> {
    // The points of moves are checked by the simplest means.
    let plain = match raw.as_bytes() {
        &[a, b] => ![a, b].iter().any(|byte| matches!(byte, b'\\' | b'\r')),
        bytes => memchr2(b'\\', b'\r', bytes).is_none(),
    };
    if plain { Cow::Borrowed(raw) } else { Cow::Owned(resolve_escapes(raw)) }
}

fn resolve_escapes(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(stop) = rest.find(['\\', '\r', '\n']) {
        text.push_str(&rest[..stop]);
        let bytes = &rest.as_bytes()[stop..];
        if bytes[0] != b'\\' {
            text.push('\n');
            rest = &rest[stop + line_end_len(bytes)..];
            continue;
        }
        rest = &rest[stop + 1..];
        match rest.chars().next() {
            Some('\r' | '\n') => rest = &rest[line_end_len(rest.as_bytes())..],
            Some(escaped) => {
                text.push(escaped);
                rest = &rest[escaped.len_utf8()..];
            }
            None => {}
        }
    }
    text.push_str(rest);
    text
}

/// Bytes of the line end that `bytes` begins with: two for CR LF and LF CR, else one.
pub(crate) fn line_end_len(bytes: &[u8]) -> usize {
    match bytes {
        [b'\r', b'\n', ..] | [b'\n', b'\r', ..] => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_line_ends() {
        for (raw, expected) in [
            ("plain", "plain"),
            (r"a\]b", "a]b"),
            (r"a\\b", r"a\b"),
            (r"\\\]", r"\]"),
            (r"\a\:", "a:"),
            ("a\r\nb\n\rc\rd\ne", "a\nb\nc\nd\ne"),
            ("soft\\\nbreak", "softbreak"),
            ("soft\\\r\nbreak", "softbreak"),
            ("soft\\\n\rbreak", "softbreak"),
            ("soft\\\rbreak\n\n", "softbreak\n\n"),
            ("\\碁石", "碁石"),
        ] {
            assert_eq!(unescape(raw), expected, "{raw:?}");
        }
    }

    #[test]
    fn tokens_with_their_offsets() {
        let mut tokenizer = Tokenizer::new("( ;B\n[aa] C[x\\]y]\t)");
        let mut found = Vec::new();
        loop {
            let (token, offset) = tokenizer.next().unwrap();
            found.push((token, offset));
            if token == Token::End {
                break;
            }
        }
        let expected = [
            (Token::Open, 0),
            (Token::Semicolon, 2),
            (Token::Identifier("B"), 3),
            (Token::Value("aa"), 5),
            (Token::Identifier("C"), 10),
            (Token::Value(r"x\]y"), 11),
            (Token::Close, 18),
            (Token::End, 19),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn games_are_found_behind_junk() {
        for (text, expected) in [
            ("(;", Some(0)),
            ("From: a (b) c\n\n( ;", Some(15)),
            ("(see below) (GM[1]", Some(12)),
            ("(GM [1]", Some(0)),
            ("((;", Some(1)),
            ("()", None),
            ("", None),
        ] {
            assert_eq!(Tokenizer::new(text).find_game(), expected, "{text:?}");
        }
    }
}
