//! Supervised training of small networks on a CPU.
#![deny(unsafe_code)]

#[allow(unsafe_code)]
pub mod kernel;
mod layer;
mod loss;
pub mod network;
mod pass;
mod target;
mod winograd;

pub use loss::{LossWeights, Tally};
pub use pass::Cut;
pub use target::{Batch, Targets, Weighted};
