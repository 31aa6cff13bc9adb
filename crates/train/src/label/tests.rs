use super::*;
use crate::kernel::noise;
use crate::sample::{GameEnd, GameSample};
use std::sync::atomic::{AtomicBool, Ordering};
use tesuji_board::{Color, Game, Move, Rules, Size};
use tesuji_net::input::{Encoder, Layout, Line, Planes, Turns};
use tesuji_net::model::{Model, ResidualPlan, paper_policy, residual};
use tesuji_net::output::{Decoder, Evaluation, Logits, Question};
use tesuji_net::reference::evaluate;
use tesuji_net::{Isa, Reader};

/// A small network of noise, strong enough to have opinions.
fn network() -> Model {
    let plan = ResidualPlan { head_channels: 4, hidden: 6, ..ResidualPlan::new(2, 8) };
    let mut model = residual("test", &plan);
    model.allocate().unwrap();
    for (seed, tensor) in (1..).zip(model.tensors_mut()) {
        let scale = (3.0 / tensor.shape.iter().rev().skip(1).product::<usize>().max(4) as f32).sqrt();
        let fresh = noise(tensor.data.len(), seed);
        tensor.data.iter_mut().zip(fresh).for_each(|(value, noise)| *value += scale * noise);
    }
    model
}

fn size() -> Size {
    Size::square(5).unwrap()
}

/// All games, by number.
fn run(plan: &Plan<'_>, wanted: &Wanted, threads: usize, together: usize) -> Vec<(usize, GameSample)> {
    let reader = Reader::new(&network(), Isa::best_exact()).unwrap();
    let pool = Pool { reader: &reader, threads, together };
    let mut found = Vec::new();
    let stop = AtomicBool::new(false);
    label(pool, plan, wanted, &stop, |game| {
        found.push((game.number, game.sample));
        Ok::<(), LabelError>(())
    })
    .unwrap();
    found.sort_by_key(|(number, _)| *number);
    found
}

/// What the slow reference thinks of a position that the network sees in some symmetry.
fn reference(model: &Model, game: &Game, symmetry: usize) -> Evaluation {
    let turns = Turns::of(size());
    let turn = turns.get(symmetry);
    let (mut straight, mut turned) = (Planes::new(size()), Planes::new(size()));
    let line = Line::from_game(game, game.to_move());
    Encoder::new(&model.input, size()).encode(&line.view(), &mut straight);
    turned.turn_from(&straight, turn);
    let (mut planes, mut globals) = (vec![0.0; 22 * 25], vec![0.0; 19]);
    turned.write_planes(&model.input.planes, Layout::PlaneMajor, &mut planes).unwrap();
    turned.write_globals(&model.input.globals, &mut globals).unwrap();
    let mut answer = Logits::default();
    evaluate(model, size(), &planes, &globals, &mut answer).unwrap();
    let mut logits = answer.clone();
    turn.take_back(&answer.policy, &mut logits.policy);
    turn.take_back(&answer.ownership, &mut logits.ownership);
    let legal: Vec<bool> =
        size().points().map(|point| game.legality(game.to_move(), point).is_ok()).collect();
    let mut evaluation = Evaluation::default();
    let question = Question { legal: &legal, no_result: false, optimism: 0.0 };
    Decoder::new(model).decode(&logits, question, &mut evaluation).unwrap();
    evaluation
}

fn followed() -> GameSample {
    let at = |x, y| Move::Play(size().point(x, y).unwrap());
    let mut game = GameSample::new(size(), Rules::default());
    let moves = [at(2, 2), at(1, 1), at(3, 1), Move::Pass, at(0, 4), at(4, 4)];
    let colors = [Color::Black, Color::White].into_iter().cycle();
    game.moves = colors.zip(moves).collect();
    game.end = GameEnd::Win(Color::Black);
    game
}

