//! AMX: tiles of 16 rows, 32 bf16 numbers each, multiplied sixteen columns at a time.
//!
//! A tile register holds 16 rows of 64 bytes. `TDPBF16PS` adds to a tile of sums (16 rows, 16 columns, f32) the product of a tile of rows
//! (a row's 32 numbers, as [`Simd::put`] writes them) and a tile of weights (16 steps of 16 pairs, as they are packed for two
//! multiplicands per lane). So the formats are those of AVX-512BF16, and a product takes one instruction per 8,192 multiplications.
//!
//! Where the processor has no AMX, but AVX-512 with bf16, the tests run the assembly below with an emulator of its six instructions
//! (`test::amx_emulator`), and they compare it with a model that shares everything but the assembly (`portable::TileModel`). Where it has AMX, they
//! run it as it is, and no proof is given out before several products have come out right.
#![allow(unsafe_code)]

use std::arch::asm;
use std::arch::x86_64::*;
use std::sync::OnceLock;

use super::avx512::{Avx512, instruction, instructions};
use super::gemm::Tile;
use super::lanes::Lanes;
use super::self_check::SelfCheck;
use super::simd::{Kernel, Simd};

/// Rows of a tile register.
pub(crate) const TILE: usize = 16;

/// Most places of a kernel.
const MAX_DISTANCES: usize = 81;

/// Proof that the processor has AMX for bf16 and what goes with it, and that the system lets us use it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Amx(());

impl Amx {
    /// The proof, if it is true.
    pub(crate) fn detect() -> Option<Amx> {
        static DETECTED: OnceLock<bool> = OnceLock::new();
        let is_right = || has_vectors() && has_tiles() && is_permitted() && Amx(()).run(SelfCheck);
        DETECTED.get_or_init(is_right).then_some(Amx(()))
    }

    /// The proof where the processor has all but the tiles: a handler of SIGILL does what their instructions would have done.
    #[cfg(all(test, target_os = "linux"))]
    pub(crate) fn emulated() -> Option<Amx> {
        (has_vectors() && !has_tiles()).then(|| {
            super::test::amx_emulator::install();
            Amx(())
        })
    }

    /// The proof of a part of it.
    pub(crate) fn exact(self) -> Avx512 {
        Avx512::detect().expect("it was there a moment ago")
    }

    /// Runs a kernel compiled for these instructions, with the tile registers configured.
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx2,fma,avx512f,avx512bf16")]
        fn run<K: Kernel>(simd: Amx, kernel: K) -> K::Output {
            kernel.run(simd)
        }
        let _tiles = Configured::new(self);
        // SAFETY: an `Amx` exists only where the processor has the features.
        unsafe { run(self, kernel) }
    }
}

/// Whether the processor has what the kernels need besides tiles.
fn has_vectors() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bf16")
}

/// Whether the processor has tiles and their products of bf16, and the system keeps them from thread to thread.
fn has_tiles() -> bool {
    // Leaf 7 says in EDX whether there is AMX-BF16 (bit 22) and AMX-TILE (bit 24).
    if __cpuid(0).eax < 7 {
        return false;
    }
    let features = __cpuid_count(7, 0).edx;
    if features >> 22 & 1 == 0 || features >> 24 & 1 == 0 {
        return false;
    }
    // State components 17 (configuration) and 18 (data) must be enabled.
    let low: u32;
    // SAFETY: AVX was detected before, so the system has enabled this instruction; it reads the enabled state components.
    unsafe {
        asm!("xgetbv", in("ecx") 0, out("eax") low, out("edx") _, options(nomem, nostack, preserves_flags));
    };
    low >> 17 & 0b11 == 0b11
}

/// Asks Linux for the permission to use tile data, which it gives to processes that ask.
#[cfg(target_os = "linux")]
fn is_permitted() -> bool {
    const ARCH_PRCTL: u64 = 158;
    const REQUEST_PERMISSION: u64 = 0x1023;
    const TILE_DATA: u64 = 18;
    let result: i64;
    // SAFETY: a system call that touches no memory of ours; it clobbers rcx and r11.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") ARCH_PRCTL => result,
            in("rdi") REQUEST_PERMISSION,
            in("rsi") TILE_DATA,
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    result == 0
}

