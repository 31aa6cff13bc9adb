//! Kernels: what an evaluation spends its time on.
//!
//! A kernel is written once, generic over an instruction set ([`simd::Simd`]), and compiled for each ([`Isa`], chosen at run time). Numbers are
//! computed sixteen at a time ([`lanes::Lanes`]); buffers have a row of lanes per point, channels last. 3×3 convolutions go through a
//! [Winograd transform](winograd), and so does everything through [matrix products](gemm) in the end.
//!
//! `unsafe` is in six small files: `avx2`, `avx512` and `amx` (instructions behind proofs that the processor has them), `tile` (the innermost
//! loop, after a check of all bounds), `memory` (huge pages) and `float_mode` (denormals). All kernels are tested with all
//! instruction sets of the machine against sums by definition (`test`); there `unsafe` is in two files more, an emulator of AMX and buffers
//! between forbidden pages.

mod activation;
#[cfg(target_arch = "x86_64")]
mod amx;
pub(crate) mod attention;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
pub(crate) mod convolution;
pub(crate) mod direct;
pub(crate) mod finish;
pub(crate) mod float_mode;
pub(crate) mod gemm;
mod isa;
pub(crate) mod lanes;
pub(crate) mod memory;
pub(crate) mod point;
pub(crate) mod pool;
mod portable;
pub(crate) mod scratch;
#[cfg(any(test, target_arch = "x86_64"))]
mod self_check;
pub(crate) mod simd;
pub(crate) mod stem;
#[cfg(test)]
mod test;
#[cfg(target_arch = "x86_64")]
mod tile;
pub(crate) mod winograd;

pub use isa::{Isa, IsaError};
pub(crate) use isa::{Multiplier, Unit};
