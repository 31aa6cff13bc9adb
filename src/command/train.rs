//! `tesuji train`: everything that learns.

mod balance;
mod net;
mod playout;
mod prior;
mod reinforce;
mod value_data;

use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum Train {
    /// Train a network on games and labels.
    Net(Box<net::Options>),
    /// The Cygo paper's first stage: a policy from games. The same as `net`, with the loss of moves alone.
    Sl(Box<net::Options>),
    /// Its second stage: the policy learns from games against its earlier selves.
    Rl(reinforce::Options),
    /// Its third stage: one position from each of many games of both policies.
    ValueData(value_data::Options),
    /// Its last stage: a value from those positions. The same as `net`, with the loss of the result alone.
    Value(Box<net::Options>),
    /// Learn gammas for playouts from game records, by minorisation–maximisation.
    Playout(playout::Options),
    /// Change gammas until playouts agree on average with the opinion of a network, by simulation balancing.
    Balance(balance::Options),
    /// Learn what moves look good from game records, for the search without networks.
    Prior(prior::Options),
}

impl Train {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Train::Net(options) => options.run(net::Stage::All),
            Train::Sl(options) => options.run(net::Stage::Policy),
            Train::Rl(options) => options.run(),
            Train::ValueData(options) => options.run(),
            Train::Value(options) => options.run(net::Stage::Value),
            Train::Playout(options) => options.run(),
            Train::Balance(options) => options.run(),
            Train::Prior(options) => options.run(),
        }
    }
}
