//! Layers: the smallest parts of a network. Each owns its weights; a serialised layer has none.

use serde::{Deserialize, Serialize};

/// A convolution without bias, with zero padding and stride 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conv {
    /// Rows of the kernel, odd.
    pub height: usize,
    /// Columns of the kernel, odd.
    pub width: usize,
    /// Channels read.
    pub inputs: usize,
    /// Channels made.
    pub outputs: usize,
    /// `[row][column][input][output]`: the weight of input `i` at kernel place (`y`, `x`) for output `o` is
    /// `weights[((y * width + x) * inputs + i) * outputs + o]`, and place (`y`, `x`) looks at the point
    /// `y - height / 2` rows below and `x - width / 2` columns to the right.
    #[serde(skip)]
    pub weights: Vec<f32>,
}

/// A dense layer without bias.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatMul {
    /// Numbers read.
    pub inputs: usize,
    /// Numbers made.
    pub outputs: usize,
    /// `[input][output]`: output `o` is the sum over `i` of `x[i] * weights[i * outputs + o]`.
    #[serde(skip)]
    pub weights: Vec<f32>,
}

/// A number added to each channel (or to each point, where a head says so).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bias {
    /// How many numbers.
    pub channels: usize,
    /// The numbers.
    #[serde(skip)]
    pub values: Vec<f32>,
}

/// A batch norm as it acts after training: `x * scale + bias` in each channel.
///
/// Mean and variance are folded in when a network is read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Affine {
    /// How many channels.
    pub channels: usize,
    /// The factor of each channel.
    #[serde(skip)]
    pub scale: Vec<f32>,
    /// The summand of each channel.
    #[serde(skip)]
    pub bias: Vec<f32>,
}

/// Division by the root of the mean square: `x / √(mean(x²) + epsilon) * scale + bias`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RmsNorm {
    /// How many channels.
    pub channels: usize,
    /// Keeps the division finite.
    pub epsilon: f32,
    /// What the mean is taken over.
    pub extent: Extent,
    /// The factor of each channel.
    #[serde(skip)]
    pub scale: Vec<f32>,
    /// The summand of each channel; empty if `has_bias` is false.
    #[serde(skip)]
    pub bias: Vec<f32>,
    /// Whether there is a summand.
    pub has_bias: bool,
}

/// What the mean of an [`RmsNorm`] is taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Extent {
    /// The channels of each point by itself.
    Point,
    /// All channels of all points of the board together.
    Board,
}

/// One of the norms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Norm {
    /// A folded batch norm.
    Affine(Affine),
    /// A norm by the root of the mean square.
    Rms(RmsNorm),
}

/// A folded batch norm and the activation after it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NormAct {
    /// The norm.
    pub norm: Affine,
    /// What follows it.
    pub activation: Activation,
}

/// A function applied to each number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Activation {
    /// The number itself.
    Identity,
    /// The number, or 0 if it is negative.
    Relu,
    /// `x * tanh(ln(1 + eˣ))` (Misra 2019).
    Mish,
    /// `x / (1 + e⁻ˣ)`, also called swish.
    Silu,
}

impl Conv {
    /// A square convolution without weights yet.
    pub fn new(side: usize, inputs: usize, outputs: usize) -> Conv {
        Conv { height: side, width: side, inputs, outputs, weights: Vec::new() }
    }
}

impl MatMul {
    /// A dense layer without weights yet.
    pub fn new(inputs: usize, outputs: usize) -> MatMul {
        MatMul { inputs, outputs, weights: Vec::new() }
    }
}

impl Bias {
    /// A bias without values yet.
    pub fn new(channels: usize) -> Bias {
        Bias { channels, values: Vec::new() }
    }
}

impl Affine {
    /// A norm without values yet.
    pub fn new(channels: usize) -> Affine {
        Affine { channels, scale: Vec::new(), bias: Vec::new() }
    }
}

impl NormAct {
    /// A norm without values yet, and what follows it.
    pub fn new(channels: usize, activation: Activation) -> NormAct {
        NormAct { norm: Affine::new(channels), activation }
    }
}

impl Norm {
    /// How many channels.
    pub fn channels(&self) -> usize {
        match self {
            Norm::Affine(affine) => affine.channels,
            Norm::Rms(rms) => rms.channels,
        }
    }
}

impl Activation {
    /// The value of the function at `x`, in the precision of f32.
    pub fn apply(self, x: f32) -> f32 {
        match self {
            Activation::Identity => x,
            Activation::Relu => x.max(0.0),
            // Beyond 20 the tangent is 1 in f32, and e to the x of large ones would overflow.
            Activation::Mish if x > 20.0 => x,
            Activation::Mish => (f64::from(x) * f64::from(x).exp().ln_1p().tanh()) as f32,
            Activation::Silu => (f64::from(x) / (1.0 + (-f64::from(x)).exp())) as f32,
        }
    }
}
