//! The store against a real server.
//!
//! - `cluster`: a server for a test.
//! - `way`: passwords and encryption.
//! - here: what every store must do, and what only a shared one can.
#![cfg(unix)]

mod cluster;
mod way;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use cluster::Cluster;
use tesuji_lab::checksum::Checksum;
use tesuji_lab::file_cache::{FetchError, Library};
use tesuji_lab::job::conformance::{self, CHECKS, LEASE};
use tesuji_lab::job::{
    Builds, Claimant, Drill, JobEnd, JobEntry, JobStore, LogStore, RunSpec, StoreError, run_of_directory,
    transfer,
};
use tesuji_lab::terms::Terms;
use tesuji_postgres::{Place, PostgresLibrary, PostgresStore, schema};

struct Database(Place);

impl conformance::Place for Database {
    fn open(&self) -> Box<dyn JobStore> {
        Box::new(open(&self.0).with_lease(LEASE))
    }
}

fn place(address: &str) -> Place {
    let place = Place::parse(address, None).unwrap();
    schema::migrate(&mut place.connect().unwrap()).unwrap();
    place
}

fn open(place: &Place) -> PostgresStore {
    PostgresStore::open(place.clone()).unwrap_or_else(|error| panic!("{error}"))
}

fn spec(seed: u64) -> RunSpec {
    let terms = Terms::from_iter([("seed".to_owned(), seed.into())]);
    RunSpec { kind: "k".into(), terms, setup: serde_json::Value::Null, build: "b".into() }
}

fn claimant(name: &str) -> Claimant {
    Claimant { name: name.into(), build: "b".into(), kinds: vec!["k".into()] }
}

fn entries(count: usize) -> Vec<JobEntry> {
    (0..count).map(|n| JobEntry { key: format!("{n:05}"), task: n.to_string() }).collect()
}

#[test]
fn it_does_what_every_store_must() {
    let Some(cluster) = Cluster::start() else { return };
    let number = Cell::new(0);
    for (name, check) in CHECKS {
        println!("{name}");
        number.set(number.get() + 1);
        check(&Database(place(&cluster.database(&format!("check{}", number.get())))));
    }
}

/// Claims and ends jobs until there are none, each worth nothing; reconnects when the server was away.
fn work_off(place: &Place, name: &str, done: &Mutex<BTreeMap<String, usize>>, total: &AtomicUsize) {
    let mut store = open(place).with_lease(Duration::from_secs(2));
    while total.load(Ordering::Relaxed) > 0 {
        let claims = match store.claim(&claimant(name), 3) {
            Ok(claims) => claims,
            Err(StoreError::Away(_)) => {
                thread::sleep(Duration::from_millis(50));
                continue;
            }
            Err(error) => panic!("{error}"),
        };
        if claims.is_empty() {
            thread::sleep(Duration::from_millis(20));
        }
        for claim in claims {
            let end = [(claim.clone(), JobEnd::Done(claim.task.clone()))];
            let counted = loop {
                match store.settle(&end) {
                    Ok(counted) => break counted[0],
                    Err(StoreError::Away(_)) => thread::sleep(Duration::from_millis(50)),
                    Err(error) => panic!("{error}"),
                }
            };
            if counted {
                *done.lock().unwrap().entry(claim.key.clone()).or_default() += 1;
            }
        }
    }
}

