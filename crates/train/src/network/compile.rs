//! From a description to a program.

use super::Normalization;
use super::layout::Layout;
use super::program::{ConvLayer, NormLayer, Operation, Program, Shape, Slot, SlotId};
use crate::layer::Into;
use crate::layer::conv::Conv;
use crate::layer::pool::Pooling;
use std::fmt;
use std::ops::Range;
use tesuji_net::model::{
    self, Activation, Affine, Bias, Block, MatMul, Model, Norm, NormAct, PassHead, PolicyHead, ValueHead,
};

/// Why a description cannot be trained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompileError {
    /// It has a part whose gradient this crate does not know.
    Unsupported(&'static str),
    /// It names no tensor of this name, which one of its layers should have.
    Missing(String),
    /// It has no head at all.
    NoHead,
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompileError::Unsupported(part) => write!(f, "{part} cannot be trained"),
            CompileError::Missing(name) => write!(f, "the description has no tensor {name}"),
            CompileError::NoHead => f.write_str("a network without heads learns nothing"),
        }
    }
}

impl std::error::Error for CompileError {}

pub(super) fn compile(
    model: &Model,
    layout: &Layout,
    normalization: Normalization,
) -> Result<Program, CompileError> {
    if model.policy.is_none() && model.value.is_none() {
        return Err(CompileError::NoHead);
    }
    let mut compiler = Compiler { layout, normalization, program: Program::default(), gradients: Vec::new() };
    let features = compiler.trunk(model)?;
    if let Some(head) = &model.policy {
        compiler.policy(head, features)?;
    }
    if let Some(head) = &model.value {
        compiler.value(head, features)?;
    }
    Ok(compiler.finish())
}

struct Compiler<'a> {
    layout: &'a Layout,
    normalization: Normalization,
    program: Program,
    /// For each slot, the slot whose gradient it shares; itself if it is the first.
    gradients: Vec<SlotId>,
}

