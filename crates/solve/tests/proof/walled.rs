//! Random groups that are closed in: a small area in a corner, at a side or in the centre of a board of 19×19, with stray stones and kos, a wall of the
//! defender with holes around it, and the attacker's wall around that. Where moves may be played is not said; the solver finds it, as for a problem from a file.

use crate::plain::is_ko;
use crate::rng::Rng;
use tesuji_board::{Board, Color, Point, PointMap, PointSet, Size};
use tesuji_solve::{Draft, Goal};

/// How large the area of a group is and how many kos are planted: the least, and how many numbers there are.
pub(crate) struct Scale {
    pub(crate) area: (usize, usize),
    pub(crate) kos: (usize, usize),
}

/// The scale of the examination.
pub(crate) const USUAL: Scale = Scale { area: (3, 13), kos: (1, 3) };

/// Many kos.
pub(crate) const KOS: Scale = Scale { area: (5, 10), kos: (3, 4) };

/// A random position with a group that is closed in, if this attempt makes one.
pub(crate) fn random_draft(rng: &mut Rng) -> Option<Draft> {
    random_draft_of(rng, &USUAL)
}

/// The same with an area and kos of this scale.
pub(crate) fn random_draft_of(rng: &mut Rng, scale: &Scale) -> Option<Draft> {
    let size = Size::square(19).ok()?;
    let start = match rng.below(3) {
        0 => size.point(rng.below(3), rng.below(3))?,
        1 => size.point(6 + rng.below(6), rng.below(2))?,
        _ => size.point(8 + rng.below(3), 8 + rng.below(3))?,
    };
    let points = scale.area.0 + rng.below(scale.area.1);
    let area = grown_from(rng, size, start, points);
    let wall = with_all_around(size, &area);
    let outer = with_all_around(size, &wall);
    let (hole, stray, share) = (rng.below(25), rng.below(50), 20 + rng.below(60));
    let mut cells = PointMap::filled(None);
    for point in outer.iter() {
        cells[point] = if area.contains(point) {
            let color = if rng.chance(share) { Color::White } else { Color::Black };
            rng.chance(stray).then_some(color)
        } else if wall.contains(point) {
            (!rng.chance(hole)).then_some(Color::White)
        } else {
            Some(Color::Black)
        };
    }
    let places: Vec<Point> = wall.iter().collect();
    let mut ko = None;
    for _ in 0..scale.kos.0 + rng.below(scale.kos.1) {
        ko = Some(plant_ko(rng, size, &places, &outer, &mut cells));
    }
    let mut board = Board::new(size);
    for point in outer.iter() {
        if let Some(color) = cells[point] {
            board.set_up(point, color);
        }
    }
    if outer.iter().any(|point| board.color(point) != cells[point]) {
        return None;
    }
    let whites = board.chain_representatives().filter(|&(_, color)| color == Color::White);
    let mut chains: Vec<Point> = whites.map(|(stone, _)| stone).collect();
    chains.sort_by_key(|&stone| std::cmp::Reverse(board.chain_size(board.chain_at(stone))));
    chains.truncate(1 + rng.below(3));
    let goal = [Goal::Kill, Goal::Live][rng.below(2)];
    let to_move = if goal.is_attack() { Color::Black } else { Color::White };
    if let Some(ko) = ko
        && rng.chance(15)
        && is_ko(&board, ko, to_move)
    {
        board.set_ko(ko, to_move);
    }
    Some(Draft { goal: Some(goal), targets: chains, ..Draft::new(board, to_move) })
}

/// So many connected points.
fn grown_from(rng: &mut Rng, size: Size, start: Point, points: usize) -> PointSet {
    let mut area = PointSet::EMPTY;
    let mut frontier = vec![start];
    while area.len() < points && !frontier.is_empty() {
        let point = frontier.swap_remove(rng.below(frontier.len()));
        if area.insert(point) {
            frontier.extend(size.neighbors(point));
        }
    }
    area
}

/// A set with all points that touch it, across corners too.
fn with_all_around(size: Size, inner: &PointSet) -> PointSet {
    let mut all = *inner;
    for point in inner.iter() {
        all.extend(size.neighbors(point).chain(size.diagonals(point)));
    }
    all
}

/// Puts stones around a random place so that whoever plays there takes a ko; the point.
fn plant_ko(
    rng: &mut Rng,
    size: Size,
    places: &[Point],
    within: &PointSet,
    cells: &mut PointMap<Option<Color>>,
) -> Point {
    let at = places[rng.below(places.len())];
    let sides: Vec<Point> = size.neighbors(at).filter(|&side| places.contains(&side)).collect();
    let Some(&taken) = sides.get(rng.below(sides.len().max(1))) else { return at };
    let taker = if rng.chance(50) { Color::Black } else { Color::White };
    let mut put = |point: Point, color: Option<Color>| {
        if within.contains(point) {
            cells[point] = color;
        }
    };
    size.neighbors(at).filter(|&side| side != taken).for_each(|side| put(side, Some(!taker)));
    size.neighbors(taken).filter(|&side| side != at).for_each(|side| put(side, Some(taker)));
    put(at, None);
    put(taken, Some(!taker));
    at
}
