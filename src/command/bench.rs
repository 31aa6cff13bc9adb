//! `tesuji bench`: honest speeds, one line each.

mod playout;
mod search;

use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum Bench {
    /// Random playouts from the empty board.
    Playout(playout::Options),
    /// Searches from the empty board.
    Search(search::Options),
}

impl Bench {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Bench::Playout(options) => options.run(),
            Bench::Search(options) => options.run(),
        }
    }
}
