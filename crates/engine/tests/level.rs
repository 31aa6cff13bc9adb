//! Whole games between levels: they end, with passes or a resignation, and both players count alike.

use tesuji_board::{Game, Rules, Size};
use tesuji_engine::decision::Decision;
use tesuji_engine::{Allowance, Level, MoveQuestion, Player, Settings};
use tesuji_search::Simulations;

/// Moves after which a game on 7×7 would never end.
const TOO_MANY: usize = 200;

fn player(level: Level, seed: u64) -> Player {
    // Searched beyond this the games would take longer, not end otherwise.
    Player::new(Settings { level, seed, memory: 32, ..Settings::default() })
}

fn decide(player: &mut Player, game: &Game) -> Decision {
    let control = Simulations(150);
    player.choose(&MoveQuestion::of(game), &Allowance::by(&control), &mut |_| ()).decision
}

#[test]
fn games_at_all_levels_end_and_are_counted_alike() {
    let size = Size::square(7).unwrap();
    let (mut passed, mut resigned) = (0, 0);
    for (number, level) in ["25k", "9k", "s2"].into_iter().enumerate() {
        let level: Level = level.parse().unwrap();
        for rules in ["chinese", "japanese"] {
            let mut game = Game::new(size, Rules { komi: 8.5, ..Rules::named(rules).unwrap() });
            let mut players = [player(level, number as u64), player(level, 77 + number as u64)];
            while !game.is_over() {
                let color = game.to_move();
                match decide(&mut players[color.index()], &game) {
                    Decision::Move(mv) => game.play(color, mv).unwrap(),
                    Decision::Resign => {
                        // Somebody stronger sees it too.
                        let mut stronger = player(Level::Full, 1);
                        stronger.search(&game, color, &Simulations(200));
                        let best = stronger.analysis().moves.first().map(|best| best.score_lead);
                        assert!(
                            best.is_some_and(|lead| lead < 0.0),
                            "{level}, {rules}: {best:?}\n{}",
                            game.board()
                        );
                        break;
                    }
                }
                assert!(game.move_number() < TOO_MANY, "{level}, {rules}:\n{}", game.board());
            }
            if game.is_over() {
                passed += 1;
                let [black, white] = players.each_mut().map(|player| player.judge(&game));
                assert_eq!(black.score, white.score, "{level}, {rules}:\n{}", game.board());
                let thorough = player(Level::Full, 1).judge_thoroughly(&game, 2000);
                assert_eq!(black.score, thorough.score, "{level}, {rules}:\n{}", game.board());
            } else {
                resigned += 1;
            }
        }
    }
    assert_eq!(passed + resigned, 6);
    assert!(passed > 0, "no game was played to its end");
}

#[test]
fn who_gives_a_handicap_does_not_resign_it() {
    let mut game =
        Game::new(Size::square(9).unwrap(), Rules { komi: 0.5, ..Rules::named("chinese").unwrap() });
    game.place_fixed_handicap(3).unwrap();
    let mut players = ["15k", "7k"].map(|level| player(level.parse().unwrap(), 5));
    for _ in 0..10 {
        let color = game.to_move();
        let Decision::Move(mv) = decide(&mut players[color.index()], &game) else {
            panic!("{color:?} gave up:\n{}", game.board())
        };
        game.play(color, mv).unwrap();
    }
}

#[test]
fn a_level_plays_differently_with_another_seed_and_alike_with_the_same() {
    let game = Game::new(Size::square(9).unwrap(), Rules::default());
    let first = |seed| decide(&mut player("15k".parse().unwrap(), seed), &game);
    let moves: Vec<Decision> = (1..=8).map(first).collect();
    assert_eq!(moves[0], first(1));
    assert!(moves.iter().any(|mv| *mv != moves[0]), "{moves:?}");
    let mut one = player("15k".parse().unwrap(), 1);
    let of_games: Vec<Decision> = (0..8)
        .map(|_| {
            one.begin_game();
            decide(&mut one, &game)
        })
        .collect();
    assert!(of_games.iter().any(|mv| *mv != of_games[0]), "every game begins alike: {of_games:?}");
}
