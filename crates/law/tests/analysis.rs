//! The law of the analysis engine, in a process of its own, because it looks at the memory of the process.

use tesuji_law::{HuntLimit, Law, hunt, resident_bytes};

/// Messages of a test run; docs/experiments/fuzzed-messages.md tells of more.
const MESSAGES: u64 = 100_000;
/// Bytes by which the process may grow meanwhile: it keeps a few trees, and nothing of a message.
const GROWTH: u64 = 96 << 20;

#[test]
fn analysis() {
    let before = resident_bytes();
    let law = Law::named("analysis").unwrap();
    let count = hunt(&law, 1, HuntLimit::Inputs(MESSAGES));
    let count = count.unwrap_or_else(|exception| panic!("analysis is broken by {exception}"));
    assert!(count.accepted > 20_000 && count.refused > 20_000, "{count:?}");
    if let (Some(before), Some(after)) = (before, resident_bytes()) {
        assert!(after < before + GROWTH, "{before} bytes before, {after} after");
    }
}
