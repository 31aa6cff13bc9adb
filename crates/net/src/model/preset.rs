//! Networks that somebody wants, described: ours and the paper's. Their weights are not there yet.

use super::block::{Block, Plain, Pooling, Residual};
use super::head::{
    DenseValue, PassHead, PointPolicy, PolicyHead, PolicyOutput, PooledPolicy, PooledValue, ScoreHead,
    ScoreOutput, ValueHead,
};
use super::layer::{Activation, Affine, Bias, Conv, MatMul, Norm, NormAct};
use super::{Boards, Family, Input, InputSet, Model, Provenance, Scaling, Tip, Trunk};

/// The sizes of one of our residual nets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResidualPlan {
    /// What it reads.
    pub input: Input,
    /// Blocks of the trunk.
    pub blocks: usize,
    /// Channels of the trunk.
    pub channels: usize,
    /// Every which block pools; 0 for none. With 3, the blocks 3, 6, 9, … do.
    pub pool_every: usize,
    /// Channels of the heads, and of what is pooled in blocks.
    pub head_channels: usize,
    /// Hidden numbers of the value head.
    pub hidden: usize,
    /// What follows each norm.
    pub activation: Activation,
}

impl ResidualPlan {
    /// A net of so many blocks and channels on KataGo's planes, every third block pooling.
    pub fn new(blocks: usize, channels: usize) -> ResidualPlan {
        ResidualPlan {
            input: Input::all(InputSet::Katago7),
            blocks,
            channels,
            pool_every: 3,
            head_channels: 32,
            hidden: 64,
            activation: Activation::Relu,
        }
    }
}

/// Our own kind of net: residual blocks; heads for move, reply, result, score and ownership; every board size.
pub fn residual(name: &str, plan: &ResidualPlan) -> Model {
    let &ResidualPlan { blocks, channels, pool_every, head_channels: head, hidden, activation, .. } = plan;
    let pooled = head.min(channels / 2).max(1);
    let block = |number: usize| {
        if pool_every > 0 && number.is_multiple_of(pool_every) {
            Block::Pooling(Pooling::new(
                channels,
                channels.saturating_sub(pooled.min(channels.saturating_sub(1))),
                pooled,
                activation,
            ))
        } else {
            Block::Residual(Residual::new(channels, channels, activation))
        }
    };
    let globals = plan.input.globals.len();
    let outputs = vec![PolicyOutput::Move, PolicyOutput::Reply];
    let scores = vec![ScoreOutput::Mean, ScoreOutput::Stdev, ScoreOutput::Lead];
    Model {
        name: name.to_owned(),
        family: Family::Tesuji,
        boards: Boards::Any,
        input: plan.input.clone(),
        trunk: Trunk {
            channels,
            stem: Conv::new(3, plan.input.planes.len(), channels),
            globals: (globals > 0).then(|| MatMul::new(globals, channels)),
            stem_act: None,
            blocks: (1..=blocks).map(block).collect(),
            tip: Some(Tip { norm: Norm::Affine(Affine::new(channels)), activation }),
        },
        policy: Some(PolicyHead::Pooled(PooledPolicy {
            conv: Conv::new(1, channels, head),
            pooled: Conv::new(1, channels, head),
            pooled_act: NormAct::new(head, activation),
            to_bias: MatMul::new(3 * head, head),
            act: NormAct::new(head, activation),
            out: Conv::new(1, head, outputs.len()),
            pass: PassHead::Direct(MatMul::new(3 * head, outputs.len())),
            outputs,
        })),
        value: Some(ValueHead::Pooled(PooledValue {
            conv: Conv::new(1, channels, head),
            act: NormAct::new(head, activation),
            hidden: MatMul::new(3 * head, hidden),
            hidden_bias: Bias::new(hidden),
            hidden_activation: activation,
            outcome: MatMul::new(hidden, 2),
            outcome_bias: Bias::new(2),
            score: Some(ScoreHead {
                out: MatMul::new(hidden, scores.len()),
                bias: Bias::new(scores.len()),
                outputs: scores,
            }),
            ownership: Some(Conv::new(1, head, 1)),
        })),
        scaling: Scaling::default(),
        provenance: Provenance::default(),
    }
}

