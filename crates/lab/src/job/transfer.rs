//! From one store to another.

use super::store::{Builds, JobStore, RunSpec, StoreError};

/// Copies the findings of a run that are new to the other store; how many. What is not done stays where it is.
pub fn transfer(
    from: &mut dyn JobStore,
    run: &str,
    spec: &RunSpec,
    to: &mut dyn JobStore,
) -> Result<u64, StoreError> {
    let (ended, _) = from.ended(run, 0)?;
    let findings: Vec<(String, String)> =
        ended.into_iter().filter_map(|ended| Some((ended.key, ended.finding.ok()?))).collect();
    let there = to.begin(spec, Builds::Any)?;
    to.import(&there, &findings)
}
