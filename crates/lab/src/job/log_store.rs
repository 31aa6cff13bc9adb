//! The store of one process: a directory with a run, whose findings are lines of a file that survives being killed.
//!
//! `run.json` has the kind, the terms, the setup and the builds that worked on it. `results.jsonl` has a line per ended try: `key` with `result`, or
//! with `error` (`refused` if another try is pointless); a line with `retry` makes the errors before it void. Jobs and claims are in memory: a
//! process that is killed leaves nothing but the findings, and the next one begins with the jobs that have none.
//!
//! Without a directory it forgets everything in the end.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::store::{
    Builds, Claim, Claimant, Counts, Ended, JobEnd, JobEntry, JobStore, MAX_TRIES, RunInfo, RunSpec, State,
    StoreError,
};
use crate::line_log::{LineLog, LineLogError, write_file};
use crate::terms::{Terms, differing};

/// Name of the file with the findings.
pub const FINDINGS_NAME: &str = "results.jsonl";
/// Name of the file with what they have in common.
pub const RUN_NAME: &str = "run.json";

/// How long a claim holds: within one process it is lost only with a thread.
const LEASE: Duration = Duration::from_secs(24 * 3600);

/// Makes a log from before there were jobs one of ours, if the directory has none yet: from an old line to a key and a finding, or to nothing
/// if the line is to be left out.
pub fn adopt_old_log(
    directory: &Path,
    name: &str,
    convert: impl Fn(Value) -> Option<(String, Value)>,
) -> Result<(), LineLogError> {
    let (old, new) = (directory.join(name), directory.join(FINDINGS_NAME));
    if new.exists() || !old.exists() {
        return Ok(());
    }
    let text = fs::read_to_string(&old).map_err(|error| LineLogError::Io(old.clone(), error))?;
    let mut lines = String::new();
    for (number, line) in text.lines().enumerate() {
        let value: Value = serde_json::from_str(line)
            .map_err(|error| LineLogError::Damaged(old.clone(), number + 1, error.to_string()))?;
        if let Some((key, result)) = convert(value) {
            lines += &serde_json::json!({ "key": key, "result": result }).to_string();
            lines.push('\n');
        }
    }
    write_file(&new, &lines).map_err(|error| LineLogError::Io(new, error))
}

/// What the jobs of a directory have in common.
pub fn run_of_directory(directory: &Path) -> Result<RunSpec, StoreError> {
    let path = directory.join(RUN_NAME);
    let text = fs::read_to_string(&path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => StoreError::NoRunAt(directory.to_owned()),
        _ => LineLogError::Io(path.clone(), error).into(),
    })?;
    let file: RunFile = serde_json::from_str(&text)
        .map_err(|error| LineLogError::Damaged(path, error.line(), error.to_string()))?;
    let build = file.builds.last().cloned().unwrap_or_default();
    Ok(RunSpec { kind: file.kind, terms: file.terms, setup: file.setup, build })
}

/// Jobs in a directory, or in memory alone.
pub struct LogStore {
    directory: Option<PathBuf>,
    lease: Duration,
    run: Option<OpenRun>,
}

struct OpenRun {
    id: String,
    spec: Arc<RunSpec>,
    log: Option<LineLog>,
    jobs: HashMap<String, Record>,
    /// Keys of the jobs that were added, by number.
    order: Vec<String>,
    /// Numbers of those that wait.
    open: BTreeSet<usize>,
    /// Numbers of those that somebody is at.
    claimed: BTreeSet<usize>,
    ended: Vec<Ended>,
    next_token: u64,
}

/// What is known of a job; findings in the file may be of jobs that are not added yet.
struct Record {
    number: Option<usize>,
    task: String,
    state: State,
    errors: Vec<String>,
    token: u64,
    until: Instant,
}

/// The file of a run.
#[derive(Serialize, Deserialize)]
struct RunFile {
    kind: String,
    terms: Terms,
    builds: Vec<String>,
    setup: Value,
}

#[derive(Default, Serialize, Deserialize)]
struct Line {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    key: String,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "read_present")]
    result: Option<Box<RawValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    refused: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    retry: bool,
}

