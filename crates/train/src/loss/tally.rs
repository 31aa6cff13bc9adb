//! Sums of losses over positions, for curves and messages.

use std::ops::AddAssign;

/// What was seen of some positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Tally {
    /// How many.
    pub positions: f64,
    /// Sum of all losses, with their weights.
    pub total: f64,
    /// Cross-entropy of moves, and how often the likeliest was right.
    pub policy: Count,
    /// The same of replies.
    pub reply: Count,
    /// The same of results.
    pub outcome: Count,
    /// Squared errors of the value, which is the chance to win minus that to lose: from 0 to 4.
    #[serde(default)]
    pub value: Count,
    /// Errors of the score, in points.
    pub score: Count,
    /// Errors of the lead, in points.
    pub lead: Count,
    /// Cross-entropy of ownership per point.
    pub ownership: Count,
    /// Of outputs that learn nothing here.
    #[serde(skip)]
    pub(crate) ignored: Count,
}

/// Sums for one target.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Count {
    weight: f64,
    loss: f64,
    hits: f64,
}

impl Count {
    pub(super) fn add(&mut self, weight: f32, loss: f32, hit: f32) {
        self.weight += f64::from(weight);
        self.loss += f64::from(weight * loss);
        self.hits += f64::from(weight * hit);
    }

    /// Mean loss; nothing if no position had this target.
    pub fn loss(&self) -> Option<f64> {
        (self.weight > 0.0).then(|| self.loss / self.weight)
    }

    /// Share of hits, 0 to 1; nothing if no position had this target.
    pub fn accuracy(&self) -> Option<f64> {
        (self.weight > 0.0).then(|| self.hits / self.weight)
    }
}

impl Tally {
    /// Mean of the sum of all losses; nothing without positions.
    pub fn loss(&self) -> Option<f64> {
        (self.positions > 0.0).then(|| self.total / self.positions)
    }
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Count) {
        self.weight += other.weight;
        self.loss += other.loss;
        self.hits += other.hits;
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.positions += other.positions;
        self.total += other.total;
        for (mine, other) in [
            (&mut self.policy, other.policy),
            (&mut self.reply, other.reply),
            (&mut self.outcome, other.outcome),
            (&mut self.value, other.value),
            (&mut self.score, other.score),
            (&mut self.lead, other.lead),
            (&mut self.ownership, other.ownership),
        ] {
            *mine += other;
        }
    }
}