#[cfg(not(target_os = "linux"))]
fn is_permitted() -> bool {
    false
}

/// While it lives, the tile registers of this thread have 16 rows of 64 bytes.
struct Configured;

impl Configured {
    fn new(_: Amx) -> Configured {
        /// Palette 1; bytes of a row from byte 16 on, two for each of eight registers; rows from byte 48 on.
        #[repr(C, align(64))]
        struct Configuration([u8; 64]);
        let mut configuration = Configuration([0; 64]);
        configuration.0[0] = 1;
        for register in 0..8 {
            configuration.0[16 + 2 * register] = 64;
            configuration.0[48 + register] = TILE as u8;
        }
        // SAFETY: an `Amx` is the proof that the instruction exists and is permitted; it reads 64 bytes of a valid configuration.
        unsafe {
            asm!("ldtilecfg [{}]", in(reg) &configuration, options(readonly, nostack, preserves_flags));
        };
        Configured
    }
}

impl Drop for Configured {
    fn drop(&mut self) {
        // SAFETY: `new` has executed its counterpart; afterwards the system need not save the registers any more.
        unsafe { asm!("tilerelease", options(nomem, nostack, preserves_flags)) };
    }
}

/// What the loop over a product needs besides pointers that move; in bytes where it is a distance.
#[derive(Clone, Copy)]
#[repr(C)]
struct Product {
    depth: usize,
    /// From the first 16 rows to the next 16.
    a_half: usize,
    out: *mut Lanes,
    out_stride: usize,
    out_half: usize,
}

/// Two times two tiles of sums.
///
/// # Safety
///
/// The processor has AMX-BF16 and its registers are configured as [`Configured`] does. For each of `distances` (bytes), `a` has 32 rows
/// of `product.depth` lanes, `a_stride` bytes apart; `b` has as many times `product.depth` times 16 rows of two lanes; `product.out` has room for
/// 32 rows of two lanes. `distances` is not empty and `product.depth` not 0.
unsafe fn multiply_32x2(
    a: *const Lanes,
    a_stride: usize,
    distances: &[usize],
    b: *const Lanes,
    product: &Product,
) {
    // SAFETY: all that is read and written is what the caller has promised.
    unsafe {
        asm!(
            "tilezero tmm0",
            "tilezero tmm1",
            "tilezero tmm2",
            "tilezero tmm3",
            "2:",
            "mov {a0}, [{distance}]",
            "add {a0}, {a}",
            "mov {a1}, [{product} + 8]",
            "add {a1}, {a0}",
            "mov {k}, [{product}]",
            "3:",
            "tileloadd tmm4, [{a0} + {a_stride}*1]",
            "tileloadd tmm6, [{b} + {b_stride}*1]",
            "tileloadd tmm7, [{b} + {b_stride}*1 + 64]",
            "tileloadd tmm5, [{a1} + {a_stride}*1]",
            "tdpbf16ps tmm0, tmm4, tmm6",
            "tdpbf16ps tmm1, tmm4, tmm7",
            "tdpbf16ps tmm2, tmm5, tmm6",
            "tdpbf16ps tmm3, tmm5, tmm7",
            "add {a0}, 64",
            "add {a1}, 64",
            "add {b}, 2048",
            "dec {k}",
            "jnz 3b",
            "add {distance}, 8",
            "cmp {distance}, {end}",
            "jne 2b",
            "mov {a0}, [{product} + 16]",
            "mov {k}, [{product} + 24]",
            "mov {a1}, [{product} + 32]",
            "add {a1}, {a0}",
            "tilestored [{a0} + {k}*1], tmm0",
            "tilestored [{a0} + {k}*1 + 64], tmm1",
            "tilestored [{a1} + {k}*1], tmm2",
            "tilestored [{a1} + {k}*1 + 64], tmm3",
            a = in(reg) a,
            a_stride = in(reg) a_stride,
            distance = inout(reg) distances.as_ptr_range().start => _,
            end = in(reg) distances.as_ptr_range().end,
            b = inout(reg) b => _,
            b_stride = in(reg) 128usize,
            product = in(reg) product,
            a0 = out(reg) _,
            a1 = out(reg) _,
            k = out(reg) _,
            out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
            out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
            options(nostack),
        );
    }
}

