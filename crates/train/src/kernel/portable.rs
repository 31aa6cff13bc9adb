//! The product in plain Rust: what the others are compared with, and what runs where they cannot.

use super::{Into, Left, Right, Shape};

/// Columns summed at a time: they stay in registers on any machine.
const COLUMNS: usize = 16;

pub(super) fn multiply(
    shape: Shape,
    left: Left<'_>,
    right: Right<'_>,
    product: &mut [f32],
    stride: usize,
    into: Into,
) {
    for first in (0..shape.columns).step_by(COLUMNS) {
        let width = COLUMNS.min(shape.columns - first);
        for row in 0..shape.rows {
            let factor = |k: usize| left.values[row * left.row_stride + k * left.column_stride];
            let mut sums = [0.0f32; COLUMNS];
            if width == COLUMNS {
                for k in 0..shape.depth {
                    let (factor, others) = (factor(k), &right.values[k * right.stride + first..][..COLUMNS]);
                    sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += factor * other);
                }
            } else {
                for k in 0..shape.depth {
                    let (factor, others) = (factor(k), &right.values[k * right.stride + first..][..width]);
                    sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += factor * other);
                }
            }
            let target = &mut product[row * stride + first..][..width];
            match into {
                Into::Replace => target.copy_from_slice(&sums[..width]),
                Into::Add => target.iter_mut().zip(&sums).for_each(|(value, sum)| *value += sum),
            }
        }
    }
}
