//! The heads of a network as layers.
//!
//! All convolutions that read the trunk are one, and so are those that make logits of moves and ownership: its weights from one head to
//! the other's outputs are zero.

use super::layer::{NormLanes, merge, pointwise, side_by_side};
use super::plan::Planner;
use crate::kernel::lanes::{Lanes, WIDTH};
use crate::model::{
    Activation, Bias, Conv, DenseValue, MatMul, Model, NormAct, PassHead, PointPolicy, PolicyHead,
    PooledPolicy, PooledValue, ValueHead,
};

/// All heads.
#[derive(Debug, Default)]
pub(crate) struct HeadPlan {
    /// From the trunk's features to the mixed buffer; absent if there are no heads.
    pub(crate) conv: Option<usize>,
    /// From the front buffer to the mixed one: logits per point. The front buffer has the policy's lanes, then the value's.
    pub(crate) out: Option<usize>,
    pub(crate) policy: Option<PolicyPlan>,
    pub(crate) value: Option<ValuePlan>,
}

/// Some lanes of a buffer, and what is to be done with them.
#[derive(Debug)]
pub(crate) struct Part {
    /// First lane.
    pub(crate) start: usize,
    pub(crate) norm: NormLanes,
}

#[derive(Debug)]
pub(crate) enum PolicyPlan {
    /// Parts of the mixed buffer: what goes on, and what is pooled.
    Pooled { moves: Part, pooled: Part, to_bias: usize, pass: Vec<DensePlan>, outputs: usize },
    /// The mixed buffer's number at `start` and a bias per point.
    Point { start: usize, bias: Vec<f32> },
}

#[derive(Debug)]
pub(crate) enum ValuePlan {
    /// The last dense layer makes outcomes, then scores.
    Pooled { value: Part, dense: Vec<DensePlan>, outcomes: usize, scores: usize, ownership: Option<usize> },
    /// The dense layers read channel by channel of point by point.
    Dense { value: Part, channels: usize, dense: Vec<DensePlan> },
}

/// A dense layer with bias and activation.
#[derive(Debug)]
pub(crate) struct DensePlan {
    pub(crate) layer: usize,
    pub(crate) norm: NormLanes,
    /// Numbers that it makes.
    pub(crate) outputs: usize,
}

impl HeadPlan {
    /// The heads of a model.
    pub(crate) fn new(planner: &mut Planner, model: &Model) -> HeadPlan {
        let mut convs: Vec<&Conv> = Vec::new();
        match &model.policy {
            Some(PolicyHead::Pooled(head)) => convs.extend([&head.conv, &head.pooled]),
            Some(PolicyHead::Point(head)) => convs.push(&head.conv),
            None => {}
        }
        let value_place = convs.len();
        match &model.value {
            Some(ValueHead::Pooled(head)) => convs.push(&head.conv),
            Some(ValueHead::Dense(head)) => convs.push(&head.conv),
            None => {}
        }
        if convs.is_empty() {
            return HeadPlan::default();
        }
        let (conv, starts) = merge(&convs);
        planner.need_mixed(Lanes::count(conv.outputs));
        let conv = Some(planner.exact_layer(conv));
        let mut outs = Vec::new();
        let policy = model.policy.as_ref().map(|head| match head {
            PolicyHead::Pooled(head) => {
                outs.push(&head.out);
                pooled_policy(planner, head, starts[0], starts[1])
            }
            PolicyHead::Point(head) => point_policy(head, starts[0]),
        });
        let value = model.value.as_ref().map(|head| {
            let start = starts[value_place];
            match head {
                ValueHead::Pooled(head) => {
                    let outputs: usize = outs.iter().map(|out| out.outputs).sum();
                    outs.extend(&head.ownership);
                    pooled_value(planner, head, start, outputs)
                }
                ValueHead::Dense(head) => dense_value(planner, head, start),
            }
        });
        let out = (!outs.is_empty()).then(|| {
            let conv = side_by_side(&outs);
            planner.need_mixed(Lanes::count(conv.outputs));
            planner.exact_layer(conv)
        });
        HeadPlan { conv, out, policy, value }
    }
}

