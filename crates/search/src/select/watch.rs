//! What a depth-first walk remembers of a node while it is below it.

use super::{Lines, Scratch};
use crate::tree::{Edges, NodeId, Tree};

/// The edges of a node that decide whether the search goes on below the one chosen last.
pub trait Watch<S: Lines>: Copy + Default + Send {
    /// Whether its verdicts are always the rule's choice.
    const EXACT: bool;

    /// Looks at all edges; [`Watch::chosen`] is then the rule's choice.
    fn open(&mut self, rule: &S, edges: &Edges<'_>, scratch: &mut Scratch);

    /// The edge to follow.
    fn chosen(&self) -> usize;

    /// Whether what it knows of a node took a look at all edges, so that it is worth keeping when the node is left.
    fn is_precious(&self) -> bool {
        true
    }

    /// What to do now that only the chosen edge of the node has changed since the last call.
    fn judge(
        &mut self,
        rule: &S,
        tree: &Tree,
        node: NodeId,
        scratch: &mut Scratch,
        tally: &mut WatchTally,
    ) -> Verdict;
}

/// What a watch says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The chosen edge is still the one.
    Stay,
    /// Another edge is, and [`Watch::chosen`] says which.
    Switch,
    /// It takes a look at all edges to know.
    Look,
}

/// How often what a depth-first walk remembers fell behind; only [`super::AuditedPair`] counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WatchTally {
    /// Questions whether to stay at a node that has at least three edges.
    pub checks: u64,
    /// Checks at which some other edge had overtaken the second.
    pub overtaken_checks: u64,
    /// Pairs of best and second remembered at nodes with at least three edges, and then checked at least once.
    pub conditions: u64,
    /// Pairs whose second was overtaken before they were given up.
    pub overtaken_conditions: u64,
    /// Checks that stayed although the rule's choice was another edge.
    pub wrong_stays: u64,
}
