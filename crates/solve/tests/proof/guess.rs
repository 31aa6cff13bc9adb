//! What is understood of a problem that does not say everything, and what is doubted.

use crate::committed::problems;
use std::sync::atomic::AtomicBool;
use tesuji_board::Move;
use tesuji_solve::{Detail, Fate, Limits, Needs, Problem, Solver, read_diagram};

/// A group that had to be guessed, and that the side to move saves or kills only with two threats or more, is hardly what was meant.
#[test]
fn a_remote_ko_of_a_guessed_group_is_no_verdict() {
    let mut solver = Solver::new(16 << 20);
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: 200_000, stop: &stop, has_time: &|| true };
    let (mut doubted, mut kept) = (0, 0);
    for record in problems().into_iter().filter(|record| record.category == "ko") {
        let mut completed = record.draft.clone().complete().unwrap();
        completed.is_target_guessed = true;
        let mover = tesuji_solve::mover(&completed.problem);
        let proved = solver.solve(&completed.problem, Detail::Fate, &limits).fate;
        let Fate::Ko(ko) = proved else { continue };
        let said = solver.solve_completed(&mut completed, Detail::Fate, &limits).fate;
        if ko.favours != mover && ko.needs != Needs::One {
            assert_eq!(said, Fate::Unknown, "{}", record.id);
            let is_said = completed.remarks.iter().any(|remark| remark.contains(&proved.to_string()));
            assert!(is_said, "{}: {:?}", record.id, completed.remarks);
            doubted += 1;
        } else {
            assert_eq!(said, proved, "{}", record.id);
            kept += 1;
        }
    }
    assert!(doubted >= 2 && kept >= 10, "{doubted} doubted, {kept} kept");
}

/// A group that was dead before is not what an author asks about.
#[test]
fn a_guessed_group_that_any_move_kills_is_no_verdict() {
    let dead = "
        . . . X O . X . .
        . . . X O . X . .
        . . . X O . X . .
        . . . X O . X . .
        . . . X O O X . .
        . . . X X X X . .
        to play: X
        goal: kill
    ";
    let mut completed = read_diagram(dead).unwrap().draft.complete().unwrap();
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: 200_000, stop: &stop, has_time: &|| true };
    let mut solver = Solver::new(16 << 20);
    let proved = solver.solve(&completed.problem, Detail::AllMoves, &limits);
    assert_eq!((proved.fate, proved.right_moves.len()), (Fate::Dies, 4));
    assert!(completed.is_target_guessed);
    let said = solver.solve_completed(&mut completed, Detail::AllMoves, &limits);
    assert_eq!((said.fate, said.best_moves.len()), (Fate::Unknown, 0));
    assert!(completed.remarks.iter().any(|remark| remark.contains("dies")), "{:?}", completed.remarks);
    completed.is_target_guessed = false;
    assert_eq!(solver.solve_completed(&mut completed, Detail::AllMoves, &limits).fate, Fate::Dies);
}

/// The stone at G6 has one liberty outside, which belongs to the fight before anything stands beside it.
#[test]
fn the_last_liberty_of_a_stone_of_the_wall_is_in_the_region() {
    let text = "
        . . X O . . X . .
        . . X O O O . X .
        . . X X X X X . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        to play: X
        goal: kill
    ";
    let problem = read_diagram(text).unwrap().draft.complete().unwrap().problem;
    let size = problem.board().size();
    let empty = problem.region().iter().filter(|&point| problem.board().is_empty(point));
    let mut names: Vec<String> = empty.map(|point| Move::Play(point).to_gtp(size)).collect();
    names.sort();
    assert_eq!(names, ["E6", "F6", "G5", "H6"]);
}

/// Where nodes ran out, a first move that is right is found or undecided, and never called wrong.
#[test]
fn no_right_move_is_lost_to_a_limit() {
    let stop = AtomicBool::new(false);
    let mut solver = Solver::new(16 << 20);
    let mut undecided = 0;
    for record in problems().into_iter().filter(|record| record.category == "ko") {
        let problem = record.draft.clone().complete().unwrap().problem;
        let mut solve = |nodes| {
            solver.solve(&problem, Detail::AllMoves, &Limits { nodes, stop: &stop, has_time: &|| true })
        };
        let all = solve(200_000);
        let nodes = (1..10).map(|n| n * all.nodes / 10);
        for partly in nodes.map(&mut solve).filter(|partly| partly.fate != Fate::Unknown) {
            let is_known = |mv: &Move| partly.right_moves.contains(mv) || partly.undecided.contains(mv);
            assert!(all.right_moves.iter().all(is_known), "{}: {partly:?}", record.id);
            undecided += partly.undecided.len();
        }
    }
    assert!(undecided > 100, "only {undecided} moves were left open");
}

