//! Sixteen numbers that are computed together.
//!
//! All buffers of the kernels are slices of [`Lanes`]: sixteen is one register of AVX-512, two of AVX2, and small enough that rounding
//! channels up wastes little. The alignment makes every load a whole cache line.

/// How many numbers are computed together.
pub(crate) const WIDTH: usize = 16;

/// Sixteen numbers, aligned to a cache line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Lanes(pub(crate) [f32; WIDTH]);

impl Lanes {
    /// Zero in all lanes.
    pub(crate) const ZERO: Lanes = Lanes([0.0; WIDTH]);

    /// How many lanes hold `numbers` numbers.
    pub(crate) const fn count(numbers: usize) -> usize {
        numbers.div_ceil(WIDTH)
    }

    /// Copies numbers into lanes, zeros behind them.
    pub(crate) fn fill(lanes: &mut [Lanes], numbers: &[f32]) {
        assert!(numbers.len() <= lanes.len() * WIDTH, "more numbers than lanes");
        lanes.fill(Lanes::ZERO);
        for (lane, chunk) in lanes.iter_mut().zip(numbers.chunks(WIDTH)) {
            lane.0[..chunk.len()].copy_from_slice(chunk);
        }
    }
}
