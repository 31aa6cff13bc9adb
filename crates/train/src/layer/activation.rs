//! Activations and their derivatives, written so that the compiler makes vectors of them.

use tesuji_net::model::Activation;

/// A function with its derivative, chosen once per layer so that the loop over numbers has no branch.
pub(crate) trait Function {
    /// The value at `x`.
    fn value(x: f32) -> f32;
    /// The slope at `x`.
    fn slope(x: f32) -> f32;
}

pub(crate) struct Identity;
pub(crate) struct Relu;
pub(crate) struct Mish;
pub(crate) struct Silu;

impl Function for Identity {
    #[inline(always)]
    fn value(x: f32) -> f32 {
        x
    }

    #[inline(always)]
    fn slope(_: f32) -> f32 {
        1.0
    }
}

impl Function for Relu {
    #[inline(always)]
    fn value(x: f32) -> f32 {
        // Not `max`: a NaN must stay one, so that it is noticed.
        if x <= 0.0 { 0.0 } else { x }
    }

    #[inline(always)]
    fn slope(x: f32) -> f32 {
        if x <= 0.0 { 0.0 } else { 1.0 }
    }
}

impl Function for Mish {
    #[inline(always)]
    fn value(x: f32) -> f32 {
        x * tangent_of_softplus(exponential(x))
    }

    #[inline(always)]
    fn slope(x: f32) -> f32 {
        let e = exponential(x);
        let t = tangent_of_softplus(e);
        t + x * (e / (1.0 + e)) * (1.0 - t * t)
    }
}

impl Function for Silu {
    #[inline(always)]
    fn value(x: f32) -> f32 {
        let e = exponential(-x);
        x / (1.0 + e)
    }

    #[inline(always)]
    fn slope(x: f32) -> f32 {
        let s = 1.0 / (1.0 + exponential(-x));
        s * (1.0 + x * (1.0 - s))
    }
}

/// `tanh(ln(1 + e))`, the tangent written as a fraction.
#[inline(always)]
fn tangent_of_softplus(e: f32) -> f32 {
    let w = e * (e + 2.0);
    w / (w + 2.0)
}

/// `eˣ` for x from −87 to 30, and the nearer end beyond them; relative error below 3e-7.
///
/// Larger results are never needed: all uses divide by them, and e³⁰ squared still is a number.
#[inline(always)]
fn exponential(x: f32) -> f32 {
    // Comparisons instead of `clamp`, which does not let a NaN through when vectorised as `max` and `min`.
    let bounded = if x > 30.0 { 30.0 } else { x };
    let bounded = if bounded < -87.0 { -87.0 } else { bounded };
    let n = (bounded * std::f32::consts::LOG2_E).round_ties_even();
    // ln 2 in two parts, so that n times the first is exact.
    let r = bounded - n * 0.693_359_4 + n * 2.121_944_4e-4;
    // Taylor's series: r is at most ln(2) / 2.
    let series = 1.0
        + r * (1.0 + r * (0.5 + r * (1.0 / 6.0 + r * (1.0 / 24.0 + r * (1.0 / 120.0 + r * (1.0 / 720.0))))));
    // 2ⁿ: its exponent is n; a NaN becomes some number here and stays a NaN in the series.
    let power = f32::from_bits(((n as i32 + 127) << 23) as u32);
    series * power
}

/// `values[i] = f(values[i])`.
pub(crate) fn apply(activation: Activation, values: &mut [f32]) {
    fn all<F: Function>(values: &mut [f32]) {
        values.iter_mut().for_each(|value| *value = F::value(*value));
    }
    match activation {
        Activation::Identity => (),
        Activation::Relu => all::<Relu>(values),
        Activation::Mish => all::<Mish>(values),
        Activation::Silu => all::<Silu>(values),
    }
}

/// `gradients[i] *= f'(before[i])`, where `before` is what the function was applied to.
pub(crate) fn apply_slope(activation: Activation, before: &[f32], gradients: &mut [f32]) {
    fn all<F: Function>(before: &[f32], gradients: &mut [f32]) {
        gradients.iter_mut().zip(before).for_each(|(gradient, &x)| *gradient *= F::slope(x));
    }
    match activation {
        Activation::Identity => (),
        Activation::Relu => all::<Relu>(before, gradients),
        Activation::Mish => all::<Mish>(before, gradients),
        Activation::Silu => all::<Silu>(before, gradients),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(activation: Activation, x: f64) -> f64 {
        match activation {
            Activation::Identity => x,
            Activation::Relu => x.max(0.0),
            Activation::Mish => x * x.exp().ln_1p().tanh(),
            Activation::Silu => x / (1.0 + (-x).exp()),
        }
    }

    #[test]
    fn values_and_slopes_are_those_of_the_functions() {
        for activation in [Activation::Identity, Activation::Relu, Activation::Mish, Activation::Silu] {
            for i in -4000..=4000 {
                let x = i as f32 * 0.013 + 0.001;
                let (mut value, mut slope) = ([x], [1.0]);
                apply(activation, &mut value);
                apply_slope(activation, &[x], &mut slope);
                let x = f64::from(x);
                let expected = exact(activation, x);
                assert!(
                    (f64::from(value[0]) - expected).abs() <= 1e-6 * (1.0 + x.abs()),
                    "{activation:?} {x}"
                );
                let h = 1e-5;
                let expected = (exact(activation, x + h) - exact(activation, x - h)) / (2.0 * h);
                assert!((f64::from(slope[0]) - expected).abs() < 1e-5, "{activation:?} at {x}");
            }
            let mut lost = [f32::NAN];
            apply(activation, &mut lost);
            assert!(lost[0].is_nan(), "{activation:?} hides a NaN");
        }
    }
}
