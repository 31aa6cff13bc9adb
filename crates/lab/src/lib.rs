//! The laboratory: matches between engines, and the statistics to judge them by.
#![forbid(unsafe_code)]

pub mod clock;
pub mod count;
pub mod match_log;
pub mod opening;
pub mod player;
pub mod record;
pub mod referee;
pub mod sprt;
pub mod statistics;
