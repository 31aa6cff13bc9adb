//! Everything that learns from games on a CPU: small networks, from games, labels and winning, and gammas for playouts.
#![deny(unsafe_code)]

mod feed;
pub mod gamma;
#[allow(unsafe_code)]
pub mod kernel;
pub mod label;
mod layer;
mod learner;
mod loss;
pub mod network;
pub mod optimizer;
mod pass;
pub mod pipeline;
pub mod run;
pub mod sample;
mod source;
mod target;
mod winograd;

pub use feed::Mix;
pub use learner::{Diverged, Learner, Method, State, Step, Weights};
pub use loss::{LossWeights, Tally};
pub use pass::Cut;
pub use source::{SourceError, SourceReport, read_games};
pub use target::{Batch, Targets, Weighted};
