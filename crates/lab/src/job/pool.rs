//! Threads that do the jobs of a store.
//!
//! Only the thread that calls [`Pool::step`] speaks to the store; the others get jobs and give back findings. While a store cannot be reached
//! the threads go on, and what they found is kept until it can. Threads are not waited for forever: an engine deep in thought must not delay the
//! end of a match, and a job that is given up is done another time.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::store::{Claim, Claimant, JobEnd, JobStore, StoreError};
use super::work::{JobError, Worker, Workshop, guarded};

/// Threads at work.
pub struct Pool {
    claimant: Claimant,
    threads: Vec<Thread>,
    results: Receiver<(usize, Result<String, JobError>)>,
    /// Ends that the store has not heard of yet.
    pending: Vec<(Claim, JobEnd)>,
    next_renewal: Instant,
    /// When to ask for jobs again, and how long to wait if there is none: many workers share a store.
    next_claim: Instant,
    pause: Duration,
}

struct Thread {
    jobs: Sender<Claim>,
    /// Raised when it shall stop with its job.
    stop: Arc<AtomicBool>,
    /// What it is at.
    claim: Option<Claim>,
    /// Whether the claim was lost or called off: nobody wants its finding.
    is_lost: bool,
}

/// How long threads have to let go of their jobs in the end.
const CLOSING_GRACE: Duration = Duration::from_secs(4);

/// How long to wait before asking again for jobs where there was none: first, and at most.
const PAUSE: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(2));

/// Renewals in the time that a claim holds: two may be missed.
const RENEWALS: u32 = 3;

impl Pool {
    /// Starts threads, which wait for jobs.
    pub fn start(threads: usize, workshop: Arc<dyn Workshop>, claimant: Claimant) -> io::Result<Pool> {
        let (sender, results) = mpsc::channel();
        let mut started = Vec::new();
        for number in 0..threads.max(1) {
            let (jobs, inbox) = mpsc::channel();
            let stop = Arc::new(AtomicBool::new(false));
            let (workshop, outbox, flag) = (Arc::clone(&workshop), sender.clone(), Arc::clone(&stop));
            let work = move || work(number, &*workshop, &inbox, &outbox, &flag);
            thread::Builder::new().name(format!("worker-{number}")).spawn(work)?;
            started.push(Thread { jobs, stop, claim: None, is_lost: false });
        }
        let (next_renewal, next_claim, pause) = (Instant::now(), Instant::now(), PAUSE.0);
        Ok(Pool { claimant, threads: started, results, pending: Vec::new(), next_renewal, next_claim, pause })
    }

    /// Hands out jobs, waits for results at most so long, and passes them on; how many jobs are under way.
    pub fn step(&mut self, store: &mut dyn JobStore, wait: Duration) -> Result<usize, StoreError> {
        self.take(store)?;
        self.pass_on(store)?;
        self.collect(wait);
        // New jobs first: a finding takes a store longer, because it is there for good, and no thread need wait for that.
        self.take(store)?;
        self.pass_on(store)?;
        self.renew(store)?;
        Ok(self.busy())
    }

    /// Number of jobs under way.
    pub fn busy(&self) -> usize {
        self.threads.iter().filter(|thread| thread.claim.is_some()).count()
    }

    /// Ends it: what is found within a moment still counts, and the rest is given back.
    pub fn close(mut self, store: &mut dyn JobStore) -> Result<(), StoreError> {
        self.threads.iter().for_each(|thread| thread.stop.store(true, Ordering::Relaxed));
        let end = Instant::now() + CLOSING_GRACE;
        while self.busy() > 0 && Instant::now() < end {
            self.collect(end.saturating_duration_since(Instant::now()));
        }
        for thread in &mut self.threads {
            self.pending.extend(thread.claim.take().map(|claim| (claim, JobEnd::Returned)));
        }
        self.pass_on(store)
    }

    /// Claims jobs for the threads that have none.
    fn take(&mut self, store: &mut dyn JobStore) -> Result<(), StoreError> {
        let idle = self.threads.len() - self.busy();
        if idle == 0 || Instant::now() < self.next_claim {
            return Ok(());
        }
        let claims = store.claim(&self.claimant, idle)?;
        if claims.is_empty() {
            self.next_claim = Instant::now() + self.pause;
            self.pause = (2 * self.pause).min(PAUSE.1);
        } else {
            self.pause = PAUSE.0;
        }
        claims.into_iter().for_each(|claim| self.hand_out(claim));
        Ok(())
    }

