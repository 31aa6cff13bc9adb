//! What the tests of walks share: a walk in a tree of its own, and Go with light playouts.
#![allow(dead_code, reason = "every test program uses its part")]

pub(crate) mod late;

use std::hash::{DefaultHasher, Hash, Hasher};

use std::sync::OnceLock;

use tesuji_board::{Color, Diagram, Game, Rules};
use tesuji_net::model::{ResidualPlan, residual};
use tesuji_net::{Isa, Reader};
use tesuji_search::playout::{GoEvaluator, Light, PlayoutOptions, Playouts};
use tesuji_search::select::Select;
use tesuji_search::tree::{NodeId, Tree};
use tesuji_search::{
    Domain, Evaluator, Expansion, Go, Judged, Knowledge, Leaf, Parameters, Resources, Rng, Root, Sharing,
    Task, Walk, WalkOptions, Walker,
};

/// An evaluator that remembers the moves of the leaf it judged last.
pub(crate) struct Recorded<E> {
    evaluator: E,
    pub(crate) moves: Vec<u16>,
}

impl<D: Domain, E: Evaluator<D>> Evaluator<D> for Recorded<E> {
    fn submit(&mut self, domain: &mut D, leaf: Leaf) -> Option<Judged> {
        let judged = self.evaluator.submit(domain, leaf);
        if let Some(judged) = &judged {
            self.moves = judged.leaf.moves().to_vec();
        }
        judged
    }
}

/// A walk in a tree of its own.
pub(crate) struct Trial<D, E, S, W> {
    pub(crate) tree: Tree,
    pub(crate) rule: S,
    pub(crate) root: NodeId,
    pub(crate) walker: Walker<D, Recorded<E>, W>,
    pub(crate) options: WalkOptions,
}

/// One thread that expands nodes at once.
pub(crate) fn walk_options(expand_after: u32, sharing: Sharing) -> WalkOptions {
    WalkOptions { expand_after, sharing, expansion: Expansion::ByDomain }
}

impl<D: Domain, E: Evaluator<D>, S: Select, W: Walk<S>> Trial<D, E, S, W> {
    pub(crate) fn new((domain, evaluator): (D, E), rule: S, options: WalkOptions) -> Self {
        let tree = Tree::new(256 << 20, S::COLUMNS);
        let mut walker = Walker::new(domain, Recorded { evaluator, moves: Vec::new() });
        let root = walker.add_node(&tree).unwrap();
        Trial { tree, rule, root, walker, options }
    }

    /// Makes a simulation; what it was, with all moves within and below the tree, in a number.
    pub(crate) fn step(&mut self) -> u64 {
        let task = Task {
            tree: &self.tree,
            root: self.root,
            rule: &self.rule,
            options: self.options,
            halving: None,
        };
        self.walker.evaluator.moves.clear();
        let simulation = self.walker.simulate(&task);
        let mut hasher = DefaultHasher::new();
        simulation.map(|made| (made.evaluation.result.to_bits(), made.root_edge)).hash(&mut hasher);
        self.walker.evaluator.moves.hash(&mut hasher);
        hasher.finish()
    }
}

/// A position of Go with light playouts.
pub(crate) fn go(game: &Game, knowledge: impl Knowledge + 'static, seed: u64) -> (Go, Playouts<Light>) {
    let parameters = Parameters::default();
    let mut go = Go::new(Box::new(knowledge), parameters.prior_weight, game.size());
    let root = Root::of(game, game.to_move());
    go.set_root(&root);
    let options =
        PlayoutOptions { mercy: parameters.mercy, score_bonus: parameters.score_bonus, stopwatch: None };
    let mut playouts = Playouts::new(Light, Rng::new(seed), options);
    playouts.begin(&root);
    (go, playouts)
}

/// A tiny network with weights that mean nothing, but always the same.
pub(crate) fn network() -> Reader {
    static NETWORK: OnceLock<Reader> = OnceLock::new();
    let make = || {
        let plan = ResidualPlan { head_channels: 4, hidden: 4, ..ResidualPlan::new(1, 8) };
        let mut model = residual("tiny", &plan);
        model.allocate().unwrap();
        let mut rng = Rng::new(1);
        for tensor in model.tensors_mut() {
            tensor.data.iter_mut().for_each(|value| *value += rng.unit() - 0.5);
        }
        Reader::new(&model, Isa::Portable).unwrap()
    };
    NETWORK.get_or_init(make).clone()
}

/// One search's means.
pub(crate) fn resources(threads: usize, tree_bytes: usize, seed: u64) -> Resources {
    Resources { threads, tree_bytes, seed, stopwatch: None, network: Some(network()), gammas: None }
}

/// Nearly over: captures, kos, passes and proofs are part of every simulation.
pub(crate) fn endgame() -> Game {
    let diagram = "
        . X . O .
        X . X O O
        O X X X O
        O O O X .
        . O . O X";
    let board = Diagram::parse(diagram).unwrap().board;
    Game::from_position(board, Color::Black, Rules::named("tromp-taylor").unwrap())
}
