//! `tesuji lab tsumego` as a process: its files, and that a killed run goes on.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// Every fourth of the program's own problems, and a line that is none.
fn write_problems(path: &Path) {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tsumego/own.jsonl");
    let text = fs::read_to_string(own).unwrap();
    let lines: Vec<&str> = text.lines().step_by(4).chain(["nonsense"]).collect();
    fs::write(path, lines.join("\n")).unwrap();
}

fn lab(problems: &Path, out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(["lab", "tsumego"]).arg(problems).arg("--out").arg(out);
    command.args(["--seeds", "5", "--playouts", "128", "--seed", "3", "--quiet"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn findings(out: &Path) -> usize {
    fs::read_to_string(out.join("results.jsonl")).unwrap_or_default().lines().count()
}

#[test]
fn a_run_that_was_killed_ends_in_the_same_tables() {
    let root = tempfile::tempdir().unwrap();
    let problems = root.path().join("some.jsonl");
    write_problems(&problems);
    let (calm, killed) = (root.path().join("calm"), root.path().join("killed"));
    let output = lab(&problems, &calm).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    let mut child = lab(&problems, &killed).spawn().unwrap();
    while findings(&killed) < 40 && child.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(lab(&problems, &killed).output().unwrap().status.success());
    assert_eq!(findings(&killed), findings(&calm));
    let read = |out: &Path, name: &str| fs::read_to_string(out.join(name)).unwrap();
    for name in ["summary.csv", "kinds.csv", "problems.csv", "ratio.svg", "right.svg"] {
        assert_eq!(read(&killed, name), read(&calm, name), "{name}");
    }
    let summary = read(&calm, "summary.csv");
    assert!(summary.lines().any(|line| line.starts_with("\"c = 0.5, attacker only\",UCT,")), "{summary}");
    let report = read(&calm, "report.md");
    assert!(report.contains("![Playouts needed with proof probability](ratio.svg)"), "{report}");
    // Time is the one thing in the prover's table that differs; the line that is no problem is counted.
    let prover = read(&calm, "prover.csv");
    let all: Vec<&str> =
        prover.lines().find(|line| line.starts_with("some,all,")).unwrap().split(',').collect();
    assert_eq!(all[2..4], ["32", "1"], "{prover}");
}

#[test]
fn what_cannot_be_measured_is_said() {
    let root = tempfile::tempdir().unwrap();
    let run = |text: &str, options: &[&str]| {
        let problems = root.path().join("x.jsonl");
        fs::write(&problems, text).unwrap();
        let output = lab(&problems, &root.path().join("out")).args(options).output().unwrap();
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let none = |unusable: usize| {
        format!("tesuji: there is no such problem that can be used, and {unusable} cannot\n")
    };
    assert_eq!(run("", &[]), none(0));
    assert_eq!(run("nonsense\n{}", &[]), none(2));
    assert_eq!(run("{}", &["--category", "none", "--sample", "0"]), none(0));
}
