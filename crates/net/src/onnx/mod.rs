//! Networks as `.onnx` files, so that other tools can evaluate them.
//!
//! The graph is what a good runtime wants to see: batch norms after convolutions are folded into them, boards of any size and
//! batches of boards of one size are allowed. It ends at the heads' bare numbers, as [`Logits`](crate::output::Logits) do; what they
//! mean is not part of it.
//!
//! | input | shape | |
//! |---|---|---|
//! | `planes` | batch, planes, height, width | |
//! | `globals` | batch, globals | absent if the network has none |
//!
//! | output | shape | |
//! |---|---|---|
//! | `policy` | batch, outputs, height, width | logits of points |
//! | `pass` | batch, outputs | logits of a pass |
//! | `outcome` | batch, outcomes | logits of win, loss, no result; or one number from −1 to 1 |
//! | `score` | batch, scores | |
//! | `ownership` | batch, 1, height, width | before the tangent |
//!
//! Outputs that the network has no head for are absent. Name, description and provenance are in the file's metadata.

mod block;
mod graph;
mod head;
mod proto;

use graph::Graph;
use proto::{Message, Side, value_info};

use crate::model::{Boards, CheckError, Model, Norm, Trunk};

/// The version of ONNX's file format (8 came with ONNX 1.10, 2021), and of its set of operators.
const IR_VERSION: i64 = 8;
const OPERATORS: i64 = 17;

/// The bytes of an `.onnx` file with a network. Refuses one that does not hold together.
pub fn write(model: &Model) -> Result<Vec<u8>, CheckError> {
    model.check()?;
    let mut graph = Graph::default();
    let features = trunk(&mut graph, &model.trunk);
    let (width, height) = match model.boards {
        Boards::Any => (Side::Named("width"), Side::Named("height")),
        Boards::Only { width, height } => (Side::Fixed(width), Side::Fixed(height)),
    };
    let batch = Side::Named("batch");
    let mut inputs =
        vec![value_info("planes", &[batch, Side::Fixed(model.input.planes.len()), height, width])];
    if !model.input.globals.is_empty() {
        inputs.push(value_info("globals", &[batch, Side::Fixed(model.input.globals.len())]));
    }
    let mut outputs = Vec::new();
    if let Some(policy) = &model.policy {
        head::policy(&mut graph, policy, &features);
        let count = Side::Fixed(policy.outputs().len());
        outputs.push(value_info("policy", &[batch, count, height, width]));
        if policy.has_pass() {
            outputs.push(value_info("pass", &[batch, count]));
        }
    }
    if let Some(value) = &model.value {
        head::value(&mut graph, value, &features);
        outputs.push(value_info("outcome", &[batch, Side::Fixed(value.outcomes())]));
        if !value.scores().is_empty() {
            outputs.push(value_info("score", &[batch, Side::Fixed(value.scores().len())]));
        }
        if value.has_ownership() {
            outputs.push(value_info("ownership", &[batch, Side::Fixed(1), height, width]));
        }
    }
    let graph = graph.finish(&model.name, &inputs, &outputs);
    let description = serde_json::to_string(model).expect("a description has nothing that JSON cannot say");
    let entry =
        |key: &str, value: &str| Message::default().bytes(1, key.as_bytes()).bytes(2, value.as_bytes());
    let operators = Message::default().bytes(1, b"").integer(2, OPERATORS);
    let file = Message::default()
        .integer(1, IR_VERSION)
        .bytes(2, b"tesuji")
        .bytes(3, env!("CARGO_PKG_VERSION").as_bytes())
        .message(7, &graph)
        .message(8, &operators)
        .message(14, &entry("name", &model.name))
        .message(14, &entry("licence", &model.provenance.licence))
        .message(14, &entry("model", &description));
    Ok(file.into_bytes())
}

/// From the inputs to what the heads read; answers the name of the value.
fn trunk(graph: &mut Graph, trunk: &Trunk) -> String {
    let mut features = graph.conv("planes", &trunk.stem, None);
    if let Some(globals) = &trunk.globals {
        let bias = graph.matmul("globals", globals);
        features = graph.add_to_all(&features, &bias);
    }
    if let Some(act) = &trunk.stem_act {
        features = graph.norm_act(&features, act);
    }
    features = block::blocks(graph, &trunk.blocks, features);
    if let Some(tip) = &trunk.tip {
        features = match &tip.norm {
            Norm::Affine(affine) => graph.affine(&features, affine),
            Norm::Rms(norm) => graph.rms_norm(&features, norm),
        };
        features = graph.activate(&features, tip.activation);
    }
    features
}
