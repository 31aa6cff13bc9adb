use super::*;

/// Numbers that look random, from −1 to 1.
pub(crate) fn noise(count: usize, seed: u64) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

/// The product by its definition, in double precision.
fn expected(shape: Shape, left: Left<'_>, right: Right<'_>, row: usize, column: usize) -> f64 {
    let factor = |k: usize| f64::from(left.values[row * left.row_stride + k * left.column_stride]);
    (0..shape.depth).map(|k| factor(k) * f64::from(right.values[k * right.stride + column])).sum()
}

#[test]
fn every_instruction_set_multiplies_every_shape() {
    let sizes = [1, 2, 5, 7, 12, 13, 16, 17, 25, 31, 32, 33, 40, 64];
    let available = Instructions::all_available();
    let mut seen = 0;
    for (turn, &rows) in sizes.iter().enumerate() {
        for &columns in &sizes {
            for depth in [0, 1, 3, 22, 64] {
                let shape = Shape { rows, columns, depth };
                let seed = (turn * 1000 + columns) as u64;
                // Wider than needed, so that a stride that is ignored shows.
                let (wide, stride) = (depth.max(rows) + 3, columns + 2);
                let values = noise(depth.max(rows) * wide, seed);
                let right = noise(depth * stride, seed + 1);
                let right = Right { values: &right, stride };
                for left in [Left::rows(&values, wide), Left::transposed(&values, wide)] {
                    for &instructions in &available {
                        for into in [Into::Replace, Into::Add] {
                            let before = noise(rows * stride, 3);
                            let mut product = before.clone();
                            multiply_with(instructions, shape, left, right, &mut product, stride, into);
                            for (index, &value) in product.iter().enumerate() {
                                let (row, column) = (index / stride, index % stride);
                                let was = f64::from(before[index]);
                                let expected = match into {
                                    _ if column >= columns => was,
                                    Into::Replace => expected(shape, left, right, row, column),
                                    Into::Add => was + expected(shape, left, right, row, column),
                                };
                                let error = (f64::from(value) - expected).abs();
                                assert!(error < 1e-5, "{instructions:?} {shape:?} {into:?}: {error}");
                                seen += 1;
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(seen > 1_000_000);
}

#[test]
#[should_panic(expected = "assertion")]
fn a_slice_that_is_too_short_is_refused() {
    let shape = Shape { rows: 2, columns: 3, depth: 4 };
    let (left, right) = (noise(8, 1), noise(11, 2));
    multiply(
        shape,
        Left::rows(&left, 4),
        Right { values: &right, stride: 3 },
        &mut [0.0; 6],
        3,
        Into::Replace,
    );
}
