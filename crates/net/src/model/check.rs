//! Does a model hold together? Sizes that fit each other and the limits, weights that are there and finite.
//!
//! Readers of files call [`Model::check`] at the end and [`Model::check_description`] before they allocate, so whoever evaluates a
//! model can rely on its sizes.

use std::fmt;
use tesuji_board::MAX_SIDE;

use super::block::{Attention, Block, Rope};
use super::head::{PassHead, PolicyHead, PolicyOutput, ValueHead};
use super::layer::{Affine, Bias, Conv, Extent, MatMul, Norm, NormAct, RmsNorm};
use super::{Boards, Model};

/// Most channels, hidden numbers or inputs of any layer but a dense one that reads the whole board.
pub const MAX_WIDTH: usize = 8192;
/// Largest side of a kernel.
pub const MAX_KERNEL: usize = 9;
/// Most weights of a network: 1 GiB in f32, three times the largest net in use.
pub const MAX_PARAMETERS: usize = 1 << 28;
/// Most blocks of a trunk, and of a bottleneck.
pub const MAX_BLOCKS: usize = 1024;
/// How deep bottlenecks may lie in one another.
pub const MAX_DEPTH: usize = 4;

/// What is wrong with a model, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckError {
    /// Path of fields to the part in question.
    pub part: String,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What can be wrong with a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A size is not the one that the parts around it ask for.
    Size {
        /// Which size.
        what: &'static str,
        /// What it is.
        found: usize,
        /// What it must be.
        expected: usize,
    },
    /// A size is zero or beyond the limits.
    Range {
        /// Which size.
        what: &'static str,
        /// What it is.
        found: usize,
    },
    /// More weights than any network has.
    TooLarge,
    /// A list of weights has not the length of its description.
    Length {
        /// Weights there are.
        found: usize,
        /// Weights there should be.
        expected: usize,
    },
    /// A number that is infinite or no number.
    NotFinite,
    /// Something that no network has.
    Nonsense(&'static str),
}

impl CheckError {
    pub(super) fn new(part: &str, problem: Problem) -> CheckError {
        CheckError { part: part.to_owned(), problem }
    }
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.part)?;
        match &self.problem {
            Problem::Size { what, found, expected } => write!(f, "{what} must be {expected}, not {found}"),
            Problem::Range { what, found } => write!(f, "{what} cannot be {found}"),
            Problem::TooLarge => write!(f, "more than {MAX_PARAMETERS} weights"),
            Problem::Length { found, expected } => write!(f, "{found} weights instead of {expected}"),
            Problem::NotFinite => write!(f, "a weight is infinite or not a number"),
            Problem::Nonsense(what) => write!(f, "{what}"),
        }
    }
}

impl std::error::Error for CheckError {}

impl Model {
    /// Checks description and weights.
    pub fn check(&self) -> Result<(), CheckError> {
        self.check_description()?;
        for tensor in self.tensors() {
            let expected = tensor.shape.iter().product();
            if tensor.data.len() != expected {
                let problem = Problem::Length { found: tensor.data.len(), expected };
                return Err(CheckError::new(&tensor.name, problem));
            }
            if !tensor.data.iter().all(|weight| weight.is_finite()) {
                return Err(CheckError::new(&tensor.name, Problem::NotFinite));
            }
        }
        Ok(())
    }

    /// Checks everything but the weights.
    pub fn check_description(&self) -> Result<(), CheckError> {
        self.check_input()?;
        let trunk = &self.trunk;
        let channels = width("trunk", "channels", trunk.channels)?;
        conv("trunk.stem", &trunk.stem, self.input.planes.len(), None)?;
        if let Some(globals) = &trunk.globals {
            matmul("trunk.globals", globals, self.input.globals.len(), trunk.stem.outputs)?;
        } else if !self.input.globals.is_empty() {
            return Err(CheckError::new("trunk", Problem::Nonsense("nothing reads the global inputs")));
        }
        if let Some(stem_act) = &trunk.stem_act {
            norm_act("trunk.stem_act", stem_act, trunk.stem.outputs)?;
        }
        let end = blocks("trunk", &trunk.blocks, trunk.stem.outputs, 0)?;
        equal("trunk", "channels at the end", end, channels)?;
        if let Some(tip) = &trunk.tip {
            norm("trunk.tip", &tip.norm, channels)?;
        }
        self.check_policy(channels)?;
        self.check_value(channels)?;
        if !self.provenance.rules.is_empty() && self.provenance.only_rules().is_none() {
            return Err(CheckError::new(
                "provenance",
                Problem::Nonsense("it names rules that are not known"),
            ));
        }
        for (what, value) in [
            ("td_score", self.scaling.td_score),
            ("score_mean", self.scaling.score_mean),
            ("score_stdev", self.scaling.score_stdev),
            ("lead", self.scaling.lead),
            ("variance_time", self.scaling.variance_time),
            ("short_term_value_error", self.scaling.short_term_value_error),
            ("short_term_score_error", self.scaling.short_term_score_error),
        ] {
            if !value.is_finite() {
                return Err(CheckError::new(&format!("scaling.{what}"), Problem::NotFinite));
            }
        }
        let weights = self.tensors().iter().try_fold(0usize, |sum, tensor| {
            let length = tensor.shape.iter().try_fold(1usize, |product, &side| product.checked_mul(side))?;
            sum.checked_add(length).filter(|&sum| sum <= MAX_PARAMETERS)
        });
        if weights.is_none() {
            return Err(CheckError::new("model", Problem::TooLarge));
        }
        Ok(())
    }

