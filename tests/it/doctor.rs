//! What `tesuji doctor` says of a healthy program.

use crate::process::{run_in, stderr, stdout};

#[test]
fn the_doctor_finds_nothing_wrong() {
    let output = run_in(&std::env::temp_dir(), &["doctor"], "");
    let text = stdout(&output);
    assert!(output.status.success(), "{text}{}", stderr(&output));
    assert_eq!(text.matches("  ok      ").count(), 3, "{text}");
    assert!(text.contains("simulations a second"), "{text}");
    // What is to be pasted into files of other programs is JSON.
    for part in ["\"engine\": ", "\"engines.list\": ", "\"leelaz\": ", "\"bot\": "] {
        let (_, value) = text.split_once(part).unwrap_or_else(|| panic!("{part}: {text}"));
        let value: serde_json::Value = serde_json::from_str(value.lines().next().unwrap()).unwrap();
        assert!(value.to_string().contains(env!("CARGO_BIN_EXE_tesuji")), "{value}");
    }
}
