//! Runs a program on one shard at a time: what one thread owns.

use super::program::{ConvLayer, Operation, SlotId};
use super::{Network, Program};
use crate::layer::conv::{self, Scratch};
use crate::layer::norm::{Parameters, Seen};
use crate::layer::{Boards, Into, activation, add_channels, dense, sum_channels};
use std::mem::take;
use std::thread;

/// Weights prepared for a step, one entry per convolution or dense layer; shared by all threads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prepared {
    layers: Vec<conv::Prepared>,
}

impl Prepared {
    /// Prepares the parameters for boards of a size.
    pub(crate) fn update(&mut self, network: &Network, boards: &Boards, parameters: &[f32], threads: usize) {
        let convs = &network.program().convs;
        self.layers.resize_with(convs.len(), Default::default);
        let prepare = |(convs, layers): (&[ConvLayer], &mut [conv::Prepared])| {
            for (layer, prepared) in convs.iter().zip(layers) {
                layer.conv.prepare(boards, &parameters[layer.weights.clone()], prepared);
            }
        };
        if threads <= 1 {
            return prepare((convs, &mut self.layers));
        }
        let each = convs.len().div_ceil(threads);
        thread::scope(|scope| {
            for part in convs.chunks(each).zip(self.layers.chunks_mut(each)) {
                scope.spawn(|| prepare(part));
            }
        });
    }
}

/// Which statistics norms use.
#[derive(Clone, Copy)]
pub(crate) enum Mode<'a> {
    /// Those of the shard: in training.
    Batch,
    /// Those remembered: in evaluation.
    Remembered(&'a [f32]),
}

/// The values and gradients of one shard.
#[derive(Clone, Debug, Default)]
pub(crate) struct Worker {
    values: Vec<Vec<f32>>,
    gradients: Vec<Vec<f32>>,
    seen: Vec<Seen>,
    /// Where maxima were found, one list per operation that pools.
    places: Vec<Vec<u32>>,
    scratch: Scratch,
}

impl Worker {
    /// Makes room for a shard and returns where its planes and globals go.
    pub(crate) fn inputs(&mut self, program: &Program, boards: &Boards) -> (&mut [f32], &mut [f32]) {
        self.values.resize_with(program.slots.len(), Vec::new);
        self.gradients.resize_with(program.gradients, Vec::new);
        self.seen.resize_with(program.norms.len(), Seen::default);
        self.places.resize_with(program.operations.len(), Vec::new);
        for (slot, values) in program.slots.iter().zip(&mut self.values) {
            let length = boards.count * slot.shape.length(boards.area());
            values.resize(length, 0.0);
            let gradient = &mut self.gradients[slot.gradient];
            if gradient.len() < length {
                gradient.resize(length, 0.0);
            }
        }
        for (operation, places) in program.operations.iter().zip(&mut self.places) {
            if let Operation::Pool { channels, .. } = operation {
                places.resize(boards.count * channels, 0);
            }
        }
        match program.globals {
            None => (&mut self.values[program.planes], &mut []),
            // The planes are the first slot of every program.
            Some(globals) => {
                let (before, from) = self.values.split_at_mut(globals);
                (&mut before[program.planes], &mut from[0])
            }
        }
    }

    /// The values of a slot.
    pub(crate) fn values(&self, slot: SlotId) -> &[f32] {
        &self.values[slot]
    }

    /// The values of an output and where its gradient goes.
    pub(crate) fn output(&mut self, program: &Program, slot: SlotId) -> (&[f32], &mut [f32]) {
        let values = &self.values[slot];
        (values, &mut self.gradients[program.slots[slot].gradient][..values.len()])
    }

    /// What the norms saw of the last shard, in their order.
    pub(crate) fn seen(&self) -> &[Seen] {
        &self.seen
    }

    /// Computes the outputs for the inputs that were filled in.
    pub(crate) fn forward(
        &mut self,
        network: &Network,
        boards: &Boards,
        parameters: &[f32],
        prepared: &Prepared,
        mode: Mode<'_>,
    ) {
        let program = network.program();
        for (index, operation) in program.operations.iter().enumerate() {
            match *operation {
                Operation::Conv { layer, input, base, output, .. } => {
                    let conv = &program.convs[layer];
                    let boards = if conv.is_dense { one_point_each(boards) } else { *boards };
                    let mut y = take(&mut self.values[output]);
                    let base = base.map(|base| &self.values[base][..]);
                    let plain = &parameters[conv.weights.clone()];
                    let weights = conv::Weights { plain, prepared: &prepared.layers[layer] };
                    let x = &self.values[input];
                    conv.conv.forward(&boards, x, weights, base, &mut y, &mut self.scratch);
                    self.values[output] = y;
                }
                Operation::Norm { layer, activation, input, output, .. } => {
                    let norm = &program.norms[layer];
                    let seen = &mut self.seen[layer];
                    let own = Parameters {
                        scale: &parameters[norm.scale.clone()],
                        bias: &parameters[norm.bias.clone()],
                    };
                    match (norm.statistics, mode) {
                        (None, _) => seen.by_nothing(own),
                        (Some(_), Mode::Batch) => seen.by_batch(boards, &self.values[input], own),
                        (Some(first), Mode::Remembered(statistics)) => {
                            let remembered = &statistics[first..][..2 * norm.channels];
                            let (mean, variance) = remembered.split_at(norm.channels);
                            seen.by_statistics(mean, variance, own);
                        }
                    }
                    let mut y = take(&mut self.values[output]);
                    seen.forward(activation, &self.values[input], &mut y);
                    self.values[output] = y;
                }
                Operation::Pool { pooling, channels, input, output, .. } => {
                    let mut y = take(&mut self.values[output]);
                    pooling.forward(boards, channels, &self.values[input], &mut y, &mut self.places[index]);
                    self.values[output] = y;
                }
                Operation::AddChannels { channels, from, to, .. } => {
                    let mut y = take(&mut self.values[to]);
                    add_channels(boards, channels, &self.values[from], &mut y);
                    self.values[to] = y;
                }
                Operation::Bias { ref values, slot } => {
                    dense::add_bias(&parameters[values.clone()], &mut self.values[slot]);
                }
                Operation::Activate { activation: function, input, output } => {
                    let mut y = take(&mut self.values[output]);
                    y.copy_from_slice(&self.values[input]);
                    activation::apply(function, &mut y);
                    self.values[output] = y;
                }
            }
        }
    }

