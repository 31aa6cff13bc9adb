//! Board sizes, points and moves: the small vocabulary everything else speaks.
//!
//! A [`Point`] is an index into a board framed by a one-point wall, so that a point's neighbours
//! are at fixed distances and no loop ever asks where the edge is. Rows share their side wall: the stride
//! is `width + 1`. The index of a point therefore depends on the [`Size`] it was made by.
//!
//! Every index is offset by [`BIAS`], which keeps even a point of *another* size, and all its neighbours at
//! *any* stride, inside a [`PointMap`]. That makes unchecked indexing sound (see `point_map.rs`).

use std::fmt;
use std::num::NonZeroU16;

/// Smallest width and height.
pub const MIN_SIDE: u8 = 2;
/// Largest width and height: GTP has 25 letters for columns.
pub const MAX_SIDE: u8 = 25;
/// Most points a board can have.
pub const MAX_AREA: usize = MAX_SIDE as usize * MAX_SIDE as usize;

const MAX_STRIDE: usize = MAX_SIDE as usize + 1;
/// The first point of a 2×2 board has unbiased index 4; its north-west neighbour at the largest stride must not be below 0.
const BIAS: usize = MAX_STRIDE + 1 - 4;
/// The smallest index of a point of any size: the first of a 2×2 board.
const FIRST_INDEX: usize = BIAS + 4;
/// The largest index of a point of any size: the last of the largest board.
const LAST_INDEX: usize = BIAS + MAX_SIDE as usize * MAX_STRIDE + MAX_SIDE as usize;
/// One more than the largest index of any point or of a neighbour of one.
pub(crate) const INDEX_LIMIT: usize = LAST_INDEX + MAX_STRIDE + 2;

/// Width and height of a board, each from 2 to 25.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    width: u8,
    height: u8,
}

/// A board size outside 2 to 25.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeError {
    /// The width asked for.
    pub width: usize,
    /// The height asked for.
    pub height: usize,
}

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "board size {}x{} is not supported: each side must be {MIN_SIDE} to {MAX_SIDE}",
            self.width, self.height
        )
    }
}

impl std::error::Error for SizeError {}

impl Size {
    /// A rectangular size.
    pub fn new(width: usize, height: usize) -> Result<Size, SizeError> {
        let sides = usize::from(MIN_SIDE)..=usize::from(MAX_SIDE);
        if sides.contains(&width) && sides.contains(&height) {
            Ok(Size { width: width as u8, height: height as u8 })
        } else {
            Err(SizeError { width, height })
        }
    }

    /// A square size.
    pub fn square(side: usize) -> Result<Size, SizeError> {
        Size::new(side, side)
    }

    /// Number of columns.
    pub const fn width(self) -> usize {
        self.width as usize
    }

    /// Number of rows.
    pub const fn height(self) -> usize {
        self.height as usize
    }

    /// Number of points.
    pub const fn area(self) -> usize {
        self.width() * self.height()
    }

    /// Whether width and height are the same.
    pub const fn is_square(self) -> bool {
        self.width == self.height
    }

    /// The size with width and height exchanged.
    #[must_use]
    pub const fn transposed(self) -> Size {
        Size { width: self.height, height: self.width }
    }

    /// Distance between the indices of vertically adjacent points.
    #[inline(always)]
    pub(crate) const fn stride(self) -> usize {
        self.width as usize + 1
    }

    /// One more than the largest index of a point of this size or of a neighbour of one.
    pub(crate) const fn index_limit(self) -> usize {
        BIAS + (self.height() + 1) * self.stride() + self.width() + 2
    }

    /// The point in column `x` from the left and row `y` from the top, both from 0, if it is on the board.
    #[inline]
    pub fn point(self, x: usize, y: usize) -> Option<Point> {
        (x < self.width() && y < self.height()).then(|| self.point_at(x, y))
    }

    /// As [`Size::point`], for coordinates known to be on the board.
    #[inline]
    fn point_at(self, x: usize, y: usize) -> Point {
        Point::from_index(BIAS + (y + 1) * self.stride() + x + 1)
    }

    /// Whether `point` is a point of a board of this size.
    ///
    /// Only indices can be compared: a point made by another size may pass.
    pub fn contains(self, point: Point) -> bool {
        let unbiased = point.index() - BIAS;
        let (row, column) = (unbiased / self.stride(), unbiased % self.stride());
        (1..=self.height()).contains(&row) && column >= 1
    }

    /// Whether two points of this size are side by side.
    #[inline]
    pub fn are_adjacent(self, a: Point, b: Point) -> bool {
        let distance = a.index().abs_diff(b.index());
        // The wall between rows keeps their ends from being one index apart.
        distance == 1 || distance == self.stride()
    }

    /// Column from the left, from 0.
    #[inline]
    pub fn x(self, point: Point) -> usize {
        (point.index() - BIAS) % self.stride() - 1
    }

    /// Row from the top, from 0.
    #[inline]
    pub fn y(self, point: Point) -> usize {
        (point.index() - BIAS) / self.stride() - 1
    }

    /// Position in reading order: row by row from the top left, from 0.
    pub fn ordinal(self, point: Point) -> usize {
        self.y(point) * self.width() + self.x(point)
    }

