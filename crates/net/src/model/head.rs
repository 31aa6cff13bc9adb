//! Heads: from the trunk's features to moves, results, scores and ownership.

use serde::{Deserialize, Serialize};

use super::{Activation, Bias, Conv, MatMul, NormAct};

/// Which moves look good.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "there is one per network")]
pub enum PolicyHead {
    /// KataGo's and ours: any board, with pass.
    Pooled(PooledPolicy),
    /// The paper's: one board, no pass.
    Point(PointPolicy),
}

/// What one output of a policy head predicts, as logits over moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PolicyOutput {
    /// The move to play.
    Move,
    /// The move to play, learned from games that went better than expected.
    Optimistic,
    /// The opponent's reply.
    Reply,
}

/// With `h` the features: `out(act(conv(h) + to_bias(p)))` at each point, `p = pool(pooled_act(pooled(h)))`; pass from `p`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PooledPolicy {
    /// From the trunk to the channels that go on.
    pub conv: Conv,
    /// From the trunk to the channels that are pooled.
    pub pooled: Conv,
    /// Between convolution and pooling.
    pub pooled_act: NormAct,
    /// From three numbers per pooled channel to a bias per channel.
    pub to_bias: MatMul,
    /// After the bias.
    pub act: NormAct,
    /// 1×1, to one channel per output.
    pub out: Conv,
    /// The logits of a pass, one per output.
    pub pass: PassHead,
    /// What the outputs are, in order; the first is [`PolicyOutput::Move`].
    pub outputs: Vec<PolicyOutput>,
}

/// How the logits of a pass come from pooled numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PassHead {
    /// At once.
    Direct(MatMul),
    /// By way of a hidden layer: `out(activation(hidden(p) + bias))`.
    Hidden {
        /// To the hidden layer.
        hidden: MatMul,
        /// Added to it.
        bias: Bias,
        /// Applied to it.
        activation: Activation,
        /// To the outputs.
        out: MatMul,
    },
}

/// `conv(h)` with one output, and a bias per point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PointPolicy {
    /// 1×1, to one channel.
    pub conv: Conv,
    /// One number per point of the board.
    pub bias: Bias,
}

/// Who wins, by how much and where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ValueHead {
    /// KataGo's and ours: any board.
    Pooled(PooledValue),
    /// The paper's: one board, one number from −1 (loss) to 1 (win).
    Dense(DenseValue),
}

/// What one score output predicts, before post-processing; for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScoreOutput {
    /// Mean of the final score.
    Mean,
    /// Its standard deviation.
    Stdev,
    /// The komi that would make the game even.
    Lead,
    /// How far ahead the result is decided.
    VarianceTime,
    /// Error of the win rate against a search soon after.
    ShortTermValueError,
    /// Error of the score against a search soon after.
    ShortTermScoreError,
}

/// With `v = act(conv(h))` and `d = hidden_activation(hidden(value_pool(v)) + hidden_bias)`: `outcome(d) + outcome_bias`,
/// `score(d)`, and `ownership(v)` at each point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PooledValue {
    /// From the trunk to the head's channels.
    pub conv: Conv,
    /// What follows it.
    pub act: NormAct,
    /// From three pooled numbers per channel to the hidden layer.
    pub hidden: MatMul,
    /// Added to the hidden layer.
    pub hidden_bias: Bias,
    /// Applied to the hidden layer.
    pub hidden_activation: Activation,
    /// Logits of win and loss, and, if there are three, no result.
    pub outcome: MatMul,
    /// Added to them.
    pub outcome_bias: Bias,
    /// By how much, read from the hidden layer.
    pub score: Option<ScoreHead>,
    /// 1×1, to one channel: before the tangent.
    pub ownership: Option<Conv>,
}

/// `out(d) + bias`, one number per entry of `outputs`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoreHead {
    /// From the hidden layer.
    pub out: MatMul,
    /// Added to it.
    pub bias: Bias,
    /// What the numbers are, in order.
    pub outputs: Vec<ScoreOutput>,
}

/// `tanh(out(hidden(act(conv(h)))))`, the points flattened as `point * channels + channel`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DenseValue {
    /// From the trunk to few channels.
    pub conv: Conv,
    /// What follows it.
    pub act: NormAct,
    /// From all points and channels to the hidden layer.
    pub hidden: MatMul,
    /// Added to the hidden layer.
    pub hidden_bias: Bias,
    /// Applied to the hidden layer.
    pub hidden_activation: Activation,
    /// To one number.
    pub out: MatMul,
    /// Added to it.
    pub out_bias: Bias,
}

impl PolicyHead {
    /// What the outputs are, in order.
    pub fn outputs(&self) -> &[PolicyOutput] {
        match self {
            PolicyHead::Pooled(head) => &head.outputs,
            PolicyHead::Point(_) => &[PolicyOutput::Move],
        }
    }

    /// Whether there is an opinion on passing.
    pub fn has_pass(&self) -> bool {
        matches!(self, PolicyHead::Pooled(_))
    }
}

impl ValueHead {
    /// Numbers that say who wins: 3 (win, loss, no result), 2 (win, loss), or 1 between −1 and 1.
    pub fn outcomes(&self) -> usize {
        match self {
            ValueHead::Pooled(head) => head.outcome.outputs,
            ValueHead::Dense(_) => 1,
        }
    }

    /// What the score outputs are, in order.
    pub fn scores(&self) -> &[ScoreOutput] {
        match self {
            ValueHead::Pooled(PooledValue { score: Some(score), .. }) => &score.outputs,
            ValueHead::Pooled(_) | ValueHead::Dense(_) => &[],
        }
    }

    /// Whether there is an opinion on who owns the points.
    pub fn has_ownership(&self) -> bool {
        matches!(self, ValueHead::Pooled(head) if head.ownership.is_some())
    }
}
