//! Walks against each other: exact DFUCT visits the leaves of UCT, plain DFUCT nearly does and costs less.

mod support;

use support::{Trial, resources, walk_options};
use tesuji_board::{Color, Game, Rules, Size};
use tesuji_search::playout::{Light, Playouts};
use tesuji_search::select::{Lines, Prior, Puct, Rave, Scratch, Select, Ucb1};
use tesuji_search::synthetic::{Coins, Ends, Synthetic, Uniform};
use tesuji_search::tree::Edges;
use tesuji_search::{
    Counters, Dfuct, DfuctAudited, DfuctExact, Domain, Evaluation, Evaluator, Go, Judged, Leaf, Moves,
    Parameters, Searcher, Sharing, Simulations, Step, Tactical, Uct, Walk,
};

const UCB1: Ucb1 = Ucb1 { exploration: 1.0 };
const GREEDY_UCB1: Ucb1 = Ucb1 { exploration: 0.3 };
const PUCT: Puct = Puct::PLAIN;
const WIDE_PUCT: Puct = Puct { exploration: 4.0, first_play_reduction: 0.0, ..Puct::PLAIN };

/// Makes two walks simulate side by side; the number of simulations that differed, and what each cost.
fn compare<D: Domain, E: Evaluator<D>, A: Walk<S>, B: Walk<S>, S: Select>(
    domain: impl Fn() -> (D, E),
    rule: &S,
    simulations: usize,
) -> (usize, Counters, Counters) {
    let options = walk_options(3, Sharing::Alone);
    let mut a = Trial::<D, E, S, A>::new(domain(), rule.clone(), options);
    let mut b = Trial::<D, E, S, B>::new(domain(), rule.clone(), options);
    let different = (0..simulations).filter(|_| a.step() != b.step()).count();
    (different, a.walker.counters(), b.walker.counters())
}

#[track_caller]
fn check_exact<D: Domain, E: Evaluator<D>, S: Lines>(
    domain: impl Fn() -> (D, E),
    rule: &S,
    simulations: usize,
) {
    let (different, uct, exact) = compare::<D, E, Uct, DfuctExact, S>(domain, rule, simulations);
    assert_eq!(different, 0, "of {simulations} simulations with {} edges looked at", exact.scans);
    assert!(exact.scans < uct.scans && exact.moves <= uct.moves, "{uct:?} {exact:?}");
}

fn go(board: &Game, seed: u64) -> (Go, Playouts<Light>) {
    support::go(board, Tactical, seed)
}

fn synthetic(shape: Uniform, seed: u64) -> (Synthetic<Uniform>, Coins) {
    (Synthetic::new(shape), Coins::new(seed))
}

fn empty_board(side: usize) -> Game {
    Game::new(Size::square(side).unwrap(), Rules::named("tromp-taylor").unwrap())
}

#[test]
fn exact_dfuct_is_uct_on_small_boards() {
    for seed in 0..5 {
        let board = empty_board(9);
        check_exact(|| go(&board, seed), &UCB1, 20_000);
        check_exact(|| go(&board, seed), &PUCT, 20_000);
    }
    check_exact(|| go(&empty_board(9), 1), &GREEDY_UCB1, 40_000);
    check_exact(|| go(&empty_board(9), 1), &WIDE_PUCT, 40_000);
}

#[test]
fn exact_dfuct_is_uct_on_large_boards() {
    let board = empty_board(19);
    for seed in 0..5 {
        check_exact(|| go(&board, seed), &GREEDY_UCB1, 20_000);
        check_exact(|| go(&board, seed), &PUCT, 20_000);
    }
}

#[test]
fn exact_dfuct_is_uct_among_proofs_and_forbidden_moves() {
    for seed in 0..5 {
        for rule in [UCB1, GREEDY_UCB1] {
            let (different, ..) =
                compare::<_, _, Uct, DfuctExact, _>(|| go(&support::endgame(), seed), &rule, 20_000);
            assert_eq!(different, 0);
        }
        let (different, ..) =
            compare::<_, _, Uct, DfuctExact, _>(|| go(&support::endgame(), seed), &PUCT, 20_000);
        assert_eq!(different, 0);
    }
}

