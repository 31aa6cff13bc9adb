//! Shared jobs: workers that are killed, a server that crashes, jobs that must not be done, networks that are fetched.
#![cfg(all(unix, feature = "postgres"))]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tesuji_lab::job::{Builds, Counts, JobEntry, JobStore, RunSpec};
use tesuji_lab::terms::Terms;
use tesuji_postgres::{Place, PostgresStore, schema};

use crate::cluster::Cluster;
use crate::process::{Directory, run, stderr, stdout, tesuji as command};

const GAMES: usize = 300;
const KILLS: usize = 20;
const PROBLEM: &str = r#"{"id":"a","source":"s","size":5,"black":["ea","eb","ac","bc","cc","dc","ec"],"white":["da","ab","bb","cb","db"],"to_move":"B","accepted":["ba"]}"#;
/// The build of the program that is tested, as its jobs have it.
const BUILD: &str = env!("TESUJI_BUILD");

fn tesuji(arguments: &[&str]) -> Command {
    let mut command = command(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn small_match(directory: &Path, games: usize, more: &[&str]) -> Command {
    let mut command = tesuji(&["match", "--engine", "a=preset:flat --playouts 12", "--engine"]);
    command.args(["b=preset:flat --playouts 4", "--size", "5", "--komi", "0.5", "--openings", "random:2"]);
    command.args(["--games", &games.to_string(), "--quiet", "--out"]).arg(directory).args(more);
    command
}

/// The tables without that of times.
fn results(output: &Output) -> String {
    assert!(output.status.success(), "{}", stderr(output));
    let text = stdout(output);
    let end = text.find("\nengine ").expect("a table of times");
    text[..end].to_owned()
}

/// A database with tables.
fn database(cluster: &Cluster) -> String {
    let address = cluster.database("jobs");
    let place = Place::parse(&address, None).unwrap();
    schema::migrate(&mut place.connect().unwrap()).unwrap();
    address
}

fn open(address: &str) -> PostgresStore {
    PostgresStore::open(Place::parse(address, None).unwrap()).unwrap()
}

/// How the jobs of the only run stand; nothing while there is none, or no server.
fn counts(store: &mut PostgresStore) -> Option<(String, Counts)> {
    let runs = store.runs().ok()?;
    assert!(runs.len() < 2, "{runs:?}");
    runs.into_iter().next().map(|run| (run.id, run.counts))
}

/// Waits until something is so.
fn wait(what: &str, mut is_so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < Duration::from_secs(120), "{what}");
        thread::sleep(Duration::from_millis(5));
    }
}

fn worker(address: &str, more: &[&str]) -> Output {
    let output = tesuji(&["worker", "--store", address, "--until-done"]).args(more).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    output
}

struct Workers<'a> {
    address: &'a str,
    children: Vec<(String, Child)>,
    started: usize,
}

impl Workers<'_> {
    fn start(&mut self, count: usize) {
        for _ in 0..count {
            self.started += 1;
            let name = format!("worker {}", self.started);
            let mut worker = tesuji(&["worker", "--store", self.address, "--lease", "2", "--quiet"]);
            let child = worker.args(["--name", &name]).stderr(Stdio::null()).spawn().unwrap();
            self.children.push((name, child));
        }
    }

    /// Kills one of them, but not one at a game that was lost twice already: after the third time it is given up, as it must be.
    fn kill(&mut self, mut number: usize) {
        let mut client = Place::parse(self.address, None).unwrap().connect().unwrap();
        let last_try =
            "select from tesuji.job where state = 'claimed' and worker = $1 and cardinality(errors) > 1";
        while !client.query(last_try, &[&self.children[number % 4].0]).unwrap().is_empty() {
            number += 1;
        }
        let (_, mut victim) = self.children.remove(number % 4);
        victim.kill().unwrap();
        victim.wait().unwrap();
    }
}

