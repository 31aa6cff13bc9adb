//! Layers as the kernels want them: weights packed, channels filled up to whole lanes.

use crate::kernel::Multiplier;
use crate::kernel::finish::Norm;
use crate::kernel::gemm::{Packing, Room, Weights, pack};
use crate::kernel::lanes::{Lanes, WIDTH};
use crate::kernel::memory::zeros;
use crate::kernel::simd::{Kernel, Simd};
use crate::kernel::winograd::TileSize;
use crate::model::{Activation, Affine, Bias, Conv, MatMul, NormAct, RmsNorm};

/// A norm with its activation, in lanes.
#[derive(Clone, Debug)]
pub(crate) struct NormLanes {
    scale: Vec<Lanes>,
    bias: Vec<Lanes>,
    activation: Activation,
}

impl NormLanes {
    fn new(channels: usize, activation: Activation) -> NormLanes {
        let lanes = vec![Lanes::ZERO; Lanes::count(channels)];
        NormLanes { scale: lanes.clone(), bias: lanes, activation }
    }

    /// `x * scale + bias`, and the activation.
    pub(crate) fn affine(norm: &Affine, activation: Activation) -> NormLanes {
        let mut lanes = NormLanes::new(norm.channels, activation);
        Lanes::fill(&mut lanes.scale, &norm.scale);
        Lanes::fill(&mut lanes.bias, &norm.bias);
        lanes
    }

    pub(crate) fn norm_act(norm: &NormAct) -> NormLanes {
        NormLanes::affine(&norm.norm, norm.activation)
    }

    /// What follows the division of an [`RmsNorm`].
    pub(crate) fn rms(norm: &RmsNorm, activation: Activation) -> NormLanes {
        let mut lanes = NormLanes::new(norm.channels, activation);
        Lanes::fill(&mut lanes.scale, &norm.scale);
        Lanes::fill(&mut lanes.bias, &norm.bias);
        lanes
    }

    /// `x + bias`, and the activation.
    pub(crate) fn bias(bias: &Bias, activation: Activation) -> NormLanes {
        let mut lanes = NormLanes::identity(bias.channels);
        lanes.activation = activation;
        Lanes::fill(&mut lanes.bias, &bias.values);
        lanes
    }

    /// The number itself.
    pub(crate) fn identity(channels: usize) -> NormLanes {
        let mut lanes = NormLanes::new(channels, Activation::Identity);
        Lanes::fill(&mut lanes.scale, &vec![1.0; channels]);
        lanes
    }

    pub(crate) fn view(&self) -> Norm<'_> {
        Norm { scale: &self.scale, bias: &self.bias, activation: self.activation }
    }

    /// How many lanes.
    pub(crate) fn columns(&self) -> usize {
        self.scale.len()
    }
}

/// Convolutions as a single one: kernels are filled up with zeros to the size of the largest, and each of them reads and makes channels from
/// certain numbers on.
fn combine(parts: &[(&Conv, usize, usize)], inputs: usize, outputs: usize) -> Conv {
    let height = parts.iter().map(|(conv, ..)| conv.height).max().unwrap_or(1);
    let width = parts.iter().map(|(conv, ..)| conv.width).max().unwrap_or(1);
    let mut weights = vec![0.0; height * width * inputs * outputs];
    for &(conv, first_input, first_output) in parts {
        let (top, left) = ((height - conv.height) / 2, (width - conv.width) / 2);
        for (index, from) in conv.weights.chunks_exact(conv.outputs).enumerate() {
            let (place, input) = (index / conv.inputs, first_input + index % conv.inputs);
            let (y, x) = (top + place / conv.width, left + place % conv.width);
            let to = ((y * width + x) * inputs + input) * outputs + first_output;
            weights[to..to + conv.outputs].copy_from_slice(from);
        }
    }
    Conv { height, width, inputs, outputs, weights }
}

