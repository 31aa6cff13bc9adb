//! The search engine proper: one tree, some threads, one position after another.
//!
//! [`TreeSearch`] ties a walk, a selection rule, an evaluator per thread and prior knowledge together. With one thread it is
//! reproducible: the same calls with the same seed and the same numbers of simulations give the same tree.

use crate::evaluate::Evaluator;
use crate::go::{Go, Root};
use crate::knowledge::Knowledge;
use crate::playout::{GoEvaluator, Usage};
use crate::report::{RootStatistics, report};
use crate::searcher::{Control, Effort, Progress, Report, Searcher};
use crate::select::Select;
use crate::tree::{Child, MeanOf, NodeId, Tree};
use crate::walk::{Counters, Expansion, Sharing, Simulation, Stride, Task, Uct, Walk, WalkOptions, Walker};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use tesuji_board::{Color, Game, Move, Rules, Size};

/// Simulations of the first thread between two questions to the control.
const SIMULATIONS_PER_CHECK: u64 = 8;

/// The numbers of a tree search.
#[derive(Clone, Copy, Debug)]
pub struct SearchOptions {
    /// Bytes for the tree.
    pub tree_bytes: usize,
    /// An edge gets a node when it is visited again after this many visits.
    pub expand_after: u32,
    /// How many simulations the prior opinion of a move is worth.
    pub prior_weight: f32,
}

/// What one thread of a search has to itself.
pub struct ThreadParts {
    /// What is thought of moves before any simulation.
    pub knowledge: Box<dyn Knowledge>,
    /// What judges leaves.
    pub evaluator: Box<dyn GoEvaluator>,
}

/// A search by some rule `S` on the ways of `W`.
pub struct TreeSearch<S, W = Uct> {
    rule: S,
    options: SearchOptions,
    tree: Tree,
    /// One per thread.
    walkers: Vec<Walker<Go, Box<dyn GoEvaluator>, W>>,
    /// The position the tree belongs to.
    subject: Option<Subject>,
    statistics: RootStatistics,
    simulations: u64,
    playout_nanoseconds: u64,
    prunings: u32,
}

impl Evaluator<Go> for Box<dyn GoEvaluator> {
    fn batch(&self) -> usize {
        (**self).batch()
    }

    fn names_moves(&self) -> bool {
        (**self).names_moves()
    }

    fn submit(&mut self, domain: &mut Go, leaf: crate::walk::Leaf) -> Option<crate::evaluate::Judged> {
        (**self).submit(domain, leaf)
    }

    fn collect(&mut self) -> Option<crate::evaluate::Judged> {
        (**self).collect()
    }
}

/// A position of a game, and its node.
struct Subject {
    node: NodeId,
    to_move: Color,
    size: Size,
    initial_hash: u64,
    moves: Vec<(Color, Move)>,
    rules: Rules,
    white_points: f32,
}

impl<S: Select, W: Walk<S>> TreeSearch<S, W> {
    /// A search with one thread per element of `threads`, at least one, that knows nothing yet.
    pub fn new(rule: S, options: SearchOptions, threads: Vec<ThreadParts>) -> TreeSearch<S, W> {
        let size = Size::square(9).expect("a legal size");
        let walker = |parts: ThreadParts| {
            Walker::new(Go::new(parts.knowledge, options.prior_weight, size), parts.evaluator)
        };
        TreeSearch {
            rule,
            options,
            tree: Tree::new(options.tree_bytes, S::COLUMNS),
            walkers: threads.into_iter().map(walker).collect(),
            subject: None,
            statistics: RootStatistics::default(),
            simulations: 0,
            playout_nanoseconds: 0,
            prunings: 0,
        }
    }

    /// What the simulations of all threads cost so far, apart from time.
    pub fn counters(&self) -> Counters {
        let mut sum = Counters::default();
        self.walkers.iter().for_each(|walker| sum += walker.counters());
        sum
    }

    /// The node for the position, from the tree if it is there.
    fn find_root(&mut self, game: &Game, to_move: Color, root: &Root) -> NodeId {
        let kept = self
            .subject
            .take()
            .and_then(|subject| Some((subject.follow(&self.tree, game, to_move, root)?, subject)));
        let node = match kept {
            Some((node, subject)) => {
                if node != subject.node {
                    self.statistics = RootStatistics::default();
                }
                node
            }
            None => self.plant(),
        };
        let edges = self.tree.edges(node);
        for i in 0..edges.len() {
            if let Move::Play(point) = Move::from_code(edges.code(i))
                && game.legality(to_move, point).is_err()
            {
                edges.values()[i].prove(false);
            }
        }
        self.statistics.resize(edges.len(), game.size().area());
        self.subject = Some(Subject {
            node,
            to_move,
            size: game.size(),
            initial_hash: game.initial_board().hash(),
            moves: game.moves().to_vec(),
            rules: *game.rules(),
            white_points: root.white_points(),
        });
        node
    }

