//! What a run's result depends on, besides the data.

use super::trainer::NewData;
use crate::feed::Mix;
use crate::learner::Method;
use crate::network::Normalization;
use crate::optimizer::Shape;
use crate::sample::Split;
use tesuji_net::model::Model;

/// All that decides what a run learns from its data.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The network, without weights.
    pub model: Model,
    /// How values are kept in range.
    pub normalization: Normalization,
    /// How it learns from a batch.
    pub method: Method,
    /// Positions of a batch.
    pub batch: usize,
    /// Which of the things that are known about positions count.
    pub mix: Mix,
    /// Which games are kept back.
    pub split: Split,
    /// Positions of those games that are looked at.
    pub examined: usize,
    /// Steps between two looks at them.
    pub examine_every: u64,
    /// Steps between two rows of the curve.
    pub report_every: u64,
    /// Decides the first weights, the order of positions and their symmetries.
    pub seed: u64,
}

impl Recipe {
    /// Whether a run by this recipe may go on by another: they are the same, but for the number of steps where that changes nothing
    /// else. Where new data is meant, all may change but what the state of a run is made of: the network, its norms and the
    /// rule of the optimiser.
    pub(super) fn goes_on_as(&self, other: &Recipe, new_data: NewData) -> bool {
        match new_data {
            NewData::Refuse if self.method.optimizer.schedule.shape != Shape::Constant => self == other,
            NewData::Refuse => {
                let method = Method { steps: other.method.steps, ..self.method.clone() };
                Recipe { method, ..self.clone() } == *other
            }
            NewData::Accept => {
                let named = (other.model.name.clone(), other.model.provenance.clone());
                let mut model = self.model.clone();
                (model.name, model.provenance) = named;
                model == other.model
                    && self.normalization == other.normalization
                    && self.method.optimizer.rule == other.method.optimizer.rule
            }
        }
    }

    /// Whether the steps of both are as long. A schedule of one length takes more steps without beginning anew.
    pub(super) fn is_scheduled_as(&self, other: &Recipe) -> bool {
        let schedule = &self.method.optimizer.schedule;
        let is_as_long = schedule.shape == Shape::Constant || self.method.steps == other.method.steps;
        *schedule == other.method.optimizer.schedule && is_as_long
    }

    /// Whether both take positions from the data in the same order.
    pub(super) fn reads_as(&self, other: &Recipe) -> bool {
        (self.batch, self.seed, &self.split) == (other.batch, other.seed, &other.split)
            && self.mix == other.mix
    }
}
