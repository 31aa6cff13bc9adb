//! The crate from outside.
//!
//! `server` feeds byte scripts to a small table of commands and compares the exact output; `client` drives
//! real child processes that behave well or badly. What one function does belongs into the tests of its
//! module.

#[cfg(unix)]
mod client;
mod server;
