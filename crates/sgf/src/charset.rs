//! From the bytes of a file to text.
//!
//! The charset is, in this order: the one a byte-order mark shows; UTF-16 if every second byte at the start
//! is zero; the one the first `CA` property names, if it is known and not contradicted by the bytes; UTF-8 if
//! the bytes are valid; what `chardetng` guesses. The whole file is decoded before it is cut into tokens,
//! because the second byte of a character in Shift_JIS, GBK or Big5 can be `]` or `\`. One charset holds for
//! the whole file, even if its games name several.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};
use memchr::memmem;

/// A file as text, with what is needed to find the byte of the file that a character came from.
#[derive(Clone, Debug)]
pub struct Decoded<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) encoding: &'static Encoding,
    /// The file behind its byte-order mark.
    pub(crate) body: &'a [u8],
    pub(crate) mark_len: usize,
    pub(crate) malformed: bool,
}

/// Finds out the charset of `bytes` and decodes them; bytes that make no sense become U+FFFD.
pub fn decode(bytes: &[u8]) -> Decoded<'_> {
    let (encoding, mark_len) = match Encoding::for_bom(bytes) {
        Some(found) => found,
        None => (detect(bytes), 0),
    };
    let body = &bytes[mark_len..];
    let (text, malformed) = encoding.decode_without_bom_handling(body);
    Decoded { text, encoding, body, mark_len, malformed }
}

impl Decoded<'_> {
    /// The decoded text, without a byte-order mark.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Name of the charset, as in the WHATWG encoding standard.
    pub fn charset(&self) -> &'static str {
        self.encoding.name()
    }
}

fn detect(bytes: &[u8]) -> &'static Encoding {
    match bytes {
        [0, second, 0, fourth, ..] if *second != 0 && *fourth != 0 => return UTF_16BE,
        [first, 0, third, 0, ..] if *first != 0 && *third != 0 => return UTF_16LE,
        _ => {}
    }
    let is_utf8 = std::str::from_utf8(bytes).is_ok();
    match named(bytes) {
        Some(encoding) if encoding != UTF_8 => return encoding,
        _ if is_utf8 => return UTF_8,
        _ => {}
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Deny)
}

/// The charset that the first `CA` property names.
///
/// Looks for the letters rather than for tokens: a value before it may hold the very bytes that cannot be
/// understood yet.
fn named(bytes: &[u8]) -> Option<&'static Encoding> {
    memmem::find_iter(bytes, b"CA[").find_map(|start| {
        if start > 0 && !matches!(bytes[start - 1], b';' | b']' | 0..=b' ') {
            return None;
        }
        let rest = &bytes[start + 3..];
        let label = &rest[..rest.iter().take(MAX_LABEL_LEN).position(|&byte| byte == b']')?];
        let encoding = Encoding::for_label_no_replacement(label)?;
        // Text that could be searched for `CA[` is not UTF-16, whatever it says of itself.
        (encoding.is_ascii_compatible() || encoding == ISO_2022_JP).then_some(encoding)
    })
}

/// No label that `encoding_rs` knows is longer, blanks around it aside.
const MAX_LABEL_LEN: usize = 40;

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], charset: &str, text: &str) {
        let decoded = decode(bytes);
        assert_eq!((decoded.charset(), decoded.text()), (charset, text), "{bytes:?}");
    }

    #[test]
    fn marks_and_names() {
        check(b"(;)", "UTF-8", "(;)");
        check(b"\xEF\xBB\xBF(;)", "UTF-8", "(;)");
        check(b"\xFF\xFE(\0;\0)\0", "UTF-16LE", "(;)");
        check(b"\xFE\xFF\0(\0;\0)", "UTF-16BE", "(;)");
        check(b"(\0;\0)\0", "UTF-16LE", "(;)");
        check(b"\0(\0;\0)", "UTF-16BE", "(;)");
        check(b"(;CA[GB2312]PB[\xD6\xDC])", "GBK", "(;CA[GB2312]PB[周])");
        check(b"(;CA[iso-8859-1]PB[\xE9])", "windows-1252", "(;CA[iso-8859-1]PB[é])");
        check("(;CA[no-such]PB[周])".as_bytes(), "UTF-8", "(;CA[no-such]PB[周])");
        check("(;CA[UTF-16]PB[周])".as_bytes(), "UTF-8", "(;CA[UTF-16]PB[周])");
        check(b"(;C[no xCA[gbk])", "UTF-8", "(;C[no xCA[gbk])");
        check(b"", "UTF-8", "");
    }

    #[test]
    fn a_wrong_claim_of_utf8_is_not_believed() {
        let decoded =
            decode(b"(;CA[UTF-8]PB[\xB1\xE8\xC1\xF6\xBC\xAE \xBE\xC6\xB8\xB6 \xC0\xCC\xC3\xA2\xC8\xA3])");
        assert_eq!(decoded.charset(), "EUC-KR");
    }
}
