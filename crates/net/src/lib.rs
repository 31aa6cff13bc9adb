//! Neural networks for Go: descriptions, file formats, planes and kernels.
//!
//! [`model`] is the vocabulary: a network as plain data, without any opinion on how to compute it. Readers make it
//! (`katago`, `own`), writers take it (`own`, `onnx`), and whoever evaluates or trains a network walks through it. [`output`] is
//! what comes out of a network and what it means.
#![deny(unsafe_code)]

mod file;
pub mod input;
pub mod katago;
pub mod model;
pub mod onnx;
pub mod output;
pub mod own;
pub mod reference;

pub use file::{FormatError, LoadCause, LoadError, load, read};
