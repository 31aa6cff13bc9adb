//! The jobs of the experiment: proofs of problems, and searches of those that have a right answer.

use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use tesuji_solve::{Problem, Record, Solver, read_json_line};

use super::Finding;
use super::trial::{Exercise, Hardness, Proof};
use super::variant::VARIANTS;
use crate::job::{JobError, Work};
use crate::terms::Terms;

/// How problems are proved and searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tsumego {
    /// Most nodes of the prover per problem.
    pub nodes: u64,
    /// The first seed of the searches.
    pub first_seed: u64,
    /// Searches per problem and rule.
    pub seeds: u64,
    /// Most playouts that plain UCT may need, so that a problem is not too hard.
    pub playouts: u64,
}

/// What one job does with a problem, which is a JSON line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TsumegoTask {
    /// Proves it.
    Prove {
        /// The problem.
        problem: String,
    },
    /// Searches it with one rule.
    Measure {
        /// The problem.
        problem: String,
        /// What was proved about it.
        proof: Proof,
        /// The rule, by its name among [`VARIANTS`].
        variant: String,
    },
}

/// What a thread keeps.
pub struct Tools {
    /// The prover; its table is allocated when it is needed.
    solver: Option<Solver>,
    /// How hard the last problem is: all rules get the same limit, which is found once, with seeds of its own.
    known: Option<(String, Hardness)>,
}

/// Bytes for the table of a prover.
const TABLE_BYTES: usize = 64 << 20;

impl Tsumego {
    /// What findings depend on besides their tasks.
    pub fn terms(&self) -> Terms {
        Terms::from_iter([
            ("seed".to_owned(), self.first_seed.into()),
            ("seeds".to_owned(), self.seeds.into()),
            ("playouts".to_owned(), self.playouts.into()),
            ("nodes".to_owned(), self.nodes.into()),
        ])
    }
}

impl Work for Tsumego {
    const KIND: &'static str = "tsumego";
    type Task = TsumegoTask;
    type Finding = Finding;
    type Tools = Tools;

    fn tools(&self) -> Result<Tools, JobError> {
        Ok(Tools { solver: None, known: None })
    }

    fn work(&self, tools: &mut Tools, task: &TsumegoTask, stop: &AtomicBool) -> Result<Finding, JobError> {
        match task {
            TsumegoTask::Prove { problem } => {
                let (record, problem) = read(problem)?;
                let solver = tools.solver.get_or_insert_with(|| Solver::new(TABLE_BYTES));
                let proof = Proof::find(solver, &record, &problem, self.nodes, stop);
                proof.map(Finding::Proof).ok_or(JobError::Interrupted)
            }
            TsumegoTask::Measure { problem: line, proof, variant } => {
                let known = VARIANTS.iter().find(|known| known.name == variant);
                let variant =
                    known.ok_or_else(|| JobError::Refused(format!("there is no rule '{variant}'")))?;
                let (_, problem) = read(line)?;
                let exercise = Exercise::new(problem, proof)
                    .ok_or_else(|| JobError::Refused("the problem has no wrong first move".to_owned()))?;
                let seeds = self.first_seed..self.first_seed.saturating_add(self.seeds);
                let hardness = match &tools.known {
                    Some((of, hardness)) if of == line => *hardness,
                    _ => exercise.hardness(seeds.end, self.playouts, stop).ok_or(JobError::Interrupted)?,
                };
                tools.known = Some((line.clone(), hardness));
                match hardness {
                    Hardness::Within(limit) => {
                        let curve = exercise.measure(variant.rule, seeds, limit, stop);
                        curve.map(Finding::Curve).ok_or(JobError::Interrupted)
                    }
                    Hardness::Trivial => Ok(Finding::Trivial),
                    Hardness::Beyond => Ok(Finding::TooHard),
                }
            }
        }
    }
}

fn read(line: &str) -> Result<(Record, Problem), JobError> {
    let record = read_json_line(line).map_err(|error| JobError::Refused(error.to_string()))?;
    let completed = record.draft.clone().complete().map_err(|error| JobError::Refused(error.to_string()))?;
    Ok((record, completed.problem))
}
