//! Playouts, tree, selection rules and walks. Prints nothing, reads no clock and no file.
#![forbid(unsafe_code)]

mod flat;
pub mod playout;
mod rng;
mod searcher;
pub mod select;
pub mod tree;

pub use flat::Flat;
pub use rng::Rng;
pub use searcher::{Control, Effort, MoveReport, Progress, Report, Searcher, Simulations};
