//! One file per command.

pub(crate) mod analysis;
pub(crate) mod bench;
pub(crate) mod doctor;
pub(crate) mod engine;
pub(crate) mod gtp;
#[cfg(feature = "postgres")]
pub(crate) mod jobs;
pub(crate) mod lab;
pub(crate) mod label;
pub(crate) mod r#match;
pub(crate) mod net;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod progress;
pub(crate) mod reference;
pub(crate) mod review;
pub(crate) mod run;
pub(crate) mod sgf;
pub(crate) mod solve;
#[cfg(feature = "postgres")]
pub(crate) mod store;
pub(crate) mod suite;
pub(crate) mod train;
pub(crate) mod web;
#[cfg(feature = "postgres")]
pub(crate) mod worker;
