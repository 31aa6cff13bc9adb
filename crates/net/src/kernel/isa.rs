//! Which instructions the kernels use.

use std::fmt;
use std::str::FromStr;

#[cfg(target_arch = "x86_64")]
use super::amx::Amx;
#[cfg(target_arch = "x86_64")]
use super::avx2::{Avx2, Avx2Int16};
#[cfg(target_arch = "x86_64")]
use super::avx512::{Avx512, Avx512Vnni};
use super::portable::Portable;
use super::simd::Kernel;

/// An instruction set that networks can be evaluated with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Isa {
    /// Whatever the program was compiled for.
    Portable,
    /// AVX2 and FMA, in f32.
    Avx2,
    /// AVX2 with products of whole numbers of 16 bits.
    Avx2Int16,
    /// AVX-512, in f32.
    Avx512,
    /// AVX-512 with products of whole numbers of 16 bits.
    Avx512Vnni,
    /// AMX with products of bf16 numbers, summed in f32.
    Amx,
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
    /// All of them, the slowest first; the place of AMX is expected, not measured.
    pub const ALL: [Isa; 6] =
        [Isa::Portable, Isa::Avx2, Isa::Avx512, Isa::Avx2Int16, Isa::Avx512Vnni, Isa::Amx];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Isa::Portable => "portable",
            Isa::Avx2 => "avx2",
            Isa::Avx2Int16 => "avx2-int16",
            Isa::Avx512 => "avx512",
            Isa::Avx512Vnni => "avx512-vnni",
            Isa::Amx => "amx",
        }
    }

    /// Whether this processor has it.
    pub fn is_available(self) -> bool {
        Multiplier::new(self).is_ok()
    }

    /// Whether everything is computed in f32.
    pub fn is_exact(self) -> bool {
        match self {
            Isa::Portable | Isa::Avx2 | Isa::Avx512 => true,
            Isa::Avx2Int16 | Isa::Avx512Vnni | Isa::Amx => false,
        }
    }

    /// The fastest one of this processor: what to play with. It may round multiplicands, which moves win rates by a few hundredths of a
    /// per cent.
    pub fn best() -> Isa {
        Isa::ALL.into_iter().rev().find(|isa| isa.is_available()).unwrap_or(Isa::Portable)
    }

    /// The fastest one of this processor that computes in f32: for labels and for comparisons.
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

/// Instructions for everything but matrix products, always in f32, with the proof that the processor has them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unit {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Unit {
    /// Computes a kernel.
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self {
            Unit::Portable => kernel.run(Portable),
            #[cfg(target_arch = "x86_64")]
            Unit::Avx2(unit) => unit.run(kernel),
            #[cfg(target_arch = "x86_64")]
            Unit::Avx512(unit) => unit.run(kernel),
        }
    }
}

/// Instructions for matrix products, with the proof that the processor has them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Multiplier {
    /// In f32.
    Exact(Unit),
    /// What the other units for whole numbers are tested against.
    #[cfg(test)]
    PortableInt16,
    /// What AMX is tested against.
    #[cfg(test)]
    TileModel,
    #[cfg(target_arch = "x86_64")]
    Avx2Int16(Avx2Int16),
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni(Avx512Vnni),
    #[cfg(target_arch = "x86_64")]
    Amx(Amx),
}

impl From<Unit> for Multiplier {
    fn from(unit: Unit) -> Multiplier {
        Multiplier::Exact(unit)
    }
}

impl Multiplier {
    /// The proof, or that there is none.
    pub(crate) fn new(isa: Isa) -> Result<Multiplier, IsaError> {
        let multiplier = match isa {
            Isa::Portable => Some(Multiplier::Exact(Unit::Portable)),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => Avx2::detect().map(Unit::Avx2).map(Multiplier::Exact),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2Int16 => Avx2Int16::detect().map(Multiplier::Avx2Int16),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => Avx512::detect().map(Unit::Avx512).map(Multiplier::Exact),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512Vnni => Avx512Vnni::detect().map(Multiplier::Avx512Vnni),
            #[cfg(target_arch = "x86_64")]
            Isa::Amx => Amx::detect().map(Multiplier::Amx),
            #[cfg(not(target_arch = "x86_64"))]
            _ => None,
        };
        multiplier.ok_or(IsaError::Missing(isa))
    }

    /// The same instructions as far as they compute in f32.
    pub(crate) fn exact(self) -> Unit {
        match self {
            Multiplier::Exact(unit) => unit,
            #[cfg(test)]
            Multiplier::PortableInt16 => Unit::Portable,
            // That of AMX, where there is one to be compared with.
            #[cfg(all(test, target_arch = "x86_64"))]
            Multiplier::TileModel => Avx512::detect().map_or(Unit::Portable, Unit::Avx512),
            #[cfg(all(test, not(target_arch = "x86_64")))]
            Multiplier::TileModel => Unit::Portable,
            #[cfg(target_arch = "x86_64")]
            Multiplier::Avx2Int16(unit) => Unit::Avx2(unit.exact()),
            #[cfg(target_arch = "x86_64")]
            Multiplier::Avx512Vnni(unit) => Unit::Avx512(unit.exact()),
            #[cfg(target_arch = "x86_64")]
            Multiplier::Amx(unit) => Unit::Avx512(unit.exact()),
        }
    }

    /// Whether 3×3 convolutions are better computed without transforms: products that are fast enough take less time than those.
    pub(crate) fn is_direct(self) -> bool {
        match self {
            #[cfg(test)]
            Multiplier::TileModel => true,
            #[cfg(target_arch = "x86_64")]
            Multiplier::Amx(_) => true,
            _ => false,
        }
    }

    /// Computes a kernel that multiplies matrices.
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self {
            Multiplier::Exact(unit) => unit.run(kernel),
            #[cfg(test)]
            Multiplier::PortableInt16 => kernel.run(super::portable::PortableInt16),
            #[cfg(test)]
            Multiplier::TileModel => kernel.run(super::portable::TileModel),
            #[cfg(target_arch = "x86_64")]
            Multiplier::Avx2Int16(unit) => unit.run(kernel),
            #[cfg(target_arch = "x86_64")]
            Multiplier::Avx512Vnni(unit) => unit.run(kernel),
            #[cfg(target_arch = "x86_64")]
            Multiplier::Amx(unit) => unit.run(kernel),
        }
    }
}
