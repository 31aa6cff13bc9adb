//! What a network reads: which set of planes, and which of them.

use serde::{Deserialize, Serialize};

/// A known set of planes and global numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputSet {
    /// KataGo's version 7: 22 planes, 19 globals.
    Katago7,
    /// The same with the ranks of both players and their server: 100 globals. For networks that imitate people.
    People,
    /// RocAlphaGo's 48 planes, the last of them zero: for its policy net.
    PaperPolicy,
    /// RocAlphaGo's 48 planes, the last of them the side to move: for its value net.
    PaperValue,
}

/// The planes and global numbers of a set that a network reads, in its order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The set.
    pub set: InputSet,
    /// Planes by their numbers in the set.
    pub planes: Vec<usize>,
    /// Global numbers by their numbers in the set.
    pub globals: Vec<usize>,
    /// Whether the area planes are computed as if suicide were allowed, whatever the rules (a flag of KataGo's version 15).
    pub area_with_suicide: bool,
}

impl InputSet {
    /// Planes in the set.
    pub fn planes(self) -> usize {
        match self {
            InputSet::Katago7 | InputSet::People => 22,
            InputSet::PaperPolicy | InputSet::PaperValue => 48,
        }
    }

    /// Global numbers in the set.
    pub fn globals(self) -> usize {
        match self {
            InputSet::Katago7 => 19,
            InputSet::People => crate::input::people::GLOBALS,
            InputSet::PaperPolicy | InputSet::PaperValue => 0,
        }
    }
}

impl Input {
    /// All of a set.
    pub fn all(set: InputSet) -> Input {
        Input {
            set,
            planes: (0..set.planes()).collect(),
            globals: (0..set.globals()).collect(),
            area_with_suicide: false,
        }
    }

    /// Whether the network reads the whole set in its order.
    pub fn is_all(&self) -> bool {
        self.planes.iter().copied().eq(0..self.set.planes())
            && self.globals.iter().copied().eq(0..self.set.globals())
    }
}
