//! `tesuji gtp`: the engine behind the Go Text Protocol on standard input and output.

mod log;

use std::io::{self, BufReader};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use tesuji_engine::Engine;
use tesuji_engine::gtp::{Controlled, run};

use crate::command::engine;
use log::Log;

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
    /// Write down everything that is said, in both directions, at the end of this file.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let engine = Engine::new(self.engine.settings_for_all_cores()?, self.terms.game(&self.engine)?);
        let mut state = Controlled::new(engine);
        if let Some(name) = self.gtp_name {
            state.name = name;
        }
        // The reading thread outlives a `quit`, so it cannot borrow a lock.
        let (input, output) = (BufReader::new(io::stdin()), io::stdout().lock());
        match &self.log {
            None => run(&mut state, input, output)?,
            Some(path) => {
                let log = Log::open(path).with_context(|| format!("cannot write {}", path.display()))?;
                run(&mut state, BufReader::new(log.hearing(input)), log.saying(output))?
            }
        };
        Ok(())
    }
}
