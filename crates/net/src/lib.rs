//! Neural networks for Go: descriptions, file formats, planes and kernels.
//!
//! [`model`] is the vocabulary: a network as plain data, without any opinion on how to compute it. Readers make it
//! (`katago`, `own`), writers take it (`own`, `onnx`), and whoever evaluates or trains a network walks through it. [`output`] is
//! what comes out of a network and what it means.
//!
//! A [`Network`] is a model made ready for a processor, a [`Session`] evaluates positions with it, and `kernel` is what both spend their
//! time on. [`reference`](mod@reference) evaluates slowly and obviously.
#![deny(unsafe_code)]

mod file;
pub mod input;
pub mod katago;
mod kernel;
pub mod model;
mod network;
pub mod onnx;
pub mod output;
pub mod own;
mod reader;
pub mod reference;
mod session;

pub use file::{FormatError, LoadCause, LoadError, load, read};
pub use kernel::{Isa, IsaError};
pub use network::{Network, NetworkError};
pub use reader::{MAX_BATCH, Reader, Seat};
pub use session::{Input, Session};
