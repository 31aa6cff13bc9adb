//! Files by what is in them, so that one of the same name on another machine is not taken for the same.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The SHA-256 of a file: 64 small hexadecimal digits and nothing else, so it is safe as the name of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Checksum(String);

/// A text that is no checksum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChecksumError(String);

/// Passes on what is written, and adds it up.
pub struct Summing<W> {
    inner: W,
    hash: Sha256,
}

/// Hexadecimal digits of a checksum.
const DIGITS: usize = 64;

impl Checksum {
    /// The checksum of a file.
    pub fn of_file(path: &Path) -> io::Result<Checksum> {
        Checksum::of(&mut File::open(path)?)
    }

    /// The checksum of all that can be read.
    pub fn of(source: &mut dyn Read) -> io::Result<Checksum> {
        let mut sum = Summing::new(io::sink());
        io::copy(source, &mut sum)?;
        Ok(sum.finish().1)
    }

    /// Its digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<W> Summing<W> {
    /// Nothing so far.
    pub fn new(inner: W) -> Summing<W> {
        Summing { inner, hash: Sha256::new() }
    }

    /// Where it was written to, and its checksum.
    pub fn finish(self) -> (W, Checksum) {
        let digits = self.hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        (self.inner, Checksum(digits))
    }
}

impl<W: Write> Write for Summing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl TryFrom<String> for Checksum {
    type Error = ChecksumError;

    fn try_from(text: String) -> Result<Checksum, ChecksumError> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if text.len() == DIGITS && text.bytes().all(is_digit) {
            Ok(Checksum(text))
        } else {
            Err(ChecksumError(text))
        }
    }
}

impl From<Checksum> for String {
    fn from(checksum: Checksum) -> String {
        checksum.0
    }
}

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for ChecksumError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is no checksum", self.0.escape_default())
    }
}

impl std::error::Error for ChecksumError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_standard() {
        // The examples of FIPS 180-4.
        for (text, sum) in [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ] {
            assert_eq!(Checksum::of(&mut text.as_bytes()).unwrap().as_str(), sum);
        }
    }

    #[test]
    fn what_is_no_checksum_is_refused() {
        let good = "0123456789abcdef".repeat(4);
        assert!(Checksum::try_from(good.clone()).is_ok());
        for bad in ["", "../../etc/passwd", &good.to_uppercase(), &good[1..], &format!("{}/", &good[1..])] {
            assert!(Checksum::try_from((*bad).to_owned()).is_err(), "{bad}");
            assert!(serde_json::from_value::<Checksum>((*bad).into()).is_err(), "{bad}");
        }
    }
}
