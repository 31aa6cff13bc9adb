//! Life and death: problems, and a search that proves what becomes of a group.
//!
//! [`Problem`] says what is asked, and its module what the rules are; [`Solver`] answers with a [`Solution`]. An answer is a
//! proof or [`Fate::Unknown`], never a guess.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use tesuji_solve::{Detail, Fate, Limits, Solver, read_diagram};
//!
//! // Three points in a row: the middle decides.
//! let record = read_diagram(
//!     "X . . . X O .
//!      X X X X X O .
//!      O O O O O O .
//!      . . . . . . .
//!      to play: O
//!      goal: kill",
//! )?;
//! let problem = record.draft.complete()?.problem;
//! let limits = Limits { nodes: 100_000, stop: &AtomicBool::new(false), has_time: &|| true };
//! let solution = Solver::new(16 << 20).solve(&problem, Detail::AllMoves, &limits);
//! assert_eq!(solution.fate, Fate::Dies);
//! let names: Vec<String> = solution.right_moves.iter().map(|mv| mv.to_gtp(problem.board().size())).collect();
//! assert_eq!(names, ["C4"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod advice;
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
mod memory;
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
mod team;
mod uct;
mod write;
mod zone;

pub use advice::Advisor;
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
pub use uct::{Candidate, Nearness, ProofRule, Scope, UctSearch};
pub use write::{write_json_line, write_sgf};
