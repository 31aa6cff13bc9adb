//! The engine's GTP commands, one file per group.
//!
//! Each file adds its commands to the table. A handler reads all its arguments before it changes anything, so a command that is
//! refused leaves no trace. Nothing here prints to stdout but through the session.

mod analysis;
mod analysis_request;
mod argument;
mod core;
mod gogui;
mod graphics;
mod info;
mod misc;
mod parameter;
mod raw_net;
mod rules;
mod setup;
mod solve;
mod status;
mod time;

use std::io::{self, BufRead, Write};

use tesuji_gtp::{CommandTable, End, StopOn, serve};

use crate::engine::Engine;

/// What the commands work on.
pub struct Controlled {
    /// The engine.
    pub engine: Engine,
    /// What it calls itself; some clients offer KataGo's features only to what is called so.
    pub name: String,
    /// Its version.
    pub version: String,
}

impl Controlled {
    /// An engine under its own name.
    pub fn new(engine: Engine) -> Controlled {
        Controlled { engine, name: "Tesuji".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
    }
}

/// All commands, and pondering between them.
pub fn table() -> CommandTable<Controlled> {
    let mut table = CommandTable::new();
    core::add(&mut table);
    setup::add(&mut table);
    rules::add(&mut table);
    time::add(&mut table);
    parameter::add(&mut table);
    status::add(&mut table);
    analysis::add(&mut table);
    gogui::add(&mut table);
    misc::add(&mut table);
    solve::add(&mut table);
    raw_net::add(&mut table);
    table.on_idle(|state, input| state.engine.ponder(&input.stop_flag(StopOn::AnyLine)));
    table
}

/// Serves the engine until the controller leaves; fails only if no thread can start.
pub fn run(
    state: &mut Controlled,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> io::Result<End> {
    serve(&table(), state, input, output)
}
