//! Heads as nodes.

use super::block::scaled;
use super::graph::Graph;
use super::proto::Attribute;
use crate::model::{Activation, PassHead, PolicyHead, ValueHead};

/// Adds the outputs `policy` and `pass`.
pub(super) fn policy(graph: &mut Graph, head: &PolicyHead, features: &str) {
    match head {
        PolicyHead::Point(head) => {
            let moves = graph.conv(features, &head.conv, None);
            let bias = graph.floats(&[1, head.bias.channels], &head.bias.values);
            // The board's own sides give the bias its shape.
            let shape = graph.node("Shape", &[&moves], &[Attribute::Int("start", 1)]);
            let bias = graph.node("Reshape", &[&bias, &shape], &[]);
            graph.node_to("Add", &[&moves, &bias], "policy", &[]);
        }
        PolicyHead::Pooled(head) => {
            let pooled = graph.conv_act(features, &head.pooled, &head.pooled_act);
            let pooled = graph.pool(&pooled);
            // The norm goes into both of its summands.
            let begin = graph.conv(features, &head.conv, Some(&head.act.norm));
            let bias = graph.matmul(&pooled, &scaled(&head.to_bias, &head.act.norm));
            let begin = graph.add_to_all(&begin, &bias);
            let begin = graph.activate(&begin, head.act.activation);
            let moves = graph.conv(&begin, &head.out, None);
            graph.node_to("Identity", &[&moves], "policy", &[]);
            let pass = match &head.pass {
                PassHead::Direct(weights) => graph.matmul(&pooled, weights),
                PassHead::Hidden { hidden, bias, activation, out } => {
                    let hidden = graph.dense(&pooled, hidden, bias, *activation);
                    graph.matmul(&hidden, out)
                }
            };
            graph.node_to("Identity", &[&pass], "pass", &[]);
        }
    }
}

/// Adds the outputs `outcome`, `score` and `ownership`.
pub(super) fn value(graph: &mut Graph, head: &ValueHead, features: &str) {
    let identity = Activation::Identity;
    match head {
        ValueHead::Dense(head) => {
            let begin = graph.conv_act(features, &head.conv, &head.act);
            let points = graph.node("Transpose", &[&begin], &[Attribute::Ints("perm", &[0, 2, 3, 1])]);
            let flat = graph.node("Flatten", &[&points], &[]);
            let hidden = graph.dense(&flat, &head.hidden, &head.hidden_bias, head.hidden_activation);
            let out = graph.dense(&hidden, &head.out, &head.out_bias, identity);
            graph.node_to("Tanh", &[&out], "outcome", &[]);
        }
        ValueHead::Pooled(head) => {
            let begin = graph.conv_act(features, &head.conv, &head.act);
            let pooled = graph.value_pool(&begin);
            let hidden = graph.dense(&pooled, &head.hidden, &head.hidden_bias, head.hidden_activation);
            let outcome = graph.dense(&hidden, &head.outcome, &head.outcome_bias, identity);
            graph.node_to("Identity", &[&outcome], "outcome", &[]);
            if let Some(score) = &head.score {
                let scores = graph.dense(&hidden, &score.out, &score.bias, identity);
                graph.node_to("Identity", &[&scores], "score", &[]);
            }
            if let Some(ownership) = &head.ownership {
                let owners = graph.conv(&begin, ownership, None);
                graph.node_to("Identity", &[&owners], "ownership", &[]);
            }
        }
    }
}