#[test]
fn labels_are_what_the_network_thinks_in_one_of_the_symmetries() {
    let model = network();
    let games = [followed()];
    let found = run(&Plan::Follow(&games), &Wanted::default(), 1, 4);
    let sample = &found[0].1;
    assert_eq!((&sample.moves, sample.end), (&games[0].moves, games[0].end));
    assert_eq!(sample.labels.len(), 7);
    let mut game = sample.start().unwrap();
    for (turn, label) in sample.labels.iter().enumerate() {
        assert_eq!(usize::from(label.turn), turn);
        let fits = |symmetry: usize| {
            let expected = reference(&model, &game, symmetry);
            let near =
                |found: Option<f32>, expected: Option<f32>| (found.unwrap() - expected.unwrap()).abs() < 0.01;
            let moves = label.policy.iter().all(|prior| {
                let code = usize::from(prior.code);
                let expected = expected.policy.get(code).copied().unwrap_or(expected.pass);
                (f32::from(prior.share) / 65535.0 - expected).abs() < 1e-3
            });
            let mass: f32 = label.policy.iter().map(|prior| f32::from(prior.share) / 65535.0).sum();
            let owners = label.ownership.iter().zip(&expected.ownership);
            moves
                && mass > 0.97
                && (label.outcome.unwrap()[0] - expected.outcome.unwrap().win).abs() < 1e-3
                && near(label.score, expected.score_mean)
                && near(label.lead, expected.lead)
                && owners.clone().count() == 25
                && owners
                    .into_iter()
                    .all(|(&found, &expected)| (f32::from(found) / 127.0 - expected).abs() < 0.01)
        };
        assert!((0..8).any(fits), "turn {turn}: {label:?}");
        if let Some(&(color, mv)) = sample.moves.get(turn) {
            game.play(color, mv).unwrap();
        }
    }
}

#[test]
fn a_changed_komi_takes_the_result_with_it() {
    let wanted = Wanted { komi_spread: 5.0, share: 0.3, ..Wanted::default() };
    let mut games: Vec<GameSample> = Vec::new();
    for first in size().points() {
        let mut game = followed();
        game.moves.clear();
        game.moves.push((Color::Black, Move::Play(first)));
        game.moves.push((Color::White, Move::Pass));
        game.end =
            if games.len().is_multiple_of(2) { GameEnd::Win(Color::White) } else { GameEnd::Score(4.5) };
        games.push(game);
    }
    let found = run(&Plan::Follow(&games), &wanted, 1, 8);
    assert_eq!(found.len(), 25);
    let (mut changed, mut labels) = (0, 0);
    for (number, sample) in &found {
        let original = &games[*number];
        let difference = sample.rules.komi - original.rules.komi;
        labels += sample.labels.len();
        if difference == 0.0 {
            assert_eq!(sample.end, original.end);
        } else {
            changed += 1;
            match original.end {
                GameEnd::Score(lead) => assert_eq!(sample.end, GameEnd::Score(lead - difference)),
                _ => assert_eq!(sample.end, GameEnd::Unknown),
            }
        }
    }
    assert!((3..22).contains(&changed), "{changed}");
    // A third of 75 positions.
    assert!((10..45).contains(&labels), "{labels}");
}

#[test]
fn games_that_are_played_depend_on_their_number_alone() {
    let plan = PlayPlan::new(12, size(), Rules::default());
    let wanted = Wanted::default();
    let all = run(&Plan::Play(&plan, 0), &wanted, 1, 5);
    assert_eq!(all.iter().map(|(number, _)| *number).collect::<Vec<_>>(), (0..12).collect::<Vec<_>>());
    assert_eq!(run(&Plan::Play(&plan, 0), &wanted, 2, 3), all);
    assert_eq!(run(&Plan::Play(&plan, 7), &wanted, 1, 1), all[7..]);
    let mut passes = 0;
    for (_, sample) in &all {
        let mut copy = sample.clone();
        assert_eq!(copy.make_legal(), Ok(()));
        // A game that ends because it is decided ends with a label.
        assert!((0..2).contains(&(sample.labels.len() - sample.moves.len())));
        passes += sample.moves.iter().filter(|(_, mv)| *mv == Move::Pass).count();
    }
    let moves: Vec<_> = all.iter().map(|(_, sample)| sample.moves.clone()).collect();
    assert!((1..12).all(|i| moves[i] != moves[0]));
    assert!(passes > 0);
}

