//! `tesuji bench store`: what a server for shared jobs can bear.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::ensure;
use clap::Args;
use tesuji_lab::job::{Drill, JobStore};
use tesuji_lab::stopwatch::process_seconds;

use crate::command::store;
use crate::say::say;

#[derive(Args)]
pub(crate) struct Options {
    #[command(flatten)]
    store: store::Options,
    /// Workers that only pretend, each with a connection of its own.
    #[arg(long, default_value_t = 16)]
    workers: usize,
    /// Jobs in all.
    #[arg(long, default_value_t = 5000)]
    jobs: usize,
    /// Seconds that a job takes; the worker sleeps meanwhile.
    #[arg(long, default_value_t = 0.0)]
    seconds: f64,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        ensure!(self.workers > 0 && self.jobs > 0, "--workers and --jobs must be at least 1");
        ensure!((0.0..=1e4).contains(&self.seconds), "--seconds must be between 0 and 10000");
        // A new run each time: jobs that are done cannot be done again.
        let seed = SystemTime::now().duration_since(UNIX_EPOCH)?.as_nanos() as u64;
        let duration = Duration::from_secs_f64(self.seconds);
        let drill = Drill { workers: self.workers, jobs: self.jobs, duration, seed };
        let place = self.store.place()?;
        let cpu = process_seconds();
        let report = drill.run(&|| tesuji_postgres::PostgresStore::open(place.clone()))?;
        let cpu = process_seconds() - cpu;
        let mut store = self.store.open()?;
        let missing: u64 = store
            .runs()?
            .iter()
            .filter(|run| run.spec.terms["seed"] == seed)
            .map(|run| run.counts.failed + run.counts.left())
            .sum();
        let rate = report.done as f64 / report.seconds;
        say!(
            "workers {} jobs {} seconds-each {} done {} not-done {missing} seconds {:.2} jobs/s {rate:.1} connecting-s {:.2}",
            self.workers,
            self.jobs,
            self.seconds,
            report.done,
            report.seconds,
            report.connecting
        );
        say!("claim    ms {}", quantiles(&report.claims));
        say!("complete ms {}", quantiles(&report.settlements));
        say!(
            "calls: renewals {} claims-in-vain {} repeated {}; client cpu-ms/job {:.3}",
            report.renewals,
            report.in_vain,
            report.repeated,
            1e3 * cpu / report.done.max(1) as f64
        );
        if self.seconds > 0.0 {
            // Completions happen while the next job is done.
            let waiting = report.claims.iter().sum::<f64>() / report.done.max(1) as f64;
            say!(
                "a worker waits {:.2} ms for a job, {:.3} % of the work",
                1e3 * waiting,
                100.0 * waiting / self.seconds
            );
        }
        Ok(())
    }
}

/// Median, 99 % and maximum of ascending seconds, in milliseconds.
fn quantiles(sorted: &[f64]) -> String {
    let at = |part: f64| {
        let index = ((sorted.len() as f64 * part) as usize).min(sorted.len().saturating_sub(1));
        sorted.get(index).map_or(0.0, |seconds| 1e3 * seconds)
    };
    format!("median {:.2} p99 {:.2} max {:.2}", at(0.5), at(0.99), at(1.0))
}
