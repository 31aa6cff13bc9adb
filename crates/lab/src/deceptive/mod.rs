//! The experiment on proxy nodes (Uchida, Asaka 2014): how much of a search do deceptive moves get?
//!
//! A [`Plan`] makes [`Trial`]s of synthetic trees and of Go positions whose answers were proved; in each, every [`Reading`] of the paper
//! searches from the same seed. Plain UCT is the reading to beat. [`write`] makes the report.

mod paper;
mod puzzle;
mod report;
mod trial;

pub use paper::HEADING;
pub use puzzle::{Puzzle, PuzzleError, puzzles};
pub use report::write;
pub use trial::{Course, Stand, Trial};

use std::sync::Arc;

use tesuji_search::recipe::WalkChoice;
use tesuji_search::synthetic::{Chain, Varied};
use tesuji_search::{ParameterError, Parameters};

use crate::experiment::Job;
use crate::terms::Terms;

/// What is to be searched.
pub struct Plan {
    /// How.
    pub readings: Vec<Reading>,
    /// The trees.
    pub trees: Vec<Tree>,
    /// The Go positions.
    pub puzzles: Vec<Arc<Puzzle>>,
    /// Numbers of simulations to look at, in rising order.
    pub milestones: Vec<u64>,
    /// Seeds of each tree and position.
    pub seeds: u64,
    /// The first seed.
    pub first_seed: u64,
}

/// A way to read the paper.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Its name.
    pub name: String,
    /// The numbers of the search.
    pub parameters: Parameters,
    /// Whether there are proxies at all.
    pub has_proxies: bool,
}

/// A synthetic tree by name.
#[derive(Clone, Copy, Debug)]
pub struct Tree {
    /// What it is called.
    pub name: &'static str,
    /// What it looks like.
    pub kind: TreeKind,
}

/// A kind of synthetic tree; the first candidate is the one to look at.
#[derive(Clone, Copy, Debug)]
pub enum TreeKind {
    /// Traps.
    Chain(Chain),
    /// No trap.
    Varied(Varied),
}

impl TreeKind {
    /// Whether the first candidate is the best.
    pub fn first_is_best(&self) -> bool {
        match self {
            TreeKind::Chain(chain) => chain.first_is_best(),
            TreeKind::Varied(varied) => varied.least > varied.others,
        }
    }
}

/// Readings by name, with parameters as `name=value`; nothing is plain UCT.
pub const READINGS: [(&str, Option<&str>); 12] = [
    ("uct", None),
    ("proxy", Some("")),
    ("C1 1", Some("proxy-bonus=1")),
    ("mean follows", Some("proxy-mean=following")),
    ("first count i", Some("proxy-first=answers")),
    ("first count visits", Some("proxy-first=visits")),
    ("count all", Some("proxy-count=all")),
    ("go on", Some("proxy-chosen=go-on")),
    ("ancestors +1", Some("proxy-ancestors=counted")),
    ("root only", Some("proxy-place=root")),
    ("reward", Some("proxy-effect=reward,proxy-bonus=0.05,proxy-chosen=go-on")),
    ("reward, C1 0.1", Some("proxy-effect=reward,proxy-bonus=0.1,proxy-chosen=go-on")),
];

/// Readings that are also tried on Go positions, which take longer, and that plots show.
pub const GO_READINGS: [&str; 3] = ["uct", "proxy", "reward"];

/// T(m, i, p, q), chains and controls. In bushy trees there are answers to the other candidates too.
pub const TREES: [Tree; 11] = [
    trap("T(5,10,0.7,0.1)", 5, 10, 1, [0.7, 0.1], 0),
    trap("T(5,30,0.7,0.1)", 5, 30, 1, [0.7, 0.1], 0),
    trap("T(20,80,0.7,0.1)", 20, 80, 1, [0.7, 0.1], 0),
    trap("T(5,30,0.6,0.3)", 5, 30, 1, [0.6, 0.3], 0),
    trap("T(5,30,0.7,0.1), bushy", 5, 30, 1, [0.7, 0.1], 30),
    trap("chain of 2, good", 5, 10, 2, [0.7, 0.1], 0),
    trap("chain of 3, bad", 5, 10, 3, [0.7, 0.1], 0),
    control("control, all alike", [0.6, 0.6], 0),
    control("control, all alike, bushy", [0.6, 0.6], 30),
    control("control, varied", [0.6, 0.8], 0),
    control("control, varied, bushy", [0.6, 0.8], 30),
];

const fn trap(
    name: &'static str,
    candidates: usize,
    replies: usize,
    links: usize,
    [baited, refuted]: [f32; 2],
    other_replies: usize,
) -> Tree {
    let chain = Chain { candidates, replies, links, baited, refuted, others: 0.5, other_replies };
    Tree { name, kind: TreeKind::Chain(chain) }
}

const fn control(name: &'static str, [least, most]: [f32; 2], other_replies: usize) -> Tree {
    let varied = Varied { candidates: 5, replies: 30, least, most, others: 0.5, other_replies };
    Tree { name, kind: TreeKind::Varied(varied) }
}

impl Reading {
    /// A reading with parameters as `name=value`, separated by commas, on top of some.
    pub fn new(name: &str, base: &Parameters, changes: Option<&str>) -> Result<Reading, ParameterError> {
        let walk = if changes.is_some() { WalkChoice::Proxy } else { WalkChoice::Uct };
        let mut parameters = Parameters { walk, ..base.clone() };
        for change in changes.unwrap_or_default().split(',').filter(|change| !change.is_empty()) {
            let (parameter, value) = change.split_once('=').unwrap_or((change, ""));
            parameters.set(parameter, value)?;
        }
        Ok(Reading { name: name.to_owned(), parameters, has_proxies: changes.is_some() })
    }
}

impl Plan {
    /// What results depend on besides their jobs.
    pub fn terms(&self) -> Terms {
        let readings: Terms = self
            .readings
            .iter()
            .map(|reading| {
                let values = reading.parameters.used().map(|(name, value)| (name.to_owned(), value.into()));
                (reading.name.clone(), values.collect::<Terms>().into())
            })
            .collect();
        Terms::from_iter([
            ("milestones".to_owned(), self.milestones.clone().into()),
            ("readings".to_owned(), readings.into()),
        ])
    }

    /// The trials, all seeds of a tree or position one after the other.
    pub fn jobs(&self) -> Vec<Job<Trial>> {
        let subjects = self
            .trees
            .iter()
            .map(|tree| (tree.name.to_owned(), trial::Subject::Tree(tree.kind)))
            .chain(self.puzzles.iter().map(|p| (p.name.clone(), trial::Subject::Puzzle(Arc::clone(p)))));
        let mut jobs = Vec::new();
        for (name, subject) in subjects {
            let on_go = matches!(subject, trial::Subject::Puzzle(_));
            let is_tried = |reading: &&Reading| {
                let built_in = READINGS.iter().any(|(name, _)| *name == reading.name);
                !on_go || !built_in || GO_READINGS.contains(&reading.name.as_str())
            };
            for seed in self.first_seed..self.first_seed + self.seeds {
                let task = Trial {
                    name: name.clone(),
                    subject: subject.clone(),
                    readings: self.readings.iter().filter(is_tried).cloned().collect(),
                    milestones: self.milestones.clone(),
                    seed,
                };
                jobs.push(Job { key: format!("{name} {seed}"), task });
            }
        }
        jobs
    }
}
