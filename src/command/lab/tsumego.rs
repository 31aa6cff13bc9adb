//! `tesuji lab tsumego`: how many playouts UCT needs for life-and-death problems, with and without proof probability, and what the prover makes of them.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, ensure};
use clap::Args;
use tesuji_lab::experiment::Job;
use tesuji_lab::suite::shuffle;
use tesuji_lab::terms::Terms;
use tesuji_lab::tsumego::{
    Curve, Exercise, Finding, Hardness, LeftOut, Measured, Proof, Proved, VARIANTS, Variant, add_comparison,
    add_provers_table,
};
use tesuji_solve::{Problem, ReadError, Record, Solver, read_problems};

use super::experiment::{self, Experiment};
use crate::argument::source_name;

/// Problems that are part of the program, so that the experiment works anywhere.
const OWN_PROBLEMS: &str = include_str!("../../../tests/tsumego/own.jsonl");

/// Bytes for the table of a prover.
const TABLE_BYTES: usize = 64 << 20;

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

/// A problem as it was found in a file.
struct Entry {
    collection: String,
    /// Unique among all.
    name: String,
    rank: String,
    /// The problem and what its author says; nothing if it cannot be used.
    content: Option<(Record, Problem)>,
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
        let unusable = entries.iter().filter(|entry| entry.content.is_none()).count();
        ensure!(unusable < entries.len(), "there is no such problem that can be used, and {unusable} cannot");
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        let terms = Terms::from_iter([
            ("seeds".to_owned(), seeds.into()),
            ("playouts".to_owned(), playouts.into()),
            ("nodes".to_owned(), self.nodes.into()),
        ]);
        let experiment = self.experiment.begin("tsumego", terms)?;
        let proved = self.prove(&experiment, &entries)?;
        // Experiments with other seeds share no search.
        let first = self.experiment.seed.wrapping_shl(32);
        let (measured, left_out) =
            measure(&experiment, &entries, &proved, first..first.saturating_add(seeds), playouts)?;
        let mut report = experiment.report("Proof probability in UCT for life and death");
        add_comparison(&mut report, &measured, left_out, self.experiment.seed);
        add_provers_table(&mut report, &proved);
        experiment.finish(&report)
    }

    fn entries(&self) -> anyhow::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        let mut add = |collection: &str, problems: Vec<Result<Record, ReadError>>| {
            for (at, record) in problems.into_iter().enumerate() {
                entries.extend(self.entry(collection, at + 1, record));
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

    /// An entry, if the options want it.
    fn entry(&self, collection: &str, number: usize, record: Result<Record, ReadError>) -> Option<Entry> {
        let collection = collection.to_owned();
        let Ok(record) = record else {
            let name = format!("{collection} {number:05}");
            return Some(Entry { collection, name, rank: String::new(), content: None });
        };
        if self.category.as_ref().is_some_and(|category| record.category != *category) {
            return None;
        }
        let name = format!("{collection} {number:05} {}", record.id);
        let rank = if record.rank.is_empty() { record.category.clone() } else { record.rank.clone() };
        let problem = record.draft.clone().complete().ok().map(|completed| completed.problem);
        let is_small = |problem: &Problem| self.max_empty.is_none_or(|most| problem.empty_points() <= most);
        if problem.as_ref().is_some_and(|problem| !is_small(problem)) {
            return None;
        }
        Some(Entry { collection, name, rank, content: problem.map(|problem| (record, problem)) })
    }

    fn prove(&self, experiment: &Experiment, entries: &[Entry]) -> anyhow::Result<Vec<Proved>> {
        let usable = entries.iter().filter_map(|entry| Some((entry, entry.content.as_ref()?)));
        let jobs: Vec<Job<&(Record, Problem)>> = usable
            .map(|(entry, content)| Job { key: format!("proof {}", entry.name), task: content })
            .collect();
        let (nodes, stop): (u64, &AtomicBool) = (self.nodes, &experiment.stop);
        let worker = || {
            let mut solver = Solver::new(TABLE_BYTES);
            move |&(record, problem): &&(Record, Problem)| {
                Proof::find(&mut solver, record, problem, nodes, stop).map(Finding::Proof)
            }
        };
        let mut findings = experiment.run(&jobs, worker)?.into_iter();
        let proved = entries.iter().map(|entry| {
            let finding = entry.content.as_ref().and_then(|_| findings.next());
            let proof = finding.and_then(|finding| match finding {
                Finding::Proof(proof) => Some(proof),
                Finding::Curve(_) | Finding::Trivial | Finding::TooHard => None,
            });
            Proved { collection: entry.collection.clone(), rank: entry.rank.clone(), proof }
        });
        Ok(proved.collect())
    }
}

/// Searches all problems that have right and wrong first moves, with every rule; also how many turned out too easy or too hard.
fn measure(
    experiment: &Experiment,
    entries: &[Entry],
    proved: &[Proved],
    seeds: Range<u64>,
    playouts: u64,
) -> anyhow::Result<(Vec<Measured>, LeftOut)> {
    let exercises: Vec<(&Entry, Exercise)> = entries
        .iter()
        .zip(proved)
        .filter_map(|(entry, proved)| {
            let (_, problem) = entry.content.as_ref()?;
            Some((entry, Exercise::new(problem.clone(), proved.proof.as_ref()?)?))
        })
        .collect();
    let mut jobs = Vec::new();
    for (at, (entry, _)) in exercises.iter().enumerate() {
        for variant in &VARIANTS {
            jobs.push(Job { key: format!("{}: {}", variant.name, entry.name), task: (at, variant) });
        }
    }
    let stop: &AtomicBool = &experiment.stop;
    let worker = || {
        // All rules get the limit of their problem, which is found once, with seeds of its own.
        let mut known = None;
        let (exercises, seeds) = (&exercises, &seeds);
        move |&(at, variant): &(usize, &Variant)| {
            let exercise = &exercises[at].1;
            let hardness = match known {
                Some((of, hardness)) if of == at => hardness,
                _ => exercise.hardness(seeds.end, playouts, stop)?,
            };
            known = Some((at, hardness));
            match hardness {
                Hardness::Within(limit) => {
                    exercise.measure(variant.rule, seeds.clone(), limit, stop).map(Finding::Curve)
                }
                Hardness::Trivial => Some(Finding::Trivial),
                Hardness::Beyond => Some(Finding::TooHard),
            }
        }
    };
    let findings: Vec<Finding> = experiment.run(&jobs, worker)?;
    let curve = |finding: &Finding| match finding {
        Finding::Curve(curve) => Some(curve.clone()),
        Finding::Proof(_) | Finding::Trivial | Finding::TooHard => None,
    };
    let rows = exercises.iter().zip(findings.chunks(VARIANTS.len()));
    let measured = rows.filter_map(|((entry, exercise), findings)| {
        Some(Measured {
            name: entry.name.clone(),
            kind: entry.rank.clone(),
            empty_points: exercise.problem.empty_points(),
            curves: findings.iter().map(curve).collect::<Option<Vec<Curve>>>()?,
        })
    });
    let measured: Vec<Measured> = measured.collect();
    let count =
        |wanted| findings.iter().step_by(VARIANTS.len()).filter(|&finding| *finding == wanted).count();
    Ok((measured, LeftOut { trivial: count(Finding::Trivial), too_hard: count(Finding::TooHard) }))
}
