//! The points whose shapes a point is part of: the twelve of its MD2 pattern, those beside it first.

use arrayvec::ArrayVec;
use tesuji_board::{Md2, Neighborhood, Point, Size};

/// The points near a point.
#[derive(Clone, Debug, Default)]
pub(super) struct Near {
    points: ArrayVec<Point, 12>,
    /// Points two steps along a line from it, each with the place of the point in the code of its far points.
    far: ArrayVec<(Point, u8), 4>,
    sides: u8,
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
        let at = |(dx, dy): (isize, isize)| {
            let x = size.x(point).checked_add_signed(dx)?;
            let y = size.y(point).checked_add_signed(dy)?;
            size.point(x, y)
        };
        let (near, far) = Md2::STEPS.split_at(Neighborhood::STEPS.len());
        let mut found = Near::default();
        found.points.extend(Md2::STEPS.into_iter().filter_map(at));
        found.sides = near[..4].iter().filter(|&&step| at(step).is_some()).count() as u8;
        for &(dx, dy) in far {
            // It sees the point on the opposite side.
            let field = far.iter().position(|&step| step == (-dx, -dy)).expect("opposite steps");
            found.far.extend(at((dx, dy)).map(|other| (other, 2 * field as u8)));
        }
        found
    }

    /// The points of the MD2 pattern around the point, those beside it first.
    #[inline(always)]
    pub(super) fn md2(&self) -> &[Point] {
        &self.points
    }

    /// The points beside the point.
    #[inline(always)]
    pub(super) fn sides(&self) -> &[Point] {
        &self.points[..usize::from(self.sides)]
    }

    /// The points two steps away, and by how many bits the code of their far points is shifted to that of the point.
    #[inline(always)]
    pub(super) fn far(&self) -> &[(Point, u8)] {
        &self.far
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
        let counts = |x, y| {
            let near = vicinity.near(size.point(x, y).unwrap());
            [near.sides().len(), near.md2().len(), near.far().len()]
        };
        assert_eq!(counts(4, 4), [4, 12, 4]);
        assert_eq!(counts(0, 0), [2, 5, 2]);
        assert_eq!(counts(1, 4), [4, 11, 3]);
    }
}
