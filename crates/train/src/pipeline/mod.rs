//! The Cygo paper's way from a policy that imitates to a value, as in AlphaGo (Silver et al. 2016), after the first stage, which is ordinary training.
//!
//! [`Reinforce`] lets a policy play against a pool of its earlier selves, and makes what it did in games that it won likelier (REINFORCE, Williams
//! 1992). [`value_games`] makes data for the value: some moves by the first policy, one random move, the rest by the second; one position a
//! game, because the positions of one game have one result and are no independent witnesses of it. [`play`] is how policies play: each
//! move drawn from the probabilities of the moves that make sense, until there are none, so that the board counts as it stands.

mod data;
mod play;
mod reinforce;

pub use data::{ValuePlan, value_games};
pub use play::{PolicyPlay, Stopped};
pub use reinforce::{Reinforce, ReinforceError, ReinforcePlan, ReinforceRow, rows_csv};

#[cfg(test)]
mod tests;
