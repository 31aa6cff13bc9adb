//! The straight list of operations that a network is compiled to.

use crate::layer::Into;
use crate::layer::conv::Conv;
use crate::layer::pool::Pooling;
use std::ops::Range;
use tesuji_net::model::Activation;

/// Where values of a shard are kept: a number for each slot.
pub(crate) type SlotId = usize;

/// A network as operations in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub(crate) operations: Vec<Operation>,
    pub(crate) slots: Vec<Slot>,
    pub(crate) convs: Vec<ConvLayer>,
    pub(crate) norms: Vec<NormLayer>,
    /// Numbers that batch norms remember.
    pub(crate) statistics: usize,
    /// Gradient buffers.
    pub(crate) gradients: usize,
    /// The planes, filled by the caller.
    pub(crate) planes: SlotId,
    /// The global numbers, filled by the caller; absent if the network reads none.
    pub(crate) globals: Option<SlotId>,
    pub(crate) outputs: Outputs,
}

/// The slots that losses look at; absent where the network has no such head.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Outputs {
    /// `[board][point][output]`.
    pub(crate) policy: Option<SlotId>,
    /// `[board][output]`.
    pub(crate) pass: Option<SlotId>,
    /// `[board][outcome]`: logits, or one number before the tangent.
    pub(crate) outcome: Option<SlotId>,
    /// `[board][score]`.
    pub(crate) score: Option<SlotId>,
    /// `[board][point]`: before the tangent.
    pub(crate) ownership: Option<SlotId>,
}

impl Outputs {
    pub(crate) fn all(&self) -> impl Iterator<Item = SlotId> {
        [self.policy, self.pass, self.outcome, self.score, self.ownership].into_iter().flatten()
    }
}

/// What a slot holds, and where its gradient goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(crate) shape: Shape,
    /// The buffer of its gradient; slots whose gradients are the same numbers, or are not needed at the same time, share one.
    pub(crate) gradient: usize,
}

/// Numbers per board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// So many at each point.
    Points(usize),
    /// So many in all.
    Numbers(usize),
}

impl Shape {
    pub(crate) fn length(self, area: usize) -> usize {
        match self {
            Shape::Points(channels) => area * channels,
            Shape::Numbers(numbers) => numbers,
        }
    }
}

/// A convolution or dense layer.
#[derive(Clone, Debug)]
pub(crate) struct ConvLayer {
    pub(crate) conv: Conv,
    pub(crate) weights: Range<usize>,
    /// Whether its rows are boards instead of points.
    pub(crate) is_dense: bool,
}

/// A norm.
#[derive(Clone, Debug)]
pub(crate) struct NormLayer {
    pub(crate) channels: usize,
    pub(crate) scale: Range<usize>,
    pub(crate) bias: Range<usize>,
    /// Where its mean begins among the statistics, the variance behind it; absent if it has none.
    pub(crate) statistics: Option<usize>,
}

/// One step. `into` says what to do with the gradient of the input; where it is absent, nobody wants that gradient.
#[derive(Clone, Debug)]
pub(crate) enum Operation {
    /// `output = base + conv(input)`; the gradient of the base is that of the output.
    Conv { layer: usize, input: SlotId, base: Option<SlotId>, output: SlotId, into: Option<Into> },
    /// `output = activation(norm(input))`.
    Norm { layer: usize, activation: Activation, input: SlotId, output: SlotId, into: Option<Into> },
    /// Three numbers per channel.
    Pool { pooling: Pooling, channels: usize, input: SlotId, output: SlotId, into: Option<Into> },
    /// Adds numbers of each board to its points, in place.
    AddChannels { channels: usize, from: SlotId, to: SlotId, into: Option<Into> },
    /// Adds parameters to each board's numbers, in place.
    Bias { values: Range<usize>, slot: SlotId },
    /// `output = activation(input)`; both share their gradient.
    Activate { activation: Activation, input: SlotId, output: SlotId },
}

impl Operation {
    /// The slot that is read and may have a gradient of its own, with where to say what becomes of it.
    pub(super) fn input(&mut self) -> Option<(SlotId, &mut Option<Into>)> {
        match self {
            Operation::Conv { input, into, .. }
            | Operation::Norm { input, into, .. }
            | Operation::Pool { input, into, .. }
            | Operation::AddChannels { from: input, into, .. } => Some((*input, into)),
            Operation::Bias { .. } | Operation::Activate { .. } => None,
        }
    }

    /// The slot that it fills first.
    pub(super) fn output(&self) -> Option<SlotId> {
        match *self {
            Operation::Conv { output, .. }
            | Operation::Norm { output, .. }
            | Operation::Pool { output, .. }
            | Operation::Activate { output, .. } => Some(output),
            Operation::AddChannels { .. } | Operation::Bias { .. } => None,
        }
    }
}
