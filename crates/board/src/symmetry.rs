//! The eight symmetries of a square board, four of which keep the shape of a rectangle.
//!
//! A symmetry first mirrors and then possibly transposes. Transposing exchanges width and height, so applied to a
//! rectangle it gives a board of another [`Size`]; [`Symmetry::of`] lists those that do not.

use crate::board::Board;
use crate::color::Color;
use crate::point::{Move, Point, Size};
use crate::zobrist::stone_key;

const MIRROR_X: u8 = 1;
const MIRROR_Y: u8 = 2;
const TRANSPOSE: u8 = 4;

/// A way to turn or mirror a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symmetry(u8);

impl Symmetry {
    /// Leaves everything where it is.
    pub const IDENTITY: Symmetry = Symmetry(0);

    /// All eight; the first four do not transpose, the first is [`Symmetry::IDENTITY`].
    pub const ALL: [Symmetry; 8] = [
        Symmetry(0),
        Symmetry(1),
        Symmetry(2),
        Symmetry(3),
        Symmetry(4),
        Symmetry(5),
        Symmetry(6),
        Symmetry(7),
    ];

    /// The symmetries that map a board of this size to one of the same size.
    pub fn of(size: Size) -> &'static [Symmetry] {
        if size.is_square() { &Symmetry::ALL } else { &Symmetry::ALL[..4] }
    }

    /// Position in [`Symmetry::ALL`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether width and height change places.
    pub const fn transposes(self) -> bool {
        self.0 & TRANSPOSE != 0
    }

    /// The symmetry that does this one and then `next`.
    #[must_use]
    pub const fn then(self, next: Symmetry) -> Symmetry {
        // A mirror behind a transposition equals the other mirror before it.
        let mirrors = if self.transposes() { next.swapped_mirrors() } else { next.mirrors() };
        Symmetry((self.mirrors() ^ mirrors) | ((self.0 ^ next.0) & TRANSPOSE))
    }

    /// The symmetry that undoes this one.
    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        if self.transposes() { Symmetry(self.swapped_mirrors() | TRANSPOSE) } else { self }
    }

    /// The size of the image of a board.
    pub fn size(self, size: Size) -> Size {
        if self.transposes() { size.transposed() } else { size }
    }

    /// The image of a point of a board of `size`: a point of a board of [`Symmetry::size`].
    pub fn point(self, size: Size, point: Point) -> Point {
        let (mut x, mut y) = (size.x(point), size.y(point));
        if self.0 & MIRROR_X != 0 {
            x = size.width() - 1 - x;
        }
        if self.0 & MIRROR_Y != 0 {
            y = size.height() - 1 - y;
        }
        if self.transposes() {
            (x, y) = (y, x);
        }
        // Always on the board; only a point of another size could be off it, and such a point stays as it is.
        self.size(size).point(x, y).unwrap_or(point)
    }

    /// The image of a step from one point to another.
    pub const fn step(self, (dx, dy): (isize, isize)) -> (isize, isize) {
        let dx = if self.0 & MIRROR_X != 0 { -dx } else { dx };
        let dy = if self.0 & MIRROR_Y != 0 { -dy } else { dy };
        if self.transposes() { (dy, dx) } else { (dx, dy) }
    }

    /// The image of a move.
    pub fn play(self, size: Size, mv: Move) -> Move {
        match mv {
            Move::Play(point) => Move::Play(self.point(size, point)),
            Move::Pass => Move::Pass,
        }
    }

    /// The image of a position, with its ko and prisoners.
    pub fn board(self, board: &Board) -> Board {
        let size = board.size();
        let mut image = Board::new(self.size(size));
        for point in size.points() {
            if let Some(color) = board.color(point) {
                image.set_up(self.point(size, point), color);
            }
        }
        for color in Color::BOTH {
            if let Some(point) = board.ko_point(color) {
                image.set_ko(self.point(size, point), color);
            }
        }
        image.set_prisoners(Color::BOTH.map(|color| board.prisoners(color)));
        image
    }

    const fn mirrors(self) -> u8 {
        self.0 & (MIRROR_X | MIRROR_Y)
    }

    const fn swapped_mirrors(self) -> u8 {
        (self.0 & MIRROR_X) << 1 | (self.0 & MIRROR_Y) >> 1
    }
}

