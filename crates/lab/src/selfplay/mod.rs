//! Self-play: a network that teaches itself, as a service that any crash or kill only delays (expert iteration: Anthony, Tian, Barber 2017; Silver et
//! al. 2017; the economies are those of KataGo, Wu 2019).
//!
//! Work goes in *cycles*. The best network so far plays games ([`PlayWork`]: a search that is short for most moves and longer for some, whose
//! visits are what the policy learns); a network learns from the games of a window that slides and grows; then it plays the best one
//! ([`GateWork`]), and takes its place if a sequential test says so. Whether it does or not, it learns on in the next cycle.
//!
//! One [`Directory`] holds everything. Which network plays which game from which seed follows from the [`Plan`] and from what the cycles
//! before came to, games and gates are [jobs](crate::job), training resumes to the last bit, and a cycle is over when its record is on the disk.
//! So a run that was killed comes to the same table as one that was not, on the same machine at least: networks are evaluated
//! with the instructions that it has, and these round differently.

mod directory;
mod error;
mod game;
mod gate;
mod mover;
mod plan;
mod record;
mod service;
mod work;

pub use directory::Directory;
pub use error::SelfPlayError;
pub use gate::{GateFinding, GateTask, GateWork};
pub use mover::NetFile;
pub use plan::{GamePlan, GatePlan, Learning, Plan};
pub use record::{CycleRecord, GateRecord, table_csv, table_plot};
pub use service::{Crew, Depot, Event, Service, random_network};
pub use work::{PlayFinding, PlayTask, PlayWork};

#[cfg(test)]
mod tests;
