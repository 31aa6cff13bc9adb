//! Numbers of 16 bits (IEEE 754 binary16): 1 bit of sign, 5 of exponent, 10 of fraction.

/// The value of 16 bits, exactly.
pub(super) fn to_f32(bits: u16) -> f32 {
    let sign = u32::from(bits >> 15) << 31;
    let exponent = u32::from(bits >> 10 & 0x1f);
    let fraction = u32::from(bits & 0x3ff);
    match exponent {
        // Zero, and numbers below the normal ones: multiples of 2⁻²⁴.
        0 => f32::from_bits(sign | (fraction as f32 * 2f32.powi(-24)).to_bits()),
        0x1f => f32::from_bits(sign | 0x7f80_0000 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 127 - 15) << 23 | fraction << 13),
    }
}

/// The nearest number of 16 bits, ties to even; infinite where there is none. Not for NaN.
pub(super) fn from_f32(value: f32) -> u16 {
    let sign = (value.to_bits() >> 16) as u16 & 0x8000;
    let magnitude = value.abs();
    if magnitude >= 65520.0 {
        return sign | 0x7c00;
    }
    if magnitude < 2f32.powi(-14) {
        // Scaling is exact, and rounding may well reach the first normal number, which has the next bits.
        return sign | (magnitude * 2f32.powi(24)).round_ties_even() as u16;
    }
    let bits = magnitude.to_bits() - ((127 - 15) << 23);
    // Half of what is cut off, or one less if that makes a tie end odd; a carry goes into the exponent, as it should.
    let rounded = bits + 0xfff + (bits >> 13 & 1);
    sign | (rounded >> 13) as u16
}

/// Whether 16 bits are a finite number.
pub(super) fn is_finite(bits: u16) -> bool {
    bits & 0x7c00 != 0x7c00
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By definition: sign, fraction and power of two in f64.
    fn value(bits: u16) -> f64 {
        let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff));
        let magnitude = if exponent == 0 {
            fraction * 2f64.powi(-24)
        } else {
            (1.0 + fraction / 1024.0) * 2f64.powi(exponent - 15)
        };
        if bits >> 15 == 0 { magnitude } else { -magnitude }
    }

    #[test]
    fn every_finite_number_has_its_value_and_comes_back() {
        let finite = (0..=u16::MAX).filter(|&bits| is_finite(bits));
        for bits in finite {
            assert_eq!(f64::from(to_f32(bits)), value(bits), "{bits:#x}");
            assert_eq!(from_f32(to_f32(bits)), bits);
        }
    }

    #[test]
    fn rounding_is_to_the_nearest_and_ties_to_even() {
        // Between neighbours: the middle, and just beside it.
        for low in (0..0x7bff).chain(0x8000..0xfbff) {
            let middle = ((value(low) + value(low + 1)) / 2.0) as f32;
            let even = if low % 2 == 0 { low } else { low + 1 };
            assert_eq!(from_f32(middle), even, "{low:#x}");
            let (inner, outer) = if middle > 0.0 {
                (middle.next_down(), middle.next_up())
            } else {
                (middle.next_up(), middle.next_down())
            };
            assert_eq!((from_f32(inner), from_f32(outer)), (low, low + 1), "{low:#x}");
        }
    }

    #[test]
    fn what_is_too_large_is_infinite() {
        assert_eq!(from_f32(65519.996), 0x7bff);
        for large in [65520.0, 1e10, f32::MAX, f32::INFINITY] {
            assert_eq!((from_f32(large), from_f32(-large)), (0x7c00, 0xfc00));
            assert!(!is_finite(from_f32(large)));
        }
        assert_eq!(to_f32(0xfc00), f32::NEG_INFINITY);
        assert!(to_f32(0x7e00).is_nan());
    }
}
