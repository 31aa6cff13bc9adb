//! Blocks by their definitions.

use super::Features;
use super::layer::{activate, matmul};
use crate::model::{Activation, Attention, Block, Rope};

/// Features after blocks, one after another.
pub(super) fn blocks(list: &[Block], mut features: Features) -> Features {
    for block in list {
        match block {
            Block::Plain(block) => features = features.conv(&block.conv).norm_act(&block.post),
            Block::Residual(block) => {
                let middle = features.norm_act(&block.pre).conv(&block.first);
                features.add(&middle.norm_act(&block.mid).conv(&block.last));
            }
            Block::Pooling(block) => {
                let begin = features.norm_act(&block.pre);
                let pooled = begin.conv(&block.pooled).norm_act(&block.pooled_act).pool();
                let mut middle = begin.conv(&block.regular);
                middle.add_to_all(&matmul(&block.to_bias, &pooled));
                features.add(&middle.norm_act(&block.mid).conv(&block.last));
            }
            Block::Bottleneck(block) => {
                let narrow = features.norm_act(&block.pre).conv(&block.down);
                let narrow = blocks(&block.blocks, narrow);
                features.add(&narrow.norm_act(&block.post).conv(&block.up));
            }
            Block::Attention(block) => {
                let result = attention(block, &features);
                features.add(&result);
            }
            Block::FeedForward(block) => {
                let mut normed = features.clone();
                normed.rms_norm(&block.norm);
                let mut hidden = normed.matmul(&block.expand);
                let gate = normed.matmul(&block.gate);
                for (value, gate) in hidden.values.iter_mut().zip(&gate.values) {
                    *value = activate(Activation::Silu, *value) * gate;
                }
                features.add(&hidden.matmul(&block.contract));
            }
        }
    }
    features
}

fn attention(block: &Attention, features: &Features) -> Features {
    let area = features.size.area();
    let mut normed = features.clone();
    normed.rms_norm(&block.norm);
    let mut queries = normed.matmul(&block.query);
    let mut keys = normed.matmul(&block.key);
    let values = normed.matmul(&block.value);
    let (key_dim, value_dim) = (block.key_dim, block.value_dim);
    let group = block.heads / block.kv_heads;
    if let Some(rope) = &block.rope {
        turn(rope, &mut queries, key_dim, |head| head / group);
        turn(rope, &mut keys, key_dim, |head| head);
    }
    let mut mixed = Features::new(features.size, block.heads * value_dim);
    for head in 0..block.heads {
        let kv_head = head / group;
        for point in 0..area {
            let query = &queries.point(point)[head * key_dim..][..key_dim];
            let score = |other| {
                let key = &keys.point(other)[kv_head * key_dim..][..key_dim];
                let product: f64 = query.iter().zip(key).map(|(q, k)| q * k).sum();
                product / (key_dim as f64).sqrt()
            };
            let scores: Vec<f64> = (0..area).map(score).collect();
            let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let weights: Vec<f64> = scores.iter().map(|score| (score - top).exp()).collect();
            let total: f64 = weights.iter().sum();
            let target = &mut mixed.point_mut(point)[head * value_dim..][..value_dim];
            for (other, weight) in weights.iter().enumerate() {
                let value = &values.point(other)[kv_head * value_dim..][..value_dim];
                for (sum, value) in target.iter_mut().zip(value) {
                    *sum += weight / total * value;
                }
            }
        }
    }
    mixed.matmul(&block.out)
}

/// Turns pairs of numbers by the place of their point; `table` says which key head's frequencies a head uses.
fn turn(rope: &Rope, features: &mut Features, key_dim: usize, table: impl Fn(usize) -> usize) {
    let width = features.size.width();
    let pairs = key_dim / 2;
    for point in 0..features.size.area() {
        let (column, row) = ((point % width) as f64, (point / width) as f64);
        for (head, values) in features.point_mut(point).chunks_exact_mut(key_dim).enumerate() {
            for pair in 0..pairs {
                let angle = match rope {
                    Rope::Learned { frequencies, .. } => {
                        let place = (table(head) * pairs + pair) * 2;
                        column * f64::from(frequencies[place]) + row * f64::from(frequencies[place + 1])
                    }
                    Rope::Fixed { theta } => {
                        let half = pairs / 2;
                        let (along, step) = if pair < half { (row, pair) } else { (column, pair - half) };
                        along * f64::from(*theta).powf(-2.0 * step as f64 / (key_dim / 2) as f64)
                    }
                };
                let (sin, cos) = angle.sin_cos();
                let (a, b) = (values[2 * pair], values[2 * pair + 1]);
                values[2 * pair] = a * cos - b * sin;
                values[2 * pair + 1] = a * sin + b * cos;
            }
        }
    }
}
