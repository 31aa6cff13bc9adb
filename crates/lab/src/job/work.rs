//! How jobs are done: typed for whoever writes an experiment, as text for whoever hands jobs around.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::store::RunSpec;

/// A kind of work, with everything that its jobs have in common. It is written down as the setup of a run.
pub trait Work: Serialize + DeserializeOwned + Send + Sync + 'static {
    /// The name of the kind.
    const KIND: &'static str;
    /// What one job is to do.
    type Task: Serialize + DeserializeOwned;
    /// What came of it.
    type Finding: Serialize + DeserializeOwned;
    /// What one thread keeps from job to job, such as a table that is costly to allocate. Findings must not depend on it.
    type Tools;

    /// Tools for one thread; an error if the setup asks for something that there is not.
    fn tools(&self) -> Result<Self::Tools, JobError>;

    /// Does a job. One that takes long looks at `stop` now and then.
    fn work(
        &self,
        tools: &mut Self::Tools,
        task: &Self::Task,
        stop: &AtomicBool,
    ) -> Result<Self::Finding, JobError>;
}

/// Why there is no finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobError {
    /// It was told to stop; the job can be done another time.
    Interrupted,
    /// Something went wrong that may go well another time.
    Failed(String),
    /// The task or the setup asks for something that cannot or must not be done; another try is pointless.
    Refused(String),
}

/// Does jobs of one run, one after the other, in one thread.
pub trait Worker {
    /// Does a job: from its task to its finding, both as JSON.
    fn work(&mut self, task: &str, stop: &AtomicBool) -> Result<String, JobError>;
}

/// Makes workers for runs.
pub trait Workshop: Send + Sync {
    /// A worker for the jobs of a run, or why there is none.
    fn worker(&self, run: &RunSpec) -> Result<Box<dyn Worker>, JobError>;
}

/// A worker for one kind of work.
pub fn worker_of<W: Work>(work: Arc<W>) -> Result<Box<dyn Worker>, JobError> {
    let tools = work.tools()?;
    Ok(Box::new(WorkerOf { work, tools }))
}

struct WorkerOf<W: Work> {
    work: Arc<W>,
    tools: W::Tools,
}

impl<W: Work> Worker for WorkerOf<W> {
    fn work(&mut self, task: &str, stop: &AtomicBool) -> Result<String, JobError> {
        let task = serde_json::from_str(task)
            .map_err(|error| JobError::Refused(format!("the task cannot be read: {error}")))?;
        let finding = self.work.work(&mut self.tools, &task, stop)?;
        serde_json::to_string(&finding)
            .map_err(|error| JobError::Failed(format!("the finding cannot be written: {error}")))
    }
}

/// Calls a worker; a panic is a failure of the job.
pub(super) fn guarded(worker: &mut dyn Worker, task: &str, stop: &AtomicBool) -> Result<String, JobError> {
    catch_unwind(AssertUnwindSafe(|| worker.work(task, stop)))
        .unwrap_or_else(|panic| Err(JobError::Failed(format!("it panicked: {}", panic_text(&*panic)))))
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no reason given")
}

impl fmt::Display for JobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JobError::Interrupted => f.write_str("it was interrupted"),
            JobError::Failed(reason) | JobError::Refused(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for JobError {}
