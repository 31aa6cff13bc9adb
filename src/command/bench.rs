//! `tesuji bench`: honest speeds, one line each.

mod playout;

use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum Bench {
    /// Random playouts from the empty board.
    Playout(playout::Options),
}

impl Bench {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Bench::Playout(options) => options.run(),
        }
    }
}
