//! Tests of the `tesuji` program as its users meet it: started as a process, spoken to through pipes.
//!
//! - `gnugo`: complete games against GNU Go as a real opponent and as a second opinion on the score.
//! - `lab`: experiments that are killed and resumed.
//! - `matches`: matches that are killed, interrupted and resumed.
//! - `network_training`: training and labelling, killed and resumed.
//! - `net`: engines with a network.
//! - `perft`: counts of move paths on one line.
//! - `pipe`: output that nobody reads.
//! - `play`: a game in a terminal, through pipes and through a pseudo terminal.
//! - `process`: how to run the program once.
//! - `script`: golden GTP scripts, also what real clients say; the scripts and their format are in `tests/gtp`.
//! - `sgf`: record files in, reports and files out.
//! - `solve`: life-and-death problems, and what is none.
//! - `suite`: next-move problems, killed and resumed.
//! - `terminal`: a person at a pseudo terminal.
//! - `tsumego`: the experiment on life and death, killed and resumed.

mod gnugo;
mod lab;
mod matches;
mod net;
mod network_training;
mod perft;
mod pipe;
mod play;
mod process;
mod script;
mod sgf;
mod solve;
mod suite;
#[cfg(unix)]
mod terminal;
mod train;
mod tsumego;
