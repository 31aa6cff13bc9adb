//! Networks from files, whatever their format.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::katago;
use crate::model::Model;
use crate::own;

/// Largest file that is read, in bytes: some more than the largest network in f32.
const MAX_FILE: u64 = 5 << 28;

/// Why bytes are no network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormatError {
    /// A file of KataGo's, or of nobody's.
    Katago(katago::ReadError),
    /// A file of ours, or of the same container.
    Own(own::OwnError),
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatError::Katago(error) => error.fmt(f),
            FormatError::Own(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FormatError {}

/// Why a network cannot be had from a file.
#[derive(Debug)]
pub struct LoadError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub cause: LoadCause,
}

/// What can be wrong with a file.
#[derive(Debug)]
pub enum LoadCause {
    /// It cannot be read.
    Io(std::io::Error),
    /// It is larger than any network.
    TooLarge,
    /// It is no network.
    Format(FormatError),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        match &self.cause {
            LoadCause::Io(error) => error.fmt(f),
            LoadCause::TooLarge => write!(f, "larger than any network"),
            LoadCause::Format(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LoadError {}

/// Reads a network from the bytes of a file: KataGo's, packed or bare, or ours.
pub fn read(bytes: &[u8]) -> Result<Model, FormatError> {
    if own::is_own(bytes) {
        own::read(bytes).map_err(FormatError::Own)
    } else {
        katago::read(bytes).map_err(FormatError::Katago)
    }
}

/// Reads a network from a file.
pub fn load(path: &Path) -> Result<Model, LoadError> {
    let fail = |cause| LoadError { path: path.to_owned(), cause };
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| fail(LoadCause::Io(error)))?;
    file.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(|error| fail(LoadCause::Io(error)))?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(fail(LoadCause::TooLarge));
    }
    read(&bytes).map_err(|error| fail(LoadCause::Format(error)))
}