#[test]
fn many_workers_do_every_job_once_even_if_the_server_crashes() {
    const JOBS: usize = 2000;
    let Some(cluster) = Cluster::start() else { return };
    let place = place(&cluster.database("jobs"));
    let mut store = open(&place);
    let run = store.begin(&spec(1), Builds::Same).unwrap();
    store.add(&run, &entries(JOBS)).unwrap();
    let (done, left) = (Mutex::new(BTreeMap::new()), AtomicUsize::new(JOBS));
    thread::scope(|scope| {
        for number in 0..4 {
            let (place, done, left) = (&place, &done, &left);
            scope.spawn(move || work_off(place, &format!("worker {number}"), done, left));
        }
        thread::sleep(Duration::from_millis(300));
        cluster.crash();
        thread::sleep(Duration::from_millis(200));
        cluster.begin();
        let end = Instant::now() + Duration::from_secs(120);
        loop {
            match store.counts(&run) {
                Ok(counts) => left.store(counts.left() as usize, Ordering::Relaxed),
                Err(error) => assert!(error.is_transient(), "{error}"),
            }
            if left.load(Ordering::Relaxed) == 0 {
                break;
            }
            assert!(Instant::now() < end, "{} jobs are left", left.load(Ordering::Relaxed));
            thread::sleep(Duration::from_millis(50));
        }
    });
    let counts = store.counts(&run).unwrap();
    assert_eq!((counts.done, counts.failed), (JOBS as u64, 0));
    // A worker whose answer was lost in the crash does not know that its finding counted, but none counts twice.
    let done = done.into_inner().unwrap();
    assert!(done.values().all(|&times| times == 1), "a job was done twice");
    assert!(done.len() > JOBS / 2);
    let (ended, _) = store.ended(&run, 0).unwrap();
    assert_eq!(ended.len(), JOBS);
    assert!(ended.iter().all(|ended| ended.finding.as_ref().unwrap().parse::<usize>().unwrap()
        == ended.key.parse::<usize>().unwrap()));
}

#[test]
fn urgent_runs_come_first_and_news_are_told_once_or_twice_but_never_not() {
    let Some(cluster) = Cluster::start() else { return };
    let place = place(&cluster.database("jobs"));
    let mut store = open(&place);
    let (slow, urgent) =
        (store.begin(&spec(1), Builds::Same).unwrap(), store.begin(&spec(2), Builds::Same).unwrap());
    for run in [&slow, &urgent] {
        store.add(run, &entries(3)).unwrap();
    }
    store.set_priority(&urgent, 5).unwrap();
    assert!(matches!(store.set_priority("nothing", 5), Err(StoreError::NoRun(_))));
    let claims = store.claim(&claimant("ada"), 4).unwrap();
    assert_eq!(claims.iter().filter(|claim| claim.run_id == urgent).count(), 3);
    let mut other = open(&place);
    let (mut known, mut since) = (Vec::new(), 0);
    for claim in claims {
        other.settle(&[(claim, JobEnd::Done("1".into()))]).unwrap();
        let (ended, next) = store.ended(&urgent, since).unwrap();
        since = next;
        known.extend(ended.into_iter().map(|ended| ended.key));
    }
    known.sort();
    known.dedup();
    assert_eq!(known, ["00000", "00001", "00002"]);
}

#[test]
fn a_worker_may_do_its_work_and_nothing_else() {
    let Some(cluster) = Cluster::start() else { return };
    let address = cluster.database("jobs");
    let mut superuser = Place::parse(&address, None).unwrap().connect().unwrap();
    superuser.batch_execute(schema::ROLES).unwrap();
    superuser
        .batch_execute(
            "create role anna login in role tesuji_owner; create role cluster login in role tesuji_worker;
            grant create on database jobs to tesuji_owner; alter role anna set role tesuji_owner",
        )
        .unwrap();
    let owner = Place::parse(&cluster.address("jobs", "anna"), None).unwrap();
    assert_eq!(schema::migrate(&mut owner.connect().unwrap()).unwrap(), 0);
    let mut store = open(&owner);
    let run = store.begin(&spec(1), Builds::Same).unwrap();
    store.add(&run, &entries(3)).unwrap();
    let place = Place::parse(&cluster.address("jobs", "cluster"), None).unwrap();
    let mut worker = open(&place);
    let claims = worker.claim(&claimant("w"), 3).unwrap();
    assert_eq!(worker.renew(&[&claims[0]]).unwrap(), [true]);
    let ends = [
        (claims[0].clone(), JobEnd::Done("1".into())),
        (claims[1].clone(), JobEnd::Failed("no".into())),
        (claims[2].clone(), JobEnd::Returned),
    ];
    assert_eq!(worker.settle(&ends).unwrap(), [true, true, true]);
    for refused in [
        worker.add(&run, &entries(9)).map(drop),
        worker.begin(&spec(2), Builds::Same).map(drop),
        worker.import(&run, &[("x".into(), "1".into())]).map(drop),
        worker.set_priority(&run, 9),
    ] {
        assert!(
            matches!(&refused, Err(StoreError::Server(reason)) if reason.contains("permission denied")),
            "{refused:?}"
        );
    }
    let mut client = place.connect().unwrap();
    for sql in [
        "delete from tesuji.job",
        "update tesuji.job set task = 'null'",
        "drop table tesuji.job",
        "create table tesuji.x ()",
    ] {
        assert!(client.batch_execute(sql).is_err(), "{sql}");
    }
}

