//! `tesuji gtp`: the engine behind the Go Text Protocol on standard input and output.

use std::io;

use clap::Args;
use tesuji_engine::Engine;
use tesuji_engine::gtp::{Controlled, run};

use crate::command::engine;

#[derive(Args, Default)]
#[command(after_long_help = engine::help())]
pub(crate) struct Options {
    #[command(flatten)]
    engine: engine::Options,
    #[command(flatten)]
    terms: engine::Terms,
    /// The name that the engine gives; Lizzie offers KataGo's features only to an engine called KataGo.
    #[arg(long, value_name = "NAME")]
    gtp_name: Option<String>,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let engine = Engine::new(self.engine.settings()?, self.terms.game(&self.engine)?);
        let mut state = Controlled::new(engine);
        if let Some(name) = self.gtp_name {
            state.name = name;
        }
        // The reading thread outlives a `quit`, so it cannot borrow a lock.
        run(&mut state, io::BufReader::new(io::stdin()), io::stdout().lock())?;
        Ok(())
    }
}
