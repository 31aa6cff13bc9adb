//! The input of a network for one position: planes as bits, and global numbers.
//!
//! All planes of all sets hold zeros and ones, and few ones, so a point is a word with a bit per plane. That is what a first layer
//! needs that skips zeros ([`Planes::points`]), it is cheap to turn or mirror, and dense arrays in any order are made of
//! it where somebody wants them.

use super::symmetry::Turn;
use std::fmt;
use tesuji_board::{MAX_AREA, Size};

/// Most global numbers of a set.
const MAX_GLOBALS: usize = super::people::GLOBALS;

/// The input of a network for one position. Belongs to the caller, who uses it again for the next one.
#[derive(Clone)]
pub struct Planes {
    size: Size,
    /// By point in reading order: bit n is plane n.
    points: Box<[u64; MAX_AREA]>,
    globals: [f32; MAX_GLOBALS],
    global_count: usize,
}

/// How planes lie in a dense array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// `[plane][point]`.
    PlaneMajor,
    /// `[point][channel]`, with so many channels a point; those that are not planes become 0.
    ChannelLast {
        /// Distance from point to point, at least the number of planes.
        channels: usize,
    },
}

/// An array has not the length that planes or global numbers need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongLength {
    /// Its length.
    pub found: usize,
    /// The length needed.
    pub expected: usize,
}

impl fmt::Display for WrongLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an array of {} numbers where {} are needed", self.found, self.expected)
    }
}

impl std::error::Error for WrongLength {}

impl Planes {
    /// All zero.
    pub fn new(size: Size) -> Planes {
        Planes { size, points: Box::new([0; MAX_AREA]), globals: [0.0; MAX_GLOBALS], global_count: 0 }
    }

    /// The board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// By point in reading order: bit n is plane n.
    #[inline]
    pub fn points(&self) -> &[u64] {
        &self.points[..self.size.area()]
    }

    /// The global numbers of the set.
    #[inline]
    pub fn globals(&self) -> &[f32] {
        &self.globals[..self.global_count]
    }

    /// Every plane and point, in reading order, that is 1.
    pub fn ones(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.points().iter().enumerate().flat_map(|(point, &word)| {
            let mut bits = word;
            std::iter::from_fn(move || {
                let plane = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
                bits &= bits - 1;
                Some((plane, point))
            })
        })
    }

    /// Writes the given planes, in their order, as a dense array.
    pub fn write_planes(
        &self,
        planes: &[usize],
        layout: Layout,
        values: &mut [f32],
    ) -> Result<(), WrongLength> {
        let area = self.size.area();
        let expected = match layout {
            Layout::PlaneMajor => planes.len() * area,
            Layout::ChannelLast { channels } => channels.max(planes.len()) * area,
        };
        if values.len() != expected {
            return Err(WrongLength { found: values.len(), expected });
        }
        let value = |word: u64, plane: usize| (word >> (plane % 64) & 1) as f32;
        match layout {
            Layout::PlaneMajor => {
                for (values, &plane) in values.chunks_exact_mut(area).zip(planes) {
                    for (out, &word) in values.iter_mut().zip(self.points()) {
                        *out = value(word, plane);
                    }
                }
            }
            Layout::ChannelLast { .. } => {
                for (values, &word) in values.chunks_exact_mut(expected / area).zip(self.points()) {
                    let (used, unused) = values.split_at_mut(planes.len());
                    for (out, &plane) in used.iter_mut().zip(planes) {
                        *out = value(word, plane);
                    }
                    unused.fill(0.0);
                }
            }
        }
        Ok(())
    }

    /// Writes the given global numbers, in their order; one that the set has not is 0.
    pub fn write_globals(&self, globals: &[usize], values: &mut [f32]) -> Result<(), WrongLength> {
        if values.len() != globals.len() {
            return Err(WrongLength { found: values.len(), expected: globals.len() });
        }
        for (out, &global) in values.iter_mut().zip(globals) {
            *out = self.globals().get(global).copied().unwrap_or(0.0);
        }
        Ok(())
    }

    /// Makes this the image of `other` under a symmetry of its board.
    pub fn turn_from(&mut self, other: &Planes, turn: &Turn) {
        self.size = other.size;
        self.globals = other.globals;
        self.global_count = other.global_count;
        for (&word, &place) in other.points().iter().zip(turn.places()) {
            self.points[usize::from(place)] = word;
        }
    }

    /// Forgets everything, for a board of a size and so many global numbers, each 0; the points are for the caller to fill.
    pub(super) fn begin(&mut self, size: Size, globals: usize) -> (&mut [u64], &mut [f32]) {
        self.size = size;
        self.global_count = globals.min(MAX_GLOBALS);
        self.globals = [0.0; MAX_GLOBALS];
        (&mut self.points[..size.area()], &mut self.globals[..self.global_count])
    }

    /// Adds global numbers, each 0, until there are `globals`; all of them.
    pub(super) fn more_globals(&mut self, globals: usize) -> &mut [f32] {
        self.global_count = globals.min(MAX_GLOBALS);
        &mut self.globals[..self.global_count]
    }
}

/// Points off the board do not count.
impl PartialEq for Planes {
    fn eq(&self, other: &Planes) -> bool {
        self.size == other.size && self.points() == other.points() && self.globals() == other.globals()
    }
}

impl fmt::Debug for Planes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Planes")
            .field("size", &self.size)
            .field("points", &self.points())
            .field("globals", &self.globals())
            .finish()
    }
}