/// A finding that is `null` is a finding all the same.
fn read_present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Box::<RawValue>::deserialize(deserializer).map(Some)
}

impl LogStore {
    /// A store in a directory, which may be new.
    pub fn in_directory(directory: &Path) -> LogStore {
        LogStore { directory: Some(directory.to_owned()), lease: LEASE, run: None }
    }

    /// A store that forgets everything in the end.
    pub fn in_memory() -> LogStore {
        LogStore { directory: None, lease: LEASE, run: None }
    }

    /// The store with another lease.
    #[must_use]
    pub fn with_lease(self, lease: Duration) -> LogStore {
        LogStore { lease, ..self }
    }

    fn run(&mut self, id: &str) -> Result<&mut OpenRun, StoreError> {
        self.run.as_mut().filter(|run| run.id == id).ok_or_else(|| StoreError::NoRun(id.to_owned()))
    }
}

impl JobStore for LogStore {
    fn begin(&mut self, spec: &RunSpec, builds: Builds) -> Result<String, StoreError> {
        let id = spec.id();
        if self.run.as_ref().is_some_and(|run| run.id == id) {
            return Ok(id);
        }
        let mut run = OpenRun {
            id: id.clone(),
            spec: Arc::new(spec.clone()),
            log: None,
            jobs: HashMap::new(),
            order: Vec::new(),
            open: BTreeSet::new(),
            claimed: BTreeSet::new(),
            ended: Vec::new(),
            next_token: 1,
        };
        if let Some(directory) = &self.directory {
            // A second run in the same directory waits for the lock of the first.
            self.run = None;
            let (log, lines) = LineLog::open::<Line>(&directory.join(FINDINGS_NAME))?;
            agree(directory, spec, builds, !lines.is_empty())?;
            run.log = Some(log);
            lines.into_iter().for_each(|line| run.read(line));
        }
        self.run = Some(run);
        Ok(id)
    }

    fn add(&mut self, run: &str, jobs: &[JobEntry]) -> Result<(), StoreError> {
        let run = self.run(run)?;
        for job in jobs {
            let number = run.order.len();
            let record = run.jobs.entry(job.key.clone()).or_insert_with(Record::new);
            if record.number.is_none() {
                record.number = Some(number);
                record.task.clone_from(&job.task);
                run.order.push(job.key.clone());
            }
            if record.state == State::Cancelled {
                record.state = State::Open;
            }
            if let (State::Open, Some(number)) = (record.state, record.number) {
                run.open.insert(number);
            }
        }
        Ok(())
    }

    fn claim(&mut self, claimant: &Claimant, most: usize) -> Result<Vec<Claim>, StoreError> {
        let (lease, now) = (self.lease, Instant::now());
        let Some(run) = &mut self.run else { return Ok(Vec::new()) };
        if claimant.build != run.spec.build || !claimant.kinds.contains(&run.spec.kind) {
            return Ok(Vec::new());
        }
        run.take_back_late_claims(now)?;
        let mut claims = Vec::new();
        while claims.len() < most
            && let Some(number) = run.open.pop_first()
        {
            run.claimed.insert(number);
            let Some(record) = run.jobs.get_mut(&run.order[number]) else { continue };
            (record.state, record.token, record.until) = (State::Claimed, run.next_token, now + lease);
            run.next_token += 1;
            claims.push(Claim {
                run_id: run.id.clone(),
                run: Arc::clone(&run.spec),
                key: run.order[number].clone(),
                task: record.task.clone(),
                token: record.token,
            });
        }
        Ok(claims)
    }

    fn lease(&self) -> Duration {
        self.lease
    }

    fn renew(&mut self, claims: &[&Claim]) -> Result<Vec<bool>, StoreError> {
        let until = Instant::now() + self.lease;
        let renewed = claims.iter().map(|claim| {
            let record = self.run.as_mut().and_then(|run| run.held(claim));
            record.map(|record| record.until = until).is_some()
        });
        Ok(renewed.collect())
    }

