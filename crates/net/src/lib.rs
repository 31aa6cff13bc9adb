//! Neural networks for Go: descriptions, file formats, planes and kernels.
//!
//! [`model`] is the vocabulary: a network as plain data, without any opinion on how to compute it. Readers make it
//! (`katago`, `own`), writers take it (`own`, `onnx`), and whoever evaluates or trains a network walks through it. [`output`] is
//! what comes out of a network and what it means.
#![deny(unsafe_code)]

pub mod katago;
mod kernel;
pub mod model;
mod network;
pub mod output;
pub mod reference;
mod session;

pub use kernel::{Isa, IsaError};
pub use network::{Network, NetworkError};
pub use session::{Input, Session};
