//! The solver's answer beside that of the reference for larger regions.

use crate::plain::{names, question, verdict};
use crate::reference::Verdict;
use crate::wide::{self, Found};
use std::collections::HashSet;
use tesuji_board::Move;
use tesuji_solve::{Detail, Draft, Fate, Limits, Problem, Record, Solution, Solver, write_json_line};

/// What became of a comparison.
pub(crate) enum Compared {
    /// The reference has no answer.
    TooLarge,
    /// The solver has none.
    Undecided,
    /// They say the same: kind and number of threats, and all moves that the solver decided.
    Same { verdict: Verdict, positions: usize },
    /// They do not: the problem with both answers.
    Different(String),
}

/// Asks both, the reference with so many positions at most.
pub(crate) fn compare(
    problem: &Problem,
    solver: &mut Solver,
    limits: &Limits<'_>,
    positions: usize,
) -> Compared {
    let Some(found) = wide::answer(&question(problem), positions) else { return Compared::TooLarge };
    let solution = solver.solve(problem, Detail::AllMoves, limits);
    if solution.fate == Fate::Unknown {
        Compared::Undecided
    } else if is_same(problem, &solution, &found) {
        Compared::Same { verdict: found.verdict, positions: found.positions }
    } else {
        Compared::Different(describe(problem, &solution, &found))
    }
}

/// Moves that the solver left undecided may be missing; those that it names have to be there.
fn is_same(problem: &Problem, solution: &Solution, found: &Found) -> bool {
    let is_whole = solution.undecided.is_empty();
    let are_same = |solved: &[Move], found: &[Option<usize>]| {
        let solved: HashSet<Move> = solved.iter().copied().collect();
        let found: HashSet<Move> = names(problem, found).into_iter().collect();
        solved.is_subset(&found) && (!is_whole || solved.len() == found.len())
    };
    verdict(solution.fate) == Some(found.verdict)
        && are_same(&solution.best_moves, &found.best)
        && are_same(&solution.right_moves, &found.right)
}

fn describe(problem: &Problem, solution: &Solution, found: &Found) -> String {
    let draft = Draft::new(problem.board().clone(), problem.to_move());
    let name = |moves: &[Option<usize>]| -> Vec<String> {
        names(problem, moves).iter().map(|mv| mv.to_gtp(problem.board().size())).collect()
    };
    let line = write_json_line(&Record::new(draft), problem, solution);
    format!(
        "{:?} {:?} {:?} by the reference, not {line}",
        found.verdict,
        name(&found.best),
        name(&found.right)
    )
}
