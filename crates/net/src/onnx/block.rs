//! Blocks as nodes.

use super::graph::Graph;
use super::proto::Attribute;
use crate::model::{Affine, Attention, Block, MatMul, Rope};

/// Blocks one after another; answers the name of the last one's features.
pub(super) fn blocks(graph: &mut Graph, list: &[Block], mut features: String) -> String {
    for block in list {
        let result = match block {
            Block::Plain(block) => {
                features = graph.conv_act(&features, &block.conv, &block.post);
                continue;
            }
            Block::Residual(block) => {
                let begin = graph.norm_act(&features, &block.pre);
                let middle = graph.conv_act(&begin, &block.first, &block.mid);
                graph.conv(&middle, &block.last, None)
            }
            Block::Pooling(block) => {
                let begin = graph.norm_act(&features, &block.pre);
                let pooled = graph.conv_act(&begin, &block.pooled, &block.pooled_act);
                let pooled = graph.pool(&pooled);
                // The norm in the middle goes into both of its summands.
                let regular = graph.conv(&begin, &block.regular, Some(&block.mid.norm));
                let bias = graph.matmul(&pooled, &scaled(&block.to_bias, &block.mid.norm));
                let middle = graph.add_to_all(&regular, &bias);
                let middle = graph.activate(&middle, block.mid.activation);
                graph.conv(&middle, &block.last, None)
            }
            Block::Bottleneck(block) => {
                let begin = graph.norm_act(&features, &block.pre);
                let narrow = graph.conv(&begin, &block.down, None);
                let narrow = blocks(graph, &block.blocks, narrow);
                let end = graph.norm_act(&narrow, &block.post);
                graph.conv(&end, &block.up, None)
            }
            Block::Attention(block) => attention(graph, block, &features),
            Block::FeedForward(block) => {
                let normed = graph.rms_norm(&features, &block.norm);
                let points = to_points(graph, &normed);
                let hidden = graph.matmul(&points, &block.expand);
                let hidden = graph.activate(&hidden, crate::model::Activation::Silu);
                let gate = graph.matmul(&points, &block.gate);
                let hidden = graph.node("Mul", &[&hidden, &gate], &[]);
                let result = graph.matmul(&hidden, &block.contract);
                to_board(graph, &result, &features)
            }
        };
        features = graph.node("Add", &[&features, &result], &[]);
    }
    features
}

/// A matrix whose outputs are multiplied by the scale of a norm.
pub(super) fn scaled(matmul: &MatMul, norm: &Affine) -> MatMul {
    let mut result = matmul.clone();
    for weights in result.weights.chunks_exact_mut(matmul.outputs) {
        for (weight, scale) in weights.iter_mut().zip(&norm.scale) {
            *weight *= scale;
        }
    }
    result
}

/// `[batch][channel][row][column]` as `[batch][point][channel]`.
fn to_points(graph: &mut Graph, features: &str) -> String {
    let shape = graph.integers(&[0, 0, -1]);
    let flat = graph.node("Reshape", &[features, &shape], &[]);
    graph.node("Transpose", &[&flat], &[Attribute::Ints("perm", &[0, 2, 1])])
}

/// `[batch][point][channel]` in the shape of other features with as many channels.
fn to_board(graph: &mut Graph, points: &str, like: &str) -> String {
    let flat = graph.node("Transpose", &[points], &[Attribute::Ints("perm", &[0, 2, 1])]);
    let shape = graph.node("Shape", &[like], &[]);
    graph.node("Reshape", &[&flat, &shape], &[])
}

