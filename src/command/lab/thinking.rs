//! How long the players of an experiment think about a move.

use anyhow::ensure;
use clap::Args;
use tesuji_lab::contestant::Thinking;

/// Options of experiments with games.
#[derive(Args, Clone, Debug)]
#[group(id = "thinking")]
pub(crate) struct Options {
    /// Playouts per move of both sides; by default 1000, or 100 with --quick.
    #[arg(long, value_name = "N", conflicts_with = "time_per_move")]
    playouts: Option<u64>,
    /// CPU seconds per move of both sides, instead of a number of playouts.
    #[arg(long, value_name = "SECONDS")]
    time_per_move: Option<f64>,
}

impl Options {
    pub(crate) fn read(&self, quick: bool) -> anyhow::Result<Thinking> {
        if let Some(seconds) = self.time_per_move {
            ensure!(seconds > 0.0, "--time-per-move must be above 0");
            return Ok(Thinking::Seconds(seconds));
        }
        let playouts = self.playouts.unwrap_or(if quick { 100 } else { 1000 });
        ensure!(playouts > 0, "--playouts must be at least 1");
        Ok(Thinking::Playouts(playouts))
    }
}
