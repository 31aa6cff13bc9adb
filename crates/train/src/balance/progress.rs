//! The state of balancing as a file, so that it can be interrupted: a checkpoint in JSON with numbers that read back exactly.

use super::balancer::{Error, Plan, State};
use super::target::Targets;
use crate::gamma::{Progress, ProgressError, read_state, write_state};
use sha2::{Digest, Sha256};
use std::path::Path;
use tesuji_search::playout::GammaTable;

/// A moment of balancing.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Balance {
    /// How gammas are balanced.
    pub plan: Plan,
    /// The targets and the first gammas, as [`Balance::fingerprint`] sees them.
    pub fingerprint: String,
    /// Gammas and gradients.
    pub state: State,
    /// The test before the first round and after every one.
    pub errors: Vec<Error>,
}

impl Balance {
    /// A name for targets and a table.
    pub fn fingerprint(targets: &[Targets; 2], first: &GammaTable) -> String {
        let mut hash = Sha256::new();
        for targets in targets {
            hash.update(Progress::fingerprint(targets.games()));
            targets.games().iter().for_each(|game| hash.update(game.rules.komi.to_le_bytes()));
            targets.all().iter().for_each(|target| hash.update(target.to_bytes()));
        }
        hash.update(first.write());
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The state in a file, if there is one; it must be of this plan, this fingerprint and this many parameters.
    pub fn load(
        path: &Path,
        plan: &Plan,
        fingerprint: &str,
        parameters: usize,
    ) -> Result<Option<Balance>, ProgressError> {
        let Some(balance) = read_state::<Balance>(path)? else { return Ok(None) };
        let State { logs, averages, gradients, squares, .. } = &balance.state;
        let fits = balance.plan == *plan
            && balance.fingerprint == fingerprint
            && [logs, averages, gradients, squares].iter().all(|list| list.len() == parameters);
        if fits { Ok(Some(balance)) } else { Err(ProgressError::Other(path.to_owned())) }
    }

    /// Writes the file; after an error the old one is still there.
    pub fn save(&self, path: &Path) -> Result<(), ProgressError> {
        write_state(self, path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_state_reads_back_exactly_and_others_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("state");
        let plan = Plan {
            temperature: 0.7,
            steps: 1,
            positions: 2,
            playouts: 3,
            rate: 0.1,
            test_playouts: 4,
            seed: 5,
        };
        let load = |plan: &Plan, name: &str, count| Balance::load(&path, plan, name, count);
        assert_eq!(load(&plan, "f", 2).unwrap(), None);
        let list = |third: f64| vec![third / 3.0, 0.1];
        let state = State {
            steps: 7,
            logs: list(1.0),
            averages: list(2.0),
            gradients: list(4.0),
            squares: list(5.0),
        };
        let errors = vec![Error { positions: 3, squared: 2.0 / 7.0, bias: 0.1, for_black: -0.3 }];
        let balance = Balance { plan, fingerprint: "f".into(), state, errors };
        balance.save(&path).unwrap();
        assert_eq!(load(&plan, "f", 2).unwrap(), Some(balance));
        assert!(matches!(load(&Plan { seed: 7, ..plan }, "f", 2), Err(ProgressError::Other(_))));
        assert!(matches!(load(&plan, "g", 2), Err(ProgressError::Other(_))));
        assert!(matches!(load(&plan, "f", 3), Err(ProgressError::Other(_))));
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        assert!(matches!(load(&plan, "f", 2), Err(ProgressError::Contents(..))));
    }
}
