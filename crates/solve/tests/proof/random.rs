//! Random small problems with all kinds of boundaries.

use crate::brute::Brute;
use crate::rng::Rng;
use std::sync::atomic::AtomicBool;
use tesuji_board::{Board, Color, Point, PointSet, Size};
use tesuji_solve::{Detail, Fate, Goal, Limits, LineEnd, Outside, Problem, Solver};

const PROBLEMS: usize = 2100;

/// A random problem with at most seven empty points, if this attempt makes one.
fn random_problem(rng: &mut Rng) -> Option<Problem> {
    let size = Size::new(3 + rng.below(4), 3 + rng.below(3)).ok()?;
    let points: Vec<Point> = size.points().collect();
    let mut region = PointSet::EMPTY;
    let mut frontier = vec![points[rng.below(points.len())]];
    for _ in 0..4 + rng.below(7) {
        if frontier.is_empty() {
            break;
        }
        let point = frontier.swap_remove(rng.below(frontier.len()));
        if region.insert(point) {
            frontier.extend(size.neighbors(point));
        }
    }
    let defender = if rng.chance(50) { Color::Black } else { Color::White };
    let loose = rng.below(30);
    let mut board = Board::new(size);
    let mut stones = 0;
    for &point in &points {
        let (empty, attacker) = if region.contains(point) { (45, 70) } else { (loose, 85) };
        let draw = rng.below(100);
        if draw >= empty && board.is_empty(point) {
            let color = if draw < attacker { !defender } else { defender };
            board.set_up(point, color);
            stones += 1;
        }
    }
    if board.stone_count(Color::Black) + board.stone_count(Color::White) != stones {
        return None;
    }
    let is_choice = |&(stone, color): &(Point, Color)| {
        color == defender && board.stones(board.chain_at(stone)).any(|stone| region.contains(stone))
    };
    let chains: Vec<Point> =
        board.chain_representatives().filter(is_choice).map(|(stone, _)| stone).collect();
    let targets: Vec<Point> = chains.iter().copied().filter(|_| rng.chance(60)).collect();
    let goal = [Goal::Kill, Goal::Live, Goal::Capture, Goal::Save][rng.below(4)];
    let to_move = if goal.is_attack() { !defender } else { defender };
    let outside = [Outside::Open, Outside::Owned(!defender), Outside::Owned(defender)][rng.below(3)];
    let problem = Problem::new(board, region, &targets, to_move, goal, outside).ok()?;
    (problem.empty_points() <= 7 && problem.region().len() <= 12).then_some(problem)
}

#[test]
fn every_verdict_agrees_with_brute_force() {
    let mut rng = Rng::new(5);
    let mut solver = Solver::new(4 << 20);
    // A table too small for the search: lost entries may cost time, never truth.
    let mut tiny = Solver::new(1 << 12);
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: 2_000_000, stop: &stop, has_time: &|| true };
    let (mut done, mut lives, mut dies, mut kos, mut repetitions) = (0, 0, 0, 0, 0);
    while done < PROBLEMS {
        let Some(problem) = random_problem(&mut rng) else { continue };
        let Some(expected) = Brute::new(&problem).solve() else { continue };
        let solution = solver.solve(&problem, Detail::AllMoves, &limits);
        let context = || {
            format!(
                "{} by {} outside {:?} region {:?}\n{}",
                problem.goal(),
                problem.to_move(),
                problem.outside(),
                problem.region(),
                problem.board()
            )
        };
        assert_eq!(solution.fate, expected.fate, "{}", context());
        assert_eq!(solution.best_moves, expected.best_moves, "{} in {}", solution.fate, context());
        assert!(solution.undecided.is_empty());
        let fate = tiny.solve(&problem, Detail::Fate, &Limits { nodes: 3_000, ..limits }).fate;
        assert!(fate == expected.fate || fate == Fate::Unknown, "{fate} with a tiny table: {}", context());
        done += 1;
        repetitions += usize::from(solution.line.end == LineEnd::Repetition);
        match expected.fate {
            Fate::Lives => lives += 1,
            Fate::Dies => dies += 1,
            Fate::Ko(_) => kos += 1,
            Fate::Unknown => unreachable!("brute force knows"),
        }
    }
    assert!(lives > 300 && dies > 300 && kos > 30, "{lives} live, {dies} die, {kos} are kos");
    assert!(repetitions >= 5, "{repetitions} problems end in a repetition");
}