impl Drop for Workers<'_> {
    fn drop(&mut self) {
        for (_, child) in &mut self.children {
            child.kill().ok();
            child.wait().ok();
        }
    }
}

#[test]
fn every_game_is_played_once_though_workers_are_killed_and_the_server_crashes() {
    let Some(cluster) = Cluster::start() else { return };
    let address = database(&cluster);
    let root = tempfile::tempdir().unwrap();
    let alone = small_match(&root.path().join("alone"), GAMES, &["--parallel", "2"]).output().unwrap();
    let undisturbed = results(&alone);

    let shared = root.path().join("shared");
    let follower = small_match(&shared, GAMES, &["--store", &address]).spawn().unwrap();
    let mut workers = Workers { address: &address, children: Vec::new(), started: 0 };
    workers.start(4);
    let mut store = open(&address);
    for kill in 0..KILLS {
        // All through the match, each time at another moment of a game.
        let enough = ((kill + 1) * GAMES / (KILLS + 3)) as u64;
        wait("games go on", || counts(&mut store).is_some_and(|(_, counts)| counts.done >= enough));
        thread::sleep(Duration::from_millis(7 * (kill as u64 * 5 % 11)));
        workers.kill(kill);
        workers.start(1);
        if kill == KILLS / 2 {
            cluster.crash();
            thread::sleep(Duration::from_millis(300));
            cluster.begin();
        }
    }
    let output = follower.wait_with_output().unwrap();
    assert_eq!(results(&output), undisturbed);
    let (run_name, counts) = counts(&mut store).unwrap();
    assert_eq!(counts, Counts { done: GAMES as u64, ..Counts::default() });
    let records = fs::read_dir(&shared).unwrap().filter(|entry| {
        entry.as_ref().is_ok_and(|entry| entry.path().extension().is_some_and(|end| end == "sgf"))
    });
    assert_eq!(records.count(), GAMES);
    // The killing did hit games under way.
    let mut client = Place::parse(&address, None).unwrap().connect().unwrap();
    let hit = client.query_one("select count(*) from tesuji.job where cardinality(errors) > 0", &[]).unwrap();
    assert!(hit.get::<_, i64>(0) >= KILLS as i64 / 2, "{hit:?}");

    // What the server holds is a log like any other: exported, it needs no game to be played again.
    let exported = root.path().join("exported");
    let path = exported.to_str().unwrap();
    let export = run(&["jobs", "--store", &address, "export", &run_name, path]);
    assert_eq!(stdout(&export), format!("{GAMES} results copied\n"), "{export:?}");
    let log = fs::read(exported.join("results.jsonl")).unwrap();
    assert_eq!(results(&small_match(&exported, GAMES, &[]).output().unwrap()), undisturbed);
    assert_eq!(fs::read(exported.join("results.jsonl")).unwrap(), log);
    // And back into a server that knows nothing of it.
    let other = cluster.database("other");
    for arguments in [&["migrate"][..], &["import", path]] {
        let output = run(&[&["jobs", "--store", &other], arguments].concat());
        assert!(output.status.success(), "{output:?}");
    }
    let elsewhere =
        small_match(&root.path().join("elsewhere"), GAMES, &["--store", &other]).output().unwrap();
    assert_eq!(results(&elsewhere), undisturbed);
}

/// Puts a job there that nobody made with `tesuji match`.
fn smuggle(store: &mut PostgresStore, build: &str, name: &str, setup: serde_json::Value) {
    let terms = Terms::from_iter([("name".to_owned(), name.into())]);
    let spec = RunSpec { kind: "match".to_owned(), terms, setup, build: build.to_owned() };
    let task = r#"{"game":{"game":1,"round":1,"black":0,"white":1},"opening":[]}"#.to_owned();
    let run = store.begin(&spec, Builds::Same).unwrap();
    store.add(&run, &[JobEntry { key: name.to_owned(), task }]).unwrap();
    // Before anything that is in order.
    store.set_priority(&run, 9).unwrap();
}

