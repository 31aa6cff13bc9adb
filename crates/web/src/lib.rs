//! The board in the browser: a small web server with the page in it, and the analysis protocol over WebSocket.
//!
//! [`Server`] binds an address and serves until the process ends. What is asked over HTTP is answered in `route.rs`: the page itself
//! (`asset.rs`), stored games (`archive.rs`), records to read (`record.rs`) and runs of the laboratory (`lab.rs`). Two WebSockets do what takes
//! time: `analysis.rs` speaks KataGo's JSON protocol, `desk.rs` answers moves, counts games, solves problems and
//! reviews games, in the threads of `worker.rs`.
//!
//! Whoever connects is not trusted. `listener.rs` bounds the connections, `guard.rs` refuses foreign pages and wrong tokens, `outbox.rs` bounds
//! what waits for a slow client. The network runs in one thread, the search in others: nobody at the other end of a wire can slow it down.
//!
//! ```
//! use tesuji_engine::Settings;
//! use tesuji_web::{Options, Server};
//!
//! let games = std::env::temp_dir().join(format!("tesuji-web-example-{}", std::process::id()));
//! let server = Server::start(Options {
//!     address: "127.0.0.1:0".parse()?,
//!     games: games.clone(),
//!     lab: Vec::new(),
//!     settings: Settings::default(),
//!     play_threads: 1,
//!     version: "example".to_owned(),
//! })?;
//! assert!(server.url().starts_with("http://127.0.0.1:"));
//! // `server.run()` would serve from here on.
//! # let _ = std::fs::remove_dir_all(games);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod analysis;
mod archive;
mod asset;
mod desk;
mod guard;
mod lab;
mod listener;
mod outbox;
mod position;
mod record;
mod review;
mod route;
mod server;
mod socket;
mod solve;
mod worker;

pub use server::{Options, Server, StartError};
