//! Which statistics the edges of a tree have, beside visits and mean.

use std::ops::BitOr;

/// A set of columns. A selection rule names those that it reads; a tree has memory for these and no others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Columns(u8);

impl Columns {
    /// None but visits and mean, which every edge has.
    pub const NONE: Columns = Columns(0);
    /// The probability that the move is the one to play.
    pub const POLICY: Columns = Columns(1);
    /// Weight and mean of all-moves-as-first results.
    pub const AMAF: Columns = Columns(2);
    /// Visits and mean of a network's values, apart from those of playouts.
    pub const NETWORK: Columns = Columns(4);
    /// The proxy among the answers to the move.
    pub const PROXY: Columns = Columns(8);
    /// The edges in the order of their priors, best first.
    pub const ORDER: Columns = Columns(16);
    /// Proof numbers.
    pub const PROOF: Columns = Columns(32);
    /// Mean of the squares of results.
    pub const SQUARES: Columns = Columns(64);
    /// What was said of the position behind the edge when it was judged.
    pub const JUDGEMENT: Columns = Columns(128);

    /// These and others.
    pub const fn and(self, other: Columns) -> Columns {
        Columns(self.0 | other.0)
    }

    /// Whether all of `other` are among these.
    pub const fn has(self, other: Columns) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for Columns {
    type Output = Columns;

    fn bitor(self, other: Columns) -> Columns {
        self.and(other)
    }
}
