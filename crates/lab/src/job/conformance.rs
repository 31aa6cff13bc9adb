//! What every store must do, as checks that panic if it does not.
//!
//! The tests of each implementation run all of [`CHECKS`], each at a place of its own.

use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::store::{
    Builds, Claim, Claimant, Counts, JobEnd, JobEntry, JobStore, MAX_TRIES, RunSpec, StoreError,
};
use crate::terms::Terms;

/// A place where jobs are kept: whoever opens it again finds them there.
pub trait Place {
    /// Opens it; the former opening has ended. Claims must hold for [`LEASE`].
    fn open(&self) -> Box<dyn JobStore>;
}

/// How long claims hold in the checks.
pub const LEASE: Duration = Duration::from_millis(300);

/// A check and what it is about.
pub type Check = (&'static str, fn(&dyn Place));

/// All checks.
pub const CHECKS: [Check; 11] = [
    ("jobs are handed out in order and done once", jobs_are_done_once),
    ("findings survive as they were written", findings_survive),
    ("what belongs to other terms or builds is not mixed", nothing_is_mixed),
    ("a claim that is not renewed is lost", late_claims_are_lost),
    ("a late finding counts while nobody else has the job", late_findings_count),
    ("a job that fails too often is given up", failures_are_given_up),
    ("a refused job is given up at once", refusals_are_given_up),
    ("a job that is given back is no failure", returned_jobs_are_open),
    ("cancelled jobs are not worked on until they are wanted again", cancelled_jobs_rest),
    ("findings made elsewhere are taken once", findings_are_imported),
    ("nobody gets jobs of a kind or a build that is not theirs", claimants_get_their_own),
];

fn spec(seed: u64, build: &str) -> RunSpec {
    let terms = Terms::from_iter([("seed".to_owned(), seed.into()), ("name".to_owned(), "ä \"b\"".into())]);
    RunSpec { kind: "check".to_owned(), terms, setup: Value::from(7), build: build.to_owned() }
}

fn claimant(name: &str) -> Claimant {
    Claimant {
        name: name.to_owned(),
        build: "one".to_owned(),
        kinds: vec!["other".to_owned(), "check".to_owned()],
    }
}

fn entries(count: usize) -> Vec<JobEntry> {
    (0..count).map(|n| JobEntry { key: format!("job {n}"), task: format!("[{n}]") }).collect()
}

fn begin(store: &mut dyn JobStore, jobs: usize) -> String {
    let run = store.begin(&spec(1, "one"), Builds::Same).unwrap();
    store.add(&run, &entries(jobs)).unwrap();
    run
}

fn keys(claims: &[Claim]) -> Vec<&str> {
    claims.iter().map(|claim| claim.key.as_str()).collect()
}

fn counts(store: &mut dyn JobStore, run: &str) -> [u64; 5] {
    let Counts { open, claimed, done, failed, cancelled } = store.counts(run).unwrap();
    [open, claimed, done, failed, cancelled]
}

fn settle(store: &mut dyn JobStore, claim: &Claim, end: JobEnd) -> bool {
    store.settle(&[(claim.clone(), end)]).unwrap()[0]
}

fn done(finding: &str) -> JobEnd {
    JobEnd::Done(finding.to_owned())
}

fn findings(store: &mut dyn JobStore, run: &str) -> Vec<(String, Result<String, String>)> {
    let (ended, _) = store.ended(run, 0).unwrap();
    let mut found: Vec<_> = ended.into_iter().map(|ended| (ended.key, ended.finding)).collect();
    found.sort();
    found
}

fn jobs_are_done_once(place: &dyn Place) {
    let mut store = place.open();
    let run = begin(&mut *store, 5);
    let ada = claimant("ada");
    let first = store.claim(&ada, 2).unwrap();
    assert_eq!(keys(&first), ["job 0", "job 1"]);
    assert_eq!((first[1].task.as_str(), &*first[1].run), ("[1]", &spec(1, "one")));
    let second = store.claim(&claimant("bob"), 2).unwrap();
    assert_eq!(keys(&second), ["job 2", "job 3"], "claimed jobs are not handed out again");
    assert_eq!(counts(&mut *store, &run), [1, 4, 0, 0, 0]);
    let ends = vec![(first[1].clone(), done("11")), (second[0].clone(), done("22"))];
    assert_eq!(store.settle(&ends).unwrap(), [true, true]);
    assert!(!settle(&mut *store, &first[1], done("111")), "the first finding stands");
    let (ended, next) = store.ended(&run, 0).unwrap();
    assert_eq!(ended.len(), 2);
    assert!(settle(&mut *store, &first[0], done("0")));
    let (news, _) = store.ended(&run, next).unwrap();
    assert!(news.iter().any(|ended| ended.key == "job 0"), "{news:?}");
    assert_eq!(counts(&mut *store, &run), [1, 1, 3, 0, 0]);
    // Adding jobs that are there changes nothing.
    store.add(&run, &entries(6)).unwrap();
    assert_eq!(counts(&mut *store, &run), [2, 1, 3, 0, 0]);
    let rest = store.claim(&ada, 10).unwrap();
    assert_eq!(keys(&rest), ["job 4", "job 5"]);
    assert_eq!(keys(&store.claim(&ada, 10).unwrap()), Vec::<&str>::new());
}

fn findings_survive(place: &dyn Place) {
    let texts = [
        r#"{"a":[1,2.5,1e-7],"b":"line\nend \"ü\" 碁 \\ \u0001"}"#,
        r#"{"n":18446744073709551615,"x":0.1234567890123456}"#,
        "null",
    ];
    let mut store = place.open();
    let run = begin(&mut *store, 4);
    for (claim, text) in store.claim(&claimant("ada"), 3).unwrap().iter().zip(texts) {
        assert!(settle(&mut *store, claim, done(text)));
    }
    drop(store);
    let mut store = place.open();
    assert_eq!(begin(&mut *store, 4), run, "the same run has the same name");
    let found = findings(&mut *store, &run);
    assert_eq!(found.len(), 3);
    for ((_, finding), text) in found.iter().zip(texts) {
        let value = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        assert_eq!(value(finding.as_ref().unwrap()), value(text));
    }
    assert_eq!(keys(&store.claim(&claimant("ada"), 9).unwrap()), ["job 3"]);
}

fn nothing_is_mixed(place: &dyn Place) {
    let mut store = place.open();
    let run = begin(&mut *store, 1);
    let claim = store.claim(&claimant("ada"), 1).unwrap().remove(0);
    assert!(settle(&mut *store, &claim, done("1")));
    drop(store);
    // A store may refuse, or keep the runs apart.
    for other in [spec(2, "one"), spec(1, "two"), RunSpec { kind: "other".to_owned(), ..spec(1, "one") }] {
        let mut store = place.open();
        match store.begin(&other, Builds::Same) {
            Err(StoreError::OtherTerms(..) | StoreError::OtherBuild { .. }) => {}
            Err(error) => panic!("{error}"),
            Ok(name) => {
                assert_ne!(name, run);
                assert_eq!(findings(&mut *store, &name), []);
            }
        }
    }
    let mut store = place.open();
    let mixed = store.begin(&spec(1, "two"), Builds::Any).unwrap();
    assert_eq!(findings(&mut *store, &mixed).len(), 1, "builds are mixed if somebody says so");
}

fn late_claims_are_lost(place: &dyn Place) {
    let mut store = place.open();
    let run = begin(&mut *store, 1);
    let slow = store.claim(&claimant("slow"), 1).unwrap().remove(0);
    for _ in 0..4 {
        thread::sleep(LEASE / 2);
        assert_eq!(store.renew(&[&slow]).unwrap(), [true], "a claim that is renewed is kept");
        assert!(store.claim(&claimant("quick"), 1).unwrap().is_empty());
    }
    thread::sleep(LEASE + LEASE / 2);
    let quick = store.claim(&claimant("quick"), 1).unwrap().remove(0);
    assert_eq!(quick.key, slow.key);
    assert_eq!(store.renew(&[&slow, &quick]).unwrap(), [false, true]);
    for end in [JobEnd::Failed("no".to_owned()), JobEnd::Returned, done("1")] {
        assert!(!settle(&mut *store, &slow, end), "somebody else has the job");
    }
    assert!(settle(&mut *store, &quick, done("2")));
    assert_eq!(findings(&mut *store, &run), [("job 0".to_owned(), Ok("2".to_owned()))]);
}

fn late_findings_count(place: &dyn Place) {
    let mut store = place.open();
    let run = begin(&mut *store, 1);
    let claim = store.claim(&claimant("slow"), 1).unwrap().remove(0);
    thread::sleep(LEASE + LEASE / 2);
    assert!(settle(&mut *store, &claim, done("1")));
    assert_eq!(counts(&mut *store, &run), [0, 0, 1, 0, 0]);
    assert!(store.claim(&claimant("quick"), 1).unwrap().is_empty());
}

fn failures_are_given_up(place: &dyn Place) {
    let mut store = place.open();
    let run = begin(&mut *store, 2);
    for number in 0..MAX_TRIES {
        // One of the tries is of somebody who is not heard of again.
        let claim = store.claim(&claimant("ada"), 1).unwrap().remove(0);
        assert_eq!(claim.key, "job 0");
        if number == 1 {
            thread::sleep(LEASE + LEASE / 2);
        } else {
            assert!(settle(&mut *store, &claim, JobEnd::Failed(format!("reason {number}"))));
        }
    }
    assert_eq!(keys(&store.claim(&claimant("ada"), 9).unwrap()), ["job 1"]);
    let found = findings(&mut *store, &run);
    let [(key, Err(log))] = found.as_slice() else { panic!("{found:?}") };
    assert!(key == "job 0" && log.contains("reason 0") && log.contains("reason 2"), "{log}");
    drop(store);
    let mut store = place.open();
    let run = begin(&mut *store, 1);
    assert_eq!(store.counts(&run).unwrap().failed, 1, "it stays given up");
    assert_eq!(store.retry(&run).unwrap(), 1);
    assert_eq!(findings(&mut *store, &run), []);
    let claims = store.claim(&claimant("ada"), 1).unwrap();
    assert_eq!(keys(&claims), ["job 0"]);
    assert!(settle(&mut *store, &claims[0], JobEnd::Failed("again".to_owned())));
    assert_eq!(store.counts(&run).unwrap().failed, 0, "former tries are forgiven");
}

fn refusals_are_given_up(place: &dyn Place) {
    let mut store = place.open();
    let run = begin(&mut *store, 1);
    let claim = store.claim(&claimant("ada"), 1).unwrap().remove(0);
    assert!(settle(&mut *store, &claim, JobEnd::Refused("no such preset".to_owned())));
    assert_eq!(counts(&mut *store, &run), [0, 0, 0, 1, 0]);
    assert_eq!(findings(&mut *store, &run), [("job 0".to_owned(), Err("no such preset".to_owned()))]);
    drop(store);
    let mut store = place.open();
    let run = begin(&mut *store, 1);
    assert_eq!(counts(&mut *store, &run), [0, 0, 0, 1, 0]);
}

fn returned_jobs_are_open(place: &dyn Place) {
    let mut store = place.open();
    let run = begin(&mut *store, 1);
    for _ in 0..2 * MAX_TRIES {
        let claim = store.claim(&claimant("ada"), 1).unwrap().remove(0);
        assert!(settle(&mut *store, &claim, JobEnd::Returned));
        assert_eq!(counts(&mut *store, &run), [1, 0, 0, 0, 0]);
    }
}

fn cancelled_jobs_rest(place: &dyn Place) {
    let mut store = place.open();
    let run = begin(&mut *store, 4);
    let claims = store.claim(&claimant("ada"), 2).unwrap();
    assert!(settle(&mut *store, &claims[0], done("0")));
    assert_eq!(store.cancel(&run).unwrap(), 3);
    assert_eq!(counts(&mut *store, &run), [0, 0, 1, 0, 3]);
    assert_eq!(store.renew(&[&claims[1]]).unwrap(), [false], "who is at it is told");
    assert!(!settle(&mut *store, &claims[1], done("1")));
    assert!(store.claim(&claimant("ada"), 9).unwrap().is_empty());
    store.add(&run, &entries(3)).unwrap();
    assert_eq!(counts(&mut *store, &run), [2, 0, 1, 0, 1]);
    assert_eq!(keys(&store.claim(&claimant("ada"), 9).unwrap()), ["job 1", "job 2"]);
    assert_eq!(store.retry(&run).unwrap(), 1);
    assert_eq!(keys(&store.claim(&claimant("ada"), 9).unwrap()), ["job 3"]);
}

fn findings_are_imported(place: &dyn Place) {
    let mut store = place.open();
    let run = begin(&mut *store, 3);
    let claim = store.claim(&claimant("ada"), 1).unwrap().remove(0);
    assert!(settle(&mut *store, &claim, done("\"here\"")));
    let made = |key: &str| (key.to_owned(), "\"there\"".to_owned());
    let findings_there = [made("job 0"), made("job 1"), made("job 7")];
    assert_eq!(store.import(&run, &findings_there).unwrap(), 2);
    assert_eq!(store.import(&run, &findings_there).unwrap(), 0);
    let found: Vec<String> =
        findings(&mut *store, &run).into_iter().map(|(_, finding)| finding.unwrap()).collect();
    assert_eq!(found, ["\"here\"", "\"there\"", "\"there\""], "what was done here stands");
    assert_eq!(keys(&store.claim(&claimant("ada"), 9).unwrap()), ["job 2"]);
}

fn claimants_get_their_own(place: &dyn Place) {
    let mut store = place.open();
    begin(&mut *store, 1);
    let stranger = Claimant { kinds: vec!["other".to_owned()], ..claimant("ada") };
    assert!(store.claim(&stranger, 1).unwrap().is_empty());
    let outdated = Claimant { build: "zero".to_owned(), ..claimant("ada") };
    assert!(store.claim(&outdated, 1).unwrap().is_empty());
    assert_eq!(store.claim(&claimant("ada"), 1).unwrap().len(), 1);
    let runs = store.runs().unwrap();
    assert_eq!(runs.len(), 1);
    assert_eq!((&runs[0].spec, runs[0].counts.claimed), (&spec(1, "one"), 1));
}
