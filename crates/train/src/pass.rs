//! One pass over a batch: losses, gradients and what the norms saw, from several threads and always the same.
//!
//! A batch is cut into *shards*, each of which is normed by its own statistics, and the shards into *lanes*, each of which sums its gradients
//! in order. Shards and lanes are part of the recipe: they decide the result to the last bit. How many threads run the lanes does not.

use crate::kernel::FlushDenormals;
use crate::layer::Boards;
use crate::loss::{Losses, Tally};
use crate::network::{Mode, Network, Prepared, Worker};
use crate::target::Batch;
use std::thread;

/// How a batch is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cut {
    /// Positions of a shard; the last one of a batch may have fewer.
    pub shard: usize,
    /// Lanes; as many threads can work.
    pub lanes: usize,
}

impl Default for Cut {
    fn default() -> Cut {
        Cut { shard: 32, lanes: 2 }
    }
}

/// The buffers of passes over batches.
pub(crate) struct Pass {
    cut: Cut,
    threads: usize,
    prepared: Prepared,
    lanes: Vec<Lane>,
}

/// What one lane works with, and what it found.
#[derive(Default)]
struct Lane {
    worker: Worker,
    gradients: Vec<f32>,
    /// Sums over positions of what the norms saw.
    statistics: Vec<f32>,
    tally: Tally,
}

impl Pass {
    /// Passes with lanes that at most `threads` threads run.
    pub(crate) fn new(cut: Cut, threads: usize) -> Pass {
        let cut = Cut { shard: cut.shard.max(1), lanes: cut.lanes.max(1) };
        let lanes = (0..cut.lanes).map(|_| Lane::default()).collect();
        Pass { cut, threads: threads.clamp(1, cut.lanes), prepared: Prepared::default(), lanes }
    }

    /// The losses of a batch; their gradients and the means of what the norms saw are in [`Pass::gradients`] and
    /// [`Pass::statistics`] afterwards.
    pub(crate) fn learn(
        &mut self,
        network: &Network,
        losses: &Losses,
        parameters: &[f32],
        batch: &Batch,
    ) -> Tally {
        self.run(network, parameters, batch, |lane, prepared, boards, first| {
            lane.worker.forward(network, boards, parameters, prepared, Mode::Batch);
            let share = 1.0 / batch.count as f32;
            let positions = (first, boards.count);
            let program = network.program();
            losses.judge(program, &mut lane.worker, &batch.targets, positions, share, &mut lane.tally);
            lane.worker.backward(network, boards, prepared, &mut lane.gradients);
            for (norm, seen) in program.norms.iter().zip(lane.worker.seen()) {
                if let Some(first) = norm.statistics {
                    let sums = lane.statistics[first..][..2 * norm.channels].iter_mut();
                    let values = seen.mean.iter().chain(&seen.variance);
                    sums.zip(values).for_each(|(sum, value)| *sum += value * boards.count as f32);
                }
            }
        });
        let (first, others) = self.lanes.split_at_mut(1);
        for other in others {
            add(&mut first[0].gradients, &other.gradients);
            add(&mut first[0].statistics, &other.statistics);
        }
        first[0].statistics.iter_mut().for_each(|sum| *sum /= batch.count as f32);
        self.tally()
    }

    /// The losses of a batch as the network would be used: norms use what they remember.
    pub(crate) fn examine(
        &mut self,
        network: &Network,
        losses: &Losses,
        (parameters, statistics): (&[f32], &[f32]),
        batch: &Batch,
    ) -> Tally {
        self.run(network, parameters, batch, |lane, prepared, boards, first| {
            lane.worker.forward(network, boards, parameters, prepared, Mode::Remembered(statistics));
            let positions = (first, boards.count);
            let program = network.program();
            losses.judge(program, &mut lane.worker, &batch.targets, positions, 0.0, &mut lane.tally);
        });
        self.tally()
    }

    /// The gradient of the mean loss of the last batch.
    pub(crate) fn gradients(&mut self) -> &mut [f32] {
        &mut self.lanes[0].gradients
    }

    /// The means over the last batch of what the norms saw.
    pub(crate) fn statistics(&self) -> &[f32] {
        &self.lanes[0].statistics
    }

    fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        self.lanes.iter().for_each(|lane| tally += lane.tally);
        tally
    }

    /// Lets the lanes work on their shards: `work` gets a lane whose inputs are filled in, and the first position of the shard.
    fn run(
        &mut self,
        network: &Network,
        parameters: &[f32],
        batch: &Batch,
        work: impl Fn(&mut Lane, &Prepared, &Boards, usize) + Sync,
    ) {
        let whole = Boards { width: batch.size.width(), height: batch.size.height(), count: batch.count };
        self.prepared.update(network, &whole, parameters, self.threads);
        for lane in &mut self.lanes {
            lane.gradients.clear();
            lane.gradients.resize(network.layout().len(), 0.0);
            lane.statistics.clear();
            lane.statistics.resize(network.statistics_len(), 0.0);
            lane.tally = Tally::default();
        }
        let (prepared, shard, lanes) = (&self.prepared, self.cut.shard, self.cut.lanes);
        let shards = batch.count.div_ceil(shard);
        let (work, per_lane) = (&work, shards.div_ceil(lanes));
        let run_lane = |number: usize, lane: &mut Lane| {
            let _guard = FlushDenormals::new();
            for index in (number * per_lane)..((number + 1) * per_lane).min(shards) {
                let first = index * shard;
                let boards = Boards { count: shard.min(batch.count - first), ..whole };
                let (planes, globals) = lane.worker.inputs(network.program(), &boards);
                copy_part(&batch.planes, first, batch.count, planes);
                copy_part(&batch.globals, first, batch.count, globals);
                work(lane, prepared, &boards, first);
            }
        };
        if self.threads == 1 {
            self.lanes.iter_mut().enumerate().for_each(|(number, lane)| run_lane(number, lane));
            return;
        }
        let per_thread = lanes.div_ceil(self.threads);
        thread::scope(|scope| {
            for (group, part) in self.lanes.chunks_mut(per_thread).enumerate() {
                let run_lane = &run_lane;
                scope.spawn(move || {
                    for (index, lane) in part.iter_mut().enumerate() {
                        run_lane(group * per_thread + index, lane);
                    }
                });
            }
        });
    }
}

fn add(sums: &mut [f32], values: &[f32]) {
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
}

/// Copies what belongs to the positions from `first` on.
fn copy_part(all: &[f32], first: usize, count: usize, part: &mut [f32]) {
    let each = all.len() / count;
    part.copy_from_slice(&all[first * each..][..part.len()]);
}
