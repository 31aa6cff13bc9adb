//! Playouts, tree, selection rules and walks. Prints nothing, reads no clock and no file.
//!
//! A search of a thousand simulations, by RAVE:
//!
//! ```
//! use tesuji_board::{Diagram, Game, Move, Rules};
//! use tesuji_search::{Parameters, Resources, Simulations};
//!
//! let diagram = Diagram::parse(
//!     "
//!     . . . . .
//!     . X X X .
//!     . X O . .
//!     . X X X .
//!     . . . . .",
//! )?;
//! let size = diagram.board.size();
//! let game = Game::from_position(diagram.board, tesuji_board::Color::Black, Rules::default());
//! let resources =
//!     Resources { threads: 1, tree_bytes: 16 << 20, seed: 1, stopwatch: None, network: None, gammas: None };
//! let mut searcher = Parameters::with(&[("rule", "rave"), ("prior", "tactics")])?.searcher(&resources)?;
//! searcher.search(&game, game.to_move(), &Simulations(1000));
//! let report = searcher.report();
//! assert!(report.win_rate > 0.5 && !report.moves.is_empty());
//! println!("{}: {:.0} %", report.moves[0].mv.to_gtp(size), 100.0 * report.moves[0].win_rate);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod amaf;
mod domain;
mod evaluate;
mod findings;
mod flat;
mod focus;
mod go;
mod halving;
mod knowledge;
mod network;
mod opinion;
pub mod playout;
mod point_statistics;
pub mod prior;
pub mod recipe;
mod report;
mod rng;
mod searcher;
pub mod select;
mod shape_table;
pub mod synthetic;
mod thread;
pub mod tree;
mod tree_search;
mod walk;

pub use domain::{Domain, Step};
pub use evaluate::{Evaluation, Evaluator, Judged, Moves};
pub use findings::{Findings, MoveOwnership};
pub use flat::Flat;
pub use focus::Focus;
pub use go::{Go, Root};
pub use halving::Halving;
pub use knowledge::{ByRates, Ignorant, Knowledge, Learned, Tactical};
pub use network::{NetworkOptions, Networked, OpinionsBySize};
pub use recipe::{PARAMETERS, Parameter, ParameterError, Parameters, Refusal, Resources};
pub use rng::Rng;
pub use searcher::{Control, Effort, MoveReport, Parts, Progress, Report, Searcher, Simulations};
pub use tree_search::{SearchOptions, ThreadParts, TreeSearch};
pub use walk::{
    Counters, DepthFirst, Descent, Dfuct, DfuctAudited, DfuctExact, Expansion, Kit, Leaf, ProxyUct, Sharing,
    Simulation, Stride, Task, Uct, Walk, WalkOptions, Walker,
};
