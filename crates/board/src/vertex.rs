//! Moves as text: GTP vertices (`D4`, `pass`) and SGF letter pairs (`dp`).
//!
//! GTP counts rows from the bottom and has no column I; SGF counts both from the top left. Both need the
//! [`Size`], because a [`Point`] means nothing without it. Resigning is no move: protocols handle it above.

use crate::point::{Move, Point, Size};
use std::fmt;

/// GTP column letters from the left: no I, and 25 of them.
pub(crate) const COLUMNS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// Up to this side `tt` is a pass in SGF, as it was in file format 3.
const SGF_PASS_SIDE: usize = 19;

/// Why a text names no move on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VertexError {
    /// Not a vertex at all.
    Malformed(String),
    /// A vertex of a larger board.
    OffBoard(String, Size),
}

impl fmt::Display for VertexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VertexError::Malformed(text) => write!(f, "'{text}' is not a vertex"),
            VertexError::OffBoard(text, size) => write!(f, "'{text}' is not on a {size} board"),
        }
    }
}

impl std::error::Error for VertexError {}

impl Point {
    /// The GTP vertex, such as `D4`.
    pub fn to_gtp(self, size: Size) -> String {
        let column = COLUMNS.get(size.x(self)).map_or('?', |&letter| char::from(letter));
        format!("{column}{}", size.height() - size.y(self))
    }

    /// The SGF letter pair, such as `dp`.
    pub fn to_sgf(self, size: Size) -> String {
        [size.x(self), size.y(self)].map(|i| char::from(b'a' + i as u8)).iter().collect()
    }
}

impl Move {
    /// Reads a GTP vertex or `pass`, in any case.
    pub fn from_gtp(text: &str, size: Size) -> Result<Move, VertexError> {
        if text.eq_ignore_ascii_case("pass") {
            return Ok(Move::Pass);
        }
        let malformed = || VertexError::Malformed(text.to_owned());
        let (letter, digits) = text.split_at_checked(1).ok_or_else(malformed)?;
        let letter = letter.as_bytes()[0].to_ascii_uppercase();
        let x = COLUMNS.iter().position(|&column| column == letter).ok_or_else(malformed)?;
        // `parse` alone would take a sign.
        if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(malformed());
        }
        let row: Option<usize> = digits.parse().ok();
        row.and_then(|row| size.height().checked_sub(row))
            .and_then(|y| size.point(x, y))
            .map(Move::Play)
            .ok_or_else(|| VertexError::OffBoard(text.to_owned(), size))
    }

    /// The GTP vertex, or `pass`.
    pub fn to_gtp(self, size: Size) -> String {
        self.point().map_or_else(|| "pass".to_owned(), |point| point.to_gtp(size))
    }

    /// Reads the value of an SGF move property: a letter pair from `aa` at the top left, or nothing for a pass;
    /// `tt` is also a pass on boards up to 19×19.
    pub fn from_sgf(text: &str, size: Size) -> Result<Move, VertexError> {
        let small = size.width() <= SGF_PASS_SIDE && size.height() <= SGF_PASS_SIDE;
        match text.as_bytes() {
            [] => Ok(Move::Pass),
            b"tt" if small => Ok(Move::Pass),
            [x @ b'a'..=b'z', y @ b'a'..=b'z'] => size
                .point(usize::from(x - b'a'), usize::from(y - b'a'))
                .map(Move::Play)
                .ok_or_else(|| VertexError::OffBoard(text.to_owned(), size)),
            _ => Err(VertexError::Malformed(text.to_owned())),
        }
    }

    /// The value of an SGF move property: a letter pair, or nothing for a pass.
    pub fn to_sgf(self, size: Size) -> String {
        self.point().map_or_else(String::new, |point| point.to_sgf(size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_gtp(text: &str, (width, height): (usize, usize), xy: Option<(usize, usize)>) {
        let size = Size::new(width, height).unwrap();
        let point = xy.map(|(x, y)| size.point(x, y).unwrap());
        assert_eq!(Move::from_gtp(text, size), Ok(point.map_or(Move::Pass, Move::Play)), "{text}");
    }

    #[test]
    fn gtp_vertices() {
        check_gtp("A1", (9, 9), Some((0, 8)));
        check_gtp("d4", (19, 19), Some((3, 15)));
        check_gtp("J9", (9, 9), Some((8, 0)));
        check_gtp("Z25", (25, 25), Some((24, 0)));
        check_gtp("c5", (3, 5), Some((2, 0)));
        check_gtp("d04", (19, 19), Some((3, 15)));
        check_gtp("PASS", (9, 9), None);
    }

    #[test]
    fn wrong_gtp_vertices() {
        let size = Size::square(9).unwrap();
        for text in ["", "I5", "55", "D", "D-4", "D+4", "D 4", "4D", "é4", "passs", "resign"] {
            assert_eq!(Move::from_gtp(text, size), Err(VertexError::Malformed(text.to_owned())));
        }
        for text in ["K1", "A0", "A10", "A99999999999999999999999"] {
            assert_eq!(Move::from_gtp(text, size), Err(VertexError::OffBoard(text.to_owned(), size)));
        }
    }

    #[test]
    fn sgf_letters() {
        let (small, large) = (Size::square(19).unwrap(), Size::new(20, 21).unwrap());
        assert_eq!(Move::from_sgf("", small), Ok(Move::Pass));
        assert_eq!(Move::from_sgf("tt", small), Ok(Move::Pass));
        assert_eq!(Move::from_sgf("tt", large), Ok(Move::Play(large.point(19, 19).unwrap())));
        assert_eq!(Move::from_sgf("dp", small), Ok(Move::Play(small.point(3, 15).unwrap())));
        for text in ["d", "DP", "d4", "dpp", "é"] {
            assert_eq!(Move::from_sgf(text, small), Err(VertexError::Malformed(text.to_owned())));
        }
        assert!(matches!(Move::from_sgf("ta", small), Err(VertexError::OffBoard(..))));
    }

    #[test]
    fn every_move_survives_a_round_trip() {
        for (width, height) in [(2, 2), (3, 7), (9, 9), (19, 19), (25, 2), (25, 25)] {
            let size = Size::new(width, height).unwrap();
            for mv in size.points().map(Move::Play).chain([Move::Pass]) {
                assert_eq!(Move::from_gtp(&mv.to_gtp(size), size), Ok(mv));
                assert_eq!(Move::from_gtp(&mv.to_gtp(size).to_lowercase(), size), Ok(mv));
                assert_eq!(Move::from_sgf(&mv.to_sgf(size), size), Ok(mv));
            }
        }
    }
}
