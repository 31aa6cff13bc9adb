//! A run as a command sees it: begin, do the jobs or wait for them, get the findings.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::pool::Pool;
use super::store::{Builds, Claimant, Ended, JobEntry, JobStore, RunSpec, StoreError};
use super::work::{JobError, Work, Worker, Workshop, worker_of};
use crate::terms::Terms;

/// A job of a kind of work.
#[derive(Clone, Debug, PartialEq)]
pub struct Job<T> {
    /// Names it in its run, and stays the same from run to run.
    pub key: String,
    /// What is to be done.
    pub task: T,
}

/// Who does the jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workforce {
    /// So many threads of this process.
    Threads(usize),
    /// Others, who share the store.
    Others,
}

/// Where and how a run takes place.
pub struct Venue<'a> {
    /// Where the jobs are kept.
    pub store: &'a mut dyn JobStore,
    /// The build of this program.
    pub build: &'a str,
    /// Whether findings of other builds are taken.
    pub builds: Builds,
    /// Who does the jobs.
    pub workforce: Workforce,
    /// Whether jobs that were given up are tried again.
    pub retry: bool,
    /// Ends the run early once raised, with the store intact.
    pub stop: &'a AtomicBool,
}

/// How far a run is.
pub struct Progress<'a, F> {
    /// All jobs.
    pub total: usize,
    /// Jobs with a finding.
    pub done: usize,
    /// Jobs that were given up.
    pub failed: usize,
    /// The job that has just ended, by its place among all; nothing at the beginning.
    pub last: Option<usize>,
    /// All findings so far, by place.
    pub findings: &'a [Option<F>],
}

/// Whether a run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// It does.
    GoOn,
    /// Enough is known; what is not done is not needed.
    Enough,
}

/// Why there are no findings.
#[derive(Debug)]
pub enum RunError {
    /// The store fails.
    Store(StoreError),
    /// Jobs were given up: their keys, and why.
    Failed(Vec<(String, String)>),
    /// A finding in the store cannot be read.
    Unreadable(String, String),
    /// Jobs were called off by somebody.
    Cancelled(u64),
    /// No thread can be started.
    Thread(io::Error),
    /// The setup asks for something that there is not.
    Setup(JobError),
    /// It was told to stop.
    Interrupted,
}

/// The key of a job that has ended, and its finding or why there is none.
pub type EndedJob<F> = (String, Result<F, String>);

/// A run under way.
pub struct Session<'a, W: Work> {
    store: &'a mut dyn JobStore,
    work: Arc<W>,
    run: String,
    claimant: Claimant,
    workforce: Workforce,
    stop: &'a AtomicBool,
}

/// How often a waiting run looks whether it shall stop.
const POLL: Duration = Duration::from_millis(50);
/// How often it looks what others have done, first and at most.
const FOLLOW: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(2));
/// How long it waits for a store that is away before it asks again.
const AWAY: Duration = Duration::from_millis(500);

