//! `tesuji suite` as a process: killed and started again.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// Captures of one stone in every corner of a small board, twenty times: more than enough to be killed in between.
fn write_problems(path: &Path) {
    let corners = [("aa", "ba", "ab"), ("ea", "da", "eb"), ("ae", "be", "ad"), ("ee", "de", "ed")];
    let line = |i: usize| {
        let (white, black, capture) = corners[i % corners.len()];
        format!(
            r#"{{"id":"corner/{i}","category":"capture","size":5,"komi":24.5,"setup_white":["{white}"],
            "setup_black":["{black}"],"to_move":"B","candidates":["{capture}","cc"],"accepted":["{capture}"]}}"#
        )
        .replace('\n', "")
    };
    let lines: Vec<String> = (0..20).map(line).chain(["nonsense".to_owned()]).collect();
    fs::write(path, lines.join("\n")).unwrap();
}

fn suite(problems: &Path, out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.arg("suite").arg(problems).arg("--out").arg(out);
    command.args(["--playouts", "200,2000:12", "--preset", "flat", "--parallel", "2"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn answers(out: &Path) -> usize {
    fs::read_to_string(out.join("results.jsonl")).unwrap_or_default().lines().count()
}

#[test]
fn a_suite_that_was_killed_gives_the_same_table() {
    let root = tempfile::tempdir().unwrap();
    let problems = root.path().join("corner.jsonl");
    write_problems(&problems);
    let undisturbed = suite(&problems, &root.path().join("undisturbed")).output().unwrap();
    assert!(undisturbed.status.success(), "{}", String::from_utf8_lossy(&undisturbed.stderr));
    assert!(String::from_utf8_lossy(&undisturbed.stderr).contains("corner: line 21"));
    let table = String::from_utf8_lossy(&undisturbed.stdout).into_owned();
    let row: Vec<&str> = table.lines().nth(1).unwrap_or_default().split_whitespace().collect();
    assert_eq!(row[..4], ["corner", "capture", "5x5", "20"], "{table}");
    assert!(row[4].ends_with("/20") && row.iter().any(|word| word.ends_with("/12")), "{table}");

    let killed = root.path().join("killed");
    let mut child = suite(&problems, &killed).spawn().unwrap();
    while answers(&killed) < 5 && child.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = answers(&killed);
    let resumed = suite(&problems, &killed).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&resumed.stdout), table, "{before} answers before it was killed");
    assert_eq!(answers(&killed), 20 + 12);
    let report = fs::read_to_string(killed.join("report.md")).unwrap();
    assert!(report.contains("| corner capture 5x5 |") && report.contains("- corner: line 21"), "{report}");
}

#[test]
fn without_a_usable_problem_there_is_no_table() {
    let root = tempfile::tempdir().unwrap();
    let problems = root.path().join("none.jsonl");
    fs::write(&problems, "nonsense\n{}\n").unwrap();
    let output = suite(&problems, &root.path().join("out")).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && output.stdout.is_empty(), "{error}");
    assert!(error.contains("there is no usable problem in ") && error.contains("none.jsonl"), "{error}");
    fs::write(&problems, "nonsense\n").unwrap();
    let status =
        Command::new(env!("CARGO_BIN_EXE_tesuji")).args(["lab", "status"]).arg(&problems).output().unwrap();
    let error = String::from_utf8_lossy(&status.stderr).into_owned();
    assert!(!status.status.success() && status.stdout.is_empty(), "{error}");
    assert!(error.contains("there is no counted game in "), "{error}");
}
