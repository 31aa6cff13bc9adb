//! `tesuji bench playout`: light playouts per second, and the counts that a seed pins.

use crate::say::say;
use anyhow::ensure;
use clap::{Args, ValueEnum};
use std::time::Instant;
use tesuji_board::{Board, Color, Size};
use tesuji_search::Rng;
use tesuji_search::playout::{
    Ending, GammaSets, Heavy, Light, PlayoutRule, Position, Rated, area_difference, run,
};

#[derive(Args)]
pub(crate) struct Options {
    /// Which playouts.
    #[arg(long, value_enum, default_value_t = Policies::Light)]
    policy: Policies,
    /// Side of the board.
    #[arg(long, default_value_t = 9)]
    size: usize,
    /// Playouts of each thread.
    #[arg(long, default_value_t = 100_000)]
    playouts: u64,
    /// Threads, each with a board and a random sequence of its own.
    #[arg(long, default_value_t = 1)]
    threads: u64,
    /// Seed of the first thread.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Stop a playout when one side leads by 30 % of the points.
    #[arg(long)]
    mercy: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Policies {
    /// Uniformly random.
    Light,
    /// The rules of the default engine.
    Heavy,
    /// Drawn by learned rates.
    Learned,
}

/// What a number of playouts came to; a seed determines it.
#[derive(Default)]
struct Sums {
    moves: u64,
    black_wins: u64,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let size = Size::square(self.size)?;
        ensure!(self.threads > 0, "--threads must be at least 1");
        let started = Instant::now();
        let parts: Vec<Sums> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..self.threads)
                .map(|thread| {
                    let rng = Rng::for_stream(self.seed, thread);
                    let (playouts, mercy) = (self.playouts, self.mercy);
                    scope.spawn(move || match self.policy {
                        Policies::Light => sums(Light, size, playouts, mercy, rng),
                        Policies::Heavy => sums(Heavy::default(), size, playouts, mercy, rng),
                        Policies::Learned => {
                            sums(Rated::new(GammaSets::new(None, 1.0)), size, playouts, mercy, rng)
                        }
                    })
                })
                .collect();
            workers.into_iter().map(|worker| worker.join().expect("a playout does not panic")).collect()
        });
        let seconds = started.elapsed().as_secs_f64();
        let playouts = self.playouts * self.threads;
        let moves: u64 = parts.iter().map(|sums| sums.moves).sum();
        let black_wins: u64 = parts.iter().map(|sums| sums.black_wins).sum();
        say!(
            "size {} playouts {playouts} threads {} seed {} moves {moves} black-wins {black_wins} \
             moves/playout {:.2} seconds {seconds:.3} playouts/s {:.0}",
            self.size,
            self.threads,
            self.seed,
            moves as f64 / playouts.max(1) as f64,
            playouts as f64 / seconds,
        );
        Ok(())
    }
}

fn sums(mut rule: impl PlayoutRule, size: Size, playouts: u64, mercy: bool, mut rng: Rng) -> Sums {
    let start = Position::new(Board::new(size), Color::Black);
    let ending = if mercy { Ending::merciful(size.area()) } else { Ending::natural(size.area()) };
    let mut position = start.clone();
    let mut sums = Sums::default();
    for _ in 0..playouts {
        position.copy_from(&start);
        run(&mut rule, &mut position, &mut rng, ending, |_, _| sums.moves += 1);
        sums.black_wins += u64::from(area_difference(&position.board) > 7);
    }
    sums
}
