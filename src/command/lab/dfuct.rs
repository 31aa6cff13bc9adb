//! `tesuji lab dfuct`: what depth-first walks through the tree save, and what they miss.

use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};
use tesuji_lab::dfuct::{Dfuct, HEADING, Rule, Sample, write};
use tesuji_lab::next_move::{Problem, ProblemFile};
use tesuji_lab::suite::shuffle;

use super::experiment;

#[derive(Args)]
pub(crate) struct Options {
    #[command(flatten)]
    experiment: experiment::Options,
    /// How moves are chosen within the tree; the paper's is ucb1.
    #[arg(long, value_enum, default_value_t = RuleName::Ucb1)]
    rule: RuleName,
    /// A file of next-move problems, JSON lines, plain or compressed with zstd; by default those of the program itself. May be repeated.
    #[arg(long, value_name = "FILE")]
    suite: Vec<PathBuf>,
    /// Only problems on boards of this size; may be repeated.
    #[arg(long, value_name = "SIDE")]
    size: Vec<usize>,
    /// Problems of each board size, drawn by the seed; by default all, or two with --quick.
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Numbers of simulations to look at; by default 100,000 to 700,000, or a twentieth of that with --quick.
    #[arg(long, value_name = "N", value_delimiter = ',')]
    playouts: Vec<u64>,
    /// Problems of each board size that are also searched with heavy playouts; by default 5, or 1 with --quick.
    #[arg(long, value_name = "N")]
    heavy: Option<usize>,
    /// Problems of each board size on which what DFUCT misses is counted; by default 10, or 1 with --quick.
    #[arg(long, value_name = "N")]
    audited: Option<usize>,
    /// Megabytes for each of the three trees of a problem.
    #[arg(long, value_name = "MB", default_value_t = 3000)]
    memory: usize,
    /// Sets a parameter of the search, such as ucb-exploration; may be repeated.
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum RuleName {
    Ucb1,
    Rave,
}

impl From<RuleName> for Rule {
    fn from(name: RuleName) -> Rule {
        match name {
            RuleName::Ucb1 => Rule::Ucb1,
            RuleName::Rave => Rule::Rave,
        }
    }
}

/// The problems of our own making.
const OWN_SUITE: &str = include_str!("../../../tests/next_move/own.jsonl");

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let (work, sample) = self.plan()?;
        let mut experiment = self.experiment.begin("dfuct")?;
        let jobs = work.jobs(&sample);
        let terms = work.terms();
        let results = experiment.complete(work, terms, &jobs)?;
        let mut report = experiment.report(&HEADING);
        write(&mut report, &jobs, &results);
        experiment.finish(&report)
    }

    fn plan(&self) -> anyhow::Result<(Dfuct, Sample)> {
        let quick = self.experiment.quick;
        let step = if quick { 5_000 } else { 100_000 };
        let milestones = if self.playouts.is_empty() {
            (1..=7).map(|i| i * step).collect()
        } else {
            self.playouts.clone()
        };
        ensure!(
            milestones.first() != Some(&0) && milestones.is_sorted_by(|a, b| a < b),
            "--playouts must rise from above 0"
        );
        ensure!((1..=1 << 20).contains(&self.memory), "--memory must be 1 to 1048576 MB");
        if let Some(pair) = self.set.iter().find(|pair| !pair.contains('=')) {
            bail!("--set {pair}: expected name=value");
        }
        let work = Dfuct {
            rule: self.rule.into(),
            milestones,
            settings: self.set.clone(),
            memory: self.memory,
            seed: self.experiment.seed,
        };
        work.parameters().context("--set")?;
        let by_default =
            |chosen: Option<usize>, full, small| chosen.unwrap_or(if quick { small } else { full });
        let sample = Sample {
            problems: self.problems(by_default(self.sample, usize::MAX, 2))?,
            heavy: by_default(self.heavy, 5, 1),
            audited: by_default(self.audited, 10, 1),
        };
        Ok((work, sample))
    }

    /// At most `most` problems of each board size.
    fn problems(&self, most: usize) -> anyhow::Result<Vec<Problem>> {
        let mut files = Vec::new();
        for path in &self.suite {
            files.push(ProblemFile::read(path).with_context(|| format!("cannot read {}", path.display()))?);
        }
        if files.is_empty() {
            files.push(ProblemFile::parse(OWN_SUITE));
        }
        let mut problems = Vec::new();
        for file in files {
            file.unusable.iter().for_each(|line| eprintln!("unusable: {line}"));
            problems.extend(file.problems);
        }
        shuffle(&mut problems, self.experiment.seed);
        let mut chosen: Vec<Problem> = Vec::new();
        for problem in problems {
            let has_size = self.size.is_empty()
                || self.size.iter().any(|&side| [problem.size.width(), problem.size.height()] == [side; 2]);
            if has_size && chosen.iter().filter(|other| other.size == problem.size).count() < most {
                chosen.push(problem);
            }
        }
        ensure!(!chosen.is_empty(), "there is no problem to search");
        Ok(chosen)
    }
}
