//! The threads that think: one plays and counts, one solves problems, one leads reviews.
//!
//! Each has its tool, made when it is first needed, and a short queue; whoever comes when it is full is told so. A panic is a bug, but it must not
//! take the server with it: the job is lost, the tool is made anew.

use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::thread;

/// Jobs that may wait for a thread.
const MAX_WAITING: usize = 64;

type Job<T> = Box<dyn FnOnce(&mut T) + Send>;

/// A thread with a tool of this type. It ends when nobody can ask it any more.
pub(crate) struct Worker<T>(SyncSender<Job<T>>);

/// There are more jobs than the thread will ever get done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Busy;

impl fmt::Display for Busy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the engine has too much to do; try again later")
    }
}

impl std::error::Error for Busy {}

impl<T: 'static> Worker<T> {
    /// Starts a thread; the tool is made there.
    pub(crate) fn start(name: &str, make: impl Fn() -> T + Send + 'static) -> io::Result<Worker<T>> {
        let (sender, jobs) = sync_channel::<Job<T>>(MAX_WAITING);
        thread::Builder::new().name(name.to_owned()).spawn(move || {
            let mut tool = None;
            while let Ok(job) = jobs.recv() {
                let in_hand = tool.get_or_insert_with(&make);
                if catch_unwind(AssertUnwindSafe(|| job(in_hand))).is_err() {
                    tool = None;
                }
            }
        })?;
        Ok(Worker(sender))
    }

    /// Has something done when its turn comes.
    pub(crate) fn ask(&self, job: impl FnOnce(&mut T) + Send + 'static) -> Result<(), Busy> {
        match self.0.try_send(Box::new(job)) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => Err(Busy),
        }
    }
}

/// What somebody who asked can still do about it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Leash {
    is_unwanted: Arc<AtomicBool>,
    stop: Arc<AtomicBool>,
}

impl Leash {
    /// The answer is not wanted any more.
    pub(crate) fn cancel(&self) {
        self.is_unwanted.store(true, Ordering::Relaxed);
        self.hurry();
    }

    /// The answer is wanted now.
    pub(crate) fn hurry(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_unwanted(&self) -> bool {
        self.is_unwanted.load(Ordering::Relaxed)
    }

    /// What ends a search.
    pub(crate) fn stop_flag(&self) -> &Arc<AtomicBool> {
        &self.stop
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn a_panic_costs_one_job_and_a_full_queue_is_said() {
        let worker = Worker::start("test", || 0).unwrap();
        let (sender, results) = channel();
        worker.ask(|_| panic!("this panic is part of the test")).unwrap();
        let answer = sender.clone();
        worker
            .ask(move |tool| {
                *tool += 1;
                answer.send(*tool).unwrap();
            })
            .unwrap();
        assert_eq!(results.recv(), Ok(1));
        let (gate, opened) = channel::<()>();
        worker.ask(move |_| opened.recv().unwrap()).unwrap();
        let asked = (0..2 * MAX_WAITING).filter(|_| worker.ask(|_| ()) == Ok(())).count();
        assert!((MAX_WAITING - 1..=MAX_WAITING).contains(&asked), "{asked}");
        gate.send(()).unwrap();
    }
}
