//! Labels: what a network thinks of positions, for another one to learn from.
//!
//! The positions are those of games that are given ([`Plan::Follow`]), or of games that the network plays against itself while it labels them
//! ([`Plan::Play`]): one evaluation then gives a label and the next move; or those that a search comes to from given games ([`Plan::Explore`]). Positions of several games are evaluated together; each thread has
//! its own games. Games come out whole, with their number, so that whoever writes them down can go on after a stop.

mod explore;
mod game;
mod play;
mod run;

pub use explore::ExplorePlan;
pub use game::Wanted;
pub use play::{PlayPlan, vary_komi};
pub use run::{Finished, LabelError, Plan, Pool, label};

#[cfg(test)]
mod tests;
