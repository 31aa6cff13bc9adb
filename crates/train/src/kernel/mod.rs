//! Matrix products, and arithmetic with many numbers at once: the only place of this crate where `unsafe` lives.
//!
//! Two fifths of the time in training go into products of small dense matrices, and nearly as much into the transforms around them
//! ([`translated`]). There are 25 or 36 products per 3×3 convolution (one per place of the Winograd domain), one per 1×1 convolution or
//! dense layer. [`multiply`] serves all three passes of a layer without packing or copying, because the left matrix is read through two
//! strides and may so be transposed.
//!
//! The instruction set is chosen at run time: AVX-512, AVX2 with FMA, or plain Rust. Each sums along `depth` in order
//! from the first to the last, so a result does not depend on how a batch was cut into calls by rows; between instruction sets the
//! last bits may differ (FMA rounds once, the plain product twice).

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod denormal;
mod numbers;
mod portable;

pub(crate) use denormal::FlushDenormals;
pub(crate) use numbers::{Machine, Numbers, One};

use std::sync::OnceLock;

/// What a product does with what was in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Into {
    /// Overwrites it.
    Replace,
    /// Adds to it.
    Add,
}

/// A matrix read element by element: element `(row, column)` is at `row * row_stride + column * column_stride`.
#[derive(Clone, Copy, Debug)]
pub struct Left<'a> {
    /// The elements.
    pub values: &'a [f32],
    /// Distance between rows.
    pub row_stride: usize,
    /// Distance between columns.
    pub column_stride: usize,
}

impl<'a> Left<'a> {
    /// A matrix whose rows have `stride` elements.
    pub fn rows(values: &'a [f32], stride: usize) -> Left<'a> {
        Left { values, row_stride: stride, column_stride: 1 }
    }

    /// The transpose of a matrix whose rows have `stride` elements.
    pub fn transposed(values: &'a [f32], stride: usize) -> Left<'a> {
        Left { values, row_stride: 1, column_stride: stride }
    }
}

/// A matrix whose rows are contiguous.
#[derive(Clone, Copy, Debug)]
pub struct Right<'a> {
    /// The elements.
    pub values: &'a [f32],
    /// Distance between rows.
    pub stride: usize,
}

/// The sizes of a product: `rows × depth` times `depth × columns`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Rows of the left matrix and of the product.
    pub rows: usize,
    /// Columns of the right matrix and of the product.
    pub columns: usize,
    /// Columns of the left matrix, rows of the right one.
    pub depth: usize,
}

/// The instructions that products are made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instructions {
    /// 16 numbers at a time.
    Avx512,
    /// 8 numbers at a time, with fused multiplication and addition.
    Avx2,
    /// Whatever the compiler makes of plain Rust.
    Portable,
}

impl Instructions {
    /// The best that this machine has.
    pub fn detected() -> Instructions {
        static FOUND: OnceLock<Instructions> = OnceLock::new();
        *FOUND.get_or_init(|| Instructions::all_available()[0])
    }

    /// All that this machine has, the best first.
    pub fn all_available() -> Vec<Instructions> {
        let mut available = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") {
                available.push(Instructions::Avx512);
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                available.push(Instructions::Avx2);
            }
        }
        available.push(Instructions::Portable);
        available
    }
}

/// `product (+)= left · right`; the rows of the product are `stride` apart, what lies between them is not touched.
///
/// # Panics
/// Panics if a slice is too short for the shape and its strides.
pub fn multiply(
    shape: Shape,
    left: Left<'_>,
    right: Right<'_>,
    product: &mut [f32],
    stride: usize,
    into: Into,
) {
    multiply_with(Instructions::detected(), shape, left, right, product, stride, into);
}

/// As [`multiply`], with given instructions; those that this machine lacks are replaced by the plain ones.
pub fn multiply_with(
    instructions: Instructions,
    shape: Shape,
    left: Left<'_>,
    right: Right<'_>,
    product: &mut [f32],
    stride: usize,
    into: Into,
) {
    let Shape { rows, columns, depth } = shape;
    if rows == 0 || columns == 0 {
        return;
    }
    // The kernels read and write through pointers: these are the bounds they rely on.
    if depth > 0 {
        assert!(left.values.len() > (rows - 1) * left.row_stride + (depth - 1) * left.column_stride);
        assert!(right.values.len() >= (depth - 1) * right.stride + columns);
    }
    assert!(stride >= columns && product.len() >= (rows - 1) * stride + columns);
    match instructions {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the machine has AVX-512, and the slices reach as far as the asserts above say.
        Instructions::Avx512 if is_x86_feature_detected!("avx512f") => unsafe {
            avx512::multiply(shape, left, right, product, stride, into);
        },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the machine has AVX2 and FMA, and the slices reach as far as the asserts above say.
        Instructions::Avx2 if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") => unsafe {
            avx2::multiply(shape, left, right, product, stride, into);
        },
        _ => portable::multiply(shape, left, right, product, stride, into),
    }
}

/// Work that is translated for each instruction set.
pub(crate) trait Work {
    /// Does it. To be marked `#[inline(always)]`.
    fn run<M: Machine>(self, machine: M);
}

/// Runs the translation for given instructions; those that this machine lacks are replaced by the plain ones. All give the same bits.
pub(crate) fn translated(instructions: Instructions, work: impl Work) {
    #[cfg(target_arch = "x86_64")]
    {
        match instructions {
            Instructions::Avx512 => {
                if let Some(machine) = numbers::Avx512::detect() {
                    // SAFETY: the machine is the proof.
                    return unsafe { with_avx512(machine, work) };
                }
            }
            Instructions::Avx2 => {
                if let Some(machine) = numbers::Avx2::detect() {
                    // SAFETY: the machine is the proof.
                    return unsafe { with_avx2(machine, work) };
                }
            }
            Instructions::Portable => {}
        }
    }
    work.run(numbers::Portable);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn with_avx512(machine: numbers::Avx512, work: impl Work) {
    work.run(machine);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn with_avx2(machine: numbers::Avx2, work: impl Work) {
    work.run(machine);
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use tests::noise;
