//! Leaves that are judged later, in batches and in any order, by evaluators that may also name the moves: whenever a search
//! stops, every leaf has been settled once, and the tree holds the results and nothing else.

mod support;

use std::collections::{HashMap, HashSet};
use std::ops::AddAssign;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use support::late::{Entry, Late, Manner, Noted};
use support::resources;
use tesuji_board::{Color, Game, KoRule, Rules, Size};
use tesuji_search::select::{Proxied, ProxySwitches, Puct, Scratch, Select, Ucb1, Widened};
use tesuji_search::synthetic::{Coins, Ends, Synthetic, Uniform};
use tesuji_search::tree::{Child, Columns, Edges, NodeId, Tree, Value};
use tesuji_search::{
    Control, Dfuct, DfuctExact, Domain, Evaluation, Evaluator, Expansion, Judged, MoveReport, Moves,
    Parameters, Progress, ProxyUct, Report, Rng, SearchOptions, Searcher, Sharing, Simulation, Simulations,
    Step, Stride, Tactical, Task, ThreadParts, TreeSearch, Uct, Walk, WalkOptions, Walker,
};

const UCB1: Ucb1 = Ucb1 { exploration: 0.5 };
const PUCT: Puct = Puct::PLAIN;

/// What ends of games are worth.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Certainty {
    /// As the domain says: they prove moves.
    Hard,
    /// Half as much: they prove nothing, so that every way to them can be followed.
    Soft,
}

/// A domain that knows its way from the root, and that forbids some moves when they are made, as superko does.
struct Traced<D> {
    domain: D,
    certainty: Certainty,
    way: Vec<u16>,
    kept: Vec<usize>,
}

impl<D: Domain> Domain for Traced<D> {
    fn rewind(&mut self) {
        self.domain.rewind();
        self.way.clear();
    }

    fn play(&mut self, code: u16) -> Step {
        self.way.push(code);
        let hash =
            self.way.iter().fold(0, |hash: u32, &code| (hash + u32::from(code)).wrapping_mul(0x9e37_79b1));
        // A pass and the first move of a synthetic position are always allowed.
        if code > 1 && hash >> 28 == 0 {
            return Step::Forbidden;
        }
        match self.domain.play(code) {
            Step::Over(end) if self.certainty == Certainty::Soft => {
                Step::Over(Evaluation { result: 0.25 + 0.5 * end.result, ..end })
            }
            step => step,
        }
    }

    fn save(&mut self, level: usize) {
        self.domain.save(level);
        self.kept.resize(self.kept.len().max(level + 1), 0);
        self.kept[level] = self.way.len();
    }

    fn restore(&mut self, level: usize) {
        self.domain.restore(level);
        self.way.truncate(self.kept[level]);
    }

    fn moves(&mut self, moves: &mut Moves) {
        self.domain.moves(moves);
    }
}

/// The evaluator within, which knows nothing of ways.
struct Inner<E>(E);

impl<D: Domain, E: Evaluator<D>> Evaluator<Traced<D>> for Inner<E> {
    fn submit(&mut self, traced: &mut Traced<D>, leaf: tesuji_search::Leaf) -> Option<Judged> {
        self.0.submit(&mut traced.domain, leaf)
    }
}

/// A simulation that was settled.
struct Settled {
    simulation: Simulation,
    /// Its way if the evaluator was not asked.
    known_way: Option<Vec<u16>>,
}

/// What happened, to show that the rare things did.
#[derive(Clone, Copy, Debug, Default)]
struct Events {
    settled: usize,
    known: usize,
    forbidden: usize,
    collisions: usize,
    out_of_order: usize,
}

impl AddAssign for Events {
    fn add_assign(&mut self, other: Events) {
        self.settled += other.settled;
        self.known += other.known;
        self.forbidden += other.forbidden;
        self.collisions += other.collisions;
        self.out_of_order += other.out_of_order;
    }
}

