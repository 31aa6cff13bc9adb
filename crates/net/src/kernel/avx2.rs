//! AVX2 and FMA: sixteen lanes are two registers.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::gemm::Tile;
use super::lanes::Lanes;
use super::simd::{Kernel, Simd};
use super::tile;

/// Proof that the processor has AVX2 and FMA.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// The proof, if it is true.
    pub(crate) fn detect() -> Option<Avx2> {
        (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(Avx2(()))
    }

    /// Runs a kernel compiled for these instructions.
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx2,fma")]
        fn run<K: Kernel>(simd: Avx2, kernel: K) -> K::Output {
            kernel.run(simd)
        }
        // SAFETY: an `Avx2` exists only where the processor has both.
        unsafe { run(self, kernel) }
    }
}

/// A method of [`Simd`] on both halves.
///
/// SAFETY of what it expands to: the intrinsics need AVX2 and FMA only, which `self` proves.
macro_rules! halves {
    ($name:ident($($x:ident),*) = $intrinsic:ident) => {
        #[inline(always)]
        fn $name(self, $($x: [__m256; 2]),*) -> [__m256; 2] {
            unsafe { [$intrinsic($($x[0]),*), $intrinsic($($x[1]),*)] }
        }
    };
}

impl Simd for Avx2 {
    type Vector = [__m256; 2];

    const DEPTH: usize = 1;
    // Of sixteen registers, twelve sums, two of the other matrix and one number; with two columns the compiler spills.
    const TILE_ROWS: &[usize] = &[6];

    #[inline(always)]
    fn splat(self, x: f32) -> [__m256; 2] {
        // SAFETY: `self` proves AVX2.
        unsafe { [_mm256_set1_ps(x); 2] }
    }

    #[inline(always)]
    fn load(self, from: &Lanes) -> [__m256; 2] {
        let pointer = from.0.as_ptr();
        // SAFETY: `Lanes` are 64 readable, aligned bytes; `self` proves AVX2.
        unsafe { [_mm256_load_ps(pointer), _mm256_load_ps(pointer.add(8))] }
    }

    #[inline(always)]
    fn store(self, to: &mut Lanes, x: [__m256; 2]) {
        let pointer = to.0.as_mut_ptr();
        // SAFETY: `Lanes` are 64 writable, aligned bytes; `self` proves AVX2.
        unsafe {
            _mm256_store_ps(pointer, x[0]);
            _mm256_store_ps(pointer.add(8), x[1]);
        }
    }

    halves!(add(a, b) = _mm256_add_ps);
    halves!(sub(a, b) = _mm256_sub_ps);
    halves!(mul(a, b) = _mm256_mul_ps);
    halves!(div(a, b) = _mm256_div_ps);
    halves!(mul_add(a, b, c) = _mm256_fmadd_ps);
    halves!(max(a, b) = _mm256_max_ps);
    halves!(min(a, b) = _mm256_min_ps);

    #[inline(always)]
    fn power_of_two(self, n: [__m256; 2]) -> [__m256; 2] {
        // SAFETY: `self` proves AVX2.
        n.map(|n| unsafe {
            let biased = _mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127));
            _mm256_castsi256_ps(_mm256_slli_epi32::<23>(biased))
        })
    }

    #[inline(always)]
    fn put(self, to: &mut [Lanes], place: usize, x: [__m256; 2]) {
        self.store(&mut to[place], x);
    }

    #[inline(always)]
    fn multiply(self, tile: Tile<'_>) {
        /// Compiled for these instructions, and not inlined: among other code the compiler would spill.
        #[target_feature(enable = "avx2,fma")]
        #[inline(never)]
        fn multiply<const R: usize, const N: usize>(simd: Avx2, tile: Tile<'_>) {
            tile::multiply::<Avx2, R, N>(simd, tile, |sum, a, b| simd.mul_add(a, b, sum));
        }
        // SAFETY: `self` proves AVX2 and FMA.
        unsafe { tile::by_rows!(multiply(self, tile) 1: 1 2 3 4 5 6) }
    }
}
