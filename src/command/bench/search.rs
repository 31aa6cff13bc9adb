//! `tesuji bench search`: simulations per second, where the time goes, the tree's size, and the signature of the search.
//!
//! The signature is that of [`tesuji_engine::signature`].

use crate::command::engine;
use crate::say::say;
use clap::Args;
use std::time::Instant;
use tesuji_board::{Game, Rules, Size};
use tesuji_engine::signature;
use tesuji_lab::stopwatch::nanoseconds;
use tesuji_search::Simulations;

#[derive(Args)]
pub(crate) struct Options {
    /// Side of the board.
    #[arg(long, default_value_t = 9)]
    size: usize,
    #[command(flatten)]
    engine: engine::Options,
    /// Do not measure the time in playouts apart; reading the clock costs a little in every simulation.
    #[arg(long)]
    no_split: bool,
    /// Do not compute the signature; do nothing but the measured search.
    #[arg(long)]
    no_signature: bool,
}

/// Simulations unless `--playouts` says otherwise.
const DEFAULT_SIMULATIONS: u64 = 10_000;

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let size = Size::square(self.size)?;
        let mut settings = self.engine.settings()?;
        if !self.no_split {
            settings.stopwatch = Some(nanoseconds);
        }
        let simulations = if settings.playouts > 0 { settings.playouts } else { DEFAULT_SIMULATIONS };
        let game = Game::new(size, Rules::default());
        let mut searcher = settings.searcher(size)?;
        let started = Instant::now();
        searcher.search(&game, game.to_move(), &Simulations(simulations));
        let seconds = started.elapsed().as_secs_f64();
        let report = searcher.report();
        say!(
            "preset {} size {size} threads {} seed {} simulations {simulations} seconds {seconds:.3} simulations/s {:.0}",
            settings.preset.name,
            settings.threads,
            settings.seed,
            simulations as f64 / seconds,
        );
        if !self.no_split {
            let playouts =
                report.effort.playout_nanoseconds as f64 / 1e9 / (seconds * settings.threads as f64);
            say!("time in playouts {:.1} %, in the tree {:.1} %", 100.0 * playouts, 100.0 * (1.0 - playouts));
        }
        say!(
            "nodes {} tree {:.1} MB prunings {}",
            report.effort.nodes,
            report.effort.tree_bytes as f64 / f64::from(1 << 20),
            report.effort.prunings
        );
        if let Some(best) = report.moves.first() {
            say!("best {} win rate {:.3} score {:+.1}", best.mv.to_gtp(size), best.win_rate, best.score_lead);
        }
        if !self.no_signature {
            say!("signature {:016x}", signature(&settings, size));
        }
        Ok(())
    }
}
