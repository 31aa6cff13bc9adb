//! The fast game against a slow, obvious one in random games of all sizes and rules.
//!
//! - `slow`: Go written from the rules, no shortcuts;
//! - `compare`: everything the two must agree on;
//! - `observe`: what a move tells its observer;
//! - `random`: random games that go looking for trouble;
//! - here: the laws, and how often the rare events must have been met, so that they cannot silently stop being tested.

mod compare;
mod observe;
mod random;
mod rng;
mod slow;

use compare::{Hashes, compare, point};
use observe::observe;
use random::{Events, RandomGame, rules_of};
use rng::Rng;
use tesuji_board::{Board, Color, Game, Move, Point, Rules, Size, Suicide};

/// Plays random games of one size each, checking everything after every move but the first `unchecked`.
fn play_all(
    seed: u64,
    sizes: impl Iterator<Item = (usize, usize)>,
    unchecked: fn(Size) -> usize,
    checked: usize,
) -> Events {
    let mut rng = Rng(seed);
    let mut events = Events::default();
    for (i, (width, height)) in sizes.enumerate() {
        let size = Size::new(width, height).unwrap();
        let mut game = RandomGame::new(size, rules_of(i));
        for _ in 0..unchecked(size) {
            game.step(&mut rng, &mut Events::default());
        }
        let mut hashes = Hashes::default();
        for _ in 0..checked {
            let (board, position) = (game.fast.board().clone(), game.slow.position.clone());
            game.step(&mut rng, &mut events);
            if let Some(&(color, Some(place))) = game.slow.moves.last() {
                let (after, told) = observe(&board, color, place, &position, &game.slow.position);
                assert_eq!(after.hash(), game.fast.board().hash());
                events.told_stones += told[0];
                events.told_chains += told[1];
            }
            events.add_bans(&compare(&game.fast, &game.slow, &mut hashes));
        }
        events.games += 1;
    }
    events
}

#[test]
fn small_boards() {
    const SIDES: [usize; 4] = [2, 3, 4, 5];
    let mut rng = Rng(1);
    let sizes = (0..9_600).map(|_| (rng.choose(&SIDES).unwrap(), rng.choose(&SIDES).unwrap()));
    let events = play_all(2, sizes, |_| 0, 24);
    events.assert_at_least(&Events {
        games: 9_600,
        captures: 40_000,
        multi_stone_captures: 18_000,
        snapbacks: 1_200,
        kos: 2_000,
        ko_bans: 2_000,
        superko_bans: 16_000,
        suicide_bans: 110_000,
        single_suicides: 11_000,
        multi_stone_suicides: 2_600,
        told_stones: 100_000,
        told_chains: 200_000,
    });
}

#[test]
fn every_size() {
    let sizes = (2..=25).flat_map(|width| (2..=25).map(move |height| (width, height)));
    let events = play_all(3, sizes, |size| size.area() * 2 / 3, 8);
    events.assert_at_least(&Events {
        games: 24 * 24,
        captures: 1,
        multi_stone_captures: 1,
        kos: 1,
        ..Events::default()
    });
}

#[test]
fn undo_returns_to_the_same_game() {
    let mut rng = Rng(4);
    for i in 0..600 {
        let size = Size::new(2 + rng.below(5), 2 + rng.below(5)).unwrap();
        let mut game = RandomGame::new(size, rules_of(i));
        let mut hashes = Hashes::default();
        for _ in 0..rng.below(80) {
            game.step(&mut rng, &mut Events::default());
        }
        let before = game.slow.clone();
        let count = rng.below(80);
        for _ in 0..count {
            game.step(&mut rng, &mut Events::default());
        }
        game.fast.undo(count).unwrap();
        compare(&game.fast, &before, &mut hashes);
        assert!(game.fast.undo(before.moves.len() + 1).is_err());
        compare(&game.fast, &before, &mut hashes);
        // Play goes on as if nothing had happened.
        game.slow = before;
        for _ in 0..10 {
            game.step(&mut rng, &mut Events::default());
            compare(&game.fast, &game.slow, &mut hashes);
        }
    }
}

#[test]
fn set_up_makes_the_position_it_is_told() {
    let mut rng = Rng(5);
    for i in 0..300 {
        let size = Size::new(2 + rng.below(8), 2 + rng.below(8)).unwrap();
        let mut source = RandomGame::new(size, rules_of(i));
        let mut target = RandomGame::new(size, rules_of(i));
        for _ in 0..rng.below(100) {
            source.step(&mut rng, &mut Events::default());
            target.step(&mut rng, &mut Events::default());
        }
        let position = source.slow.position.clone();
        let stones = slow::places(&position).map(|at| (point(size, at), position[at.1][at.0]));
        target.fast.set_up(stones, Color::White).unwrap();
        let prisoners = target.slow.prisoners;
        target.slow = slow::SlowGame::new(position, Color::White, target.slow.ko, target.slow.suicide);
        target.slow.prisoners = prisoners;
        let mut hashes = Hashes::default();
        for _ in 0..10 {
            compare(&target.fast, &target.slow, &mut hashes);
            target.step(&mut rng, &mut Events::default());
        }
    }
}

/// Plays a random point if it is legal, else passes.
fn play_any(game: &mut Game, rng: &mut Rng) -> Option<(Color, Point)> {
    let color = game.to_move();
    let point = rng.choose(game.board().empties()).filter(|&at| game.play(color, Move::Play(at)).is_ok());
    if point.is_none() {
        game.play(color, Move::Pass).unwrap();
    }
    point.map(|at| (color, at))
}

/// The order of the empty points decides what a playout does, so a copy must have that too.
#[test]
fn a_copy_plays_on_identically() {
    let mut rng = Rng(6);
    let random_game = |rng: &mut Rng| {
        let size = Size::new(2 + rng.below(24), 2 + rng.below(24)).unwrap();
        let mut game = Game::new(size, Rules::default());
        for _ in 0..rng.below(2 * size.area()) {
            play_any(&mut game, rng);
        }
        game
    };
    let mut copy = Board::new(Size::square(9).unwrap());
    for _ in 0..300 {
        let mut game = random_game(&mut rng);
        // The last copy's board, played on, is what gets overwritten.
        copy.copy_from(game.board());
        for _ in 0..30 {
            assert_eq!(copy.size(), game.size());
            assert_eq!(copy.empties(), game.board().empties());
            assert_eq!(copy.hash(), game.board().hash());
            for color in Color::BOTH {
                assert_eq!(copy.prisoners(color), game.board().prisoners(color));
                for at in game.size().points() {
                    let legality = |board: &Board| board.legality(at, color, Suicide::Forbidden);
                    assert_eq!(legality(&copy), legality(game.board()));
                }
            }
            for at in game.size().points().filter(|&at| !copy.is_empty(at)) {
                let (ours, theirs) = (copy.chain_at(at), game.board().chain_at(at));
                assert_eq!(copy.chain_size(ours), game.board().chain_size(theirs));
                assert_eq!(copy.liberty_count(ours), game.board().liberty_count(theirs));
                assert!(copy.liberties(ours).eq(game.board().liberties(theirs)));
            }
            match play_any(&mut game, &mut rng) {
                Some((color, at)) => copy.play(at, color, Suicide::Forbidden).unwrap(),
                None => copy.pass(),
            }
        }
    }
}
