//! The heads of an evaluation.

use super::{Buffers, Session};
use crate::kernel::lanes::{Lanes, WIDTH};
use crate::kernel::point::Source;
use crate::kernel::pool::Third;
use crate::network::{DensePlan, HeadPlan, Part, PolicyPlan, RawTo, ValuePlan};
use crate::output::Logits;

impl Session {
    /// From the features in the front buffer to logits, one per board.
    pub(super) fn heads(&mut self, plan: &HeadPlan, logits: &mut [Logits]) {
        let Some(conv) = plan.conv else {
            logits.iter_mut().for_each(clear);
            return;
        };
        let boards = logits.len();
        let stride = self.network.plan.layers[conv].columns;
        logits.iter_mut().for_each(clear);
        self.convolve(conv, RawTo::Mixed, None, boards);
        // Lanes of a row of what the last convolution reads.
        let out_stride = plan.out.map_or(0, |out| self.network.plan.layers[out].input_lanes);
        let mut start = 0;
        match &plan.policy {
            None => {}
            Some(PolicyPlan::Point { start, bias }) => {
                for (board, logits) in logits.iter_mut().enumerate() {
                    logits
                        .policy
                        .extend(self.mixed_numbers(board, stride, *start).zip(bias).map(|(x, b)| x + b));
                }
            }
            Some(PolicyPlan::Pooled { moves, pooled, to_bias, pass, .. }) => {
                self.pool_part(boards, stride, pooled, Third::Max);
                self.dense(*to_bias, None, boards);
                self.activate_mixed(boards, (stride, moves.start), (out_stride, 0), &moves.norm, true);
                start = moves.norm.columns();
                self.dense_layers(pass, boards);
                self.take_dense(pass, logits, |logits| &mut logits.pass, 0, usize::MAX);
            }
        }
        match &plan.value {
            None => {}
            Some(ValuePlan::Dense { value, channels, dense }) => {
                self.flatten(boards, stride, value, *channels);
                self.dense_layers(dense, boards);
                self.take_dense(dense, logits, |logits| &mut logits.outcome, 0, 1);
                logits.iter_mut().flat_map(|logits| &mut logits.outcome).for_each(|x| *x = x.tanh());
            }
            Some(ValuePlan::Pooled { value, dense, outcomes, scores, ownership }) => {
                self.pool_part(boards, stride, value, Third::SquareMean);
                self.dense_layers(dense, boards);
                self.take_dense(dense, logits, |logits| &mut logits.outcome, 0, *outcomes);
                self.take_dense(dense, logits, |logits| &mut logits.score, *outcomes, *scores);
                if ownership.is_some() {
                    self.activate_mixed(
                        boards,
                        (stride, value.start),
                        (out_stride, start),
                        &value.norm,
                        false,
                    );
                }
            }
        }
        if let Some(out) = plan.out {
            self.convolve(out, RawTo::Mixed, None, boards);
            self.take_points(plan, out, logits);
        }
    }

    fn pool_part(&mut self, boards: usize, stride: usize, part: &Part, third: Third) {
        self.pool(boards, Source { data: &[], stride, start: part.start }, &part.norm, third);
    }

    /// Dense layers from the pooled numbers, which are kept; the result is in the dense ones.
    fn dense_layers(&mut self, layers: &[DensePlan], boards: usize) {
        for (index, plan) in layers.iter().enumerate() {
            if index == 0 {
                self.dense(plan.layer, Some(&plan.norm), boards);
            } else {
                self.dense_again(plan.layer, &plan.norm, boards);
            }
        }
    }

    /// Some of the dense numbers, which the last of `layers` made.
    fn take_dense(
        &self,
        layers: &[DensePlan],
        logits: &mut [Logits],
        list: impl Fn(&mut Logits) -> &mut Vec<f32>,
        skip: usize,
        count: usize,
    ) {
        let Some(last) = layers.last() else { return };
        let columns = last.norm.columns();
        let rows = self.buffers.dense.view(columns).chunks_exact(columns).skip(1);
        let count = count.min(last.outputs - skip);
        for (row, logits) in rows.zip(logits) {
            list(logits).extend(row.iter().flat_map(|lanes| lanes.0).skip(skip).take(count));
        }
    }

    /// One number of each point of a board from the mixed buffer.
    fn mixed_numbers(&self, board: usize, stride: usize, place: usize) -> impl Iterator<Item = f32> {
        let area = self.size.area();
        let rows = &self.buffers.mixed.view(stride)[(1 + board * area) * stride..][..area * stride];
        rows.chunks_exact(stride).map(move |row| row[place / WIDTH].0[place % WIDTH])
    }

    /// Logits of moves and ownership.
    fn take_points(&self, plan: &HeadPlan, out: usize, logits: &mut [Logits]) {
        let stride = self.network.plan.layers[out].columns;
        for (board, logits) in logits.iter_mut().enumerate() {
            if let Some(PolicyPlan::Pooled { outputs, .. }) = &plan.policy {
                for output in 0..*outputs {
                    logits.policy.extend(self.mixed_numbers(board, stride, output));
                }
            }
            if let Some(ValuePlan::Pooled { ownership: Some(place), .. }) = &plan.value {
                logits.ownership.extend(self.mixed_numbers(board, stride, *place));
            }
        }
    }

    /// Activates a part of the mixed buffer and lays the channels of all points of a board in one row of pooled numbers.
    fn flatten(&mut self, boards: usize, stride: usize, part: &Part, channels: usize) {
        let columns = part.norm.columns();
        self.activate_mixed(boards, (stride, part.start), (columns, 0), &part.norm, false);
        let area = self.size.area();
        let Buffers { front, pooled, .. } = &mut self.buffers;
        let lanes = Lanes::count(area * channels);
        let boards_of_points = front.view(columns)[columns..].chunks_exact(area * columns);
        let rows = pooled.view_mut(lanes).chunks_exact_mut(lanes).skip(1);
        for (points, row) in boards_of_points.zip(rows).take(boards) {
            row.fill(Lanes::ZERO);
            let numbers = points
                .chunks_exact(columns)
                .flat_map(|point| point.iter().flat_map(|lanes| lanes.0).take(channels));
            for (place, number) in numbers.enumerate() {
                row[place / WIDTH].0[place % WIDTH] = number;
            }
        }
    }
}

/// Empties the lists and keeps their memory.
fn clear(logits: &mut Logits) {
    let Logits { policy, pass, outcome, score, ownership } = logits;
    for list in [policy, pass, outcome, score, ownership] {
        list.clear();
    }
}
