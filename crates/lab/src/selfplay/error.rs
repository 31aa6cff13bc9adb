//! What can end self-play.

use std::fmt;
use std::io;
use std::path::PathBuf;

use tesuji_board::Size;
use tesuji_net::LoadError;
use tesuji_train::network::CompileError;
use tesuji_train::sample::FileError;

use crate::job::{RunError, StoreError};
use crate::line_log::LineLogError;

/// Why self-play cannot begin or go on. What was written down before stays as it was.
#[derive(Debug)]
pub enum SelfPlayError {
    /// A file cannot be read or written.
    Io(PathBuf, io::Error),
    /// A file is not what it was when we wrote it.
    Damaged(PathBuf),
    /// The directory holds a run by another plan.
    OtherPlan(PathBuf),
    /// The network to begin with lacks moves or values.
    HalfNetwork,
    /// The network was made for other boards.
    Board(Size),
    /// A network cannot be read.
    Load(LoadError),
    /// A network cannot be trained.
    Compile(CompileError),
    /// Games cannot be kept.
    Games(FileError),
    /// A job came to something that is no game by the rules.
    NoGame,
    /// The log of cycles cannot be used.
    Log(LineLogError),
    /// Jobs cannot be done.
    Job(RunError),
    /// Jobs or files cannot be handed to those who do the jobs.
    Share(String),
    /// There is no network to begin with.
    Start(String),
    /// Training cannot go on.
    Training(tesuji_train::run::RunError),
    /// It was told to stop.
    Interrupted,
}

impl fmt::Display for SelfPlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SelfPlayError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            SelfPlayError::Damaged(path) => write!(f, "{}: not as we wrote it", path.display()),
            SelfPlayError::OtherPlan(path) => write!(
                f,
                "{} holds a run with other settings: use those, or another directory",
                path.display()
            ),
            SelfPlayError::HalfNetwork => f.write_str("the network must know both moves and values"),
            SelfPlayError::Board(size) => write!(f, "the network was not made for {size}"),
            SelfPlayError::Load(error) => error.fmt(f),
            SelfPlayError::Compile(error) => error.fmt(f),
            SelfPlayError::Games(error) => error.fmt(f),
            SelfPlayError::NoGame => f.write_str("a job came to something that is no game by the rules"),
            SelfPlayError::Log(error) => error.fmt(f),
            SelfPlayError::Job(error) => error.fmt(f),
            SelfPlayError::Share(reason) | SelfPlayError::Start(reason) => f.write_str(reason),
            SelfPlayError::Training(error) => error.fmt(f),
            SelfPlayError::Interrupted => f.write_str("it was interrupted"),
        }
    }
}

impl std::error::Error for SelfPlayError {}

impl From<LoadError> for SelfPlayError {
    fn from(error: LoadError) -> SelfPlayError {
        SelfPlayError::Load(error)
    }
}

impl From<CompileError> for SelfPlayError {
    fn from(error: CompileError) -> SelfPlayError {
        SelfPlayError::Compile(error)
    }
}

impl From<FileError> for SelfPlayError {
    fn from(error: FileError) -> SelfPlayError {
        SelfPlayError::Games(error)
    }
}

impl From<LineLogError> for SelfPlayError {
    fn from(error: LineLogError) -> SelfPlayError {
        SelfPlayError::Log(error)
    }
}

impl From<RunError> for SelfPlayError {
    fn from(error: RunError) -> SelfPlayError {
        match error {
            RunError::Interrupted => SelfPlayError::Interrupted,
            error => SelfPlayError::Job(error),
        }
    }
}

impl From<StoreError> for SelfPlayError {
    fn from(error: StoreError) -> SelfPlayError {
        SelfPlayError::Job(error.into())
    }
}

impl From<tesuji_train::run::RunError> for SelfPlayError {
    fn from(error: tesuji_train::run::RunError) -> SelfPlayError {
        SelfPlayError::Training(error)
    }
}
