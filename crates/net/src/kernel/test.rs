//! Every kernel with every instruction set of this machine, against sums in f64 by definition.
//!
//! Sizes are random and small, seeds fixed. What must agree agrees to [`Bound::exact`] of the largest number of the result, or, where multiplicands are
//! rounded to bf16, to the stated bounds.

#[cfg(target_os = "linux")]
mod amx;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
pub(super) mod amx_emulator;
mod attention;
mod convolution;
mod gemm;
#[cfg(target_os = "linux")]
mod guarded;
mod network;
mod point;

use super::isa::{Isa, Multiplier, Unit};
use super::lanes::{Lanes, WIDTH};

/// Random numbers by splitmix64 (Steele, Lea, Flood 2014).
pub(super) struct Random(pub(super) u64);

impl Random {
    fn integer(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From `low` to `high`, both included.
    pub(super) fn between(&mut self, low: usize, high: usize) -> usize {
        low + (self.integer() % (high - low + 1) as u64) as usize
    }

    /// From −1 to 1.
    pub(super) fn number(&mut self) -> f32 {
        (self.integer() >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    pub(super) fn numbers(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| self.number()).collect()
    }
}

/// Rows of numbers in lanes, zeros behind each row; row 0 are zeros too.
pub(super) fn rows(numbers: &[f32], channels: usize) -> Vec<Lanes> {
    let lanes = Lanes::count(channels);
    let mut rows = vec![Lanes::ZERO; lanes * (1 + numbers.len() / channels)];
    for (row, numbers) in rows.chunks_exact_mut(lanes).skip(1).zip(numbers.chunks_exact(channels)) {
        Lanes::fill(row, numbers);
    }
    rows
}

/// Number `channel` of a row of `lanes` lanes.
pub(super) fn number(rows: &[Lanes], lanes: usize, row: usize, channel: usize) -> f64 {
    f64::from(rows[row * lanes + channel / WIDTH].0[channel % WIDTH])
}

/// How a multiplier rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounding {
    F32,
    Int16,
    Bf16,
}

/// All multipliers of this machine, and portable models of those that round.
pub(super) fn multipliers() -> Vec<(String, Multiplier, Rounding)> {
    let mut list = vec![
        ("portable-int16".to_owned(), Multiplier::PortableInt16, Rounding::Int16),
        ("model of AMX".to_owned(), Multiplier::TileModel, Rounding::Bf16),
    ];
    for isa in Isa::ALL {
        let rounding = match isa {
            Isa::Portable | Isa::Avx2 | Isa::Avx512 => Rounding::F32,
            Isa::Avx2Int16 | Isa::Avx512Vnni => Rounding::Int16,
            Isa::Amx => Rounding::Bf16,
        };
        let found = match isa {
            Isa::Amx => amx(),
            _ => Multiplier::new(isa).ok().map(|multiplier| (isa.name(), multiplier)),
        };
        match found {
            Some((name, multiplier)) => list.push((name.to_owned(), multiplier, rounding)),
            None => eprintln!("skipped: this processor has no {isa}"),
        }
    }
    list
}

/// The kernels of AMX: on the processor, or else with an emulator of the instructions, which needs a processor that has the others.
pub(super) fn amx() -> Option<(&'static str, Multiplier)> {
    if let Ok(multiplier) = Multiplier::new(Isa::Amx) {
        return Some(("amx", multiplier));
    }
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    if let Some(amx) = super::amx::Amx::emulated() {
        return Some(("emulated amx", Multiplier::Amx(amx)));
    }
    None
}

/// How far kernels of AMX may be from their model: not at all with the emulator. A processor does what its manual says, but whether it
/// sums in the same order, nobody has tried.
pub(super) fn distance_from_model(name: &str, on_a_processor: f64) -> f64 {
    if name == "amx" { on_a_processor } else { 0.0 }
}

/// All units of this machine for what is not a matrix product.
pub(super) fn units() -> Vec<(String, Unit)> {
    let exact = multipliers().into_iter().filter(|(_, _, rounding)| *rounding == Rounding::F32);
    exact.map(|(name, multiplier, _)| (name, multiplier.exact())).collect()
}

/// Found and expected numbers of one kernel.
#[derive(Default)]
pub(super) struct Comparison {
    largest: f64,
    worst: f64,
    squares: f64,
    errors: f64,
    count: usize,
}

impl Comparison {
    pub(super) fn add(&mut self, found: f64, expected: f64) {
        assert!(found.is_finite(), "{found} instead of {expected}");
        self.largest = self.largest.max(expected.abs());
        self.worst = self.worst.max((found - expected).abs());
        self.squares += expected * expected;
        self.errors += (found - expected).powi(2);
        self.count += 1;
    }

    /// The largest error as a share of the largest number.
    pub(super) fn worst(&self) -> f64 {
        assert!(self.count > 0 && self.largest > 0.0, "nothing was compared");
        self.worst / self.largest
    }

    /// The error as a share of the numbers, both as roots of mean squares.
    pub(super) fn mean(&self) -> f64 {
        assert!(self.count > 0 && self.squares > 0.0, "nothing was compared");
        (self.errors / self.squares).sqrt()
    }

    /// That the largest error is within the bound of f32.
    pub(super) fn check_exact(&self, what: &str) {
        assert!(self.worst() < 2e-5, "{what}: off by {:.1e} of the largest", self.worst());
    }
}