    fn check_input(&self) -> Result<(), CheckError> {
        let input = &self.input;
        width("input", "planes", input.planes.len())?;
        for (what, chosen, available) in
            [("planes", &input.planes, input.set.planes()), ("globals", &input.globals, input.set.globals())]
        {
            let mut seen = vec![false; available];
            for &number in chosen {
                match seen.get_mut(number) {
                    Some(seen) if !*seen => *seen = true,
                    _ => return Err(CheckError::new("input", Problem::Range { what, found: number })),
                }
            }
        }
        if let Boards::Only { width, height } = self.boards {
            for (what, side) in [("width", width), ("height", height)] {
                if !(2..=usize::from(MAX_SIDE)).contains(&side) {
                    return Err(CheckError::new("boards", Problem::Range { what, found: side }));
                }
            }
        }
        if self.policy.is_none() && self.value.is_none() {
            return Err(CheckError::new("model", Problem::Nonsense("no head")));
        }
        Ok(())
    }

    /// The number of points of the only board, for layers that know points by number.
    fn fixed_area(&self, part: &str) -> Result<usize, CheckError> {
        match self.boards {
            Boards::Only { width, height } => Ok(width * height),
            Boards::Any => Err(CheckError::new(part, Problem::Nonsense("this head needs one board size"))),
        }
    }

    fn check_policy(&self, channels: usize) -> Result<(), CheckError> {
        match &self.policy {
            None => Ok(()),
            Some(PolicyHead::Point(head)) => {
                conv("policy.conv", &head.conv, channels, Some(1))?;
                bias("policy.bias", &head.bias, self.fixed_area("policy")?)
            }
            Some(PolicyHead::Pooled(head)) => {
                conv("policy.conv", &head.conv, channels, None)?;
                conv("policy.pooled", &head.pooled, channels, None)?;
                norm_act("policy.pooled_act", &head.pooled_act, head.pooled.outputs)?;
                let pooled = 3 * head.pooled.outputs;
                matmul("policy.to_bias", &head.to_bias, pooled, head.conv.outputs)?;
                norm_act("policy.act", &head.act, head.conv.outputs)?;
                let outputs = head.outputs.len();
                conv("policy.out", &head.out, head.conv.outputs, Some(outputs))?;
                let distinct = |(i, output)| !head.outputs[..i].contains(output);
                if head.outputs.first() != Some(&PolicyOutput::Move)
                    || !head.outputs.iter().enumerate().all(distinct)
                {
                    let problem = Problem::Nonsense("the outputs must be distinct, the first one the move");
                    return Err(CheckError::new("policy.outputs", problem));
                }
                match &head.pass {
                    PassHead::Direct(pass) => matmul("policy.pass", pass, pooled, outputs),
                    PassHead::Hidden { hidden, bias: summand, out, .. } => {
                        matmul("policy.pass.hidden", hidden, pooled, hidden.outputs)?;
                        bias("policy.pass.bias", summand, hidden.outputs)?;
                        matmul("policy.pass.out", out, hidden.outputs, outputs)
                    }
                }
            }
        }
    }

