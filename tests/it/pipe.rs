//! What happens when nobody reads the output, and a conversation that is written down.

use crate::process::{Directory, run_in, tesuji};
use std::process::Stdio;

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    for arguments in [
        &["bench", "search", "--playouts", "20", "--no-signature"][..],
        &["bench", "playout", "--playouts", "20"],
        &["solve", "tests/tsumego/own.jsonl", "--quiet", "--limit", "2"],
    ] {
        let mut child = tesuji(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && errors.is_empty(), "{arguments:?}: {errors}");
    }
}

#[test]
fn a_conversation_is_written_down() {
    let directory = Directory::new("gtp-log");
    let arguments = ["gtp", "--size", "5", "--playouts", "10", "--log", "gtp.log"];
    for _ in 0..2 {
        let output = run_in(&directory.0, &arguments, "1 name\nplay b C3\nplay w C3\nquit\n");
        assert!(output.status.success());
    }
    let log = std::fs::read_to_string(directory.path("gtp.log")).unwrap();
    // Both conversations, each line with its time and its direction.
    for (line, count) in
        [("> 1 name", 2), ("< =1 Tesuji", 2), ("> play w C3", 2), ("< ? illegal move", 2), ("# Tesuji", 2)]
    {
        assert_eq!(log.matches(line).count(), count, "{line} in {log}");
    }
    let unwritable = run_in(&directory.0, &["gtp", "--log", "no-such/gtp.log"], "name\n");
    assert!(!unwritable.status.success() && unwritable.stdout.is_empty());
}
