//! One trial: a position searched in several ways side by side.
//!
//! The ways take turns of [`TURN`] simulations, so that whatever else the machine does meets all of them alike. Each has a
//! tree and a generator of its own with the same seed. Times are those of the processor for this thread; the part of
//! playouts is measured with a clock around each of them.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};
use tesuji_board::{Color, Game, Move};
use tesuji_search::recipe::{PlayoutChoice, PriorChoice};
use tesuji_search::select::{Lines, Select};
use tesuji_search::{
    Control, Counters, Dfuct, DfuctAudited, DfuctExact, Parameters, Progress, Resources, Searcher,
    TreeSearch, Uct, Walk,
};

use crate::next_move::Problem;
use crate::stopwatch::{nanoseconds, thread_seconds};

/// Simulations of one way before it is another's turn: a fraction of a second, and so many that beginning anew at the root does not count.
const TURN: u64 = 50_000;

/// A way through the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// From the root every time.
    Uct,
    /// The paper's DFUCT.
    Plain,
    /// DFUCT that visits the leaves of UCT.
    Exact,
    /// The paper's DFUCT, counting what it misses; too slow to be timed.
    Audited,
}

/// What judges a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Playouts {
    /// Uniformly random moves, no knowledge of moves: the paper's.
    Light,
    /// Fuego-class playouts, as the engine plays with.
    Heavy,
}

/// How moves are chosen within the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// UCB1: the paper's.
    Ucb1,
    /// RAVE. No walk has exactly the leaves of UCT then: every simulation changes the values of other moves.
    Rave,
}

impl Rule {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Ucb1 => "ucb1",
            Rule::Rave => "rave",
        }
    }
}

/// What is searched, and how.
#[derive(Clone)]
pub struct Trial {
    /// The position.
    pub problem: Problem,
    /// How moves are chosen within the tree.
    pub rule: Rule,
    /// What judges leaves.
    pub playouts: Playouts,
    /// The ways, in the order of their turns.
    pub ways: Vec<Way>,
    /// Numbers of simulations after which it is noted how things stand, in rising order.
    pub milestones: Vec<u64>,
    /// The numbers of the search.
    pub parameters: Parameters,
    /// Bytes for each tree.
    pub tree_bytes: usize,
    /// Determines all playouts.
    pub seed: u64,
}

/// What one way came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// The way.
    pub way: Way,
    /// How things stood at the milestones.
    pub snapshots: Vec<Snapshot>,
}

/// How things stand after a number of simulations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Simulations.
    pub simulations: u64,
    /// Seconds they took.
    pub seconds: f64,
    /// The part of the seconds spent in playouts.
    pub playout_seconds: f64,
    /// Moves made within the tree.
    pub moves: u64,
    /// Moves into nodes that had all their children; see [`Counters::reexpansions`].
    pub reexpansions: u64,
    /// Looks at all edges of a node.
    pub scans: u64,
    /// Comparisons of best and second, and those in which another edge had overtaken the second.
    pub checks: (u64, u64),
    /// Times a best and a second were remembered, and those in which another edge overtook the second.
    pub conditions: (u64, u64),
    /// Simulations below another leaf than UCT's.
    pub wrong_decisions: u64,
    /// Whether the most visited move is right.
    pub is_right: bool,
    /// Whether the result is proven: a simulation then needs no playout, and its cost says nothing.
    pub is_decided: bool,
    /// How often the tree was full; counts mean nothing after that.
    pub prunings: u32,
}

impl Trial {
    /// Searches; nothing if `stop` was raised.
    pub fn run(&self, stop: &AtomicBool) -> Option<Vec<Trace>> {
        let game = self.problem.game();
        let mut runs: Vec<Run> = self.ways.iter().map(|&way| self.begin(way)).collect();
        let mut made = 0;
        for &milestone in &self.milestones {
            while made < milestone {
                let turn = TURN.min(milestone - made);
                for run in &mut runs {
                    run.go_on(&game, self.problem.to_move, turn, stop);
                    if stop.load(Ordering::Relaxed) {
                        return None;
                    }
                }
                made += turn;
            }
            runs.iter_mut().for_each(|run| run.note(&self.problem, milestone));
        }
        Some(runs.into_iter().map(|run| run.trace).collect())
    }

