//! Playouts, tree, selection rules and walks. Prints nothing, reads no clock and no file.
#![forbid(unsafe_code)]

pub mod playout;
mod rng;

pub use rng::Rng;