#[test]
fn exact_dfuct_is_uct_whatever_the_branching() {
    for (branching, depth) in [(2, 20), (8, 8), (9, 8), (40, 5), (361, 4)] {
        for seed in 0..5 {
            let shape = Uniform { branching, depth, seed, ends: Ends::Chancy };
            check_exact(|| synthetic(shape, seed), &GREEDY_UCB1, 20_000);
            check_exact(|| synthetic(shape, seed), &PUCT, 20_000);
        }
    }
}

#[test]
fn plain_dfuct_strays_a_little_and_saves_moves() {
    let (mut audited, mut uct) = (Counters::default(), Counters::default());
    for seed in 0..3 {
        let board = empty_board(9);
        let (different, a, b) =
            compare::<_, _, Uct, DfuctAudited, _>(|| go(&board, seed), &GREEDY_UCB1, 20_000);
        assert!(different > 0, "an overtaken second must show sooner or later");
        uct += a;
        audited += b;
        let (different, _, plain) =
            compare::<_, _, DfuctAudited, Dfuct, _>(|| go(&board, seed), &GREEDY_UCB1, 20_000);
        assert_eq!(different, 0, "counting changes nothing");
        assert_eq!((plain.moves, plain.watch.checks), (b.moves, 0));
    }
    let watch = audited.watch;
    let rate = |part: u64, whole: u64| part as f64 / whole as f64;
    let checks = rate(watch.overtaken_checks, watch.checks);
    let conditions = rate(watch.overtaken_conditions, watch.conditions);
    let wrong = rate(audited.wrong_decisions, audited.simulations);
    println!(
        "overtaken: {checks:.4} of checks, {conditions:.4} of conditions; {wrong:.4} of decisions wrong"
    );
    println!("re-expansions: {:.3}", rate(audited.reexpansions, uct.reexpansions));
    assert!(audited.reexpansions < uct.reexpansions);
    assert!(watch.overtaken_checks > 0 && checks < 0.2, "{watch:?}");
    assert!(watch.overtaken_conditions <= watch.conditions && watch.conditions <= watch.checks);
    assert!(audited.wrong_decisions <= watch.wrong_stays && wrong < 0.1, "{audited:?}");
}

#[test]
fn one_shared_thread_is_serial() {
    fn check<W: Walk<S>, S: Select>(rule: S) {
        let board = empty_board(9);
        let trial = |sharing| Trial::<_, _, S, W>::new(go(&board, 1), rule.clone(), walk_options(3, sharing));
        let (mut alone, mut shared) = (trial(Sharing::Alone), trial(Sharing::Shared));
        assert!((0..10_000).all(|_| alone.step() == shared.step()));
    }
    check::<Uct, _>(UCB1);
    check::<Uct, _>(PUCT);
    check::<Uct, _>(Parameters::default().rave());
    // A forced return to the root is no loss to the exact walk, which needs none.
    check::<DfuctExact, _>(UCB1);
    check::<DfuctExact, _>(PUCT);
    check::<DfuctExact, _>(Parameters::default().rave());
}

/// One move in every position: whoever is below the root has no reason to leave.
#[derive(Default)]
struct Trunk {
    moves: Vec<u16>,
    kept: Vec<usize>,
    rewinds: usize,
}

impl Domain for Trunk {
    fn rewind(&mut self) {
        self.moves.clear();
        self.rewinds += 1;
    }

    fn play(&mut self, code: u16) -> Step {
        self.moves.push(code);
        Step::Open
    }

    fn save(&mut self, level: usize) {
        self.kept.resize(level + 1, 0);
        self.kept[level] = self.moves.len();
    }

    fn restore(&mut self, level: usize) {
        self.moves.truncate(self.kept[level]);
    }

    fn moves(&mut self, moves: &mut Moves) {
        if self.moves.len() < 6 {
            moves.push((0, Prior::NONE));
        }
    }
}

/// Calls everything a draw.
struct Draw;

impl Evaluator<Trunk> for Draw {
    fn submit(&mut self, _domain: &mut Trunk, leaf: Leaf) -> Option<Judged> {
        Some(Judged { leaf, evaluation: Evaluation::of_result(0.5) })
    }
}

