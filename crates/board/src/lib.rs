//! The game of Go: points, boards, rules, games, scoring and the knowledge that can be read off a position.
#![deny(unsafe_code)]

mod board;
mod color;
mod neighborhood;
mod point;
mod point_map;
pub mod zobrist;

pub use board::{Board, Chain, IllegalMove, Liberties, Suicide};
pub use color::{Cell, Color};
pub use neighborhood::Neighborhood;
pub use point::{MAX_AREA, MAX_SIDE, MIN_SIDE, Move, Point, Size, SizeError};
pub use point_map::PointMap;