    /// A new tree with the root alone.
    fn plant(&mut self) -> NodeId {
        self.tree.clear();
        self.statistics = RootStatistics::default();
        self.walkers[0].plant(&self.tree).expect("an empty tree has room for one node")
    }

    /// Simulates until the control or a full tree stops it; whether it was the control.
    fn run(&mut self, root: NodeId, shared: &Shared<'_>) -> bool {
        let first = &self.walkers[0];
        let many = self.walkers.len() > 1 || first.most_under_way::<S>() > 1;
        let by_evaluator = first.evaluator.names_moves();
        let options = WalkOptions {
            expand_after: self.options.expand_after,
            sharing: if many { Sharing::Shared } else { Sharing::Alone },
            expansion: if by_evaluator { Expansion::ByEvaluator } else { Expansion::ByDomain },
        };
        let tree = &self.tree;
        let task = &Task { tree, root, rule: &self.rule, options };
        let (first, others) = self.walkers.split_first_mut().expect("at least one walker");
        let mut sums = Vec::with_capacity(others.len() + 1);
        let edges = tree.edges(root).len();
        std::thread::scope(|scope| {
            let helpers: Vec<_> = others
                .iter_mut()
                .map(|walker| {
                    scope.spawn(move || {
                        let mut scores = ScoreSums::new(edges);
                        while !tree.is_full() && !shared.is_stopped() {
                            advance(walker, task, shared, &mut scores);
                        }
                        finish(walker, task, &mut scores);
                        scores
                    })
                })
                .collect();
            let mut scores = ScoreSums::new(edges);
            let mut made = 0;
            while !tree.is_full() && !shared.is_stopped() {
                if made % SIMULATIONS_PER_CHECK == 0 && shared.check(&progress(tree, root, shared.made())) {
                    break;
                }
                made += 1;
                advance(first, task, shared, &mut scores);
            }
            finish(first, task, &mut scores);
            sums.push(scores);
            // A panic in a helper is a bug; let it surface here.
            sums.extend(helpers.into_iter().map(|helper| helper.join().expect("a search thread panicked")));
        });
        sums.iter().for_each(|scores| self.statistics.add_scores(&scores.by_edge));
        shared.is_stopped()
    }
}

impl<S: Select, W: Walk<S>> Searcher for TreeSearch<S, W> {
    fn search(&mut self, game: &Game, to_move: Color, control: &dyn Control) {
        let root = Root::of(game, to_move);
        for walker in &mut self.walkers {
            walker.domain.set_root(&root);
            walker.evaluator.begin(&root);
        }
        let mut node = self.find_root(game, to_move, &root);
        let shared = Shared::new(control);
        while !self.run(node, &shared) {
            node = self.tree.prune(node);
            self.prunings += 1;
            if let Some(subject) = &mut self.subject {
                subject.node = node;
            }
        }
        self.simulations += shared.made();
        for walker in &self.walkers {
            let findings = walker.evaluator.findings();
            self.statistics.add_findings(findings);
            self.playout_nanoseconds += findings.nanoseconds;
        }
    }

    fn begin_game(&mut self) {
        self.walkers.iter_mut().for_each(|walker| walker.evaluator.forget());
    }

    fn report(&self) -> Report {
        let mut usage = Usage::default();
        self.walkers.iter().for_each(|walker| usage += walker.evaluator.usage());
        let effort = Effort {
            simulations: self.simulations,
            nodes: u64::from(self.tree.node_count()),
            tree_bytes: self.tree.bytes() as u64,
            playout_nanoseconds: self.playout_nanoseconds,
            prunings: self.prunings,
            usage,
        };
        match &self.subject {
            Some(subject) => {
                Report { effort, ..report(&self.tree, subject.node, subject.to_move, &self.statistics) }
            }
            None => Report { effort, ..Report::default() },
        }
    }

    fn clear(&mut self) {
        self.begin_game();
        self.tree.clear();
        self.subject = None;
        self.statistics = RootStatistics::default();
        self.simulations = 0;
        self.playout_nanoseconds = 0;
        self.prunings = 0;
    }
}

impl Subject {
    /// The node of `game`'s position if that game continues this one.
    fn follow(&self, tree: &Tree, game: &Game, to_move: Color, root: &Root) -> Option<NodeId> {
        let same_game = self.size == game.size()
            && self.initial_hash == game.initial_board().hash()
            && self.rules == *game.rules()
            && self.white_points == root.white_points();
        let mut next = self.to_move;
        let mut node = self.node;
        let moves = game.moves().strip_prefix(self.moves.as_slice()).filter(|_| same_game)?;
        for &(color, mv) in moves {
            let edges = tree.edges(node);
            let index = edges.find(mv.code()).filter(|_| color == next)?;
            let Child::Node(child) = edges.child(index) else { return None };
            node = child;
            next = !next;
        }
        (next == to_move).then_some(node)
    }
}

