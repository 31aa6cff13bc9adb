//! Random small problems with all kinds of boundaries.

use crate::brute::Brute;
use crate::rng::Rng;
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::atomic::AtomicBool;
use tesuji_board::{Board, Color, Move, Point, PointSet, Size};
use tesuji_solve::{Detail, Fate, Goal, Limits, LineEnd, Outside, Problem, Solution, Solver};

const PROBLEMS: usize = 2100;
const MIRRORED: usize = 300;

/// How large random problems are.
struct Scale {
    /// Least side of the board.
    side: usize,
    /// Least number of points from which the region grows.
    growth: usize,
    empty: RangeInclusive<usize>,
    most_points: usize,
}

/// Small enough for brute force.
const SMALL: Scale = Scale { side: 3, growth: 4, empty: 0..=7, most_points: 12 };
const LARGE: Scale = Scale { side: 4, growth: 12, empty: 8..=11, most_points: 24 };

/// A random problem, if this attempt makes one.
fn random_problem(rng: &mut Rng, scale: &Scale) -> Option<Problem> {
    let size = Size::new(scale.side + rng.below(4), scale.side + rng.below(3)).ok()?;
    let points: Vec<Point> = size.points().collect();
    let mut region = PointSet::EMPTY;
    let mut frontier = vec![points[rng.below(points.len())]];
    for _ in 0..scale.growth + rng.below(7) {
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
    let fits = scale.empty.contains(&problem.empty_points()) && problem.region().len() <= scale.most_points;
    fits.then_some(problem)
}

fn describe(problem: &Problem) -> String {
    format!(
        "{} by {} outside {:?} region {:?}\n{}",
        problem.goal(),
        problem.to_move(),
        problem.outside(),
        problem.region(),
        problem.board()
    )
}

/// The same problem with left and right, and the colours, exchanged; and where a point is then.
fn mirrored(problem: &Problem) -> (Problem, impl Fn(Point) -> Point) {
    let size = problem.board().size();
    let mirror = move |point: Point| size.point(size.width() - 1 - size.x(point), size.y(point)).unwrap();
    let mut board = Board::new(size);
    for point in size.points() {
        if let Some(color) = problem.board().color(point) {
            board.set_up(mirror(point), !color);
        }
    }
    let region = problem.region().iter().map(mirror).collect();
    let targets: Vec<Point> = problem.targets().iter().copied().map(mirror).collect();
    let outside = match problem.outside() {
        Outside::Open => Outside::Open,
        Outside::Owned(color) => Outside::Owned(!color),
    };
    let turned = Problem::new(board, region, &targets, !problem.to_move(), problem.goal(), outside);
    (turned.unwrap(), mirror)
}

/// Too large for brute force. The mirror image is searched in another order, so that a move left out by mistake would tell.
#[test]
fn a_mirror_image_has_the_same_answer() {
    let mut rng = Rng::new(6);
    let mut solver = Solver::new(16 << 20);
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: 100_000, stop: &stop, has_time: &|| true };
    let (mut decided, mut kos) = (0, 0);
    for _ in 0..MIRRORED {
        let problem = loop {
            if let Some(problem) = random_problem(&mut rng, &LARGE) {
                break problem;
            }
        };
        let (image, mirror) = mirrored(&problem);
        let [mut one, other] = [&problem, &image].map(|p| solver.solve(p, Detail::AllMoves, &limits));
        let is_whole = |solution: &Solution| solution.fate != Fate::Unknown && solution.undecided.is_empty();
        if is_whole(&one) && is_whole(&other) {
            assert_eq!(one.fate, other.fate, "{}", describe(&problem));
            for mv in &mut one.best_moves {
                *mv = mv.point().map_or(Move::Pass, |point| Move::Play(mirror(point)));
            }
            let moves = |solution: &Solution| solution.best_moves.iter().copied().collect::<HashSet<Move>>();
            assert_eq!(moves(&one), moves(&other), "{} in {}", one.fate, describe(&problem));
            decided += 1;
            kos += usize::from(matches!(one.fate, Fate::Ko(_)));
        }
    }
    assert!(decided >= MIRRORED * 9 / 10 && kos >= 10, "{decided} decided, {kos} kos");
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
        let Some(problem) = random_problem(&mut rng, &SMALL) else { continue };
        let Some(expected) = Brute::new(&problem).solve() else { continue };
        let solution = solver.solve(&problem, Detail::AllMoves, &limits);
        let context = || describe(&problem);
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