fn setup(launch: serde_json::Value, size: &str) -> serde_json::Value {
    let engine = |name: &str| serde_json::json!({ "name": name, "launch": launch, "clock": "told" });
    serde_json::json!({
        "match_id": "m", "engines": [engine("a"), engine("b")], "seed": 1, "lifetime": "game",
        "terms": {
            "size": size, "rules": { "ko": "SIMPLE", "komi": "7" }, "time": { "kind": "unlimited" }, "lag": 0.0,
            "move_limit": 10, "methods": ["board"], "arbiter": null, "command_timeout": 5.0, "move_timeout": 5.0,
        },
    })
}

#[test]
fn jobs_that_must_not_be_done_are_refused_and_others_go_on() {
    let Some(cluster) = Cluster::start() else { return };
    let address = database(&cluster);
    let root = tempfile::tempdir().unwrap();
    let forbidden = root.path().join("forbidden");
    let touch = format!("touch {}", forbidden.display());
    let mut store = open(&address);
    let preset = |text: &str| serde_json::json!({ "preset": text });
    let bad = [
        (
            "command",
            setup(serde_json::json!({ "command": touch }), "9x9"),
            "does not allow the command 'touch",
        ),
        ("preset", setup(preset("nobody"), "9x9"), "nobody"),
        ("size", setup(preset("flat"), "999x999"), "setup cannot be read"),
        ("memory", setup(preset("flat --memory 99999999999"), "9x9"), "does not start"),
        (
            "option",
            setup(preset("flat '--config' /etc/passwd"), "9x9"),
            "does not allow the option '--config'",
        ),
        ("network", setup(preset("net --net /etc/passwd"), "9x9"), "without a checksum"),
    ];
    for (name, setup, _) in &bad {
        smuggle(&mut store, BUILD, name, setup.clone());
    }
    // Nothing is wrong with this one, but it is not for us.
    smuggle(&mut store, "9.9.9-elsewhere", "stranger", setup(preset("flat"), "9x9"));
    let mut user =
        tesuji(&["match", "--engine", "a=sh -c 'touch x'", "--engine", "b=preset:flat --playouts 4"]);
    user.args(["--size", "3", "--games", "2", "--quiet", "--store", &address, "--out"]);
    let user = user.arg(root.path().join("user")).spawn().unwrap();
    let good = small_match(&root.path().join("good"), 4, &["--store", &address]).spawn().unwrap();
    wait("jobs arrive", || store.runs().unwrap().iter().map(|run| run.counts.open).sum::<u64>() == 13);

    let told = stderr(&worker(&address, &[]));
    let line = "1 jobs of run ";
    assert!(
        told.contains(line) && told.contains("wait for build 9.9.9-elsewhere; this worker is build"),
        "{told}"
    );
    assert!(results(&good.wait_with_output().unwrap()).contains("a – b"));
    let refused = user.wait_with_output().unwrap();
    assert!(
        !refused.status.success() && stderr(&refused).contains("does not allow the command 'sh -c"),
        "{refused:?}"
    );
    let runs = store.runs().unwrap();
    for (name, _, reason) in &bad {
        let run = runs.iter().find(|run| run.spec.terms.get("name") == Some(&(*name).into())).unwrap();
        let errors = stdout(&crate::process::run(&["jobs", "--store", &address, "errors", &run.id]));
        assert!(errors.starts_with(&format!("{name}: ")) && errors.contains(reason), "{name}: {errors}");
        assert_eq!(run.counts, Counts { failed: 1, ..Counts::default() });
    }
    assert!(!forbidden.exists());
    let stranger = runs.iter().find(|run| run.spec.build == "9.9.9-elsewhere").unwrap();
    assert_eq!(stranger.counts.open, 1);
}

