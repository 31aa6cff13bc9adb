//! A record of a conversation: every line with the seconds since it began and who said it.
//!
//! It must not disturb: what cannot be written down any more is left out, and the conversation goes on.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// A file that both directions write to.
#[derive(Clone)]
pub(super) struct Log {
    file: Arc<Mutex<File>>,
    started: Instant,
}

impl Log {
    /// Goes on at the end of a file, or begins one.
    pub(super) fn open(path: &Path) -> io::Result<Log> {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        writeln!(file, "# Tesuji {}", env!("CARGO_PKG_VERSION"))?;
        Ok(Log { file: Arc::new(Mutex::new(file)), started: Instant::now() })
    }

    /// An input whose lines are written down.
    pub(super) fn hearing<R: Read>(&self, input: R) -> Hearing<R> {
        Hearing { input, lines: Lines { log: self.clone(), sign: '>', pending: Vec::new() } }
    }

    /// An output whose lines are written down.
    pub(super) fn saying<W: Write>(&self, output: W) -> Saying<W> {
        Saying { output, lines: Lines { log: self.clone(), sign: '<', pending: Vec::new() } }
    }
}

/// See [`Log::hearing`].
pub(super) struct Hearing<R> {
    input: R,
    lines: Lines,
}

/// See [`Log::saying`].
pub(super) struct Saying<W> {
    output: W,
    lines: Lines,
}

impl<R: Read> Read for Hearing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.lines.add(&buffer[..count]);
        Ok(count)
    }
}

impl<W: Write> Write for Saying<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let count = self.output.write(buffer)?;
        self.lines.add(&buffer[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// What one side has said and not ended yet.
struct Lines {
    log: Log,
    sign: char,
    pending: Vec<u8>,
}

impl Lines {
    /// A line that is longer is written down in parts.
    const LONGEST: usize = 1 << 16;

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if byte == b'\n' || self.pending.len() == Lines::LONGEST {
                self.end_line();
            }
            if byte != b'\n' {
                self.pending.push(byte);
            }
        }
    }

    fn end_line(&mut self) {
        let text = String::from_utf8_lossy(&self.pending);
        let text = text.trim_end();
        if !text.is_empty() {
            let seconds = self.log.started.elapsed().as_secs_f64();
            let mut file = self.log.file.lock().unwrap_or_else(PoisonError::into_inner);
            // A full disk is no reason to lose the game.
            let _ = writeln!(file, "{seconds:9.3} {} {text}", self.sign);
        }
        self.pending.clear();
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.end_line();
    }
}
