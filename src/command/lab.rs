//! `tesuji lab`: the experiments of papers, and measurements against data that is not part of the program.

mod cygo;
mod deceptive;
mod dfuct;
mod experiment;
mod lgrf;
mod people;
mod status;
mod thinking;
mod tsumego;

use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum Lab {
    /// Play the engine with a network against the engine without (the paper on Cygo).
    Cygo(cygo::Options),
    /// Measure how much of a search deceptive moves get (the paper on proxy nodes).
    Deceptive(deceptive::Options),
    /// Measure what depth-first walks save and miss (the paper on DFUCT).
    Dfuct(dfuct::Options),
    /// Play engines with reply tables against the same engine without (the paper on LGRF/EN).
    Lgrf(lgrf::Options),
    /// Measure how well people of every rank are predicted, and their ranks told.
    People(people::Options),
    /// Compare how the engine counts finished games with their recorded results.
    Status(status::Options),
    /// Measure how many playouts proof probability saves UCT on life-and-death problems.
    Tsumego(tsumego::Options),
}

impl Lab {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Lab::Cygo(options) => options.run(),
            Lab::Deceptive(options) => options.run(),
            Lab::Dfuct(options) => options.run(),
            Lab::Lgrf(options) => options.run(),
            Lab::People(options) => options.run(),
            Lab::Status(options) => options.run(),
            Lab::Tsumego(options) => options.run(),
        }
    }
}
