//! Supervised training of small networks on a CPU.
#![deny(unsafe_code)]

mod feed;
#[allow(unsafe_code)]
pub mod kernel;
mod layer;
mod learner;
mod loss;
pub mod network;
pub mod optimizer;
mod pass;
pub mod sample;
mod target;
mod winograd;

pub use learner::{Diverged, Learner, Method, State, Step, Weights};
pub use loss::{LossWeights, Tally};
pub use pass::Cut;
pub use target::{Batch, Targets, Weighted};
