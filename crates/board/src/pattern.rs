//! Pattern codes: the surroundings of a point, as the player to move sees them, the same in every orientation.
//!
//! Two codes, two bits per cell with the values of [`Cell`]: the 3×3 [`Neighborhood`], which the board keeps up to
//! date, and MD2, the twelve points within Manhattan distance two (Silver and Gelly 2007), computed when asked for.
//! MD2 has the neighbourhood in its low 16 bits, then the points two steps to the north, west, east and south.
//!
//! A canonical code is the least over the eight symmetries after exchanging the colours if White is to
//! move: stones of the player are `Black` in it.

use crate::board::Board;
use crate::color::{Cell, Color};
use crate::neighborhood::Neighborhood;
use crate::point::Point;
use crate::symmetry::Symmetry;
use std::sync::LazyLock;

/// Number of 3×3 codes.
const NEIGHBORHOODS: usize = 1 << 16;

/// By byte and symmetry: the four fields of the byte in their new places. The images of one byte lie together, so that all eight are
/// one load of the vector unit.
static SIDES: [[u32; 8]; 256] = permuted_bytes(0);
static CORNERS: [[u32; 8]; 256] = permuted_bytes(4);

static CANONICAL: LazyLock<Box<[u16]>> =
    LazyLock::new(|| (0..NEIGHBORHOODS).map(|code| least_image(code as u32) as u16).collect());

/// The canonical 3×3 code for `player` to move.
#[inline]
pub fn canonical_neighborhood(neighborhood: Neighborhood, player: Color) -> Neighborhood {
    let seen = as_black(u32::from(neighborhood.0), player);
    Neighborhood(CANONICAL[seen as usize])
}

/// The twelve points within Manhattan distance two of a point, in 24 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Md2(pub u32);

impl Md2 {
    /// Fields in bit order: `(dx, dy)` of each cell.
    pub const STEPS: [(isize, isize); 12] = [
        (0, -1),
        (-1, 0),
        (1, 0),
        (0, 1),
        (-1, -1),
        (1, -1),
        (-1, 1),
        (1, 1),
        (0, -2),
        (-2, 0),
        (2, 0),
        (0, 2),
    ];

    /// The code around a point, with the colours as they are.
    #[inline]
    pub fn around(board: &Board, point: Point) -> Md2 {
        let near = board.neighborhood(point).0;
        let far = board.cells_two_steps_away(point).into_iter().enumerate();
        Md2(far.fold(u32::from(near), |code, (i, cell)| code | (cell as u32) << (16 + 2 * i)))
    }

    /// The cell at position `i` of [`Md2::STEPS`].
    pub fn cell(self, i: usize) -> Cell {
        Neighborhood((self.0 >> (2 * i)) as u16).cell(0)
    }

    /// The code as a symmetry maps it.
    pub fn image(self, symmetry: Symmetry) -> Md2 {
        Md2(images(self.0)[symmetry.index()])
    }

    /// The canonical code for `player` to move.
    #[inline]
    pub fn canonical(self, player: Color) -> Md2 {
        Md2(least_image(as_black(self.0, player)))
    }
}

/// The code with the stones of `player` as Black.
#[inline]
fn as_black(code: u32, player: Color) -> u32 {
    match player {
        Color::Black => code,
        // Exchanging the two bits of a field exchanges the colours; empty and wall stay.
        Color::White => (code & 0x55_5555) << 1 | code >> 1 & 0x55_5555,
    }
}

#[inline]
fn least_image(code: u32) -> u32 {
    images(code).into_iter().fold(u32::MAX, u32::min)
}

/// By symmetry.
#[inline]
fn images(code: u32) -> [u32; 8] {
    let [sides, corners, far, _] = code.to_le_bytes();
    let (sides, corners, far) =
        (&SIDES[usize::from(sides)], &CORNERS[usize::from(corners)], &SIDES[usize::from(far)]);
    let mut images = [0; 8];
    for (i, image) in images.iter_mut().enumerate() {
        *image = sides[i] | corners[i] << 8 | far[i] << 16;
    }
    images
}

/// The images of the four fields that begin with number `first` of [`Neighborhood::STEPS`]: its sides or its corners.
const fn permuted_bytes(first: usize) -> [[u32; 8]; 256] {
    let mut images = [[0; 8]; 256];
    let mut symmetry = 0;
    while symmetry < 8 {
        let mut field = 0;
        while field < 4 {
            let source = source(Symmetry::ALL[symmetry], first, field);
            let mut byte = 0;
            while byte < 256 {
                let cell = byte >> (2 * source) & 3;
                images[byte][symmetry] |= (cell << (2 * field)) as u32;
                byte += 1;
            }
            field += 1;
        }
        symmetry += 1;
    }
    images
}

