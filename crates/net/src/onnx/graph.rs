//! A graph under construction: nodes, constants, and layers as nodes.
//!
//! Every value has a name; functions take the names of their inputs and answer that of their output. Features are
//! `[batch][channel][row][column]`.

use super::proto::{Attribute, Message, floats, integers, node};
use crate::model::{Activation, Affine, Bias, Conv, Extent, MatMul, NormAct, RmsNorm};

#[derive(Default)]
pub(super) struct Graph {
    nodes: Vec<Message>,
    constants: Vec<Message>,
    names: usize,
    /// Names of √A − 14 over 10, and of its square less 0.1, once they are needed.
    side: Option<(String, String)>,
}

impl Graph {
    pub(super) fn finish(self, name: &str, inputs: &[Message], outputs: &[Message]) -> Message {
        let lists: [(u32, &[Message]); 4] =
            [(1, &self.nodes), (5, &self.constants), (11, inputs), (12, outputs)];
        let mut message = Message::default().bytes(2, name.as_bytes());
        for (field, list) in lists {
            message = list.iter().fold(message, |message, part| message.message(field, part));
        }
        message
    }

    fn name(&mut self, kind: &str) -> String {
        self.names += 1;
        format!("{kind}_{}", self.names)
    }

    /// A node with one output.
    pub(super) fn node(&mut self, kind: &str, inputs: &[&str], attributes: &[Attribute<'_>]) -> String {
        let output = self.name(kind);
        self.node_to(kind, inputs, &output, attributes);
        output
    }

    /// A node with an output of a given name.
    pub(super) fn node_to(
        &mut self,
        kind: &str,
        inputs: &[&str],
        output: &str,
        attributes: &[Attribute<'_>],
    ) {
        self.nodes.push(node(kind, inputs, output, attributes));
    }

    pub(super) fn floats(&mut self, shape: &[usize], values: &[f32]) -> String {
        let name = self.name("floats");
        self.constants.push(floats(&name, shape, values));
        name
    }

    pub(super) fn integers(&mut self, values: &[i64]) -> String {
        let name = self.name("integers");
        self.constants.push(integers(&name, &[values.len()], values));
        name
    }

    /// A single whole number.
    pub(super) fn integer(&mut self, value: i64) -> String {
        let name = self.name("integer");
        self.constants.push(integers(&name, &[], &[value]));
        name
    }

    /// A convolution; the norm that follows it is folded in.
    pub(super) fn conv(&mut self, input: &str, conv: &Conv, norm: Option<&Affine>) -> String {
        let &Conv { height, width, inputs, outputs, .. } = conv;
        let mut weights = vec![0.0; conv.weights.len()];
        for place in 0..height * width {
            for i in 0..inputs {
                for o in 0..outputs {
                    let scale = norm.map_or(1.0, |norm| norm.scale[o]);
                    let weight = conv.weights[(place * inputs + i) * outputs + o];
                    weights[(o * inputs + i) * height * width + place] = weight * scale;
                }
            }
        }
        let weights = self.floats(&[outputs, inputs, height, width], &weights);
        let (y, x) = ((height / 2) as i64, (width / 2) as i64);
        let pads = [y, x, y, x];
        let attributes =
            [Attribute::Ints("kernel_shape", &[height as i64, width as i64]), Attribute::Ints("pads", &pads)];
        match norm {
            Some(norm) => {
                let bias = self.floats(&[outputs], &norm.bias);
                self.node("Conv", &[input, &weights, &bias], &attributes)
            }
            None => self.node("Conv", &[input, &weights], &attributes),
        }
    }

    /// A convolution with what follows it.
    pub(super) fn conv_act(&mut self, input: &str, conv: &Conv, act: &NormAct) -> String {
        let output = self.conv(input, conv, Some(&act.norm));
        self.activate(&output, act.activation)
    }

    /// A matrix for the last axis of the input.
    pub(super) fn matmul(&mut self, input: &str, matmul: &MatMul) -> String {
        let weights = self.floats(&[matmul.inputs, matmul.outputs], &matmul.weights);
        self.node("MatMul", &[input, &weights], &[])
    }

    /// A matrix, a bias and an activation.
    pub(super) fn dense(
        &mut self,
        input: &str,
        matmul: &MatMul,
        bias: &Bias,
        activation: Activation,
    ) -> String {
        let sum = self.matmul(input, matmul);
        let bias = self.floats(&[bias.channels], &bias.values);
        let sum = self.node("Add", &[&sum, &bias], &[]);
        self.activate(&sum, activation)
    }

    /// Adds `[batch][channel]` to every point.
    pub(super) fn add_to_all(&mut self, input: &str, bias: &str) -> String {
        let axes = self.integers(&[2, 3]);
        let bias = self.node("Unsqueeze", &[bias, &axes], &[]);
        self.node("Add", &[input, &bias], &[])
    }

    /// A batch norm that has already been folded: mean 0, variance 1.
    pub(super) fn affine(&mut self, input: &str, affine: &Affine) -> String {
        let channels = affine.channels;
        let scale = self.floats(&[channels], &affine.scale);
        let bias = self.floats(&[channels], &affine.bias);
        let mean = self.floats(&[channels], &vec![0.0; channels]);
        let variance = self.floats(&[channels], &vec![1.0; channels]);
        let inputs = [input, &scale, &bias, &mean, &variance];
        self.node("BatchNormalization", &inputs, &[Attribute::Float("epsilon", 0.0)])
    }

    pub(super) fn norm_act(&mut self, input: &str, act: &NormAct) -> String {
        let normed = self.affine(input, &act.norm);
        self.activate(&normed, act.activation)
    }

    pub(super) fn activate(&mut self, input: &str, activation: Activation) -> String {
        match activation {
            Activation::Identity => input.to_owned(),
            Activation::Relu => self.node("Relu", &[input], &[]),
            Activation::Mish => {
                let softplus = self.node("Softplus", &[input], &[]);
                let tanh = self.node("Tanh", &[&softplus], &[]);
                self.node("Mul", &[input, &tanh], &[])
            }
            Activation::Silu => {
                let sigmoid = self.node("Sigmoid", &[input], &[]);
                self.node("Mul", &[input, &sigmoid], &[])
            }
        }
    }

    /// A norm by the root of the mean square, over the channels of each point or over everything of a board.
    pub(super) fn rms_norm(&mut self, input: &str, norm: &RmsNorm) -> String {
        let axes: &[i64] = match norm.extent {
            Extent::Point => &[1],
            Extent::Board => &[1, 2, 3],
        };
        let square = self.node("Mul", &[input, input], &[]);
        let attributes = [Attribute::Ints("axes", axes), Attribute::Int("keepdims", 1)];
        let mean = self.node("ReduceMean", &[&square], &attributes);
        let epsilon = self.floats(&[], &[norm.epsilon]);
        let mean = self.node("Add", &[&mean, &epsilon], &[]);
        let root = self.node("Sqrt", &[&mean], &[]);
        let normed = self.node("Div", &[input, &root], &[]);
        let scale = self.floats(&[norm.channels, 1, 1], &norm.scale);
        let scaled = self.node("Mul", &[&normed, &scale], &[]);
        if norm.has_bias {
            let bias = self.floats(&[norm.channels, 1, 1], &norm.bias);
            self.node("Add", &[&scaled, &bias], &[])
        } else {
            scaled
        }
    }

    /// Means, means by the board's side, and maxima, as `[batch][3 * channel]`.
    pub(super) fn pool(&mut self, input: &str) -> String {
        let (side, _) = self.side();
        let mean = self.node("GlobalAveragePool", &[input], &[]);
        let scaled = self.node("Mul", &[&mean, &side], &[]);
        let max = self.node("GlobalMaxPool", &[input], &[]);
        let all = self.node("Concat", &[&mean, &scaled, &max], &[Attribute::Int("axis", 1)]);
        self.node("Flatten", &[&all], &[])
    }

    /// Means, and means by the board's side and its square, as `[batch][3 * channel]`.
    pub(super) fn value_pool(&mut self, input: &str) -> String {
        let (side, square) = self.side();
        let mean = self.node("GlobalAveragePool", &[input], &[]);
        let scaled = self.node("Mul", &[&mean, &side], &[]);
        let squared = self.node("Mul", &[&mean, &square], &[]);
        let all = self.node("Concat", &[&mean, &scaled, &squared], &[Attribute::Int("axis", 1)]);
        self.node("Flatten", &[&all], &[])
    }

    /// One size of the input, as a single whole number: 2 for the height, 3 for the width.
    pub(super) fn extent(&mut self, axis: i64) -> String {
        let shape = self.node("Shape", &["planes"], &[]);
        let axis = self.integer(axis);
        self.node("Gather", &[&shape, &axis], &[])
    }

    /// (√A − 14) / 10 for the board of the input, and its square less 0.1.
    fn side(&mut self) -> (String, String) {
        if let Some(side) = &self.side {
            return side.clone();
        }
        let (height, width) = (self.extent(2), self.extent(3));
        let area = self.node("Mul", &[&height, &width], &[]);
        let area = self.node("Cast", &[&area], &[Attribute::Int("to", 1)]);
        let root = self.node("Sqrt", &[&area], &[]);
        let [middle, tenth, less] = [14.0, 10.0, 0.1].map(|value| self.floats(&[], &[value]));
        let distance = self.node("Sub", &[&root, &middle], &[]);
        let side = self.node("Div", &[&distance, &tenth], &[]);
        let square = self.node("Mul", &[&side, &side], &[]);
        let square = self.node("Sub", &[&square, &less], &[]);
        self.side.insert((side, square)).clone()
    }
}