    fn begin(&self, way: Way) -> Run {
        let search = match self.rule {
            Rule::Ucb1 => self.searcher(way, self.parameters.ucb1()),
            Rule::Rave => self.searcher(way, self.parameters.rave()),
        };
        Run { search, seconds: 0.0, playout_seconds: 0.0, trace: Trace { way, snapshots: Vec::new() } }
    }

    fn searcher(&self, way: Way, rule: impl Lines) -> Box<dyn Counting> {
        match way {
            Way::Uct => self.walking::<Uct, _>(rule),
            Way::Plain => self.walking::<Dfuct, _>(rule),
            Way::Exact => self.walking::<DfuctExact, _>(rule),
            Way::Audited => self.walking::<DfuctAudited, _>(rule),
        }
    }

    fn walking<W: Walk<S> + 'static, S: Lines>(&self, rule: S) -> Box<dyn Counting> {
        let (playout, prior) = match self.playouts {
            Playouts::Light => (PlayoutChoice::Light, PriorChoice::None),
            Playouts::Heavy => (PlayoutChoice::Rules, PriorChoice::Tactics),
        };
        let parameters = Parameters { playout, prior, ..self.parameters.clone() };
        Box::new(parameters.tree_search::<S, W>(
            rule,
            &Resources {
                threads: 1,
                tree_bytes: self.tree_bytes,
                seed: self.seed,
                stopwatch: Some(nanoseconds),
                network: None,
                gammas: None,
            },
        ))
    }
}

/// A search whose costs can be asked for.
trait Counting: Searcher {
    fn counters(&self) -> Counters;
}

impl<S: Select, W: Walk<S>> Counting for TreeSearch<S, W> {
    fn counters(&self) -> Counters {
        TreeSearch::counters(self)
    }
}

/// One way on its way.
struct Run {
    search: Box<dyn Counting>,
    seconds: f64,
    playout_seconds: f64,
    trace: Trace,
}

impl Run {
    fn go_on(&mut self, game: &Game, to_move: Color, simulations: u64, stop: &AtomicBool) {
        let control = Stretch { simulations, stop };
        let (began, began_on_the_wall) = (thread_seconds(), nanoseconds());
        let playouts_before = self.search.report().effort.playout_nanoseconds;
        self.search.search(game, to_move, &control);
        let seconds = thread_seconds() - began;
        let wall = (nanoseconds() - began_on_the_wall) as f64;
        let in_playouts = self.search.report().effort.playout_nanoseconds - playouts_before;
        // The clock around playouts also runs while the processor works for others; their share is what counts.
        self.seconds += seconds;
        self.playout_seconds += seconds * in_playouts as f64 / wall.max(1.0);
    }

    /// Notes how things stand.
    fn note(&mut self, problem: &Problem, simulations: u64) {
        let report = self.search.report();
        let Counters { moves, reexpansions, scans, watch, wrong_decisions, .. } = self.search.counters();
        let allowed = report.moves.iter().filter(|mv| problem.allows(mv.mv));
        let answer = allowed.max_by_key(|mv| mv.visits).map_or(Move::Pass, |mv| mv.mv);
        self.trace.snapshots.push(Snapshot {
            simulations,
            seconds: self.seconds,
            playout_seconds: self.playout_seconds,
            moves,
            reexpansions,
            scans,
            checks: (watch.checks, watch.overtaken_checks),
            conditions: (watch.conditions, watch.overtaken_conditions),
            wrong_decisions,
            is_right: problem.is_right(answer),
            is_decided: report.moves.iter().any(|mv| mv.proven == Some(true))
                || report.moves.iter().all(|mv| mv.proven == Some(false)),
            prunings: report.effort.prunings,
        });
    }
}

/// One turn, unless somebody stops it.
struct Stretch<'a> {
    simulations: u64,
    stop: &'a AtomicBool,
}

impl Control for Stretch<'_> {
    fn should_stop(&self, _: &Progress) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn simulation_limit(&self) -> Option<u64> {
        Some(self.simulations)
    }
}