    fn check_value(&self, channels: usize) -> Result<(), CheckError> {
        match &self.value {
            None => Ok(()),
            Some(ValueHead::Dense(head)) => {
                conv("value.conv", &head.conv, channels, None)?;
                norm_act("value.act", &head.act, head.conv.outputs)?;
                let flat = self.fixed_area("value")? * head.conv.outputs;
                matmul("value.hidden", &head.hidden, flat, head.hidden.outputs)?;
                bias("value.hidden_bias", &head.hidden_bias, head.hidden.outputs)?;
                matmul("value.out", &head.out, head.hidden.outputs, 1)?;
                bias("value.out_bias", &head.out_bias, 1)
            }
            Some(ValueHead::Pooled(head)) => {
                conv("value.conv", &head.conv, channels, None)?;
                norm_act("value.act", &head.act, head.conv.outputs)?;
                let hidden = head.hidden.outputs;
                matmul("value.hidden", &head.hidden, 3 * head.conv.outputs, hidden)?;
                bias("value.hidden_bias", &head.hidden_bias, hidden)?;
                let outcomes = head.outcome.outputs;
                if !(2..=3).contains(&outcomes) {
                    let problem = Problem::Range { what: "number of outcomes", found: outcomes };
                    return Err(CheckError::new("value.outcome", problem));
                }
                matmul("value.outcome", &head.outcome, hidden, outcomes)?;
                bias("value.outcome_bias", &head.outcome_bias, outcomes)?;
                if let Some(score) = &head.score {
                    matmul("value.score.out", &score.out, hidden, score.outputs.len())?;
                    bias("value.score.bias", &score.bias, score.outputs.len())?;
                    let distinct = |(i, output)| !score.outputs[..i].contains(output);
                    if !score.outputs.iter().enumerate().all(distinct) {
                        let problem = Problem::Nonsense("two outputs are the same");
                        return Err(CheckError::new("value.score", problem));
                    }
                }
                match &head.ownership {
                    Some(ownership) => conv("value.ownership", ownership, head.conv.outputs, Some(1)),
                    None => Ok(()),
                }
            }
        }
    }
}

/// Checks blocks one after another; answers the channels at the end.
fn blocks(path: &str, list: &[Block], channels: usize, depth: usize) -> Result<usize, CheckError> {
    if list.len() > MAX_BLOCKS {
        return Err(CheckError::new(path, Problem::Range { what: "number of blocks", found: list.len() }));
    }
    if depth > MAX_DEPTH {
        return Err(CheckError::new(path, Problem::Nonsense("bottlenecks too deep in one another")));
    }
    let mut channels = channels;
    for (index, block) in list.iter().enumerate() {
        let path = format!("{path}.blocks.{index}");
        let at = |part: &str| format!("{path}.{part}");
        match block {
            Block::Plain(block) => {
                conv(&at("conv"), &block.conv, channels, None)?;
                norm_act(&at("post"), &block.post, block.conv.outputs)?;
                channels = block.conv.outputs;
            }
            Block::Residual(block) => {
                norm_act(&at("pre"), &block.pre, channels)?;
                conv(&at("first"), &block.first, channels, None)?;
                norm_act(&at("mid"), &block.mid, block.first.outputs)?;
                conv(&at("last"), &block.last, block.first.outputs, Some(channels))?;
            }
            Block::Pooling(block) => {
                norm_act(&at("pre"), &block.pre, channels)?;
                conv(&at("regular"), &block.regular, channels, None)?;
                conv(&at("pooled"), &block.pooled, channels, None)?;
                norm_act(&at("pooled_act"), &block.pooled_act, block.pooled.outputs)?;
                matmul(&at("to_bias"), &block.to_bias, 3 * block.pooled.outputs, block.regular.outputs)?;
                norm_act(&at("mid"), &block.mid, block.regular.outputs)?;
                conv(&at("last"), &block.last, block.regular.outputs, Some(channels))?;
            }
            Block::Bottleneck(block) => {
                norm_act(&at("pre"), &block.pre, channels)?;
                conv(&at("down"), &block.down, channels, None)?;
                let narrow = blocks(&path, &block.blocks, block.down.outputs, depth + 1)?;
                norm_act(&at("post"), &block.post, narrow)?;
                conv(&at("up"), &block.up, narrow, Some(channels))?;
            }
            Block::Attention(block) => attention(&path, block, channels)?,
            Block::FeedForward(block) => {
                let hidden = block.expand.outputs;
                rms_norm(&at("norm"), &block.norm, channels)?;
                matmul(&at("expand"), &block.expand, channels, hidden)?;
                matmul(&at("gate"), &block.gate, channels, hidden)?;
                matmul(&at("contract"), &block.contract, hidden, channels)?;
                plain_norm(&at("norm"), &block.norm)?;
            }
        }
    }
    Ok(channels)
}

