//! The 3×3 neighbourhood of a point as a 16-bit code, and what can be read off it.
//!
//! Two bits per neighbour, with the values of [`Cell`]: north, west, east, south in the low byte, then north-west,
//! north-east, south-west, south-east. The board keeps the code of every point up to date (8 XORs per
//! stone), because eye, liberty and pattern tests are then a few bit operations without a memory access.

use crate::color::{Cell, Color};

/// The eight cells around a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Neighborhood(pub u16);

/// One bit in each of the four fields of a byte.
const LOW_BITS: u32 = 0x55;

impl Neighborhood {
    /// Fields in bit order: `(dx, dy)` of each neighbour.
    pub const STEPS: [(isize, isize); 8] =
        [(0, -1), (-1, 0), (1, 0), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)];

    /// Builds the code from the cells in the order of [`Neighborhood::STEPS`].
    pub fn new(cells: [Cell; 8]) -> Neighborhood {
        let fields = cells.iter().enumerate();
        Neighborhood(fields.fold(0, |code, (i, &cell)| code | (cell as u16) << (2 * i)))
    }

    /// The neighbour at position `i` of [`Neighborhood::STEPS`].
    pub fn cell(self, i: usize) -> Cell {
        match self.0 >> (2 * i) & 3 {
            0 => Cell::Empty,
            1 => Cell::Black,
            2 => Cell::White,
            _ => Cell::Wall,
        }
    }

    #[inline(always)]
    fn sides(self) -> u32 {
        u32::from(self.0 & 0xff)
    }

    #[inline(always)]
    fn corners(self) -> u32 {
        u32::from(self.0 >> 8)
    }

    /// Whether a point beside this one is empty.
    #[inline(always)]
    pub fn has_empty_side(self) -> bool {
        let sides = self.sides();
        (sides | sides >> 1) & LOW_BITS != LOW_BITS
    }

    /// Number of empty points beside this one.
    #[inline(always)]
    pub fn empty_sides(self) -> u32 {
        let sides = self.sides();
        (!(sides | sides >> 1) & LOW_BITS).count_ones()
    }

    /// Number of stones of `color` beside this point.
    #[inline(always)]
    pub fn sides_of(self, color: Color) -> u32 {
        count(self.sides(), color)
    }

    /// Number of stones of `color` diagonally beside this point.
    #[inline(always)]
    pub fn corners_of(self, color: Color) -> u32 {
        count(self.corners(), color)
    }

    /// Whether all sides are `color` or wall.
    #[inline(always)]
    pub fn is_surrounded_by(self, color: Color) -> bool {
        let own = LOW_BITS << color.index();
        self.sides() & own == own
    }

    /// Whether an empty point here is an eye of `color` that its owner should not fill.
    ///
    /// All sides are own; of the corners the opponent has at most one, and none at the edge.
    #[inline(always)]
    pub fn is_eye_of(self, color: Color) -> bool {
        self.is_surrounded_by(color) && !self.has_false_corners(color)
    }

    #[inline(always)]
    fn has_false_corners(self, color: Color) -> bool {
        let corners = self.corners();
        let at_edge = corners & corners >> 1 & LOW_BITS != 0;
        count(corners, !color) + u32::from(at_edge) >= 2
    }
}

/// Number of fields of a byte that hold exactly `color`.
#[inline(always)]
fn count(byte: u32, color: Color) -> u32 {
    let other = 1 - color.index() as u32;
    (byte >> color.index() & !(byte >> other) & LOW_BITS).count_ones()
}

/// A set of neighbourhoods, one bit each, for questions that are asked in the inner loop.
#[derive(Clone, Debug)]
pub struct NeighborhoodSet(Box<[u64; 1024]>);

impl NeighborhoodSet {
    /// Whether a neighbourhood is in the set.
    #[inline(always)]
    pub fn contains(&self, code: Neighborhood) -> bool {
        self.0[usize::from(code.0 >> 6)] >> (code.0 & 63) & 1 != 0
    }

    /// Number of neighbourhoods in the set.
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }
}

impl Default for NeighborhoodSet {
    fn default() -> NeighborhoodSet {
        NeighborhoodSet(Box::new([0; 1024]))
    }
}

impl Extend<Neighborhood> for NeighborhoodSet {
    fn extend<I: IntoIterator<Item = Neighborhood>>(&mut self, codes: I) {
        for code in codes {
            self.0[usize::from(code.0 >> 6)] |= 1 << (code.0 & 63);
        }
    }
}

impl FromIterator<Neighborhood> for NeighborhoodSet {
    fn from_iter<I: IntoIterator<Item = Neighborhood>>(codes: I) -> NeighborhoodSet {
        let mut set = NeighborhoodSet::default();
        set.extend(codes);
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `picture` is three rows of three, the centre ignored: `X` black, `O` white, `.` empty, `#` wall.
    fn code(picture: &str) -> Neighborhood {
        let cells: Vec<Cell> = picture
            .chars()
            .filter(|c| !c.is_whitespace())
            .map(|c| match c {
                'X' => Cell::Black,
                'O' => Cell::White,
                '#' => Cell::Wall,
                _ => Cell::Empty,
            })
            .collect();
        Neighborhood::new([1, 3, 5, 7, 0, 2, 6, 8].map(|i: usize| cells[i]))
    }

    fn check_eye(picture: &str, black: bool) {
        assert_eq!(code(picture).is_eye_of(Color::Black), black, "{picture}");
        let swapped: String = picture
            .chars()
            .map(|c| match c {
                'X' => 'O',
                'O' => 'X',
                c => c,
            })
            .collect();
        assert_eq!(code(&swapped).is_eye_of(Color::White), black, "{swapped}");
        assert!(!code(picture).is_eye_of(Color::White));
    }

    #[test]
    fn eyes() {
        check_eye("XXX X.X XXX", true);
        check_eye("OXX X.X XXX", true);
        check_eye(".X. X.X OX.", true);
        check_eye("OXX X.X XXO", false);
        check_eye("XXX X.. XXX", false);
        check_eye("XXX X.O XXX", false);
        check_eye("### X.X XXX", true);
        check_eye("### X.X XXO", false);
        check_eye("### #.X #X.", true);
        check_eye("### #.X #XO", false);
    }

    #[test]
    fn counts_agree_with_the_cells() {
        for bits in 0..=u16::MAX {
            let code = Neighborhood(bits);
            let cells: Vec<Cell> = (0..8).map(|i| code.cell(i)).collect();
            let sides = |wanted: Cell| cells[..4].iter().filter(|&&cell| cell == wanted).count() as u32;
            let corners = |wanted: Cell| cells[4..].iter().filter(|&&cell| cell == wanted).count() as u32;
            assert_eq!(code.empty_sides(), sides(Cell::Empty));
            assert_eq!(code.has_empty_side(), sides(Cell::Empty) > 0);
            for color in Color::BOTH {
                assert_eq!(code.sides_of(color), sides(color.cell()));
                assert_eq!(code.corners_of(color), corners(color.cell()));
                let owned = sides(color.cell()) + sides(Cell::Wall) == 4;
                assert_eq!(code.is_surrounded_by(color), owned);
                let allowed = if corners(Cell::Wall) > 0 { 0 } else { 1 };
                assert_eq!(code.is_eye_of(color), owned && corners((!color).cell()) <= allowed);
            }
        }
    }
}