/// Which of the four fields a symmetry maps to the place of `field`.
const fn source(symmetry: Symmetry, first: usize, field: usize) -> usize {
    let (x, y) = Neighborhood::STEPS[first + field];
    let mut source = 0;
    loop {
        let (dx, dy) = symmetry.step(Neighborhood::STEPS[first + source]);
        if dx == x && dy == y {
            return source;
        }
        source += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Suicide;
    use crate::diagram::Diagram;
    use crate::testing::{Rng, random_board};
    use std::collections::HashSet;

    fn cell_at(board: &Board, point: Point, (dx, dy): (isize, isize)) -> Cell {
        let size = board.size();
        let x = size.x(point).checked_add_signed(dx);
        let y = size.y(point).checked_add_signed(dy);
        x.zip(y).and_then(|(x, y)| size.point(x, y)).map_or(Cell::Wall, |point| board.cell(point))
    }

    fn with_colors_exchanged(board: &Board) -> Board {
        let mut exchanged = Board::new(board.size());
        for point in board.size().points() {
            if let Some(color) = board.color(point) {
                exchanged.set_up(point, !color);
            }
        }
        exchanged
    }

    #[test]
    fn codes_hold_the_cells_of_the_board() {
        let mut rng = Rng::new(5);
        for _ in 0..200 {
            let board = random_board(&mut rng, Suicide::Allowed);
            for point in board.size().points() {
                let near = Neighborhood::STEPS.map(|step| cell_at(&board, point, step));
                assert_eq!(board.neighborhood(point), Neighborhood::new(near), "{board}");
                let code = Md2::around(&board, point);
                for (i, &step) in Md2::STEPS.iter().enumerate() {
                    assert_eq!(code.cell(i), cell_at(&board, point, step), "{step:?} in\n{board}");
                }
            }
        }
    }

    #[test]
    fn canonical_codes_are_the_same_in_every_orientation_and_with_colours_exchanged() {
        let mut rng = Rng::new(6);
        for _ in 0..100 {
            let board = random_board(&mut rng, Suicide::Allowed);
            let size = board.size();
            let exchanged = with_colors_exchanged(&board);
            for symmetry in Symmetry::ALL {
                let image = symmetry.board(&board);
                for point in size.points() {
                    let to = symmetry.point(size, point);
                    for player in Color::BOTH {
                        let md2 = Md2::around(&board, point).canonical(player);
                        assert_eq!(Md2::around(&image, to).canonical(player), md2);
                        assert_eq!(Md2::around(&image, to), Md2::around(&board, point).image(symmetry));
                        assert_eq!(Md2::around(&exchanged, point).canonical(!player), md2);
                        let near = canonical_neighborhood(board.neighborhood(point), player);
                        assert_eq!(canonical_neighborhood(image.neighborhood(to), player), near);
                        assert_eq!(canonical_neighborhood(exchanged.neighborhood(point), !player), near);
                    }
                }
            }
        }
    }

    /// Two positions get one code exactly if a symmetry maps them to each other.
    #[test]
    fn different_patterns_have_different_codes() {
        let check = |a: &str, b: &str, same: bool| {
            let code = |text: &str| {
                let parsed = Diagram::parse(text).unwrap();
                Md2::around(&parsed.board, parsed.point('a').unwrap()).canonical(Color::Black)
            };
            assert_eq!(code(a) == code(b), same, "{a}\n\n{b}");
        };
        check("XO...\n.....\n..a..\n.....\n.....", ".....\n.....\n..a..\n.....\n.....", true);
        check("..X..\n.O...\n..a..\n.....\n.....", ".....\n...O.\n..a.X\n.....\n.....", true);
        check("..X..\n.O...\n..a..\n.....\n.....", ".....\n.X...\n..a..\n.....\n..O..", false);
        check("..X..\n..O..\n..a..\n.....\n.....", ".....\n.....\nXOa..\n.....\n.....", true);
        check("..X..\n..O..\n..a..\n.....\n.....", "..O..\n..X..\n..a..\n.....\n.....", false);
    }

    /// Burnside's lemma: the mean number of the 4⁸ codes that a symmetry leaves as they are.
    #[test]
    fn the_number_of_canonical_neighbourhoods_is_the_number_of_orbits() {
        let codes: HashSet<u16> =
            (0..=u16::MAX).map(|code| canonical_neighborhood(Neighborhood(code), Color::Black).0).collect();
        let orbits = (4_usize.pow(8) + 2 * 4_usize.pow(2) + 4_usize.pow(4) + 4 * 4_usize.pow(5)) / 8;
        assert_eq!(codes.len(), orbits);
        assert!(codes.iter().all(|&code| canonical_neighborhood(Neighborhood(code), Color::Black).0 == code));
    }
}