impl<'a, W: Work> Session<'a, W> {
    /// Begins a run or goes on with it. `terms` are what findings depend on besides their tasks and the build.
    pub fn begin(venue: Venue<'a>, work: W, terms: Terms) -> Result<Session<'a, W>, RunError> {
        let Venue { store, build, builds, workforce, retry, stop } = venue;
        let setup = serde_json::to_value(&work)
            .map_err(|error| RunError::Setup(JobError::Failed(error.to_string())))?;
        let spec = RunSpec { kind: W::KIND.to_owned(), terms, setup, build: build.to_owned() };
        let run = store.begin(&spec, builds)?;
        if retry {
            store.retry(&run)?;
        }
        let name = format!("process {}", std::process::id());
        let claimant = Claimant { name, build: build.to_owned(), kinds: vec![W::KIND.to_owned()] };
        Ok(Session { store, work: Arc::new(work), run, claimant, workforce, stop })
    }

    /// The work itself.
    pub fn work(&self) -> &W {
        &self.work
    }

    /// What has ended so far, also of jobs that were not added in this session: keys, and findings or reasons.
    pub fn ended(&mut self) -> Result<Vec<EndedJob<W::Finding>>, RunError> {
        let (ended, _) = self.store.ended(&self.run, 0)?;
        ended.into_iter().map(|ended| Ok((ended.key.clone(), read(ended)?))).collect()
    }

    /// Adds jobs and waits until all of them have ended; their findings in the order of the jobs. `watch` hears how far it is.
    ///
    /// If it says that enough is known, or the run is interrupted, the findings so far are what there is.
    pub fn complete(
        &mut self,
        jobs: &[Job<W::Task>],
        mut watch: impl FnMut(&Progress<'_, W::Finding>) -> Flow,
    ) -> Result<Findings<W::Finding>, RunError> {
        let mut ledger = Ledger::new(jobs);
        let entries = jobs.iter().map(|job| {
            let task = serde_json::to_string(&job.task)
                .map_err(|error| RunError::Setup(JobError::Failed(format!("{}: {error}", job.key))))?;
            Ok(JobEntry { key: job.key.clone(), task })
        });
        let entries = entries.collect::<Result<Vec<_>, RunError>>()?;
        self.store.add(&self.run, &entries)?;
        let mut since = 0;
        let (ended, next) = self.store.ended(&self.run, since)?;
        since = next;
        for ended in ended {
            ledger.enter(ended)?;
        }
        let mut flow = watch(&ledger.progress(None));
        let mut pool = None;
        if flow == Flow::GoOn && !ledger.is_complete() {
            pool = self.start_pool()?;
        }
        let mut pause = FOLLOW.0;
        while flow == Flow::GoOn && !ledger.is_complete() && !self.stop.load(Ordering::Relaxed) {
            let stepped = match &mut pool {
                Some(pool) => pool.step(self.store, POLL).map(drop),
                None => self.wait(pause).map(|()| pause = (2 * pause).min(FOLLOW.1)),
            };
            let news = stepped.and_then(|()| self.store.ended(&self.run, since));
            match news {
                Ok((ended, next)) => {
                    since = next;
                    if ended.is_empty() && pool.is_none() {
                        self.check_that_work_is_left(&mut ledger)?;
                    }
                    for ended in ended {
                        if let Some(place) = ledger.enter(ended)? {
                            pause = FOLLOW.0;
                            flow = watch(&ledger.progress(Some(place)));
                        }
                        if flow == Flow::Enough {
                            break;
                        }
                    }
                }
                Err(error) if error.is_transient() => thread::sleep(AWAY),
                Err(error) => return Err(error.into()),
            }
        }
        if let Some(pool) = pool {
            pool.close(self.store)?;
            let (ended, _) = self.store.ended(&self.run, since)?;
            for ended in ended {
                if let Some(place) = ledger.enter(ended)? {
                    watch(&ledger.progress(Some(place)));
                }
            }
        }
        if flow == Flow::Enough {
            self.store.cancel(&self.run)?;
        }
        let interrupted = flow == Flow::GoOn && !ledger.is_complete();
        Ok(Findings { by_job: ledger.findings, failures: ledger.failures, interrupted })
    }

    fn start_pool(&self) -> Result<Option<Pool>, RunError> {
        let Workforce::Threads(threads) = self.workforce else { return Ok(None) };
        let workshop = Arc::new(OneKind(Arc::clone(&self.work)));
        Pool::start(threads, workshop, self.claimant.clone()).map(Some).map_err(RunError::Thread)
    }

    /// An error if jobs have no finding and never will have one, because somebody called them off.
    fn check_that_work_is_left(&mut self, ledger: &mut Ledger<W::Finding>) -> Result<(), RunError> {
        let counts = self.store.counts(&self.run)?;
        if counts.left() > 0 {
            return Ok(());
        }
        // The last findings may have come in between.
        for ended in self.store.ended(&self.run, 0)?.0 {
            ledger.enter(ended)?;
        }
        if ledger.is_complete() { Ok(()) } else { Err(RunError::Cancelled(counts.cancelled)) }
    }

    /// Waits for others.
    fn wait(&mut self, pause: Duration) -> Result<(), StoreError> {
        let end = Instant::now() + pause;
        while Instant::now() < end && !self.stop.load(Ordering::Relaxed) {
            thread::sleep(POLL.min(end.saturating_duration_since(Instant::now())));
        }
        Ok(())
    }
}

/// What jobs came to.
#[derive(Debug)]
pub struct Findings<F> {
    /// By job; nothing where one failed or was not done.
    pub by_job: Vec<Option<F>>,
    /// Jobs that were given up, and why.
    pub failures: Vec<(String, String)>,
    /// Whether it was stopped before all were done.
    pub interrupted: bool,
}

impl<F> Findings<F> {
    /// All findings, if there are all.
    pub fn all(self) -> Result<Vec<F>, RunError> {
        if !self.failures.is_empty() {
            return Err(RunError::Failed(self.failures));
        }
        self.by_job.into_iter().collect::<Option<Vec<F>>>().ok_or(RunError::Interrupted)
    }
}

/// Makes workers for the one kind of a run.
struct OneKind<W>(Arc<W>);

impl<W: Work> Workshop for OneKind<W> {
    fn worker(&self, _run: &RunSpec) -> Result<Box<dyn Worker>, JobError> {
        worker_of(Arc::clone(&self.0))
    }
}

/// What is known of the jobs of a session.
struct Ledger<F> {
    places: HashMap<String, usize>,
    findings: Vec<Option<F>>,
    failures: Vec<(String, String)>,
    done: usize,
}

impl<F: serde::de::DeserializeOwned> Ledger<F> {
    fn new<T>(jobs: &[Job<T>]) -> Ledger<F> {
        let places = jobs.iter().enumerate().map(|(place, job)| (job.key.clone(), place)).collect();
        let findings = jobs.iter().map(|_| None).collect();
        Ledger { places, findings, failures: Vec::new(), done: 0 }
    }

    /// Takes note of a job; its place, if that is news.
    fn enter(&mut self, ended: Ended) -> Result<Option<usize>, RunError> {
        let Some(&place) = self.places.get(&ended.key) else { return Ok(None) };
        let is_known = self.findings[place].is_some();
        if is_known || (ended.finding.is_err() && self.failures.iter().any(|(key, _)| *key == ended.key)) {
            return Ok(None);
        }
        let key = ended.key.clone();
        match read(ended)? {
            Ok(finding) => {
                self.failures.retain(|(failed, _)| *failed != key);
                self.findings[place] = Some(finding);
                self.done += 1;
            }
            Err(reason) => self.failures.push((key, reason)),
        }
        Ok(Some(place))
    }

    fn progress(&self, last: Option<usize>) -> Progress<'_, F> {
        let (total, failed) = (self.findings.len(), self.failures.len());
        Progress { total, done: self.done, failed, last, findings: &self.findings }
    }

    fn is_complete(&self) -> bool {
        self.done + self.failures.len() >= self.places.len()
    }
}

fn read<F: serde::de::DeserializeOwned>(ended: Ended) -> Result<Result<F, String>, RunError> {
    match ended.finding {
        Ok(text) => serde_json::from_str(&text)
            .map(Ok)
            .map_err(|error| RunError::Unreadable(ended.key, error.to_string())),
        Err(reason) => Ok(Err(reason)),
    }
}

impl From<StoreError> for RunError {
    fn from(error: StoreError) -> RunError {
        RunError::Store(error)
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Store(error) => error.fmt(f),
            RunError::Failed(failures) => {
                let count = failures.len();
                write!(f, "{count} {} failed", if count == 1 { "job" } else { "jobs" })?;
                for (key, reason) in failures.iter().take(SHOWN_FAILURES) {
                    write!(f, "; {key}: {reason}")?;
                }
                if count > SHOWN_FAILURES {
                    f.write_str("; …")?;
                }
                f.write_str(" (--retry tries them again)")
            }
            RunError::Unreadable(key, error) => {
                write!(f, "what was found by '{key}' cannot be read: {error}")
            }
            RunError::Cancelled(jobs) => write!(f, "{jobs} jobs were cancelled"),
            RunError::Thread(error) => write!(f, "no thread can be started: {error}"),
            RunError::Setup(error) => error.fmt(f),
            RunError::Interrupted => f.write_str("it was interrupted"),
        }
    }
}

