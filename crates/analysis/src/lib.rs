//! KataGo's JSON analysis engine without its input and output: messages come in as text, replies go out through a callback.
//!
//! A [`Service`] owns the worker threads and what waits for them; a [`Connection`] is one client of it. Standard input, a
//! WebSocket and a review of a game are clients alike. `message.rs` and `query.rs` read what clients say, `schedule.rs` decides
//! who is next, `worker.rs` searches, `reply.rs` writes.
#![forbid(unsafe_code)]

mod field;
mod message;
mod query;
mod reply;
mod schedule;
mod service;
mod task;
mod worker;

pub use message::MOST_BYTES;
pub use query::Perspective;
pub use service::{Connection, Service, ServiceSettings};
