//! `tesuji train`: everything that learns.

mod net;
mod playout;
mod prior;

use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum Train {
    /// Train a network on games and labels.
    Net(Box<net::Options>),
    /// Learn gammas for playouts from game records, by minorisation–maximisation.
    Playout(playout::Options),
    /// Learn what moves look good from game records, for the search without networks.
    Prior(prior::Options),
}

impl Train {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Train::Net(options) => options.run(),
            Train::Playout(options) => options.run(),
            Train::Prior(options) => options.run(),
        }
    }
}
