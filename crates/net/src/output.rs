//! What comes out of a network.
//!
//! [`Logits`] are the bare numbers of the heads, the same whoever computed them.

use crate::model::Model;
use tesuji_board::Size;

/// The bare outputs of a network for one position, before any post-processing; for the side to move.
///
/// Made once per network and used again: filling it does not allocate after the first board of the largest size.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Logits {
    /// `[output][point]`, one board per output of the policy head; empty without one.
    pub policy: Vec<f32>,
    /// The logit of a pass per output of the policy head; empty where the head has none.
    pub pass: Vec<f32>,
    /// Logits of win, loss and (if there are three) no result; one number from −1 to 1 from the paper's head, its tangent
    /// already taken; empty without a value head.
    pub outcome: Vec<f32>,
    /// One number per score output of the value head.
    pub score: Vec<f32>,
    /// Before the tangent, per point; empty where the head has none.
    pub ownership: Vec<f32>,
}

impl Logits {
    /// Gives all lists the lengths that a network has on a board, for whoever fills them.
    pub fn fit(&mut self, model: &Model, size: Size) {
        let outputs = model.policy.as_ref().map_or(0, |head| head.outputs().len());
        let has_pass = model.policy.as_ref().is_some_and(|head| head.has_pass());
        let value = model.value.as_ref();
        self.policy.resize(outputs * size.area(), 0.0);
        self.pass.resize(if has_pass { outputs } else { 0 }, 0.0);
        self.outcome.resize(value.map_or(0, |head| head.outcomes()), 0.0);
        self.score.resize(value.map_or(0, |head| head.scores().len()), 0.0);
        let owned = value.is_some_and(|head| head.has_ownership());
        self.ownership.resize(if owned { size.area() } else { 0 }, 0.0);
    }
}