#[test]
fn tables_of_another_version_are_refused_with_a_clear_line() {
    let Some(cluster) = Cluster::start() else { return };
    let place = Place::parse(&cluster.database("jobs"), None).unwrap();
    let Err(StoreError::Server(reason)) = PostgresStore::open(place.clone()).map(drop) else {
        panic!("no tables")
    };
    assert!(reason.contains("tesuji jobs migrate"), "{reason}");
    let mut client = place.connect().unwrap();
    assert_eq!(schema::migrate(&mut client).unwrap(), 0);
    assert_eq!(schema::migrate(&mut client).unwrap(), schema::VERSION, "once is enough");
    assert!(PostgresStore::open(place.clone()).is_ok());
    client.batch_execute("insert into tesuji.migration (version) values (99)").unwrap();
    let Err(StoreError::Server(reason)) = PostgresStore::open(place).map(drop) else {
        panic!("newer tables")
    };
    assert!(reason.contains("newer than this program"), "{reason}");
}

#[test]
fn findings_travel_both_ways() {
    let Some(cluster) = Cluster::start() else { return };
    let place = place(&cluster.database("jobs"));
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let mut log = LogStore::in_directory(folders[0].path());
    let run = log.begin(&spec(1), Builds::Same).unwrap();
    log.add(&run, &entries(3)).unwrap();
    for claim in log.claim(&claimant("a"), 2).unwrap() {
        log.settle(&[(claim.clone(), JobEnd::Done(format!("[{}]", claim.task)))]).unwrap();
    }
    let mut server = open(&place);
    let spec = run_of_directory(folders[0].path()).unwrap();
    assert_eq!(transfer(&mut log, &run, &spec, &mut server).unwrap(), 2);
    assert_eq!(transfer(&mut log, &run, &spec, &mut server).unwrap(), 0);
    let there = server.begin(&spec, Builds::Same).unwrap();
    server.add(&there, &entries(3)).unwrap();
    let claims = server.claim(&claimant("b"), 9).unwrap();
    assert_eq!(claims.len(), 1, "two were done elsewhere");
    server.settle(&[(claims[0].clone(), JobEnd::Done("[2]".into()))]).unwrap();
    let mut back = LogStore::in_directory(folders[1].path());
    assert_eq!(transfer(&mut server, &there, &spec, &mut back).unwrap(), 3);
    drop(back);
    let mut back = LogStore::in_directory(folders[1].path());
    let run = back.begin(&spec, Builds::Same).unwrap();
    let (mut ended, _) = back.ended(&run, 0).unwrap();
    ended.sort_by(|a, b| a.key.cmp(&b.key));
    let findings: Vec<&str> = ended.iter().map(|ended| ended.finding.as_deref().unwrap()).collect();
    assert_eq!(findings, ["[0]", "[1]", "[2]"]);
}

#[test]
fn a_run_that_cannot_be_read_does_not_stop_the_others() {
    let Some(cluster) = Cluster::start() else { return };
    let place = place(&cluster.database("jobs"));
    let mut store = open(&place);
    let run = store.begin(&spec(1), Builds::Same).unwrap();
    store.add(&run, &entries(2)).unwrap();
    let deep = format!("{}{}", "[".repeat(500), "]".repeat(500));
    let sql = format!(
        "insert into tesuji.run (id, terms_id, kind, terms, setup, builds, priority) values ('bad', 't', 'k', '{{}}', '{deep}', '{{b}}', 9);
        insert into tesuji.job (run, key, number, task) values ('bad', 'x', 1, '7')"
    );
    place.connect().unwrap().batch_execute(&sql).unwrap();
    let keys: Vec<String> =
        (0..3).flat_map(|_| store.claim(&claimant("w"), 1).unwrap()).map(|claim| claim.key).collect();
    assert_eq!(keys, ["00000", "00001"]);
    let (ended, _) = store.ended("bad", 0).unwrap();
    assert!(matches!(&ended[0].finding, Err(why) if why.contains("cannot be read")), "{ended:?}");
    assert_eq!(store.runs().unwrap().len(), 2);
}

