//! The engine: a game, a search, a clock, and the decisions between them, behind the Go Text Protocol.
#![forbid(unsafe_code)]

mod clock;
mod time_budget;
mod time_control;
mod time_system;

pub use clock::{Clock, Clocks, TimeLeft};
pub use time_budget::{Budget, DEFAULT_LAG, GameStage};
pub use time_control::TimeControl;
pub use time_system::{TimeError, TimeSystem};
