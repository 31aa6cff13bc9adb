//! A network while it is trained: its parameters in one list, its layers as a program over slots.
//!
//! [`Network::new`] compiles a description (`tesuji_net::model`) into a [`Program`]: a straight list of operations, each of which reads
//! slots and fills one. Forward runs the list, backward runs it in reverse; there is no general differentiation, every
//! operation has its gradients written by hand in `layer`. Which gradient buffer a slot uses, and whether an
//! operation is the first to write there, is known before anything runs.

mod compile;
mod grow;
mod initial;
mod layout;
mod people;
mod program;
mod worker;

pub use compile::CompileError;
pub use layout::Layout;
pub use people::with_people;
pub(crate) use program::{Outputs, Program};
pub(crate) use worker::{Mode, Prepared, Worker};

use crate::layer::norm::EPSILON;
use tesuji_net::model::Model;

/// How values are kept in range while training.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Normalization {
    /// By the mean and variance of the batch; folded into scale and bias when the network is exported.
    Batch,
    /// Not at all: scale and bias are parameters like others. For the paper's nets, and to go on from an exported one.
    Fixed,
}

/// A network that can be trained.
pub struct Network {
    description: Model,
    normalization: Normalization,
    layout: Layout,
    program: Program,
}

impl Network {
    /// Compiles a description; weights that it has are not looked at.
    pub fn new(model: &Model, normalization: Normalization) -> Result<Network, CompileError> {
        let mut description = model.clone();
        for tensor in description.tensors_mut() {
            tensor.data.clear();
        }
        let layout = Layout::new(&description);
        let program = compile::compile(&description, &layout, normalization)?;
        Ok(Network { description, normalization, layout, program })
    }

    /// The network without its weights.
    pub fn description(&self) -> &Model {
        &self.description
    }

    /// How values are kept in range.
    pub fn normalization(&self) -> Normalization {
        self.normalization
    }

    /// Where the parameters are.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(crate) fn program(&self) -> &Program {
        &self.program
    }

    /// Numbers that batch norms remember of the batches seen: mean, then variance, of each norm in turn.
    pub fn statistics_len(&self) -> usize {
        self.program.statistics
    }

    /// The statistics before any batch was seen: means 0, variances 1.
    pub fn initial_statistics(&self) -> Vec<f32> {
        let mut statistics = vec![0.0; self.statistics_len()];
        for norm in &self.program.norms {
            if let Some(first) = norm.statistics {
                statistics[first + norm.channels..][..norm.channels].fill(1.0);
            }
        }
        statistics
    }

    /// The network as others use it, batch norms folded into scale and bias.
    ///
    /// # Panics
    /// Panics if the lists do not have the lengths that [`Network::layout`] and [`Network::statistics_len`] say.
    pub fn export(&self, parameters: &[f32], statistics: &[f32]) -> Model {
        assert_eq!((parameters.len(), statistics.len()), (self.layout.len(), self.statistics_len()));
        let mut folded = parameters.to_vec();
        for norm in &self.program.norms {
            let Some(first) = norm.statistics else { continue };
            let (mean, variance) = statistics[first..][..2 * norm.channels].split_at(norm.channels);
            for channel in 0..norm.channels {
                let inverse = 1.0 / (variance[channel] + EPSILON).sqrt();
                let scale = folded[norm.scale.start + channel] * inverse;
                folded[norm.scale.start + channel] = scale;
                folded[norm.bias.start + channel] -= mean[channel] * scale;
            }
        }
        let mut model = self.description.clone();
        for (tensor, entry) in model.tensors_mut().into_iter().zip(self.layout.entries()) {
            *tensor.data = folded[entry.range.clone()].to_vec();
        }
        model
    }

    /// Whether a model reads the same inputs and has the same activation, as far as lists of weights do not tell.
    fn works_like(&self, model: &Model) -> bool {
        let activation = |model: &Model| model.trunk.tip.as_ref().map(|tip| tip.activation);
        self.description.input == model.input && activation(&self.description) == activation(model)
    }

    /// The parameters of a model with weights; nothing if it is described otherwise than this network.
    pub fn import(&self, model: &Model) -> Option<Vec<f32>> {
        let tensors = model.tensors();
        let entries = self.layout.entries();
        if !self.works_like(model) || tensors.len() != entries.len() {
            return None;
        }
        let mut parameters = vec![0.0; self.layout.len()];
        for (tensor, entry) in tensors.iter().zip(entries) {
            if tensor.name != entry.name || tensor.data.len() != entry.range.len() {
                return None;
            }
            parameters[entry.range.clone()].copy_from_slice(tensor.data);
        }
        Some(parameters)
    }
}

#[cfg(test)]
pub(crate) mod tests;
