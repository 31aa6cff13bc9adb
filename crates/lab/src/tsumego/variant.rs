//! The ways to search that are compared.

use tesuji_solve::{Nearness, ProofRule, Scope};

/// A rule under a name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variant {
    /// What tables call it.
    pub name: &'static str,
    /// What plots with little room call it.
    pub label: &'static str,
    /// The rule.
    pub rule: ProofRule,
    /// Place among [`VARIANTS`] of the rule that it is compared with: the same without F, or plain UCT.
    pub base: usize,
    /// What the paper found: playouts needed, as a share of the base's.
    pub paper: Option<f64>,
}

/// Half the exploration of the papers, under which UCT itself needs fewer playouts on most problems.
const HALF: ProofRule = ProofRule { exploration: 0.5, ..ProofRule::UCT };

/// F by proof numbers: PN-MCTS.
const fn numbers(nearness: Nearness, weight: f32) -> ProofRule {
    ProofRule { nearness, ..ProofRule::weighing(weight) }
}

/// All of them; the first is plain UCT, the next two are the paper's, and those by number its modern rivals.
pub const VARIANTS: [Variant; 14] = [
    Variant { name: "UCT", label: "UCT", rule: ProofRule::UCT, base: 0, paper: None },
    Variant { name: "c = 0.5", label: "c ½", rule: ProofRule::weighing(0.5), base: 0, paper: Some(0.96) },
    Variant { name: "c = 1", label: "c 1", rule: ProofRule::weighing(1.0), base: 0, paper: None },
    Variant { name: "c = 0.25", label: "c ¼", rule: ProofRule::weighing(0.25), base: 0, paper: None },
    Variant { name: "c = 2", label: "c 2", rule: ProofRule::weighing(2.0), base: 0, paper: None },
    Variant {
        name: "c = 0.5, attacker only",
        label: "attacker",
        rule: ProofRule { scope: Scope::Attacker, ..ProofRule::weighing(0.5) },
        base: 0,
        paper: None,
    },
    Variant {
        name: "c = 0.5, geometric mean",
        label: "geometric",
        rule: ProofRule { nearness: Nearness::GeometricMean, ..ProofRule::weighing(0.5) },
        base: 0,
        paper: None,
    },
    Variant { name: "UCT, half exploration", label: "UCT, C ½", rule: HALF, base: 0, paper: None },
    Variant {
        name: "c = 0.5, half exploration",
        label: "c ½, C ½",
        rule: ProofRule { weight: 0.5, ..HALF },
        base: 7,
        paper: None,
    },
    Variant {
        name: "c = 0.5, geometric mean, half exploration",
        label: "geo, C ½",
        rule: ProofRule { weight: 0.5, nearness: Nearness::GeometricMean, ..HALF },
        base: 7,
        paper: None,
    },
    Variant {
        name: "proof numbers by rank, c = 0.5",
        label: "rank ½",
        rule: numbers(Nearness::NumberRank, 0.5),
        base: 0,
        paper: None,
    },
    Variant {
        name: "proof numbers by rank, c = 1",
        label: "rank 1",
        rule: numbers(Nearness::NumberRank, 1.0),
        base: 0,
        paper: None,
    },
    Variant {
        name: "proof numbers by share, c = 1",
        label: "share 1",
        rule: numbers(Nearness::NumberShare, 1.0),
        base: 0,
        paper: None,
    },
    Variant {
        name: "proof numbers by rank, c = 0.5, half exploration",
        label: "rank ½, C ½",
        rule: ProofRule { weight: 0.5, nearness: Nearness::NumberRank, ..HALF },
        base: 7,
        paper: None,
    },
];
