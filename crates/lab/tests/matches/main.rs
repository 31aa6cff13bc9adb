//! Whole matches between shell scripts: well-behaved, broken, and interrupted ones.
//!
//! - `engine`: the scripts that play.
//! - `fault`: whatever an engine does, the match goes on and says what happened.
//! - `resume`: interrupted matches end like undisturbed ones.
#![cfg(unix)]

mod engine;
mod fault;
mod resume;
