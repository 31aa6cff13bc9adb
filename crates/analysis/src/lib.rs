//! KataGo's JSON analysis engine without its input and output: messages come in as text, replies go out through a callback.
//!
//! A [`Service`] owns the worker threads and what waits for them; a [`Connection`] is one client of it. Standard input, a
//! WebSocket and a review of a game are clients alike. `message.rs` and `query.rs` read what clients say, `schedule.rs` decides
//! who is next, `worker.rs` searches, `reply.rs` writes.
//!
//! A client that asks about a position:
//!
//! ```
//! use std::sync::mpsc;
//! use tesuji_analysis::{Service, ServiceSettings};
//! use tesuji_engine::Settings;
//!
//! let service = Service::new(ServiceSettings { workers: 1, ..ServiceSettings::new(Settings::of_preset("rave")?) });
//! let (replies, answers) = mpsc::channel();
//! let client = service.connect(move |reply| _ = replies.send(reply));
//! client.send(r#"{"id":"q","moves":[["B","E5"]],"rules":"chinese","boardXSize":9,"boardYSize":9,"maxVisits":20}"#);
//! client.wait_for_answers();
//! assert!(answers.recv()?.contains("\"moveInfos\""));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
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
