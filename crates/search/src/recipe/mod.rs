//! What a search is made of: axes along which methods can be combined, the numbers of each method, and the search that follows.
//!
//! The papers are axes, not a list: a walk, a rule, playouts, replies, adaptation and priors are chosen one by one in [`Parameters`], and
//! [`Parameters::searcher`] puts them together or says why they do not fit. Walk and rule are types, because their loops run
//! over all moves of a node; playouts and priors are called through a pointer, once per playout and once per new node, which costs
//! nothing that can be measured.

mod build;
mod choice;
mod parameter;
mod playouts;

pub use build::{Refusal, Resources};
pub use choice::{
    AdaptationChoice, Choice, PlayoutChoice, PriorChoice, ReplyChoice, ReplyOwnership, ReplyPlace,
    RuleChoice, ValueChoice, WalkChoice,
};
pub use parameter::{Kind, PARAMETERS, Parameter, ParameterError, Parameters};
