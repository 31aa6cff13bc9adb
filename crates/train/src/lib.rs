//! Supervised training of small networks on a CPU.
#![deny(unsafe_code)]

#[allow(unsafe_code)]
pub mod kernel;
mod winograd;
