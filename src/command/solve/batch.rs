//! Many problems: which of them are solved, and what is said about them.

use anyhow::ensure;
use tesuji_lab::job::Session;
use tesuji_lab::solve_batch::{SolveBatch, SolveFinding, SolveSummary};
use tesuji_solve::{Judgement, MAX_CANDIDATES, ReadError, Record};

use super::Options;
use crate::argument::solver;
use crate::command::run;
use crate::say::say;

impl Options {
    pub(super) fn run_batch(&self, problems: &[Result<Record, ReadError>]) -> anyhow::Result<()> {
        let mut summary = SolveSummary::default();
        let records = self.select(problems, &mut summary);
        ensure!(!records.is_empty(), "no problem can be used, and {} cannot", summary.unusable());
        // Refuses a memory that cannot be had before anything is solved.
        drop(solver(self.memory, self.threads)?);
        let work = SolveBatch {
            patience: self.patience(),
            table_bytes: (self.memory << 20) / self.threads,
            is_advised: self.ask_network,
            shows_lines: self.list,
        };
        let terms = work.terms();
        let jobs = SolveBatch::jobs(records.iter().copied());
        let mut run = self.run.prepare_fleeting(self.threads)?;
        let bar = run.bar(jobs.len());
        let findings = run::complete(&mut Session::begin(run.venue(), work, terms)?, &jobs, &bar)?;
        let mut solved: Vec<(&Record, SolveFinding)> = records.into_iter().zip(findings).collect();
        solved.sort_by(|(a, _), (b, _)| a.id.cmp(&b.id));
        solved.iter().for_each(|(record, finding)| summary.add(record, finding));
        if self.list {
            solved.iter().for_each(|(record, finding)| tell(record, finding));
        }
        say!("{}", summary.table());
        if let Some(path) = &self.json {
            let lines = solved.iter().map(|(_, finding)| finding.line.clone() + "\n");
            super::write(path, &lines.collect::<String>())?;
        }
        Ok(())
    }

    /// The problems that qualify; the others are counted if they are none.
    fn select<'a>(
        &self,
        problems: &'a [Result<Record, ReadError>],
        summary: &mut SolveSummary,
    ) -> Vec<&'a Record> {
        let mut chosen = Vec::new();
        for read in problems.iter().step_by(self.every) {
            let record = match read {
                Ok(record) => record,
                Err(error) => {
                    self.tell_unusable("?", error);
                    summary.add_unreadable();
                    continue;
                }
            };
            let has_category = self.category.as_ref().is_none_or(|category| record.category == *category);
            if !has_category || (self.with_goal && record.draft.goal.is_none()) {
                continue;
            }
            match record.draft.clone().candidates(MAX_CANDIDATES) {
                Ok(candidates) => {
                    let first = candidates.first();
                    let empty_points = first.map_or(0, |completed| completed.problem.empty_points());
                    if self.max_empty.is_none_or(|most| empty_points <= most) {
                        chosen.push(record);
                    }
                }
                Err(error) => {
                    self.tell_unusable(&record.id, &error);
                    summary.add_unusable(record);
                }
            }
        }
        chosen.truncate(self.limit.unwrap_or(usize::MAX));
        chosen
    }

    fn tell_unusable(&self, id: &str, error: &dyn std::fmt::Display) {
        if self.list {
            say!("unusable: {id}: {error}");
        }
    }
}

/// Shows a contradiction with a proof line against the author's move, or an undecided problem.
fn tell(record: &Record, finding: &SolveFinding) {
    match finding.judgement {
        Judgement::Agrees | Judgement::NoAnswer => {}
        Judgement::Undecided => say!("undecided: {}: {} empty points", record.id, finding.empty_points),
        Judgement::Contradicts => {
            for (number, line) in finding.contradiction.iter().enumerate() {
                match number {
                    0 => say!("contradiction: {}: {line}", record.id),
                    _ => say!("{line}"),
                }
            }
        }
    }
}
