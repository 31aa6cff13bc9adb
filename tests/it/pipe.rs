//! What happens when nobody reads the output.

use crate::process::tesuji;
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
