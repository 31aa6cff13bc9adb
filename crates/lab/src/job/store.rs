//! Where jobs are kept, and how they are handed out.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::line_log::LineLogError;
use crate::terms::{Terms, fingerprint};

/// Tries after which a job is given up: it failed, or whoever claimed it was not heard of again.
pub const MAX_TRIES: u32 = 3;

/// What all jobs of a run have in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunSpec {
    /// The kind of work.
    pub kind: String,
    /// What findings depend on besides their tasks; runs on other terms have nothing in common.
    pub terms: Terms,
    /// What a worker needs to know besides the task.
    pub setup: Value,
    /// The build of the program: another one may come to other findings.
    pub build: String,
}

/// A job to be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobEntry {
    /// Names it in its run.
    pub key: String,
    /// Its task as JSON.
    pub task: String,
}

/// Whether a run may go on with what another build of the program found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Builds {
    /// It may not.
    #[default]
    Same,
    /// The user says so.
    Any,
}

/// Somebody who wants jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimant {
    /// Who it is, for people.
    pub name: String,
    /// Its build: it gets no jobs of runs that want another one.
    pub build: String,
    /// The kinds of work that it knows.
    pub kinds: Vec<String>,
}

/// A job that somebody is to do.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The run, by its name in the store.
    pub run_id: String,
    /// What its jobs have in common.
    pub run: Arc<RunSpec>,
    /// The job.
    pub key: String,
    /// Its task as JSON.
    pub task: String,
    /// Tells this claim from others of the same job.
    pub token: u64,
}

/// How somebody who claimed a job is through with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobEnd {
    /// It is done; the finding as JSON.
    Done(String),
    /// It failed, and may be tried again.
    Failed(String),
    /// It must not be tried again.
    Refused(String),
    /// It was not done, through no fault of its own.
    Returned,
}

/// How a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// It waits.
    Open,
    /// Somebody is at it.
    Claimed,
    /// There is a finding.
    Done,
    /// It was tried too often.
    Failed,
    /// Nobody wants it any more.
    Cancelled,
}

/// A job that is done or given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The job.
    pub key: String,
    /// The finding as JSON, or why there is none.
    pub finding: Result<String, String>,
}

/// Numbers of jobs by how they stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Jobs that wait.
    pub open: u64,
    /// Jobs that somebody is at.
    pub claimed: u64,
    /// Jobs with a finding.
    pub done: u64,
    /// Jobs given up.
    pub failed: u64,
    /// Jobs that nobody wants any more.
    pub cancelled: u64,
}

/// A run that a store holds.
#[derive(Clone, Debug, PartialEq)]
pub struct RunInfo {
    /// Its name in the store.
    pub id: String,
    /// What its jobs have in common.
    pub spec: RunSpec,
    /// Its jobs.
    pub counts: Counts,
}

/// Keeps jobs and hands them out, each until it is done once.
///
/// A claim is a lease: who does not renew it in time loses it, and the job is handed out again. A finding is accepted from whoever holds
/// the lease, or held it last while nobody else has ended the job, and once only.
pub trait JobStore {
    /// Begins a run or goes on with it; its name in this store. Refuses other terms and, unless told otherwise, other builds.
    fn begin(&mut self, spec: &RunSpec, builds: Builds) -> Result<String, StoreError>;

    /// Adds jobs to a run, to be claimed in this order. Jobs that it has stay as they are, except that cancelled ones are wanted again.
    fn add(&mut self, run: &str, jobs: &[JobEntry]) -> Result<(), StoreError>;

    /// Hands out at most so many jobs, those of the most urgent run first.
    fn claim(&mut self, claimant: &Claimant, most: usize) -> Result<Vec<Claim>, StoreError>;

    /// How long a claim holds without being renewed.
    fn lease(&self) -> Duration;

    /// Renews claims; for each, whether it still holds. One that does not is not to be worked on any more.
    fn renew(&mut self, claims: &[&Claim]) -> Result<Vec<bool>, StoreError>;

    /// Ends claims, all or none; for each, whether it counted.
    fn settle(&mut self, ends: &[(Claim, JobEnd)]) -> Result<Vec<bool>, StoreError>;

