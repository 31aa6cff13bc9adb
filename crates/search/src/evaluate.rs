//! The seam between walking and judging: a walk finds leaves, an evaluator judges them.
//!
//! An evaluator may answer at once, as playouts do, or later, in batches and in any order, as networks do. Until then the
//! leaf belongs to the evaluator: it owns its way through the tree and the losses added in advance there, so that a thread can
//! have many leaves under way.

use crate::domain::Domain;
use crate::select::Prior;
use crate::walk::Leaf;

/// What a leaf came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// Result for the side to move at the root, 0 to 1: what the edges on the way to the leaf learn.
    pub result: f32,
    /// The same by a network, where the tree keeps that apart from `result`.
    pub network: Option<f32>,
    /// Black's score, komi included, if the evaluator knows it.
    pub black_score: Option<f32>,
}

impl Evaluation {
    /// A result and nothing else.
    pub fn of_result(result: f32) -> Evaluation {
        Evaluation { result, ..Evaluation::default() }
    }
}

/// A leaf with its evaluation.
#[derive(Debug)]
pub struct Judged {
    /// The leaf.
    pub leaf: Leaf,
    /// What it came to.
    pub evaluation: Evaluation,
}

/// Judges leaves.
pub trait Evaluator<D: Domain> {
    /// How many leaves it would like to have at once.
    fn batch(&self) -> usize {
        1
    }

    /// Whether it says which moves a leaf has and what is thought of them, so that the node of the leaf can only be made from
    /// its answer; see [`Leaf::answer_moves`].
    fn names_moves(&self) -> bool {
        false
    }

    /// Whether it names the moves of the root with more care than those of other nodes, so that a node of an earlier search that becomes the root is worth asking about again.
    fn looks_closer_at_root(&self) -> bool {
        false
    }

    /// Takes the leaf at which the domain stands. The answer comes at once, or from a later call of [`Evaluator::collect`].
    /// The domain may be left anywhere; it is rewound or restored before it is used again.
    fn submit(&mut self, domain: &mut D, leaf: Leaf) -> Option<Judged>;

    /// Some leaf taken before, now judged; nothing if there is none under way. Called when no more leaves come for now.
    fn collect(&mut self) -> Option<Judged> {
        None
    }
}

/// The moves of a new node.
pub type Moves = Vec<(u16, Prior)>;
