//! `tesuji bench search`: simulations per second, the tree's size, and the signature of the search.

use anyhow::ensure;
use clap::Args;
use std::time::Instant;
use tesuji_board::{Color, Game, Rules, Size};
use tesuji_engine::{Preset, Settings};
use tesuji_search::Simulations;

#[derive(Args)]
pub(crate) struct Options {
    /// Side of the board.
    #[arg(long, default_value_t = 9)]
    size: usize,
    /// Preset to measure.
    #[arg(long, default_value = "rave")]
    preset: String,
    /// Simulations.
    #[arg(long, default_value_t = 10_000)]
    playouts: u64,
    /// Threads on one tree.
    #[arg(long, default_value_t = 1)]
    threads: u64,
    /// Seed of the playouts.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Memory limit in MB.
    #[arg(long, default_value_t = 1024)]
    memory: u64,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let size = Size::square(self.size)?;
        ensure!(self.threads > 0, "--threads must be at least 1");
        let settings =
            Settings { threads: self.threads, seed: self.seed, memory: self.memory, ..Settings::of_preset(&self.preset)? };
        let mut searcher = Preset::named(&self.preset)?.searcher(&settings);
        let game = Game::new(size, Rules::default());
        let started = Instant::now();
        searcher.search(&game, Color::Black, &Simulations(self.playouts));
        let seconds = started.elapsed().as_secs_f64();
        let report = searcher.report();
        println!(
            "preset {} size {} playouts {} threads {} seed {} seconds {seconds:.3} simulations/s {:.0} nodes {} MB {:.1} best {} win rate {:.3}",
            self.preset, self.size, self.playouts, self.threads, self.seed, self.playouts as f64 / seconds,
            report.effort.nodes, report.effort.tree_bytes as f64 / 1e6,
            report.moves.first().map_or("none".to_string(), |best| best.mv.to_gtp(size)), report.win_rate,
        );
        Ok(())
    }
}
