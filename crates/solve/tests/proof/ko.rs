//! Fights that come round again, in positions that a person can check. The kos of `tests/tsumego` are in `committed.rs`.

use crate::plain::question;
use crate::reference::Verdict;
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;
use tesuji_board::{Board, Color, Move, Point, Size, Symmetry};
use tesuji_solve::{Detail, Draft, Fate, Goal, Limits, LineEnd, Solution, Solver, read_diagram};

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

/// Black to kill: B16, White takes at B17, Black A15. White cannot connect at B16 without losing the eye, so the ko there comes again as often as Black
/// likes to play elsewhere, and costs White a threat each time.
const FALSE_EYE: [(Color, &str); 2] = [
    (Color::White, "A17 A16 B19 B18 C17 C16 B15"),
    (Color::Black, "A19 C19 C18 D18 D17 D16 D15 C15 C14 B14 A14"),
];

#[test]
fn a_false_eye_that_a_ban_protects_is_no_eye() {
    let size = Size::new(19, 19).unwrap();
    let points = |names: &str| {
        names
            .split(' ')
            .map(|name| Move::from_gtp(name, size).unwrap().point().unwrap())
            .collect::<Vec<Point>>()
    };
    let mut solver = Solver::new(4 << 20);
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: 100_000, stop: &stop, has_time: &|| true };
    let mut lines = HashSet::new();
    for symmetry in Symmetry::ALL {
        for exchanged in [false, true] {
            let mut board = Board::new(size);
            for (color, names) in FALSE_EYE {
                let color = if exchanged { !color } else { color };
                points(names).into_iter().for_each(|point| board.set_up(symmetry.point(size, point), color));
            }
            let attacker = if exchanged { Color::White } else { Color::Black };
            let target = symmetry.point(size, points("A16")[0]);
            let mut draft = Draft::new(board, attacker);
            draft.targets = vec![target];
            draft.goal = Some(Goal::Kill);
            let problem = draft.complete().unwrap().problem;
            let solution = solver.solve(&problem, Detail::AllMoves, &limits);
            let key = Move::Play(symmetry.point(size, points("B16")[0]));
            let context = format!("{symmetry:?} {exchanged} {}", solution.line.to_gtp(size));
            assert_eq!((solution.fate, &solution.best_moves), (Fate::Dies, &vec![key]), "{context}");
            assert_eq!(solution.line.end, LineEnd::ThreatsRunOut, "{context}");
            let answer = question(&problem).answer().unwrap();
            assert_eq!(answer.verdict, Verdict::Dies);
            assert_eq!(answer.without_attackers_pass, Verdict::Ko { attacker_wins: true, needs: 1 });
            lines.insert(context);
        }
    }
    assert_eq!(lines.len(), 16);
}