/// Convolutions of one input as a single one; the outputs of each begin with new lanes. Also says with which.
pub(crate) fn merge(convs: &[&Conv]) -> (Conv, Vec<usize>) {
    let mut parts = Vec::new();
    let mut lanes = 0;
    for &conv in convs {
        parts.push((conv, 0, lanes * WIDTH));
        lanes += Lanes::count(conv.outputs);
    }
    let inputs = convs.iter().map(|conv| conv.inputs).max().unwrap_or(0);
    let starts = parts.iter().map(|(_, _, output)| output / WIDTH).collect();
    (combine(&parts, inputs, lanes * WIDTH), starts)
}

/// Convolutions of different inputs as a single one: the inputs of each begin with new lanes, the outputs follow each other.
pub(crate) fn side_by_side(convs: &[&Conv]) -> Conv {
    let mut parts = Vec::new();
    let (mut lanes, mut outputs) = (0, 0);
    for &conv in convs {
        parts.push((conv, lanes * WIDTH, outputs));
        lanes += Lanes::count(conv.inputs);
        outputs += conv.outputs;
    }
    combine(&parts, lanes * WIDTH, outputs)
}

/// A dense layer, the same at each point, as a convolution.
pub(crate) fn pointwise(matmul: &MatMul) -> Conv {
    let MatMul { inputs, outputs, weights } = matmul.clone();
    Conv { height: 1, width: 1, inputs, outputs, weights }
}

/// A dense layer whose inputs and outputs lie elsewhere: `inputs[i]` says which input of the layer number `i` is, if any.
pub(crate) fn rearrange(matmul: &MatMul, inputs: &[Option<usize>], outputs: &[Option<usize>]) -> MatMul {
    let weight = |input: Option<usize>, output: Option<usize>| match (input, output) {
        (Some(input), Some(output)) => matmul.weights[input * matmul.outputs + output],
        _ => 0.0,
    };
    let weights = inputs.iter().flat_map(|&input| outputs.iter().map(move |&output| weight(input, output)));
    MatMul { inputs: inputs.len(), outputs: outputs.len(), weights: weights.collect() }
}

/// Groups of `size` numbers, each filled up to whole lanes.
pub(crate) fn padded(groups: usize, size: usize) -> Vec<Option<usize>> {
    let wide = Lanes::count(size) * WIDTH;
    (0..groups * wide).map(|i| (i % wide < size).then_some(i / wide * size + i % wide)).collect()
}

/// A convolution or a dense layer with its weights.
#[derive(Debug)]
pub(crate) struct Layer {
    /// What computes it.
    pub(crate) multiplier: Multiplier,
    /// Lanes of a row of input.
    pub(crate) input_lanes: usize,
    /// Lanes of a row of output.
    pub(crate) columns: usize,
    pub(crate) method: Method,
}

/// How a layer is computed.
#[derive(Debug)]
pub(crate) enum Method {
    /// As a product of rows and weights, with a kernel of this height and width.
    Direct { height: usize, width: usize, weights: PackedWeights },
    /// By transforms: the weights as the model has them, to be transformed for a size of tiles when it is known.
    Winograd(Conv),
}

/// Packed weights of one layer.
#[derive(Debug)]
pub(crate) struct PackedWeights {
    packing: Packing,
    data: Vec<Lanes>,
    factors: Vec<Lanes>,
}

impl PackedWeights {
    pub(crate) fn view(&self) -> Weights<'_> {
        Weights { packing: self.packing, data: &self.data, factors: &self.factors }
    }
}