fn attention(graph: &mut Graph, block: &Attention, features: &str) -> String {
    let &Attention { heads, kv_heads, key_dim, value_dim, .. } = block;
    let normed = graph.rms_norm(features, &block.norm);
    let points = to_points(graph, &normed);
    // From here on `[batch][head][point][number]`; keys and values once for every query head.
    let group = heads / kv_heads;
    let readers: Vec<i64> = (0..heads).map(|head| (head / group) as i64).collect();
    let mut split = |matmul: &MatMul, count: usize, dim: usize| {
        let values = graph.matmul(&points, matmul);
        let shape = graph.integers(&[0, 0, count as i64, dim as i64]);
        let values = graph.node("Reshape", &[&values, &shape], &[]);
        let values = graph.node("Transpose", &[&values], &[Attribute::Ints("perm", &[0, 2, 1, 3])]);
        if count == heads {
            return values;
        }
        let readers = graph.integers(&readers);
        graph.node("Gather", &[&values, &readers], &[Attribute::Int("axis", 1)])
    };
    let mut queries = split(&block.query, heads, key_dim);
    let mut keys = split(&block.key, kv_heads, key_dim);
    let values = split(&block.value, kv_heads, value_dim);
    if let Some(rope) = &block.rope {
        let (cos, sin) = turning(graph, rope, &readers, key_dim / 2);
        queries = turn(graph, &queries, &cos, &sin, key_dim / 2);
        keys = turn(graph, &keys, &cos, &sin, key_dim / 2);
    }
    let keys = graph.node("Transpose", &[&keys], &[Attribute::Ints("perm", &[0, 1, 3, 2])]);
    let scores = graph.node("MatMul", &[&queries, &keys], &[]);
    let scale = graph.floats(&[], &[1.0 / (key_dim as f32).sqrt()]);
    let scores = graph.node("Mul", &[&scores, &scale], &[]);
    let weights = graph.node("Softmax", &[&scores], &[Attribute::Int("axis", -1)]);
    let mixed = graph.node("MatMul", &[&weights, &values], &[]);
    let mixed = graph.node("Transpose", &[&mixed], &[Attribute::Ints("perm", &[0, 2, 1, 3])]);
    let shape = graph.integers(&[0, 0, (heads * value_dim) as i64]);
    let mixed = graph.node("Reshape", &[&mixed, &shape], &[]);
    let result = graph.matmul(&mixed, &block.out);
    to_board(graph, &result, features)
}

/// Cosines and sines of the angles, `[head][point][pair]`, for the board of the input.
fn turning(graph: &mut Graph, rope: &Rope, readers: &[i64], pairs: usize) -> (String, String) {
    // Frequencies along columns and rows for every query head.
    let mut along = [Vec::new(), Vec::new()];
    for &reader in readers {
        for pair in 0..pairs {
            let [x, y] = match rope {
                Rope::Learned { frequencies, .. } => {
                    let place = (reader as usize * pairs + pair) * 2;
                    [frequencies[place], frequencies[place + 1]]
                }
                Rope::Fixed { theta } => {
                    let half = pairs / 2;
                    let step = if pair < half { pair } else { pair - half };
                    let frequency = f64::from(*theta).powf(-2.0 * step as f64 / pairs as f64) as f32;
                    if pair < half { [0.0, frequency] } else { [frequency, 0.0] }
                }
            };
            along[0].push(x);
            along[1].push(y);
        }
    }
    let (height, width) = (graph.extent(2), graph.extent(3));
    let area = graph.node("Mul", &[&height, &width], &[]);
    let (zero, one) = (graph.integer(0), graph.integer(1));
    let points = graph.node("Range", &[&zero, &area, &one], &[]);
    let column = graph.node("Mod", &[&points, &width], &[]);
    let row = graph.node("Div", &[&points, &width], &[]);
    let mut angles = [(column, &along[0]), (row, &along[1])].map(|(place, frequencies)| {
        let place = graph.node("Cast", &[&place], &[Attribute::Int("to", 1)]);
        let axes = graph.integers(&[1]);
        let place = graph.node("Unsqueeze", &[&place, &axes], &[]);
        let frequencies = graph.floats(&[readers.len(), 1, pairs], frequencies);
        graph.node("Mul", &[&place, &frequencies], &[])
    });
    let [x, y] = &mut angles;
    let angle = graph.node("Add", &[x, y], &[]);
    (graph.node("Cos", &[&angle], &[]), graph.node("Sin", &[&angle], &[]))
}

/// Turns pairs of numbers. The first numbers of all pairs come before the second ones, in queries and keys alike, which
/// leaves their products as they are.
fn turn(graph: &mut Graph, values: &str, cos: &str, sin: &str, pairs: usize) -> String {
    let shape = graph.integers(&[0, 0, 0, pairs as i64, 2]);
    let split = graph.node("Reshape", &[values, &shape], &[]);
    let [a, b] = [0, 1].map(|number| {
        let number = graph.integer(number);
        graph.node("Gather", &[&split, &number], &[Attribute::Int("axis", 4)])
    });
    let mut product = |x: &str, y: &str| graph.node("Mul", &[x, y], &[]);
    let (a_cos, b_sin, a_sin, b_cos) =
        (product(&a, cos), product(&b, sin), product(&a, sin), product(&b, cos));
    let first = graph.node("Sub", &[&a_cos, &b_sin], &[]);
    let second = graph.node("Add", &[&a_sin, &b_cos], &[]);
    graph.node("Concat", &[&first, &second], &[Attribute::Int("axis", 3)])
}
