//! `tesuji lab`: the experiments of papers, and measurements against data that is not part of the program.

mod deceptive;
mod dfuct;
mod experiment;
mod lgrf;
mod status;
mod tsumego;

use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum Lab {
    /// Measure how much of a search deceptive moves get (the paper on proxy nodes).
    Deceptive(deceptive::Options),
    /// Measure what depth-first walks save and miss (the paper on DFUCT).
    Dfuct(dfuct::Options),
    /// Let engines with reply tables play the same engine without (the paper on LGRF/EN).
    Lgrf(lgrf::Options),
    /// Compare verdicts on finished games with the results on record.
    Status(status::Options),
    /// Measure what proof probability saves UCT on life-and-death problems, and what the prover makes of them.
    Tsumego(tsumego::Options),
}

impl Lab {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Lab::Deceptive(options) => options.run(),
            Lab::Dfuct(options) => options.run(),
            Lab::Lgrf(options) => options.run(),
            Lab::Status(options) => options.run(),
            Lab::Tsumego(options) => options.run(),
        }
    }
}
