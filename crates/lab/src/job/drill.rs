//! Workers that do nothing but take jobs and bring findings, to see what a store can bear.

use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::store::{Builds, Claim, Claimant, JobEnd, JobEntry, JobStore, RunSpec, StoreError};
use crate::terms::Terms;

/// What is tried.
#[derive(Clone, Copy, Debug)]
pub struct Drill {
    /// Workers, each with a store of its own.
    pub workers: usize,
    /// Jobs in all.
    pub jobs: usize,
    /// How long a job takes; the worker sleeps meanwhile, and renews its claim.
    pub duration: Duration,
    /// Tells this drill from others in the same store.
    pub seed: u64,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct DrillReport {
    /// Seconds from the first claim to the last finding.
    pub seconds: f64,
    /// Seconds until all workers were connected.
    pub connecting: f64,
    /// Findings that counted.
    pub done: usize,
    /// Renewals.
    pub renewals: usize,
    /// Claims that got nothing.
    pub in_vain: usize,
    /// Seconds of claims that got a job, in ascending order.
    pub claims: Vec<f64>,
    /// Seconds until a finding was there for good, in ascending order.
    pub settlements: Vec<f64>,
    /// Calls that had to be repeated because the store was away.
    pub repeated: usize,
}

/// A kind of work that nobody else knows.
const KIND: &str = "drill";
/// How long a worker that got nothing waits: first, and at most.
const PAUSE: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(2));
const AWAY: Duration = Duration::from_millis(100);

impl Drill {
    /// Puts the jobs into a store and lets workers do them. `open` opens the store once more.
    pub fn run<S: JobStore>(
        &self,
        open: &(dyn Fn() -> Result<S, StoreError> + Sync),
    ) -> Result<DrillReport, StoreError> {
        let mut store = open()?;
        let terms =
            Terms::from_iter([("seed".to_owned(), self.seed.into()), ("jobs".to_owned(), self.jobs.into())]);
        let spec = RunSpec { kind: KIND.to_owned(), terms, setup: Value::Null, build: KIND.to_owned() };
        let run = store.begin(&spec, Builds::Same)?;
        let jobs: Vec<JobEntry> =
            (0..self.jobs).map(|n| JobEntry { key: format!("job {n}"), task: n.to_string() }).collect();
        store.add(&run, &jobs)?;
        let left = AtomicUsize::new(usize::try_from(store.counts(&run)?.left()).unwrap_or(usize::MAX));
        // Everybody waits at the gate; who cannot come in raises the flag, so that nobody waits in vain.
        let (gate, failed) = (Barrier::new(self.workers + 1), AtomicBool::new(false));
        let started = Instant::now();
        thread::scope(|scope| {
            let work = |number: usize| {
                let (gate, failed, left) = (&gate, &failed, &left);
                move || {
                    let opened = open();
                    failed.fetch_or(opened.is_err(), Ordering::Relaxed);
                    gate.wait();
                    let mut store = opened?;
                    if failed.load(Ordering::Relaxed) {
                        return Ok(DrillReport::default());
                    }
                    self.work(number, &mut store, left)
                }
            };
            let workers: Vec<_> = (0..self.workers).map(|number| scope.spawn(work(number))).collect();
            gate.wait();
            let (connecting, begin) = (started.elapsed().as_secs_f64(), Instant::now());
            let mut all = DrillReport { connecting, ..DrillReport::default() };
            for worker in workers {
                match worker.join() {
                    Ok(report) => all.add(report?),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            all.seconds = begin.elapsed().as_secs_f64();
            all.claims.sort_by(f64::total_cmp);
            all.settlements.sort_by(f64::total_cmp);
            Ok(all)
        })
    }

    fn work(
        &self,
        number: usize,
        store: &mut dyn JobStore,
        left: &AtomicUsize,
    ) -> Result<DrillReport, StoreError> {
        let claimant = Claimant {
            name: format!("{KIND} {number}"),
            build: KIND.to_owned(),
            kinds: vec![KIND.to_owned()],
        };
        let (mut report, mut pause) = (DrillReport::default(), PAUSE.0);
        let mut finished = None;
        while left.load(Ordering::Relaxed) > 0 {
            // As a pool does it: the next job first, and while it is done the store hears what came of the last.
            let (claims, seconds) = persist(&mut report.repeated, || store.claim(&claimant, 1))?;
            let begin = Instant::now();
            if let Some(end) = finished.take() {
                let ends = [end];
                let (counted, seconds) = persist(&mut report.repeated, || store.settle(&ends))?;
                report.settlements.push(seconds);
                report.done += counted.into_iter().filter(|&counted| counted).count();
                left.fetch_sub(1, Ordering::Relaxed);
            }
            let Some(claim) = claims.into_iter().next() else {
                report.in_vain += 1;
                thread::sleep(pause);
                pause = (2 * pause).min(PAUSE.1);
                continue;
            };
            pause = PAUSE.0;
            report.claims.push(seconds);
            report.renewals += pretend(store, &claim, begin + self.duration)?;
            finished = Some((claim.clone(), JobEnd::Done(claim.task)));
        }
        Ok(report)
    }
}

/// Sleeps until the end of a job; how often its claim was renewed.
fn pretend(store: &mut dyn JobStore, claim: &Claim, end: Instant) -> Result<usize, StoreError> {
    let every = store.lease() / 3;
    let mut renewals = 0;
    loop {
        let rest = end.saturating_duration_since(Instant::now());
        thread::sleep(rest.min(every));
        if rest <= every {
            return Ok(renewals);
        }
        persist(&mut 0, || store.renew(&[claim]))?;
        renewals += 1;
    }
}

impl DrillReport {
    fn add(&mut self, other: DrillReport) {
        self.done += other.done;
        self.renewals += other.renewals;
        self.in_vain += other.in_vain;
        self.repeated += other.repeated;
        self.claims.extend(other.claims);
        self.settlements.extend(other.settlements);
    }
}

/// Calls until the store is there; the answer, and the seconds of the call that got it.
fn persist<T>(
    repeated: &mut usize,
    mut call: impl FnMut() -> Result<T, StoreError>,
) -> Result<(T, f64), StoreError> {
    loop {
        let begin = Instant::now();
        match call() {
            Ok(answer) => return Ok((answer, begin.elapsed().as_secs_f64())),
            Err(error) if error.is_transient() => {
                *repeated += 1;
                thread::sleep(AWAY);
            }
            Err(error) => return Err(error),
        }
    }
}
