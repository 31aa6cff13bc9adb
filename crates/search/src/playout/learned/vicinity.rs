//! The points whose shapes a point is part of: the twelve of its MD2 pattern.

use tesuji_board::{Md2, Neighborhood, Point, Size};

/// Room for the points of a pattern: a power of two, so that a masked index needs no check.
const ROOM: usize = Md2::STEPS.len().next_power_of_two();

/// The points near a point; the point itself stands for those that are not on the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    /// In the order of [`Md2::STEPS`].
    points: [Point; ROOM],
    /// Points two steps along a line from it, each with the bits of the point in the code of its far points, or none.
    pub(super) far: [(Point, u8); 4],
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
        self.near.clear();
        for point in size.points() {
            let near = Near::of(size, point);
            self.near.resize(point.index() + 1, near);
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
        let mut near = Near { points: [point; ROOM], far: [(point, 0); 4] };
        for (found, &step) in near.points.iter_mut().zip(&Md2::STEPS) {
            *found = at(step).unwrap_or(point);
        }
        let steps = &Md2::STEPS[Neighborhood::STEPS.len()..];
        for (found, &(dx, dy)) in near.far.iter_mut().zip(steps) {
            // It sees the point on the opposite side.
            let field = steps.iter().position(|&step| step == (-dx, -dy)).expect("opposite steps");
            if let Some(far) = at((dx, dy)) {
                *found = (far, 3 << (2 * field));
            }
        }
        near
    }

    /// Calls `visit` with the empty ones of the twelve points, by the code of what stands on them.
    #[inline(always)]
    pub(super) fn visit_empty(&self, around: Md2, mut visit: impl FnMut(Point)) {
        let mut empty = !(around.0 | around.0 >> 1) & 0x55_5555;
        while empty != 0 {
            visit(self.points[empty.trailing_zeros() as usize / 2 % ROOM]);
            empty &= empty - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_board::{Board, Color};

    #[test]
    fn the_middle_has_all_and_the_corner_a_quarter() {
        let size = Size::square(9).unwrap();
        let point = |x, y| size.point(x, y).unwrap();
        let mut vicinity = Vicinity::default();
        assert!(vicinity.fit(size) && !vicinity.fit(size));
        let mut board = Board::new(size);
        board.set_up(point(4, 3), Color::Black);
        let counts = |x, y| {
            let (mut empty, near) = (Vec::new(), vicinity.near(point(x, y)));
            near.visit_empty(Md2::around(&board, point(x, y)), |point| empty.push(point));
            assert!(empty.iter().all(|&point| board.is_empty(point)));
            [empty.len(), near.far.iter().filter(|&&(_, bits)| bits > 0).count()]
        };
        assert_eq!(counts(4, 4), [11, 4]);
        assert_eq!(counts(0, 0), [5, 2]);
        assert_eq!(counts(1, 4), [11, 3]);
    }
}
