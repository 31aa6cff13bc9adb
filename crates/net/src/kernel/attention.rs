//! Attention of every point to every point of its board.
//!
//! Queries, keys and values of a point lie in one row, head by head, each head filling whole lanes with zeros at the end. Where
//! rotary positions turn pairs of numbers, the first numbers of all pairs come first and the second ones after them, each half in whole
//! lanes, so that a rotation is the same for neighbouring lanes; the sum over a head does not mind the order. Scores are
//! computed in f32 whatever the convolutions use.

use super::activation::exp;
use super::gemm::{Packing, Rows, Weights, multiply};
use super::lanes::{Lanes, WIDTH};
use super::point::total;
use super::simd::{Kernel, Simd};

/// How many queries are answered together: their scores should stay in the nearest caches.
const QUERIES: usize = 27;

/// The sizes of an attention in lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Heads {
    /// Query heads.
    pub(crate) heads: usize,
    /// Heads of keys and values.
    pub(crate) kv_heads: usize,
    /// Lanes of a query and of a key.
    pub(crate) key: usize,
    /// Lanes of a value.
    pub(crate) value: usize,
}

impl Heads {
    /// Lanes of all queries, keys and values of a point.
    pub(crate) fn stride(&self) -> usize {
        self.heads * self.key + self.kv_heads * (self.key + self.value)
    }

    /// Lanes of scratch memory on a board.
    pub(crate) fn scratch(&self, area: usize) -> usize {
        let keys = Lanes::count(area);
        keys * WIDTH * (self.key + self.value) + QUERIES * (keys + self.value)
    }
}

/// Cosines and sines of the angles by which places turn queries and keys.
#[derive(Clone, Debug)]
pub(crate) struct Turns {
    /// `[kv head][point][pair]`, pairs in whole lanes: half as many as a key has.
    pub(crate) cosine: Vec<Lanes>,
    /// As the cosines.
    pub(crate) sine: Vec<Lanes>,
}

/// Answers all queries of some boards.
pub(crate) struct Attend<'a> {
    pub(crate) boards: usize,
    pub(crate) area: usize,
    pub(crate) heads: Heads,
    pub(crate) turns: Option<&'a Turns>,
    /// Queries (with the factor of the scores in them), keys and values: a row per point, after row 0. Queries and keys are turned in
    /// place.
    pub(crate) source: &'a mut [Lanes],
    /// At least [`Heads::scratch`].
    pub(crate) scratch: &'a mut [Lanes],
    /// A row per point, after row 0: the answers, head by head.
    pub(crate) to: &'a mut [Lanes],
}

impl Kernel for Attend<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        for board in 0..self.boards {
            if let Some(turns) = self.turns {
                self.turn(simd, board, turns);
            }
            for kv_head in 0..self.heads.kv_heads {
                self.answer(simd, board, kv_head);
            }
        }
    }
}