#[test]
fn commands_that_the_worker_allows_are_started() {
    let Some(gnugo) = crate::gnugo::gnugo() else { return };
    let Some(cluster) = Cluster::start() else { return };
    let address = database(&cluster);
    let root = tempfile::tempdir().unwrap();
    let line = format!("{gnugo} --mode gtp --chinese-rules --level 1 --seed {{seed}}");
    let mut user =
        tesuji(&["match", "--engine", &format!("gg={line}"), "--engine", "b=preset:flat --playouts 4"]);
    user.args(["--size", "5", "--games", "2", "--quiet", "--store", &address, "--out"]);
    let user = user.arg(root.path().join("user")).spawn().unwrap();
    let mut store = open(&address);
    wait("jobs arrive", || counts(&mut store).is_some_and(|(_, counts)| counts.open == 2));
    worker(&address, &["--allow", &line]);
    assert!(results(&user.wait_with_output().unwrap()).contains("gg – b"));
}

#[test]
fn networks_are_fetched_by_checksum_and_kept() {
    let Some(cluster) = Cluster::start() else { return };
    let address = database(&cluster);
    let directory = Directory::new("net-shared");
    let net = crate::net::network(&directory);
    let play = |out: &str, more: &[&str]| {
        let engine = format!("n=preset:net --net {net} --playouts 8");
        let mut command = tesuji(&["match", "--engine", &engine, "--engine", "f=preset:flat --playouts 8"]);
        command.args(["--size", "5", "--games", "2", "--quiet", "--out", &directory.path(out)]).args(more);
        command
    };
    let expected = results(&play("here", &[]).output().unwrap());
    let follower = play("there", &["--store", &address]).spawn().unwrap();
    let mut store = open(&address);
    wait("jobs arrive", || counts(&mut store).is_some_and(|(_, counts)| counts.open == 2));
    // On another machine there is no such file.
    let moved = directory.path("moved");
    fs::rename(&net, &moved).unwrap();
    let cache = directory.path("cache");
    worker(&address, &["--cache", &cache]);
    assert_eq!(results(&follower.wait_with_output().unwrap()), expected);
    let kept: Vec<_> = fs::read_dir(&cache).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert!(fs::read(&kept[0]).unwrap() == fs::read(&moved).unwrap());
    // Other weights under the same name are another match.
    let mut other = fs::read(&moved).unwrap();
    other.push(0);
    fs::write(&net, other).unwrap();
    let refused = play("here", &[]).output().unwrap();
    assert!(stderr(&refused).contains("with other engines"), "{refused:?}");
}

/// A process that ends with the test.
struct Ending(Child);

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

#[test]
fn selfplay_with_workers_comes_to_the_same_table() {
    let Some(cluster) = Cluster::start() else { return };
    let address = database(&cluster);
    let directory = Directory::new("selfplay-shared");
    let play = |out: &str, more: &[&str]| {
        let mut command = crate::selfplay::command(&directory.0.join(out), more);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        ["table.csv", "games/00001.games", "games/00002.games"]
            .map(|name| fs::read(directory.0.join(out).join(name)).unwrap())
    };
    let expected = play("here", &[]);
    // Between the cycles there is nothing to do, and they stay.
    let _workers = ["a", "b"].map(|name| {
        let cache = directory.path(name);
        let mut worker =
            tesuji(&["worker", "--store", &address, "--quiet", "--name", name, "--cache", &cache]);
        Ending(worker.stderr(Stdio::null()).spawn().unwrap())
    });
    let found = play("there", &["--store", &address, "--quiet"]);
    assert!(found == expected, "{}", String::from_utf8_lossy(&found[0]));
    let runs = open(&address).runs().unwrap();
    let kinds: Vec<&str> = runs.iter().map(|run| run.spec.kind.as_str()).collect();
    assert!(kinds.contains(&"selfplay") && kinds.contains(&"gate"), "{kinds:?}");
}

fn sample(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cluster").join(name)).unwrap()
}

