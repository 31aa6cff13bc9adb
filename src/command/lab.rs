//! `tesuji lab`: the experiments of papers, and measurements against data that is not part of the program.

mod dfuct;
mod experiment;
mod status;
mod tsumego;

use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum Lab {
    /// Measure what depth-first walks save and miss (the paper on DFUCT).
    Dfuct(dfuct::Options),
    /// Compare verdicts on finished games with the results on record.
    Status(status::Options),
    /// Measure what proof probability saves UCT on life-and-death problems, and what the prover makes of them.
    Tsumego(tsumego::Options),
}

impl Lab {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Lab::Dfuct(options) => options.run(),
            Lab::Status(options) => options.run(),
            Lab::Tsumego(options) => options.run(),
        }
    }
}
