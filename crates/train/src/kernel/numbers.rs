//! Numbers that are added and multiplied together, as many as the machine has room for in a register or two.
//!
//! What is written for any [`Machine`] is translated once for each ([`super::translated`]). The value of such a type is the proof that the
//! processor has the instructions, and [`Numbers`] are made by machines alone, which is why all of it is safe to call. Multiplications and
//! additions are not fused, so that all machines give the same bits.
//!
//! Everything between the entry of a piece of work and these methods has to be `#[inline(always)]`, and closures and iterators over numbers, which
//! the compiler inlines as it likes, are better avoided.

use std::ops::{Add, Mul, Sub};

/// Numbers in registers.
pub(crate) trait Numbers:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<f32, Output = Self>
{
}

impl<N: Copy + Add<Output = N> + Sub<Output = N> + Mul<f32, Output = N>> Numbers for N {}

/// What can be computed at once.
pub(crate) trait Machine: Copy {
    /// So many numbers.
    type Numbers: Numbers;
    /// How many.
    const WIDTH: usize;

    /// Nothing but zeros.
    fn zero(self) -> Self::Numbers;
    /// The first ones of a list.
    fn load(self, from: &[f32]) -> Self::Numbers;
    /// Writes them to the beginning of a list.
    fn store(self, numbers: Self::Numbers, to: &mut [f32]);
}

/// One number at a time, for what is left where there are no sixteen.
#[derive(Clone, Copy)]
pub(crate) struct One;

impl Machine for One {
    type Numbers = f32;
    const WIDTH: usize = 1;

    #[inline(always)]
    fn zero(self) -> f32 {
        0.0
    }

    #[inline(always)]
    fn load(self, from: &[f32]) -> f32 {
        from[0]
    }

    #[inline(always)]
    fn store(self, number: f32, to: &mut [f32]) {
        to[0] = number;
    }
}

/// Sixteen numbers, of which the compiler makes what it can.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

/// Sixteen numbers in memory.
#[derive(Clone, Copy)]
pub(crate) struct Array([f32; 16]);

impl Machine for Portable {
    type Numbers = Array;
    const WIDTH: usize = 16;

    #[inline(always)]
    fn zero(self) -> Array {
        Array([0.0; 16])
    }

    #[inline(always)]
    fn load(self, from: &[f32]) -> Array {
        let mut numbers = [0.0; 16];
        numbers.copy_from_slice(&from[..16]);
        Array(numbers)
    }

    #[inline(always)]
    fn store(self, numbers: Array, to: &mut [f32]) {
        to[..16].copy_from_slice(&numbers.0);
    }
}

impl Add for Array {
    type Output = Array;

    #[inline(always)]
    fn add(mut self, other: Array) -> Array {
        for i in 0..16 {
            self.0[i] += other.0[i];
        }
        self
    }
}

impl Sub for Array {
    type Output = Array;

    #[inline(always)]
    fn sub(mut self, other: Array) -> Array {
        for i in 0..16 {
            self.0[i] -= other.0[i];
        }
        self
    }
}

impl Mul<f32> for Array {
    type Output = Array;

    #[inline(always)]
    fn mul(mut self, factor: f32) -> Array {
        for i in 0..16 {
            self.0[i] *= factor;
        }
        self
    }
}

/// An instruction set whose registers hold a part of sixteen numbers.
#[cfg(target_arch = "x86_64")]
macro_rules! machine {
    (
        $(#[$doc:meta])* $machine:ident, $numbers:ident = [$register:ty; $count:literal], needs [$($feature:tt)+],
        $zero:ident $splat:ident $load:ident $store:ident $add:ident $sub:ident $mul:ident
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $machine(());

        /// Sixteen numbers in its registers; they exist only where it does.
        #[derive(Clone, Copy)]
        pub(crate) struct $numbers([$register; $count]);

        impl $machine {
            /// The machine, if this processor is one.
            pub(crate) fn detect() -> Option<$machine> {
                let has = $(is_x86_feature_detected!($feature))&&+;
                has.then_some($machine(()))
            }
        }

        impl Machine for $machine {
            type Numbers = $numbers;
            const WIDTH: usize = 16;

            #[inline(always)]
            fn zero(self) -> $numbers {
                // SAFETY: `self` proves the instructions.
                $numbers([unsafe { $zero() }; $count])
            }

            #[inline(always)]
            fn load(self, from: &[f32]) -> $numbers {
                let from = &from[..16];
                let mut numbers = self.zero();
                for i in 0..$count {
                    // SAFETY: `self` proves the instructions, and part `i` lies within sixteen numbers.
                    numbers.0[i] = unsafe { $load(from.as_ptr().add(16 / $count * i)) };
                }
                numbers
            }

            #[inline(always)]
            fn store(self, numbers: $numbers, to: &mut [f32]) {
                let to = &mut to[..16];
                for i in 0..$count {
                    // SAFETY: `self` proves the instructions, and part `i` lies within sixteen numbers.
                    unsafe { $store(to.as_mut_ptr().add(16 / $count * i), numbers.0[i]) };
                }
            }
        }

        impl Add for $numbers {
            type Output = $numbers;

            #[inline(always)]
            fn add(mut self, other: $numbers) -> $numbers {
                for i in 0..$count {
                    // SAFETY: such numbers exist only where the instructions do.
                    self.0[i] = unsafe { $add(self.0[i], other.0[i]) };
                }
                self
            }
        }

        impl Sub for $numbers {
            type Output = $numbers;

            #[inline(always)]
            fn sub(mut self, other: $numbers) -> $numbers {
                for i in 0..$count {
                    // SAFETY: such numbers exist only where the instructions do.
                    self.0[i] = unsafe { $sub(self.0[i], other.0[i]) };
                }
                self
            }
        }

        impl Mul<f32> for $numbers {
            type Output = $numbers;

            #[inline(always)]
            fn mul(mut self, factor: f32) -> $numbers {
                for i in 0..$count {
                    // SAFETY: such numbers exist only where the instructions do.
                    self.0[i] = unsafe { $mul(self.0[i], $splat(factor)) };
                }
                self
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use super::{Add, Machine, Mul, Sub};
    use std::arch::x86_64::*;

    machine!(
        /// AVX-512.
        Avx512, Zmm = [__m512; 1], needs ["avx512f"],
        _mm512_setzero_ps _mm512_set1_ps _mm512_loadu_ps _mm512_storeu_ps _mm512_add_ps _mm512_sub_ps _mm512_mul_ps
    );
    machine!(
        /// AVX2.
        Avx2, Ymm = [__m256; 2], needs ["avx2" "fma"],
        _mm256_setzero_ps _mm256_set1_ps _mm256_loadu_ps _mm256_storeu_ps _mm256_add_ps _mm256_sub_ps _mm256_mul_ps
    );
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86_64::{Avx2, Avx512};
