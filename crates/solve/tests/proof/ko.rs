//! A fight that never ends, in a position that a person can check. The kos of `tests/tsumego` are in `committed.rs`.

use std::sync::atomic::AtomicBool;
use tesuji_solve::{Detail, Limits, LineEnd, Solution, Solver, read_diagram};

fn solve(diagram: &str) -> Solution {
    let problem = read_diagram(diagram).unwrap().draft.complete().unwrap().problem;
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: 1_000_000, stop: &stop, has_time: &|| true };
    Solver::new(4 << 20).solve(&problem, Detail::Refutations, &limits)
}

/// Black has no eye but can be captured only through a ko that comes again for ever.
#[test]
fn who_is_never_captured_lives() {
    let solution = solve("aaa\nO#a\na#O\nto play: O\ngoal: capture\n");
    assert_eq!(solution.fate.to_string(), "lives");
    assert_eq!(solution.line.end, LineEnd::Repetition, "{:?}", solution.line);
}
