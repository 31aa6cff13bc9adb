//! Several threads on one problem find what one finds, and keep to the same limits. Random regions are in `random.rs`.

use crate::committed::problems;
use crate::limit::OPEN;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use tesuji_solve::{Detail, Fate, Limits, Problem, Solution, Solver, read_diagram};

const MEMORY: usize = 32 << 20;

fn team(threads: usize) -> Solver {
    Solver::for_threads(MEMORY, threads).unwrap().helped_after(20)
}

#[test]
fn three_threads_have_the_verdicts_of_one() {
    let mut solvers = [Solver::new(MEMORY), team(3)];
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: 2_000_000, stop: &stop, has_time: &|| true };
    let (mut done, mut other_work) = (0, 0);
    for record in problems() {
        let problem = record.draft.clone().complete().unwrap().problem;
        let [alone, together]: [Solution; 2] =
            solvers.each_mut().map(|solver| solver.solve(&problem, Detail::AllMoves, &limits));
        assert_eq!(alone.fate, together.fate, "{}", record.id);
        assert_eq!(alone.best_moves, together.best_moves, "{}", record.id);
        assert_eq!(alone.right_moves, together.right_moves, "{}", record.id);
        assert!(together.undecided.is_empty(), "{}", record.id);
        other_work += usize::from(alone.nodes != together.nodes);
        done += 1;
    }
    assert!(done >= 60 && other_work > done / 4, "the threads helped in {other_work} of {done}");
}

fn open() -> Problem {
    read_diagram(OPEN).unwrap().draft.complete().unwrap().problem
}

#[test]
fn a_team_keeps_to_nodes_time_and_memory() {
    let mut solver = team(2);
    let bytes = solver.bytes();
    assert!(bytes <= MEMORY);
    let stop = AtomicBool::new(false);
    let solution =
        solver.solve(&open(), Detail::AllMoves, &Limits { nodes: 20_000, stop: &stop, has_time: &|| true });
    assert_eq!(solution.fate, Fate::Unknown);
    // Threads hear of each other now and then.
    assert!((20_000..22_000).contains(&solution.nodes), "{} nodes", solution.nodes);
    let questions = AtomicUsize::new(0);
    let has_time = || questions.fetch_add(1, Ordering::Relaxed) < 5;
    let limits = Limits { nodes: u64::MAX, stop: &stop, has_time: &has_time };
    assert_eq!(solver.solve(&open(), Detail::Fate, &limits).fate, Fate::Unknown);
    assert_eq!(solver.bytes(), bytes);
}

#[test]
fn a_team_can_be_interrupted() {
    let (mut solver, stop) = (team(3), AtomicBool::new(false));
    let started = Instant::now();
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(100));
            stop.store(true, Ordering::Relaxed);
        });
        let limits = Limits { nodes: u64::MAX, stop: &stop, has_time: &|| true };
        assert_eq!(solver.solve(&open(), Detail::Fate, &limits).fate, Fate::Unknown);
    });
    assert!(started.elapsed() < Duration::from_secs(60));
}
