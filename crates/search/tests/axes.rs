//! The axes: every combination of choices searches or says why not, each choice matters somewhere, and what is switched off on
//! one axis is off whatever the others are.

mod support;

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use support::resources;
use tesuji_board::{Color, Diagram, Game, Rules};
use tesuji_search::recipe::{
    Choice, PlayoutChoice, PriorChoice, ReplyChoice, RuleChoice, ValueChoice, WalkChoice,
};
use tesuji_search::select::{ProxyPlace, Rave, Scratch, Select};
use tesuji_search::tree::Edges;
use tesuji_search::{
    DfuctExact, MoveReport, PARAMETERS, Parameters, Refusal, Report, Searcher, Simulations, Uct,
};

/// One choice on each axis.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Combination {
    walk: WalkChoice,
    rule: RuleChoice,
    widening: bool,
    playout: PlayoutChoice,
    replies: ReplyChoice,
    prior: PriorChoice,
    value: ValueChoice,
}

/// The choices of a combination by name.
type Names = [&'static str; 7];

fn all<T: Choice>() -> impl Iterator<Item = T> + Clone {
    T::ALL.iter().map(|&(_, choice)| choice)
}

impl Combination {
    fn all() -> Vec<Combination> {
        let mut found = Vec::new();
        for (walk, rule) in all().flat_map(|walk| all().map(move |rule| (walk, rule))) {
            for (widening, playout) in [false, true].into_iter().flat_map(|w| all().map(move |p| (w, p))) {
                for (replies, prior) in all().flat_map(|replies| all().map(move |prior| (replies, prior))) {
                    let with = |value| Combination { walk, rule, widening, playout, replies, prior, value };
                    found.extend(all().map(with));
                }
            }
        }
        found
    }

    fn names(&self) -> Names {
        let widening = if self.widening { "widened" } else { "not widened" };
        let (walk, rule) = (self.walk.name(), self.rule.name());
        let (playout, replies) = (self.playout.name(), self.replies.name());
        [walk, rule, widening, playout, replies, self.prior.name(), self.value.name()]
    }

    /// The tree grows quickly, so that few simulations show what a walk does below the root.
    fn parameters(&self) -> Parameters {
        let &Combination { walk, rule, widening, playout, replies, prior, value } = self;
        Parameters {
            walk,
            rule,
            widening,
            playout,
            replies,
            prior,
            value,
            expand_after: 1,
            ucb_exploration: 0.4,
            widening_start: 2.0,
            ..Parameters::default()
        }
    }

    fn outcome(&self, simulations: u64) -> Result<Outcome, Refusal> {
        outcome(&self.parameters(), simulations)
    }
}

/// What a search came to, to the last bit.
#[derive(Debug, PartialEq)]
struct Outcome {
    simulations: u64,
    visits: u64,
    moves: Vec<MoveReport>,
    black_ownership: Vec<f32>,
}

impl From<Report> for Outcome {
    fn from(report: Report) -> Outcome {
        let Report { visits, moves, black_ownership, .. } = report;
        Outcome { simulations: report.effort.simulations, visits, moves, black_ownership }
    }
}

/// Contact fights and a ko on a small board.
fn game() -> Game {
    let diagram = "
        . . . . .
        . X O . .
        X . X O .
        . X O . .
        . . . . .";
    let board = Diagram::parse(diagram).unwrap().board;
    let rules = Rules { komi: 0.5, ..Rules::named("tromp-taylor").unwrap() };
    Game::from_position(board, Color::Black, rules)
}

fn run(searcher: &mut dyn Searcher, simulations: u64) -> Outcome {
    let game = game();
    searcher.search(&game, game.to_move(), &Simulations(simulations));
    searcher.report().into()
}

fn outcome(parameters: &Parameters, simulations: u64) -> Result<Outcome, Refusal> {
    parameters.searcher(&resources(1, 1, 7)).map(|mut searcher| run(&mut *searcher, simulations))
}

/// Does something to each item, on two threads.
fn for_all<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut results = Vec::new();
        while let Some(item) = items.get(next.fetch_add(1, Relaxed)) {
            results.push(work(item));
        }
        results
    };
    std::thread::scope(|scope| {
        let helper = scope.spawn(worker);
        let mine = worker();
        mine.into_iter().chain(helper.join().unwrap()).collect()
    })
}

