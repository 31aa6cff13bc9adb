//! Where in a file something is.
//!
//! Errors and warnings are found in decoded text but reported by the byte of the file. For UTF-8 the two
//! differ by the byte-order mark at most. For other charsets, and where malformed bytes have become U+FFFD, the
//! file is decoded once more, byte by byte, until enough text has come out: slow, but only done when there is
//! something to report. After malformed
//! bytes the answer can be one byte late.

use std::fmt;

use encoding_rs::{Decoder, UTF_8};

use crate::charset::Decoded;
use crate::token::line_end_len;

/// A position in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Bytes of the file before it.
    pub offset: usize,
    /// Line, from 1.
    pub line: usize,
    /// Characters from the start of the line, from 1.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {} (byte {})", self.line, self.column, self.offset)
    }
}

impl Decoded<'_> {
    /// The place in the file of the character at byte `offset` of the decoded text.
    pub fn place(&self, offset: usize) -> Place {
        Locator::new(self).advance(offset)
    }
}

/// Turns rising offsets in decoded text into places, in one pass over the file.
pub(crate) struct Locator<'a> {
    decoded: &'a Decoded<'a>,
    line: usize,
    line_start: usize,
    /// Text before this has been searched for line ends.
    searched: usize,
    source: Source,
}

enum Source {
    SameBytes,
    Transcoded { decoder: Box<Decoder>, read: usize, written: usize },
}

impl<'a> Locator<'a> {
    pub(crate) fn new(decoded: &'a Decoded<'a>) -> Locator<'a> {
        let source = if decoded.encoding == UTF_8 && !decoded.malformed {
            Source::SameBytes
        } else {
            let decoder = Box::new(decoded.encoding.new_decoder_without_bom_handling());
            Source::Transcoded { decoder, read: 0, written: 0 }
        };
        Locator { decoded, line: 1, line_start: 0, searched: 0, source }
    }

    /// Assumes that `offset` is not before the one asked for last.
    pub(crate) fn advance(&mut self, offset: usize) -> Place {
        let text = self.decoded.text.as_bytes();
        let offset = offset.min(text.len());
        while self.searched < offset {
            match text[self.searched] {
                b'\r' | b'\n' => {
                    self.searched += line_end_len(&text[self.searched..]);
                    self.line += 1;
                    self.line_start = self.searched;
                }
                _ => self.searched += 1,
            }
        }
        // The start of the line lies behind an offset between CR and LF.
        let line_part = self.decoded.text.get(self.line_start.min(offset)..offset).unwrap_or_default();
        Place { offset: self.file_offset(offset), line: self.line, column: line_part.chars().count() + 1 }
    }

    fn file_offset(&mut self, offset: usize) -> usize {
        let mark_len = self.decoded.mark_len;
        let Source::Transcoded { decoder, read, written } = &mut self.source else {
            return mark_len + offset;
        };
        let body = self.decoded.body;
        let mut output = [0; 16];
        while *written < offset && *read < body.len() {
            let (_, _, count, _) = decoder.decode_to_utf8(&body[*read..=*read], &mut output, false);
            *read += 1;
            *written += count;
        }
        // Text that only the end of the file brings out (a cut character) belongs behind the last byte.
        mark_len + *read
    }
}

#[cfg(test)]
mod tests {
    use crate::charset::decode;
    use encoding_rs::{BIG5, EUC_KR, GBK, SHIFT_JIS};

    fn check(bytes: &[u8], needle: &str, expected: (usize, usize, usize)) {
        let decoded = decode(bytes);
        let place = decoded.place(decoded.text().find(needle).unwrap());
        assert_eq!((place.offset, place.line, place.column), expected, "{needle:?} in {:?}", decoded.text());
    }

    #[test]
    fn lines_and_columns() {
        check(b"x", "x", (0, 1, 1));
        check(b"ab\ncx", "x", (4, 2, 2));
        check(b"a\r\nb\rc\n\rd\n\nx", "x", (11, 6, 1));
        check("碁x".as_bytes(), "x", (3, 1, 2));
        check("\u{FEFF}碁x".as_bytes(), "x", (6, 1, 2));
    }

    #[test]
    fn offsets_in_other_charsets_are_those_of_the_file() {
        for encoding in [GBK, SHIFT_JIS, BIG5] {
            let text = format!("(;CA[{}]\nC[中文]x", encoding.name());
            let (bytes, _, _) = encoding.encode(&text);
            check(&bytes, "x", (bytes.len() - 1, 2, 6));
        }
        let text = format!("(;CA[{}]C[바둑]\n\nx", EUC_KR.name());
        let (bytes, _, _) = EUC_KR.encode(&text);
        check(&bytes, "x", (bytes.len() - 1, 3, 1));
        // A malformed byte is longer as text than in the file.
        check(b"\xEF\xBB\xBF\xA3(;x", "x", (6, 1, 4));
        check(b"\xFF\xFEa\0\xD6\x53x\0", "x", (6, 1, 3));
    }
}
