//! What leaves came to, apart from who won.

use std::collections::BTreeMap;

use tesuji_board::Color;

use crate::go::Root;

/// Sums over the leaves that one evaluator judged.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Leaves judged.
    pub evaluations: u64,
    /// Nanoseconds that took, if there is a stopwatch.
    pub nanoseconds: u64,
    /// By point in reading order: the sum of its ownership, 1 Black's, −1 White's.
    pub black_ownership: Vec<f64>,
    /// The same by the first move on the way to the leaf, where that is wanted.
    pub by_move: Option<BTreeMap<u16, MoveOwnership>>,
}

/// Sums over the leaves below one move.
#[derive(Clone, Debug, Default)]
pub struct MoveOwnership {
    /// Leaves judged.
    pub evaluations: u64,
    /// By point in reading order: the sum of its ownership.
    pub black_ownership: Vec<f64>,
}

impl Findings {
    /// None yet, of searches from a position.
    pub fn of_root(root: &Root) -> Findings {
        let black_ownership = vec![0.0; root.board().size().area()];
        let by_move = root.focus().by_move.then(BTreeMap::new);
        Findings { black_ownership, by_move, ..Findings::default() }
    }

    /// Adds a leaf that the move of code `first` led to, whose points belong so far to the side to move.
    pub fn add_ownership(&mut self, first: Option<u16>, ownership: &[f32], to_move: Color) {
        if ownership.len() == self.black_ownership.len() {
            let sign = if to_move == Color::Black { 1.0 } else { -1.0 };
            self.add(first, ownership.iter().map(|&own| sign * f64::from(own)));
        }
    }

    /// Adds a leaf that the move of code `first` led to, whose points belong so far to Black.
    #[inline]
    pub fn add(&mut self, first: Option<u16>, black: impl Iterator<Item = f64> + Clone) {
        if let (Some(by_move), Some(first)) = (&mut self.by_move, first) {
            let of_move = by_move.entry(first).or_default();
            of_move.black_ownership.resize(self.black_ownership.len(), 0.0);
            of_move.evaluations += 1;
            of_move.black_ownership.iter_mut().zip(black.clone()).for_each(|(sum, own)| *sum += own);
        }
        self.evaluations += 1;
        self.black_ownership.iter_mut().zip(black).for_each(|(sum, own)| *sum += own);
    }
}

impl MoveOwnership {
    /// Adds what another thread found.
    pub(crate) fn merge(&mut self, other: &MoveOwnership) {
        self.evaluations += other.evaluations;
        self.black_ownership.resize(other.black_ownership.len(), 0.0);
        self.black_ownership.iter_mut().zip(&other.black_ownership).for_each(|(sum, part)| *sum += part);
    }

    /// Who owns each point on average.
    pub(crate) fn mean(&self) -> Vec<f32> {
        let count = self.evaluations.max(1) as f64;
        self.black_ownership.iter().map(|sum| (sum / count) as f32).collect()
    }
}
