//! The laboratory: matches between engines, and the statistics to judge them by.
#![forbid(unsafe_code)]

pub mod sprt;
pub mod statistics;
