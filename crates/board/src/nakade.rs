//! The point inside a small eye space that decides whether it becomes two eyes.
//!
//! Exactly six shapes have one: straight three, bent three, pyramid four, bulky five, crossed five and rabbity six.
//! Each has a single point with the most neighbours inside the shape, and that point is the vital one. The number of
//! points, the highest degree and the number of adjacent pairs together tell them from all other shapes, in any
//! orientation, so no table is needed. Other shapes live (straight four), are dead anyway (square four)
//! or depend on the edge (rectangular six in the corner), and have no answer here.

use crate::board::Board;
use crate::color::{Cell, Color};
use crate::neighborhood::{Neighborhood, NeighborhoodSet};
use crate::point::Point;
use arrayvec::ArrayVec;
use std::sync::LazyLock;

/// Points of the largest shape with a vital point.
pub const MAX_NAKADE: usize = 6;

/// The points of a small region.
type SmallRegion = ArrayVec<Point, MAX_NAKADE>;

/// Whether a connected shape of so many points has a vital point, by the most neighbours that one of them has and the number of adjacent pairs.
#[inline]
pub fn is_nakade(points: usize, highest_degree: usize, pairs: usize) -> bool {
    matches!((points, highest_degree, pairs), (3, 2, 2) | (4, 3, 3) | (5, 3, 5) | (5, 4, 4) | (6, 4, 6))
}

/// The region of empty points around the empty `start`, if it has at most [`MAX_NAKADE`] points and
/// no stones but those of `owner` around it.
fn small_eye_space(board: &Board, start: Point, owner: Color) -> Option<SmallRegion> {
    let no_eye_space = &NO_EYE_SPACE[owner.index()];
    let mut region = SmallRegion::new();
    region.push(start);
    let mut done = 0;
    while done < region.len() {
        let point = region[done];
        done += 1;
        if no_eye_space.contains(board.neighborhood(point)) {
            return None;
        }
        for side in board.sides(point, Cell::Empty) {
            if !region.contains(&side) && region.try_push(side).is_err() {
                return None;
            }
        }
    }
    Some(region)
}

/// What stands around a point that cannot lie in a small eye space, by its owner: most floods end at the first point.
static NO_EYE_SPACE: LazyLock<[NeighborhoodSet; 2]> =
    LazyLock::new(|| Color::BOTH.map(|owner| all().filter(|&code| is_no_eye_space(code, owner)).collect()));

fn all() -> impl Iterator<Item = Neighborhood> {
    (0..=u16::MAX).map(Neighborhood)
}

/// Whether the region of an empty point with these neighbours is too large, or touches a stone that is not the owner's, as far
/// as the neighbours tell: a corner counts if it is reached through an empty side.
fn is_no_eye_space(code: Neighborhood, owner: Color) -> bool {
    let (sides, corners) = Neighborhood::STEPS.split_at(4);
    let is_empty_side = |i: usize| code.cell(i) == Cell::Empty;
    let is_reached = |corner: usize| {
        let (x, y) = corners[corner];
        (0..4).any(|i| is_empty_side(i) && (sides[i] == (x, 0) || sides[i] == (0, y)))
    };
    let reached = |cell: Cell| {
        let beside = (0..4).filter(|&i| code.cell(i) == cell).count();
        beside + (0..4).filter(|&i| is_reached(i) && code.cell(4 + i) == cell).count()
    };
    reached((!owner).cell()) > 0 || 1 + reached(Cell::Empty) > MAX_NAKADE
}

/// Calls `visit` with the vital points of the small eye spaces of `owner` beside a point, some perhaps more than once.
#[inline(always)]
pub fn visit_nakade_beside(board: &Board, point: Point, owner: Color, mut visit: impl FnMut(Point)) {
    if NO_EYE_SPACE_BESIDE[owner.index()].contains(board.neighborhood(point)) {
        return;
    }
    let no_eye_space = &NO_EYE_SPACE[owner.index()];
    for side in board.sides(point, Cell::Empty) {
        let around = board.neighborhood(side);
        // An eye of one point has no vital one, and those are most.
        if around.has_empty_side()
            && !no_eye_space.contains(around)
            && let Some(vital) = nakade(board, side, owner)
        {
            visit(vital);
        }
    }
}

/// What stands around a point that has no small eye space beside it, by its owner.
static NO_EYE_SPACE_BESIDE: LazyLock<[NeighborhoodSet; 2]> = LazyLock::new(|| {
    Color::BOTH.map(|owner| all().filter(|&code| !may_have_eye_space(code, owner)).collect())
});

/// The neighbours in a ring, each beside the next; every second one is a side.
const RING: [usize; 8] = [0, 5, 2, 7, 3, 6, 1, 4];

/// Whether an empty side of a point may lie in a small eye space: the empty points that follow it around the ring are not too many, and
/// behind them are no stones but the owner's.
fn may_have_eye_space(code: Neighborhood, owner: Color) -> bool {
    let cell = |at: usize| code.cell(RING[at % 8]);
    (0..8).step_by(2).filter(|&side| cell(side) == Cell::Empty).any(|side| {
        let ahead = (1..8).take_while(|step| cell(side + step) == Cell::Empty).count();
        let behind = (1..8).take_while(|step| cell(side + 8 - step) == Cell::Empty).count();
        let ends = [cell(side + ahead + 1), cell(side + 8 - (behind + 1))];
        1 + ahead + behind <= MAX_NAKADE && !ends.contains(&(!owner).cell())
    })
}