fn attention(path: &str, block: &Attention, channels: usize) -> Result<(), CheckError> {
    let at = |part: &str| format!("{path}.{part}");
    rms_norm(&at("norm"), &block.norm, channels)?;
    plain_norm(&at("norm"), &block.norm)?;
    let heads = width(path, "heads", block.heads)?;
    let kv_heads = width(path, "kv_heads", block.kv_heads)?;
    let key_dim = width(path, "key_dim", block.key_dim)?;
    let value_dim = width(path, "value_dim", block.value_dim)?;
    if !heads.is_multiple_of(kv_heads) {
        return Err(CheckError::new(path, Problem::Nonsense("kv_heads does not divide heads")));
    }
    matmul(&at("query"), &block.query, channels, heads * key_dim)?;
    matmul(&at("key"), &block.key, channels, kv_heads * key_dim)?;
    matmul(&at("value"), &block.value, channels, kv_heads * value_dim)?;
    matmul(&at("out"), &block.out, heads * value_dim, channels)?;
    match &block.rope {
        None => Ok(()),
        Some(Rope::Learned { .. }) if !key_dim.is_multiple_of(2) => {
            Err(CheckError::new(&at("rope"), Problem::Nonsense("key_dim must be even")))
        }
        Some(Rope::Learned { kv_heads: table, pairs, .. }) => {
            equal(&at("rope"), "number of tables", *table, kv_heads)?;
            equal(&at("rope"), "number of pairs", *pairs, key_dim / 2)
        }
        Some(Rope::Fixed { .. }) if !key_dim.is_multiple_of(4) => {
            Err(CheckError::new(&at("rope"), Problem::Nonsense("key_dim must be a multiple of 4")))
        }
        Some(Rope::Fixed { theta }) if !(theta.is_finite() && *theta > 0.0) => {
            Err(CheckError::new(&at("rope"), Problem::Nonsense("theta must be positive")))
        }
        Some(Rope::Fixed { .. }) => Ok(()),
    }
}

fn width(part: &str, what: &'static str, found: usize) -> Result<usize, CheckError> {
    if (1..=MAX_WIDTH).contains(&found) {
        Ok(found)
    } else {
        Err(CheckError::new(part, Problem::Range { what, found }))
    }
}

fn equal(part: &str, what: &'static str, found: usize, expected: usize) -> Result<(), CheckError> {
    if found == expected {
        Ok(())
    } else {
        Err(CheckError::new(part, Problem::Size { what, found, expected }))
    }
}

/// Checks a convolution; its outputs may be anything if none are expected.
fn conv(part: &str, conv: &Conv, inputs: usize, outputs: Option<usize>) -> Result<(), CheckError> {
    for (what, side) in [("kernel height", conv.height), ("kernel width", conv.width)] {
        if side % 2 == 0 || side > MAX_KERNEL {
            return Err(CheckError::new(part, Problem::Range { what, found: side }));
        }
    }
    equal(part, "inputs", conv.inputs, inputs)?;
    width(part, "outputs", conv.outputs)?;
    equal(part, "outputs", conv.outputs, outputs.unwrap_or(conv.outputs))
}

fn matmul(part: &str, matmul: &MatMul, inputs: usize, outputs: usize) -> Result<(), CheckError> {
    equal(part, "inputs", matmul.inputs, inputs)?;
    width(part, "outputs", matmul.outputs)?;
    equal(part, "outputs", matmul.outputs, outputs)
}

fn bias(part: &str, bias: &Bias, channels: usize) -> Result<(), CheckError> {
    equal(part, "channels", bias.channels, channels)
}

fn affine(part: &str, affine: &Affine, channels: usize) -> Result<(), CheckError> {
    equal(part, "channels", affine.channels, channels)
}

fn norm_act(part: &str, norm_act: &NormAct, channels: usize) -> Result<(), CheckError> {
    affine(part, &norm_act.norm, channels)
}

fn rms_norm(part: &str, norm: &RmsNorm, channels: usize) -> Result<(), CheckError> {
    equal(part, "channels", norm.channels, channels)?;
    if norm.epsilon.is_finite() && norm.epsilon >= 0.0 {
        Ok(())
    } else {
        Err(CheckError::new(part, Problem::Nonsense("epsilon must be finite and not negative")))
    }
}

/// Inside a block a norm is taken at each point and has no bias.
fn plain_norm(part: &str, norm: &RmsNorm) -> Result<(), CheckError> {
    if norm.extent == Extent::Point && !norm.has_bias {
        Ok(())
    } else {
        Err(CheckError::new(part, Problem::Nonsense("the norm of a block is per point and without bias")))
    }
}

fn norm(part: &str, norm: &Norm, channels: usize) -> Result<(), CheckError> {
    match norm {
        Norm::Affine(norm) => affine(part, norm, channels),
        Norm::Rms(norm) => rms_norm(part, norm, channels),
    }
}
