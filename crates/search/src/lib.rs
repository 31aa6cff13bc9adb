//! Playouts, tree, selection rules and walks. Prints nothing, reads no clock and no file.
#![forbid(unsafe_code)]

mod amaf;
mod domain;
mod evaluate;
mod findings;
mod flat;
mod focus;
mod go;
mod knowledge;
mod network;
mod opinion;
pub mod playout;
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
pub use knowledge::{Ignorant, Knowledge, Learned, Tactical};
pub use network::{NetworkOptions, Networked, OpinionsBySize};
pub use recipe::{PARAMETERS, Parameter, ParameterError, Parameters, Refusal, Resources};
pub use rng::Rng;
pub use searcher::{Control, Effort, MoveReport, Parts, Progress, Report, Searcher, Simulations};
pub use tree_search::{SearchOptions, ThreadParts, TreeSearch};
pub use walk::{
    Counters, DepthFirst, Descent, Dfuct, DfuctAudited, DfuctExact, Expansion, Kit, Leaf, ProxyUct, Sharing,
    Simulation, Stride, Task, Uct, Walk, WalkOptions, Walker,
};
