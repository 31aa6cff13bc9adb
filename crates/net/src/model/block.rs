//! Blocks: what a trunk is made of. All but [`Plain`] add their result to what they were given.

use serde::{Deserialize, Serialize};

use super::{Activation, Affine, Conv, MatMul, NormAct, RmsNorm};

/// One block of a trunk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    /// A convolution without a way around it.
    Plain(Plain),
    /// Two convolutions, added to the trunk.
    Residual(Residual),
    /// As [`Block::Residual`], with what is pooled over the whole board as a bias in the middle.
    Pooling(Pooling),
    /// Blocks on fewer channels, added to the trunk.
    Bottleneck(Bottleneck),
    /// Attention between all points, added to the trunk.
    Attention(Attention),
    /// A dense layer with gates at each point, added to the trunk.
    FeedForward(FeedForward),
}

/// `norm_act(conv(x))`; instead of, not added to, `x`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plain {
    /// The convolution.
    pub conv: Conv,
    /// What follows it; a bias of the convolution is the bias of this norm.
    pub post: NormAct,
}

/// `x + last(mid(first(pre(x))))`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Residual {
    /// Before the first convolution.
    pub pre: NormAct,
    /// The first convolution.
    pub first: Conv,
    /// Between the two.
    pub mid: NormAct,
    /// The last convolution, back to the channels of the trunk.
    pub last: Conv,
}

/// With `h = pre(x)`: `x + last(mid(regular(h) + to_bias(pool(pooled_act(pooled(h))))))`; the pooled numbers are
/// added to every point, one per channel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pooling {
    /// Before the first convolutions.
    pub pre: NormAct,
    /// From the trunk to the channels that go on.
    pub regular: Conv,
    /// From the trunk to the channels that are pooled.
    pub pooled: Conv,
    /// Between convolution and pooling.
    pub pooled_act: NormAct,
    /// From three numbers per pooled channel to a bias per regular channel.
    pub to_bias: MatMul,
    /// After the bias.
    pub mid: NormAct,
    /// Back to the channels of the trunk.
    pub last: Conv,
}

/// `x + up(post(blocks(down(pre(x)))))`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bottleneck {
    /// Before the way down.
    pub pre: NormAct,
    /// To fewer channels.
    pub down: Conv,
    /// Blocks on the narrow trunk.
    pub blocks: Vec<Block>,
    /// Before the way up.
    pub post: NormAct,
    /// Back to the channels of the trunk.
    pub up: Conv,
}

/// Attention of every point to every point, with grouped keys and values and rotary positions.
///
/// With `n = norm(x)`, each query head `h` reads key-value head `h / (heads / kv_heads)`; weights are the softmax over
/// all points of `q·k / √key_dim`. Channels are head-major: `head * key_dim + i` in queries and keys,
/// `head * value_dim + i` in values and in what `out` reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attention {
    /// Per point, without bias.
    pub norm: RmsNorm,
    /// Query heads.
    pub heads: usize,
    /// Heads of keys and values; divides `heads`.
    pub kv_heads: usize,
    /// Numbers per query and key.
    pub key_dim: usize,
    /// Numbers per value.
    pub value_dim: usize,
    /// Channels → `heads * key_dim`.
    pub query: MatMul,
    /// Channels → `kv_heads * key_dim`.
    pub key: MatMul,
    /// Channels → `kv_heads * value_dim`.
    pub value: MatMul,
    /// `heads * value_dim` → channels.
    pub out: MatMul,
    /// How places turn queries and keys; absent if places do not matter.
    pub rope: Option<Rope>,
}

/// Rotary positions (Su et al. 2021) in two dimensions: the numbers `(2p, 2p + 1)` of queries and keys are turned by an
/// angle that depends on column and row, both counted from 0 at the top left.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rope {
    /// The angle is `column * fx + row * fy`.
    Learned {
        /// Heads of keys; a query head uses the table of the key head it reads.
        kv_heads: usize,
        /// Pairs per head, `key_dim / 2`.
        pairs: usize,
        /// `[kv_head][pair][fx, fy]`, in radians per point.
        #[serde(skip)]
        frequencies: Vec<f32>,
    },
    /// The first half of the pairs turns by `row * f`, the second by `column * f`, with
    /// `f = theta^(-2p / (key_dim / 2))` and `p` from 0 in both halves.
    Fixed {
        /// The base.
        theta: f32,
    },
}

/// With `n = norm(x)`: `x + contract(silu(expand(n)) * gate(n))`, at each point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeedForward {
    /// Per point, without bias.
    pub norm: RmsNorm,
    /// Channels → hidden.
    pub expand: MatMul,
    /// Channels → hidden, the factor.
    pub gate: MatMul,
    /// Hidden → channels.
    pub contract: MatMul,
}

impl Plain {
    /// A convolution with a bias and an activation, without weights yet.
    pub fn new(side: usize, inputs: usize, outputs: usize, activation: Activation) -> Plain {
        Plain { conv: Conv::new(side, inputs, outputs), post: NormAct::new(outputs, activation) }
    }
}

impl Residual {
    /// Two 3×3 convolutions on `channels` by way of `middle`, without weights yet.
    pub fn new(channels: usize, middle: usize, activation: Activation) -> Residual {
        Residual {
            pre: NormAct::new(channels, activation),
            first: Conv::new(3, channels, middle),
            mid: NormAct::new(middle, activation),
            last: Conv::new(3, middle, channels),
        }
    }
}

impl Pooling {
    /// 3×3 convolutions to `regular` channels and `pooled` ones that make their bias, without weights yet.
    pub fn new(channels: usize, regular: usize, pooled: usize, activation: Activation) -> Pooling {
        Pooling {
            pre: NormAct::new(channels, activation),
            regular: Conv::new(3, channels, regular),
            pooled: Conv::new(3, channels, pooled),
            pooled_act: NormAct { norm: Affine::new(pooled), activation },
            to_bias: MatMul::new(3 * pooled, regular),
            mid: NormAct::new(regular, activation),
            last: Conv::new(3, regular, channels),
        }
    }
}
