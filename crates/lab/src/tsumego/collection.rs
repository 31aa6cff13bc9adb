//! From collections of problems to jobs, and from findings back to problems.

use tesuji_solve::{Problem, ReadError, Record};

use super::Finding;
use super::curve::Curve;
use super::outcome::{LeftOut, Measured, Proved};
use super::trial::{Exercise, Proof};
use super::variant::VARIANTS;
use super::work::TsumegoTask;
use crate::job::Job;
use crate::problem_line::write_record_line;

/// A problem as it was found in a file.
pub struct Entry {
    /// The collection that it comes from.
    pub collection: String,
    /// Unique among all.
    pub name: String,
    /// How hard it is said to be, or what it is about.
    pub rank: String,
    /// The problem and what its author says; nothing if it cannot be used.
    content: Option<(Record, Problem)>,
}

impl Entry {
    /// Whether it is a problem that can be solved and compared.
    pub fn is_usable(&self) -> bool {
        self.content.is_some()
    }
}

/// Which problems are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Only those of this category.
    pub category: Option<String>,
    /// Only regions with at most so many empty points.
    pub max_empty: Option<usize>,
}

impl Entry {
    /// An entry of a collection, by its number there, if the selection wants it.
    pub fn new(
        collection: &str,
        number: usize,
        record: Result<Record, ReadError>,
        selection: &Selection,
    ) -> Option<Entry> {
        let collection = collection.to_owned();
        let Ok(record) = record else {
            let name = format!("{collection} {number:05}");
            return Some(Entry { collection, name, rank: String::new(), content: None });
        };
        if selection.category.as_ref().is_some_and(|category| record.category != *category) {
            return None;
        }
        let name = format!("{collection} {number:05} {}", record.id);
        let rank = if record.rank.is_empty() { record.category.clone() } else { record.rank.clone() };
        let problem = record.draft.clone().complete().ok().map(|completed| completed.problem);
        let is_small =
            |problem: &Problem| selection.max_empty.is_none_or(|most| problem.empty_points() <= most);
        if problem.as_ref().is_some_and(|problem| !is_small(problem)) {
            return None;
        }
        Some(Entry { collection, name, rank, content: problem.map(|problem| (record, problem)) })
    }

    fn line(&self) -> Option<String> {
        self.content.as_ref().map(|(record, _)| write_record_line(record))
    }
}

/// A proof of every problem that can be used.
pub fn prove_jobs(entries: &[Entry]) -> Vec<Job<TsumegoTask>> {
    let job = |entry: &Entry| {
        Some(Job {
            key: format!("proof {}", entry.name),
            task: TsumegoTask::Prove { problem: entry.line()? },
        })
    };
    entries.iter().filter_map(job).collect()
}

/// The problems with their proofs, which are in the order of [`prove_jobs`].
pub fn proved(entries: &[Entry], findings: Vec<Finding>) -> Vec<Proved> {
    let mut findings = findings.into_iter();
    let proved = entries.iter().map(|entry| {
        let finding = entry.content.as_ref().and_then(|_| findings.next());
        let proof = finding.and_then(|finding| match finding {
            Finding::Proof(proof) => Some(proof),
            Finding::Curve(_) | Finding::Trivial | Finding::TooHard => None,
        });
        Proved { collection: entry.collection.clone(), rank: entry.rank.clone(), proof }
    });
    proved.collect()
}

/// The problems that have right and wrong first moves, with their proofs.
pub fn exercises<'a>(entries: &'a [Entry], proved: &'a [Proved]) -> Vec<(&'a Entry, &'a Proof)> {
    let pairs = entries.iter().zip(proved);
    let is_exercise = |(entry, proved): (&'a Entry, &'a Proved)| {
        let ((_, problem), proof) = (entry.content.as_ref()?, proved.proof.as_ref()?);
        Exercise::new(problem.clone(), proof).map(|_| (entry, proof))
    };
    pairs.filter_map(is_exercise).collect()
}

/// Searches of all exercises with every rule.
pub fn measure_jobs(exercises: &[(&Entry, &Proof)]) -> Vec<Job<TsumegoTask>> {
    let mut jobs = Vec::new();
    for (entry, proof) in exercises {
        let Some(problem) = entry.line() else { continue };
        for variant in &VARIANTS {
            let task = TsumegoTask::Measure {
                problem: problem.clone(),
                proof: Proof::clone(proof),
                variant: variant.name.to_owned(),
            };
            jobs.push(Job { key: format!("{}: {}", variant.name, entry.name), task });
        }
    }
    jobs
}

/// The exercises with their curves, from findings in the order of [`measure_jobs`]; also how many turned out too easy or too hard.
pub fn measured(exercises: &[(&Entry, &Proof)], findings: &[Finding]) -> (Vec<Measured>, LeftOut) {
    let curve = |finding: &Finding| match finding {
        Finding::Curve(curve) => Some(curve.clone()),
        Finding::Proof(_) | Finding::Trivial | Finding::TooHard => None,
    };
    let rows = exercises.iter().zip(findings.chunks(VARIANTS.len()));
    let measured = rows.filter_map(|((entry, _), findings)| {
        let (_, problem) = entry.content.as_ref()?;
        Some(Measured {
            name: entry.name.clone(),
            kind: entry.rank.clone(),
            empty_points: problem.empty_points(),
            curves: findings.iter().map(curve).collect::<Option<Vec<Curve>>>()?,
        })
    });
    let measured: Vec<Measured> = measured.collect();
    let count =
        |wanted| findings.iter().step_by(VARIANTS.len()).filter(|&finding| *finding == wanted).count();
    (measured, LeftOut { trivial: count(Finding::Trivial), too_hard: count(Finding::TooHard) })
}
