//! `tesuji train rl`: a policy learns from games against its earlier selves.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use tesuji_board::Size;
use tesuji_lab::line_log::write_file;
use tesuji_lab::plot::{Axis, Mark, Plot, Series};
use tesuji_lab::statistics::Tally;
use tesuji_lab::variant;
use tesuji_train::pipeline::{PolicyPlay, Reinforce, ReinforcePlan, ReinforceRow};

use super::super::progress;
use crate::argument;
use crate::say::say;
use anyhow::{Context, ensure};

#[derive(Args)]
pub(crate) struct Options {
    /// The policy to begin with: what `tesuji train sl` made.
    #[arg(long, value_name = "FILE")]
    from: PathBuf,
    /// Directory of the run; one that is there goes on.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Board.
    #[arg(long, value_name = "SIDE", value_parser = argument::size, default_value = "9")]
    size: Size,
    /// Komi; by default 7 on boards up to 9×9 and 7.5 on others.
    #[arg(long, value_name = "POINTS", value_parser = argument::komi, allow_negative_numbers = true)]
    komi: Option<f32>,
    /// Iterations to make in all.
    #[arg(long, value_name = "N", default_value_t = 500)]
    iterations: u64,
    /// Games of an iteration.
    #[arg(long, value_name = "N", default_value_t = 64)]
    games: u64,
    /// Positions of an iteration's step.
    #[arg(long, value_name = "N", default_value_t = 512)]
    batch: usize,
    /// Length of steps.
    #[arg(long, value_name = "RATE", default_value_t = 0.0001)]
    rate: f32,
    /// Temperature of the probabilities that moves are drawn from.
    #[arg(long, value_name = "T", default_value_t = 1.0)]
    temperature: f32,
    /// Iterations between two copies for the pool of opponents.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pool_every: u64,
    /// Iterations between two trials against the policy that it began with.
    #[arg(long, value_name = "N", default_value_t = 50)]
    examine_every: u64,
    /// Games of a trial.
    #[arg(long, value_name = "N", default_value_t = 400)]
    examined: u64,
    /// Seconds between two checkpoints.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    checkpoint_every: u64,
    /// Games at a time per thread.
    #[arg(long, value_name = "N", default_value_t = 16)]
    together: usize,
    /// Threads.
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// Seed of everything random.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Komi that is thought to be fair.
pub(super) fn usual_komi(size: Size) -> f32 {
    if size.area() <= 81 { 7.0 } else { 7.5 }
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        ensure!(self.games > 0 && self.batch > 0, "an iteration has at least one game and one position");
        ensure!(
            self.pool_every > 0 && self.examine_every > 0,
            "copies and trials are at least one iteration apart"
        );
        ensure!(self.rate.is_finite() && self.rate > 0.0, "--rate must be above 0");
        ensure!(self.temperature.is_finite() && self.temperature > 0.0, "--temperature must be above 0");
        let plan = ReinforcePlan {
            play: PolicyPlay {
                size: self.size,
                rules: variant::rules(self.komi.unwrap_or_else(|| usual_komi(self.size))),
                temperature: self.temperature,
                seed: self.seed,
                threads: self.threads,
                together: self.together,
            },
            games: self.games,
            batch: self.batch,
            rate: self.rate,
            pool_every: self.pool_every,
            examine_every: self.examine_every,
            examined: self.examined,
        };
        let mut run = Reinforce::open(&self.out, plan, &tesuji_net::load(&self.from)?)?;
        let stop = progress::stop_flag()?;
        let started = Instant::now();
        let before = run.rows().len() as u64;
        let is_done = run.run(self.iterations, Duration::from_secs(self.checkpoint_every), &stop, |row| {
            self.report(row, started.elapsed().as_secs_f64() / (row.iteration - before) as f64);
        })?;
        self.draw(run.rows())?;
        if !is_done {
            progress::exit_interrupted();
        }
        match run.rows().iter().rev().find_map(|row| row.trial) {
            Some(trial) => say!("{}: {}", self.out.join("net.safetensors").display(), words(trial)),
            None => say!("{}", self.out.join("net.safetensors").display()),
        }
        Ok(())
    }

    fn report(&self, row: &ReinforceRow, seconds: f64) {
        let ReinforceRow { iteration, opponent, points, moves, gradient, trial } = *row;
        let left = (self.iterations - iteration) as f64 * seconds / 60.0;
        let trial = trial.map_or_else(String::new, |trial| format!("  against the first: {}", words(trial)));
        eprintln!(
            "iteration {iteration}/{}  against {opponent}: {:.1} %  {moves:.0} moves  gradient {gradient:.2}  {left:.0} min left{trial}",
            self.iterations,
            100.0 * points
        );
    }

    fn draw(&self, rows: &[ReinforceRow]) -> anyhow::Result<()> {
        let marks = rows.iter().filter_map(|row| {
            let rate = tally(row.trial?).rate()?;
            Some(Mark::sure(row.iteration as f64, 100.0 * rate))
        });
        let series = vec![Series::new("against the first policy", 0, marks.collect())];
        let plot = Plot::new(
            "curve",
            "reinforcement",
            Axis::linear("iterations"),
            Axis::linear("points, %"),
            series,
        );
        let path = self.out.join("curve.svg");
        write_file(&path, &plot.to_svg("tesuji train rl")).with_context(|| path.display().to_string())
    }
}

fn tally([wins, draws, losses]: [u64; 3]) -> Tally {
    Tally { wins, draws, losses }
}

/// A trial with its interval.
fn words(trial: [u64; 3]) -> String {
    let tally = tally(trial);
    let interval = tally.interval();
    format!(
        "{:.1} % of {} games ({:.1}–{:.1})",
        100.0 * tally.rate().unwrap_or(f64::NAN),
        tally.games(),
        100.0 * interval.low,
        100.0 * interval.high
    )
}
