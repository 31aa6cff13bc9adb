//! The search engine proper: one tree, some threads, one position after another.
//!
//! [`TreeSearch`] ties a walk, a selection rule, an evaluator per thread and prior knowledge together. With one thread it is
//! reproducible: the same calls with the same seed and the same numbers of simulations give the same tree.

use crate::domain::Domain;
use crate::evaluate::{Evaluator, Moves};
use crate::focus::Focus;
use crate::go::{Go, Root};
use crate::halving::Halving;
use crate::knowledge::Knowledge;
use crate::playout::{GoEvaluator, Usage};
use crate::report::{RootStatistics, report};
use crate::searcher::{Control, Effort, Report, Searcher};
use crate::select::Select;
use crate::thread::{Part, Shared, progress};
use crate::tree::{Child, Columns, MeanOf, NodeId, Tree};
use crate::walk::{Counters, Expansion, Sharing, Task, Uct, Walk, WalkOptions, Walker};
use std::sync::Arc;
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
    /// Moves of the root among which simulations are shared by halving, where their number is known beforehand; 0 leaves all to the rule.
    pub root_halving: usize,
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
    focus: Arc<Focus>,
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

    fn looks_closer_at_root(&self) -> bool {
        (**self).looks_closer_at_root()
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
        // Reports tell the probabilities that evaluators name, whether the rule reads them or not.
        let named = threads.iter().any(|parts| parts.evaluator.names_moves());
        let columns = if named { S::COLUMNS | Columns::POLICY } else { S::COLUMNS };
        TreeSearch {
            rule,
            options,
            tree: Tree::new(options.tree_bytes, columns),
            walkers: threads.into_iter().map(walker).collect(),
            subject: None,
            focus: Arc::default(),
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
                    self.walkers[0].renew_root(&self.tree, node);
                    self.tree.temper(node, self.focus.root_temperature);
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
        if edges.policies().is_empty() && !self.statistics.has_policy() {
            let domain = &mut self.walkers[0].domain;
            domain.rewind();
            let mut moves = Moves::new();
            domain.moves(&mut moves);
            let policy_of = |code| moves.iter().find(|mv| mv.0 == code).map_or(0.0, |mv| mv.1.policy);
            self.statistics.set_policy((0..edges.len()).map(|i| policy_of(edges.code(i))).collect());
        }
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
        let node = self.walkers[0].plant(&self.tree).expect("an empty tree has room for one node");
        self.tree.temper(node, self.focus.root_temperature);
        node
    }

    /// Simulates until the control, its limit or a full tree stops it; whether the search is over.
    fn run(&mut self, root: NodeId, shared: &Shared<'_>, halving: Option<&Halving>) -> bool {
        let first = &self.walkers[0];
        let many = self.walkers.len() > 1 || first.most_under_way::<S>() > 1;
        let by_evaluator = first.evaluator.names_moves();
        let options = WalkOptions {
            expand_after: self.options.expand_after,
            sharing: if many { Sharing::Shared } else { Sharing::Alone },
            expansion: if by_evaluator { Expansion::ByEvaluator } else { Expansion::ByDomain },
        };
        let tree = &self.tree;
        let task = &Task { tree, root, rule: &self.rule, options, halving };
        let (first, others) = self.walkers.split_first_mut().expect("at least one walker");
        let mut sums = Vec::with_capacity(others.len() + 1);
        let (edges, share) = (tree.edges(root).len(), task.rule.playout_share());
        std::thread::scope(|scope| {
            let helpers: Vec<_> = others
                .iter_mut()
                .map(|walker| {
                    scope.spawn(move || {
                        let mut part = Part::new(edges);
                        while !tree.is_full() && !shared.is_stopped() && part.advance(walker, task, shared) {}
                        part.finish(walker, task)
                    })
                })
                .collect();
            let mut part = Part::new(edges);
            let mut made = 0_u64;
            while !tree.is_full() && !shared.is_stopped() {
                let is_due = made.is_multiple_of(SIMULATIONS_PER_CHECK);
                if is_due && shared.check(&progress(tree, root, shared.made(), share)) {
                    break;
                }
                made += 1;
                if !part.advance(first, task, shared) {
                    break;
                }
            }
            sums.push(part.finish(first, task));
            // A panic in a helper is a bug; let it surface here.
            sums.extend(helpers.into_iter().map(|helper| helper.join().expect("a search thread panicked")));
        });
        sums.iter().for_each(|scores| self.statistics.add_scores(scores));
        shared.is_stopped() || shared.is_exhausted()
    }
}

impl<S: Select, W: Walk<S>> Searcher for TreeSearch<S, W> {
    fn search(&mut self, game: &Game, to_move: Color, control: &dyn Control) {
        let root = Root::of(game, to_move).with_focus(&self.focus);
        for walker in &mut self.walkers {
            walker.domain.set_root(&root);
            walker.evaluator.begin(&root);
        }
        let mut node = self.find_root(game, to_move, &root);
        let shared = Shared::new(control);
        let limit = control.simulation_limit().filter(|_| self.options.root_halving > 0);
        let mut halving =
            limit.map(|limit| Halving::new(limit, self.options.root_halving, &self.tree.edges(node)));
        while !self.run(node, &shared, halving.as_ref()) {
            // The edges of the pruned root are others.
            halving = None;
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

    fn set_focus(&mut self, focus: Focus) {
        if *self.focus != focus {
            self.focus = Arc::new(focus);
            self.subject = None;
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
                let root = (subject.node, subject.to_move);
                Report { effort, ..report(&self.tree, root, self.rule.playout_share(), &self.statistics) }
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
