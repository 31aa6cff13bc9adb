//! The problems of `tests/tsumego`, with their proved answers.

use crate::plain::{question, verdict};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use tesuji_solve::{Detail, Judgement, Limits, Record, Solver, read_problems};

pub(crate) fn problems() -> Vec<Record> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/tsumego/own.jsonl");
    let bytes = std::fs::read(&path).unwrap();
    read_problems("own.jsonl", &bytes).unwrap().into_iter().map(Result::unwrap).collect()
}

#[test]
fn the_set_has_every_kind() {
    let problems = problems();
    assert!(problems.len() >= 60);
    let kinds: BTreeSet<&str> = problems.iter().map(|record| record.category.as_str()).collect();
    let expected =
        ["corner", "false eye", "ko", "nakade", "seki", "semeai", "side", "snapback", "under the stones"];
    assert_eq!(kinds, expected.into_iter().collect());
    let fates: BTreeSet<&str> = problems.iter().filter_map(|record| record.fate.as_deref()).collect();
    assert_eq!(fates.len(), 2 + 2 * 3, "life, death, and ko for either side with one, two, many threats");
}

#[test]
fn verdicts_and_moves_are_those_of_the_file_and_of_the_reference() {
    let mut solver = Solver::new(16 << 20);
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: 200_000, stop: &stop, has_time: &|| true };
    let mut checked = 0;
    for record in problems() {
        let problem = record.draft.clone().complete().unwrap().problem;
        let solution = solver.solve(&problem, Detail::AllMoves, &limits);
        assert_eq!(Some(solution.fate.to_string()), record.fate, "{}", record.id);
        assert_eq!(solution.best_moves, record.accepted, "{}", record.id);
        let judgement = Judgement::of(&record, &problem, &solution);
        assert!(matches!(judgement, Judgement::Agrees | Judgement::NoAnswer), "{}", record.id);
        assert!(solution.is_seki || record.category != "seki", "{}", record.id);
        if let Some(answer) = question(&problem).answer() {
            assert_eq!(verdict(solution.fate), Some(answer.verdict), "{}", record.id);
            assert_eq!(solution.best_moves, answer.moves(&problem)[0], "{}", record.id);
            checked += 1;
        }
    }
    assert!(checked >= 60, "{checked} problems were small enough");
}
