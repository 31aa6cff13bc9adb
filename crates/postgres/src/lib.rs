//! Jobs of the laboratory in PostgreSQL, so that any number of processes on any number of machines can share them.
//!
//! [`PostgresStore`] is a [`JobStore`](tesuji_lab::job::JobStore) like the log of one process, and passes the same conformance suite. Jobs are rows, claimed with
//! `FOR UPDATE SKIP LOCKED` for the time of a lease; a finding and the end of its job are one statement of one transaction. [`Place`] says where the server
//! is and how to reach it, [`schema`] makes the tables. The networks that
//! jobs need lie there too, by checksum ([`PostgresLibrary`]).
//!
//! Why not the crate `graphile_worker` (0.14, looked at first): it is a good queue for background tasks of a server, but a queue. A job that succeeds is
//! deleted, so there is no place for findings and for the rule that a job is done once; a claim is a lock without a lease that its holder
//! renews (recovery of dead workers is a sweep beside it); and jobs have no run, terms or build. It also brings an async runtime and sqlx
//! by default. What is left to write here is a table and a dozen statements.
//!
//! ```no_run
//! use tesuji_postgres::{Place, PostgresStore, schema};
//!
//! let place = Place::parse("postgres://tesuji@localhost/tesuji", None)?;
//! schema::migrate(&mut place.connect()?)?;
//! let store = PostgresStore::open(place)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod connection;
mod file;
mod place;
pub mod schema;
mod sql;
mod store;

pub use file::{KeepError, PostgresLibrary};
pub use place::{Place, PlaceError};
pub use store::PostgresStore;