    fn hand_out(&mut self, claim: Claim) {
        let Some(thread) = self.threads.iter_mut().find(|thread| thread.claim.is_none()) else {
            self.pending.push((claim, JobEnd::Returned));
            return;
        };
        thread.stop.store(false, Ordering::Relaxed);
        thread.is_lost = false;
        if thread.jobs.send(claim.clone()).is_ok() {
            thread.claim = Some(claim);
        } else {
            self.pending.push((claim, JobEnd::Returned));
        }
    }

    /// Waits for one result and takes all that are there.
    fn collect(&mut self, wait: Duration) {
        let mut next = match self.results.recv_timeout(wait) {
            Ok(result) => Some(result),
            Err(RecvTimeoutError::Timeout) => None,
            // The threads live as long as their channels of jobs.
            Err(RecvTimeoutError::Disconnected) => None,
        };
        while let Some((number, result)) = next {
            let thread = &mut self.threads[number];
            if let Some(claim) = thread.claim.take().filter(|_| !thread.is_lost) {
                self.pending.push((claim, end_of(result)));
            }
            next = self.results.try_recv().ok();
        }
    }

    /// Tells the store what ended.
    fn pass_on(&mut self, store: &mut dyn JobStore) -> Result<(), StoreError> {
        if !self.pending.is_empty() {
            store.settle(&self.pending)?;
            self.pending.clear();
            // What failed or was given back is open again.
            (self.next_claim, self.pause) = (Instant::now(), PAUSE.0);
        }
        Ok(())
    }

    /// Renews all claims when it is time; a thread whose claim is lost stops.
    fn renew(&mut self, store: &mut dyn JobStore) -> Result<(), StoreError> {
        if Instant::now() < self.next_renewal {
            return Ok(());
        }
        let busy: Vec<&mut Thread> =
            self.threads.iter_mut().filter(|thread| thread.claim.is_some() && !thread.is_lost).collect();
        let claims: Vec<&Claim> = busy.iter().filter_map(|thread| thread.claim.as_ref()).collect();
        if !claims.is_empty() {
            let held = store.renew(&claims)?;
            for (thread, is_held) in busy.into_iter().zip(held) {
                thread.is_lost = !is_held;
                thread.stop.fetch_or(!is_held, Ordering::Relaxed);
            }
        }
        self.next_renewal = Instant::now() + store.lease() / RENEWALS;
        Ok(())
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.threads.iter().for_each(|thread| thread.stop.store(true, Ordering::Relaxed));
    }
}

fn end_of(result: Result<String, JobError>) -> JobEnd {
    match result {
        Ok(finding) => JobEnd::Done(finding),
        Err(JobError::Interrupted) => JobEnd::Returned,
        Err(JobError::Failed(reason)) => JobEnd::Failed(reason),
        Err(JobError::Refused(reason)) => JobEnd::Refused(reason),
    }
}

/// What a thread does until its channel of jobs is closed. Its worker is kept while jobs are of the same run.
fn work(
    number: usize,
    workshop: &dyn Workshop,
    inbox: &Receiver<Claim>,
    outbox: &Sender<(usize, Result<String, JobError>)>,
    stop: &AtomicBool,
) {
    let mut kept: Option<(String, Box<dyn Worker>)> = None;
    for claim in inbox {
        if kept.as_ref().is_some_and(|(run, _)| *run != claim.run_id) {
            kept = None;
        }
        let worker = match kept.take() {
            Some((_, worker)) => Ok(worker),
            None => workshop.worker(&claim.run),
        };
        let result = worker.and_then(|mut worker| {
            let result = guarded(&mut *worker, &claim.task, stop);
            // A worker that something went wrong with is not used again.
            if !matches!(result, Err(JobError::Failed(_))) {
                kept = Some((claim.run_id, worker));
            }
            result
        });
        if outbox.send((number, result)).is_err() {
            break;
        }
    }
}
