//! What walks cost, counted.

use crate::select::WatchTally;
use std::ops::AddAssign;

/// What the tree part of simulations cost, apart from time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Simulations, those that met a forbidden move included.
    pub simulations: u64,
    /// Ways down that ended because others were in the way, and were tried again.
    pub collisions: u64,
    /// Moves made within the tree.
    pub moves: u64,
    /// Moves made into a node all of whose children had been visited, the first time excluded: the *internal re-expansions*
    /// of the paper on DFUCT. Counted as a node whose rule then chose an edge visited before, which is the same under UCB1.
    pub reexpansions: u64,
    /// Looks at all edges of a node.
    pub scans: u64,
    /// Positions copied.
    pub copies: u64,
    /// What audited depth-first walks missed.
    pub watch: WatchTally,
    /// Simulations that an audited depth-first walk made below another leaf than UCT would have.
    pub wrong_decisions: u64,
}

impl AddAssign for Counters {
    fn add_assign(&mut self, other: Counters) {
        self.simulations += other.simulations;
        self.collisions += other.collisions;
        self.moves += other.moves;
        self.reexpansions += other.reexpansions;
        self.scans += other.scans;
        self.copies += other.copies;
        self.watch += other.watch;
        self.wrong_decisions += other.wrong_decisions;
    }
}

impl AddAssign for WatchTally {
    fn add_assign(&mut self, other: WatchTally) {
        self.checks += other.checks;
        self.overtaken_checks += other.overtaken_checks;
        self.conditions += other.conditions;
        self.overtaken_conditions += other.overtaken_conditions;
        self.wrong_stays += other.wrong_stays;
    }
}
