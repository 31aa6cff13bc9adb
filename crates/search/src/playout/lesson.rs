//! What playout rules can learn from a simulation that somebody won.

use tesuji_board::{Color, Move};

/// A finished simulation. Its moves are those within the tree, then those of the playout; players alternate.
#[derive(Clone, Copy, Debug)]
pub struct Lesson<'a> {
    /// The codes of all moves since the root.
    pub moves: &'a [u16],
    /// How many of them were made within the tree, the move into the leaf included.
    pub tree_moves: usize,
    /// The last two moves of the game before the root, the older first; a pass where there was none.
    pub before: [Move; 2],
    /// Who made the first of the moves.
    pub first_mover: Color,
    /// Who won.
    pub winner: Color,
}

/// A move as the answer to the two before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Who made it.
    pub color: Color,
    /// The code of the move before the one answered.
    pub before_last: u16,
    /// The code of the move answered.
    pub last: u16,
    /// The code of the answer.
    pub code: u16,
    /// Whether it was made within the tree.
    pub in_tree: bool,
}

impl Lesson<'_> {
    /// Its moves as replies, in the order in which they were made.
    #[inline(always)]
    pub fn replies(&self) -> impl Iterator<Item = Reply> {
        let mut color = self.first_mover;
        let [mut before_last, mut last] = self.before.map(Move::code);
        self.moves.iter().enumerate().map(move |(i, &code)| {
            let reply = Reply { color, before_last, last, code, in_tree: i < self.tree_moves };
            (before_last, last) = (last, code);
            color = !color;
            reply
        })
    }
}
