//! Reading lines of bounded length from a stream that may hold anything.
//!
//! `BufRead::read_until` would collect a line without end in memory; here the part beyond [`MAX_LINE`]
//! is read and forgotten. Both directions of the protocol use it: commands and the output of an engine.

use std::io::{self, BufRead};

/// Bytes kept of one line; a full analysis line with ownership of every move needs about 300 kB.
pub(crate) const MAX_LINE: usize = 1 << 20;

/// One line without its line feed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RawLine {
    /// The first [`MAX_LINE`] bytes at most.
    pub(crate) bytes: Vec<u8>,
    /// True when the line was longer than what was kept.
    pub(crate) truncated: bool,
}

/// Reads up to the next line feed or the end of the stream; `None` is the end.
pub(crate) fn read_line(reader: &mut impl BufRead) -> io::Result<Option<RawLine>> {
    let mut line = RawLine { bytes: Vec::new(), truncated: false };
    let mut seen_any = false;
    loop {
        let buffer = match reader.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if buffer.is_empty() {
            return Ok(seen_any.then_some(line));
        }
        seen_any = true;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let content = &buffer[..end.unwrap_or(buffer.len())];
        let kept = content.len().min(MAX_LINE - line.bytes.len());
        line.bytes.extend_from_slice(&content[..kept]);
        line.truncated |= kept < content.len();
        let consumed = content.len() + usize::from(end.is_some());
        reader.consume(consumed);
        if end.is_some() {
            return Ok(Some(line));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn lines(input: &[u8], buffer: usize) -> Vec<RawLine> {
        let mut reader = BufReader::with_capacity(buffer, input);
        std::iter::from_fn(|| read_line(&mut reader).expect("memory never fails")).collect()
    }

    fn whole(text: &str) -> RawLine {
        RawLine { bytes: text.as_bytes().to_vec(), truncated: false }
    }

    #[test]
    fn splits_at_line_feeds_whatever_the_buffer() {
        for buffer in [1, 2, 3, 64] {
            assert_eq!(lines(b"", buffer), []);
            assert_eq!(lines(b"\n", buffer), [whole("")]);
            assert_eq!(lines(b"ab\n\ncd", buffer), [whole("ab"), whole(""), whole("cd")]);
            assert_eq!(lines(b"ab\r\n", buffer), [whole("ab\r")]);
        }
    }

    #[test]
    fn forgets_what_exceeds_the_limit() {
        let mut input = vec![b'x'; MAX_LINE + 5];
        input.extend_from_slice(b"\nnext\n");
        let lines = lines(&input, 4096);
        assert_eq!(lines.len(), 2);
        assert_eq!((lines[0].bytes.len(), lines[0].truncated), (MAX_LINE, true));
        assert_eq!(lines[1], whole("next"));

        let exact = vec![b'x'; MAX_LINE];
        assert!(!self::lines(&exact, 4096)[0].truncated);
    }
}
