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
use crate::point::{Point, Size};
use arrayvec::ArrayVec;
use std::sync::LazyLock;

/// Points of the largest shape with a vital point.
pub const MAX_NAKADE: usize = 6;

/// The points of a small region.
pub type SmallRegion = ArrayVec<Point, MAX_NAKADE>;

/// The vital point of a connected shape given by its points, each once; for a board of `size`.
pub fn vital_point(size: Size, shape: &[Point]) -> Option<Point> {
    if !(3..=MAX_NAKADE).contains(&shape.len()) {
        return None;
    }
    let degree = |point: Point| shape.iter().filter(|&&other| are_adjacent(size, point, other)).count();
    let (mut highest, mut vital, mut ends) = (0, None, 0);
    for &point in shape {
        let degree = degree(point);
        ends += degree;
        if degree > highest {
            (highest, vital) = (degree, Some(point));
        }
    }
    let pairs = ends / 2;
    let is_nakade =
        matches!((shape.len(), highest, pairs), (3, 2, 2) | (4, 3, 3) | (5, 3, 5) | (5, 4, 4) | (6, 4, 6));
    vital.filter(|_| is_nakade)
}

/// The region of empty points around the empty `start`, if it has at most [`MAX_NAKADE`] points and
/// no stones but those of `owner` around it.
pub fn small_eye_space(board: &Board, start: Point, owner: Color) -> Option<SmallRegion> {
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

/// The vital point of the small eye space of `owner` around the empty `start`, if that has one.
pub fn nakade(board: &Board, start: Point, owner: Color) -> Option<Point> {
    small_eye_space(board, start, owner).and_then(|region| vital_point(board.size(), &region))
}

#[inline]
fn are_adjacent(size: Size, a: Point, b: Point) -> bool {
    let distance = a.index().abs_diff(b.index());
    // The wall between rows keeps their ends from being one index apart.
    distance == 1 || distance == size.stride()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram::Diagram;
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
            let is_vital = |shape: &&Vec<Point>| vital_point(size, shape).is_some();
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
