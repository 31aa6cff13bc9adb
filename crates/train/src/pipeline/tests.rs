use super::play::{Turn, worth};
use super::reinforce::leave_out;
use super::*;
use crate::network::{Network, Normalization};
use crate::sample::{GameEnd, GameSample};
use crate::target::LEFT_OUT;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tesuji_board::{Color, Move, Rules, Size};
use tesuji_net::input::Turns;
use tesuji_net::model::{Model, ResidualPlan, paper_policy, residual};
use tesuji_net::{Isa, Reader};

fn network(seed: u64) -> Model {
    let plan = ResidualPlan { head_channels: 4, hidden: 6, ..ResidualPlan::new(1, 8) };
    let network = Network::new(&residual("test", &plan), Normalization::Batch).unwrap();
    network.export(&network.initial_parameters(seed), &network.initial_statistics())
}

/// A network that likes some moves: fresh ones hardly do.
fn opinionated(seed: u64) -> Model {
    let mut model = network(seed);
    for tensor in model.tensors_mut().into_iter().filter(|tensor| tensor.name == "policy.out.weights") {
        tensor.data.iter_mut().for_each(|weight| *weight *= 30.0);
    }
    model
}

fn reader(model: &Model) -> Reader {
    Reader::new(model, Isa::best_exact()).unwrap()
}

fn play() -> PolicyPlay {
    PolicyPlay {
        size: Size::square(5).unwrap(),
        rules: Rules { komi: 0.5, ..Rules::named("cgos").unwrap() },
        temperature: 1.0,
        seed: 4,
        threads: 1,
        together: 8,
    }
}

#[test]
fn games_depend_on_their_number_alone_and_end_when_nothing_is_left_to_do() {
    let readers = [1, 2].map(|seed| reader(&opinionated(seed)));
    let never = AtomicBool::new(false);
    let games = |play: PolicyPlay, first: u64| {
        let turn = |number: u64, game: &tesuji_board::Game| match (number + game.move_number() as u64) % 3 {
            0 => Turn::Chance,
            rest => Turn::Policy(rest as usize - 1),
        };
        play.games(&[&readers[0], &readers[1]], first..20, &turn, &never).unwrap()
    };
    let all = games(play(), 0);
    assert_eq!(all.len(), 20);
    assert_eq!(games(PolicyPlay { threads: 3, together: 2, ..play() }, 0), all);
    assert_eq!(games(play(), 13), all[13..]);
    assert_ne!(games(PolicyPlay { seed: 5, ..play() }, 0), all);
    let mut winners = [0, 0];
    for sample in &all {
        assert_eq!(sample.clone().make_legal(), Ok(()));
        let GameEnd::Score(lead) = sample.end else { panic!("{:?}", sample.end) };
        let owned: f32 = sample.black_ownership.iter().map(|&owner| f32::from(owner)).sum();
        assert_eq!(lead, owned - 0.5);
        assert_eq!(worth(sample, Color::Black), -worth(sample, Color::White));
        winners[usize::from(lead > 0.0)] += 1;
        let ends = sample.moves.iter().rev().take(2).all(|&(_, mv)| mv == Move::Pass);
        assert!(ends || sample.moves.len() == 75, "{} moves", sample.moves.len());
    }
    assert!(winners.iter().all(|&games| games > 0), "{winners:?}");
    let stop = AtomicBool::new(true);
    let stopped = play().games(&[&readers[0]], 0..3, &|_, _| Turn::Policy(0), &stop);
    assert_eq!(stopped, Err(Stopped::Interrupted));
}

#[test]
fn each_game_shows_the_position_after_its_random_move() {
    let (first, second) = (reader(&opinionated(1)), reader(&opinionated(2)));
    let plan = ValuePlan { play: play(), latest: 10 };
    let never = AtomicBool::new(false);
    let all = value_games(&plan, &first, &second, 0..40, &never).unwrap();
    let more = ValuePlan { play: PolicyPlay { threads: 2, together: 3, ..plan.play }, ..plan };
    assert_eq!(value_games(&more, &first, &second, 0..40, &never).unwrap(), all);
    assert_eq!(value_games(&plan, &first, &second, 31..40, &never).unwrap(), all[31..]);
    let mut turns = Vec::new();
    for sample in &all {
        let [label] = sample.labels.as_slice() else { panic!("{} labels", sample.labels.len()) };
        assert!((1..=10).contains(&label.turn) && !label.policy.is_empty() && label.outcome.is_none());
        turns.push(label.turn);
    }
    turns.sort_unstable();
    turns.dedup();
    assert!(turns.len() > 5);
    // Another policy after the random move changes what comes after it, and nothing before.
    let other = value_games(&plan, &first, &first, 0..40, &never).unwrap();
    let shown = |sample: &GameSample| sample.moves[..usize::from(sample.labels[0].turn)].to_vec();
    assert!(all.iter().zip(&other).all(|(a, b)| shown(a) == shown(b)));
    assert!(all.iter().zip(&other).filter(|(a, b)| a.moves != b.moves).count() > 20);
}

