//! The solver against the reference for larger regions. `examples/check_exam.rs` does the same with more problems, more kinds of them and more positions.

use crate::compare::{Compared, compare};
use crate::plain::question;
use crate::random_problem::{LARGE, random_problem};
use crate::reference::Verdict;
use crate::rng::Rng;
use crate::walled::{KOS, USUAL, random_draft_of};
use std::sync::atomic::AtomicBool;
use tesuji_solve::{Limits, Problem, Solver};

/// Problems of each kind.
const PROBLEMS: usize = 30;

/// Positions that the reference looks at.
const POSITIONS: usize = 60_000;

/// Nodes of the solver.
const NODES: u64 = 100_000;

/// Problems that both decide.
const COMPARED: usize = 54;

#[test]
fn answers_in_larger_regions_are_those_of_the_reference() {
    let mut solver = Solver::new(16 << 20);
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: NODES, stop: &stop, has_time: &|| true };
    let (mut compared, mut kos, mut by_empty, mut largest) = (0, 0, [0; 15], 0);
    let makers: [fn(&mut Rng) -> Option<Problem>; 3] = [usual, with_kos, with_any_boundary];
    for (seed, make) in (41..).zip(makers) {
        let mut rng = Rng::new(seed);
        for _ in 0..PROBLEMS {
            let problem = next(&mut rng, make);
            match compare(&problem, &mut solver, &limits, POSITIONS) {
                Compared::TooLarge | Compared::Undecided => {}
                Compared::Same { verdict, positions } => {
                    largest = largest.max(positions);
                    compared += 1;
                    by_empty[problem.empty_points()] += 1;
                    kos += usize::from(matches!(verdict, Verdict::Ko { .. }));
                }
                Compared::Different(text) => panic!("{text}"),
            }
        }
    }
    println!("{compared} compared, {kos} kos, at most {largest} positions, by empty points {by_empty:?}");
    assert!(compared >= COMPARED, "{compared} compared, {by_empty:?}");
}

/// The next problem with 9 to 14 empty points.
fn next(rng: &mut Rng, make: impl Fn(&mut Rng) -> Option<Problem>) -> Problem {
    loop {
        let Some(problem) = make(rng) else { continue };
        if (9..=14).contains(&problem.empty_points()) && question(&problem).has_possible_ban() {
            return problem;
        }
    }
}

fn usual(rng: &mut Rng) -> Option<Problem> {
    Some(random_draft_of(rng, &USUAL)?.complete().ok()?.problem)
}

fn with_kos(rng: &mut Rng) -> Option<Problem> {
    Some(random_draft_of(rng, &KOS)?.complete().ok()?.problem)
}

fn with_any_boundary(rng: &mut Rng) -> Option<Problem> {
    random_problem(rng, &LARGE)
}
