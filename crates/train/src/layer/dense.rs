//! Dense layers: one product forward, two backward. A 1×1 convolution is one whose rows are points.

use super::Into;
use crate::kernel::{Left, Right, Shape, multiply};

/// The sizes of a dense layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dense {
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
}

impl Dense {
    /// `y = x · w`, with `w` as `[input][output]`.
    pub(crate) fn forward(&self, rows: usize, x: &[f32], weights: &[f32], y: &mut [f32], into: Into) {
        let &Dense { inputs, outputs } = self;
        let shape = Shape { rows, columns: outputs, depth: inputs };
        let right = Right { values: weights, stride: outputs };
        multiply(shape, Left::rows(x, inputs), right, y, outputs, into);
    }

    /// `dx = dy · wᵀ`, with `wᵀ` as `[output][input]`.
    pub(crate) fn input_gradient(
        &self,
        rows: usize,
        gradient: &[f32],
        transposed: &[f32],
        dx: &mut [f32],
        into: Into,
    ) {
        let &Dense { inputs, outputs } = self;
        let shape = Shape { rows, columns: inputs, depth: outputs };
        let right = Right { values: transposed, stride: inputs };
        multiply(shape, Left::rows(gradient, outputs), right, dx, inputs, into);
    }

    /// `dw += xᵀ · dy`.
    pub(crate) fn weight_gradient(&self, rows: usize, x: &[f32], gradient: &[f32], dw: &mut [f32]) {
        let &Dense { inputs, outputs } = self;
        let shape = Shape { rows: inputs, columns: outputs, depth: rows };
        let right = Right { values: gradient, stride: outputs };
        multiply(shape, Left::transposed(x, inputs), right, dw, outputs, Into::Add);
    }
}

/// Writes the transpose of a matrix of `rows` rows.
pub(crate) fn transpose(rows: usize, values: &[f32], transposed: &mut [f32]) {
    let columns = values.len() / rows.max(1);
    for (column, to) in transposed.chunks_exact_mut(rows).enumerate() {
        for (row, to) in to.iter_mut().enumerate() {
            *to = values[row * columns + column];
        }
    }
}

/// Adds a bias to every row.
pub(crate) fn add_bias(bias: &[f32], rows: &mut [f32]) {
    for row in rows.chunks_exact_mut(bias.len()) {
        row.iter_mut().zip(bias).for_each(|(value, bias)| *value += bias);
    }
}

/// Adds the gradient of the bias in [`add_bias`].
pub(crate) fn bias_gradient(gradient: &[f32], bias: &mut [f32]) {
    for row in gradient.chunks_exact(bias.len()) {
        bias.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
    }
}