/// The sample that brings its own server, exactly as it is.
#[test]
fn the_sample_for_one_machine_works() {
    let Some(cluster) = Cluster::start() else { return };
    // Root runs no server, and others may not look into our directories.
    let program = cluster.path().join("tesuji");
    fs::copy(env!("CARGO_BIN_EXE_tesuji"), &program).unwrap();
    fs::write(cluster.path().join("local.sh"), sample("local.sh")).unwrap();
    let path = std::env::join_paths([cluster.path(), cluster.binaries()]).unwrap();
    let path = format!("PATH={}:/usr/bin:/bin", path.display());
    let mut script = cluster.as_server(Path::new("/usr/bin/env"));
    let output = script.args([&path, "sh", "local.sh", "trial"]).output().unwrap();
    let text = stdout(&output) + &stderr(&output);
    assert!(output.status.success() && text.contains("rave – uct     20"), "{text}");
    let listed = text.lines().filter(|line| line.split_whitespace().skip(3).eq(["0", "0", "20", "0", "0"]));
    assert_eq!(listed.count(), 1, "{text}");
}

/// The other samples start workers of a cluster: every command of theirs, but for the address of the store.
#[test]
fn the_samples_for_clusters_work() {
    let Some(cluster) = Cluster::start() else { return };
    let address = database(&cluster);
    let directory = Directory::new("samples");
    directory.file(".tesuji-password", "secret");
    let programs = Path::new(env!("CARGO_BIN_EXE_tesuji")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let script = sample("slurm.sh");
    assert!(script.contains("postgres://cluster@db.example/tesuji"));
    let slurm = Command::new("bash")
        .args(["-c", &script.replace("postgres://cluster@db.example/tesuji", &address)])
        .envs([("PATH", path.as_str()), ("HOME", directory.0.to_str().unwrap())])
        .envs([("SLURM_CPUS_PER_TASK", "2"), ("SLURM_ARRAY_JOB_ID", "7"), ("SLURM_ARRAY_TASK_ID", "1")])
        .output()
        .unwrap();
    assert!(slurm.status.success() && stderr(&slurm).contains("slurm-7-1"), "{slurm:?}");
    let mut commands = Vec::new();
    for name in ["compose.yaml", "kubernetes.yaml", "tesuji-worker.service"] {
        for line in sample(name).lines() {
            let in_yaml =
                line.trim().strip_prefix("command: [tesuji, ").and_then(|list| list.strip_suffix(']'));
            let in_unit = line.strip_prefix("ExecStart=/usr/local/bin/tesuji ");
            let words = in_yaml.map(|list| list.replace(", ", " ").replace('"', ""));
            commands.extend(words.or_else(|| in_unit.map(str::to_owned)));
        }
    }
    assert_eq!(commands.len(), 4, "{commands:?}");
    for line in commands {
        let mut command = tesuji(&line.split(' ').collect::<Vec<_>>());
        if line.starts_with("worker") && !line.contains("--until-done") {
            command.arg("--until-done");
        }
        let output = command.env("TESUJI_STORE", &address).output().unwrap();
        assert!(output.status.success(), "{line}: {}", stderr(&output));
    }
}

#[test]
fn batches_and_experiments_are_shared_too() {
    let Some(cluster) = Cluster::start() else { return };
    let address = database(&cluster);
    let directory = Directory::new("jobs-shared");
    let problems =
        directory.file("problems.jsonl", &format!("{PROBLEM}\n{}", PROBLEM.replace("\"a\"", "\"b\"")));
    let net = crate::net::network(&directory);
    let moved = directory.path("moved.safetensors");
    let cache = directory.path("cache");
    let runs: [(&[&str], &str); 3] = [
        (&["solve", &problems, "--list", "--quiet"], "all "),
        (
            &[
                "lab",
                "cygo",
                "--net",
                &net,
                "--variant",
                "net",
                "--size",
                "5",
                "--games",
                "2",
                "--playouts",
                "8",
                "--quiet",
            ],
            "net ",
        ),
        (
            &["lab", "lgrf", "--variant", "lgrf-en-2-light", "--games", "6", "--playouts", "8", "--quiet"],
            "lgrf-en-2-light ",
        ),
    ];
    for (number, (arguments, beginning)) in runs.into_iter().enumerate() {
        let (here, there) =
            (directory.path(&format!("here{number}")), directory.path(&format!("there{number}")));
        let alone = tesuji(arguments).args(["--out", &here]).output().unwrap();
        let shared = tesuji(arguments).args(["--out", &there, "--store", &address]).spawn().unwrap();
        let mut store = open(&address);
        wait("jobs arrive", || store.runs().unwrap().get(number).is_some_and(|run| run.counts.total() > 0));
        // On another machine there is no such file.
        fs::rename(&net, &moved).unwrap();
        worker(&address, &["--parallel", "2", "--cache", &cache]);
        fs::rename(&moved, &net).unwrap();
        let shared = shared.wait_with_output().unwrap();
        assert!(alone.status.success() && shared.status.success(), "{alone:?} {shared:?}");
        assert_eq!(row(&stdout(&shared), beginning), row(&stdout(&alone), beginning));
    }
}

/// The row of a table that begins so, without its last column, which may be a time.
fn row<'a>(text: &'a str, beginning: &str) -> Vec<&'a str> {
    let line = text.lines().find(|line| line.starts_with(beginning)).unwrap_or_else(|| panic!("{text}"));
    let mut words: Vec<&str> = line.split_whitespace().collect();
    words.pop();
    words
}