impl Compiler<'_> {
    fn slot(&mut self, shape: Shape) -> SlotId {
        let slot = self.program.slots.len();
        self.program.slots.push(Slot { shape, gradient: usize::MAX });
        self.gradients.push(slot);
        slot
    }

    /// A slot whose gradient is the same numbers as another's.
    fn slot_like(&mut self, other: SlotId) -> SlotId {
        let slot = self.slot(self.program.slots[other].shape);
        self.gradients[slot] = self.gradients[other];
        slot
    }

    fn parameters(&self, path: &str, part: &str) -> Result<Range<usize>, CompileError> {
        let name = format!("{path}.{part}");
        self.layout.find(&name).ok_or(CompileError::Missing(name))
    }

    fn conv(
        &mut self,
        path: &str,
        conv: &model::Conv,
        input: SlotId,
        base: Option<SlotId>,
    ) -> Result<SlotId, CompileError> {
        let output = match base {
            Some(base) => self.slot_like(base),
            None => self.slot(Shape::Points(conv.outputs)),
        };
        let &model::Conv { height, width, inputs, outputs, .. } = conv;
        let layer = self.layer(path, Conv { height, width, inputs, outputs }, false)?;
        self.program.operations.push(Operation::Conv { layer, input, base, output, into: None });
        Ok(output)
    }

    fn dense(&mut self, path: &str, matmul: &MatMul, input: SlotId) -> Result<SlotId, CompileError> {
        let output = self.slot(Shape::Numbers(matmul.outputs));
        let conv = Conv { height: 1, width: 1, inputs: matmul.inputs, outputs: matmul.outputs };
        let layer = self.layer(path, conv, true)?;
        self.program.operations.push(Operation::Conv { layer, input, base: None, output, into: None });
        Ok(output)
    }

    fn layer(&mut self, path: &str, conv: Conv, is_dense: bool) -> Result<usize, CompileError> {
        let weights = self.parameters(path, "weights")?;
        self.program.convs.push(ConvLayer { conv, weights, is_dense });
        Ok(self.program.convs.len() - 1)
    }

    fn norm_act(&mut self, path: &str, act: &NormAct, input: SlotId) -> Result<SlotId, CompileError> {
        self.norm(&format!("{path}.norm"), &act.norm, act.activation, input)
    }

    fn norm(
        &mut self,
        path: &str,
        norm: &Affine,
        activation: Activation,
        input: SlotId,
    ) -> Result<SlotId, CompileError> {
        let (scale, bias) = (self.parameters(path, "scale")?, self.parameters(path, "bias")?);
        let statistics = match self.normalization {
            Normalization::Fixed => None,
            Normalization::Batch => {
                self.program.statistics += 2 * norm.channels;
                Some(self.program.statistics - 2 * norm.channels)
            }
        };
        self.program.norms.push(NormLayer { channels: norm.channels, scale, bias, statistics });
        let output = self.slot(Shape::Points(norm.channels));
        let layer = self.program.norms.len() - 1;
        self.program.operations.push(Operation::Norm { layer, activation, input, output, into: None });
        Ok(output)
    }

    fn pool(&mut self, pooling: Pooling, channels: usize, input: SlotId) -> SlotId {
        let output = self.slot(Shape::Numbers(3 * channels));
        self.program.operations.push(Operation::Pool { pooling, channels, input, output, into: None });
        output
    }

    fn add_channels(&mut self, channels: usize, from: SlotId, to: SlotId) {
        self.program.operations.push(Operation::AddChannels { channels, from, to, into: None });
    }

    fn bias(&mut self, path: &str, _: &Bias, slot: SlotId) -> Result<(), CompileError> {
        let values = self.parameters(path, "values")?;
        self.program.operations.push(Operation::Bias { values, slot });
        Ok(())
    }

    fn activate(&mut self, activation: Activation, input: SlotId) -> SlotId {
        let output = self.slot_like(input);
        self.program.operations.push(Operation::Activate { activation, input, output });
        output
    }

    fn trunk(&mut self, model: &Model) -> Result<SlotId, CompileError> {
        let trunk = &model.trunk;
        self.program.planes = self.slot(Shape::Points(trunk.stem.inputs));
        let mut x = self.conv("trunk.stem", &trunk.stem, self.program.planes, None)?;
        if let Some(globals) = &trunk.globals {
            let slot = self.slot(Shape::Numbers(globals.inputs));
            self.program.globals = Some(slot);
            let bias = self.dense("trunk.globals", globals, slot)?;
            self.add_channels(trunk.channels, bias, x);
        }
        if let Some(act) = &trunk.stem_act {
            x = self.norm_act("trunk.stem_act", act, x)?;
        }
        for (number, block) in trunk.blocks.iter().enumerate() {
            x = self.block(&format!("trunk.blocks.{number}"), block, x)?;
        }
        if let Some(tip) = &trunk.tip {
            let Norm::Affine(norm) = &tip.norm else {
                return Err(CompileError::Unsupported("a norm by the root of the mean square"));
            };
            x = self.norm("trunk.tip.norm", norm, tip.activation, x)?;
        }
        Ok(x)
    }

    fn block(&mut self, path: &str, block: &Block, x: SlotId) -> Result<SlotId, CompileError> {
        match block {
            Block::Plain(plain) => {
                let y = self.conv(&format!("{path}.conv"), &plain.conv, x, None)?;
                self.norm_act(&format!("{path}.post"), &plain.post, y)
            }
            Block::Residual(block) => {
                let h = self.norm_act(&format!("{path}.pre"), &block.pre, x)?;
                let h = self.conv(&format!("{path}.first"), &block.first, h, None)?;
                let h = self.norm_act(&format!("{path}.mid"), &block.mid, h)?;
                self.conv(&format!("{path}.last"), &block.last, h, Some(x))
            }
            Block::Pooling(block) => {
                let h = self.norm_act(&format!("{path}.pre"), &block.pre, x)?;
                let regular = self.conv(&format!("{path}.regular"), &block.regular, h, None)?;
                let pooled = self.conv(&format!("{path}.pooled"), &block.pooled, h, None)?;
                let pooled = self.norm_act(&format!("{path}.pooled_act"), &block.pooled_act, pooled)?;
                let pooled = self.pool(Pooling::WithMaximum, block.pooled.outputs, pooled);
                let bias = self.dense(&format!("{path}.to_bias"), &block.to_bias, pooled)?;
                self.add_channels(block.regular.outputs, bias, regular);
                let h = self.norm_act(&format!("{path}.mid"), &block.mid, regular)?;
                self.conv(&format!("{path}.last"), &block.last, h, Some(x))
            }
            Block::Bottleneck(block) => {
                let h = self.norm_act(&format!("{path}.pre"), &block.pre, x)?;
                let mut h = self.conv(&format!("{path}.down"), &block.down, h, None)?;
                for (number, inner) in block.blocks.iter().enumerate() {
                    h = self.block(&format!("{path}.blocks.{number}"), inner, h)?;
                }
                let h = self.norm_act(&format!("{path}.post"), &block.post, h)?;
                self.conv(&format!("{path}.up"), &block.up, h, Some(x))
            }
            Block::Attention(_) => Err(CompileError::Unsupported("attention")),
            Block::FeedForward(_) => Err(CompileError::Unsupported("a gated dense layer")),
        }
    }

    fn policy(&mut self, head: &PolicyHead, features: SlotId) -> Result<(), CompileError> {
        match head {
            PolicyHead::Point(head) => {
                let logits = self.conv("policy.conv", &head.conv, features, None)?;
                self.bias("policy.bias", &head.bias, logits)?;
                self.program.outputs.policy = Some(logits);
            }
            PolicyHead::Pooled(head) => {
                let h = self.conv("policy.conv", &head.conv, features, None)?;
                let pooled = self.conv("policy.pooled", &head.pooled, features, None)?;
                let pooled = self.norm_act("policy.pooled_act", &head.pooled_act, pooled)?;
                let pooled = self.pool(Pooling::WithMaximum, head.pooled.outputs, pooled);
                let bias = self.dense("policy.to_bias", &head.to_bias, pooled)?;
                self.add_channels(head.conv.outputs, bias, h);
                let h = self.norm_act("policy.act", &head.act, h)?;
                self.program.outputs.policy = Some(self.conv("policy.out", &head.out, h, None)?);
                self.program.outputs.pass = Some(match &head.pass {
                    PassHead::Direct(matmul) => self.dense("policy.pass", matmul, pooled)?,
                    PassHead::Hidden { hidden, bias, activation, out } => {
                        let h = self.dense("policy.pass.hidden", hidden, pooled)?;
                        self.bias("policy.pass.bias", bias, h)?;
                        let h = self.activate(*activation, h);
                        self.dense("policy.pass.out", out, h)?
                    }
                });
            }
        }
        Ok(())
    }

    fn value(&mut self, head: &ValueHead, features: SlotId) -> Result<(), CompileError> {
        match head {
            ValueHead::Dense(head) => {
                let h = self.conv("value.conv", &head.conv, features, None)?;
                let h = self.norm_act("value.act", &head.act, h)?;
                let h = self.dense("value.hidden", &head.hidden, h)?;
                self.bias("value.hidden_bias", &head.hidden_bias, h)?;
                let h = self.activate(head.hidden_activation, h);
                let value = self.dense("value.out", &head.out, h)?;
                self.bias("value.out_bias", &head.out_bias, value)?;
                self.program.outputs.outcome = Some(value);
            }
            ValueHead::Pooled(head) => {
                let v = self.conv("value.conv", &head.conv, features, None)?;
                let v = self.norm_act("value.act", &head.act, v)?;
                let pooled = self.pool(Pooling::Means, head.conv.outputs, v);
                let h = self.dense("value.hidden", &head.hidden, pooled)?;
                self.bias("value.hidden_bias", &head.hidden_bias, h)?;
                let h = self.activate(head.hidden_activation, h);
                let outcome = self.dense("value.outcome", &head.outcome, h)?;
                self.bias("value.outcome_bias", &head.outcome_bias, outcome)?;
                self.program.outputs.outcome = Some(outcome);
                if let Some(score) = &head.score {
                    let out = self.dense("value.score.out", &score.out, h)?;
                    self.bias("value.score.bias", &score.bias, out)?;
                    self.program.outputs.score = Some(out);
                }
                if let Some(ownership) = &head.ownership {
                    let out = self.conv("value.ownership", ownership, v, None)?;
                    self.program.outputs.ownership = Some(out);
                }
            }
        }
        Ok(())
    }

    /// Says of every gradient where it is kept and who writes it first.
    fn finish(mut self) -> Program {
        let mut program = std::mem::take(&mut self.program);
        let mut buffers = Buffers::default();
        // Losses write the gradients of all outputs before anything else happens.
        for slot in program.outputs.all() {
            buffers.take(self.gradients[slot]);
        }
        let (planes, globals) = (program.planes, program.globals);
        // A gradient is finished when the first operation that filled one of its slots is reached.
        let mut first_filled = vec![usize::MAX; program.slots.len()];
        for (index, operation) in program.operations.iter().enumerate().rev() {
            if let Some(output) = operation.output() {
                first_filled[self.gradients[output]] = index;
            }
        }
        for (index, operation) in program.operations.iter_mut().enumerate().rev() {
            if let Some((input, into)) = operation.input()
                && input != planes
                && Some(input) != globals
            {
                *into = Some(buffers.take(self.gradients[input]));
            }
            if let Some(output) = operation.output()
                && first_filled[self.gradients[output]] == index
            {
                buffers.release(self.gradients[output]);
            }
        }
        for (slot, &shared) in program.slots.iter_mut().zip(&self.gradients) {
            // Inputs have none; the number is never used for them.
            slot.gradient = buffers.of.get(&shared).copied().unwrap_or(0);
        }
        program.gradients = buffers.count;
        program
    }
}

/// Gives out gradient buffers, and takes them back when nobody needs them any more.
#[derive(Default)]
struct Buffers {
    of: std::collections::HashMap<SlotId, usize>,
    free: Vec<usize>,
    count: usize,
}

impl Buffers {
    /// Whether the next to write into the gradient of a slot is the first.
    fn take(&mut self, slot: SlotId) -> Into {
        if self.of.contains_key(&slot) {
            return Into::Add;
        }
        let buffer = self.free.pop().unwrap_or_else(|| {
            self.count += 1;
            self.count - 1
        });
        self.of.insert(slot, buffer);
        Into::Replace
    }

    fn release(&mut self, slot: SlotId) {
        if let Some(&buffer) = self.of.get(&slot) {
            self.free.push(buffer);
        }
    }
}
