//! Life and death: problems, and a search that proves what becomes of a group.
//!
//! [`Problem`] says what is asked, and its module what the rules are; [`Solver`] answers with a [`Solution`]. An answer is a
//! proof or [`Fate::Unknown`], never a guess.
#![forbid(unsafe_code)]

mod arena;
mod cache;
mod child;
mod death;
mod dfpn;
mod draft;
mod enclosure;
mod estimate;
mod filter;
mod forced;
mod guess;
mod judge;
mod life;
mod naming;
mod position;
mod problem;
mod read;
mod seki;
mod side;
mod solution;
mod solver;
mod survey;
mod table;
mod uct;
mod write;
mod zone;

pub use dfpn::Limits;
pub use draft::{Completed, Draft, DraftError};
pub use guess::MAX_CANDIDATES;
pub use judge::Judgement;
pub use problem::{Goal, MAX_REGION, Outside, Problem, ProblemError, Threats};
pub use read::{ReadError, Record, read_diagram, read_json_line, read_problems, read_sgf};
pub use side::Side;
pub use solution::{Detail, Fate, Ko, Line, LineEnd, Needs, Solution};
pub use solver::{Solver, mover};
pub use table::OutOfMemory;
pub use uct::{Candidate, Conjunction, ProofRule, Scope, UctSearch};
pub use write::{write_json_line, write_sgf};
