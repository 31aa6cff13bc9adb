//! A network that learns, batch by batch.

use crate::loss::{LossWeights, Losses, Tally};
use crate::network::Network;
use crate::optimizer::{Moments, Optimizer};
use crate::pass::{Cut, Pass};
use crate::target::Batch;
use std::fmt;
use tesuji_net::model::Model;

/// How a network learns from a batch.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Method {
    /// Steps in all; the schedule is laid out for those since it began.
    pub steps: u64,
    /// From gradients to parameters.
    pub optimizer: Optimizer,
    /// How much each target counts.
    pub losses: LossWeights,
    /// What remains of the averaged weights in a step.
    pub average_decay: f32,
    /// What remains of the statistics of norms in a step.
    pub statistics_decay: f32,
    /// How a batch is cut.
    pub cut: Cut,
}

/// Everything that changes while learning: with the same batches, what is learned from a state is the same to the last bit.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Steps made.
    pub step: u64,
    /// Steps made when the schedule of their lengths began.
    pub schedule_since: u64,
    /// The parameters.
    pub parameters: Vec<f32>,
    /// Means and variances that norms remember.
    pub statistics: Vec<f32>,
    /// What the optimiser remembers.
    pub moments: Moments,
    /// A moving average of the parameters.
    pub average: Vec<f32>,
    /// The same average of the statistics.
    pub average_statistics: Vec<f32>,
}

/// Which weights to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// Those after the last step.
    Current,
    /// Their moving average.
    Average,
}

/// Learning has left the range of numbers; the state is of no use any more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Diverged {
    /// The step that failed, from 0.
    pub step: u64,
    /// The loss that it saw.
    pub loss: f64,
    /// The length of its gradient.
    pub gradient: f64,
}

impl fmt::Display for Diverged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Diverged { step, loss, gradient } = self;
        write!(
            f,
            "step {step} has a loss of {loss} and a gradient of length {gradient}: learning has diverged"
        )
    }
}

impl std::error::Error for Diverged {}

/// A network, its state, and the buffers to go on with.
pub struct Learner {
    network: Network,
    method: Method,
    losses: Losses,
    pass: Pass,
    state: State,
}

/// What one step showed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Losses before the step.
    pub tally: Tally,
    /// Length of the gradient.
    pub gradient: f64,
    /// Length of the step.
    pub rate: f32,
}

impl State {
    /// Before the first step, from these parameters.
    pub fn new(network: &Network, optimizer: &Optimizer, parameters: Vec<f32>) -> State {
        let statistics = network.initial_statistics();
        State {
            step: 0,
            schedule_since: 0,
            moments: optimizer.initial_moments(parameters.len()),
            average: parameters.clone(),
            average_statistics: statistics.clone(),
            parameters,
            statistics,
        }
    }
}

impl Learner {
    /// Goes on from a state, with up to `threads` threads.
    pub fn new(network: Network, method: Method, state: State, threads: usize) -> Learner {
        let losses = Losses::new(network.description(), network.program().outputs, method.losses);
        let pass = Pass::new(method.cut, threads);
        Learner { network, method, losses, pass, state }
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// How it learns.
    pub fn method(&self) -> &Method {
        &self.method
    }

    /// Where it has got to.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Learns from a batch.
    pub fn step(&mut self, batch: &Batch) -> Result<Step, Diverged> {
        let Learner { network, method, losses, pass, state } = self;
        let tally = pass.learn(network, losses, &state.parameters, batch);
        let optimizer = &method.optimizer;
        let steps = method.steps.saturating_sub(state.schedule_since);
        let rate = optimizer.schedule.rate(state.step - state.schedule_since, steps);
        let (parameters, moments) = (&mut state.parameters, &mut state.moments);
        let failed = |gradient| Diverged { step: state.step, loss: tally.total, gradient };
        if !tally.total.is_finite() {
            return Err(failed(f64::NAN));
        }
        let gradient =
            optimizer.step(network.layout(), state.step, rate, pass.gradients(), parameters, moments);
        if !gradient.is_finite() || !state.parameters.iter().all(|value| value.is_finite()) {
            return Err(failed(gradient));
        }
        // Both averages begin as plain means: what came before the first steps is noise.
        let early = (state.step + 1) as f32 / (state.step + 10) as f32;
        blend(method.statistics_decay.min(early), pass.statistics(), &mut state.statistics);
        let decay = method.average_decay.min(early);
        blend(decay, &state.parameters, &mut state.average);
        blend(decay, &state.statistics, &mut state.average_statistics);
        state.step += 1;
        Ok(Step { tally, gradient, rate })
    }

    /// The losses of a batch and the gradient of their mean, without a step.
    pub fn gradient(&mut self, batch: &Batch) -> (Tally, &[f32]) {
        let Learner { network, losses, pass, state, .. } = self;
        let tally = pass.learn(network, losses, &state.parameters, batch);
        (tally, pass.gradients())
    }

    /// Looks at a batch without learning from it.
    pub fn examine(&mut self, batch: &Batch, weights: Weights) -> Tally {
        let Learner { network, losses, pass, state, .. } = self;
        pass.examine(network, losses, state.weights(weights), batch)
    }

    /// The network as others use it.
    pub fn export(&self, weights: Weights) -> Model {
        let (parameters, statistics) = self.state.weights(weights);
        self.network.export(parameters, statistics)
    }
}

impl State {
    fn weights(&self, weights: Weights) -> (&[f32], &[f32]) {
        match weights {
            Weights::Current => (&self.parameters, &self.statistics),
            Weights::Average => (&self.average, &self.average_statistics),
        }
    }
}

/// `average = decay · average + (1 − decay) · values`.
fn blend(decay: f32, values: &[f32], average: &mut [f32]) {
    average
        .iter_mut()
        .zip(values)
        .for_each(|(average, value)| *average += (1.0 - decay) * (value - *average));
}
