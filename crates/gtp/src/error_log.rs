//! What an engine writes to its stderr: drained so that it never blocks, kept for the report of a crash.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::line::read_line;

/// Where the engine's stderr goes besides the report of a crash.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Echo {
    /// Nowhere.
    #[default]
    Silent,
    /// To our own stderr, each line after this prefix.
    Prefixed(String),
}

/// The last lines of a stderr, shared with the thread that reads it.
#[derive(Clone, Debug, Default)]
pub(crate) struct ErrorLog {
    shared: Arc<(Mutex<Log>, Condvar)>,
}

impl ErrorLog {
    /// Reads until the end of the stream.
    pub(crate) fn record(&self, mut stderr: impl BufRead, echo: &Echo) {
        while let Ok(Some(raw)) = read_line(&mut stderr) {
            let bytes = &raw.bytes[..raw.bytes.len().min(KEPT_BYTES)];
            let line = String::from_utf8_lossy(bytes).trim_end().to_owned();
            if let Echo::Prefixed(prefix) = echo {
                // Unlike `eprintln!`, this does not panic when nobody listens.
                let _ = writeln!(io::stderr(), "{prefix}{line}");
            }
            let mut log = self.lock();
            if log.lines.len() == KEPT_LINES {
                log.lines.pop_front();
            }
            log.lines.push_back(line);
        }
        self.lock().complete = true;
        self.shared.1.notify_all();
    }

    /// The lines kept, oldest first.
    pub(crate) fn tail(&self) -> Vec<String> {
        self.lock().lines.iter().cloned().collect()
    }

    /// Waits until the stream has ended, but no longer than `timeout`.
    pub(crate) fn wait_complete(&self, timeout: Duration) {
        let waited = self.shared.1.wait_timeout_while(self.lock(), timeout, |log| !log.complete);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    fn lock(&self) -> MutexGuard<'_, Log> {
        self.shared.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lines kept for a crash report.
const KEPT_LINES: usize = 50;

/// Bytes kept of each of them.
const KEPT_BYTES: usize = 4096;

#[derive(Debug, Default)]
struct Log {
    lines: VecDeque<String>,
    complete: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_last_lines_and_the_start_of_long_ones() {
        let log = ErrorLog::default();
        let text: String = (0..60).map(|number| format!("line {number}\r\n")).collect();
        log.record(text.as_bytes(), &Echo::Silent);
        let tail = log.tail();
        assert_eq!(tail.len(), KEPT_LINES);
        assert_eq!((tail[0].as_str(), tail[49].as_str()), ("line 10", "line 59"));

        log.record("x".repeat(KEPT_BYTES + 1).as_bytes(), &Echo::Silent);
        assert_eq!(log.tail()[49].len(), KEPT_BYTES);
        log.wait_complete(Duration::MAX);
    }
}