impl std::error::Error for RunError {}

/// Failures that an error tells of.
const SHOWN_FAILURES: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::LogStore;
    use serde::{Deserialize, Serialize};
    use std::fs;
    use std::path::Path;
    use std::sync::atomic::AtomicUsize;

    const JOBS: usize = 12;

    /// Squares numbers, counting how often it is asked; there are some that it does not like.
    #[derive(Serialize, Deserialize, Default)]
    struct Squares {
        #[serde(skip)]
        asked: Arc<AtomicUsize>,
        /// Raises the flag when asked for this one.
        #[serde(skip)]
        last: Option<(usize, Arc<AtomicBool>)>,
        #[serde(skip)]
        bad: Vec<usize>,
        #[serde(skip)]
        panics: Vec<usize>,
    }

    impl Work for Squares {
        const KIND: &'static str = "squares";
        type Task = usize;
        type Finding = usize;
        type Tools = ();

        fn tools(&self) -> Result<(), JobError> {
            Ok(())
        }

        fn work(&self, (): &mut (), task: &usize, _stop: &AtomicBool) -> Result<usize, JobError> {
            self.asked.fetch_add(1, Ordering::Relaxed);
            if let Some((_, stop)) = self.last.as_ref().filter(|(last, _)| last == task) {
                stop.store(true, Ordering::Relaxed);
                return Err(JobError::Interrupted);
            }
            assert!(!self.panics.contains(task), "no {task}");
            if self.bad.contains(task) {
                return Err(JobError::Failed(format!("{task} is bad")));
            }
            Ok(task * task)
        }
    }

    fn jobs() -> Vec<Job<usize>> {
        (0..JOBS).map(|n| Job { key: format!("n{n}"), task: n }).collect()
    }

    struct Try {
        seed: u64,
        build: &'static str,
        builds: Builds,
        retry: bool,
    }

    const USUAL: Try = Try { seed: 1, build: "b", builds: Builds::Same, retry: false };

    fn terms(seed: u64) -> Terms {
        Terms::from_iter([("seed".to_owned(), seed.into())])
    }

    fn squares(directory: &Path, work: Squares, how: Try) -> Result<Vec<usize>, RunError> {
        let stop = work.last.as_ref().map(|(_, stop)| Arc::clone(stop)).unwrap_or_default();
        let Try { seed, build, builds, retry } = how;
        let store = &mut LogStore::in_directory(directory);
        let venue = Venue { store, build, builds, workforce: Workforce::Threads(3), retry, stop: &stop };
        Session::begin(venue, work, terms(seed))?.complete(&jobs(), |_| Flow::GoOn)?.all()
    }

    fn expected() -> Vec<usize> {
        (0..JOBS).map(|n| n * n).collect()
    }

    #[test]
    fn a_stopped_run_goes_on_and_ends_in_the_same_findings() {
        let directory = tempfile::tempdir().unwrap();
        let work = Squares { last: Some((7, Arc::default())), ..Squares::default() };
        let stopped = squares(directory.path(), work, USUAL);
        assert!(matches!(stopped, Err(RunError::Interrupted)), "{stopped:?}");
        let log = directory.path().join(crate::job::FINDINGS_NAME);
        let mut text = fs::read_to_string(&log).unwrap();
        let found = text.lines().count();
        assert!((1..JOBS).contains(&found), "{text}");
        text += r#"{"key":"n11","res"#;
        fs::write(&log, text).unwrap();
        for asked_now in [JOBS - found, 0] {
            let asked = Arc::new(AtomicUsize::new(0));
            let work = Squares { asked: Arc::clone(&asked), ..Squares::default() };
            assert_eq!(squares(directory.path(), work, USUAL).unwrap(), expected());
            assert_eq!(asked.load(Ordering::Relaxed), asked_now);
        }
    }

    #[test]
    fn other_terms_and_other_builds_are_refused_by_name() {
        let directory = tempfile::tempdir().unwrap();
        squares(directory.path(), Squares::default(), USUAL).unwrap();
        let refused = |how: Try| {
            let asked = Arc::new(AtomicUsize::new(0));
            let work = Squares { asked: Arc::clone(&asked), ..Squares::default() };
            let error = squares(directory.path(), work, how).unwrap_err().to_string();
            assert_eq!(asked.load(Ordering::Relaxed), 0);
            error
        };
        assert!(refused(Try { seed: 2, ..USUAL }).contains("with other seed;"));
        let error = refused(Try { build: "c", ..USUAL });
        assert!(error.contains("(b; this one is c)") && error.contains("--any-build"), "{error}");
        // Once they are mixed on purpose, the file says so, and the last build may go on.
        let mixed = Try { builds: Builds::Any, build: "c", ..USUAL };
        assert_eq!(squares(directory.path(), Squares::default(), mixed).unwrap(), expected());
        assert_eq!(
            squares(directory.path(), Squares::default(), Try { build: "c", ..USUAL }).unwrap(),
            expected()
        );
        let file = fs::read_to_string(directory.path().join(crate::job::RUN_NAME)).unwrap();
        let file: serde_json::Value = serde_json::from_str(&file).unwrap();
        assert_eq!(file["builds"], serde_json::json!(["b", "c"]));
    }

    #[test]
    fn findings_of_unknown_origin_are_refused_until_somebody_takes_them() {
        let directory = tempfile::tempdir().unwrap();
        squares(directory.path(), Squares::default(), USUAL).unwrap();
        fs::remove_file(directory.path().join(crate::job::RUN_NAME)).unwrap();
        let error = squares(directory.path(), Squares::default(), USUAL).unwrap_err().to_string();
        assert!(error.contains("--any-build"), "{error}");
        let taken = Try { builds: Builds::Any, ..USUAL };
        assert_eq!(squares(directory.path(), Squares::default(), taken).unwrap(), expected());
    }

    #[test]
    fn a_failure_is_no_interruption_and_costs_no_other_job() {
        let directory = tempfile::tempdir().unwrap();
        let asked = Arc::new(AtomicUsize::new(0));
        let bad =
            || Squares { bad: vec![3], panics: vec![5], asked: Arc::clone(&asked), ..Squares::default() };
        let Err(RunError::Failed(mut failures)) = squares(directory.path(), bad(), USUAL) else {
            panic!("it must fail")
        };
        failures.sort();
        let reasons: Vec<(&str, &str)> = failures.iter().map(|(key, why)| (&**key, &**why)).collect();
        assert_eq!(reasons, [("n3", "3 is bad"), ("n5", "it panicked: no 5")]);
        // Ten that are good, two that are tried a few times.
        assert_eq!(asked.swap(0, Ordering::Relaxed), JOBS - 2 + 2 * crate::job::MAX_TRIES as usize);
        // Given up means given up, until somebody wants to try again.
        let again = squares(directory.path(), bad(), USUAL).unwrap_err().to_string();
        assert!(again.starts_with("2 jobs failed; n") && again.contains("--retry"), "{again}");
        assert_eq!(asked.load(Ordering::Relaxed), 0);
        let retried = Try { retry: true, ..USUAL };
        assert_eq!(squares(directory.path(), Squares::default(), retried).unwrap(), expected());
        assert_eq!(squares(directory.path(), Squares::default(), USUAL).unwrap(), expected());
    }

    #[test]
    fn enough_is_enough() {
        let mut store = LogStore::in_memory();
        let stop = AtomicBool::new(false);
        let venue = Venue {
            store: &mut store,
            build: "b",
            builds: Builds::Same,
            workforce: Workforce::Threads(1),
            retry: false,
            stop: &stop,
        };
        let mut session = Session::begin(venue, Squares::default(), terms(1)).unwrap();
        let enough = |progress: &Progress<'_, usize>| match progress.done {
            0..4 => Flow::GoOn,
            _ => Flow::Enough,
        };
        let findings = session.complete(&jobs(), enough).unwrap();
        let found = findings.by_job.iter().flatten().count();
        assert!((4..=6).contains(&found) && !findings.interrupted, "{findings:?}");
        // Whoever asks again wants all of them.
        assert_eq!(session.complete(&jobs(), |_| Flow::GoOn).unwrap().all().unwrap(), expected());
    }
}
