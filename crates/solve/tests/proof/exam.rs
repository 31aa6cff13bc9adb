//! An examination: groups that are closed in, with kos, without a region, as the command gets them. How many of them are decided, and whether the answers
//! are those of the reference as far as it has one. `examples/make_exam.rs` makes larger ones.

use crate::plain::{question, verdict};
use crate::rng::Rng;
use crate::walled::random_draft;
use std::sync::atomic::AtomicBool;
use tesuji_board::Move;
use tesuji_solve::{Detail, Fate, Limits, Solver, write_json_line};
use tesuji_solve::{MAX_CANDIDATES, Record};

const PROBLEMS: usize = 300;

/// Fewer than are searched in a second.
const NODES: u64 = 100_000;

#[test]
fn groups_that_are_closed_in_are_decided_and_decided_rightly() {
    let mut rng = Rng::new(13);
    let mut solver = Solver::new(16 << 20);
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: NODES, stop: &stop, has_time: &|| true };
    let (mut asked, mut decided, mut compared, mut kos) = (0, 0, 0, 0);
    while asked < PROBLEMS {
        let Some(draft) = random_draft(&mut rng) else { continue };
        let Ok(candidates) = draft.clone().candidates(MAX_CANDIDATES) else { continue };
        let problem = &candidates[0].problem;
        if !(4..=16).contains(&problem.empty_points()) || !question(problem).has_possible_ban() {
            continue;
        }
        let Some((completed, solution)) = solver.solve_meant(candidates, Detail::AllMoves, &limits) else {
            continue;
        };
        asked += 1;
        if solution.fate == Fate::Unknown {
            continue;
        }
        decided += 1;
        kos += usize::from(matches!(solution.fate, Fate::Ko(_)));
        let question = question(&completed.problem);
        let Some(answer) = question.is_small().then(|| question.answer()).flatten() else { continue };
        compared += 1;
        let context = || write_json_line(&Record::new(draft.clone()), &completed.problem, &solution);
        assert_eq!(verdict(solution.fate), Some(answer.verdict), "{}", context());
        let [best, _]: [Vec<Move>; 2] = answer.moves(&completed.problem);
        assert!(solution.best_moves.iter().all(|mv| best.contains(mv)), "{best:?}: {}", context());
        assert!(!solution.undecided.is_empty() || solution.best_moves.len() == best.len(), "{}", context());
    }
    assert!(decided >= PROBLEMS * 95 / 100, "{decided} of {PROBLEMS} decided");
    assert!(compared >= PROBLEMS / 15 && kos >= PROBLEMS / 20, "{compared} compared, {kos} kos");
}
