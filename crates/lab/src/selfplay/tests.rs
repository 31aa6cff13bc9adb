use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::*;
use crate::checksum::Checksum;
use crate::job::{Builds, JobStore, LogStore, Workforce};
use tesuji_board::{Color, Size};
use tesuji_net::model::{Model, ResidualPlan, residual};
use tesuji_search::Rng;
use tesuji_train::run::Pace;
use tesuji_train::sample::{GameEnd, GameSample, read_samples};

/// Stores in directories of this machine.
struct Here;

impl Depot for Here {
    fn store(&mut self, directory: &Path) -> Result<Box<dyn JobStore>, SelfPlayError> {
        Ok(Box::new(LogStore::in_directory(directory)))
    }

    fn share(&mut self, _path: &Path, _checksum: &Checksum) -> Result<(), SelfPlayError> {
        Ok(())
    }
}

fn small_plan() -> Plan {
    let mut plan = Plan::new(Size::square(5).unwrap());
    plan.game.rules.komi = 1.0;
    plan.game.full_visits = 12;
    plan.game.cheap_visits = 3;
    plan.games = 12;
    plan.learning.batch = 32;
    plan.learning.rate = 0.003;
    plan.learning.has_batch_norm = true;
    plan.learning.validation = 100;
    plan.learning.first_window = 300;
    plan.gate.visits = 4;
    plan.gate.pairs = 6;
    plan.gate.elo1 = 400.0;
    plan
}

fn network() -> Result<Model, SelfPlayError> {
    let plan = ResidualPlan { head_channels: 4, hidden: 6, ..ResidualPlan::new(1, 8) };
    Ok(random_network(&residual("test", &plan), 3)?)
}

/// Goes on until there are so many cycles, or for so many events.
fn go_on(root: &Path, plan: &Plan, cycles: u64, threads: usize, events: usize) -> Result<(), SelfPlayError> {
    let stop = AtomicBool::new(false);
    let mut crew = Crew {
        depot: &mut Here,
        workforce: Workforce::Threads(threads),
        build: "test",
        builds: Builds::Same,
        retry: false,
        pace: Pace { threads, checkpoint_every: Duration::ZERO },
        stop: &stop,
    };
    let mut seen = 0;
    Service::open(root, plan.clone(), network)?.run(cycles, &mut crew, &mut |_| {
        seen += 1;
        stop.store(seen >= events, Ordering::Relaxed);
    })
}

fn games(root: &Path, cycle: u64) -> Vec<GameSample> {
    let mut games = Vec::new();
    let path = root.join(format!("games/{cycle:05}.games"));
    assert_eq!(read_samples(&path, |game| games.push(game)).unwrap(), None);
    games
}

#[test]
fn a_run_that_is_stopped_again_and_again_comes_to_the_same_table() {
    const CYCLES: u64 = 3;
    let plan = small_plan();
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    go_on(whole.path(), &plan, CYCLES, 2, usize::MAX).unwrap();
    let mut rng = Rng::new(5);
    let mut stops = 0;
    loop {
        match go_on(parts.path(), &plan, CYCLES, 1 + rng.below(2), 1 + rng.below(9)) {
            Ok(()) => break,
            Err(SelfPlayError::Interrupted) => stops += 1,
            Err(error) => panic!("{error}"),
        }
    }
    assert!(stops >= 5, "{stops}");
    let table = |root: &Path| fs::read_to_string(root.join("table.csv")).unwrap();
    assert_eq!(table(parts.path()), table(whole.path()));
    assert_eq!(table(whole.path()).lines().count() as u64, 1 + CYCLES);
    for cycle in 1..=CYCLES {
        let all = games(whole.path(), cycle);
        assert_eq!(all.len(), 12);
        assert_eq!(games(parts.path(), cycle), all);
    }
    for root in [whole.path(), parts.path()] {
        assert_eq!(fs::read_dir(root.join("jobs")).unwrap().count(), 0, "jobs that are done are gone");
    }
    let last = |root: &Path| fs::read(root.join("train/net.safetensors")).unwrap();
    assert_eq!(last(parts.path()), last(whole.path()));

    // Another plan in the same directory is refused.
    let other = Plan { seed: 2, ..plan.clone() };
    let refused = go_on(whole.path(), &other, CYCLES, 1, usize::MAX);
    assert!(matches!(refused, Err(SelfPlayError::OtherPlan(_))));
}

