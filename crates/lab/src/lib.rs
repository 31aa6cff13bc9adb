//! The laboratory: matches between engines, and the statistics to judge them by.
//!
//! Everything that takes long is a run of [`job`]s, kept in a store and done by a pool of threads, here or on other machines; it can be stopped at
//! any moment and goes on later.
//!
//! The way of a match: a [`plan`] says who plays on what terms, [`match_run`] plays the games of the [`schedule`] that the store does not
//! hold yet; each is a job of [`match_work`]. The [`referee`] plays one game between two [`player`]s, who are started as [`engine_spec`] and [`host`] say,
//! under a [`clock`], and lets [`count`] find the score; [`summary`] adds up the [`record`]s, and [`table`] prints them with the numbers of
//! [`statistics`] and [`sprt`].
//!
//! [`registry`] has all kinds of work for whoever takes jobs from elsewhere; the files that those need come by [`checksum`] into a [`file_cache`].
//!
//! Besides matches: [`suite`] counts how many [`next_move`] problems a search solves, [`solve_batch`] what the prover makes of life-and-death problems,
//! [`final_status`] how many finished games are judged as their players did, and [`people`] how well people are imitated.
//!
//! Experiments: [`report`] writes what came of the jobs as [`data_table`]s and [`plot`]s, beside the figures of the paper that asked the
//! question: [`dfuct`], [`lgrf`] and [`cygo`] with games by [`duel`] between [`contestant`]s, [`deceptive`] and [`tsumego`].
//!
//! Learning: [`selfplay`] is a network that teaches itself, with games and gates as jobs.
//!
//! A match between two engines that always pass; any command that speaks GTP will do:
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use std::time::Duration;
//! use tesuji_board::{Rules, Size};
//! use tesuji_lab::clock::TimeControl;
//! use tesuji_lab::count::default_methods;
//! use tesuji_lab::engine_spec::{EngineSpec, Lifetime};
//! use tesuji_lab::host::Host;
//! use tesuji_lab::job::{Builds, LogStore, Venue, Workforce};
//! use tesuji_lab::opening::OpeningSource;
//! use tesuji_lab::referee::GameTerms;
//! use tesuji_lab::table::{Style, results};
//! use tesuji_lab::{MatchPlan, run_match};
//!
//! let passes = r#"sh -c 'while read id word rest; do
//!     case $word in genmove) echo "=$id pass";; *) echo "=$id";; esac; echo
//! done'"#;
//! let engine = |name: &str| EngineSpec::parse(&format!("{name}={passes}"), &TimeControl::Unlimited);
//! let rules = Rules { komi: 0.5, ..Rules::named("tromp-taylor").unwrap() };
//! let plan = MatchPlan {
//!     engines: vec![engine("one"), engine("two")],
//!     games: 4,
//!     terms: GameTerms {
//!         size: Size::square(9)?,
//!         rules,
//!         time: TimeControl::Unlimited,
//!         lag: 0.0,
//!         move_limit: 300,
//!         methods: default_methods(&rules).to_vec(),
//!         arbiter: None,
//!         command_timeout: Duration::from_secs(20),
//!         move_timeout: Duration::from_secs(20),
//!     },
//!     openings: OpeningSource::Empty,
//!     seed: 1,
//!     lifetime: Lifetime::Game,
//!     sprt: None,
//! };
//! # if cfg!(unix) {
//! let venue = Venue {
//!     // With `LogStore::in_directory` a match can be stopped and resumed.
//!     store: &mut LogStore::in_memory(),
//!     build: "example",
//!     builds: Builds::Same,
//!     workforce: Workforce::Threads(2),
//!     retry: false,
//!     stop: &AtomicBool::new(false),
//! };
//! let games = run_match(&plan, Host::trusted("tesuji".into()), venue, None, |_| ())?;
//! // White wins an empty board by the komi, and each engine had White twice.
//! assert_eq!(games.len(), 4);
//! assert!(results(&plan.summary(&games), Style::Plain).contains("50.0 %"));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod checksum;
pub mod clock;
pub mod contestant;
pub mod count;
pub mod cygo;
pub mod data_table;
pub mod deceptive;
pub mod dfuct;
pub mod duel;
pub mod engine_spec;
pub mod file_cache;
pub mod final_status;
pub mod host;
pub mod job;
pub mod lgrf;
pub mod line_log;
pub mod match_run;
pub mod match_work;
pub mod next_move;
pub mod opening;
pub mod people;
pub mod plan;
pub mod player;
pub mod plot;
pub mod problem_line;
pub mod record;
pub mod referee;
pub mod registry;
pub mod report;
pub mod schedule;
pub mod selfplay;
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
pub mod variant;
mod written;

pub use engine_spec::{ClockUse, EngineSpec, Lifetime};
pub use match_run::{Event, MatchError, run_match};
pub use plan::MatchPlan;
