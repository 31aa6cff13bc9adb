//! AVX-512: sixteen lanes are one register; with VNNI, two multiplicands share a lane.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::gemm::Tile;
use super::lanes::Lanes;
use super::simd::{Kernel, Simd};
use super::tile::{self, Accumulate};

/// Proof that the processor has AVX-512F, AVX2 and FMA.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

/// Proof that it has AVX-512VNNI too: multiplicands of matrix products are whole numbers of 16 bits, sums of 32.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512Vnni(());

impl Avx512 {
    /// The proof, if it is true.
    pub(crate) fn detect() -> Option<Avx512> {
        let has = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("avx512f");
        has.then_some(Avx512(()))
    }

    /// Runs a kernel compiled for these instructions.
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx2,fma,avx512f")]
        fn run<K: Kernel>(simd: Avx512, kernel: K) -> K::Output {
            kernel.run(simd)
        }
        // SAFETY: an `Avx512` exists only where the processor has them.
        unsafe { run(self, kernel) }
    }
}

impl Avx512Vnni {
    /// The proof, if it is true.
    pub(crate) fn detect() -> Option<Avx512Vnni> {
        (Avx512::detect().is_some() && is_x86_feature_detected!("avx512vnni")).then_some(Avx512Vnni(()))
    }

    /// The proof of a part of it.
    pub(crate) fn exact(self) -> Avx512 {
        Avx512(())
    }

    /// Runs a kernel compiled for these instructions.
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx2,fma,avx512f,avx512vnni")]
        fn run<K: Kernel>(simd: Avx512Vnni, kernel: K) -> K::Output {
            kernel.run(simd)
        }
        // SAFETY: an `Avx512Vnni` exists only where the processor has them.
        unsafe { run(self, kernel) }
    }
}

/// A method of [`Simd`] that is one instruction.
///
/// SAFETY of what it expands to: the intrinsics need AVX-512F only, which `self` proves.
macro_rules! instruction {
    ($name:ident($($x:ident),*) = $intrinsic:ident) => {
        #[inline(always)]
        fn $name(self, $($x: __m512),*) -> __m512 {
            unsafe { $intrinsic($($x),*) }
        }
    };
}

/// What all have in common: everything but matrix products.
macro_rules! instructions {
    () => {
        type Vector = __m512;

        #[inline(always)]
        fn splat(self, x: f32) -> __m512 {
            // SAFETY: `self` proves AVX-512F.
            unsafe { _mm512_set1_ps(x) }
        }

        #[inline(always)]
        fn load(self, from: &Lanes) -> __m512 {
            // SAFETY: `Lanes` are 64 readable, aligned bytes; `self` proves AVX-512F.
            unsafe { _mm512_load_ps(from.0.as_ptr()) }
        }

        #[inline(always)]
        fn store(self, to: &mut Lanes, x: __m512) {
            // SAFETY: `Lanes` are 64 writable, aligned bytes; `self` proves AVX-512F.
            unsafe { _mm512_store_ps(to.0.as_mut_ptr(), x) }
        }

        instruction!(add(a, b) = _mm512_add_ps);
        instruction!(sub(a, b) = _mm512_sub_ps);
        instruction!(mul(a, b) = _mm512_mul_ps);
        instruction!(div(a, b) = _mm512_div_ps);
        instruction!(mul_add(a, b, c) = _mm512_fmadd_ps);
        instruction!(max(a, b) = _mm512_max_ps);
        instruction!(min(a, b) = _mm512_min_ps);

        #[inline(always)]
        fn power_of_two(self, n: __m512) -> __m512 {
            // SAFETY: `self` proves AVX-512F.
            unsafe {
                let biased = _mm512_add_epi32(_mm512_cvtps_epi32(n), _mm512_set1_epi32(127));
                _mm512_castsi512_ps(_mm512_slli_epi32::<23>(biased))
            }
        }
    };
}

pub(super) use {instruction, instructions};

/// Of 32 registers, the sums, one row of the other matrix and one number.
const TILE_ROWS: &[usize] = &[14, 14, 9];

impl Simd for Avx512 {
    instructions!();

    const DEPTH: usize = 1;
    const STEPS: Option<f32> = None;
    const TILE_ROWS: &[usize] = TILE_ROWS;

    #[inline(always)]
    fn put(self, to: &mut [Lanes], place: usize, x: __m512) {
        self.store(&mut to[place], x);
    }

    #[inline(always)]
    fn multiply(self, tile: Tile<'_>) {
        #[target_feature(enable = "avx2,fma,avx512f")]
        #[inline(never)]
        fn multiply<const R: usize, const N: usize>(simd: Avx512, tile: Tile<'_>) {
            tile::multiply::<Avx512, R, N>(simd, tile);
        }
        // SAFETY: `self` proves the features.
        unsafe { tile::by_size!(multiply(self, tile)) }
    }
}

impl Accumulate for Avx512 {
    #[inline(always)]
    fn accumulate(self, sum: __m512, a: __m512, b: __m512) -> __m512 {
        self.mul_add(a, b, sum)
    }

    #[inline(always)]
    fn sums(self, sums: __m512) -> __m512 {
        sums
    }
}

impl Simd for Avx512Vnni {
    instructions!();

    const DEPTH: usize = 2;
    const STEPS: Option<f32> = Some(32767.0);
    const TILE_ROWS: &[usize] = TILE_ROWS;

    #[inline(always)]
    fn put(self, to: &mut [Lanes], place: usize, x: __m512) {
        let half = &mut to[place / 2].0[place % 2 * 8..][..8];
        // SAFETY: `half` are 32 writable bytes, and the store needs no alignment; `self` proves AVX-512F.
        unsafe {
            let rounded = _mm512_cvtsepi32_epi16(_mm512_cvtps_epi32(x));
            _mm256_storeu_si256(half.as_mut_ptr().cast(), rounded);
        }
    }

    #[inline(always)]
    fn multiply(self, tile: Tile<'_>) {
        #[target_feature(enable = "avx2,fma,avx512f,avx512vnni")]
        #[inline(never)]
        fn multiply<const R: usize, const N: usize>(simd: Avx512Vnni, tile: Tile<'_>) {
            tile::multiply::<Avx512Vnni, R, N>(simd, tile);
        }
        // SAFETY: `self` proves the features.
        unsafe { tile::by_size!(multiply(self, tile)) }
    }
}

impl Accumulate for Avx512Vnni {
    #[inline(always)]
    fn accumulate(self, sum: __m512, a: __m512, b: __m512) -> __m512 {
        // SAFETY: `self` proves AVX-512VNNI.
        unsafe {
            let (a, b) = (_mm512_castps_si512(a), _mm512_castps_si512(b));
            _mm512_castsi512_ps(_mm512_dpwssd_epi32(_mm512_castps_si512(sum), a, b))
        }
    }

    #[inline(always)]
    fn sums(self, sums: __m512) -> __m512 {
        // SAFETY: `self` proves AVX-512F.
        unsafe { _mm512_cvtepi32_ps(_mm512_castps_si512(sums)) }
    }
}