    /// Adds the gradients of the parameters, given those of the outputs, which [`Worker::output`] showed where to write.
    pub(crate) fn backward(
        &mut self,
        network: &Network,
        boards: &Boards,
        prepared: &Prepared,
        gradients: &mut [f32],
    ) {
        let program = network.program();
        for (index, operation) in program.operations.iter().enumerate().rev() {
            match *operation {
                Operation::Conv { layer, input, output, into, .. } => {
                    let conv = &program.convs[layer];
                    let boards = if conv.is_dense { one_point_each(boards) } else { *boards };
                    let (gradient, mut dx) = self.gradient_pair(program, output, input, into);
                    let values = &self.values[input];
                    let wanted = conv::Gradients {
                        weights: &mut gradients[conv.weights.clone()],
                        input: into.map(|into| (&mut dx[..values.len()], into)),
                    };
                    let given = &gradient[..self.values[output].len()];
                    let (prepared, scratch) = (&prepared.layers[layer], &mut self.scratch);
                    conv.conv.backward(&boards, values, given, prepared, wanted, scratch);
                    self.put_back(program, (output, gradient), (input, dx));
                }
                Operation::Norm { layer, activation, input, output, into } => {
                    let norm = &program.norms[layer];
                    let (mut gradient, mut dx) = self.gradient_pair(program, output, input, into);
                    let x = &self.values[input];
                    let (scale, bias) = two_parts(gradients, &norm.scale, &norm.bias);
                    let into = into.unwrap_or(Into::Replace);
                    let (gradient_part, dx_part) = (&mut gradient[..x.len()], &mut dx[..x.len()]);
                    let seen = &self.seen[layer];
                    seen.backward(boards, activation, x, gradient_part, dx_part, into, scale, bias);
                    self.put_back(program, (output, gradient), (input, dx));
                }
                Operation::Pool { pooling, channels, input, output, into } => {
                    let (gradient, mut dx) = self.gradient_pair(program, output, input, into);
                    let dx_part = &mut dx[..self.values[input].len()];
                    let given = &gradient[..self.values[output].len()];
                    let into = into.unwrap_or(Into::Replace);
                    pooling.backward(boards, channels, given, &self.places[index], dx_part, into);
                    self.put_back(program, (output, gradient), (input, dx));
                }
                Operation::AddChannels { channels, from, to, into } => {
                    let (gradient, mut dx) = self.gradient_pair(program, to, from, into);
                    let dx_part = &mut dx[..self.values[from].len()];
                    let given = &gradient[..self.values[to].len()];
                    sum_channels(boards, channels, given, dx_part, into.unwrap_or(Into::Replace));
                    self.put_back(program, (to, gradient), (from, dx));
                }
                Operation::Bias { ref values, slot } => {
                    let gradient = &self.gradients[program.slots[slot].gradient];
                    let length = self.values[slot].len();
                    dense::bias_gradient(&gradient[..length], &mut gradients[values.clone()]);
                }
                Operation::Activate { activation: function, input, .. } => {
                    let before = &self.values[input];
                    let gradient = &mut self.gradients[program.slots[input].gradient];
                    activation::apply_slope(function, before, &mut gradient[..before.len()]);
                }
            }
        }
    }

    /// Takes the buffers of two gradients out; the second is empty if nobody wants it.
    fn gradient_pair(
        &mut self,
        program: &Program,
        given: SlotId,
        wanted: SlotId,
        into: Option<Into>,
    ) -> (Vec<f32>, Vec<f32>) {
        let given = take(&mut self.gradients[program.slots[given].gradient]);
        let wanted = match into {
            Some(_) => take(&mut self.gradients[program.slots[wanted].gradient]),
            None => Vec::new(),
        };
        (given, wanted)
    }

    fn put_back(&mut self, program: &Program, given: (SlotId, Vec<f32>), wanted: (SlotId, Vec<f32>)) {
        self.gradients[program.slots[given.0].gradient] = given.1;
        if !wanted.1.is_empty() {
            self.gradients[program.slots[wanted.0].gradient] = wanted.1;
        }
    }
}

/// Boards seen as rows of numbers.
fn one_point_each(boards: &Boards) -> Boards {
    Boards { width: 1, height: 1, count: boards.count }
}

/// Two parts of a list, the second behind the first.
fn two_parts<'a>(
    list: &'a mut [f32],
    first: &std::ops::Range<usize>,
    second: &std::ops::Range<usize>,
) -> (&'a mut [f32], &'a mut [f32]) {
    let (before, from) = list.split_at_mut(second.start);
    (&mut before[first.clone()], &mut from[..second.len()])
}
