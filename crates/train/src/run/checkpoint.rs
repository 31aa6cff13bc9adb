//! All that a run needs to go on, in one file.
//!
//! A line of eight bytes, the length of a description in JSON and the description, the lists of numbers in its order as little-endian floats, and
//! the SHA-256 of everything before it.

use super::curve::Curve;
use super::disk;
use super::recipe::Recipe;
use crate::learner::State;
use crate::loss::Tally;
use crate::optimizer::Moments;
use sha2::{Digest, Sha256};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"TSJCHK01";

/// A moment of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// What the run does.
    pub recipe: Recipe,
    /// The data it learns from, as [`crate::sample::SampleSet::fingerprint`] sees it.
    pub fingerprint: u64,
    /// Steps made when the data last changed; batches are counted from there.
    pub data_since: u64,
    /// Weights and all that belongs to them.
    pub state: State,
    /// The curve so far.
    pub curve: Curve,
    /// What was seen since the last row.
    pub pending: Tally,
    /// The sum of the lengths of gradients since the last row.
    pub pending_gradient: f64,
    /// Seconds spent.
    pub seconds: f64,
}

/// The part that is written as JSON.
#[derive(serde::Serialize, serde::Deserialize)]
struct Description {
    recipe: Recipe,
    /// As text: JSON's numbers are not made for 64 bits.
    fingerprint: String,
    data_since: u64,
    /// Absent in checkpoints of earlier versions, whose schedules all began with the run.
    #[serde(default)]
    schedule_since: u64,
    step: u64,
    lengths: [usize; 6],
    curve: Curve,
    pending: Tally,
    pending_gradient: f64,
    seconds: f64,
}

/// Why there is no checkpoint.
#[derive(Debug)]
pub enum CheckpointError {
    /// The file cannot be read or written.
    Io(PathBuf, io::Error),
    /// It is no checkpoint of this version.
    Foreign(PathBuf),
    /// It is cut or changed.
    Damaged(PathBuf),
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckpointError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            CheckpointError::Foreign(path) => {
                write!(f, "{}: not a checkpoint of this version", path.display())
            }
            CheckpointError::Damaged(path) => {
                write!(f, "{}: the checkpoint is cut or was changed", path.display())
            }
        }
    }
}

impl std::error::Error for CheckpointError {}

impl Checkpoint {
    /// Replaces a file by this checkpoint.
    pub fn write(&self, path: &Path) -> Result<(), CheckpointError> {
        let failed = |error| CheckpointError::Io(path.to_owned(), error);
        let bytes = self.to_bytes().map_err(|error| failed(error.into()))?;
        disk::replace(path, &bytes).map_err(failed)
    }

    /// Reads a checkpoint; nothing if there is no such file.
    pub fn read(path: &Path) -> Result<Option<Checkpoint>, CheckpointError> {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(CheckpointError::Io(path.to_owned(), error)),
        };
        if !bytes.starts_with(MAGIC) {
            return Err(CheckpointError::Foreign(path.to_owned()));
        }
        Checkpoint::from_bytes(&bytes).map(Some).ok_or_else(|| CheckpointError::Damaged(path.to_owned()))
    }

    fn lists(state: &State) -> [&Vec<f32>; 6] {
        let State { parameters, statistics, moments, average, average_statistics, .. } = state;
        [parameters, statistics, &moments.mean, &moments.square, average, average_statistics]
    }

    fn to_bytes(&self) -> serde_json::Result<Vec<u8>> {
        let lists = Checkpoint::lists(&self.state);
        let description = serde_json::to_vec(&Description {
            recipe: self.recipe.clone(),
            fingerprint: format!("{:016x}", self.fingerprint),
            data_since: self.data_since,
            schedule_since: self.state.schedule_since,
            step: self.state.step,
            lengths: lists.map(Vec::len),
            curve: self.curve.clone(),
            pending: self.pending,
            pending_gradient: self.pending_gradient,
            seconds: self.seconds,
        })?;
        let numbers: usize = lists.iter().map(|list| list.len()).sum();
        let mut bytes = Vec::with_capacity(64 + description.len() + 4 * numbers);
        bytes.extend_from_slice(MAGIC);
        bytes.extend((description.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&description);
        for number in lists.into_iter().flatten() {
            bytes.extend(number.to_le_bytes());
        }
        let sum = Sha256::digest(&bytes);
        bytes.extend_from_slice(&sum);
        Ok(bytes)
    }

    fn from_bytes(bytes: &[u8]) -> Option<Checkpoint> {
        let (content, sum) = bytes.split_last_chunk::<32>()?;
        if Sha256::digest(content)[..] != sum[..] {
            return None;
        }
        let (length, rest) = content.get(MAGIC.len()..)?.split_first_chunk::<8>()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let (description, mut numbers) = rest.split_at_checked(length)?;
        let found: Description = serde_json::from_slice(description).ok()?;
        let mut lists: [Vec<f32>; 6] = Default::default();
        for (list, &length) in lists.iter_mut().zip(&found.lengths) {
            let (own, rest) = numbers.split_at_checked(length.checked_mul(4)?)?;
            list.extend(own.as_chunks::<4>().0.iter().map(|&number| f32::from_le_bytes(number)));
            numbers = rest;
        }
        let [parameters, statistics, mean, square, average, average_statistics] = lists;
        let moments = Moments { mean, square };
        let state = State {
            step: found.step,
            schedule_since: found.schedule_since,
            parameters,
            statistics,
            moments,
            average,
            average_statistics,
        };
        (numbers.is_empty() && found.schedule_since <= found.step).then_some(Checkpoint {
            recipe: found.recipe,
            fingerprint: u64::from_str_radix(&found.fingerprint, 16).ok()?,
            data_since: found.data_since,
            state,
            curve: found.curve,
            pending: found.pending,
            pending_gradient: found.pending_gradient,
            seconds: found.seconds,
        })
    }
}
