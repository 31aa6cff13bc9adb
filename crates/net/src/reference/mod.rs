//! The forward pass, slow and obvious: what faster ones are tested against.
//!
//! Everything is computed in f64 straight from the [model](crate::model)'s definitions, one layer after another, so its rounding is far below what a
//! comparison looks at. It knows the board's real size only: there is no padding to mask.

mod block;
mod head;
mod layer;

use std::fmt;
use tesuji_board::Size;

use crate::model::{Model, Norm, Trunk};
use crate::output::Logits;

/// Why a network cannot be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputError {
    /// The network was made for another board.
    Board(Size),
    /// There are not as many plane values as the network has planes times points.
    Planes {
        /// Values given.
        found: usize,
        /// Values needed.
        expected: usize,
    },
    /// There are not as many global inputs as the network has.
    Globals {
        /// Values given.
        found: usize,
        /// Values needed.
        expected: usize,
    },
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputError::Board(size) => {
                write!(f, "the network was not made for boards of {}x{}", size.width(), size.height())
            }
            InputError::Planes { found, expected } => write!(f, "{found} plane values instead of {expected}"),
            InputError::Globals { found, expected } => {
                write!(f, "{found} global inputs instead of {expected}")
            }
        }
    }
}

impl std::error::Error for InputError {}

/// Evaluates a position with a model that holds together (see [`Model::check`]).
///
/// `planes` are `[plane][point]` and `globals` one number each, both in the order of the model's [input](Model::input).
pub fn evaluate(
    model: &Model,
    size: Size,
    planes: &[f32],
    globals: &[f32],
    logits: &mut Logits,
) -> Result<(), InputError> {
    if !model.supports(size) {
        return Err(InputError::Board(size));
    }
    let area = size.area();
    let (found, expected) = (planes.len(), model.input.planes.len() * area);
    if found != expected {
        return Err(InputError::Planes { found, expected });
    }
    let (found, expected) = (globals.len(), model.input.globals.len());
    if found != expected {
        return Err(InputError::Globals { found, expected });
    }
    let mut input = Features::new(size, model.input.planes.len());
    for (plane, values) in planes.chunks_exact(area).enumerate() {
        for (point, &value) in values.iter().enumerate() {
            input.point_mut(point)[plane] = f64::from(value);
        }
    }
    let globals: Vec<f64> = globals.iter().copied().map(f64::from).collect();
    let features = trunk(&model.trunk, &input, &globals);
    logits.fit(model, size);
    if let Some(policy) = &model.policy {
        head::policy(policy, &features, logits);
    }
    if let Some(value) = &model.value {
        head::value(value, &features, logits);
    }
    Ok(())
}

fn trunk(trunk: &Trunk, input: &Features, globals: &[f64]) -> Features {
    let mut features = input.conv(&trunk.stem);
    if let Some(matmul) = &trunk.globals {
        features.add_to_all(&layer::matmul(matmul, globals));
    }
    if let Some(act) = &trunk.stem_act {
        features = features.norm_act(act);
    }
    features = block::blocks(&trunk.blocks, features);
    if let Some(tip) = &trunk.tip {
        match &tip.norm {
            Norm::Affine(affine) => features.affine(affine),
            Norm::Rms(norm) => features.rms_norm(norm),
        }
        features.activate(tip.activation);
    }
    features
}

/// A number per point and channel.
#[derive(Clone, Debug, PartialEq)]
struct Features {
    size: Size,
    channels: usize,
    /// `[point][channel]`.
    values: Vec<f64>,
}

impl Features {
    fn new(size: Size, channels: usize) -> Features {
        Features { size, channels, values: vec![0.0; size.area() * channels] }
    }

    fn point(&self, point: usize) -> &[f64] {
        &self.values[point * self.channels..][..self.channels]
    }

    fn point_mut(&mut self, point: usize) -> &mut [f64] {
        &mut self.values[point * self.channels..][..self.channels]
    }

    /// Adds the same numbers to every point.
    fn add_to_all(&mut self, bias: &[f64]) {
        for values in self.values.chunks_exact_mut(self.channels) {
            for (value, bias) in values.iter_mut().zip(bias) {
                *value += bias;
            }
        }
    }

    fn add(&mut self, other: &Features) {
        for (value, other) in self.values.iter_mut().zip(&other.values) {
            *value += other;
        }
    }
}