#[test]
fn games_have_what_a_network_learns_from() {
    let root = tempfile::tempdir().unwrap();
    let mut plan = small_plan();
    plan.games = 60;
    // A fresh network is never surer than this.
    plan.game.resign_below = 0.5;
    // The games of a cycle are on the disk when learning begins.
    let stop = AtomicBool::new(false);
    let mut crew = Crew {
        depot: &mut Here,
        workforce: Workforce::Threads(2),
        build: "test",
        builds: Builds::Same,
        retry: false,
        pace: Pace { threads: 1, checkpoint_every: Duration::from_secs(1) },
        stop: &stop,
    };
    let ended = Service::open(root.path(), plan.clone(), network).unwrap().run(1, &mut crew, &mut |event| {
        if matches!(event, Event::Learning(..)) {
            stop.store(true, Ordering::Relaxed);
        }
    });
    assert!(matches!(ended, Err(SelfPlayError::Interrupted)));
    let all = games(root.path(), 1);
    let (mut full, mut labels, mut komis, mut counted, mut resigned) = (0, 0, Vec::new(), 0, 0);
    for game in &all {
        assert_eq!(game.clone().make_legal(), Ok(()));
        labels += game.labels.len();
        full += game.labels.iter().filter(|label| !label.policy.is_empty()).count();
        assert!(game.labels.iter().all(|label| label.outcome.is_some()));
        komis.push(game.rules.komi.to_bits());
        match game.end {
            GameEnd::Score(lead) => {
                counted += 1;
                let owned: f32 = game.black_ownership.iter().map(|&owner| f32::from(owner)).sum();
                assert_eq!(owned - game.rules.komi, lead);
            }
            GameEnd::Win(_) => {
                resigned += 1;
                assert!(game.black_ownership.is_empty());
            }
            end => panic!("{end:?}"),
        }
    }
    komis.sort_unstable();
    komis.dedup();
    assert_eq!(all.len(), 60);
    assert!(komis.len() > 3 && counted > 5 && resigned > 5, "{} {counted} {resigned}", komis.len());
    // A quarter, within five standard deviations.
    let (share, spread) = (full as f64 / labels as f64, 5.0 * (0.25 * 0.75 / labels as f64).sqrt());
    assert!((share - 0.25).abs() < spread, "{full} of {labels}");
}

#[test]
fn a_gate_counts_pairs_in_their_order_and_no_further_than_it_must() {
    let plan = GatePlan { visits: 1, pairs: 100, opening_plies: 0, elo0: 0.0, elo1: 100.0 };
    let mut games = vec![None; 200];
    assert_eq!(plan.verdict(&games), None);
    games[2..].fill(Some(2));
    assert_eq!(plan.verdict(&games), None, "the first pair is not there yet");
    games[..2].fill(Some(1));
    let verdict = plan.verdict(&games).unwrap();
    assert!(verdict.is_promoted && verdict.losses == 0 && verdict.wins < 60, "{verdict:?}");
    // What comes later does not matter.
    let used = (verdict.wins + verdict.draws) as usize;
    games[used..].fill(Some(0));
    assert_eq!(plan.verdict(&games), Some(verdict));
    games.truncate(used);
    assert_eq!(plan.verdict(&games), Some(verdict));
    let lost = plan.verdict(&[Some(0); 200]).unwrap();
    assert!(!lost.is_promoted && lost.losses < 60 && lost.elo() < -200.0, "{lost:?}");
    // Without a decision the likelier hypothesis counts.
    let even: Vec<_> = [Some(2), Some(0)].into_iter().cycle().take(20).collect();
    assert!(!plan.verdict(&even).unwrap().is_promoted);
}

#[test]
fn the_window_grows_more_slowly_than_the_games() {
    let learning = Plan::new(Size::square(9).unwrap()).learning;
    let first = learning.first_window;
    assert_eq!(learning.window(first / 2), first / 2);
    assert_eq!(learning.window(first), first);
    let (four, sixteen) = (learning.window(4 * first), learning.window(16 * first));
    assert!(first < four && four < 2 * first && four < sixteen && sixteen < 6 * first, "{four} {sixteen}");
    assert_eq!(learning.steps(0), 1);
}

#[test]
fn findings_that_are_no_games_are_not_taken() {
    let plan = small_plan().game;
    let finding =
        |sample: &str| PlayFinding { sample: sample.to_owned(), simulations: 1, right_to_resign: None };
    let hex =
        |game: &GameSample| game.to_bytes().iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let mut game = GameSample::new(plan.size, plan.rules);
    assert!(finding(&hex(&game)).game(&plan).is_some());
    let corner = tesuji_board::Move::Play(plan.size.point(0, 0).unwrap());
    game.moves = vec![(Color::Black, corner), (Color::White, corner)];
    assert!(finding(&hex(&game)).game(&plan).is_none(), "an illegal move");
    let other = GameSample::new(Size::square(9).unwrap(), plan.rules);
    for text in ["", "zz", "0", "é", &hex(&other)] {
        assert!(finding(text).game(&plan).is_none(), "{text}");
    }
}
