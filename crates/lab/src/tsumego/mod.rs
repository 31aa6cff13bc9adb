//! The experiment with UCT and proof probability: how many playouts find the right first move of a life-and-death problem?
//!
//! [`Tsumego`] is the work. First the prover says which first moves are right ([`Proof`]); a problem with right and wrong ones is an [`Exercise`],
//! which many seeds then search with each of the [`VARIANTS`]. A [`Curve`] says how often they were right after how many playouts, a
//! [`Comparison`] which rule needs fewer, and [`add_provers_table`] and [`add_comparison`] put it all into a report.

mod collection;
mod comparison;
mod curve;
mod outcome;
mod paper;
mod trial;
mod variant;
mod work;

pub use collection::{Entry, Selection, exercises, measure_jobs, measured, prove_jobs, proved};
pub use comparison::{Comparison, Grade, Ratio, TRIVIAL, is_comparable};
pub use curve::{Curve, GOAL, Needed, checkpoints};
pub use outcome::{LeftOut, Measured, Proved, add_comparison, add_provers_table};
pub use paper::HEADING;
pub use trial::{Exercise, Hardness, Proof};
pub use variant::{VARIANTS, Variant};
pub use work::{Tsumego, TsumegoTask};

use serde::{Deserialize, Serialize};

/// What one job of the experiment came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finding {
    /// A proof.
    Proof(Proof),
    /// Searches of a problem with one rule.
    Curve(Curve),
    /// A problem that plain UCT solves at once.
    Trivial,
    /// A problem that plain UCT does not solve with the playouts allowed.
    TooHard,
}