    fn settle(&mut self, ends: &[(Claim, JobEnd)]) -> Result<Vec<bool>, StoreError> {
        let Some(run) = &mut self.run else { return Ok(vec![false; ends.len()]) };
        // On the disk first: what is lost after that is only what can be read again.
        let lines: Vec<Option<Line>> = ends.iter().map(|(claim, end)| run.line_of(claim, end)).collect();
        if let Some(log) = &mut run.log {
            log.add_all(lines.iter().flatten())?;
        }
        Ok(ends.iter().zip(lines).map(|((claim, end), line)| run.end(claim, end, line)).collect())
    }

    fn ended(&mut self, run: &str, since: u64) -> Result<(Vec<Ended>, u64), StoreError> {
        let ended = &self.run(run)?.ended;
        let from = usize::try_from(since).unwrap_or(usize::MAX).min(ended.len());
        Ok((ended[from..].to_vec(), ended.len() as u64))
    }

    fn import(&mut self, run: &str, findings: &[(String, String)]) -> Result<u64, StoreError> {
        let run = self.run(run)?;
        let is_new = |key: &str| run.jobs.get(key).is_none_or(|record| record.state != State::Done);
        let line = |(key, finding): &(String, String)| {
            let result = Some(RawValue::from_string(finding.clone()).ok()?);
            is_new(key).then(|| Line { key: key.clone(), result, ..Line::default() })
        };
        let lines: Vec<Line> = findings.iter().filter_map(line).collect();
        if let Some(log) = &mut run.log {
            log.add_all(&lines)?;
        }
        let new = lines.len() as u64;
        for line in lines {
            let number = run.jobs.get(&line.key).and_then(|record| record.number);
            run.open.retain(|other| Some(*other) != number);
            run.claimed.retain(|other| Some(*other) != number);
            run.read(line);
        }
        Ok(new)
    }

    fn counts(&mut self, run: &str) -> Result<Counts, StoreError> {
        let mut counts = Counts::default();
        for record in self.run(run)?.jobs.values() {
            match record.state {
                State::Open if record.number.is_none() => {}
                State::Open => counts.open += 1,
                State::Claimed => counts.claimed += 1,
                State::Done => counts.done += 1,
                State::Failed => counts.failed += 1,
                State::Cancelled => counts.cancelled += 1,
            }
        }
        Ok(counts)
    }

    fn cancel(&mut self, run: &str) -> Result<u64, StoreError> {
        let run = self.run(run)?;
        let mut cancelled = 0;
        for number in run.open.iter().chain(&run.claimed) {
            if let Some(record) = run.jobs.get_mut(&run.order[*number]) {
                record.state = State::Cancelled;
                cancelled += 1;
            }
        }
        run.open.clear();
        run.claimed.clear();
        Ok(cancelled)
    }

    fn retry(&mut self, run: &str) -> Result<u64, StoreError> {
        let run = self.run(run)?;
        if let Some(log) = &mut run.log {
            log.add(&Line { retry: true, ..Line::default() })?;
        }
        Ok(run.forgive())
    }

    fn set_priority(&mut self, run: &str, _priority: i32) -> Result<(), StoreError> {
        // There is no other run to come before.
        self.run(run).map(drop)
    }

    fn runs(&mut self) -> Result<Vec<RunInfo>, StoreError> {
        let Some(run) = &self.run else { return Ok(Vec::new()) };
        let (id, spec) = (run.id.clone(), RunSpec::clone(&run.spec));
        Ok(vec![RunInfo { counts: self.counts(&id)?, id, spec }])
    }
}

impl OpenRun {
    /// Takes note of a line of the file.
    fn read(&mut self, line: Line) {
        if line.retry {
            self.forgive();
            return;
        }
        let record = self.jobs.entry(line.key.clone()).or_insert_with(Record::new);
        // The first finding of a job stands.
        if record.state == State::Done {
            return;
        }
        match (line.result, line.error) {
            (Some(result), _) => {
                record.state = State::Done;
                self.ended.retain(|ended| ended.key != line.key);
                self.ended.push(Ended { key: line.key, finding: Ok(result.get().to_owned()) });
            }
            (None, error) => {
                let error = error.unwrap_or_default();
                if record.add_error(error, line.refused) {
                    self.ended.push(Ended { key: line.key, finding: Err(record.log()) });
                }
            }
        }
    }

