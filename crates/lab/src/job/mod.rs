//! Jobs: independent pieces of work that can be written down, done by anybody, stopped and resumed.
//!
//! A *run* is a list of jobs of one kind on the same terms: a match, an experiment, a suite, a batch of problems. A *job* has a key that stays
//! the same from run to run, and a *task*; what came of it is its *finding*. Tasks and findings are JSON text on their way, so that they can
//! lie in a file or a database and be done on another machine. A finding depends on the task, the terms and the build of the program alone,
//! so it does not matter who does a job, or when, or how often somebody tried.
//!
//! [`Work`] is how jobs of one kind are done. A [`JobStore`] keeps jobs and hands them out: [`LogStore`] is a file, for one process. A [`Pool`]
//! of threads takes jobs from a store and does them. [`Session`] is what a command needs: it begins a run, does its jobs or waits until others
//! have done them, and returns the findings. [`conformance`] says in code what every store must do, and a [`Drill`] how fast it does it.

pub mod conformance;
mod drill;
mod log_store;
mod pool;
mod session;
mod store;
mod transfer;
mod work;

pub use drill::{Drill, DrillReport};
pub use log_store::{FINDINGS_NAME, LogStore, RUN_NAME, adopt_old_log, run_of_directory};
pub use pool::Pool;
pub use session::{EndedJob, Findings, Flow, Job, Progress, RunError, Session, Venue, Workforce};
pub use store::{
    Builds, Claim, Claimant, Counts, Ended, JobEnd, JobEntry, JobStore, MAX_TRIES, RunInfo, RunSpec, State,
    StoreError,
};
pub use transfer::transfer;
pub use work::{JobError, Work, Worker, Workshop, worker_of};