/// One tile of sums.
///
/// # Safety
///
/// As for [`multiply_32x2`], but `a` has 16 rows, the rows of `b` are one lane, `b_stride` bytes apart, and there is room for 16 rows of one
/// lane.
unsafe fn multiply_16x1(
    a: *const Lanes,
    a_stride: usize,
    distances: &[usize],
    b: *const Lanes,
    b_stride: usize,
    product: &Product,
) {
    // SAFETY: all that is read and written is what the caller has promised.
    unsafe {
        asm!(
            "tilezero tmm0",
            "2:",
            "mov {a0}, [{distance}]",
            "add {a0}, {a}",
            "mov {k}, [{product}]",
            "3:",
            "tileloadd tmm4, [{a0} + {a_stride}*1]",
            "tileloadd tmm6, [{b} + {b_stride}*1]",
            "tdpbf16ps tmm0, tmm4, tmm6",
            "add {a0}, 64",
            "add {b}, {b_step}",
            "dec {k}",
            "jnz 3b",
            "add {distance}, 8",
            "cmp {distance}, {end}",
            "jne 2b",
            "mov {a0}, [{product} + 16]",
            "mov {k}, [{product} + 24]",
            "tilestored [{a0} + {k}*1], tmm0",
            a = in(reg) a,
            a_stride = in(reg) a_stride,
            distance = inout(reg) distances.as_ptr_range().start => _,
            end = in(reg) distances.as_ptr_range().end,
            b = inout(reg) b => _,
            b_stride = in(reg) b_stride,
            b_step = in(reg) TILE * b_stride,
            product = in(reg) product,
            a0 = out(reg) _,
            k = out(reg) _,
            out("tmm0") _, out("tmm4") _, out("tmm6") _,
            options(nostack),
        );
    }
}

impl Simd for Amx {
    instructions!();

    const DEPTH: usize = 2;
    const STEPS: Option<f32> = None;
    const ROWS_STEP: usize = TILE;
    const TILE_ROWS: &[usize] = &[2 * TILE, 2 * TILE];

    #[inline(always)]
    fn put(self, to: &mut [Lanes], place: usize, x: __m512) {
        let half = &mut to[place / 2].0[place % 2 * 8..][..8];
        // SAFETY: `half` are 32 writable bytes, and the store needs no alignment; `self` proves AVX-512BF16.
        unsafe {
            let rounded: __m256i = std::mem::transmute(_mm512_cvtneps_pbh(x));
            _mm256_storeu_si256(half.as_mut_ptr().cast(), rounded);
        }
    }

    fn multiply(self, tile: Tile<'_>) {
        tile.check();
        let (rows, columns) = (tile.rows, tile.columns);
        assert!([TILE, 2 * TILE].contains(&rows) && [1, 2].contains(&columns), "a tile of {rows} rows");
        let lane = size_of::<Lanes>();
        let a_stride = tile.a_stride * lane;
        let mut distances = [0; MAX_DISTANCES];
        let distances = &mut distances[..tile.distances.len()];
        for (bytes, rows) in distances.iter_mut().zip(tile.distances) {
            *bytes = rows * a_stride;
        }
        let product = Product {
            depth: tile.depth(),
            a_half: TILE * a_stride,
            out: tile.out.as_mut_ptr(),
            out_stride: tile.out_stride * lane,
            out_half: TILE * tile.out_stride * lane,
        };
        assert!(product.depth > 0, "an empty product");
        let (a, b) = (tile.a.as_ptr(), tile.b.as_ptr());
        if (rows, columns) == (2 * TILE, 2) {
            // SAFETY: `check` has shown that all rows are there, `run` has configured the registers, and `self` proves AMX.
            return unsafe { multiply_32x2(a, a_stride, distances, b, &product) };
        }
        for row in (0..rows).step_by(TILE) {
            for column in 0..columns {
                // SAFETY: as above, for the part of the tile that begins with this row and column.
                unsafe {
                    let out = product.out.add(row * tile.out_stride + column);
                    let part = Product { out, ..product };
                    multiply_16x1(
                        a.add(row * tile.a_stride),
                        a_stride,
                        distances,
                        b.add(column),
                        columns * lane,
                        &part,
                    );
                }
            }
        }
    }
}
