//! One file per command.

pub(crate) mod bench;
pub(crate) mod engine;
pub(crate) mod gtp;
pub(crate) mod lab;
pub(crate) mod label;
pub(crate) mod r#match;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod progress;
pub(crate) mod run;
pub(crate) mod sgf;
pub(crate) mod solve;
pub(crate) mod suite;
pub(crate) mod train;
