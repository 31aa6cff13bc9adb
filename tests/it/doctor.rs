//! What `tesuji doctor` says of a healthy program.

use crate::process::{run_in, stderr, stdout};

#[test]
fn the_doctor_finds_nothing_wrong() {
    let output = run_in(&std::env::temp_dir(), &["doctor"], "");
    let text = stdout(&output);
    assert!(output.status.success(), "{text}{}", stderr(&output));
    assert_eq!(text.matches("  ok      ").count(), 3, "{text}");
    assert!(text.contains("KaTrain") && text.contains("simulations a second"), "{text}");
}