    /// Jobs that ended since the time that a former call returned, 0 for all; some may be told of twice. Also the time to ask with next.
    fn ended(&mut self, run: &str, since: u64) -> Result<(Vec<Ended>, u64), StoreError>;

    /// Takes findings that were made elsewhere, by key; how many were new. Jobs that are done stay as they are.
    fn import(&mut self, run: &str, findings: &[(String, String)]) -> Result<u64, StoreError>;

    /// How the jobs of a run stand.
    fn counts(&mut self, run: &str) -> Result<Counts, StoreError>;

    /// Calls off all jobs of a run that are not ended; how many.
    fn cancel(&mut self, run: &str) -> Result<u64, StoreError>;

    /// Opens all failed and cancelled jobs of a run again; how many.
    fn retry(&mut self, run: &str) -> Result<u64, StoreError>;

    /// Makes a run more urgent than those with a lower number; 0 is usual.
    fn set_priority(&mut self, run: &str, priority: i32) -> Result<(), StoreError>;

    /// All runs.
    fn runs(&mut self) -> Result<Vec<RunInfo>, StoreError>;
}

/// Why a store does not do what it is asked for.
#[derive(Debug)]
pub enum StoreError {
    /// A file cannot be used.
    File(LineLogError),
    /// The place holds a run on other terms, which differ in these.
    OtherTerms(PathBuf, Vec<String>),
    /// The run was begun by another build.
    OtherBuild {
        /// Where it is.
        place: String,
        /// The builds that worked on it.
        theirs: Vec<String>,
        /// The build that wants to.
        ours: String,
    },
    /// There is no run at the place.
    NoRunAt(PathBuf),
    /// There are findings, and nothing says on which terms they were made.
    NoTerms(PathBuf),
    /// There is no such run.
    NoRun(String),
    /// The server cannot be reached; it may be back later.
    Away(String),
    /// The server refuses.
    Server(String),
}

impl RunSpec {
    /// Names the run by its kind and terms, whatever the build.
    pub fn id(&self) -> String {
        fingerprint(json!([self.kind, self.terms]).to_string().as_bytes())
    }

    /// Names the run by its kind, its terms and the build.
    pub fn id_with_build(&self) -> String {
        fingerprint(json!([self.kind, self.terms, self.build]).to_string().as_bytes())
    }
}

impl Counts {
    /// All jobs.
    pub fn total(&self) -> u64 {
        self.open + self.claimed + self.done + self.failed + self.cancelled
    }

    /// Jobs that are still to be done.
    pub fn left(&self) -> u64 {
        self.open + self.claimed
    }
}

impl StoreError {
    /// Whether it may go well if it is tried again later.
    pub fn is_transient(&self) -> bool {
        matches!(self, StoreError::Away(_))
    }
}

impl From<LineLogError> for StoreError {
    fn from(error: LineLogError) -> StoreError {
        StoreError::File(error)
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::File(error) => error.fmt(f),
            StoreError::OtherTerms(path, names) => {
                let (path, names) = (path.display(), names.join(", "));
                write!(f, "{path} holds results on other terms, with other {names}; choose another directory")
            }
            StoreError::OtherBuild { place, theirs, ours } => {
                let theirs = theirs.join(", ");
                write!(
                    f,
                    "{place} holds results of another build of the program ({theirs}; this one is {ours}), which may differ from ours; \
                     choose another place, or mix them with --any-build"
                )
            }
            StoreError::NoTerms(path) => {
                let path = path.display();
                write!(
                    f,
                    "{path} holds results, but nothing says on which terms and by which build they were made; \
                     choose another directory, or take them as they are with --any-build"
                )
            }
            StoreError::NoRunAt(path) => write!(f, "there is no run in {}", path.display()),
            StoreError::NoRun(name) => write!(f, "there is no run '{name}'"),
            StoreError::Away(reason) => write!(f, "the store cannot be reached: {reason}"),
            StoreError::Server(reason) => write!(f, "the store refuses: {reason}"),
        }
    }
}

impl std::error::Error for StoreError {}