type Judge<E> = Late<Noted<Inner<E>>>;

/// Searches as one thread of a search does, until it has found a number of leaves; it may collect sooner than it has to.
fn drive<D: Domain, E: Evaluator<D>, S: Select, W: Walk<S>>(
    walker: &mut Walker<Traced<D>, Judge<E>, W>,
    task: &Task<'_, S>,
    rng: &mut Rng,
    strides: usize,
) -> (Vec<Settled>, Events) {
    let (mut settled, mut events) = (Vec::new(), Events::default());
    let judged = |simulation| Settled { simulation, known_way: None };
    for _ in 0..strides {
        if walker.under_way() < walker.most_under_way::<S>() && rng.below(10) > 0 {
            match walker.step(task) {
                Stride::Settled(simulation) => {
                    let known = simulation.evaluation.network.is_none();
                    let known_way = known.then(|| walker.domain.way.clone());
                    settled.push(Settled { simulation, known_way });
                    events.known += usize::from(known);
                    continue;
                }
                Stride::Submitted => continue,
                Stride::Forbidden => {
                    events.forbidden += 1;
                    continue;
                }
                Stride::Collision => events.collisions += 1,
            }
        }
        match walker.collect(task) {
            Some(simulation) => settled.push(judged(simulation)),
            None => std::thread::yield_now(),
        }
    }
    while let Some(simulation) = walker.collect(task) {
        settled.push(judged(simulation));
    }
    assert_eq!(walker.under_way(), 0);
    walker.leave(task.tree);
    events.settled = settled.len();
    (settled, events)
}

/// Numbers of the entries settled, each exactly once; counts those that were not settled in the order of judging.
fn check_entries(settled: &[Settled], diary: &[Entry], events: &mut Events) {
    let number = |made: &Settled| made.simulation.evaluation.black_score.unwrap() as usize;
    let mut numbers: Vec<usize> =
        settled.iter().filter(|made| made.simulation.evaluation.network.is_some()).map(number).collect();
    events.out_of_order += numbers.windows(2).filter(|pair| pair[0] > pair[1]).count();
    numbers.sort_unstable();
    assert!(numbers.into_iter().eq(0..diary.len()), "a leaf was lost or settled twice");
}

/// Visits and sum of results.
#[derive(Clone, Copy, Default)]
struct Sum(u32, f64);

impl Sum {
    fn add(&mut self, result: f32) {
        self.0 += 1;
        self.1 += f64::from(result);
    }

    #[track_caller]
    fn check(&self, value: Value) {
        assert_eq!(value.visits, self.0);
        // The tree keeps means in 32 bits.
        let mean = if self.0 == 0 { 0.0 } else { self.1 / f64::from(self.0) };
        assert!((f64::from(value.mean) - mean).abs() < 1e-4, "{value:?}, not {mean}");
    }
}

/// What edges should hold, by the way to them.
#[derive(Default)]
struct Expected(HashMap<Vec<u16>, [Sum; 2]>);

impl Expected {
    fn add(&mut self, way: &[u16], result: f32, network: Option<f32>) {
        for depth in 0..way.len() {
            let for_mover = |result: f32| if depth.is_multiple_of(2) { result } else { 1.0 - result };
            let [all, networks] = self.0.entry(way[..=depth].to_vec()).or_default();
            all.add(for_mover(result));
            network.into_iter().for_each(|network| networks.add(for_mover(network)));
        }
    }

    /// Checks the edges of a node and of those below it; the number of edges with visits.
    fn check(&self, tree: &Tree, node: NodeId, way: &mut Vec<u16>) -> usize {
        let edges = tree.edges(node);
        let mut visited = 0;
        for i in 0..edges.len() {
            way.push(edges.code(i));
            let [all, network] = self.0.get(way).copied().unwrap_or_default();
            all.check(edges.value(i));
            network.check(Value::unpack(edges.networks()[i].load(Relaxed)));
            visited += usize::from(edges.value(i).visits > 0);
            if let Child::Node(child) = edges.child(i) {
                visited += self.check(tree, child, way);
            }
            way.pop();
        }
        visited
    }
}