impl Attend<'_> {
    /// Turns queries and keys of a board.
    #[inline(always)]
    fn turn<S: Simd>(&mut self, simd: S, board: usize, turns: &Turns) {
        let Heads { heads, kv_heads, key, .. } = self.heads;
        let half = key / 2;
        let stride = self.heads.stride();
        for point in 0..self.area {
            let row = &mut self.source[(1 + board * self.area + point) * stride..][..stride];
            for (head, vector) in row.chunks_exact_mut(key).take(heads + kv_heads).enumerate() {
                let kv_head = if head < heads { head / (heads / kv_heads) } else { head - heads };
                let table = (kv_head * self.area + point) * half;
                let (first, second) = vector.split_at_mut(half);
                for (pair, (first, second)) in first.iter_mut().zip(second).enumerate() {
                    let cosine = simd.load(&turns.cosine[table + pair]);
                    let sine = simd.load(&turns.sine[table + pair]);
                    let (a, b) = (simd.load(first), simd.load(second));
                    simd.store(first, simd.sub(simd.mul(a, cosine), simd.mul(b, sine)));
                    simd.store(second, simd.mul_add(a, sine, simd.mul(b, cosine)));
                }
            }
        }
    }

    /// Answers the queries that read one head of keys and values.
    #[inline(always)]
    fn answer<S: Simd>(&mut self, simd: S, board: usize, kv_head: usize) {
        let Heads { heads, kv_heads, key, value } = self.heads;
        let (stride, keys) = (self.heads.stride(), Lanes::count(self.area));
        let first_row = 1 + board * self.area;
        let tile_columns = S::TILE_ROWS.len();
        let score_shape = Packing { positions: 1, taps: 1, depth: key, columns: keys, tile_columns };
        let answer_shape = Packing { positions: 1, taps: 1, depth: keys, columns: value, tile_columns };
        let (packed_keys, rest) = self.scratch.split_at_mut(score_shape.len());
        let (packed_values, rest) = rest.split_at_mut(answer_shape.len());
        let (scores, answers) = rest.split_at_mut(QUERIES * keys);
        let part = |lanes: usize| (first_row * stride + lanes, stride);
        pack_keys(score_shape, self.source, part(heads * key + kv_head * key), self.area, packed_keys);
        let start = part((heads + kv_heads) * key + kv_head * value);
        pack_values(answer_shape, self.source, start, self.area, packed_values);
        let key_weights = Weights { packing: score_shape, data: packed_keys, factors: &[] };
        let value_weights = Weights { packing: answer_shape, data: packed_values, factors: &[] };
        let group = heads / kv_heads;
        for head in kv_head * group..(kv_head + 1) * group {
            for first in (0..self.area).step_by(QUERIES) {
                let count = QUERIES.min(self.area - first);
                let data = &self.source[(first_row + first) * stride + head * key..];
                let queries = Rows { data, stride, count, distances: &[0] };
                for group in score_shape.groups() {
                    let out = &mut scores[group.start..];
                    multiply(simd, queries, key_weights.panel(group, 0), out, keys);
                }
                let mut sums = [0.0; QUERIES];
                for (row, sum) in scores.chunks_exact_mut(keys).zip(&mut sums).take(count) {
                    *sum = exponentials(simd, row, self.area);
                }
                let weights = Rows { data: scores, stride: keys, count, distances: &[0] };
                for group in answer_shape.groups() {
                    let out = &mut answers[group.start..];
                    multiply(simd, weights, value_weights.panel(group, 0), out, value);
                }
                for (row, sum) in sums[..count].iter().enumerate() {
                    let factor = simd.splat(1.0 / sum);
                    let to = &mut self.to[(first_row + first + row) * heads * value + head * value..];
                    for (to, answer) in to.iter_mut().zip(&answers[row * value..][..value]) {
                        simd.store(to, simd.mul(simd.load(answer), factor));
                    }
                }
            }
        }
    }
}

/// Keys as the right matrix of the scores: a step per number of a key, a lane per point.
#[inline(always)]
fn pack_keys(
    shape: Packing,
    source: &[Lanes],
    (start, stride): (usize, usize),
    area: usize,
    to: &mut [Lanes],
) {
    let mut rest = to;
    for group in shape.groups() {
        let (panel, behind) = rest.split_at_mut(shape.depth * WIDTH * group.columns);
        rest = behind;
        panel.fill(Lanes::ZERO);
        let points = group.start * WIDTH..area.min((group.start + group.columns) * WIDTH);
        for point in points {
            let place = point - group.start * WIDTH;
            let key = &source[start + point * stride..][..shape.depth];
            let steps = panel.chunks_exact_mut(group.columns);
            for (step, &number) in steps.zip(key.iter().flat_map(|lanes| &lanes.0)) {
                step[place / WIDTH].0[place % WIDTH] = number;
            }
        }
    }
}

/// Values as the right matrix of the answers: a step per point.
#[inline(always)]
fn pack_values(
    shape: Packing,
    source: &[Lanes],
    (start, stride): (usize, usize),
    area: usize,
    to: &mut [Lanes],
) {
    let mut rest = to;
    for group in shape.groups() {
        let (panel, behind) = rest.split_at_mut(shape.depth * WIDTH * group.columns);
        rest = behind;
        for (point, step) in panel.chunks_exact_mut(group.columns).enumerate() {
            if point < area {
                step.copy_from_slice(&source[start + point * stride + group.start..][..group.columns]);
            } else {
                step.fill(Lanes::ZERO);
            }
        }
    }
}

/// Replaces scores by e to the power of their distance to the largest, and returns the sum. What lies behind the last score becomes
/// smaller than 1e-37, which no sum notices.
#[inline(always)]
fn exponentials<S: Simd>(simd: S, scores: &mut [Lanes], area: usize) -> f32 {
    if let Some(last) = scores.last_mut() {
        let used = area - (area - 1) / WIDTH * WIDTH;
        last.0[used..].fill(f32::NEG_INFINITY);
    }
    let mut largest = simd.splat(f32::NEG_INFINITY);
    for score in &*scores {
        largest = simd.max(largest, simd.load(score));
    }
    let mut lanes = Lanes::ZERO;
    simd.store(&mut lanes, largest);
    let largest = simd.splat(lanes.0.into_iter().fold(f32::NEG_INFINITY, f32::max));
    let mut sum = simd.splat(0.0);
    for score in scores {
        let weight = exp(simd, simd.sub(simd.load(score), largest));
        sum = simd.add(sum, weight);
        simd.store(score, weight);
    }
    total(simd, sum)
}
