//! Texts that may be compressed with zstd, never unpacked without bound.
//!
//! A few kilobytes can unpack to gigabytes. Games and problems shrink to a half at least and to a twentieth at best (of the collections beside the
//! project), so a text that is far larger than its file is none of ours. What is read line by line needs no other bound; what is kept
//! as a whole has to fit into memory besides.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// First bytes of every zstd frame.
const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// Bytes of text for each byte of the file: ten times what the densest collection has.
const MAX_RATIO: u64 = 200;

/// Bytes of text that any file may have.
const ALWAYS_FINE: u64 = 1 << 24;

/// Most bytes of a text that is kept as a whole.
const MAX_WHOLE: u64 = 1 << 28;

const BUFFER: usize = 1 << 16;

/// Opens a file of text, compressed with zstd or plain; its first bytes tell which.
pub fn open_text(path: impl AsRef<Path>) -> io::Result<Box<dyn BufRead + Send>> {
    let mut file = BufReader::with_capacity(BUFFER, File::open(path)?);
    if file.fill_buf()?.starts_with(&MAGIC) {
        Ok(Box::new(BufReader::with_capacity(BUFFER, Unpacker::new(file)?)))
    } else {
        Ok(Box::new(file))
    }
}

/// Reads a whole file of text, compressed with zstd or plain.
pub fn read_text(path: impl AsRef<Path>) -> io::Result<String> {
    let mut text = String::new();
    Whole { input: open_text(path)?, left: MAX_WHOLE }.read_to_string(&mut text)?;
    Ok(text)
}

/// Unpacks a whole text that was compressed with zstd.
pub fn unpack(packed: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    Whole { input: Unpacker::new(packed)?, left: MAX_WHOLE }.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A text that is not much larger than what it was packed into.
struct Unpacker<R: BufRead> {
    decoder: zstd::Decoder<'static, Counter<R>>,
    unpacked: u64,
}

impl<R: BufRead> Unpacker<R> {
    fn new(input: R) -> io::Result<Unpacker<R>> {
        Ok(Unpacker { decoder: zstd::Decoder::with_buffer(Counter { input, count: 0 })?, unpacked: 0 })
    }
}

impl<R: BufRead> Read for Unpacker<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.decoder.read(buffer)?;
        self.unpacked += count as u64;
        if self.unpacked > ALWAYS_FINE + MAX_RATIO * self.decoder.get_ref().count {
            let message = format!("it unpacks to more than {MAX_RATIO} times its size, so it is no text");
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        Ok(count)
    }
}

/// Counts the bytes that are read.
struct Counter<R> {
    input: R,
    count: u64,
}

impl<R: BufRead> Read for Counter<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.count += count as u64;
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Counter<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.count += count as u64;
        self.input.consume(count);
    }
}

/// Refuses what is too large to be kept as a whole.
struct Whole<R> {
    input: R,
    left: u64,
}

impl<R: Read> Read for Whole<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.left = self.left.checked_sub(count as u64).ok_or_else(|| {
            let message = format!("it has more than {} MiB of text", MAX_WHOLE >> 20);
            io::Error::new(io::ErrorKind::FileTooLarge, message)
        })?;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text of one line that is as long as you like.
    fn packed(length: u64) -> Vec<u8> {
        zstd::encode_all(io::repeat(b'a').take(length), 1).unwrap()
    }

    #[test]
    fn a_file_that_grows_without_bound_is_refused() {
        let bomb = packed(1 << 31);
        assert!(bomb.len() < 1 << 18, "{} bytes", bomb.len());
        let error = unpack(&bomb).unwrap_err();
        assert!(error.to_string().contains("200 times its size"), "{error}");
        let path = std::env::temp_dir().join(format!("tesuji-sgf-packed-{}", std::process::id()));
        std::fs::write(&path, &bomb).unwrap();
        let results =
            [read_text(&path).map(drop), io::copy(&mut open_text(&path).unwrap(), &mut io::sink()).map(drop)];
        std::fs::remove_file(&path).unwrap();
        for result in results {
            assert!(result.unwrap_err().to_string().contains("200 times its size"));
        }
    }

    #[test]
    fn a_text_that_does_not_fit_into_memory_is_refused() {
        let mut whole = Whole { input: io::repeat(b'a').take(MAX_WHOLE + 1), left: MAX_WHOLE };
        let error = io::copy(&mut whole, &mut io::sink()).unwrap_err();
        assert!(error.to_string().contains("256 MiB"), "{error}");
        let mut whole = Whole { input: io::repeat(b'a').take(MAX_WHOLE), left: MAX_WHOLE };
        assert_eq!(io::copy(&mut whole, &mut io::sink()).unwrap(), MAX_WHOLE);
    }

    #[test]
    fn what_packs_well_and_is_small_is_fine() {
        assert_eq!(unpack(&packed(ALWAYS_FINE)).unwrap().len() as u64, ALWAYS_FINE);
        assert!(unpack(b"no zstd").is_err());
    }
}
