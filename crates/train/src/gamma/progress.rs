//! The state of learning as a file, so that it can be interrupted: a checkpoint in JSON with numbers that read back exactly.

use super::course::Plan;
use super::lesson::Score;
use crate::run::disk;
use crate::sample::GameSample;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::fmt;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// A moment of learning.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Progress {
    /// How positions are picked.
    pub plan: Plan,
    /// The games, as [`Progress::fingerprint`] sees them.
    pub fingerprint: String,
    /// The gammas after the last round.
    pub gammas: Vec<Vec<f64>>,
    /// The test after every round.
    pub scores: Vec<Score>,
}

/// Why there is no state to go on from.
#[derive(Debug)]
pub enum ProgressError {
    /// The file cannot be read or written.
    Io(PathBuf, io::Error),
    /// It holds something else, or is damaged.
    Contents(PathBuf, serde_json::Error),
    /// It is of other games or another plan.
    Other(PathBuf),
}

impl fmt::Display for ProgressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProgressError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            ProgressError::Contents(path, error) => {
                write!(f, "{} is no state of learning, or damaged: {error}", path.display())
            }
            ProgressError::Other(path) => write!(
                f,
                "{} is of other games or other options: use those, or remove it to begin again",
                path.display()
            ),
        }
    }
}

impl std::error::Error for ProgressError {}

impl Progress {
    /// A name for a list of games.
    pub fn fingerprint(games: &[GameSample]) -> String {
        let mut hash = Sha256::new();
        for game in games {
            hash.update([game.size.width() as u8, game.size.height() as u8]);
            for &(color, mv) in &game.moves {
                hash.update((2 * mv.code() + color.index() as u16).to_le_bytes());
            }
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The state in a file, if there is one; it must be of these games, this plan and this many features.
    pub fn load(
        path: &Path,
        plan: &Plan,
        fingerprint: &str,
        sizes: &[usize],
    ) -> Result<Option<Progress>, ProgressError> {
        let Some(progress) = read_state::<Progress>(path)? else { return Ok(None) };
        let fits = progress.plan == *plan
            && progress.fingerprint == fingerprint
            && progress.gammas.iter().map(Vec::len).eq(sizes.iter().copied());
        if fits { Ok(Some(progress)) } else { Err(ProgressError::Other(path.to_owned())) }
    }

    /// Writes the file; after an error the old one is still there.
    pub fn save(&self, path: &Path) -> Result<(), ProgressError> {
        write_state(self, path)
    }
}

/// The state in a file, if there is one.
pub(crate) fn read_state<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, ProgressError> {
    match fs::read(path) {
        Ok(bytes) => match serde_json::from_slice(&bytes) {
            Ok(state) => Ok(Some(state)),
            Err(error) => Err(ProgressError::Contents(path.to_owned(), error)),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ProgressError::Io(path.to_owned(), error)),
    }
}

/// Writes a state to a file; after an error the old one is still there.
pub(crate) fn write_state(state: &impl Serialize, path: &Path) -> Result<(), ProgressError> {
    let json = serde_json::to_vec(state).map_err(|error| ProgressError::Contents(path.to_owned(), error))?;
    disk::replace(path, &json).map_err(|error| ProgressError::Io(path.to_owned(), error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_reads_back_exactly_and_others_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("state");
        let plan = Plan { share: 1, held_out: 2, least_played: 3, least_seen: 4, prior: 0.1, seed: 6 };
        let load = |plan: &Plan, sizes: &[usize]| Progress::load(&path, plan, "f", sizes);
        assert_eq!(load(&plan, &[2]).unwrap(), None);
        let scores = vec![Score { log_likelihood: -1.0 / 3.0, ..Score::default() }];
        let progress = Progress { plan, fingerprint: "f".into(), gammas: vec![vec![0.1, 2.0 / 3.0]], scores };
        progress.save(&path).unwrap();
        assert_eq!(load(&plan, &[2]).unwrap(), Some(progress));
        assert!(matches!(load(&Plan { seed: 7, ..plan }, &[2]), Err(ProgressError::Other(_))));
        assert!(matches!(load(&plan, &[3]), Err(ProgressError::Other(_))));
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        assert!(matches!(load(&plan, &[2]), Err(ProgressError::Contents(..))));
    }
}
