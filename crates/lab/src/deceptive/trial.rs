//! One tree or position, one seed, searched in every reading.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};
use tesuji_board::Move;
use tesuji_search::playout::{GoEvaluator, Light, PlayoutOptions, Playouts};
use tesuji_search::select::Select;
use tesuji_search::synthetic::{Coins, Synthetic};
use tesuji_search::tree::{Edges, Tree};
use tesuji_search::{
    Domain, Evaluator, Expansion, Go, Ignorant, Parameters, ProxyUct, Rng, Root, Sharing, Task, Uct, Walk,
    WalkOptions, Walker,
};

use super::puzzle::Puzzle;
use super::{Reading, TreeKind};

/// A tree or a position to be searched in every reading.
#[derive(Clone)]
pub struct Trial {
    pub(super) subject: Subject,
    pub(super) readings: Vec<Reading>,
    pub(super) milestones: Vec<u64>,
    pub(super) seed: u64,
}

#[derive(Clone)]
pub(super) enum Subject {
    Tree(TreeKind),
    Puzzle(Arc<Puzzle>),
}

/// How the search of a reading went.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct Course {
    /// The reading.
    pub reading: String,
    /// Where it stood at each milestone.
    pub stands: Vec<Stand>,
}

/// Where a search stands.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, PartialEq)]
pub struct Stand {
    /// Simulations made.
    pub simulations: u64,
    /// Share of them that went to the candidate in question: the first of a tree, the wrong moves of a position.
    pub share: f64,
    /// Whether the move with the best mean, which is the one to play in the paper, is a right one.
    pub right: bool,
}

/// Room for a tree of one search.
const TREE_BYTES: usize = 256 << 20;

impl Trial {
    /// Searches in every reading; nothing if `stop` was raised.
    pub fn run(&self, stop: &AtomicBool) -> Option<Vec<Course>> {
        self.readings
            .iter()
            .map(|reading| {
                if stop.load(Ordering::Relaxed) {
                    return None;
                }
                let stands = match &self.subject {
                    Subject::Tree(TreeKind::Chain(chain)) => {
                        let domain = || (Synthetic::new(*chain), Coins::new(self.seed));
                        let best = chain.first_is_best();
                        self.stands(domain, reading, |i, _| i == 0, |i, _| (i == 0) == best)
                    }
                    Subject::Tree(TreeKind::Varied(varied)) => {
                        let domain = || (Synthetic::new(*varied), Coins::new(self.seed));
                        self.stands(domain, reading, |i, _| i == 0, |i, _| i == 0)
                    }
                    Subject::Puzzle(puzzle) => {
                        let domain = || go(puzzle, &reading.parameters, self.seed);
                        let is_right = |_, code| puzzle.is_right(Move::from_code(code));
                        self.stands(domain, reading, |i, code| !is_right(i, code), is_right)
                    }
                };
                Some(Course { reading: reading.name.clone(), stands })
            })
            .collect()
    }

    fn stands<D: Domain, E: Evaluator<D>>(
        &self,
        domain: impl Fn() -> (D, E),
        reading: &Reading,
        in_question: impl Fn(usize, u16) -> bool,
        is_right: impl Fn(usize, u16) -> bool,
    ) -> Vec<Stand> {
        let parameters = &reading.parameters;
        let look = |edges: &Edges<'_>, simulations| stand(edges, simulations, &in_question, &is_right);
        if reading.has_proxies {
            let rule = parameters.proxied(parameters.ucb1());
            self.search::<_, _, _, ProxyUct>(domain(), rule, parameters, look)
        } else {
            self.search::<_, _, _, Uct>(domain(), parameters.ucb1(), parameters, look)
        }
    }

    fn search<D: Domain, E: Evaluator<D>, S: Select, W: Walk<S>>(
        &self,
        (domain, evaluator): (D, E),
        rule: S,
        parameters: &Parameters,
        look: impl Fn(&Edges<'_>, u64) -> Stand,
    ) -> Vec<Stand> {
        let tree = Tree::new(TREE_BYTES, S::COLUMNS);
        let mut walker: Walker<D, E, W> = Walker::new(domain, evaluator);
        let Some(root) = walker.add_node(&tree) else { return Vec::new() };
        let options = WalkOptions {
            expand_after: parameters.expand_after,
            sharing: Sharing::Alone,
            expansion: Expansion::ByDomain,
        };
        let task = Task { tree: &tree, root, rule: &rule, options, halving: None };
        let mut made = 0;
        let mut stands = Vec::new();
        for &milestone in &self.milestones {
            while made < milestone {
                walker.simulate(&task);
                made += 1;
            }
            stands.push(look(&tree.edges(root), milestone));
        }
        stands
    }
}

fn go(puzzle: &Puzzle, parameters: &Parameters, seed: u64) -> (Go, Playouts<Light>) {
    let root = Root::of(&puzzle.game, puzzle.game.to_move());
    let mut go = Go::new(Box::new(Ignorant), parameters.prior_weight, puzzle.game.size());
    go.set_root(&root);
    let options =
        PlayoutOptions { mercy: parameters.mercy, score_bonus: parameters.score_bonus, stopwatch: None };
    let mut playouts = Playouts::new(Light, Rng::new(seed), options);
    playouts.begin(&root);
    (go, playouts)
}

fn stand(
    edges: &Edges<'_>,
    simulations: u64,
    in_question: impl Fn(usize, u16) -> bool,
    is_right: impl Fn(usize, u16) -> bool,
) -> Stand {
    let visits = |i: usize| edges.value(i).visits;
    let all: u64 = edges.visits();
    let candidates = (0..edges.len()).filter(|&i| in_question(i, edges.code(i)));
    let theirs: u64 = candidates.map(|i| u64::from(visits(i))).sum();
    let key = |i: usize| if visits(i) > 0 { edges.value(i).worth() } else { f32::NEG_INFINITY };
    let best = (0..edges.len()).max_by(|&a, &b| key(a).total_cmp(&key(b)).then(visits(a).cmp(&visits(b))));
    Stand {
        simulations,
        share: theirs as f64 / all.max(1) as f64,
        right: best.is_some_and(|i| is_right(i, edges.code(i))),
    }
}
