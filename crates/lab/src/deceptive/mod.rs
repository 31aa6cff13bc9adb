//! The experiment on proxy nodes (Uchida, Asaka 2014): how much of a search do deceptive moves get?
//!
//! [`Deceptive`] is the work: each job searches a synthetic tree, or a Go position whose answer was proved, from one seed in every [`Reading`]
//! of the paper, which is a [`Trial`]. Plain UCT is the reading to beat. [`write`] makes the report.

mod paper;
mod puzzle;
mod report;
mod trial;

pub use paper::HEADING;
pub use puzzle::{Puzzle, PuzzleError, puzzles};
pub use report::write;
pub use trial::{Course, Stand, Trial};

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};
use tesuji_search::recipe::{PlayoutChoice, WalkChoice};
use tesuji_search::synthetic::{Chain, Varied};
use tesuji_search::{ParameterError, Parameters};

use crate::job::{Job, JobError, Work};
use crate::terms::Terms;

/// How trees and positions are searched.
#[derive(Clone, Serialize, Deserialize)]
pub struct Deceptive {
    /// Factor of UCB1's exploration term.
    pub exploration: String,
    /// Readings by name, with parameters as `name=value,…`; nothing is plain UCT.
    pub readings: Vec<(String, Option<String>)>,
    /// Numbers of simulations to look at, in rising order.
    pub milestones: Vec<u64>,
    #[serde(skip)]
    puzzles: OnceLock<Vec<Arc<Puzzle>>>,
}

/// A tree or a position, and a seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialTask {
    /// What is searched.
    pub subject: SubjectName,
    /// Determines everything random.
    pub seed: u64,
}

/// The name of what is searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SubjectName {
    /// One of [`TREES`].
    Tree(String),
    /// One of the problems of our own making.
    Puzzle(String),
}

/// The problems of our own making, proved by the solver.
const OWN_PROBLEMS: &str = include_str!("../../../../tests/tsumego/own.jsonl");

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

impl SubjectName {
    /// The name alone.
    pub fn name(&self) -> &str {
        match self {
            SubjectName::Tree(name) | SubjectName::Puzzle(name) => name,
        }
    }

    /// Whether the candidate in question is the one to play.
    pub fn wants_candidate(&self) -> bool {
        matches!(self, SubjectName::Tree(name) if tree(name).is_some_and(|tree| tree.kind.first_is_best()))
    }
}

fn tree(name: &str) -> Option<&'static Tree> {
    TREES.iter().find(|tree| tree.name == name)
}

impl Deceptive {
    /// The readings of the paper that are built in, and others.
    pub fn new(exploration: &str, others: &[String], milestones: Vec<u64>) -> Deceptive {
        let built_in = READINGS.iter().map(|&(name, changes)| (name.to_owned(), changes.map(str::to_owned)));
        let others = others.iter().map(|changes| (changes.clone(), Some(changes.clone())));
        let readings = built_in.chain(others).collect();
        Deceptive { exploration: exploration.to_owned(), readings, milestones, puzzles: OnceLock::new() }
    }

    /// What findings depend on besides their tasks.
    pub fn terms(&self) -> Terms {
        let readings: Terms =
            self.readings.iter().map(|(name, changes)| (name.clone(), changes.clone().into())).collect();
        Terms::from_iter([
            ("exploration".to_owned(), self.exploration.clone().into()),
            ("milestones".to_owned(), self.milestones.clone().into()),
            ("readings".to_owned(), readings.into()),
        ])
    }

    /// The readings, made ready.
    pub fn readings(&self) -> Result<Vec<Reading>, ParameterError> {
        let mut base = Parameters { playout: PlayoutChoice::Light, ..Parameters::default() };
        // As in the paper: a node has children as soon as it is visited again, and playouts are won or lost.
        for (name, value) in
            [("ucb-exploration", self.exploration.as_str()), ("expand-after", "1"), ("score-bonus", "0")]
        {
            base.set(name, value)?;
        }
        self.readings.iter().map(|(name, changes)| Reading::new(name, &base, changes.as_deref())).collect()
    }

    /// The Go positions, each proved anew by the solver.
    pub fn puzzles(&self) -> Result<&[Arc<Puzzle>], PuzzleError> {
        if let Some(puzzles) = self.puzzles.get() {
            return Ok(puzzles);
        }
        let puzzles = puzzles(OWN_PROBLEMS)?.into_iter().map(Arc::new).collect();
        Ok(self.puzzles.get_or_init(|| puzzles))
    }

    /// Jobs for all trees and some Go positions, all seeds of one after the other.
    pub fn jobs(&self, puzzles: &[Arc<Puzzle>], seeds: std::ops::Range<u64>) -> Vec<Job<TrialTask>> {
        let trees = TREES.iter().map(|tree| SubjectName::Tree(tree.name.to_owned()));
        let puzzles = puzzles.iter().map(|puzzle| SubjectName::Puzzle(puzzle.name.clone()));
        let mut jobs = Vec::new();
        for subject in trees.chain(puzzles) {
            for seed in seeds.clone() {
                let key = format!("{} {seed}", subject.name());
                jobs.push(Job { key, task: TrialTask { subject: subject.clone(), seed } });
            }
        }
        jobs
    }

    fn subject(&self, name: &SubjectName) -> Result<trial::Subject, JobError> {
        let unknown = || JobError::Refused(format!("there is no '{}'", name.name()));
        match name {
            SubjectName::Tree(name) => {
                tree(name).map(|tree| trial::Subject::Tree(tree.kind)).ok_or_else(unknown)
            }
            SubjectName::Puzzle(name) => {
                let puzzles = self.puzzles().map_err(|error| JobError::Failed(error.to_string()))?;
                let found = puzzles.iter().find(|puzzle| puzzle.name == *name);
                found.map(|puzzle| trial::Subject::Puzzle(Arc::clone(puzzle))).ok_or_else(unknown)
            }
        }
    }
}

impl Work for Deceptive {
    const KIND: &'static str = "deceptive";
    type Task = TrialTask;
    type Finding = Vec<Course>;
    type Tools = Vec<Reading>;

    fn tools(&self) -> Result<Vec<Reading>, JobError> {
        self.readings().map_err(|error| JobError::Refused(error.to_string()))
    }

    fn work(
        &self,
        readings: &mut Vec<Reading>,
        task: &TrialTask,
        stop: &AtomicBool,
    ) -> Result<Vec<Course>, JobError> {
        let subject = self.subject(&task.subject)?;
        let on_go = matches!(subject, trial::Subject::Puzzle(_));
        let is_tried = |reading: &&Reading| {
            let built_in = READINGS.iter().any(|(name, _)| *name == reading.name);
            !on_go || !built_in || GO_READINGS.contains(&reading.name.as_str())
        };
        let trial = Trial {
            subject,
            readings: readings.iter().filter(is_tried).cloned().collect(),
            milestones: self.milestones.clone(),
            seed: task.seed,
        };
        trial.run(stop).ok_or(JobError::Interrupted)
    }
}