/// Checks that nodes have each move once, that none is still being made, and that no node has more visits than its edge.
fn check_shape(tree: &Tree, node: NodeId) {
    let edges = tree.edges(node);
    let codes: HashSet<u16> = (0..edges.len()).map(|i| edges.code(i)).collect();
    assert_eq!(codes.len(), edges.len(), "a move occurs twice");
    for i in 0..edges.len() {
        match edges.child(i) {
            Child::None => {}
            Child::Expanding => panic!("a node is still being made"),
            Child::Node(child) => {
                assert!(tree.edges(child).visits() <= u64::from(edges.value(i).visits));
                check_shape(tree, child);
            }
        }
    }
}

/// One setting: a tree searched by some threads.
#[derive(Clone, Copy, Debug)]
struct Setting {
    threads: usize,
    manner: Manner,
    certainty: Certainty,
    expand_after: u32,
    seed: u64,
}

impl Setting {
    fn all() -> Vec<Setting> {
        let mut found = Vec::new();
        for (threads, batch) in [1, 2, 4].into_iter().flat_map(|n| [1, 4, 16].map(|batch| (n, batch))) {
            for names_moves in [false, true] {
                for certainty in [Certainty::Hard, Certainty::Soft] {
                    let seed = found.len() as u64;
                    let prompt_percent = if seed.is_multiple_of(3) { 20 } else { 0 };
                    let manner = Manner { batch, prompt_percent, names_moves };
                    let expand_after = [0, 1, 3][seed as usize / 2 % 3];
                    found.push(Setting { threads, manner, certainty, expand_after, seed });
                }
            }
        }
        found
    }

