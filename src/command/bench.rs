//! `tesuji bench`: honest speeds, one line each.

mod playout;
mod search;
mod solve;
mod train;

use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum Bench {
    /// Random playouts from the empty board.
    Playout(playout::Options),
    /// Searches from the empty board.
    Search(search::Options),
    /// Proofs of life and death.
    Solve(solve::Options),
    /// Steps in the training of a network.
    Train(train::Options),
}

impl Bench {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Bench::Playout(options) => options.run(),
            Bench::Search(options) => options.run(),
            Bench::Solve(options) => options.run(),
            Bench::Train(options) => options.run(),
        }
    }
}
