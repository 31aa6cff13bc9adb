//! Tests of the `tesuji` program as its users meet it: started as a process, spoken to through pipes.
//!
//! - `gnugo`: complete games against GNU Go as a real opponent and as a second opinion on the score.
//! - `matches`: matches that are killed, interrupted and resumed.
//! - `script`: golden GTP scripts, also what real clients say; the scripts and their format are in `tests/gtp`.

mod gnugo;
mod matches;
mod script;