/// A refusal is for people: it says which parameter to change.
#[track_caller]
fn check_sentence(refusal: Refusal) {
    let sentence = refusal.to_string();
    let names_one = PARAMETERS.iter().any(|parameter| sentence.contains(&format!("{}=", parameter.name)));
    assert!(names_one && sentence.contains(' '), "{sentence:?}");
}

const SIMULATIONS: u64 = 80;

#[test]
fn every_combination_searches_or_says_why_not() {
    let combinations = Combination::all();
    let results = for_all(&combinations, |combination| {
        let outcome = match (combination.outcome(SIMULATIONS), combination.parameters().check()) {
            (Ok(outcome), Ok(())) => outcome,
            (Err(refusal), Err(foreseen)) if refusal == foreseen => {
                check_sentence(refusal);
                return (combination.names(), None);
            }
            (made, checked) => panic!("{combination:?}: {:?} but {checked:?}", made.err()),
        };
        // The flat search makes as many simulations for every move.
        let rounds = if combination.walk == WalkChoice::Flat { outcome.moves.len() as u64 } else { 1 };
        assert_eq!(outcome.simulations, SIMULATIONS.next_multiple_of(rounds), "{combination:?}");
        // A simulation that meets a repetition is no visit.
        let met = outcome.simulations - outcome.visits;
        assert!(met < SIMULATIONS / 20, "{combination:?}: {met} repetitions");
        assert_eq!(outcome.moves.iter().map(|mv| mv.visits).sum::<u64>(), outcome.visits);
        assert_eq!(combination.outcome(SIMULATIONS).as_ref(), Ok(&outcome), "{combination:?}");
        (combination.names(), Some(outcome))
    });
    let refused = results.iter().filter(|(_, outcome)| outcome.is_none()).count();
    println!("{} combinations, {refused} refused", combinations.len());
    assert_eq!(results.len(), combinations.len());
    check_choices_matter(
        results.into_iter().filter_map(|(names, outcome)| Some((names, outcome?))).collect(),
    );
}

/// Two choices on an axis differ in some combination, or one of them is not plugged in.
fn check_choices_matter(outcomes: HashMap<Names, Outcome>) {
    let choices: [BTreeSet<&str>; 7] =
        std::array::from_fn(|axis| outcomes.keys().map(|names| names[axis]).collect());
    let mut different = HashMap::new();
    for (names, outcome) in &outcomes {
        for (axis, choices) in choices.iter().enumerate() {
            for &other in choices.iter().filter(|&&other| other > names[axis]) {
                let mut changed = *names;
                changed[axis] = other;
                let differs = outcomes.get(&changed).is_some_and(|changed| changed.moves != outcome.moves);
                *different.entry((axis, names[axis], other)).or_insert(0) += usize::from(differs);
            }
        }
    }
    for (pair, count) in different {
        let alike = pair == (4, ReplyChoice::Counted.name(), ReplyChoice::None.name());
        assert_eq!(count > 0, !alike, "{pair:?} differ in {count} combinations");
    }
}

/// Checks that what `change` does to a combination that `wanted` takes does not change what a search finds.
fn check_same(wanted: fn(&Combination) -> bool, change: fn(&mut Parameters), simulations: u64) {
    // Without playouts nothing here judges a leaf.
    let has_playouts = |combination: &Combination| combination.playout != PlayoutChoice::None;
    let combinations: Vec<_> = Combination::all().into_iter().filter(has_playouts).filter(wanted).collect();
    let compared = for_all(&combinations, |combination| {
        let mut parameters = combination.parameters();
        change(&mut parameters);
        match (combination.outcome(simulations), outcome(&parameters, simulations)) {
            (Ok(plain), Ok(changed)) => assert_eq!(changed, plain, "{combination:?}"),
            results => panic!("{combination:?}: {:?} {:?}", results.0.err(), results.1.err()),
        }
    });
    assert!(!compared.is_empty());
}

