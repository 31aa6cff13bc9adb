//! A file of results, one JSON object a line, that survives being killed.
//!
//! A line is on the disk before [`LineLog::add`] returns. One that was cut short by a crash has no line end; it is removed when
//! the log is opened again. The log is locked while it is open, so that two runners cannot both add to it.

use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use tesuji_sgf::write_file;

/// An open log.
#[derive(Debug)]
pub struct LineLog {
    path: PathBuf,
    file: File,
}

/// Why a log cannot be used.
#[derive(Debug)]
pub enum LineLogError {
    /// A file cannot be read or written.
    Io(PathBuf, io::Error),
    /// Another runner has it open.
    Locked(PathBuf),
    /// A line, by its number from 1, is damaged in a way that a crash does not explain.
    Damaged(PathBuf, usize, String),
}

impl LineLog {
    /// Opens or creates a log, and its directory, and returns the lines it holds.
    pub fn open<T: DeserializeOwned>(path: &Path) -> Result<(LineLog, Vec<T>), LineLogError> {
        let failed = |error| LineLogError::Io(path.to_owned(), error);
        path.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
        lock(&file, path)?;
        let text = read_whole_lines(&mut file).map_err(failed)?;
        let read = |(index, line)| {
            serde_json::from_str(line)
                .map_err(|error| LineLogError::Damaged(path.to_owned(), index + 1, error.to_string()))
        };
        let lines = text.lines().enumerate().map(read).collect::<Result<_, _>>()?;
        Ok((LineLog { path: path.to_owned(), file }, lines))
    }

    /// Adds a line; it is on the disk afterwards.
    pub fn add(&mut self, record: &impl Serialize) -> Result<(), LineLogError> {
        self.add_all([record])
    }

    /// Adds lines; they are on the disk afterwards.
    pub fn add_all<'a, T: Serialize + 'a>(
        &mut self,
        records: impl IntoIterator<Item = &'a T>,
    ) -> Result<(), LineLogError> {
        let failed = |error| LineLogError::Io(self.path.clone(), error);
        let mut lines = String::new();
        for record in records {
            lines += &serde_json::to_string(record).map_err(|error| failed(error.into()))?;
            lines.push('\n');
        }
        if lines.is_empty() {
            return Ok(());
        }
        self.file.write_all(lines.as_bytes()).and_then(|()| self.file.sync_data()).map_err(failed)
    }
}

/// Writes a file that is either there as a whole or not at all.
pub fn write_bytes(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let partial = path.with_extension("partial");
    let mut file = File::create(&partial)?;
    file.write_all(bytes)?;
    file.sync_data()?;
    fs::rename(&partial, path)
}

/// A process just forked holds the locks of its parent until it becomes another program.
const LOCK_ATTEMPTS: u32 = 40;
const LOCK_PAUSE: Duration = Duration::from_millis(25);

fn lock(file: &File, path: &Path) -> Result<(), LineLogError> {
    for _ in 0..LOCK_ATTEMPTS {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => thread::sleep(LOCK_PAUSE),
            Err(TryLockError::Error(error)) => return Err(LineLogError::Io(path.to_owned(), error)),
        }
    }
    Err(LineLogError::Locked(path.to_owned()))
}

/// The lines that are complete; what follows the last of them is cut off the file.
fn read_whole_lines(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut bytes)?;
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    if whole < bytes.len() {
        bytes.truncate(whole);
        file.set_len(whole as u64)?;
        file.sync_all()?;
    }
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

impl fmt::Display for LineLogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineLogError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            LineLogError::Locked(path) => write!(f, "{}: another run is writing to it", path.display()),
            LineLogError::Damaged(path, line, error) => {
                write!(f, "{}, line {line}: {error}", path.display())
            }
        }
    }
}

impl std::error::Error for LineLogError {}
