//! The points near each point of a board, nearest first, by `dx + dy + max(dx, dy)` as in Ray.

use arrayvec::ArrayVec;
use tesuji_board::{Point, Size};

/// Distances that are told apart: 2 to 5. The first three are the twelve points of an MD2 pattern.
pub(super) const DISTANCES: usize = 4;
/// Points within the greatest distance.
const MOST_NEAR: usize = 20;
/// Distances of the points of an MD2 pattern.
const MD2_DISTANCES: usize = 3;

/// The points near a point.
#[derive(Clone, Debug, Default)]
pub(super) struct Near {
    points: ArrayVec<Point, MOST_NEAR>,
    /// By distance, from the smallest: where its points end.
    ends: [u8; DISTANCES],
}

/// All of them for boards of one size.
#[derive(Clone, Debug, Default)]
pub(super) struct Vicinity {
    size: Option<Size>,
    /// By the index of the point.
    near: Vec<Near>,
}

impl Vicinity {
    /// Makes it that of a size; whether it was another's.
    pub(super) fn fit(&mut self, size: Size) -> bool {
        if self.size == Some(size) {
            return false;
        }
        self.size = Some(size);
        self.near = vec![Near::default(); Point::LIMIT];
        for point in size.points() {
            self.near[point.index()] = Near::of(size, point);
        }
        true
    }

    #[inline(always)]
    pub(super) fn near(&self, point: Point) -> &Near {
        &self.near[point.index()]
    }
}

impl Near {
    fn of(size: Size, point: Point) -> Near {
        let distance = |other: Point| {
            let (dx, dy) = (size.x(point).abs_diff(size.x(other)), size.y(point).abs_diff(size.y(other)));
            dx + dy + dx.max(dy)
        };
        let mut near = Near::default();
        for class in 0..DISTANCES {
            near.points.extend(size.points().filter(|&other| distance(other) == class + 2));
            near.ends[class] = near.points.len() as u8;
        }
        near
    }

    /// The points of the MD2 pattern around the point.
    #[inline(always)]
    pub(super) fn md2(&self) -> &[Point] {
        &self.points[..usize::from(self.ends[MD2_DISTANCES - 1])]
    }

    /// The points beside the point.
    #[inline(always)]
    pub(super) fn sides(&self) -> &[Point] {
        &self.points[..usize::from(self.ends[0])]
    }

    /// The points at the first `distances` distances, with the number of the distance from 1.
    #[inline(always)]
    pub(super) fn by_distance(&self, distances: usize) -> impl Iterator<Item = (u8, &[Point])> {
        let mut start = 0;
        self.ends[..distances].iter().enumerate().map(move |(class, &end)| {
            let points = &self.points[start..usize::from(end)];
            start = usize::from(end);
            (class as u8 + 1, points)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_has_all_and_the_corner_a_quarter() {
        let size = Size::square(9).unwrap();
        let mut vicinity = Vicinity::default();
        assert!(vicinity.fit(size) && !vicinity.fit(size));
        let counts = |x, y| vicinity.near(size.point(x, y).unwrap()).ends;
        assert_eq!(counts(4, 4), [4, 8, 12, 20]);
        assert_eq!(counts(0, 0), [2, 3, 5, 7]);
        let middle = vicinity.near(size.point(4, 4).unwrap());
        assert_eq!((middle.sides().len(), middle.md2().len()), (4, 12));
        assert_eq!(
            middle.by_distance(2).map(|(class, points)| (class, points.len())).collect::<Vec<_>>(),
            [(1, 4), (2, 4)]
        );
    }
}