#[test]
fn exact_depth_first_search_is_uct() {
    check_same(
        |plain| {
            let foreseen = matches!(plain.rule, RuleChoice::Ucb1 | RuleChoice::Puct) && !plain.widening;
            plain.walk == WalkChoice::Uct && foreseen
        },
        |parameters| parameters.walk = WalkChoice::DfuctExact,
        300,
    );
}

#[test]
fn replies_that_are_only_counted_are_none() {
    check_same(
        |plain| plain.replies == ReplyChoice::None && plain.parameters().check().is_ok(),
        |parameters| parameters.replies = ReplyChoice::Counted,
        300,
    );
}

#[test]
fn proxies_nowhere_are_uct() {
    check_same(
        |plain| plain.walk == WalkChoice::Uct && plain.replies == ReplyChoice::None,
        |parameters| {
            parameters.walk = WalkChoice::Proxy;
            parameters.proxy_place = ProxyPlace::Nowhere;
        },
        300,
    );
}

/// UCB1 as RAVE without all-moves-as-first results has it: `q + c sqrt(ln s / (n + 1))`, and 1 for an untried move.
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
    let exploration = 0.7;
    let (plain, weightless) = (Plain { exploration }, Rave { initial_weight: 0.0, ..rave(exploration) });
    let combinations: Vec<_> = Combination::all()
        .into_iter()
        .filter(|other| other.playout != PlayoutChoice::None)
        .filter(|other| other.walk == WalkChoice::Uct && other.rule == RuleChoice::Rave && !other.widening)
        .collect();
    let weighty = for_all(&combinations, |combination| {
        let (parameters, resources) = (combination.parameters(), resources(1, 1, 7));
        let expected = run(&mut parameters.tree_search::<_, Uct>(plain.clone(), &resources), 200);
        let found = run(&mut parameters.tree_search::<_, Uct>(weightless, &resources), 200);
        assert_eq!(found, expected, "{combination:?}");
        let found = run(&mut parameters.tree_search::<_, DfuctExact>(weightless, &resources), 200);
        assert_eq!(found, expected, "depth first {combination:?}");
        run(&mut parameters.tree_search::<_, Uct>(rave(exploration), &resources), 200) != expected
    });
    assert!(!weighty.is_empty() && weighty.into_iter().all(|differs| differs), "a weight matters");
}

fn rave(exploration: f32) -> Rave {
    Rave { exploration, ..Parameters::default().rave() }
}

/// A refinement changes a search wherever its parameter is used and not refused, and nothing elsewhere; the same seed gives the same search.
#[test]
fn refinements_change_what_they_are_used_in_and_nothing_else() {
    let refinements = [("proof-bonus", "0.5"), ("puct-spread", "0.85"), ("bias-correction", "0.45")];
    let combinations: Vec<_> = Combination::all()
        .into_iter()
        .filter(|plain| plain.replies == ReplyChoice::None && plain.parameters().check().is_ok())
        .collect();
    let results = for_all(&combinations, |combination| {
        let plain = combination.outcome(200).unwrap();
        refinements.map(|(name, value)| {
            let mut refined = combination.parameters();
            refined.set(name, value).unwrap();
            if let Err(refusal) = refined.check() {
                check_sentence(refusal);
                return [0, 0, 1];
            }
            let found = outcome(&refined, 200).unwrap();
            assert_eq!(outcome(&refined, 200).as_ref(), Ok(&found), "{name} {combination:?}");
            let is_used = refined.used().any(|(used, _)| used == name);
            assert!(is_used || found == plain, "{name} is not used in {combination:?}");
            [usize::from(is_used), usize::from(found != plain), 0]
        })
    });
    for (i, (name, _)) in refinements.iter().enumerate() {
        let count = |of: usize| results.iter().map(|result| result[i][of]).sum::<usize>();
        let (used, changed, refused) = (count(0), count(1), count(2));
        println!("{name}: used in {used} combinations, changed {changed}, refused {refused}");
        assert!(used > 0 && 10 * changed >= 9 * used, "{name} changed {changed} of {used}");
        assert_eq!(refused > 0, *name == "proof-bonus");
    }
}