impl Layer {
    /// Prepares a convolution.
    pub(crate) fn new(multiplier: Multiplier, conv: Conv) -> Layer {
        let input_lanes = Lanes::count(conv.inputs);
        let columns = Lanes::count(conv.outputs);
        let size = (conv.height, conv.width);
        // Rows of whole numbers have units of their own, which could not be summed up over the places of a kernel.
        let multiplier =
            if [(1, 1), (3, 3)].contains(&size) { multiplier } else { multiplier.exact().into() };
        let method = if size == (3, 3) && !multiplier.is_direct() {
            Method::Winograd(conv)
        } else {
            let weights = multiplier.run(PackDirect { conv: &conv, input_lanes, columns });
            Method::Direct { height: conv.height, width: conv.width, weights }
        };
        Layer { multiplier, input_lanes, columns, method }
    }

    /// The shape of transformed weights, and how many lanes of factors there are.
    pub(crate) fn winograd_packing(&self, size: TileSize) -> (Packing, usize) {
        self.multiplier.run(Shape {
            positions: size.positions(),
            taps: 1,
            input_lanes: self.input_lanes,
            columns: self.columns,
            // Low tiles of many columns where there are few rows per position (9×9 has nine), high ones where there are more.
            most_columns: match size {
                TileSize::Three => 3,
                TileSize::Four => 2,
            },
        })
    }

    /// Transforms and packs the weights of a convolution by transforms.
    pub(crate) fn transform(&self, size: TileSize, packing: Packing, to: Room<'_>) {
        if let Method::Winograd(conv) = &self.method {
            self.multiplier.run(PackWinograd { conv, size, packing, to });
        }
    }
}

/// The shape of packed weights for an instruction set.
struct Shape {
    positions: usize,
    taps: usize,
    input_lanes: usize,
    columns: usize,
    most_columns: usize,
}

impl Kernel for Shape {
    /// And how many lanes of factors there are.
    type Output = (Packing, usize);

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> (Packing, usize) {
        let packing = Packing {
            positions: self.positions,
            taps: self.taps,
            depth: self.input_lanes.div_ceil(S::DEPTH),
            columns: self.columns,
            tile_columns: S::TILE_ROWS.len().min(self.most_columns),
        };
        (packing, if S::STEPS.is_some() { packing.factors() } else { 0 })
    }
}

/// Sums of whole numbers are cut after so many lanes of input: the longer they are, the coarser the weights must be.
const LANES_OF_SUM: usize = 12;

struct PackDirect<'a> {
    conv: &'a Conv,
    input_lanes: usize,
    columns: usize,
}

impl Kernel for PackDirect<'_> {
    type Output = PackedWeights;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> PackedWeights {
        let conv = self.conv;
        let taps = conv.height * conv.width;
        let parts = if S::STEPS.is_some() { self.input_lanes.div_ceil(LANES_OF_SUM) } else { 1 };
        let input_lanes = self.input_lanes.div_ceil(parts).next_multiple_of(S::DEPTH);
        let shape = Shape { positions: parts, taps, input_lanes, columns: self.columns, most_columns: 3 };
        let (packing, factors) = shape.run(simd);
        let (mut data, mut factors) = (zeros(packing.len()), zeros(factors));
        let to = Room { data: &mut data, factors: &mut factors };
        let wide = input_lanes * WIDTH;
        pack(
            simd,
            packing,
            (taps * wide, conv.outputs),
            to,
            |_| 1.0,
            |part, k, output| {
                let (tap, input) = (k / wide, part * wide + k % wide);
                if input < conv.inputs {
                    conv.weights[(tap * conv.inputs + input) * conv.outputs + output]
                } else {
                    0.0
                }
            },
        );
        PackedWeights { packing, data, factors }
    }
}

struct PackWinograd<'a> {
    conv: &'a Conv,
    size: TileSize,
    packing: Packing,
    to: Room<'a>,
}

impl Kernel for PackWinograd<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Conv { inputs, outputs, .. } = *self.conv;
        let transformed = self.size.transform_weights(self.conv);
        let bound = |position: usize| self.size.input_bound(position);
        pack(simd, self.packing, (inputs, outputs), self.to, bound, |position, input, output| {
            transformed[(position * inputs + input) * outputs + output]
        });
    }
}
