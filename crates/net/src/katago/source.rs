//! Tokens and lists of floats from the bytes of a network file that nobody vouches for.
//!
//! Nothing is allocated on the word of the file: lists grow with the numbers that are really there, and what is unpacked is
//! bounded by the size of what is packed.

use std::fmt;
use std::io::{BufRead, BufReader, ErrorKind, Read, Take};

use flate2::bufread::GzDecoder;

use crate::model::{CheckError, MAX_PARAMETERS};

/// Bytes that may come out of any file, however small: a small net packs well if its weights are round.
const FREE_BYTES: u64 = 16 << 20;
/// Bytes that may come out of each byte of the file. Weights as text pack to about a third, as binary hardly at all.
const MAX_EXPANSION: u64 = 32;
/// Longest word; names of layers have up to about sixty letters.
const MAX_WORD: usize = 400;
/// What precedes binary numbers.
const BINARY_MARK: &[u8] = b"@BIN@";
/// Numbers read at once.
const CHUNK: usize = 4096;

/// What is wrong with a file of KataGo's, and at which layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The layer that was being read.
    pub layer: String,
    /// What is wrong there.
    pub fault: Fault,
}

/// What can be wrong with a file of KataGo's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The packing is broken.
    Gzip(String),
    /// Far more comes out of the packing than weights could justify.
    Bomb,
    /// The file ends too early.
    Truncated,
    /// Something follows the last layer.
    Trailing,
    /// A word is not what must stand there.
    Word {
        /// What must stand there.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// A number that is infinite or no number.
    NotFinite,
    /// A number outside what the format allows.
    Range {
        /// Which number.
        what: &'static str,
        /// What it is.
        found: String,
    },
    /// A version of the format that is not known here.
    Version(u32),
    /// A kind of network that is not supported here.
    Unsupported(String),
    /// The layers do not fit each other.
    Check(CheckError),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.layer)?;
        match &self.fault {
            Fault::Gzip(message) => write!(f, "the gzip data is broken: {message}"),
            Fault::Bomb => write!(f, "the file unpacks to far more than a network can be"),
            Fault::Truncated => write!(f, "the file ends too early"),
            Fault::Trailing => write!(f, "something follows the last layer"),
            Fault::Word { expected, found } => write!(f, "expected {expected}, found \"{found}\""),
            Fault::NotFinite => write!(f, "a weight is infinite or not a number"),
            Fault::Range { what, found } => write!(f, "{what} cannot be {found}"),
            Fault::Version(version) => write!(
                f,
                "networks of version {version} are not supported: versions {} to {} are",
                super::VERSIONS.start(),
                super::VERSIONS.end()
            ),
            Fault::Unsupported(what) => write!(f, "{what} is not supported"),
            Fault::Check(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ReadError {}

/// The file as words and numbers, and the layer that is being read, for messages.
pub(super) struct Source<'a> {
    input: Input<'a>,
    layer: String,
    weights: usize,
}

enum Input<'a> {
    Packed(Box<BufReader<Take<GzDecoder<&'a [u8]>>>>),
    Bare(&'a [u8]),
}

impl<'a> Source<'a> {
    /// A source of packed or bare bytes.
    pub(super) fn new(bytes: &'a [u8]) -> Source<'a> {
        let input = if bytes.starts_with(&[0x1f, 0x8b]) {
            let most = FREE_BYTES + MAX_EXPANSION * bytes.len() as u64;
            Input::Packed(Box::new(BufReader::with_capacity(1 << 16, GzDecoder::new(bytes).take(most))))
        } else {
            Input::Bare(bytes)
        };
        Source { input, layer: "header".to_owned(), weights: 0 }
    }

    /// An error at the present layer.
    pub(super) fn error(&self, fault: Fault) -> ReadError {
        ReadError { layer: self.layer.clone(), fault }
    }

    /// Names the part of the file that is read next.
    pub(super) fn enter(&mut self, layer: &str) {
        self.layer.clear();
        self.layer.push_str(layer);
    }

    /// Reads the name of a layer of some kind, and lets errors name it from now on.
    pub(super) fn name(&mut self, kind: &str) -> Result<String, ReadError> {
        let name = self.word("a name")?;
        self.enter(&format!("{kind} {name}"));
        Ok(name)
    }

    /// The next word.
    pub(super) fn word(&mut self, expected: &'static str) -> Result<String, ReadError> {
        self.skip_blanks()?;
        let mut word = Vec::new();
        while let Some(byte) = self.peek()? {
            if byte.is_ascii_whitespace() {
                break;
            }
            if word.len() == MAX_WORD {
                return Err(self.error(Fault::Word { expected, found: printable(&word) }));
            }
            word.push(byte);
            self.consume(1);
        }
        if word.is_empty() {
            return Err(self.error(Fault::Truncated));
        }
        if word.iter().all(u8::is_ascii_graphic) {
            Ok(String::from_utf8_lossy(&word).into_owned())
        } else {
            Err(self.error(Fault::Word { expected, found: printable(&word) }))
        }
    }

    /// The next word as a whole number in a range.
    pub(super) fn integer(&mut self, what: &'static str, most: usize) -> Result<usize, ReadError> {
        let word = self.word(what)?;
        let value: usize = match word.parse() {
            Ok(value) => value,
            Err(_) => return Err(self.error(Fault::Word { expected: what, found: word })),
        };
        if value > most { Err(self.error(Fault::Range { what, found: word })) } else { Ok(value) }
    }

    /// A size: a whole number that is not zero.
    pub(super) fn size(&mut self, what: &'static str, most: usize) -> Result<usize, ReadError> {
        match self.integer(what, most)? {
            0 => Err(self.error(Fault::Range { what, found: "0".to_owned() })),
            size => Ok(size),
        }
    }

    /// The next word as yes (1) or no (0).
    pub(super) fn flag(&mut self, what: &'static str) -> Result<bool, ReadError> {
        Ok(self.integer(what, 1)? == 1)
    }

    /// Numbers that must be 0: what they mean otherwise is unknown.
    pub(super) fn zeros(&mut self, what: &'static str, count: usize) -> Result<(), ReadError> {
        for _ in 0..count {
            let value = self.integer(what, usize::MAX)?;
            if value != 0 {
                return Err(self.error(Fault::Unsupported(format!("{what} {value}"))));
            }
        }
        Ok(())
    }

    /// The next word as a finite number.
    pub(super) fn number(&mut self, what: &'static str) -> Result<f32, ReadError> {
        let word = self.word(what)?;
        match word.parse::<f32>() {
            Ok(value) if value.is_finite() => Ok(value),
            Ok(_) => Err(self.error(Fault::NotFinite)),
            Err(_) => Err(self.error(Fault::Word { expected: what, found: word })),
        }
    }

    /// A list of weights: binary after a mark, else words.
    pub(super) fn weights(&mut self, sides: &[usize]) -> Result<Vec<f32>, ReadError> {
        let count = sides.iter().try_fold(1usize, |product, &side| product.checked_mul(side));
        let total = count.and_then(|count| self.weights.checked_add(count));
        let Some((count, total)) = count.zip(total.filter(|&total| total <= MAX_PARAMETERS)) else {
            let found = format!("{sides:?}");
            return Err(self.error(Fault::Range { what: "the number of weights", found }));
        };
        self.weights = total;
        self.skip_blanks()?;
        let mut weights = Vec::new();
        if self.peek()? == Some(BINARY_MARK[0]) {
            let mut mark = [0; BINARY_MARK.len()];
            self.fill(&mut mark)?;
            if mark != BINARY_MARK {
                return Err(self.error(Fault::Word { expected: "weights", found: printable(&mark) }));
            }
            let mut bytes = vec![0; 4 * CHUNK.min(count)];
            while weights.len() < count {
                let bytes = &mut bytes[..4 * CHUNK.min(count - weights.len())];
                self.fill(bytes)?;
                let numbers = bytes.as_chunks::<4>().0.iter();
                weights.extend(numbers.map(|&number| f32::from_le_bytes(number)));
            }
        } else {
            while weights.len() < count {
                weights.push(self.number("a weight")?);
            }
        }
        if !weights.iter().all(|weight| weight.is_finite()) {
            return Err(self.error(Fault::NotFinite));
        }
        weights.shrink_to_fit();
        Ok(weights)
    }

    /// Makes sure that nothing but blanks is left, and that the checksum of the packing is right.
    pub(super) fn finish(mut self) -> Result<(), ReadError> {
        self.enter("end of file");
        self.skip_blanks()?;
        if self.peek()?.is_some() {
            return Err(self.error(Fault::Trailing));
        }
        match &self.input {
            Input::Packed(input) if !input.get_ref().get_ref().get_ref().is_empty() => {
                Err(self.error(Fault::Trailing))
            }
            _ => Ok(()),
        }
    }

    fn skip_blanks(&mut self) -> Result<(), ReadError> {
        while self.peek()?.is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.consume(1);
        }
        Ok(())
    }

    fn peek(&mut self) -> Result<Option<u8>, ReadError> {
        let next = match &mut self.input {
            Input::Packed(input) => match input.fill_buf().map(|bytes| bytes.first().copied()) {
                // The end of what may be unpacked is not the end of the file.
                Ok(None) if input.get_ref().limit() == 0 => Err(Fault::Bomb),
                Ok(first) => Ok(first),
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => Err(Fault::Truncated),
                Err(error) => Err(Fault::Gzip(error.to_string())),
            },
            Input::Bare(input) => Ok(input.first().copied()),
        };
        next.map_err(|fault| self.error(fault))
    }

    fn consume(&mut self, count: usize) {
        match &mut self.input {
            Input::Packed(input) => input.consume(count),
            Input::Bare(input) => *input = &input[count..],
        }
    }

    fn fill(&mut self, mut target: &mut [u8]) -> Result<(), ReadError> {
        while !target.is_empty() {
            if self.peek()?.is_none() {
                return Err(self.error(Fault::Truncated));
            }
            let ready = match &mut self.input {
                Input::Packed(input) => input.buffer(),
                Input::Bare(input) => input,
            };
            let count = ready.len().min(target.len());
            let (now, later) = target.split_at_mut(count);
            now.copy_from_slice(&ready[..count]);
            target = later;
            self.consume(count);
        }
        Ok(())
    }
}

/// The beginning of some bytes as text for a message.
fn printable(bytes: &[u8]) -> String {
    bytes[..bytes.len().min(40)].escape_ascii().to_string()
}
