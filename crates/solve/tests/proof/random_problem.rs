//! Random small problems with all kinds of boundaries, most of them with kos.

use crate::plain::{is_ko, question};
use crate::rng::Rng;
use std::ops::RangeInclusive;
use tesuji_board::{Board, Color, Move, Point, PointMap, PointSet, Size};
use tesuji_solve::{Goal, Outside, Problem};

/// How large random problems are.
pub(crate) struct Scale {
    /// Least side of the board.
    side: usize,
    /// Least number of points from which the region grows.
    growth: usize,
    empty: RangeInclusive<usize>,
    most_points: usize,
}

/// Small enough for the reference.
pub(crate) const SMALL: Scale = Scale { side: 3, growth: 4, empty: 0..=7, most_points: 14 };
pub(crate) const LARGE: Scale = Scale { side: 4, growth: 12, empty: 8..=11, most_points: 24 };

/// A random problem, if this attempt makes one.
pub(crate) fn random_problem(rng: &mut Rng, scale: &Scale) -> Option<Problem> {
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
    let mut cells = PointMap::filled(None);
    for &point in &points {
        let (empty, attacker) = if region.contains(point) { (45, 70) } else { (loose, 85) };
        let draw = rng.below(100);
        if draw >= empty {
            cells[point] = Some(if draw < attacker { !defender } else { defender });
        }
    }
    let kos: Vec<Point> = (0..1 + rng.below(2)).map(|_| plant_ko(rng, size, &points, &mut cells)).collect();
    let mut board = Board::new(size);
    for &point in &points {
        if let Some(color) = cells[point] {
            board.set_up(point, color);
        }
    }
    if points.iter().any(|&point| board.color(point) != cells[point]) {
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
    region.extend(kos.iter().copied());
    if let Some(&ko) = kos.first()
        && rng.chance(20)
        && is_ko(&board, ko, to_move)
    {
        board.set_ko(ko, to_move);
    }
    let problem = Problem::new(board, region, &targets, to_move, goal, outside).ok()?;
    let fits = scale.empty.contains(&problem.empty_points()) && problem.region().len() <= scale.most_points;
    (fits && question(&problem).has_possible_ban()).then_some(problem)
}

/// Puts stones around a random point so that whoever plays there takes a ko; the point.
fn plant_ko(rng: &mut Rng, size: Size, points: &[Point], cells: &mut PointMap<Option<Color>>) -> Point {
    let at = points[rng.below(points.len())];
    let sides: Vec<Point> = size.neighbors(at).collect();
    let taken = sides[rng.below(sides.len())];
    let taker = if rng.chance(50) { Color::Black } else { Color::White };
    for side in sides.into_iter().filter(|&side| side != taken) {
        cells[side] = Some(!taker);
    }
    for side in size.neighbors(taken).filter(|&side| side != at) {
        cells[side] = Some(taker);
    }
    cells[at] = None;
    cells[taken] = Some(!taker);
    at
}

pub(crate) fn describe(problem: &Problem) -> String {
    let name = |point: Point| Move::Play(point).to_gtp(problem.board().size());
    format!(
        "{} by {} outside {:?} targets {:?} region {:?}\n{}",
        problem.goal(),
        problem.to_move(),
        problem.outside(),
        problem.targets().iter().map(|&stone| name(stone)).collect::<Vec<String>>(),
        problem.region().iter().map(name).collect::<Vec<String>>(),
        problem.board()
    )
}