#[test]
fn stopping_and_errors_end_everything() {
    let plan = PlayPlan::new(1_000_000, size(), Rules::default());
    let wanted = Wanted::default();
    let reader = Reader::new(&network(), Isa::best_exact()).unwrap();
    let pool = Pool { reader: &reader, threads: 2, together: 4 };
    let stop = AtomicBool::new(false);
    let mut seen = 0;
    let result: Result<(), LabelError> = label(pool, &Plan::Play(&plan, 0), &wanted, &stop, |_| {
        seen += 1;
        stop.store(seen > 3, Ordering::Relaxed);
        Ok(())
    });
    assert!(result.is_ok() && seen > 3);
    let stop = AtomicBool::new(false);
    let result = label(pool, &Plan::Play(&plan, 0), &wanted, &stop, |_| Err(LabelError::Board(size())));
    assert_eq!(result, Err(LabelError::Board(size())));
}

#[test]
fn a_network_for_other_boards_says_so() {
    let mut model = paper_policy(9, 9);
    model.allocate().unwrap();
    let reader = Reader::new(&model, Isa::best_exact()).unwrap();
    let pool = Pool { reader: &reader, threads: 1, together: 4 };
    let games = [followed()];
    let stop = AtomicBool::new(false);
    let result = label(pool, &Plan::Follow(&games), &Wanted::default(), &stop, |_| Ok(()));
    assert_eq!(result, Err(LabelError::Board(size())));
}

#[test]
fn explored_positions_are_what_a_search_came_to() {
    let reader = Reader::new(&network(), Isa::best_exact()).unwrap();
    let mut games = Vec::new();
    for first in size().points() {
        let mut game = followed();
        game.moves.clear();
        game.moves.push((Color::Black, Move::Play(first)));
        games.push(game);
    }
    let wanted = Wanted { komi_spread: 5.0, ..Wanted::default() };
    let plan = |first| Plan::Explore(ExplorePlan { games: &games, reader: &reader, simulations: 30 }, first);
    let found = run(&plan(0), &wanted, 1, 4);
    assert_eq!(found.len(), games.len());
    let (mut lengths, mut komis) = (Vec::new(), 0);
    for (number, sample) in &found {
        // A game that begins as the given one does and goes on by legal moves, with labels from the first of these to the last.
        assert_eq!(sample.end, GameEnd::Unknown);
        let turns: Vec<usize> = sample.labels.iter().map(|label| usize::from(label.turn)).collect();
        let shared = turns[0] - 1;
        assert_eq!(sample.moves[..shared], games[*number].moves[..shared]);
        assert!(turns.iter().copied().eq(shared + 1..=sample.moves.len()), "{turns:?}");
        lengths.push(turns.len());
        komis += usize::from(sample.rules.komi != games[*number].rules.komi);
        let mut game = sample.start().unwrap();
        sample.moves.iter().for_each(|&(color, mv)| game.play(color, mv).unwrap());
    }
    assert!(
        lengths.iter().all(|&length| length > 0) && lengths.iter().any(|&length| length > 1),
        "{lengths:?}"
    );
    assert!(komis > 5 && komis < 20, "{komis} games with another komi");
    // Threads, batches and interruptions change nothing.
    assert_eq!(run(&plan(0), &wanted, 2, 7), found);
    assert_eq!(run(&plan(9), &wanted, 1, 4), found[9..]);
}
