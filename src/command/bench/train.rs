//! `tesuji bench train`: positions per second that a network learns from.

use crate::say::say;
use anyhow::ensure;
use clap::Args;
use std::time::Instant;
use tesuji_board::Size;
use tesuji_lab::stopwatch::process_seconds;
use tesuji_net::model::{ResidualPlan, residual};
use tesuji_search::Rng;
use tesuji_train::kernel::Instructions;
use tesuji_train::network::{Network, Normalization};
use tesuji_train::optimizer::{Optimizer, Rule, Schedule, Shape};
use tesuji_train::{Batch, Cut, Learner, LossWeights, Method, State};

#[derive(Args)]
pub(crate) struct Options {
    /// Side of the board.
    #[arg(long, default_value_t = 9)]
    size: usize,
    /// Blocks of the network.
    #[arg(long, default_value_t = 6)]
    blocks: usize,
    /// Channels of the network.
    #[arg(long, default_value_t = 64)]
    channels: usize,
    /// Every which block pools over the board; 0 for none.
    #[arg(long, default_value_t = 0)]
    pool_every: usize,
    /// Positions of a batch.
    #[arg(long, default_value_t = 256)]
    batch: usize,
    /// Positions that are normed together.
    #[arg(long, default_value_t = 32)]
    shard: usize,
    /// Steps that are timed.
    #[arg(long, default_value_t = 8)]
    steps: u64,
    /// Threads.
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        ensure!(self.batch > 0 && self.threads > 0, "--batch and --threads must be at least 1");
        let plan =
            ResidualPlan { pool_every: self.pool_every, ..ResidualPlan::new(self.blocks, self.channels) };
        let model = residual("bench", &plan);
        model.check_description()?;
        let network = Network::new(&model, Normalization::Batch)?;
        let optimizer = Optimizer {
            rule: Rule::SGD,
            schedule: Schedule { rate: 0.01, warm_up: 0, shape: Shape::Constant },
            weight_decay: 0.0,
            clip: 0.0,
        };
        let state = State::new(&network, &optimizer, network.initial_parameters(1));
        let method = Method {
            steps: self.steps,
            optimizer,
            losses: LossWeights::default(),
            average_decay: 0.999,
            statistics_decay: 0.99,
            cut: Cut { shard: self.shard, lanes: self.threads },
        };
        let mut learner = Learner::new(network, method, state, self.threads);
        let batch = self.noise(Size::square(self.size)?, plan.input.planes.len(), plan.input.globals.len());
        learner.step(&batch)?;
        let (started, cpu) = (Instant::now(), process_seconds());
        for _ in 0..self.steps {
            learner.step(&batch)?;
        }
        let (seconds, cpu) = (started.elapsed().as_secs_f64(), process_seconds() - cpu);
        let positions = (self.steps * self.batch as u64) as f64;
        say!(
            "net {}x{} size {} batch {} shard {} threads {} instructions {:?} positions/s {:.0} positions/cpu-s {:.0}",
            self.blocks,
            self.channels,
            self.size,
            self.batch,
            self.shard,
            self.threads,
            Instructions::detected(),
            positions / seconds,
            positions / cpu,
        );
        Ok(())
    }

    /// Planes with as many stones as in the middle of a game, and targets of all kinds.
    fn noise(&self, size: Size, planes: usize, globals: usize) -> Batch {
        let mut batch = Batch::new(size, self.batch, planes, globals);
        let mut rng = Rng::new(1);
        batch.planes.iter_mut().for_each(|value| *value = f32::from(u8::from(rng.unit() < 0.2)));
        batch.globals.iter_mut().for_each(|value| *value = rng.unit());
        let (targets, moves) = (&mut batch.targets, size.area() + 1);
        for position in 0..self.batch {
            targets.policy.values[position * moves + rng.below(moves)] = 1.0;
            targets.reply.values[position * moves + rng.below(moves)] = 1.0;
            targets.outcome.values[3 * position + rng.below(2)] = 1.0;
        }
        targets.ownership.values.iter_mut().for_each(|value| *value = 2.0 * rng.unit() - 1.0);
        for list in [
            &mut targets.policy,
            &mut targets.reply,
            &mut targets.outcome,
            &mut targets.score,
            &mut targets.lead,
            &mut targets.ownership,
        ] {
            list.weights.fill(1.0);
        }
        batch
    }
}
