//! Experiments that can be stopped at any moment and go on later.
//!
//! An experiment is a list of [`Job`]s. The result of a job depends on the job and the terms of the experiment alone, and has a
//! key that stays the same from run to run; so jobs may be done in any order by several workers, and one whose key is in the log is not
//! done again. The same log, complete or not, ends in the same results.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::line_log::{LineLog, LineLogError};
use crate::pool::work_off;
use crate::terms::{Terms, agree};

/// A job of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Job<J> {
    /// Names it in the log; unique in the experiment.
    pub key: String,
    /// What is to be done.
    pub task: J,
}

/// How an experiment is run.
pub struct Setup<'a> {
    /// Where its log is; may be new.
    pub directory: &'a Path,
    /// What its results depend on besides their jobs.
    pub terms: &'a Terms,
    /// Jobs done at the same time. Times are comparable only if there is one.
    pub workers: usize,
    /// Ends it early once raised.
    pub stop: &'a AtomicBool,
}

/// Why an experiment cannot be run.
#[derive(Debug)]
pub enum ExperimentError {
    /// A file cannot be used.
    File(LineLogError),
    /// The directory holds an experiment on other terms, which differ in these.
    OtherTerms(PathBuf, Vec<String>),
}

/// Name of the log in the directory of an experiment.
pub const LOG_NAME: &str = "results.jsonl";
/// Name of the file with the terms.
pub const TERMS_NAME: &str = "experiment.json";

/// Does the jobs that the log does not hold yet; all results in the order of the jobs, or nothing if it was stopped before.
///
/// `worker` makes what one thread works with: from a job to its result, or to nothing if it saw that it shall stop. `watch` hears how many
/// jobs are done.
pub fn run<J, R, W>(
    setup: &Setup<'_>,
    jobs: &[Job<J>],
    worker: impl Fn() -> W + Sync,
    mut watch: impl FnMut(usize),
) -> Result<Option<Vec<R>>, ExperimentError>
where
    J: Sync,
    R: Serialize + DeserializeOwned + Send,
    W: FnMut(&J) -> Option<R>,
{
    let (mut log, lines) = LineLog::open::<Line<R>>(&setup.directory.join(LOG_NAME))?;
    let differing = agree(&setup.directory.join(TERMS_NAME), setup.terms)?;
    if !differing.is_empty() {
        return Err(ExperimentError::OtherTerms(setup.directory.to_owned(), differing));
    }
    let mut done: HashMap<String, R> = HashMap::new();
    for line in lines {
        // The first result of a job stands.
        done.entry(line.key).or_insert(line.result);
    }
    let open: Vec<&Job<J>> = jobs.iter().filter(|job| !done.contains_key(&job.key)).collect();
    watch(jobs.len() - open.len());
    let worker = || {
        let mut work = worker();
        move |job: &&Job<J>| work(&job.task)
    };
    let mut left = open.len();
    work_off(&open, setup.workers, setup.stop, worker, |index, result| {
        let line = Line { key: open[index].key.clone(), result };
        log.add(&line)?;
        done.insert(line.key, line.result);
        left -= 1;
        watch(jobs.len() - left);
        Ok::<(), LineLogError>(())
    })?;
    Ok(jobs.iter().map(|job| done.remove(&job.key)).collect())
}

/// A line of the log.
#[derive(Serialize, Deserialize)]
struct Line<R> {
    key: String,
    result: R,
}

impl From<LineLogError> for ExperimentError {
    fn from(error: LineLogError) -> ExperimentError {
        ExperimentError::File(error)
    }
}

impl fmt::Display for ExperimentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExperimentError::File(error) => error.fmt(f),
            ExperimentError::OtherTerms(path, names) => {
                let (path, names) = (path.display(), names.join(", "));
                write!(f, "{path} holds another experiment, with other {names}; choose another directory")
            }
        }
    }
}

impl std::error::Error for ExperimentError {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const JOBS: usize = 12;

    /// Squares numbers, counting how often it is asked; stops when asked for `last`.
    fn squares(
        directory: &Path,
        seed: u64,
        last: usize,
        asked: &AtomicUsize,
    ) -> Result<Option<Vec<usize>>, ExperimentError> {
        let jobs: Vec<Job<usize>> = (0..JOBS).map(|n| Job { key: format!("n{n}"), task: n }).collect();
        let stop = AtomicBool::new(false);
        let terms = Terms::from_iter([("seed".to_owned(), seed.into())]);
        let setup = Setup { directory, terms: &terms, workers: 3, stop: &stop };
        let worker = || {
            |&n: &usize| {
                asked.fetch_add(1, Ordering::Relaxed);
                stop.fetch_or(n == last, Ordering::Relaxed);
                (n != last).then_some(n * n)
            }
        };
        run(&setup, &jobs, worker, |_| ())
    }

    #[test]
    fn a_stopped_experiment_goes_on_and_ends_in_the_same_results() {
        let directory = tempfile::tempdir().unwrap();
        let asked = AtomicUsize::new(0);
        assert_eq!(squares(directory.path(), 1, 7, &asked).unwrap(), None);
        let log = directory.path().join(LOG_NAME);
        let mut text = fs::read_to_string(&log).unwrap();
        let found = text.lines().count();
        assert!((1..JOBS).contains(&found), "{text}");
        text += r#"{"key":"n11","res"#;
        fs::write(&log, text).unwrap();
        asked.store(0, Ordering::Relaxed);
        let expected: Vec<usize> = (0..JOBS).map(|n| n * n).collect();
        for asked_now in [JOBS - found, 0] {
            assert_eq!(squares(directory.path(), 1, JOBS, &asked).unwrap(), Some(expected.clone()));
            assert_eq!(asked.swap(0, Ordering::Relaxed), asked_now);
        }
    }

    #[test]
    fn other_terms_are_refused_by_name() {
        let directory = tempfile::tempdir().unwrap();
        let asked = AtomicUsize::new(0);
        squares(directory.path(), 1, JOBS, &asked).unwrap();
        let error = squares(directory.path(), 2, JOBS, &asked).unwrap_err().to_string();
        assert!(error.contains("with other seed;"), "{error}");
        assert_eq!(asked.load(Ordering::Relaxed), JOBS);
    }
}
