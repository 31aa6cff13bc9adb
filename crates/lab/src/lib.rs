//! The laboratory: matches between engines, and the statistics to judge them by.
//!
//! Everything that takes long is a run of [`job`]s, kept in a store and done by a pool of threads, here or on other machines; it can be stopped at
//! any moment and goes on later.
//!
//! The way of a match: a [`plan`] says who plays on what terms, [`match_run`] plays the games of the [`schedule`] that the store does not
//! hold yet; each is a job of [`match_work`]. The [`referee`] plays one game between two [`player`]s, who are started as [`engine_spec`] says,
//! under a [`clock`], and lets [`count`] find the score; [`summary`] adds up the [`record`]s, and [`table`] prints them with the numbers of
//! [`statistics`] and [`sprt`].
//!
//! Besides matches: [`suite`] counts how many [`next_move`] problems a search solves, [`solve_batch`] what the prover makes of life-and-death problems,
//! and [`final_status`] how many finished games are judged as their players did.
//!
//! Experiments: [`report`] writes what came of the jobs as [`data_table`]s and [`plot`]s, beside the figures of the paper that asked the
//! question: [`dfuct`], [`lgrf`] with games by [`duel`] between [`contestant`]s, [`deceptive`] and [`tsumego`].
#![forbid(unsafe_code)]

pub mod clock;
pub mod contestant;
pub mod count;
pub mod data_table;
pub mod deceptive;
pub mod dfuct;
pub mod duel;
pub mod engine_spec;
pub mod final_status;
pub mod job;
pub mod lgrf;
pub mod line_log;
pub mod match_run;
pub mod match_work;
pub mod next_move;
pub mod opening;
pub mod plan;
pub mod player;
pub mod plot;
pub mod problem_line;
pub mod record;
pub mod referee;
pub mod report;
pub mod schedule;
pub mod solve_batch;
pub mod sprt;
pub mod statistics;
pub mod stopwatch;
pub mod suite;
pub mod summary;
mod svg;
pub mod table;
pub mod terms;
pub mod tsumego;
mod written;

pub use engine_spec::{ClockUse, EngineSpec, Lifetime};
pub use match_run::{Event, MatchError, run_match};
pub use plan::MatchPlan;
