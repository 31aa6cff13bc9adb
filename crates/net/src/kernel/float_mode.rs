//! Numbers too small to matter are zero while a network is evaluated.
//!
//! Denormal numbers cost a processor a hundred times as much as others, and some networks make many of them: one transformer is twelve
//! times faster without.
#![allow(unsafe_code)]

/// While it lives, denormal inputs and results of this thread's vector instructions are zero.
pub(crate) struct FlushDenormals {
    #[cfg(target_arch = "x86_64")]
    before: u32,
    /// The mode belongs to a thread, so the guard must be dropped where it was made.
    thread_bound: std::marker::PhantomData<*const ()>,
}

impl FlushDenormals {
    /// Sets the mode.
    pub(crate) fn new() -> FlushDenormals {
        FlushDenormals {
            #[cfg(target_arch = "x86_64")]
            before: {
                /// Flush to zero, and denormals are zero.
                const BITS: u32 = 1 << 15 | 1 << 6;
                let before = control();
                set_control(before | BITS);
                before
            },
            thread_bound: std::marker::PhantomData,
        }
    }
}

impl Drop for FlushDenormals {
    fn drop(&mut self) {
        #[cfg(target_arch = "x86_64")]
        set_control(self.before);
    }
}

/// The control register of vector instructions.
#[cfg(target_arch = "x86_64")]
fn control() -> u32 {
    let mut value = 0u32;
    // SAFETY: stores four bytes to `value`; every x86-64 processor has the instruction.
    unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &mut value, options(nostack, preserves_flags)) };
    value
}

/// Sets the control register of vector instructions.
#[cfg(target_arch = "x86_64")]
fn set_control(value: u32) {
    // SAFETY: loads four bytes from `value`, which has no bits but those that were there and two that make denormals zero. Rounding
    // and exceptions stay as Rust expects them; that results too small for normal numbers become zero is what a caller asks for.
    unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &value, options(nostack, preserves_flags)) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    fn half_of_smallest() -> f32 {
        black_box(f32::MIN_POSITIVE) * black_box(0.5)
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn denormals_are_zero_only_while_the_guard_lives() {
        assert!(half_of_smallest() > 0.0);
        let guard = FlushDenormals::new();
        let inside = half_of_smallest();
        let inner = FlushDenormals::new();
        drop(inner);
        let still = half_of_smallest();
        drop(guard);
        assert_eq!((inside, still), (0.0, 0.0));
        assert!(half_of_smallest() > 0.0);
    }
}