    /// Opens failed and cancelled jobs again.
    fn forgive(&mut self) -> u64 {
        let mut forgiven = 0;
        for record in self.jobs.values_mut() {
            record.errors.clear();
            if matches!(record.state, State::Failed | State::Cancelled) {
                record.state = State::Open;
                self.open.extend(record.number);
                forgiven += 1;
            }
        }
        self.ended.retain(|ended| ended.finding.is_ok());
        forgiven
    }

    /// The job of a claim that still holds.
    fn held(&mut self, claim: &Claim) -> Option<&mut Record> {
        let record = self.jobs.get_mut(&claim.key)?;
        (record.state == State::Claimed && record.token == claim.token).then_some(record)
    }

    /// The job of a claim that may still bring a finding: nobody else has it.
    fn claimable(&mut self, claim: &Claim) -> Option<&mut Record> {
        let record = self.jobs.get_mut(&claim.key)?;
        let is_last = record.token == claim.token;
        (is_last && matches!(record.state, State::Claimed | State::Open | State::Failed)).then_some(record)
    }

    /// What the end of a claim means for the file: nothing if it does not count.
    fn line_of(&mut self, claim: &Claim, end: &JobEnd) -> Option<Line> {
        let line = Line { key: claim.key.clone(), ..Line::default() };
        match end {
            JobEnd::Done(finding) => {
                let result = Some(RawValue::from_string(finding.clone()).ok()?);
                self.claimable(claim).map(|_| Line { result, ..line })
            }
            JobEnd::Failed(reason) => self.held(claim).map(|_| Line { error: Some(reason.clone()), ..line }),
            JobEnd::Refused(reason) => {
                self.held(claim).map(|_| Line { error: Some(reason.clone()), refused: true, ..line })
            }
            JobEnd::Returned => None,
        }
    }

    /// Ends a claim whose line is in the file.
    fn end(&mut self, claim: &Claim, end: &JobEnd, line: Option<Line>) -> bool {
        if let (JobEnd::Returned, Some(record)) = (end, self.held(claim)) {
            record.state = State::Open;
            let number = record.number;
            self.claimed.retain(|&other| Some(other) != number);
            self.open.extend(number);
            return true;
        }
        let Some(line) = line else { return false };
        let Some(number) = self.jobs.get(&claim.key).and_then(|record| record.number) else { return false };
        self.claimed.remove(&number);
        self.open.remove(&number);
        self.read(line);
        if self.jobs[&claim.key].state == State::Open {
            self.open.insert(number);
        }
        true
    }

    fn take_back_late_claims(&mut self, now: Instant) -> Result<(), StoreError> {
        let is_late = |number: &&usize| self.jobs.get(&self.order[**number]).is_some_and(|r| r.until <= now);
        let late: Vec<usize> = self.claimed.iter().filter(is_late).copied().collect();
        for number in late {
            let key = self.order[number].clone();
            let line = Line {
                key: key.clone(),
                error: Some("whoever claimed it was not heard of again".to_owned()),
                ..Line::default()
            };
            if let Some(log) = &mut self.log {
                log.add(&line)?;
            }
            self.claimed.remove(&number);
            self.read(line);
            if self.jobs[&key].state == State::Open {
                self.open.insert(number);
            }
        }
        Ok(())
    }
}

impl Record {
    fn new() -> Record {
        let (state, until) = (State::Open, Instant::now());
        Record { number: None, task: String::new(), state, errors: Vec::new(), token: 0, until }
    }

    /// Takes note of a failed try; whether it was the last.
    fn add_error(&mut self, error: String, refused: bool) -> bool {
        self.errors.push(error);
        let was_last = refused || self.errors.len() >= MAX_TRIES as usize;
        self.state = if was_last { State::Failed } else { State::Open };
        was_last
    }

    /// What went wrong, each once.
    fn log(&self) -> String {
        let mut errors = self.errors.clone();
        errors.dedup();
        errors.join("; ")
    }
}