#[test]
fn runs_are_listed_cancelled_and_tried_again() {
    let Some(cluster) = Cluster::start() else { return };
    let address = cluster.database("jobs");
    let jobs = |arguments: &[&str]| run(&[&["jobs", "--store", &address], arguments].concat());
    let early = jobs(&["list"]);
    assert!(stderr(&early).contains("tesuji jobs migrate"), "{early:?}");
    assert_eq!(stdout(&jobs(&["migrate"])), format!("version 0 before, {} now\n", schema::VERSION));
    let root = tempfile::tempdir().unwrap();
    let follower = small_match(root.path(), 6, &["--store", &address]).spawn().unwrap();
    let mut store = open(&address);
    wait("jobs arrive", || counts(&mut store).is_some_and(|(_, counts)| counts.open == 6));
    let list = stdout(&jobs(&["list"]));
    let row: Vec<&str> = list.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(row[1..], ["match", BUILD, "6", "0", "0", "0", "0"], "{list}");
    let name = row[0].to_owned();
    assert!(jobs(&["priority", &name, "-3"]).status.success());
    assert_eq!(stdout(&jobs(&["cancel", &name[..6]])), "6 jobs cancelled\n");
    let output = follower.wait_with_output().unwrap();
    assert!(stderr(&output).contains("6 jobs were cancelled"), "{output:?}");
    assert_eq!(stdout(&jobs(&["retry", &name])), "6 jobs are open again\n");
    worker(&address, &[]);
    assert_eq!(stdout(&jobs(&["watch", &name])), "6 of 6 done, 0 failed, 0 cancelled\n");
    assert!(!jobs(&["cancel", "nothing"]).status.success());
    // The results wait for whoever asks again.
    let again = small_match(root.path(), 6, &["--store", &address]).output().unwrap();
    assert!(results(&again).contains("a – b"));
    let shown =
        small_match(root.path(), 6, &["--store", "postgres://me:secret@localhost/jobs"]).output().unwrap();
    assert!(
        stderr(&shown).contains("--store-password-file") && !stderr(&shown).contains("secret"),
        "{shown:?}"
    );
    // Nobody is there, and who asks is told so in one line.
    cluster.crash();
    let away = jobs(&["list"]);
    assert!(!away.status.success() && stderr(&away).contains("the store cannot be reached"), "{away:?}");
}
