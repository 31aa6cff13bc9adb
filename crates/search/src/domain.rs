//! What a walk needs of the thing it searches: Go here, synthetic trees in tests and experiments.

use crate::evaluate::{Evaluation, Moves};

/// A position that can be moved forward from the root. Moves are plain codes to the tree.
pub trait Domain {
    /// Back to the root.
    fn rewind(&mut self);

    /// Makes a move that [`Domain::moves`] offered in this position.
    fn play(&mut self, code: u16) -> Step;

    /// Keeps the position as that of a level; levels above it (with smaller numbers) stay kept, deeper ones need not.
    ///
    /// The position is reached from that of the kept level before it by moves that were made since that was restored.
    fn save(&mut self, level: usize);

    /// Back to the position of a kept level.
    fn restore(&mut self, level: usize);

    /// Adds the moves of the position and what is thought of them, the best ones first and in order; none if it is judged but never searched further.
    fn moves(&mut self, moves: &mut Moves);
}

/// What came of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// The game goes on.
    Open,
    /// The game is over; a result of 0 or 1 is certain.
    Over(Evaluation),
    /// The game is over, but what it came to is a matter of judgement: the position is a leaf for ever.
    Judged,
    /// The move was not allowed after all (superko); the domain must be rewound or restored.
    Forbidden,
}
