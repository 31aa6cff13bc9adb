//! The experiment on DFUCT (Yoshimoto, Kishimoto, Kaneko, Yoshizoe 2008): what depth-first walks save, and what they miss.
//!
//! A [`Plan`] makes [`Trial`]s of next-move problems; every problem is searched by UCT, by the paper's DFUCT and by the exact one side by
//! side. [`report`] sets what came of them beside the figures of the paper in [`paper`].

mod paper;
mod report;
mod trial;

pub use paper::HEADING;
pub use report::write;
pub use trial::{Playouts, Rule, Snapshot, Trace, Trial, Way};

use tesuji_search::{ParameterError, Parameters};

use crate::experiment::Job;
use crate::next_move::Problem;
use crate::terms::Terms;

/// What is to be measured.
pub struct Plan {
    /// How moves are chosen within the tree.
    pub rule: Rule,
    /// The positions.
    pub problems: Vec<Problem>,
    /// Numbers of simulations to look at, in rising order.
    pub milestones: Vec<u64>,
    /// Problems of each board size that are also searched with heavy playouts, up to the first milestone.
    pub heavy: usize,
    /// Problems of each board size on which the paper's DFUCT is audited.
    pub audited: usize,
    /// The numbers of the searches.
    pub parameters: Parameters,
    /// Megabytes for each tree.
    pub memory: usize,
    /// Determines all playouts.
    pub seed: u64,
}

impl Plan {
    /// The paper's way to search: nodes get children from their second visit on, a playout goes on to its end and is won or lost. RAVE
    /// gives nodes children when it does in the engine.
    pub fn paper_parameters(rule: Rule) -> Result<Parameters, ParameterError> {
        let mut parameters =
            Parameters::with(&[("rule", rule.name()), ("score-bonus", "0"), ("mercy", "1")])?;
        if rule == Rule::Ucb1 {
            parameters.expand_after = 1;
        }
        Ok(parameters)
    }

    /// What results depend on besides their jobs.
    pub fn terms(&self) -> Terms {
        let parameters: Terms =
            self.parameters.used().map(|(name, value)| (name.to_owned(), value.into())).collect();
        Terms::from_iter([
            ("rule".to_owned(), self.rule.name().into()),
            ("milestones".to_owned(), self.milestones.clone().into()),
            ("memory".to_owned(), self.memory.into()),
            ("parameters".to_owned(), parameters.into()),
        ])
    }

    /// The trials. A problem's order of turns depends on its place, so that no way is always the first.
    pub fn jobs(&self) -> Vec<Job<Trial>> {
        let timed: &[Way] = match self.rule {
            Rule::Ucb1 => &[Way::Uct, Way::Plain, Way::Exact],
            Rule::Rave => &[Way::Uct, Way::Plain],
        };
        let mut jobs = Vec::new();
        let mut earlier: Vec<usize> = Vec::new();
        for (index, problem) in self.problems.iter().enumerate() {
            let of_size = earlier.iter().filter(|&&area| area == problem.size.area()).count();
            earlier.push(problem.size.area());
            let mut turns = timed.to_vec();
            turns.rotate_left(index % timed.len());
            let mut add = |kind: &str, playouts, ways: &[Way], milestones: &[u64]| {
                let task = Trial {
                    rule: self.rule,
                    problem: problem.clone(),
                    playouts,
                    ways: ways.to_vec(),
                    milestones: milestones.to_vec(),
                    parameters: self.parameters.clone(),
                    tree_bytes: self.memory << 20,
                    seed: self.seed,
                };
                jobs.push(Job { key: format!("{kind} {}", problem.id), task });
            };
            add("light", Playouts::Light, &turns, &self.milestones);
            if of_size < self.audited && self.rule == Rule::Ucb1 {
                add("audit", Playouts::Light, &[Way::Audited], &self.milestones);
            }
            if of_size < self.heavy {
                let first = self.milestones.len().min(1);
                add("heavy", Playouts::Heavy, &turns, &self.milestones[..first]);
            }
        }
        jobs
    }
}
