//! Labels: what a network thinks of positions, for another one to learn from.
//!
//! The positions are those of games that are given ([`Plan::Follow`]), or of games that the network plays against itself while it labels them
//! ([`Plan::Play`]): one evaluation then gives a label and the next move. Positions of several games are evaluated together; each thread has
//! its own games. Games come out whole, with their number, so that whoever writes them down can go on after a stop.

mod game;
mod play;
mod run;

pub use game::Wanted;
pub use play::{PlayPlan, vary_komi};
pub use run::{Finished, LabelError, Plan, Pool, label};

#[cfg(test)]
mod tests;
