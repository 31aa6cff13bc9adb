//! `tesuji lab deceptive`: how much of a search deceptive moves get, with proxy nodes and without.

use anyhow::{Context, ensure};
use clap::Args;
use tesuji_lab::deceptive::{Deceptive, HEADING, write};

use super::experiment;

#[derive(Args)]
pub(crate) struct Options {
    #[command(flatten)]
    experiment: experiment::Options,
    /// Numbers of simulations to look at.
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [500, 1000, 2000, 4000, 8000, 16_000])]
    playouts: Vec<u64>,
    /// Seeds of each tree and position; by default 40, or 4 with --quick.
    #[arg(long, value_name = "N")]
    seeds: Option<u64>,
    /// Go positions; by default 24, or 3 with --quick.
    #[arg(long, value_name = "N")]
    positions: Option<usize>,
    /// Factor of UCB1's exploration term, C in the paper.
    #[arg(long, value_name = "C", default_value = "0.5")]
    exploration: String,
    /// Another reading of the paper to try: parameters such as proxy-bonus=1,proxy-mean=following; may be repeated.
    #[arg(long, value_name = "NAME=VALUE,…")]
    reading: Vec<String>,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let quick = self.experiment.quick;
        ensure!(
            self.playouts.first() != Some(&0) && self.playouts.is_sorted_by(|a, b| a < b),
            "--playouts must rise from above 0"
        );
        let seeds = self.seeds.unwrap_or(if quick { 4 } else { 40 });
        ensure!(seeds > 0, "--seeds must be at least 1");
        let work = Deceptive::new(&self.exploration, &self.reading, self.playouts.clone());
        work.readings().context("--exploration or --reading")?;
        let positions = self.positions.unwrap_or(if quick { 3 } else { 24 });
        let puzzles = if positions > 0 { work.puzzles()? } else { &[] };
        ensure!(puzzles.len() >= positions, "--positions: there are only {}", puzzles.len());
        let first = self.experiment.seed;
        let jobs = work.jobs(&puzzles[..positions], first..first.saturating_add(seeds));
        let mut experiment = self.experiment.begin("deceptive")?;
        let terms = work.terms();
        let results = experiment.complete(work, terms, &jobs)?;
        let mut report = experiment.report(&HEADING);
        write(&mut report, &jobs, &results);
        experiment.finish(&report)
    }
}
