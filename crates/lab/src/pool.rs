//! Jobs done by worker threads.
//!
//! Workers share nothing but the list of jobs; what they find is accepted one at a time by the thread that called, so that a log
//! needs no lock of its own.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// Does all jobs, in any order, until `stop` is raised or a result is not accepted.
///
/// `worker` makes what one thread works with: from a job to its result, or to nothing if it was interrupted. `accept` hears the
/// number of a job and its result.
pub(crate) fn work_off<J: Sync, R: Send, E, W: FnMut(&J) -> Option<R>>(
    jobs: &[J],
    workers: usize,
    stop: &AtomicBool,
    worker: impl Fn() -> W + Sync,
    mut accept: impl FnMut(usize, R) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..workers.clamp(1, jobs.len().max(1)) {
            let (sender, next, worker) = (sender.clone(), &next, &worker);
            scope.spawn(move || {
                let mut work = worker();
                while !stop.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(index) else { break };
                    // Nobody listens any more if a result was not accepted.
                    if work(job).is_none_or(|result| sender.send((index, result)).is_err()) {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (index, result) in receiver {
            accept(index, result)?;
        }
        Ok(())
    })
}
