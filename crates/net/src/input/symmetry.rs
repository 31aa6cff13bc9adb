//! Symmetries as index tables, with KataGo's numbers.
//!
//! Bit 1 of a number mirrors top and bottom, bit 2 left and right, bit 4 transposes, in that order. On rectangles bit 4 is ignored, so
//! that the board keeps its size.

use tesuji_board::{Size, Symmetry};

/// Number of symmetries.
pub const SYMMETRIES: usize = 8;

/// Where a symmetry takes the points of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    places: Vec<u16>,
}

impl Turn {
    /// The symmetry of this number, of which the lowest three bits count, on boards of a size.
    pub fn new(size: Size, number: usize) -> Turn {
        let symmetry = symmetry(size, number);
        let place = |point| size.ordinal(symmetry.point(size, point)) as u16;
        Turn { places: size.points().map(place).collect() }
    }

    /// By point in reading order: where it goes.
    #[inline]
    pub fn places(&self) -> &[u16] {
        &self.places
    }

    /// Takes what a network said about the turned board back: one number per point, as many boards as there are. What is left
    /// over at the end, a pass say, stays where it is.
    pub fn take_back(&self, turned: &[f32], values: &mut [f32]) {
        let area = self.places.len();
        let whole = turned.len().min(values.len()) / area * area;
        for (turned, values) in turned.chunks_exact(area).zip(values.chunks_exact_mut(area)) {
            for (value, &place) in values.iter_mut().zip(&self.places) {
                *value = turned[usize::from(place)];
            }
        }
        for (value, &rest) in values.iter_mut().zip(turned).skip(whole) {
            *value = rest;
        }
    }
}

/// All symmetries of boards of one size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turns {
    size: Size,
    turns: Vec<Turn>,
}

impl Turns {
    /// The eight numbers; on a rectangle the last four repeat the first.
    pub fn of(size: Size) -> Turns {
        Turns { size, turns: (0..SYMMETRIES).map(|number| Turn::new(size, number)).collect() }
    }

    /// The boards they are for.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The symmetry of this number, of which the lowest three bits count.
    #[inline]
    pub fn get(&self, number: usize) -> &Turn {
        &self.turns[number % SYMMETRIES]
    }
}

/// KataGo's number as a symmetry of the board.
pub fn symmetry(size: Size, number: usize) -> Symmetry {
    let transposes = if size.is_square() { number & 4 } else { 0 };
    // The board's own numbers mirror left and right with bit 1.
    Symmetry::ALL[(number & 1) << 1 | (number & 2) >> 1 | transposes]
}
