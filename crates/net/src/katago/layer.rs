//! Layers and blocks of KataGo's files.

use super::source::{Fault, ReadError, Source};
use crate::model::{
    Activation, Affine, Attention, Bias, Block, Bottleneck, Conv, Extent, FeedForward, MAX_BLOCKS, MAX_DEPTH,
    MAX_KERNEL, MAX_WIDTH, MatMul, Norm, NormAct, Pooling, Residual, RmsNorm, Rope,
};

/// Reads layer after layer.
pub(super) struct Layers<'a> {
    /// Where they come from.
    pub(super) source: Source<'a>,
    /// The model version, on which the format depends.
    pub(super) version: u32,
}

/// A number of channels.
pub(super) fn channels(source: &mut Source<'_>) -> Result<usize, ReadError> {
    source.size("number of channels", MAX_WIDTH)
}

impl Layers<'_> {
    pub(super) fn conv(&mut self) -> Result<Conv, ReadError> {
        let source = &mut self.source;
        source.name("convolution")?;
        let height = source.size("kernel height", MAX_KERNEL)?;
        let width = source.size("kernel width", MAX_KERNEL)?;
        let inputs = channels(source)?;
        let outputs = channels(source)?;
        for what in ["dilation of rows", "dilation of columns"] {
            let dilation = source.integer(what, usize::MAX)?;
            if dilation != 1 {
                return Err(source.error(Fault::Unsupported(format!("{what} by {dilation}"))));
            }
        }
        let weights = source.weights(&[height, width, inputs, outputs])?;
        Ok(Conv { height, width, inputs, outputs, weights })
    }

    pub(super) fn matmul(&mut self) -> Result<MatMul, ReadError> {
        let source = &mut self.source;
        source.name("matrix")?;
        let inputs = channels(source)?;
        let outputs = channels(source)?;
        let weights = source.weights(&[inputs, outputs])?;
        Ok(MatMul { inputs, outputs, weights })
    }

    pub(super) fn bias(&mut self) -> Result<Bias, ReadError> {
        let source = &mut self.source;
        source.name("bias")?;
        let channels = channels(source)?;
        Ok(Bias { channels, values: source.weights(&[channels])? })
    }

    /// A batch norm, its mean and variance folded into scale and bias.
    pub(super) fn batch_norm(&mut self) -> Result<Affine, ReadError> {
        let source = &mut self.source;
        source.name("batch norm")?;
        let channels = channels(source)?;
        let epsilon = f64::from(source.number("epsilon")?);
        let has_scale = source.flag("whether there is a scale")?;
        let has_bias = source.flag("whether there is a bias")?;
        let mean = source.weights(&[channels])?;
        let variance = source.weights(&[channels])?;
        let mut scale = if has_scale { source.weights(&[channels])? } else { vec![1.0; channels] };
        let mut bias = if has_bias { source.weights(&[channels])? } else { vec![0.0; channels] };
        for channel in 0..channels {
            let square = f64::from(variance[channel]) + epsilon;
            if square <= 0.0 {
                let found = variance[channel].to_string();
                return Err(source.error(Fault::Range { what: "a variance", found }));
            }
            let factor = f64::from(scale[channel]) / square.sqrt();
            bias[channel] = (f64::from(bias[channel]) - f64::from(mean[channel]) * factor) as f32;
            scale[channel] = factor as f32;
            if !(scale[channel].is_finite() && bias[channel].is_finite()) {
                return Err(source.error(Fault::NotFinite));
            }
        }
        Ok(Affine { channels, scale, bias })
    }

    pub(super) fn activation(&mut self) -> Result<Activation, ReadError> {
        self.source.name("activation")?;
        if self.version < 11 {
            return Ok(Activation::Relu);
        }
        match self.source.word("the kind of an activation")?.as_str() {
            "ACTIVATION_IDENTITY" => Ok(Activation::Identity),
            "ACTIVATION_RELU" => Ok(Activation::Relu),
            "ACTIVATION_MISH" => Ok(Activation::Mish),
            "ACTIVATION_SILU" => Ok(Activation::Silu),
            other => Err(self.source.error(Fault::Unsupported(format!("activation {other}")))),
        }
    }

    pub(super) fn norm_act(&mut self) -> Result<NormAct, ReadError> {
        Ok(NormAct { norm: self.batch_norm()?, activation: self.activation()? })
    }

    /// The norm of a transformer block.
    fn rms_norm(&mut self) -> Result<RmsNorm, ReadError> {
        let source = &mut self.source;
        source.name("RMS norm")?;
        let channels = channels(source)?;
        let epsilon = source.number("epsilon")?;
        let scale = source.weights(&[channels])?;
        Ok(RmsNorm { channels, epsilon, extent: Extent::Point, scale, bias: Vec::new(), has_bias: false })
    }

    /// The norm at the end of the trunk of a transformer.
    pub(super) fn final_rms_norm(&mut self) -> Result<Norm, ReadError> {
        let source = &mut self.source;
        source.name("final RMS norm")?;
        let channels = channels(source)?;
        let epsilon = source.number("epsilon")?;
        let extent = if source.flag("extent of the norm")? { Extent::Board } else { Extent::Point };
        source.zeros("norm field", 1)?;
        let scale = source.weights(&[channels])?;
        let bias = source.weights(&[channels])?;
        Ok(Norm::Rms(RmsNorm { channels, epsilon, extent, scale, bias, has_bias: true }))
    }

    /// A block inside of `depth` others.
    pub(super) fn block(&mut self, depth: usize) -> Result<Block, ReadError> {
        let kind = self.source.word("the kind of a block")?;
        match kind.as_str() {
            "ordinary_block" => {
                self.source.name("block")?;
                Ok(Block::Residual(Residual {
                    pre: self.norm_act()?,
                    first: self.conv()?,
                    mid: self.norm_act()?,
                    last: self.conv()?,
                }))
            }
            "gpool_block" => {
                self.source.name("block")?;
                Ok(Block::Pooling(Pooling {
                    pre: self.norm_act()?,
                    regular: self.conv()?,
                    pooled: self.conv()?,
                    pooled_act: self.norm_act()?,
                    to_bias: self.matmul()?,
                    mid: self.norm_act()?,
                    last: self.conv()?,
                }))
            }
            "nested_bottleneck_block" => {
                self.source.name("block")?;
                if depth == MAX_DEPTH {
                    let what = format!("more than {MAX_DEPTH} bottlenecks in one another");
                    return Err(self.source.error(Fault::Unsupported(what)));
                }
                let count = self.source.integer("number of inner blocks", MAX_BLOCKS)?;
                let pre = self.norm_act()?;
                let down = self.conv()?;
                let mut blocks = Vec::new();
                for _ in 0..count {
                    blocks.push(self.block(depth + 1)?);
                }
                Ok(Block::Bottleneck(Bottleneck {
                    pre,
                    down,
                    blocks,
                    post: self.norm_act()?,
                    up: self.conv()?,
                }))
            }
            "transformer_attention_block" if self.version >= 15 => self.attention(),
            "transformer_ffn_block" if self.version >= 15 => self.feed_forward(),
            _ => Err(self.source.error(Fault::Unsupported(format!("a block of the kind \"{kind}\"")))),
        }
    }

    fn attention(&mut self) -> Result<Block, ReadError> {
        let source = &mut self.source;
        source.name("attention block")?;
        let heads = source.size("number of heads", MAX_WIDTH)?;
        let kv_heads = source.size("number of key-value heads", MAX_WIDTH)?;
        let key_dim = source.size("size of keys", MAX_WIDTH)?;
        let value_dim = source.size("size of values", MAX_WIDTH)?;
        let has_rope = source.flag("whether places turn queries")?;
        let is_learned = source.flag("whether the turning is learned")?;
        Ok(Block::Attention(Attention {
            norm: self.rms_norm()?,
            heads,
            kv_heads,
            key_dim,
            value_dim,
            query: self.matmul()?,
            key: self.matmul()?,
            value: self.matmul()?,
            out: self.matmul()?,
            rope: if has_rope { Some(self.rope(is_learned)?) } else { None },
        }))
    }

    fn rope(&mut self, is_learned: bool) -> Result<Rope, ReadError> {
        let source = &mut self.source;
        source.name("table of turning")?;
        if is_learned {
            let kv_heads = source.size("number of key-value heads", MAX_WIDTH)?;
            let pairs = source.size("number of pairs", MAX_WIDTH)?;
            let axes = source.integer("number of axes", usize::MAX)?;
            if axes != 2 {
                return Err(source.error(Fault::Range { what: "number of axes", found: axes.to_string() }));
            }
            Ok(Rope::Learned { kv_heads, pairs, frequencies: source.weights(&[kv_heads, pairs, 2])? })
        } else {
            Ok(Rope::Fixed { theta: source.number("theta")? })
        }
    }

    fn feed_forward(&mut self) -> Result<Block, ReadError> {
        let source = &mut self.source;
        source.name("feed-forward block")?;
        // Repeated by the layers.
        channels(source)?;
        channels(source)?;
        if !source.flag("whether there is a gate")? {
            return Err(source.error(Fault::Unsupported("a feed-forward block without gate".to_owned())));
        }
        Ok(Block::FeedForward(FeedForward {
            norm: self.rms_norm()?,
            expand: self.matmul()?,
            gate: self.matmul()?,
            contract: self.matmul()?,
        }))
    }
}

impl From<Affine> for Norm {
    fn from(affine: Affine) -> Norm {
        Norm::Affine(affine)
    }
}
