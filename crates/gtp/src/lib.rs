//! The Go Text Protocol, version 2, without any Go.
//!
//! It assumes text lines and nothing about boards, so that everything here can be tested with byte scripts.
//! The way of a command: [`command`] reads the line, [`input`] queues it, [`server`] finds its handler,
//! [`session`] is what the handler sees of the connection, [`response`] prints the answer. The other
//! direction is [`client`], which drives another engine as a child process; [`words`] splits the command
//! line that starts it.
//!
//! ```
//! use tesuji_gtp::{CommandTable, serve};
//!
//! let mut table = CommandTable::new();
//! table.add("add", |total: &mut i64, command, _session| {
//!     *total += command.integer(0)?;
//!     Ok(total.to_string())
//! });
//! let (mut total, mut output) = (40, Vec::new());
//! serve(&table, &mut total, "1 add 2\n2 add x\n".as_bytes(), &mut output)?;
//! assert_eq!(output, b"=1 42\n\n?2 expected integer as argument 1, found 'x'\n\n");
//! # Ok::<(), std::io::Error>(())
//! ```

#![forbid(unsafe_code)]

pub mod client;
pub mod command;
mod error_log;
pub mod input;
mod line;
pub mod response;
pub mod server;
pub mod session;
pub mod words;

pub use client::{Client, ClientError};
pub use command::{ArgError, Command, Line};
pub use error_log::Echo;
pub use input::{Input, StopOn};
pub use response::{Reply, Response};
pub use server::{CommandTable, End, serve};
pub use session::Session;