#[test]
fn a_walk_among_threads_returns_to_the_root_after_32_simulations() {
    fn gaps<W: Walk<Ucb1>>(sharing: Sharing) -> Vec<usize> {
        let mut trial =
            Trial::<Trunk, Draw, Ucb1, W>::new((Trunk::default(), Draw), UCB1, walk_options(3, sharing));
        // Until the trunk has grown and its positions are kept, walks come from the root anyway.
        for _ in 0..200 {
            trial.step();
        }
        let mut returns = Vec::new();
        for simulation in 0..1000 {
            let before = trial.walker.domain.rewinds;
            trial.step();
            if trial.walker.domain.rewinds > before {
                returns.push(simulation);
            }
        }
        returns.windows(2).map(|pair| pair[1] - pair[0]).collect()
    }
    assert!(gaps::<Dfuct>(Sharing::Alone).is_empty() && gaps::<DfuctExact>(Sharing::Alone).is_empty());
    for gaps in [gaps::<Dfuct>(Sharing::Shared), gaps::<DfuctExact>(Sharing::Shared)] {
        // A walk that returns has to come twice before a position is worth keeping.
        assert!(gaps.len() >= 1000 / 34 && gaps.iter().all(|gap| (1..=33).contains(gap)), "{gaps:?}");
        assert!(gaps.iter().any(|&gap| gap > 25), "it stays as long as it may: {gaps:?}");
    }
}

/// `q + c sqrt(ln s / (n + 1))` without any haste.
#[derive(Clone)]
struct Plain {
    exploration: f32,
}

impl Select for Plain {
    fn choose(&self, edges: &Edges<'_>, _scratch: &mut Scratch) -> usize {
        let log = (edges.visits().max(1) as f32).ln();
        let mut best = (f32::NEG_INFINITY, 0);
        for i in 0..edges.len() {
            let value = edges.value(i);
            let known = if value.visits == 0 && value.proven().is_none() { 1.0 } else { value.worth() };
            let score = known + (self.exploration.powi(2) * log / (value.visits as f32 + 1.0)).sqrt();
            if score > best.0 {
                best = (score, i);
            }
        }
        best.1
    }
}

#[test]
fn rave_without_weight_is_uct() {
    let board = empty_board(9);
    let rave = Rave {
        initial_weight: 0.0,
        final_weight: 5000.0,
        exploration: 0.7,
        first_play: 1.0,
        ignored_every: 20,
    };
    let options = walk_options(3, Sharing::Alone);
    let mut with = Trial::<_, _, _, Uct>::new(go(&board, 1), rave, options);
    let mut without = Trial::<_, _, _, Uct>::new(go(&board, 1), Plain { exploration: 0.7 }, options);
    let mut exact = Trial::<_, _, _, DfuctExact>::new(go(&board, 1), rave, options);
    for i in 0..10_000 {
        let step = without.step();
        assert_eq!((with.step(), exact.step()), (step, step), "simulation {i}");
    }
}

/// Light playouts and priors from tactics.
fn parameters() -> Parameters {
    Parameters::with(&[("playout", "light"), ("prior", "tactics")]).unwrap()
}

#[test]
fn dfuct_searches_with_threads_and_within_its_memory() {
    fn check<S: Lines, W: Walk<S>>(rule: S) {
        for threads in [1, 2, 3] {
            let parameters = Parameters { expand_after: 1, ..parameters() };
            let mut search = parameters.tree_search::<S, W>(rule.clone(), &resources(threads, 2 << 20, 1));
            search.search(&empty_board(9), Color::Black, &Simulations(10_001));
            let report = search.report();
            assert!(report.effort.prunings > 0);
            assert_eq!((report.visits, report.effort.simulations), (10_001, 10_001), "{threads} threads");
            assert_eq!(search.counters().simulations, 10_001);
        }
    }
    check::<_, Dfuct>(UCB1);
    check::<_, DfuctExact>(UCB1);
    check::<_, DfuctExact>(PUCT);
    check::<_, Dfuct>(Parameters::default().rave());
    check::<_, DfuctExact>(Parameters::default().rave());
}
