//! Numbers too small to be normal cost a hundred times as much on most processors, and mean nothing to a network.

/// While it lives, this thread treats such numbers as zero, in what it reads and in what it writes.
pub(crate) struct FlushDenormals {
    #[cfg(target_arch = "x86_64")]
    before: u32,
}

#[cfg(target_arch = "x86_64")]
impl FlushDenormals {
    /// The bits "flush to zero" and "denormals are zero" of the control register.
    const BITS: u32 = 1 << 15 | 1 << 6;

    pub(crate) fn new() -> FlushDenormals {
        let before = read();
        write(before | FlushDenormals::BITS);
        FlushDenormals { before }
    }
}

#[cfg(target_arch = "x86_64")]
impl Drop for FlushDenormals {
    fn drop(&mut self) {
        write(self.before);
    }
}

#[cfg(target_arch = "x86_64")]
fn read() -> u32 {
    let mut value = 0u32;
    // SAFETY: stores four bytes to a variable of four bytes, and every x86-64 has the register.
    unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut value, options(nostack, preserves_flags)) };
    value
}

#[cfg(target_arch = "x86_64")]
fn write(value: u32) {
    // SAFETY: loads four bytes of a variable. The value is the thread's own with at most the two bits above set in addition, which
    // unmask no exception and leave the rounding as it is. The compiler assumes the default register: what it computes in advance
    // may keep a tiny number that the processor would flush, which no caller minds.
    unsafe {
        std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const value, options(nostack, preserves_flags, readonly));
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl FlushDenormals {
    pub(crate) fn new() -> FlushDenormals {
        FlushDenormals {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn tiny_numbers_are_zero_only_while_the_guard_lives() {
        let product = || black_box(f32::MIN_POSITIVE) * black_box(0.5);
        assert!(product() > 0.0);
        let guard = FlushDenormals::new();
        assert_eq!(product(), 0.0);
        drop(guard);
        assert!(product() > 0.0);
    }
}