    fn check<D: Domain + Send, E: Evaluator<D> + Send, S: Select, W: Walk<S>>(
        &self,
        parts: impl Fn(u64) -> (D, E),
        rule: &S,
    ) -> Events {
        let walker = |thread: usize| -> Walker<Traced<D>, Judge<E>, W> {
            let (domain, evaluator) = parts(self.seed + thread as u64);
            let domain = Traced { domain, certainty: self.certainty, way: Vec::new(), kept: Vec::new() };
            Walker::new(domain, Late::new(Noted::new(Inner(evaluator)), self.manner, self.seed))
        };
        let tree = Tree::new(64 << 20, S::COLUMNS | Columns::NETWORK);
        let mut walkers: Vec<_> = (0..self.threads).map(walker).collect();
        let root = walkers[0].add_node(&tree).unwrap();
        let most = walkers[0].most_under_way::<S>();
        assert_eq!(most, if W::MANY_LEAVES { self.manner.batch } else { 1 });
        let alone = self.threads == 1 && most == 1;
        let by_evaluator = self.manner.names_moves;
        let options = WalkOptions {
            expand_after: self.expand_after,
            sharing: if alone { Sharing::Alone } else { Sharing::Shared },
            expansion: if by_evaluator { Expansion::ByEvaluator } else { Expansion::ByDomain },
        };
        let task = &Task { tree: &tree, root, rule, options, halving: None };
        let results: Vec<(Vec<Settled>, Events)> = std::thread::scope(|scope| {
            let threads: Vec<_> = walkers
                .iter_mut()
                .zip(self.seed..)
                .map(|(walker, seed)| {
                    let mut rng = Rng::new(seed);
                    let strides = 1 + rng.below(800);
                    scope.spawn(move || drive(walker, task, &mut rng, strides))
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let (mut total, mut by_root_edge) = (Events::default(), vec![Sum::default(); tree.edges(root).len()]);
        let mut expected = Expected::default();
        for ((settled, mut events), walker) in results.into_iter().zip(&walkers) {
            let diary = &walker.evaluator.evaluator().diary;
            check_entries(&settled, diary, &mut events);
            assert!(*walker.evaluator.most_held().lock().unwrap() <= most);
            for Settled { simulation: Simulation { evaluation, root_edge }, known_way } in settled {
                by_root_edge[root_edge].add(evaluation.result);
                let number = evaluation.black_score.unwrap_or_default() as usize;
                let way = known_way.as_ref().unwrap_or_else(|| &diary[number].way);
                expected.add(way, evaluation.result, evaluation.network);
            }
            total += events;
        }
        check_shape(&tree, root);
        by_root_edge.iter().enumerate().for_each(|(i, sum)| sum.check(tree.edges(root).value(i)));
        if self.certainty == Certainty::Soft {
            assert_eq!(expected.check(&tree, root, &mut Vec::new()), expected.0.len());
        }
        total
    }
}

/// Searches all kinds of trees in all settings.
fn check_walk<S: Select, W: Walk<S>>(rule: S) {
    let mut total = Events::default();
    let game = support::endgame();
    for setting in Setting::all() {
        let seed = setting.seed;
        let wide = Uniform { branching: 7, depth: 5, seed, ends: Ends::Chancy };
        let narrow = Uniform { branching: 2, depth: 9, seed, ends: Ends::Certain };
        total += setting.check::<_, _, S, W>(|seed| (Synthetic::new(wide), Coins::new(seed)), &rule);
        total += setting.check::<_, _, S, W>(|seed| (Synthetic::new(narrow), Coins::new(seed)), &rule);
        total += setting.check::<_, _, S, W>(|seed| support::go(&game, Tactical, seed), &rule);
    }
    println!("{}: {total:?}", std::any::type_name::<W>());
    assert!(total.settled > 10_000 && total.known > 1000 && total.forbidden > 0, "{total:?}");
    // Walks with one leaf are in each other's way only by accident.
    assert!(!W::MANY_LEAVES || (total.collisions > 300 && total.out_of_order > 1000), "{total:?}");
}

#[test]
fn uct_settles_every_leaf_once() {
    check_walk::<_, Uct>(Parameters::default().rave());
    check_walk::<_, Uct>(Widened::new(PUCT, 3.0, 1.2));
}

#[test]
fn proxies_settle_every_leaf_once() {
    check_walk::<_, ProxyUct>(Proxied { rule: UCB1, bonus: 0.5, switches: ProxySwitches::default() });
}

#[test]
fn depth_first_walks_settle_every_leaf_once() {
    check_walk::<_, Dfuct>(PUCT);
    check_walk::<_, DfuctExact>(UCB1);
    check_walk::<_, DfuctExact>(Parameters::default().rave());
}

/// Five by five without superko, so that every simulation is a visit.
fn open_game() -> Game {
    let rules = Rules { ko: KoRule::Simple, ..Rules::named("tromp-taylor").unwrap() };
    Game::new(Size::square(5).unwrap(), rules)
}

/// Parameters with which the tree grows quickly. Where the evaluator names the moves, every leaf may wait for its node; a domain would
/// go on to the end of the game.
fn searched(changes: &[(&str, &str)], names_moves: bool) -> Parameters {
    let expand_after = if names_moves { "0" } else { "1" };
    Parameters::with(&[changes, &[("prior", "tactics"), ("expand-after", expand_after)]].concat()).unwrap()
}

/// A search with late evaluators, and views of how many leaves they had at once.
fn late_search<S: Select, W: Walk<S>>(
    parameters: &Parameters,
    rule: &S,
    (threads, manner, seed): (usize, Manner, u64),
) -> (TreeSearch<S, W>, Vec<Arc<Mutex<usize>>>) {
    // The smallest tree: it is pruned again and again.
    let resources = resources(threads, 1, seed);
    let options = SearchOptions {
        tree_bytes: resources.tree_bytes,
        expand_after: parameters.expand_after,
        prior_weight: parameters.prior_weight,
        root_halving: 0,
    };
    let evaluators = parameters.evaluators(&resources).into_iter().zip(seed..);
    let evaluators: Vec<_> = evaluators.map(|(inner, seed)| Late::new(inner, manner, seed)).collect();
    let held = evaluators.iter().map(Late::most_held).collect();
    let parts = evaluators.into_iter().map(|evaluator| ThreadParts {
        knowledge: parameters.knowledge(&resources),
        evaluator: Box::new(evaluator),
    });
    (TreeSearch::new(rule.clone(), options, parts.collect()), held)
}

/// What two searches of a game with a move in between come to, to the last bit.
fn play(search: &mut dyn Searcher) -> (Vec<MoveReport>, Vec<f32>, u32) {
    let mut game = open_game();
    search.search(&game, Color::Black, &Simulations(1500));
    game.play(Color::Black, search.report().moves[0].mv).unwrap();
    search.search(&game, Color::White, &Simulations(1000));
    let report = search.report();
    (report.moves, report.black_ownership, report.effort.prunings)
}

/// Checks that it does not matter when an evaluator with one leaf answers; what the searches come to.
fn check_one_leaf<S: Select, W: Walk<S>>(rule: &S, names_moves: bool) -> Vec<Vec<MoveReport>> {
    let mut found = Vec::new();
    for (playout, replies) in [("light", "none"), ("rules", "lgrf-en-2")] {
        let parameters = searched(&[("playout", playout), ("replies", replies)], names_moves);
        let late = |batch, prompt_percent| {
            let manner = Manner { batch, prompt_percent, names_moves };
            play(&mut late_search::<S, W>(&parameters, rule, (1, manner, 3)).0)
        };
        let at_once = late(1, 100);
        assert!(at_once.2 > 0 || !names_moves, "the tree was pruned");
        assert_eq!(late(1, 0), at_once);
        assert_eq!(late(1, 50), at_once);
        if !W::MANY_LEAVES {
            assert_eq!(late(16, 0), at_once, "one leaf, whatever the evaluator would like");
        }
        if !names_moves {
            let resources = resources(1, 1, 3);
            assert_eq!(play(&mut parameters.tree_search::<S, W>(rule.clone(), &resources)), at_once);
        }
        found.push(at_once.0);
    }
    found
}

#[test]
fn one_leaf_answered_late_is_one_answered_at_once() {
    let rave = Parameters::default().rave();
    for names_moves in [false, true] {
        let uct = check_one_leaf::<_, Uct>(&UCB1, names_moves);
        assert_eq!(check_one_leaf::<_, DfuctExact>(&UCB1, names_moves), uct);
        let uct = check_one_leaf::<_, Uct>(&PUCT, names_moves);
        assert_eq!(check_one_leaf::<_, DfuctExact>(&PUCT, names_moves), uct);
        check_one_leaf::<_, Uct>(&rave, names_moves);
        check_one_leaf::<_, Dfuct>(&rave, names_moves);
        let proxied = Proxied { rule: UCB1, bonus: 0.5, switches: ProxySwitches::default() };
        check_one_leaf::<_, ProxyUct>(&proxied, names_moves);
    }
}

/// When a search stops.
enum Whim {
    /// After exactly so many simulations.
    Limit(u64),
    /// Soon after so many.
    Enough(u64),
    /// When somebody says so.
    Flag(AtomicBool),
}

impl Control for Whim {
    fn should_stop(&self, progress: &Progress) -> bool {
        match self {
            Whim::Limit(_) => false,
            Whim::Enough(simulations) => progress.simulations >= *simulations,
            Whim::Flag(flag) => flag.load(Relaxed),
        }
    }

    fn simulation_limit(&self) -> Option<u64> {
        if let Whim::Limit(limit) = self { Some(*limit) } else { None }
    }
}

/// Searches the same game several times, each time for as long as a whim lasts.
fn check_stops<S: Select, W: Walk<S>>(rule: &S) {
    let game = open_game();
    let mut rng = Rng::new(1);
    let settings = [1, 2, 4].into_iter().flat_map(|threads| {
        let batches = [1, 4, 16].into_iter().flat_map(|batch| [false, true].map(|names| (batch, names)));
        batches.map(move |(batch, names)| (threads, batch, names))
    });
    for (threads, batch, names_moves) in settings {
        let parameters = searched(&[("playout", "light")], names_moves);
        let manner = Manner { batch, prompt_percent: 10, names_moves };
        let (mut search, held) = late_search::<S, W>(&parameters, rule, (threads, manner, 5));
        let mut before = 0;
        for stop in 0..12 {
            let whim = match stop % 3 {
                0 => Whim::Limit(1 + rng.below(300) as u64),
                1 => Whim::Enough(1 + rng.below(300) as u64),
                _ => Whim::Flag(AtomicBool::new(false)),
            };
            std::thread::scope(|scope| {
                if let Whim::Flag(flag) = &whim {
                    let pause = Duration::from_micros(rng.below(5000) as u64);
                    scope.spawn(move || {
                        std::thread::sleep(pause);
                        flag.store(true, Relaxed);
                    });
                }
                search.search(&game, Color::Black, &whim);
            });
            let Report { visits, moves, effort, .. } = search.report();
            assert_eq!(visits, effort.simulations, "{threads} threads, {manner:?}");
            assert_eq!(visits, moves.iter().map(|mv| mv.visits).sum::<u64>());
            match whim {
                Whim::Limit(limit) => assert_eq!(visits - before, limit, "{threads} threads, {manner:?}"),
                // Other threads may have been about to begin simulations, and then met leaves in their way.
                Whim::Enough(simulations) => assert!(visits - before + threads as u64 > simulations),
                Whim::Flag(_) => {}
            }
            before = visits;
        }
        let most = if W::MANY_LEAVES { batch } else { 1 };
        assert!(held.iter().all(|held| *held.lock().unwrap() <= most));
        // Where moves are named, leaves that wait for their names are in the way of others.
        let least = if names_moves { most.min(2) } else { most };
        assert!(held.iter().any(|held| *held.lock().unwrap() >= least), "{threads} threads, {manner:?}");
    }
}

#[test]
fn a_search_that_stops_has_waited_for_its_leaves() {
    check_stops::<_, Uct>(&Parameters::default().rave());
    check_stops::<_, Dfuct>(&UCB1);
    check_stops::<_, DfuctExact>(&PUCT);
}

/// Wants the first move of every position, so that everybody wants the same leaf, and takes its time on the way.
#[derive(Clone)]
struct Drowsy;

impl Select for Drowsy {
    fn choose(&self, _edges: &Edges<'_>, _scratch: &mut Scratch) -> usize {
        std::thread::sleep(Duration::from_micros(10));
        0
    }
}

#[test]
fn leaves_in_the_way_cost_no_simulation() {
    let game = open_game();
    let parameters = searched(&[("playout", "light")], true);
    let manner = Manner { batch: 4, prompt_percent: 0, names_moves: true };
    let (mut search, _) = late_search::<_, Uct>(&parameters, &Drowsy, (4, manner, 5));
    let mut rng = Rng::new(2);
    let mut made = 0;
    for _ in 0..60 {
        let limit = 1 + rng.below(20) as u64;
        search.clear();
        search.search(&game, Color::Black, &Whim::Limit(limit));
        assert_eq!(search.report().visits, limit);
        made += limit;
    }
    let counters = search.counters();
    assert_eq!(counters.simulations, made);
    assert!(counters.collisions > 100, "hardly anybody was in the way: {counters:?}");
}
