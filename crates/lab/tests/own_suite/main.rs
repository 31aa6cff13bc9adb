//! The suite of next-move problems of our own making, `tests/next_move/own.jsonl`: every answer is found again by reading.

mod exhaustive;
mod proof;

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use tesuji_lab::next_move::ProblemFile;
use tesuji_solve::Solver;

fn text() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/next_move/own.jsonl");
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn there_are_enough_of_every_kind_and_all_can_be_asked() {
    let file = ProblemFile::parse(&text());
    assert_eq!(file.unusable, []);
    assert!(file.problems.len() >= 60, "{}", file.problems.len());
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    file.problems.iter().for_each(|problem| *kinds.entry(problem.category.as_str()).or_default() += 1);
    for kind in ["capture", "ladder", "net", "snapback", "life and death", "semeai", "endgame"] {
        assert!(kinds.get(kind).is_some_and(|&count| count >= 3), "{kind}: {kinds:?}");
    }
    let mut ids: Vec<&str> = file.problems.iter().map(|problem| problem.id.as_str()).collect();
    ids.sort_unstable();
    assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "ids are unique");
}

#[test]
fn answers_are_what_reading_finds() {
    let mut solver = Solver::new(16 << 20);
    for line in text().lines() {
        let problem: Value = serde_json::from_str(line).unwrap();
        let mut accepted: Vec<&str> =
            problem["accepted"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        accepted.sort_unstable();
        assert!(!accepted.is_empty());
        let right = proof::right_moves(&problem, &mut solver).unwrap_or_default();
        assert_eq!(right, accepted, "{}", problem["id"]);
    }
}

#[test]
fn a_wrong_answer_would_be_noticed() {
    let mut solver = Solver::new(16 << 20);
    let mut changed = 0;
    for line in text().lines().step_by(7) {
        let mut problem: Value = serde_json::from_str(line).unwrap();
        // With the other side to move, the same moves are not the only right ones.
        let before = proof::right_moves(&problem, &mut solver);
        let other = if problem["to_move"] == "B" { "W" } else { "B" };
        problem["to_move"] = other.into();
        changed += usize::from(proof::right_moves(&problem, &mut solver) != before);
    }
    assert!(changed >= 5, "{changed}");
}
