//! A training run: a directory that holds everything, and a loop that can be stopped and killed at any moment.
//!
//! The directory has `checkpoint` (all that the run needs to go on), `net.safetensors` (the averaged weights, for use) and `curve.csv`. Each file is
//! replaced as a whole, so that it is always the old one or the new one. A run that was stopped, killed or cut off goes on from the last
//! checkpoint and ends with the same weights, to the last bit, as one that was not: batches depend on the seed and the step alone, and sums
//! are made in the same order whatever the number of threads.

mod checkpoint;
mod curve;
pub(crate) mod disk;
mod recipe;
mod trainer;

pub use checkpoint::{Checkpoint, CheckpointError};
pub use curve::{Curve, Row};
pub use recipe::Recipe;
pub use trainer::{Event, NewData, Pace, RunError, Trainer};

#[cfg(test)]
mod tests;