fn plan() -> ReinforcePlan {
    ReinforcePlan {
        play: PolicyPlay { threads: 2, together: 16, ..play() },
        games: 16,
        batch: 96,
        rate: 0.003,
        pool_every: 3,
        examine_every: 5,
        examined: 20,
    }
}

#[test]
fn a_policy_that_is_stopped_again_and_again_learns_the_same() {
    const ITERATIONS: u64 = 10;
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let start = network(1);
    let go_on = |root: &Path, plan: ReinforcePlan, rows: u64| {
        let stop = AtomicBool::new(false);
        let mut seen = 0;
        Reinforce::open(root, plan, &start).unwrap().run(ITERATIONS, Duration::from_secs(9), &stop, |_| {
            seen += 1;
            stop.store(seen >= rows, Ordering::Relaxed);
        })
    };
    assert!(go_on(whole.path(), plan(), u64::MAX).unwrap());
    let fewer = ReinforcePlan { play: PolicyPlay { threads: 1, together: 3, ..plan().play }, ..plan() };
    let mut stops = 0;
    while !go_on(parts.path(), fewer, 3).unwrap() {
        stops += 1;
        // As after a kill between two files: rows that the checkpoint does not know.
        let path = parts.path().join("rows.jsonl");
        let mut text = fs::read_to_string(&path).unwrap();
        let last = text.lines().last().unwrap();
        text += &last.replacen(&format!("\"iteration\":{}", 3 * stops), "\"iteration\":99", 1);
        fs::write(&path, text + "\n").unwrap();
    }
    assert_eq!(stops, 3);
    for name in ["curve.csv", "net.safetensors", "pool/000000.safetensors", "pool/000009.safetensors"] {
        let read = |root: &Path| fs::read(root.join(name)).unwrap();
        assert_eq!(read(parts.path()), read(whole.path()), "{name}");
    }
    let table = fs::read_to_string(whole.path().join("curve.csv")).unwrap();
    assert_eq!(table.lines().count() as u64, 1 + ITERATIONS);
    let fields = |line: &str| line.split(',').count();
    assert!(table.lines().all(|line| fields(line) == 8));

    let other = ReinforcePlan { rate: 0.1, ..plan() };
    assert!(matches!(Reinforce::open(whole.path(), other, &start), Err(ReinforceError::OtherPlan(_))));
    let refused = Reinforce::open(whole.path(), plan(), &network(2));
    assert!(matches!(refused, Err(ReinforceError::OtherPlan(_))), "other weights to begin with");
}

/// After three moves of Black around the corner and two passes of White: Black's own eye, stones and the pass are out of the question, on a turned board too.
#[test]
fn what_is_never_drawn_is_left_out_of_the_loss() {
    let size = Size::square(5).unwrap();
    let point = |name: &str| Move::from_gtp(name, size).unwrap();
    let moves = ["A4", "pass", "B5", "pass", "B4", "pass"].map(point);
    let colors = [Color::Black, Color::White].into_iter().cycle();
    let sample = GameSample { moves: colors.zip(moves).collect(), ..GameSample::new(size, play().rules) };
    for number in 0..8 {
        let turns = Turns::of(size);
        let mut policy = vec![0.0; 26];
        leave_out(&sample, 6, turns.get(number), &mut policy);
        let place =
            |name: &str| usize::from(turns.get(number).places()[size.ordinal(point(name).point().unwrap())]);
        let mut expected = vec![0.0; 26];
        for at in ["A5", "A4", "B5", "B4"].map(place).into_iter().chain([25]) {
            expected[at] = LEFT_OUT;
        }
        assert_eq!(policy, expected, "turned by {number}");
    }
}

#[test]
fn winning_teaches_something() {
    let root = tempfile::tempdir().unwrap();
    let plan =
        ReinforcePlan { games: 64, batch: 512, rate: 0.004, examine_every: 40, examined: 200, ..plan() };
    let mut run = Reinforce::open(root.path(), plan, &network(1)).unwrap();
    let never = AtomicBool::new(false);
    assert!(run.run(40, Duration::from_secs(99), &never, |_| ()).unwrap());
    let [wins, draws, losses] = run.rows()[39].trial.unwrap();
    assert_eq!(wins + draws + losses, 200);
    // 100 is what chance gives, with a standard deviation of 7.
    assert!(wins > 135, "{wins} wins of 200");
}

#[test]
fn the_papers_policy_plays_and_learns_too() {
    let root = tempfile::tempdir().unwrap();
    // Three of its twelve layers teach a test as much.
    let mut model = paper_policy(5, 5);
    model.trunk.blocks.truncate(2);
    let network = Network::new(&model, Normalization::Fixed).unwrap();
    let start = network.export(&network.initial_parameters(1), &network.initial_statistics());
    let plan = ReinforcePlan { games: 4, batch: 8, pool_every: 1, examined: 2, examine_every: 2, ..plan() };
    let mut run = Reinforce::open(root.path(), plan, &start).unwrap();
    assert!(run.run(2, Duration::from_secs(99), &AtomicBool::new(false), |_| ()).unwrap());
    // Where all games went alike there is nothing to learn.
    assert!(run.rows()[1].trial.is_some() && run.rows().iter().any(|row| row.gradient > 0.0));
}