/// A wall that does not come down to the edge.
const GAPS: &str = "
    . . . . . . . . .
    . . . . . . . . .
    . . . . X X X X .
    . . . . X O O O .
    . . . . X O . . .
    . . . . X O . . .
    . . . . X O O O .
    . . . . X X X X .
    . . . . . . . . .
    . . . . . . . . .
    to play: X
    goal: kill
";

/// A wall that does not come down to the edge: the smaller question ends one point beyond it, and is decided where the larger one takes too long.
#[test]
fn a_region_with_gaps_is_also_asked_about_up_to_them() {
    let completed = read_diagram(GAPS).unwrap().draft.complete().unwrap();
    let near = &completed.smaller[0];
    assert!(near.region().iter().all(|point| completed.problem.region().contains(point)));
    assert_eq!((near.empty_points(), completed.problem.empty_points()), (10, 18));
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: 30_000, stop: &stop, has_time: &|| true };
    let mut solver = Solver::new(16 << 20);
    assert_eq!(solver.solve(&completed.problem, Detail::Fate, &limits).fate, Fate::Unknown);
    assert_eq!(solver.solve(near, Detail::Fate, &limits).fate, Fate::Dies);
}

/// A life in one of them is a life in all that follow: they are parts of each other, and no stone of the defender is left out.
#[test]
fn smaller_regions_grow_up_to_the_larger_one() {
    let completed = read_diagram(GAPS).unwrap().draft.complete().unwrap();
    let far = &completed.problem;
    let questions: Vec<&Problem> = completed.smaller.iter().chain([far]).collect();
    assert!(questions.len() >= 3, "the region grows {} times", questions.len() - 1);
    for pair in questions.windows(2) {
        assert!(pair[0].region().iter().all(|point| pair[1].region().contains(point)));
        assert!(pair[0].empty_points() < pair[1].empty_points());
    }
    for stone in far.region().iter().filter(|&point| far.board().color(point) == Some(far.defender())) {
        assert!(questions.iter().all(|question| question.region().contains(stone)));
    }
}

/// Nothing is forgotten between these, and the same stones mean something else in another region.
#[test]
fn questions_that_share_a_table_do_not_mix() {
    let mut solver = Solver::new(16 << 20);
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: 200_000, stop: &stop, has_time: &|| true };
    for record in problems() {
        let mut completed = record.draft.clone().complete().unwrap();
        completed.is_target_guessed = false;
        let said = solver.solve_completed(&mut completed, Detail::AllMoves, &limits);
        assert_eq!(Some(said.fate.to_string()), record.fate, "{}", record.id);
        assert_eq!(said.best_moves, record.accepted, "{}", record.id);
    }
}

/// Who lives up to the gaps lives beyond them.
#[test]
fn life_in_the_smaller_region_is_life() {
    let text = "
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . X X X X X .
        . . . . X O O O O .
        . . . . X O . . . .
        . . . . X O . . . .
        . . . . X O O O O .
        . . . . X X X X X .
        . . . . . . . . . .
        . . . . . . . . . .
        to play: X
        goal: kill
    ";
    let mut completed = read_diagram(text).unwrap().draft.complete().unwrap();
    completed.is_target_guessed = false;
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: 100_000, stop: &stop, has_time: &|| true };
    let said = Solver::new(16 << 20).solve_completed(&mut completed, Detail::Fate, &limits);
    assert_eq!(said.fate, Fate::Lives);
    assert!(
        completed.remarks.iter().any(|remark| remark.contains("smaller region")),
        "{:?}",
        completed.remarks
    );
}

/// The corner has one eye. It lives because the wall is short of liberties, none of which is in the region that is found first.
#[test]
fn a_wall_that_can_be_captured_is_a_way_out() {
    let text = "
        . . O . X . O . .
        O O O X X . O . .
        X X X X O O O . .
        O O O O O . . . .
        . . . . . . . . .
        . . . . . . . . .
        to play: O
        goal: live
    ";
    let mut completed = read_diagram(text).unwrap().draft.complete().unwrap();
    assert_eq!(completed.problem.empty_points(), 3);
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: 200_000, stop: &stop, has_time: &|| true };
    let mut solver = Solver::new(16 << 20);
    assert_eq!(solver.solve(&completed.problem, Detail::Fate, &limits).fate, Fate::Dies);
    let solution = solver.solve_completed(&mut completed, Detail::AllMoves, &limits);
    assert_eq!((solution.fate, completed.problem.empty_points()), (Fate::Lives, 5));
    assert!(completed.remarks.iter().any(|remark| remark.contains("larger region")));
}
