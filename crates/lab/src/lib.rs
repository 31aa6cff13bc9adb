//! The laboratory: matches between engines, and the statistics to judge them by.
//!
//! The way of a match: a [`plan`] says who plays on what terms, [`runner`] plays the games that the [`match_log`] does
//! not hold yet, in worker threads that follow the [`schedule`]; [`referee`] plays one game between two
//! [`player`]s under a [`clock`] and lets [`count`] find the score; [`summary`] adds up the [`record`]s, and
//! [`table`] prints them with the numbers of [`statistics`] and [`sprt`].
//!
//! Besides matches: [`suite`] counts how many [`next_move`] problems a search solves, and [`final_status`] how many finished
//! games are judged as their players did.
//!
//! Experiments: [`experiment`] does a list of jobs, stopped and resumed at will; [`report`] writes what came of them as
//! [`data_table`]s and [`plot`]s, beside the figures of the paper that asked the question: [`dfuct`], [`lgrf`] with games
//! by [`duel`], and [`deceptive`].
#![forbid(unsafe_code)]

pub mod clock;
pub mod count;
pub mod data_table;
pub mod deceptive;
pub mod dfuct;
pub mod duel;
pub mod experiment;
pub mod final_status;
pub mod lgrf;
pub mod line_log;
pub mod match_log;
pub mod next_move;
pub mod opening;
pub mod plan;
pub mod player;
pub mod plot;
mod pool;
pub mod record;
pub mod referee;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod sprt;
pub mod statistics;
pub mod stopwatch;
pub mod suite;
pub mod summary;
mod svg;
pub mod table;
pub mod terms;
pub mod tsumego;
mod worker;

pub use plan::{ClockUse, EngineSpec, Lifetime, MatchPlan};
pub use runner::{Event, RunError, run};