/// Layers of the paper's trunk after the first, and channels of all of them.
const PAPER_LAYERS: usize = 11;
const PAPER_CHANNELS: usize = 192;
/// Hidden numbers of the paper's value head.
const PAPER_HIDDEN: usize = 256;

/// The paper's policy net (RocAlphaGo's) for a board of one size: a 5×5 layer, eleven 3×3 ones, one 1×1 and a bias per point.
pub fn paper_policy(width: usize, height: usize) -> Model {
    let head = PointPolicy { conv: Conv::new(1, PAPER_CHANNELS, 1), bias: Bias::new(width * height) };
    Model {
        policy: Some(PolicyHead::Point(head)),
        ..paper("paper-policy", InputSet::PaperPolicy, width, height)
    }
}

/// The paper's value net (RocAlphaGo's) for a board of one size: the trunk of its policy net, one 1×1 layer and two dense ones.
pub fn paper_value(width: usize, height: usize) -> Model {
    let head = DenseValue {
        conv: Conv::new(1, PAPER_CHANNELS, 1),
        act: NormAct::new(1, Activation::Relu),
        hidden: MatMul::new(width * height, PAPER_HIDDEN),
        hidden_bias: Bias::new(PAPER_HIDDEN),
        hidden_activation: Activation::Relu,
        out: MatMul::new(PAPER_HIDDEN, 1),
        out_bias: Bias::new(1),
    };
    Model { value: Some(ValueHead::Dense(head)), ..paper("paper-value", InputSet::PaperValue, width, height) }
}

/// What the paper's two nets have in common.
fn paper(name: &str, set: InputSet, width: usize, height: usize) -> Model {
    let input = Input::all(set);
    let relu = Activation::Relu;
    let layer = |_| Block::Plain(Plain::new(3, PAPER_CHANNELS, PAPER_CHANNELS, relu));
    let stem = Conv::new(5, input.planes.len(), PAPER_CHANNELS);
    Model {
        name: name.to_owned(),
        family: Family::Paper,
        boards: Boards::Only { width, height },
        input,
        trunk: Trunk {
            channels: PAPER_CHANNELS,
            stem,
            globals: None,
            stem_act: Some(NormAct::new(PAPER_CHANNELS, relu)),
            blocks: (0..PAPER_LAYERS).map(layer).collect(),
            tip: None,
        },
        policy: None,
        value: None,
        scaling: Scaling::default(),
        provenance: Provenance::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_hold_together() {
        for mut model in [
            residual("small", &ResidualPlan::new(6, 64)),
            residual("tiny", &ResidualPlan { pool_every: 1, head_channels: 1, ..ResidualPlan::new(1, 2) }),
            paper_policy(19, 19),
            paper_value(9, 7),
        ] {
            model.allocate().unwrap();
            model.check().unwrap();
        }
    }

    #[test]
    fn rules_that_nobody_knows_are_refused() {
        let mut model = residual("small", &ResidualPlan::new(1, 4));
        model.provenance.rules = "japanese".to_owned();
        model.check_description().unwrap();
        model.provenance.rules = "martian".to_owned();
        assert!(model.check_description().unwrap_err().to_string().contains("rules that are not known"));
    }

    /// The sizes that the paper prints: 48 planes, 192 filters, 12 layers of them and one of 1×1.
    #[test]
    fn the_papers_policy_has_its_weights() {
        let mut model = paper_policy(19, 19);
        model.allocate().unwrap();
        let convolutions = 5 * 5 * 48 * 192 + 11 * 9 * 192 * 192 + 192;
        let tensors = model.tensors();
        let weights = tensors.iter().filter(|tensor| tensor.role == super::super::Role::Weight);
        assert_eq!(weights.map(|tensor| tensor.data.len()).sum::<usize>(), convolutions);
    }
}
