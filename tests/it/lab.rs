//! `tesuji lab` as a process: killed at some moment and started again.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, SystemTime};

/// A few hundred simulations on every 9×9 problem of the own suite: many short jobs.
fn lab(out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(["lab", "dfuct", "--size", "9", "--sample", "12", "--playouts", "100,300", "--memory", "8"]);
    command.args(["--heavy", "1", "--audited", "2", "--quiet", "--out"]).arg(out);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn jobs_in_log(out: &Path) -> usize {
    fs::read_to_string(out.join("results.jsonl")).unwrap_or_default().lines().count()
}

/// The tables of what a seed determines: all but those of times.
fn counts(stdout: &[u8]) -> String {
    let text = String::from_utf8_lossy(stdout).into_owned();
    let end = text.find("Processor time").expect("a table of times");
    text[..end].to_owned()
}

#[test]
fn a_lab_run_that_was_killed_gives_the_same_table() {
    let root = tempfile::tempdir().unwrap();
    let undisturbed = root.path().join("undisturbed");
    let output = lab(&undisturbed).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let expected = counts(&output.stdout);
    assert!(expected.contains("DFUCT / UCT") && expected.contains("9x9 light"), "{expected}");
    let jobs = jobs_in_log(&undisturbed);
    assert_eq!(jobs, 12 + 1 + 2);

    let killed = root.path().join("killed");
    let clock = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    let moment = clock.subsec_nanos() as usize % jobs;
    for wanted in [moment / 2, moment] {
        let mut child = lab(&killed).spawn().unwrap();
        while jobs_in_log(&killed) < wanted && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let before = jobs_in_log(&killed);
    let resumed = lab(&killed).output().unwrap();
    assert_eq!(counts(&resumed.stdout), expected, "killed after {before} of {jobs} jobs");
    assert_eq!(jobs_in_log(&killed), jobs, "nothing is done twice");
    for name in ["reexpansions.csv", "overtakings.csv", "answers.csv", "answers.svg", "reexpansions.svg"] {
        let read = |directory: &Path| fs::read(directory.join(name)).unwrap();
        assert_eq!(read(&killed), read(&undisturbed), "{name}");
    }
    let report = fs::read_to_string(killed.join("report.md")).unwrap();
    assert!(report.starts_with("# DFUCT against UCT\n\nPaper: H. Yoshimoto, A. Kishimoto,"), "{report}");

    // All is known: the whole report is repeated to the letter, times included.
    let again = lab(&killed).output().unwrap();
    assert_eq!(again.stdout, resumed.stdout);
}

#[test]
fn another_experiment_does_not_touch_the_log() {
    let root = tempfile::tempdir().unwrap();
    let run = |extra: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
        command.args([
            "lab", "dfuct", "--size", "9", "--sample", "1", "--memory", "8", "--quiet", "--heavy", "0",
        ]);
        command.args(["--audited", "0", "--out"]).arg(root.path()).args(extra);
        command.output().unwrap()
    };
    assert!(run(&["--playouts", "50"]).status.success());
    let refused = run(&["--playouts", "50", "--set", "ucb-exploration=0.5"]);
    assert!(!refused.status.success());
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(message.contains("holds results on other terms, with other parameters"), "{message}");
    assert_eq!(jobs_in_log(root.path()), 1);
    // As if another build of the program had made it.
    let file = root.path().join("run.json");
    let text = fs::read_to_string(&file).unwrap();
    let build = text.split("\"builds\": [").nth(1).unwrap().split('"').nth(1).unwrap().to_owned();
    assert!(build.starts_with(concat!(env!("CARGO_PKG_VERSION"), "-")), "{text}");
    fs::write(&file, text.replace(&build, "0.0.0-older")).unwrap();
    let refused = run(&["--playouts", "50"]);
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        !refused.status.success() && message.contains(&format!("(0.0.0-older; this one is {build})")),
        "{message}"
    );
    assert!(run(&["--playouts", "50", "--any-build"]).status.success());
    assert_eq!(jobs_in_log(root.path()), 1);
    let wrong = run(&["--playouts", "300,100"]);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("must rise"));
}

/// Runs an experiment, takes away the second half of its log in the middle of a line, and runs it again: a file of the report
/// that times do not enter is the same.
fn check_goes_on_from_half_a_log(arguments: &[&str], file: &str) {
    let root = tempfile::tempdir().unwrap();
    let report = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
        let output =
            command.arg("lab").args(arguments).args(["--quiet", "--out"]).arg(root.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::read_to_string(root.path().join(file)).unwrap()
    };
    let expected = report();
    let log = root.path().join("results.jsonl");
    let text = fs::read_to_string(&log).unwrap();
    fs::write(&log, &text[..text.len() / 2]).unwrap();
    let left = jobs_in_log(root.path());
    assert_eq!(report(), expected);
    let jobs = text.lines().count();
    assert!(left < jobs && jobs_in_log(root.path()) == jobs, "{left} of {jobs} jobs were left");
}

#[test]
fn games_with_reply_tables_go_on_where_they_stopped() {
    let arguments = ["lgrf", "--variant", "lgrf-en-2-light", "--games", "6", "--playouts", "8"];
    check_goes_on_from_half_a_log(&arguments, "results.csv");
}

#[test]
fn games_with_networks_go_on_where_they_stopped() {
    let arguments = ["cygo", "--variant", "cygo:expand-after=4", "--games", "4", "--playouts", "12"];
    check_goes_on_from_half_a_log(&arguments, "results.csv");
}

#[test]
fn a_network_that_cannot_be_used_is_refused() {
    let missing = crate::process::run(&["lab", "cygo", "--net", "no-such-file.bin.gz", "--games", "2"]);
    assert!(!missing.status.success());
    assert!(String::from_utf8_lossy(&missing.stderr).contains("cannot be used"), "{missing:?}");
}

#[test]
fn deceptive_trees_go_on_where_they_stopped() {
    let arguments = ["deceptive", "--seeds", "1", "--positions", "1", "--playouts", "50,100"];
    check_goes_on_from_half_a_log(&arguments, "differences.csv");
}
