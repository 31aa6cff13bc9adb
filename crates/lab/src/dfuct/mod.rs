//! The experiment on DFUCT (Yoshimoto, Kishimoto, Kaneko, Yoshizoe 2008): what depth-first walks save, and what they miss.
//!
//! [`Dfuct`] is the work: each job searches a next-move problem by UCT, by the paper's DFUCT and by the exact one side by side, which is
//! a [`Trial`]. [`Sample`] chooses the jobs. [`write`] sets what came of them beside the figures of the paper.

mod paper;
mod report;
mod trial;

pub use paper::HEADING;
pub use report::write;
pub use trial::{Playouts, Rule, Snapshot, Trace, Trial, Way};

use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use tesuji_search::{ParameterError, Parameters};

use crate::job::{Job, JobError, Work};
use crate::next_move::Problem;
use crate::terms::Terms;

/// How problems are searched.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Dfuct {
    /// How moves are chosen within the tree.
    pub rule: Rule,
    /// Numbers of simulations to look at, in rising order.
    pub milestones: Vec<u64>,
    /// Parameters of the search other than the paper's, as `name=value`.
    pub settings: Vec<String>,
    /// Megabytes for each tree.
    pub memory: usize,
    /// Determines all playouts.
    pub seed: u64,
}

/// One problem, and how it is searched.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TrialTask {
    /// The position.
    pub problem: Problem,
    /// What judges leaves.
    pub playouts: Playouts,
    /// The ways, in the order of their turns.
    pub ways: Vec<Way>,
    /// How many of the milestones are reached.
    pub milestones: usize,
}

/// Which problems are searched in which ways.
pub struct Sample {
    /// The positions.
    pub problems: Vec<Problem>,
    /// Problems of each board size that are also searched with heavy playouts, up to the first milestone.
    pub heavy: usize,
    /// Problems of each board size on which the paper's DFUCT is audited.
    pub audited: usize,
}

/// More memory than this for a tree is a mistake.
const MOST_MEMORY: usize = 1 << 20;

impl Dfuct {
    /// The paper's way to search: nodes get children from their second visit on, a playout goes on to its end and is won or lost. RAVE
    /// gives nodes children when it does in the engine.
    pub fn parameters(&self) -> Result<Parameters, ParameterError> {
        let mut parameters =
            Parameters::with(&[("rule", self.rule.name()), ("score-bonus", "0"), ("mercy", "1")])?;
        if self.rule == Rule::Ucb1 {
            parameters.expand_after = 1;
        }
        for pair in &self.settings {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            parameters.set(name.trim(), value.trim())?;
        }
        Ok(parameters)
    }

    /// What findings depend on besides their tasks.
    pub fn terms(&self) -> Terms {
        Terms::from_iter([
            ("rule".to_owned(), self.rule.name().into()),
            ("milestones".to_owned(), self.milestones.clone().into()),
            ("memory".to_owned(), self.memory.into()),
            ("parameters".to_owned(), self.settings.clone().into()),
            ("seed".to_owned(), self.seed.into()),
        ])
    }

    /// The jobs of a sample. A problem's order of turns depends on its place, so that no way is always the first.
    pub fn jobs(&self, sample: &Sample) -> Vec<Job<TrialTask>> {
        let timed: &[Way] = match self.rule {
            Rule::Ucb1 => &[Way::Uct, Way::Plain, Way::Exact],
            Rule::Rave => &[Way::Uct, Way::Plain],
        };
        let mut jobs = Vec::new();
        let mut earlier: Vec<usize> = Vec::new();
        for (index, problem) in sample.problems.iter().enumerate() {
            let of_size = earlier.iter().filter(|&&area| area == problem.size.area()).count();
            earlier.push(problem.size.area());
            let mut turns = timed.to_vec();
            turns.rotate_left(index % timed.len());
            let mut add = |kind: &str, playouts, ways: &[Way], milestones: usize| {
                let task = TrialTask { problem: problem.clone(), playouts, ways: ways.to_vec(), milestones };
                jobs.push(Job { key: format!("{kind} {}", problem.id), task });
            };
            let all = self.milestones.len();
            add("light", Playouts::Light, &turns, all);
            if of_size < sample.audited && self.rule == Rule::Ucb1 {
                add("audit", Playouts::Light, &[Way::Audited], all);
            }
            if of_size < sample.heavy {
                add("heavy", Playouts::Heavy, &turns, all.min(1));
            }
        }
        jobs
    }
}

impl Work for Dfuct {
    const KIND: &'static str = "dfuct";
    type Task = TrialTask;
    type Finding = Vec<Trace>;
    type Tools = Parameters;

    fn tools(&self) -> Result<Parameters, JobError> {
        if !(1..=MOST_MEMORY).contains(&self.memory) {
            return Err(JobError::Refused(format!("trees of {} MB", self.memory)));
        }
        self.parameters().map_err(|error| JobError::Refused(error.to_string()))
    }

    fn work(
        &self,
        parameters: &mut Parameters,
        task: &TrialTask,
        stop: &AtomicBool,
    ) -> Result<Vec<Trace>, JobError> {
        let trial = Trial {
            rule: self.rule,
            problem: task.problem.clone(),
            playouts: task.playouts,
            ways: task.ways.clone(),
            milestones: self.milestones.iter().take(task.milestones).copied().collect(),
            parameters: parameters.clone(),
            tree_bytes: self.memory << 20,
            seed: self.seed,
        };
        trial.run(stop).ok_or(JobError::Interrupted)
    }
}
