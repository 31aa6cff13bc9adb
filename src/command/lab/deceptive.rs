//! `tesuji lab deceptive`: how much of a search deceptive moves get, with proxy nodes and without.

use std::sync::Arc;

use anyhow::{Context, ensure};
use clap::Args;
use tesuji_lab::deceptive::{HEADING, Plan, Puzzle, READINGS, Reading, TREES, Trial, puzzles, write};
use tesuji_search::Parameters;
use tesuji_search::recipe::PlayoutChoice;

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

/// The problems of our own making, proved by the solver.
const OWN_PROBLEMS: &str = include_str!("../../../tests/tsumego/own.jsonl");

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let plan = self.plan()?;
        let experiment = self.experiment.begin("deceptive", plan.terms())?;
        let jobs = plan.jobs();
        let stop = &experiment.stop;
        let results = experiment.run(&jobs, || |trial: &Trial| trial.run(stop))?;
        let mut report = experiment.report(&HEADING);
        write(&mut report, &jobs, &results);
        experiment.finish(&report)
    }

    fn plan(&self) -> anyhow::Result<Plan> {
        let quick = self.experiment.quick;
        ensure!(
            self.playouts.first() != Some(&0) && self.playouts.is_sorted_by(|a, b| a < b),
            "--playouts must rise from above 0"
        );
        let seeds = self.seeds.unwrap_or(if quick { 4 } else { 40 });
        ensure!(seeds > 0, "--seeds must be at least 1");
        let mut base = Parameters { playout: PlayoutChoice::Light, ..Parameters::default() };
        // As in the paper: a node has children as soon as it is visited again, and playouts are won or lost.
        for (name, value) in
            [("ucb-exploration", self.exploration.as_str()), ("expand-after", "1"), ("score-bonus", "0")]
        {
            base.set(name, value)?;
        }
        let built_in = READINGS.iter().map(|&(name, changes)| Reading::new(name, &base, changes));
        let others = self.reading.iter().map(|changes| Reading::new(changes, &base, Some(changes)));
        let readings = built_in.chain(others).collect::<Result<_, _>>().context("--reading")?;
        let positions = self.positions.unwrap_or(if quick { 3 } else { 24 });
        let puzzles: Vec<Arc<Puzzle>> = match positions {
            0 => Vec::new(),
            _ => puzzles(OWN_PROBLEMS)?.into_iter().take(positions).map(Arc::new).collect(),
        };
        ensure!(puzzles.len() == positions, "--positions: there are only {}", puzzles.len());
        Ok(Plan {
            readings,
            trees: TREES.to_vec(),
            puzzles,
            milestones: self.playouts.clone(),
            seeds,
            first_seed: self.experiment.seed,
        })
    }
}