/// What the threads of one search share besides the tree.
struct Shared<'a> {
    control: &'a dyn Control,
    stopped: AtomicBool,
    claimed: AtomicU64,
    limit: u64,
    /// The result is proven, so that simulations end at the proof and say nothing about who owns what.
    proven: AtomicBool,
}

impl<'a> Shared<'a> {
    fn new(control: &'a dyn Control) -> Shared<'a> {
        let limit = control.simulation_limit().unwrap_or(u64::MAX);
        Shared {
            control,
            stopped: AtomicBool::new(false),
            claimed: AtomicU64::new(0),
            limit,
            proven: AtomicBool::new(false),
        }
    }

    /// Asks the control; whether it stopped the search.
    fn check(&self, progress: &Progress) -> bool {
        self.proven.store(progress.proven, Relaxed);
        let stops = self.control.should_stop(progress);
        if stops {
            self.stop();
        }
        stops
    }

    /// Whether the position itself is to be judged instead of what is below it.
    fn judges_root(&self) -> bool {
        self.control.wants_ownership() && self.proven.load(Relaxed)
    }

    fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// The right to make one more simulation.
    fn claim(&self) -> bool {
        if self.is_stopped() {
            return false;
        }
        let allowed = self.claimed.fetch_add(1, Relaxed) < self.limit;
        if !allowed {
            self.stop();
        }
        allowed
    }

    /// Gives back the right to a simulation that was not made.
    fn unclaim(&self) {
        self.claimed.fetch_sub(1, Relaxed);
    }

    fn made(&self) -> u64 {
        self.claimed.load(Relaxed).min(self.limit)
    }
}

/// Black's scores by the root edge that the simulations began with.
struct ScoreSums {
    by_edge: Vec<(f64, f64, u64)>,
}

impl ScoreSums {
    fn new(edges: usize) -> ScoreSums {
        ScoreSums { by_edge: vec![(0.0, 0.0, 0); edges] }
    }

    fn add(&mut self, simulation: Simulation) {
        if let Some(score) = simulation.evaluation.black_score.map(f64::from) {
            let (sum, squares, count) = &mut self.by_edge[simulation.root_edge];
            *sum += score;
            *squares += score * score;
            *count += 1;
        }
    }
}

/// The next step of one thread: another leaf as long as the evaluator takes more, or one that comes back.
#[inline]
fn advance<S: Select, E: Evaluator<Go>, W: Walk<S>>(
    walker: &mut Walker<Go, E, W>,
    task: &Task<'_, S>,
    shared: &Shared<'_>,
    scores: &mut ScoreSums,
) {
    if walker.under_way() < walker.most_under_way::<S>() && shared.claim() {
        if shared.judges_root() {
            return walker.judge_root();
        }
        match walker.step(task) {
            Stride::Settled(simulation) => return scores.add(simulation),
            Stride::Submitted | Stride::Forbidden => return,
            Stride::Collision => shared.unclaim(),
        }
    }
    match walker.collect(task) {
        Some(simulation) => scores.add(simulation),
        // Only other threads have leaves under way.
        None => std::thread::yield_now(),
    }
}

/// Waits for the leaves under way, so that nothing is left in advance, and leaves the tree.
fn finish<S: Select, E: Evaluator<Go>, W: Walk<S>>(
    walker: &mut Walker<Go, E, W>,
    task: &Task<'_, S>,
    scores: &mut ScoreSums,
) {
    while let Some(simulation) = walker.collect(task) {
        scores.add(simulation);
    }
    walker.leave(task.tree);
}

fn progress(tree: &Tree, root: NodeId, simulations: u64) -> Progress {
    let edges = tree.edges(root);
    let (mut best, mut second) = (0, 0);
    let (mut best_mean, mut highest_mean) = (0.0, f32::NEG_INFINITY);
    let (mut won, mut open, mut total) = (false, 0, 0);
    for i in 0..edges.len() {
        let value = edges.value(i);
        total += u64::from(value.visits);
        won |= value.proven() == Some(true);
        open += u32::from(value.proven() != Some(false));
        if value.visits > best {
            second = best;
            (best, best_mean) = (value.visits, value.worth());
        } else {
            second = second.max(value.visits);
        }
        // A mean of few visits is no rival.
        if value.visits > best / 10 {
            highest_mean = highest_mean.max(value.worth());
        }
    }
    Progress {
        simulations,
        root_visits: total,
        best_visits: u64::from(best),
        second_visits: u64::from(second),
        best_is_clear: best_mean >= highest_mean,
        decided: won || open <= 1,
        proven: won || open == 0,
    }
}