/// The vital point of the small eye space of `owner` around the empty `start`, if that has one.
fn nakade(board: &Board, start: Point, owner: Color) -> Option<Point> {
    let region = small_eye_space(board, start, owner)?;
    // All empty points beside one of the region are in it, so the board knows how many neighbours each has.
    let (mut highest, mut vital, mut ends) = (0, None, 0);
    for &point in &region {
        let degree = board.neighborhood(point).empty_sides() as usize;
        ends += degree;
        if degree > highest {
            (highest, vital) = (degree, Some(point));
        }
    }
    vital.filter(|_| is_nakade(region.len(), highest, ends / 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram::Diagram;
    use crate::point::Size;
    use crate::symmetry::Symmetry;

    /// All empty points are Black's eye space; the answer is the point called `a`, in every orientation.
    fn check(diagram: &str) {
        let parsed = Diagram::parse(diagram).unwrap();
        let size = parsed.board.size();
        for symmetry in Symmetry::ALL {
            let image = symmetry.board(&parsed.board);
            let expected = parsed.point('a').map(|point| symmetry.point(size, point));
            for &start in image.empties() {
                assert_eq!(nakade(&image, start, Color::Black), expected, "{image}");
                assert_eq!(nakade(&image, start, Color::White), None);
            }
        }
    }

    #[test]
    fn shapes_with_a_vital_point() {
        check("XXXXX\nX.a.X\nXXXXX");
        check("XXXX\nXa.X\nX.XX");
        check("XXXXX\nX.a.X\nXX.XX");
        check("XX..X\nX.a.X\nXXXXX");
        check("XX.XX\nX.a.X\nXX.XX");
        check("XX..X\nX.a.X\nXX.XX");
    }

    #[test]
    fn shapes_without_a_vital_point() {
        check("X.XX\nXXXX");
        check("X..X\nXXXX");
        check("X....X\nXXXXXX");
        check("XX..X\nX..XX");
        check("X..X\nX..X\nXXXX");
        check("X...X\nXX.XX\nXX.XX");
        check("X.....X\nXXXXXXX");
        check("X...X\nX...X\nXXXXX");
        check("X...X\nX.X.X\nXXXXX");
        check("X.....X\nXXX.XXX");
        check("X.......X\nXXXXXXXXX");
    }

    /// Beside every point of boards full of stones the same are found as by asking at every side.
    #[test]
    fn none_beside_a_point_is_overlooked() {
        let size = Size::square(7).unwrap();
        let mut state = 1_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 33) % below
        };
        let mut count = 0;
        for _ in 0..400 {
            let mut board = Board::new(size);
            for point in size.points() {
                if random(8) < 5 && board.is_empty(point) {
                    board.set_up(point, if random(6) == 0 { Color::White } else { Color::Black });
                }
            }
            for (point, owner) in size.points().flat_map(|point| Color::BOTH.map(|owner| (point, owner))) {
                let ask = |side| nakade(&board, side, owner);
                let expected: Vec<Point> = board.sides(point, Cell::Empty).filter_map(ask).collect();
                let mut found = Vec::new();
                visit_nakade_beside(&board, point, owner, |vital| found.push(vital));
                assert_eq!(found, expected, "{board}");
                count += found.len();
            }
        }
        assert!(count > 1000, "{count}");
    }

    #[test]
    fn opponents_stones_around_the_region_spoil_it() {
        let parsed = Diagram::parse("XXXX.\nX..aO\nXXXXX").unwrap();
        assert_eq!(nakade(&parsed.board, parsed.point('a').unwrap(), Color::Black), None);
    }

    /// All connected shapes of up to six points: the six nakade shapes come up in all their orientations, and no others.
    #[test]
    fn only_the_known_shapes_are_nakade() {
        let size = Size::square(13).unwrap();
        let start = size.point(6, 6).unwrap();
        let mut shapes: Vec<Vec<Point>> = vec![vec![start]];
        let mut counts = Vec::new();
        for _ in 1..=MAX_NAKADE {
            let normal = |shape: &[Point]| -> Vec<(usize, usize)> {
                let left = shape.iter().map(|&p| size.x(p)).min().unwrap();
                let top = shape.iter().map(|&p| size.y(p)).min().unwrap();
                let mut cells: Vec<_> = shape.iter().map(|&p| (size.x(p) - left, size.y(p) - top)).collect();
                cells.sort_unstable();
                cells
            };
            let degree = |shape: &[Point], point| {
                shape.iter().filter(|&&other| size.are_adjacent(point, other)).count()
            };
            let is_vital = |shape: &&Vec<Point>| {
                let degrees = || shape.iter().map(|&point| degree(shape, point));
                is_nakade(shape.len(), degrees().max().unwrap_or(0), degrees().sum::<usize>() / 2)
            };
            counts.push((shapes.len(), shapes.iter().filter(is_vital).count()));
            let mut seen = std::collections::HashSet::new();
            let mut grown = Vec::new();
            for shape in &shapes {
                for side in shape.iter().flat_map(|&point| size.neighbors(point)) {
                    if !shape.contains(&side) {
                        let mut larger = shape.clone();
                        larger.push(side);
                        if seen.insert(normal(&larger)) {
                            grown.push(larger);
                        }
                    }
                }
            }
            shapes = grown;
        }
        // The first numbers are the fixed polyominoes (OEIS A001168).
        assert_eq!(counts, [(1, 0), (2, 0), (6, 6), (19, 4), (63, 8 + 1), (216, 4)]);
    }
}
