//! The law of the analysis engine, in a process of its own, because it looks at the memory of the process.

use std::time::Duration;
use tesuji_law::{Law, hunt};

/// Messages that a test run tries at least.
const MESSAGES: u64 = 100_000;
/// Bytes by which the process may grow meanwhile: it keeps a few trees, and nothing of a message.
const GROWTH: u64 = 96 << 20;

#[test]
fn analysis() {
    let before = resident_bytes();
    let (mut accepted, mut refused, mut seed) = (0, 0, 1);
    while accepted + refused < MESSAGES {
        let law = Law::named("analysis").unwrap();
        let count = hunt(&law, seed, Duration::from_millis(500));
        let count = count.unwrap_or_else(|exception| panic!("analysis is broken by {exception}"));
        (accepted, refused, seed) = (accepted + count.accepted, refused + count.refused, seed + 1);
    }
    assert!(accepted > 5000 && refused > 50_000, "{accepted} {refused}");
    if let (Some(before), Some(after)) = (before, resident_bytes()) {
        assert!(after < before + GROWTH, "{before} bytes before, {after} after");
    }
}

/// Memory of this process, where the system tells.
fn resident_bytes() -> Option<u64> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(pages.split(' ').nth(1)?.parse::<u64>().ok()? * 4096)
}
