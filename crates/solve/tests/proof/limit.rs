//! Limits are kept, and what is not proved is unknown.

use std::sync::atomic::{AtomicBool, Ordering};
use tesuji_solve::{Detail, Fate, Limits, Solver, read_diagram};

/// Far too much room for a proof.
pub(crate) const OPEN: &str = "
XXXXXXXXX
X.......X
X.......X
X..@....X
X.......X
X.......X
X.......X
XX.....XX
.XXXXXXX.
to play: X
goal: kill
";

#[test]
fn nodes_time_and_the_stop_flag_end_a_search() {
    let problem = read_diagram(OPEN).unwrap().draft.complete().unwrap().problem;
    let mut solver = Solver::new(1 << 16);
    let bytes = solver.bytes();
    assert!(bytes <= 1 << 16);
    let stop = AtomicBool::new(false);
    let solution =
        solver.solve(&problem, Detail::AllMoves, &Limits { nodes: 5000, stop: &stop, has_time: &|| true });
    assert_eq!((solution.fate, solution.best_moves.len()), (Fate::Unknown, 0));
    assert_eq!(solution.nodes, 5000);
    let few = Limits { nodes: 1, stop: &stop, has_time: &|| true };
    assert_eq!(solver.solve(&problem, Detail::AllMoves, &few).nodes, 1);
    let out_of_time = Limits { nodes: u64::MAX, stop: &stop, has_time: &|| false };
    assert_eq!(solver.solve(&problem, Detail::Fate, &out_of_time).fate, Fate::Unknown);
    stop.store(true, Ordering::Relaxed);
    let stopped = Limits { nodes: u64::MAX, stop: &stop, has_time: &|| true };
    assert_eq!(solver.solve(&problem, Detail::Fate, &stopped).fate, Fate::Unknown);
    assert_eq!(solver.bytes(), bytes);
}
