//! `tesuji match` as a process: killed, interrupted and resumed, and against a real opponent.
#![cfg(unix)]

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use crate::gnugo::gnugo;

const GAMES: usize = 16;

/// A match between two weak engines, reproducible by its seed.
fn small_match(directory: &Path, games: usize) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args([
        "match",
        "--engine",
        "a=preset:flat --playouts 60",
        "--engine",
        "b=preset:flat --playouts 20",
    ]);
    command.args(["--size", "5", "--komi", "0.5", "--openings", "random:2", "--parallel", "2", "--games"]);
    command.arg(games.to_string()).arg("--out").arg(directory);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn finish(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// The tables without that of times.
fn results(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let end = text.find("\nengine ").expect("a table of times");
    text[..end].to_owned()
}

fn games_in_log(directory: &Path) -> usize {
    let text = std::fs::read_to_string(directory.join("results.jsonl")).unwrap_or_default();
    text.lines().filter(|line| line.ends_with('}')).count()
}

/// Starts the match and waits until so many games are in its log.
fn run_until(directory: &Path, games: usize) -> Child {
    let mut child = small_match(directory, GAMES).spawn().unwrap();
    while games_in_log(directory) < games && child.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(3));
    }
    child
}

#[test]
fn a_match_that_was_killed_and_interrupted_gives_the_same_table() {
    let root = tempfile::tempdir().unwrap();
    let undisturbed = results(&finish(&mut small_match(&root.path().join("undisturbed"), GAMES)));
    let row: Vec<&str> = undisturbed.lines().nth(1).unwrap_or_default().split_whitespace().collect();
    assert_eq!(row[..4], ["a", "–", "b", &GAMES.to_string()], "{undisturbed}");

    let directory = root.path().join("disturbed");
    for games in [0, 3, 7] {
        let mut child = run_until(&directory, games);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let child = run_until(&directory, 11);
    let signal = Command::new("sh").arg("-c").arg(format!("kill -INT {}", child.id())).status().unwrap();
    let output = child.wait_with_output().unwrap();
    // The match may have been quicker than the signal.
    if signal.success() && games_in_log(&directory) < GAMES {
        assert_eq!(output.status.code(), Some(130));
        assert!(String::from_utf8_lossy(&output.stdout).contains("a – b"), "no table after an interrupt");
    }
    assert_eq!(results(&finish(&mut small_match(&directory, GAMES))), undisturbed);
    assert_eq!(games_in_log(&directory), GAMES);
}

#[test]
fn another_match_does_not_touch_the_log() {
    let root = tempfile::tempdir().unwrap();
    finish(&mut small_match(root.path(), 2));
    let output = small_match(root.path(), 2).args(["--seed", "2"]).output().unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("seed"));
    assert_eq!(games_in_log(root.path()), 2);
}

#[test]
fn gnu_go_is_an_opponent() {
    let Some(gnugo) = gnugo() else { return };
    let root = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(["match", "--engine", "preset:flat --playouts 500 --set resign=false", "--engine"]);
    command.arg(format!("gnugo={gnugo} --mode gtp --chinese-rules --never-resign --level 1 --seed {{seed}}"));
    command.args(["--games", "2", "--size", "9", "--markdown", "--out"]).arg(root.path());
    let output = finish(command.stdout(Stdio::piped()).stderr(Stdio::piped()));
    let text = String::from_utf8_lossy(&output.stdout);
    let log = std::fs::read_to_string(root.path().join("results.jsonl")).unwrap();
    assert_eq!(log.matches("\"ending\":\"score\"").count(), 2, "{text}\n{log}");
    assert!(text.contains("scores counted: 2 by agreement") || text.contains(" by cleanup"), "{text}\n{log}");
}