fn dense(planner: &mut Planner, matmul: &MatMul, bias: &Bias, activation: Activation) -> DensePlan {
    planner.need_pooled(Lanes::count(matmul.outputs).max(Lanes::count(matmul.inputs)));
    DensePlan {
        layer: planner.exact_layer(pointwise(matmul)),
        norm: NormLanes::bias(bias, activation),
        outputs: matmul.outputs,
    }
}

fn no_bias(matmul: &MatMul) -> Bias {
    Bias { channels: matmul.outputs, values: vec![0.0; matmul.outputs] }
}

fn pooled_dense(
    planner: &mut Planner,
    matmul: &MatMul,
    channels: usize,
    bias: &Bias,
    activation: Activation,
) -> DensePlan {
    DensePlan {
        layer: planner.pooled_layer(matmul, channels),
        norm: NormLanes::bias(bias, activation),
        outputs: matmul.outputs,
    }
}

fn part(planner: &mut Planner, start: usize, norm: &NormAct) -> Part {
    let norm = NormLanes::norm_act(norm);
    planner.need_front(start + norm.columns());
    Part { start, norm }
}

fn pooled_policy(planner: &mut Planner, head: &PooledPolicy, moves: usize, pooled: usize) -> PolicyPlan {
    let channels = head.pooled.outputs;
    let pass = match &head.pass {
        PassHead::Direct(out) => {
            vec![pooled_dense(planner, out, channels, &no_bias(out), Activation::Identity)]
        }
        PassHead::Hidden { hidden, bias, activation, out } => vec![
            pooled_dense(planner, hidden, channels, bias, *activation),
            dense(planner, out, &no_bias(out), Activation::Identity),
        ],
    };
    PolicyPlan::Pooled {
        moves: part(planner, moves, &head.act),
        pooled: part(planner, pooled, &head.pooled_act),
        to_bias: planner.pooled_layer(&head.to_bias, channels),
        pass,
        outputs: head.out.outputs,
    }
}

fn point_policy(head: &PointPolicy, start: usize) -> PolicyPlan {
    PolicyPlan::Point { start: start * WIDTH, bias: head.bias.values.clone() }
}

fn pooled_value(planner: &mut Planner, head: &PooledValue, start: usize, before: usize) -> ValuePlan {
    let channels = head.conv.outputs;
    let hidden = pooled_dense(planner, &head.hidden, channels, &head.hidden_bias, head.hidden_activation);
    // Outcomes and scores read the same numbers: one layer with the outputs of both.
    let (out, bias, scores) = match &head.score {
        None => (head.outcome.clone(), head.outcome_bias.clone(), 0),
        Some(score) => {
            let rows = head.outcome.weights.chunks_exact(head.outcome.outputs);
            let rows = rows.zip(score.out.weights.chunks_exact(score.out.outputs));
            let outputs = head.outcome.outputs + score.out.outputs;
            let weights = rows.flat_map(|(a, b)| a.iter().chain(b)).copied().collect();
            let values = head.outcome_bias.values.iter().chain(&score.bias.values).copied().collect();
            let out = MatMul { inputs: head.outcome.inputs, outputs, weights };
            (out, Bias { channels: outputs, values }, score.out.outputs)
        }
    };
    ValuePlan::Pooled {
        value: part(planner, start, &head.act),
        dense: vec![hidden, dense(planner, &out, &bias, Activation::Identity)],
        outcomes: head.outcome.outputs,
        scores,
        ownership: head.ownership.as_ref().map(|_| before),
    }
}

fn dense_value(planner: &mut Planner, head: &DenseValue, start: usize) -> ValuePlan {
    ValuePlan::Dense {
        value: part(planner, start, &head.act),
        channels: head.conv.outputs,
        dense: vec![
            dense(planner, &head.hidden, &head.hidden_bias, head.hidden_activation),
            dense(planner, &head.out, &head.out_bias, Activation::Identity),
        ],
    }
}
