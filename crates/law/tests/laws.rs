//! Every law for two seconds, and the hunt itself on laws that are wrong.

use std::time::Duration;
use tesuji_law::{HuntLimit, LAWS, Law, Reception, hunt};

const TIME: HuntLimit = HuntLimit::Time(Duration::from_secs(2));

fn check(name: &str, least_accepted: u64, least_refused: u64) {
    let law = Law::named(name).unwrap();
    let count = hunt(&law, 1, TIME).unwrap_or_else(|exception| panic!("{name} is broken by {exception}"));
    assert!(count.accepted >= least_accepted && count.refused >= least_refused, "{name}: {count:?}");
}

#[test]
fn sgf() {
    check("sgf", 100, 100);
}

#[test]
fn foreign() {
    check("foreign", 100, 100);
}

#[test]
fn gtp() {
    check("gtp", 10, 2);
}

#[test]
fn diagram() {
    check("diagram", 100, 100);
}

#[test]
fn play() {
    check("play", 50, 2);
}

#[test]
fn net() {
    check("net", 5, 50);
}

#[test]
fn every_law_is_named_once() {
    for (i, law) in LAWS.iter().enumerate() {
        assert!(LAWS[..i].iter().all(|other| other.name != law.name));
        assert!(!law.statement.is_empty() && !law.words.is_empty());
    }
}

#[test]
fn a_wrong_law_is_broken_by_a_small_input() {
    let law = Law {
        name: "wrong",
        statement: "no input has the letters X and Y",
        check: |input| {
            assert!(!(input.contains(&b'X') && input.contains(&b'Y')));
            if input.is_empty() { Reception::Refused } else { Reception::Accepted }
        },
        examples: &[b"some innocent example, X"],
        words: &[b"Y"],
    };
    let mut input = hunt(&law, 1, TIME).unwrap_err().input;
    input.sort_unstable();
    assert_eq!(input, b"XY");
}
