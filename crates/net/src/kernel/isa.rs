//! Which instructions the kernels use.

use std::fmt;
use std::str::FromStr;

#[cfg(target_arch = "x86_64")]
use super::avx2::Avx2;
#[cfg(target_arch = "x86_64")]
use super::avx512::{Avx512, Avx512Bf16};
use super::portable::Portable;
use super::simd::Kernel;

/// An instruction set that networks can be evaluated with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Isa {
    /// Whatever the program was compiled for.
    Portable,
    /// AVX2 and FMA, in f32.
    Avx2,
    /// AVX-512, in f32.
    Avx512,
    /// AVX-512 with products of bf16 numbers, summed in f32.
    Avx512Bf16,
}

/// What can go wrong with the choice of an instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IsaError {
    /// No instruction set has this name.
    Unknown,
    /// This processor does not have it.
    Missing(Isa),
}

impl fmt::Display for IsaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IsaError::Unknown => {
                write!(f, "unknown instruction set, not one of")?;
                Isa::ALL.iter().try_for_each(|isa| write!(f, " {isa}"))
            }
            IsaError::Missing(isa) => write!(f, "this processor has no {isa}"),
        }
    }
}

impl std::error::Error for IsaError {}

impl Isa {
    /// All of them, the slowest first.
    pub const ALL: [Isa; 4] = [Isa::Portable, Isa::Avx2, Isa::Avx512, Isa::Avx512Bf16];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Isa::Portable => "portable",
            Isa::Avx2 => "avx2",
            Isa::Avx512 => "avx512",
            Isa::Avx512Bf16 => "avx512-bf16",
        }
    }

    /// Whether this processor has it.
    pub fn is_available(self) -> bool {
        Unit::new(self).is_ok()
    }

    /// Whether everything is computed in f32.
    pub fn is_exact(self) -> bool {
        match self {
            Isa::Portable | Isa::Avx2 | Isa::Avx512 => true,
            Isa::Avx512Bf16 => false,
        }
    }

    /// The fastest one of this processor that computes in f32.
    pub fn best_exact() -> Isa {
        let exact = Isa::ALL.into_iter().rev().find(|isa| isa.is_exact() && isa.is_available());
        exact.unwrap_or(Isa::Portable)
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Isa {
    type Err = IsaError;

    fn from_str(name: &str) -> Result<Isa, IsaError> {
        Isa::ALL.into_iter().find(|isa| isa.name() == name).ok_or(IsaError::Unknown)
    }
}

/// An instruction set with the proof that the processor has it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unit {
    Portable,
    /// What the other bf16 unit is tested against.
    #[cfg(test)]
    PortableBf16,
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    #[cfg(target_arch = "x86_64")]
    Avx512Bf16(Avx512Bf16),
}

impl Unit {
    /// The proof, or that there is none.
    pub(crate) fn new(isa: Isa) -> Result<Unit, IsaError> {
        let unit = match isa {
            Isa::Portable => Some(Unit::Portable),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => Avx2::detect().map(Unit::Avx2),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => Avx512::detect().map(Unit::Avx512),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512Bf16 => Avx512Bf16::detect().map(Unit::Avx512Bf16),
            #[cfg(not(target_arch = "x86_64"))]
            Isa::Avx2 | Isa::Avx512 | Isa::Avx512Bf16 => None,
        };
        unit.ok_or(IsaError::Missing(isa))
    }

    /// The same instructions as far as they compute in f32.
    pub(crate) fn exact(self) -> Unit {
        match self {
            #[cfg(test)]
            Unit::PortableBf16 => Unit::Portable,
            #[cfg(target_arch = "x86_64")]
            Unit::Avx512Bf16(unit) => Unit::Avx512(unit.exact()),
            unit => unit,
        }
    }

    /// Computes a kernel.
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self {
            Unit::Portable => kernel.run(Portable),
            #[cfg(test)]
            Unit::PortableBf16 => kernel.run(super::portable::PortableBf16),
            #[cfg(target_arch = "x86_64")]
            Unit::Avx2(unit) => unit.run(kernel),
            #[cfg(target_arch = "x86_64")]
            Unit::Avx512(unit) => unit.run(kernel),
            #[cfg(target_arch = "x86_64")]
            Unit::Avx512Bf16(unit) => unit.run(kernel),
        }
    }
}