/// The least hash of the stones over all symmetries that keep the size, and a symmetry that leads there.
///
/// Like [`Board::hash`] it knows neither ko nor side to move; map those with the symmetry and add them.
pub fn canonical_hash(board: &Board) -> (u64, Symmetry) {
    let size = board.size();
    let symmetries = Symmetry::of(size);
    let mut hashes = [0; Symmetry::ALL.len()];
    for point in size.points() {
        if let Some(color) = board.color(point) {
            for symmetry in symmetries {
                hashes[symmetry.index()] ^= stone_key(color, symmetry.point(size, point).index());
            }
        }
    }
    symmetries
        .iter()
        .map(|&symmetry| (hashes[symmetry.index()], symmetry))
        .min()
        .unwrap_or((board.hash(), Symmetry::IDENTITY))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Suicide;
    use crate::diagram::Diagram;
    use crate::testing::{Rng, random_board};

    fn check(symmetry: Symmetry, before: &str, after: &str) {
        let image = symmetry.board(&Diagram::parse(before).unwrap().board);
        assert_eq!(image.to_string(), Diagram::parse(after).unwrap().board.to_string());
    }

    #[test]
    fn images() {
        check(Symmetry(0), "XO.\n.O.", "XO.\n.O.");
        check(Symmetry(MIRROR_X), "XO.\n.O.", ".OX\n.O.");
        check(Symmetry(MIRROR_Y), "XO.\n.O.", ".O.\nXO.");
        check(Symmetry(TRANSPOSE), "XO.\n.O.", "X.\nOO\n..");
        check(Symmetry(MIRROR_X | TRANSPOSE), "XO.\n.O.", "..\nOO\nX.");
    }

    #[test]
    fn composition_and_inverse_agree_with_the_points() {
        let size = Size::new(4, 3).unwrap();
        for a in Symmetry::ALL {
            assert_eq!(a.then(a.inverse()), Symmetry::IDENTITY);
            assert_eq!(a.inverse().then(a), Symmetry::IDENTITY);
            for b in Symmetry::ALL {
                for point in size.points() {
                    let stepwise = b.point(a.size(size), a.point(size, point));
                    assert_eq!(a.then(b).point(size, point), stepwise, "{a:?} then {b:?}");
                }
            }
        }
    }

    #[test]
    fn steps_agree_with_the_points() {
        let size = Size::new(5, 4).unwrap();
        let place = |size: Size, point: Point| (size.x(point) as isize, size.y(point) as isize);
        for symmetry in Symmetry::ALL {
            for (from, to) in size.points().flat_map(|from| size.points().map(move |to| (from, to))) {
                let step = |size, [from, to]: [Point; 2]| {
                    let ((x, y), (to_x, to_y)) = (place(size, from), place(size, to));
                    (to_x - x, to_y - y)
                };
                let images = [from, to].map(|point| symmetry.point(size, point));
                assert_eq!(symmetry.step(step(size, [from, to])), step(symmetry.size(size), images));
            }
        }
    }

    #[test]
    fn symmetries_are_different_and_keep_neighbours() {
        let size = Size::square(3).unwrap();
        for a in Symmetry::ALL {
            for point in size.points() {
                for side in size.neighbors(point) {
                    assert!(size.neighbors(a.point(size, point)).any(|p| p == a.point(size, side)));
                }
            }
            let same =
                |b: &&Symmetry| size.points().all(|point| a.point(size, point) == b.point(size, point));
            assert_eq!(Symmetry::ALL.iter().filter(same).count(), 1);
        }
    }

    #[test]
    fn the_canonical_hash_is_that_of_every_image() {
        let mut rng = Rng::new(2);
        for _ in 0..100 {
            let board = random_board(&mut rng, Suicide::Allowed);
            let (hash, symmetry) = canonical_hash(&board);
            assert_eq!(symmetry.board(&board).hash(), hash);
            for &symmetry in Symmetry::of(board.size()) {
                let image = symmetry.board(&board);
                assert_eq!(canonical_hash(&image).0, hash);
                assert_eq!(symmetry.inverse().board(&image).to_string(), board.to_string());
                assert_eq!(image.prisoners(Color::Black), board.prisoners(Color::Black));
            }
        }
    }
}
