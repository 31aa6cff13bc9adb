//! Activations on sixteen numbers, and the exponential function that they need.

use super::simd::Simd;
use crate::model::Activation;

/// Beyond these the result would be infinite or too small for a normal number.
const EXP_RANGE: (f32, f32) = (-87.0, 88.0);

/// e to the power of `x`, to 2e-7 of the value; `x` is cut to −87 … 88.
///
/// eˣ = 2ⁿ · eʳ with n the whole number nearest to x / ln 2; the polynomial for eʳ is the one of degree six with the
/// least relative error on |r| ≤ ln 2 / 2 (2e-9, found by Remez' exchange).
#[inline(always)]
pub(crate) fn exp<S: Simd>(simd: S, x: S::Vector) -> S::Vector {
    // Adding and taking away 1.5 · 2²³ rounds to a whole number.
    const ROUND: f32 = 12_582_912.0;
    // ln 2 in two parts, so that n · ln 2 is nearly exact: the first has few digits.
    const LN_2: (f32, f32) = (0.693_359_4, -2.121_944_4e-4);
    const TERMS: [f32; 5] = [0.499_999_9, 0.166_664_2, 0.041_668_225, 0.008_374_824, 0.001_383_683_5];
    // In this order a number that is none stays one.
    let x = simd.max(simd.splat(EXP_RANGE.0), simd.min(simd.splat(EXP_RANGE.1), x));
    let shifted = simd.mul_add(x, simd.splat(std::f32::consts::LOG2_E), simd.splat(ROUND));
    let n = simd.sub(shifted, simd.splat(ROUND));
    let r = simd.mul_add(n, simd.splat(-LN_2.0), x);
    let r = simd.mul_add(n, simd.splat(-LN_2.1), r);
    let mut sum = simd.splat(TERMS[4]);
    for term in [TERMS[3], TERMS[2], TERMS[1], TERMS[0], 1.0, 1.0] {
        sum = simd.mul_add(sum, r, simd.splat(term));
    }
    simd.mul(sum, simd.power_of_two(n))
}

/// x · tanh(ln(1 + eˣ)), to 5e-7 of the value.
#[inline(always)]
fn mish<S: Simd>(simd: S, x: S::Vector) -> S::Vector {
    // With e = eˣ the tangent is n / (n + 2), n = e² + 2e. Beyond 20 it is 1, and later e² would overflow.
    let e = exp(simd, simd.min(simd.splat(20.0), x));
    let x = simd.max(simd.splat(EXP_RANGE.0), x);
    let n = simd.mul_add(e, e, simd.add(e, e));
    simd.mul(x, simd.div(n, simd.add(n, simd.splat(2.0))))
}

/// x / (1 + e⁻ˣ), to 5e-7 of the value.
#[inline(always)]
pub(crate) fn silu<S: Simd>(simd: S, x: S::Vector) -> S::Vector {
    let x = simd.max(simd.splat(EXP_RANGE.0), x);
    let e = exp(simd, simd.sub(simd.splat(0.0), x));
    simd.div(x, simd.add(simd.splat(1.0), e))
}

/// The activation of sixteen numbers.
#[inline(always)]
pub(crate) fn activate<S: Simd>(simd: S, activation: Activation, x: S::Vector) -> S::Vector {
    match activation {
        Activation::Identity => x,
        Activation::Relu => simd.max(simd.splat(0.0), x),
        Activation::Mish => mish(simd, x),
        Activation::Silu => silu(simd, x),
    }
}