#[test]
fn a_drill_ends_every_job_once() {
    let Some(cluster) = Cluster::start() else { return };
    let place = place(&cluster.database("jobs"));
    let drill = Drill { workers: 40, jobs: 600, duration: Duration::from_millis(5), seed: 1 };
    let report = drill.run(&|| PostgresStore::open(place.clone())).unwrap();
    println!("{:.0} jobs/s", report.done as f64 / report.seconds);
    assert_eq!((report.done, report.claims.len(), report.settlements.len()), (600, 600, 600));
    assert!(report.seconds >= 600.0 * 0.005 / 40.0);
    let runs = open(&place).runs().unwrap();
    assert_eq!((runs.len(), runs[0].counts.done, runs[0].counts.total()), (1, 600, 600));
}

#[test]
fn files_are_kept_whole_and_once() {
    let Some(cluster) = Cluster::start() else { return };
    let place = place(&cluster.database("jobs"));
    let mut store = open(&place);
    // Three parts, the last one short.
    let contents: Vec<u8> =
        (0..(5 << 19) + 7).map(|n: u32| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), &contents).unwrap();
    let checksum = Checksum::of_file(file.path()).unwrap();
    let library = PostgresLibrary::new(place);
    let mut fetched = Vec::new();
    assert!(matches!(library.fetch(&checksum, &mut fetched), Err(FetchError::Unknown(_))));
    // A file that is not what it is said to be is not kept, not even in part.
    std::fs::write(file.path(), &contents[1..]).unwrap();
    assert!(store.keep_file(file.path(), &checksum).is_err());
    assert!(matches!(library.fetch(&checksum, &mut fetched), Err(FetchError::Unknown(_))));
    std::fs::write(file.path(), &contents).unwrap();
    assert!(store.keep_file(file.path(), &checksum).unwrap());
    assert!(!store.keep_file(file.path(), &checksum).unwrap(), "it is there");
    library.fetch(&checksum, &mut fetched).unwrap();
    assert!(fetched == contents);
}

#[test]
fn tables_of_the_first_version_are_brought_forward_with_what_is_in_them() {
    let Some(cluster) = Cluster::start() else { return };
    let place = Place::parse(&cluster.database("jobs"), None).unwrap();
    let mut client = place.connect().unwrap();
    client.batch_execute(include_str!("../../sql/001_jobs.sql")).unwrap();
    client
        .batch_execute(
            "insert into tesuji.run (id, terms_id, kind, terms, setup, builds) values ('r', 't', 'k', '{}', 'null', '{b}');
            insert into tesuji.job (run, key, number, task) values ('r', 'old', 1, '7')",
        )
        .unwrap();
    let Err(StoreError::Server(reason)) = PostgresStore::open(place.clone()).map(drop) else {
        panic!("old tables")
    };
    assert!(reason.contains("are of version 1") && reason.contains("tesuji jobs migrate"), "{reason}");
    assert_eq!(schema::migrate(&mut client).unwrap(), 1);
    let claims = open(&place).claim(&claimant("w"), 1).unwrap();
    assert_eq!((claims[0].key.as_str(), claims[0].task.as_str()), ("old", "7"));
}

#[test]
fn a_claim_lives_on_while_its_worker_does() {
    let Some(cluster) = Cluster::start() else { return };
    let place = place(&cluster.database("jobs"));
    let mut store = open(&place).with_lease(LEASE);
    let run = store.begin(&spec(1), Builds::Same).unwrap();
    store.add(&run, &entries(1)).unwrap();
    let claim = store.claim(&claimant("patient"), 1).unwrap().remove(0);
    let stop = Arc::new(AtomicBool::new(false));
    let (place, stopped) = (place.clone(), Arc::clone(&stop));
    let greedy = thread::spawn(move || {
        let mut other = open(&place).with_lease(LEASE);
        let mut got = 0;
        while !stopped.load(Ordering::Relaxed) {
            got += other.claim(&claimant("greedy"), 1).unwrap().len();
            thread::sleep(LEASE / 10);
        }
        got
    });
    for _ in 0..10 {
        thread::sleep(LEASE / 3);
        assert_eq!(store.renew(&[&claim]).unwrap(), [true]);
    }
    stop.store(true, Ordering::Relaxed);
    assert_eq!(greedy.join().unwrap(), 0);
}
