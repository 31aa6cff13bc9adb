//! Tests of the `tesuji` program as its users meet it: started as a process, spoken to through pipes.
//!
//! - `analysis`: the JSON analysis engine on pipes.
//! - `browser`: the page in a browser, alone and many at once, and its bundle.
//! - `doctor`: the self-test of the program.
//! - `gnugo`: complete games against GNU Go as a real opponent and as a second opinion on the score.
//! - `jobs`: matches on a shared store, with workers that are killed; `cluster` is a server for a test.
//! - `katrain`: KaTrain's own core as a client of it; its script is in `tests/katrain`.
//! - `lab`: experiments that are killed and resumed.
//! - `matches`: matches that are killed, interrupted and resumed.
//! - `net`: engines with a network.
//! - `net_command`: network files in, descriptions and other files out.
//! - `network_training`: training and labelling, killed and resumed.
//! - `perft`: counts of move paths on one line.
//! - `pipe`: output that nobody reads, and a log of a conversation.
//! - `play`: a game in a terminal, through pipes and through a pseudo terminal.
//! - `process`: how to run the program once.
//! - `rank`: how strong players are.
//! - `readme`: the examples, pages and pictures of the documents.
//! - `review`: reviews of games, killed and resumed.
//! - `script`: golden GTP scripts, also what real clients say; the scripts and their format are in `tests/gtp`.
//! - `selfplay`: self-play, killed and resumed.
//! - `sgf`: record files in, reports and files out.
//! - `solve`: life-and-death problems, and what is none.
//! - `suite`: next-move problems, killed and resumed.
//! - `terminal`: a person at a pseudo terminal.
//! - `tsumego`: the experiment on life and death, killed and resumed.
//! - `web`: the web server, also for those who mean no good.
//! - `web_server`: how to start and ask it.

mod analysis;
mod browser;
#[cfg(all(unix, feature = "postgres"))]
#[path = "../../crates/postgres/tests/store/cluster.rs"]
mod cluster;
mod doctor;
mod gnugo;
mod jobs;
mod katrain;
mod lab;
mod matches;
mod net;
mod net_command;
mod network_training;
mod perft;
mod pipe;
mod play;
mod process;
mod rank;
mod readme;
mod review;
mod script;
mod selfplay;
mod sgf;
mod solve;
mod suite;
#[cfg(unix)]
mod terminal;
mod train;
mod tsumego;
mod web;
mod web_server;
