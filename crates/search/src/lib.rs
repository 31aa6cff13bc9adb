//! Playouts, tree, selection rules and walks. Prints nothing, reads no clock and no file.
#![forbid(unsafe_code)]

mod amaf;
mod domain;
mod flat;
mod go;
mod knowledge;
mod parameter;
pub mod playout;
pub mod prior;
mod report;
mod rng;
mod searcher;
pub mod select;
pub mod synthetic;
pub mod tree;
mod tree_search;
mod walk;

pub use domain::{Domain, Step};
pub use flat::Flat;
pub use go::{Go, GoOptions, Root, Tally};
pub use knowledge::{Ignorant, Knowledge, Learned, Tactical};
pub use parameter::{PARAMETERS, Parameter, ParameterError, Parameters, ReplyOwnership, ReplyPlace};
pub use rng::Rng;
pub use searcher::{Control, Effort, MoveReport, Progress, Report, Searcher, Simulations};
pub use tree_search::{SearchOptions, TreeSearch};
pub use walk::{
    Counters, DepthFirst, Dfuct, DfuctAudited, DfuctExact, Kit, ProxyUct, Sharing, Simulation, Task, Uct,
    Walk, WalkOptions, Walker,
};