/// Compares the file of a run with what is wanted, and writes it if there is none.
fn agree(directory: &Path, spec: &RunSpec, builds: Builds, has_findings: bool) -> Result<(), StoreError> {
    let path = directory.join(RUN_NAME);
    let failed = |error| StoreError::File(LineLogError::Io(path.clone(), error));
    let mut file = match fs::read_to_string(&path) {
        Ok(text) => serde_json::from_str::<RunFile>(&text)
            .map_err(|error| LineLogError::Damaged(path.clone(), error.line(), error.to_string()))?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if has_findings && builds == Builds::Same {
                return Err(StoreError::NoTerms(directory.to_owned()));
            }
            RunFile {
                kind: spec.kind.clone(),
                terms: spec.terms.clone(),
                builds: Vec::new(),
                setup: Value::Null,
            }
        }
        Err(error) => return Err(failed(error)),
    };
    let mut names = differing(&file.terms, &spec.terms);
    if file.kind != spec.kind {
        names.insert(0, "kind".to_owned());
    }
    if !names.is_empty() {
        return Err(StoreError::OtherTerms(directory.to_owned(), names));
    }
    // Whoever was the last to mix builds was allowed to.
    let is_last = file.builds.last() == Some(&spec.build);
    if !is_last && !file.builds.is_empty() && builds == Builds::Same {
        let place = directory.display().to_string();
        return Err(StoreError::OtherBuild { place, theirs: file.builds, ours: spec.build.clone() });
    }
    if is_last && file.setup == spec.setup {
        return Ok(());
    }
    file.builds.retain(|build| *build != spec.build);
    file.builds.push(spec.build.clone());
    file.setup = spec.setup.clone();
    let text = serde_json::to_string_pretty(&file).map_err(|error| failed(error.into()))?;
    write_file(&path, &(text + "\n")).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::conformance::{CHECKS, LEASE, Place};

    struct Folder(tempfile::TempDir);

    impl Place for Folder {
        fn open(&self) -> Box<dyn JobStore> {
            Box::new(LogStore::in_directory(self.0.path()).with_lease(LEASE))
        }
    }

    #[test]
    fn it_does_what_every_store_must() {
        for (name, check) in CHECKS {
            println!("{name}");
            check(&Folder(tempfile::tempdir().unwrap()));
        }
    }

    #[test]
    fn a_file_cut_anywhere_is_repaired_and_two_processes_do_not_share_it() {
        let folder = Folder(tempfile::tempdir().unwrap());
        let spec = RunSpec { kind: "k".into(), terms: Terms::new(), setup: Value::Null, build: "b".into() };
        let entries: Vec<JobEntry> =
            (0..4).map(|n| JobEntry { key: format!("job {n}"), task: String::new() }).collect();
        let claimant = Claimant { name: "n".into(), build: "b".into(), kinds: vec!["k".into()] };
        let mut store = folder.open();
        let run = store.begin(&spec, Builds::Same).unwrap();
        store.add(&run, &entries).unwrap();
        for claim in store.claim(&claimant, 4).unwrap() {
            store.settle(&[(claim, JobEnd::Done("\"finding\"".into()))]).unwrap();
        }
        let locked = folder.open().begin(&spec, Builds::Same);
        assert!(matches!(locked, Err(StoreError::File(LineLogError::Locked(_)))));
        drop(store);
        let path = folder.0.path().join(FINDINGS_NAME);
        let whole = fs::read(&path).unwrap();
        for cut in (1..whole.len()).step_by(5) {
            fs::write(&path, &whole[..cut]).unwrap();
            let lines = whole[..cut].iter().filter(|&&byte| byte == b'\n').count();
            let mut store = folder.open();
            let run = store.begin(&spec, Builds::Same).unwrap();
            store.add(&run, &entries).unwrap();
            let claims = store.claim(&claimant, 9).unwrap();
            assert_eq!(claims.len(), 4 - lines, "cut at {cut}");
            for claim in claims {
                store.settle(&[(claim, JobEnd::Done("\"finding\"".into()))]).unwrap();
            }
            drop(store);
            assert_eq!(fs::read(&path).unwrap(), whole, "cut at {cut}");
        }
        fs::write(&path, [b"nonsense\n".to_vec(), whole].concat()).unwrap();
        let damaged = folder.open().begin(&spec, Builds::Same);
        assert!(matches!(damaged, Err(StoreError::File(LineLogError::Damaged(_, 1, _)))));
    }
}
