//! `tesuji bench`: honest speeds, one line each.

mod labels;
mod net;
mod opinion;
mod playout;
mod search;
mod solve;
#[cfg(feature = "postgres")]
mod store;
mod train;
mod value;

use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum Bench {
    /// Networks against labels of positions.
    Labels(labels::Options),
    /// Evaluations of a network.
    Net(net::Options),
    /// Playouts against a strong engine's opinion of positions.
    Opinion(opinion::Options),
    /// Random playouts from the empty board.
    Playout(playout::Options),
    /// Searches from the empty board.
    Search(search::Options),
    /// Proofs of life and death.
    Solve(solve::Options),
    /// Claims and completions of shared jobs.
    #[cfg(feature = "postgres")]
    Store(store::Options),
    /// Steps in the training of a network.
    Train(train::Options),
    /// The winners of games, told by a network and by playouts.
    Value(value::Options),
}

impl Bench {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Bench::Labels(options) => options.run(),
            Bench::Net(options) => options.run(),
            Bench::Opinion(options) => options.run(),
            Bench::Playout(options) => options.run(),
            Bench::Search(options) => options.run(),
            Bench::Solve(options) => options.run(),
            #[cfg(feature = "postgres")]
            Bench::Store(options) => options.run(),
            Bench::Train(options) => options.run(),
            Bench::Value(options) => options.run(),
        }
    }
}
