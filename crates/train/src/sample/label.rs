//! What somebody, a network or a search, thinks of a position.

/// What is known about one position of a game; all of it from the view of the side to move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Label {
    /// Moves of the game before the position.
    pub turn: u16,
    /// Moves with their probabilities, the best first; empty if nothing is known about moves.
    pub policy: Vec<MovePrior>,
    /// Probabilities of win, loss and no result.
    pub outcome: Option<[f32; 3]>,
    /// Mean of the final score in points.
    pub score: Option<f32>,
    /// Its standard deviation in points.
    pub deviation: Option<f32>,
    /// The komi that would make the game even, in points beyond the real one.
    pub lead: Option<f32>,
    /// Whose point it is in the end, from −127 (the opponent's) to 127, by point in reading order; empty if not known.
    pub ownership: Vec<i8>,
}

/// A move with its probability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovePrior {
    /// Number of the point in reading order, or the area of the board for a pass.
    pub code: u16,
    /// In units of 1/65535.
    pub share: u16,
}

impl MovePrior {
    /// A move with a probability from 0 to 1.
    pub fn new(code: u16, probability: f32) -> MovePrior {
        MovePrior { code, share: (probability.clamp(0.0, 1.0) * 65535.0).round() as u16 }
    }
}

impl Label {
    /// Keeps the likeliest moves of a distribution over the points and, last, the pass: at most `most`, and none with less than
    /// `least`. The best one is always kept.
    pub fn set_policy(&mut self, probabilities: &[f32], most: usize, least: f32) {
        self.policy.clear();
        let codes = (0..).zip(probabilities).map(|(code, &p)| MovePrior::new(code, p));
        self.policy.extend(codes.filter(|prior| prior.share > 0));
        // By code where shares are equal, so that the order does not depend on the sort.
        self.policy.sort_unstable_by_key(|prior| (std::cmp::Reverse(prior.share), prior.code));
        let enough = |prior: &&MovePrior| f32::from(prior.share) >= least * 65535.0;
        let kept = self.policy.iter().filter(enough).count().clamp(1, most.max(1));
        self.policy.truncate(kept);
    }

    /// Rounds ownership from −1…1 to what is stored.
    pub fn set_ownership(&mut self, ownership: &[f32]) {
        self.ownership.clear();
        self.ownership.extend(ownership.iter().map(|owner| (owner.clamp(-1.0, 1.0) * 127.0).round() as i8));
    }
}
