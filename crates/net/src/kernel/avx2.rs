//! AVX2 and FMA: sixteen lanes are two registers.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::gemm::Tile;
use super::lanes::Lanes;
use super::simd::{Kernel, Simd};
use super::tile::{self, Accumulate};

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

/// The same proof; multiplicands of matrix products are whole numbers of 16 bits, sums of 32.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2Int16(());

impl Avx2Int16 {
    /// The proof, if it is true.
    pub(crate) fn detect() -> Option<Avx2Int16> {
        Avx2::detect().map(|Avx2(())| Avx2Int16(()))
    }

    /// The proof without whole numbers.
    pub(crate) fn exact(self) -> Avx2 {
        Avx2(())
    }

    /// Runs a kernel compiled for these instructions.
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx2,fma")]
        fn run<K: Kernel>(simd: Avx2Int16, kernel: K) -> K::Output {
            kernel.run(simd)
        }
        // SAFETY: an `Avx2Int16` exists only where the processor has both.
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

/// What both have in common: everything but matrix products.
macro_rules! instructions {
    () => {
        type Vector = [__m256; 2];

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
            unsafe {
                let bias = _mm256_set1_epi32(127);
                let low = _mm256_add_epi32(_mm256_cvtps_epi32(n[0]), bias);
                let high = _mm256_add_epi32(_mm256_cvtps_epi32(n[1]), bias);
                [
                    _mm256_castsi256_ps(_mm256_slli_epi32::<23>(low)),
                    _mm256_castsi256_ps(_mm256_slli_epi32::<23>(high)),
                ]
            }
        }
    };
}

impl Simd for Avx2 {
    instructions!();

    const DEPTH: usize = 1;
    const STEPS: Option<f32> = None;

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
            tile::multiply::<Avx2, R, N>(simd, tile);
        }
        // SAFETY: `self` proves AVX2 and FMA.
        unsafe { tile::by_rows!(multiply(self, tile) 1: 1 2 3 4 5 6) }
    }
}

impl Accumulate for Avx2 {
    #[inline(always)]
    fn accumulate(self, sum: [__m256; 2], a: [__m256; 2], b: [__m256; 2]) -> [__m256; 2] {
        self.mul_add(a, b, sum)
    }

    #[inline(always)]
    fn sums(self, sums: [__m256; 2]) -> [__m256; 2] {
        sums
    }
}

impl Simd for Avx2Int16 {
    instructions!();

    const DEPTH: usize = 2;
    const STEPS: Option<f32> = Some(32767.0);

    #[inline(always)]
    fn put(self, to: &mut [Lanes], place: usize, x: [__m256; 2]) {
        let half = &mut to[place / 2].0[place % 2 * 8..][..8];
        // SAFETY: `half` are 32 writable bytes, and the store needs no alignment; `self` proves AVX2.
        unsafe {
            let (low, high) = (_mm256_cvtps_epi32(x[0]), _mm256_cvtps_epi32(x[1]));
            // The instruction packs the halves of both registers by turns.
            let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi32(low, high));
            _mm256_storeu_si256(half.as_mut_ptr().cast(), packed);
        }
    }

    #[inline(always)]
    fn multiply(self, tile: Tile<'_>) {
        #[target_feature(enable = "avx2,fma")]
        #[inline(never)]
        fn multiply<const R: usize, const N: usize>(simd: Avx2Int16, tile: Tile<'_>) {
            tile::multiply::<Avx2Int16, R, N>(simd, tile);
        }
        // SAFETY: `self` proves AVX2 and FMA.
        unsafe { tile::by_rows!(multiply(self, tile) 1: 1 2 3 4 5 6) }
    }
}

impl Accumulate for Avx2Int16 {
    #[inline(always)]
    fn accumulate(self, sum: [__m256; 2], a: [__m256; 2], b: [__m256; 2]) -> [__m256; 2] {
        // SAFETY: `self` proves AVX2.
        unsafe {
            let low = _mm256_madd_epi16(_mm256_castps_si256(a[0]), _mm256_castps_si256(b[0]));
            let high = _mm256_madd_epi16(_mm256_castps_si256(a[1]), _mm256_castps_si256(b[1]));
            [
                _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(sum[0]), low)),
                _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(sum[1]), high)),
            ]
        }
    }

    #[inline(always)]
    fn sums(self, sums: [__m256; 2]) -> [__m256; 2] {
        // SAFETY: `self` proves AVX2.
        unsafe {
            [
                _mm256_cvtepi32_ps(_mm256_castps_si256(sums[0])),
                _mm256_cvtepi32_ps(_mm256_castps_si256(sums[1])),
            ]
        }
    }
}