    /// All points in reading order.
    pub fn points(self) -> impl Iterator<Item = Point> + Clone {
        (0..self.height()).flat_map(move |y| (0..self.width()).map(move |x| self.point_at(x, y)))
    }

    /// The up to four points beside `point`.
    pub fn neighbors(self, point: Point) -> impl Iterator<Item = Point> {
        const STEPS: [(isize, isize); 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];
        self.around(point, &STEPS)
    }

    /// The up to four points diagonally beside `point`.
    pub fn diagonals(self, point: Point) -> impl Iterator<Item = Point> {
        const STEPS: [(isize, isize); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];
        self.around(point, &STEPS)
    }

    fn around(self, point: Point, steps: &'static [(isize, isize)]) -> impl Iterator<Item = Point> {
        let (x, y) = (self.x(point), self.y(point));
        steps
            .iter()
            .filter_map(move |&(dx, dy)| self.point(x.checked_add_signed(dx)?, y.checked_add_signed(dy)?))
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// A point on a board of some [`Size`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(NonZeroU16);

impl Point {
    /// Contract: `index` is that of a point on a board of some size. [`PointMap`](crate::PointMap) relies on it, and only
    /// debug builds check it. A board keeps it by this invariant: only its own points are ever empty or
    /// hold a stone, and every chain, ring of stones and liberty set is made of such points.
    #[inline(always)]
    pub(crate) fn from_index(index: usize) -> Point {
        debug_assert!((FIRST_INDEX..=LAST_INDEX).contains(&index), "no point has index {index}");
        // A zero cannot come from a real index; mapping it to 1 keeps this a plain move.
        Point(NonZeroU16::new(index as u16).unwrap_or(NonZeroU16::MIN))
    }

    /// Index into arrays of [`Point::LIMIT`] entries, such as [`crate::PointMap`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0.get() as usize
    }

    /// One more than the largest index.
    pub const LIMIT: usize = INDEX_LIMIT;
}

/// A stone on a point, or a pass. Two bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// No stone.
    Pass,
    /// A stone on this point.
    Play(Point),
}

impl Move {
    /// The point played on, unless it is a pass.
    pub const fn point(self) -> Option<Point> {
        match self {
            Move::Play(point) => Some(point),
            Move::Pass => None,
        }
    }

    /// A number for arrays and trees: 0 for a pass, else the index of the point; below [`Point::LIMIT`].
    #[inline(always)]
    pub const fn code(self) -> u16 {
        match self {
            Move::Play(point) => point.0.get(),
            Move::Pass => 0,
        }
    }

    /// Inverse of [`Move::code`]; a number that is no code becomes a pass.
    #[inline(always)]
    pub fn from_code(code: u16) -> Move {
        match NonZeroU16::new(code) {
            Some(index) if (FIRST_INDEX..=LAST_INDEX).contains(&usize::from(code)) => {
                Move::Play(Point(index))
            }
            _ => Move::Pass,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_round_trip_on_every_size() {
        for width in 2..=25 {
            for height in 2..=25 {
                let size = Size::new(width, height).unwrap();
                assert_eq!(size.points().count(), size.area());
                for (ordinal, point) in size.points().enumerate() {
                    assert_eq!(size.point(size.x(point), size.y(point)), Some(point));
                    assert_eq!(size.ordinal(point), ordinal);
                    assert!(size.contains(point));
                    assert!(point.index() + size.stride() + 1 < size.index_limit());
                }
            }
        }
    }

    #[test]
    fn neighbours_of_any_point_at_any_stride_stay_in_range() {
        let indices: Vec<usize> = (2..=25)
            .flat_map(|w| (2..=25).map(move |h| Size::new(w, h).unwrap()))
            .flat_map(|size| [size.point(0, 0), size.point(size.width() - 1, size.height() - 1)])
            .map(|point| point.unwrap().index())
            .collect();
        assert!(indices.iter().all(|&i| i > MAX_STRIDE && i + MAX_STRIDE + 1 < INDEX_LIMIT));
    }

    #[test]
    fn only_the_codes_of_points_become_points() {
        let codes: std::collections::BTreeSet<u16> = (2..=25)
            .flat_map(|w| (2..=25).map(move |h| Size::new(w, h).unwrap()))
            .flat_map(|size| size.points().map(|point| Move::Play(point).code()))
            .collect();
        let (first, last) = (*codes.first().unwrap(), *codes.last().unwrap());
        for code in 0..=u16::MAX {
            let is_point = (first..=last).contains(&code);
            assert_eq!(Move::from_code(code) != Move::Pass, is_point, "{code}");
        }
    }

    #[test]
    fn sizes_outside_the_limits_are_refused() {
        assert!(Size::square(1).is_err());
        assert!(Size::new(9, 26).is_err());
        assert_eq!(
            Size::new(0, 9).unwrap_err().to_string(),
            "board size 0x9 is not supported: each side must be 2 to 25"
        );
    }

    #[test]
    fn a_move_takes_two_bytes() {
        assert_eq!(size_of::<Option<Point>>(), 2);
        assert_eq!(size_of::<Move>(), 2);
    }
}
