//! `tesuji bench search`: simulations per second, where the time goes, the tree's size, and the signature of the search.
//!
//! The signature is a hash of all visit counts after a fixed number of simulations by one thread on fixed positions. A change
//! that moves it changes how the engine plays and needs evidence; one that does not is a matter of speed.

use crate::command::engine;
use crate::say::say;
use clap::Args;
use std::time::Instant;
use tesuji_board::{Game, Move, Rules, Size};
use tesuji_engine::Settings;
use tesuji_lab::stopwatch::nanoseconds;
use tesuji_search::{Report, Simulations};

#[derive(Args)]
pub(crate) struct Options {
    /// Side of the board.
    #[arg(long, default_value_t = 9)]
    size: usize,
    #[command(flatten)]
    engine: engine::Options,
    /// Leave the split of the time out: the clock costs a little on every simulation.
    #[arg(long)]
    no_split: bool,
    /// Leave the signature out, and with it everything but the measured search.
    #[arg(long)]
    no_signature: bool,
}

/// Simulations unless `--playouts` says otherwise.
const DEFAULT_SIMULATIONS: u64 = 10_000;
/// Simulations per position of the signature.
const SIGNATURE_SIMULATIONS: u64 = 1000;
/// Moves of the positions of the signature, on any board from 5×5: columns and rows from the near corner.
const SIGNATURE_GAMES: [&[(usize, usize)]; 3] =
    [&[], &[(2, 2), (3, 3), (2, 3), (3, 2)], &[(2, 2), (1, 2), (3, 2), (2, 1), (2, 3), (1, 3), (3, 1)]];

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let size = Size::square(self.size)?;
        let mut settings = self.engine.settings()?;
        if !self.no_split {
            settings.stopwatch = Some(nanoseconds);
        }
        let simulations = if settings.playouts > 0 { settings.playouts } else { DEFAULT_SIMULATIONS };
        let game = Game::new(size, Rules::default());
        let mut searcher = settings.preset.searcher(&settings);
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

/// Hash of the visit counts of fixed searches by one thread.
fn signature(settings: &Settings, size: Size) -> u64 {
    let settings = Settings { threads: 1, stopwatch: None, ..settings.clone() };
    SIGNATURE_GAMES.iter().fold(0xcbf2_9ce4_8422_2325, |hash, moves| {
        let mut game = Game::new(size, Rules::default());
        for &(x, y) in *moves {
            if let Some(point) = size.point(x, y) {
                // On a board too small for the position a move may not be legal; the signature is then of what is left.
                let _ = game.play(game.to_move(), Move::Play(point));
            }
        }
        let mut searcher = settings.preset.searcher(&settings);
        searcher.search(&game, game.to_move(), &Simulations(SIGNATURE_SIMULATIONS));
        add_visits(hash, &searcher.report())
    })
}

/// FNV-1a over moves and visits.
fn add_visits(hash: u64, report: &Report) -> u64 {
    let numbers = report.moves.iter().flat_map(|mv| [u64::from(mv.mv.code()), mv.visits]);
    numbers.fold(hash, |hash, number| (hash ^ number).wrapping_mul(0x0100_0000_01b3))
}
