//! When to pass, and what is claimed about the position then.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tesuji_board::{Color, Game, Move, Point, Rules, Size};
use tesuji_engine::decision::Decision;
use tesuji_engine::{Engine, MoveRequest, Settings};

/// A game on a square board from stones such as `B D7`, with White's pass as its last move.
fn after_white_passed(side: usize, rules: &str, komi: f32, stones: &str) -> Game {
    let size = Size::square(side).unwrap();
    let words: Vec<&str> = stones.split_whitespace().collect();
    let stones = words.chunks(2).map(|pair| {
        let color = if pair[0] == "B" { Color::Black } else { Color::White };
        (point(size, pair[1]), Some(color))
    });
    let mut game = Game::new(size, Rules { komi, ..Rules::named(rules).unwrap() });
    game.set_up(stones, Color::White).unwrap();
    game.play(Color::White, Move::Pass).unwrap();
    game
}

fn point(size: Size, name: &str) -> Point {
    Move::from_gtp(name, size).unwrap().point().unwrap()
}

fn answer(engine: &mut Engine) -> Decision {
    let color = engine.game().to_move();
    engine.generate(&MoveRequest::new(color, Arc::new(AtomicBool::new(false))), &mut |_| ()).decision
}

/// Black's corner lives with B7 and dies without it; counted as the board stands Black would win.
const UNSETTLED_CORNER: &str = "B D7 W E7 B A6 B B6 B C6 B D6 W E6 W A5 W B5 W C5 W D5 W E5 W A4 W C4 W E4 \
     W B3 W D3 W F3 W G3 B A2 B B2 B C2 B D2 B E2 B F2 B G2 B B1 B D1 B F1";

#[test]
fn two_passes_prove_nothing_where_players_agree_on_dead_stones() {
    for preset in ["uct", "puct", "rave-plain", "rave"] {
        let game = after_white_passed(7, "japanese", -4.5, UNSETTLED_CORNER);
        let settings = Settings { playouts: 2000, ..Settings::of_preset(preset).unwrap() };
        let mut engine = Engine::new(settings, game);
        let size = engine.game().size();
        let saving = Decision::Move(Move::Play(point(size, "B7")));
        assert_eq!(answer(&mut engine), saving, "{preset}: {}", engine.explanation());
    }
}

/// Both sides live and nothing is left to play.
const FINISHED: &str = "B A5 B B4 B B5 B C4 B C5 B D4 B E4 B E5 B A3 B B3 B C3 B D3 B E3 \
     W A2 W B2 W C2 W D2 W E2 W B1 W D1";

#[test]
fn a_score_does_not_depend_on_how_few_playouts_a_move_gets() {
    let score = |playouts: u64, seed: u64| {
        let game = after_white_passed(5, "chinese", 0.5, FINISHED);
        let settings = Settings { playouts, seed, ..Settings::of_preset("rave").unwrap() };
        let mut engine = Engine::new(settings, game);
        assert_eq!(answer(&mut engine), Decision::Move(Move::Pass));
        engine.judge().score.to_string()
    };
    let full = score(5000, 1);
    for seed in 1..=5 {
        assert_eq!(score(1, seed), full, "seed {seed}");
    }
}

#[test]
fn a_verdict_rests_on_many_playouts_even_if_the_result_is_proven() {
    let game = after_white_passed(5, "tromp-taylor", 0.5, "B A3 B B3 B C3 B D3 B E3");
    let settings = Settings { playouts: 500, ..Settings::of_preset("uct").unwrap() };
    let mut engine = Engine::new(settings, game);
    let report = engine.report(Color::Black);
    // A pass wins here, which is proven after a few simulations; sixteenths would show that they were all.
    assert!(report.moves.iter().any(|mv| mv.proven == Some(true)));
    let is_sixteenth = |owner: &f32| (owner * 16.0).fract() == 0.0;
    let unsettled: Vec<_> = report.black_ownership.iter().filter(|owner| owner.abs() < 1.0).collect();
    assert!(!unsettled.is_empty(), "{:?}", report.black_ownership);
    assert!(!unsettled.into_iter().all(is_sixteenth), "{:?}", report.black_ownership);
}

#[test]
fn the_tree_outlives_a_pass_that_is_thought_over() {
    let game = after_white_passed(7, "japanese", -4.5, UNSETTLED_CORNER);
    let settings = Settings { playouts: 1000, ..Settings::of_preset("rave").unwrap() };
    let mut engine = Engine::new(settings, game);
    let visits = |engine: &mut Engine| {
        let stop = Arc::new(AtomicBool::new(false));
        let request = MoveRequest::new(Color::Black, stop);
        engine.choose(&request, &mut |_| ()).report.visits
    };
    let first = visits(&mut engine);
    engine.judge();
    assert!(visits(&mut engine) > first);
}

#[test]
fn other_rules_are_another_search() {
    let mut engine = Engine::new(
        Settings { playouts: 500, ..Settings::of_preset("rave").unwrap() },
        Game::new(Size::square(7).unwrap(), Rules::named("tromp-taylor").unwrap()),
    );
    let visits = |engine: &mut Engine| {
        let request = MoveRequest::new(Color::Black, Arc::new(AtomicBool::new(false)));
        engine.choose(&request, &mut |_| ()).report.visits
    };
    let (first, second) = (visits(&mut engine), visits(&mut engine));
    assert!(second > first, "the same search goes on");
    let mut rules = *engine.game().rules();
    rules.ko = tesuji_board::KoRule::Simple;
    engine.set_rules(rules);
    assert!(visits(&mut engine) <= 500, "nothing of the old one is left");
}
