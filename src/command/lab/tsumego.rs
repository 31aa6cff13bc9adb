//! `tesuji lab tsumego`: how many playouts UCT needs for life-and-death problems, with and without proof probability, and what the prover makes of them.

use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Args;
use tesuji_lab::suite::shuffle;
use tesuji_lab::tsumego::{
    Entry, HEADING, Selection, Tsumego, add_comparison, add_provers_table, exercises, measure_jobs, measured,
    prove_jobs, proved,
};
use tesuji_solve::{ReadError, Record, read_problems};

use super::experiment;
use crate::argument::source_name;
use crate::command::run;

/// Problems that are part of the program, so that the experiment works anywhere.
const OWN_PROBLEMS: &str = include_str!("../../../tests/tsumego/own.jsonl");

#[derive(Args)]
pub(crate) struct Options {
    /// Problems: SGF, JSON lines (both also compressed with zstd) or text diagrams; without any, the program's own.
    files: Vec<PathBuf>,
    #[command(flatten)]
    experiment: experiment::Options,
    /// Searches per problem and rule: 200, or 40 with --quick.
    #[arg(long, value_name = "N")]
    seeds: Option<u64>,
    /// Most playouts that plain UCT may need, so that a problem is not too hard: 4096, or 512 with --quick.
    #[arg(long, value_name = "N")]
    playouts: Option<u64>,
    /// Most nodes of the prover per problem.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    nodes: u64,
    /// Only so many problems, drawn from all.
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Only problems of this category.
    #[arg(long)]
    category: Option<String>,
    /// Only regions with at most N empty points.
    #[arg(long, value_name = "N")]
    max_empty: Option<usize>,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let quick = self.experiment.quick;
        let seeds = self.seeds.unwrap_or(if quick { 40 } else { 200 });
        let playouts = self.playouts.unwrap_or(if quick { 512 } else { 4096 });
        ensure!(seeds > 0 && playouts > 0, "--seeds and --playouts must be at least 1");
        let mut entries = self.entries()?;
        shuffle(&mut entries, self.experiment.seed);
        entries.truncate(self.sample.unwrap_or(usize::MAX));
        let unusable = entries.iter().filter(|entry| !entry.is_usable()).count();
        ensure!(unusable < entries.len(), "there is no such problem that can be used, and {unusable} cannot");
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        // Experiments with other seeds share no search.
        let first_seed = self.experiment.seed.wrapping_shl(32);
        let work = Tsumego { nodes: self.nodes, first_seed, seeds, playouts };
        let terms = work.terms();
        let mut experiment = self.experiment.begin("tsumego")?;
        let (proofs, curves) = (experiment.bar(0), experiment.bar(0));
        let mut session = experiment.session(work, terms)?;
        let proved = proved(&entries, run::complete(&mut session, &prove_jobs(&entries), &proofs)?);
        let exercises = exercises(&entries, &proved);
        let findings = run::complete(&mut session, &measure_jobs(&exercises), &curves)?;
        let (measured, left_out) = measured(&exercises, &findings);
        drop(session);
        let mut report = experiment.report(&HEADING);
        add_comparison(&mut report, &measured, left_out, self.experiment.seed);
        add_provers_table(&mut report, &proved);
        experiment.finish(&report)
    }

    fn entries(&self) -> anyhow::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        let selection = Selection { category: self.category.clone(), max_empty: self.max_empty };
        let mut add = |collection: &str, problems: Vec<Result<Record, ReadError>>| {
            for (at, record) in problems.into_iter().enumerate() {
                entries.extend(Entry::new(collection, at + 1, record, &selection));
            }
        };
        for path in &self.files {
            let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            let problems = read_problems(&path.to_string_lossy(), &bytes)
                .with_context(|| format!("cannot read {}", path.display()))?;
            add(&source_name(path), problems);
        }
        if self.files.is_empty() {
            add("own", read_problems("own.jsonl", OWN_PROBLEMS.as_bytes())?);
        }
        Ok(entries)
    }
}
