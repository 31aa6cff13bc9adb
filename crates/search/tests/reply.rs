//! Reply tables within a whole search: without entries they change nothing, and shared by one thread they are that thread's own.

mod support;

use support::resources;
use tesuji_board::{Color, Game, Move, Rules, Size};
use tesuji_search::{Effort, Parameters, Searcher, Simulations};

/// RAVE with priors from tactics and these parameters.
fn search(changes: &[(&str, &str)], threads: usize) -> Box<dyn Searcher> {
    let base = [("rule", "rave"), ("prior", "tactics")];
    let parameters = Parameters::with(&[&base, changes].concat()).unwrap();
    parameters.searcher(&resources(threads, 64 << 20, 5)).unwrap()
}

const LIGHT: (&str, &str) = ("playout", "light");
const NOTHING: (&str, &str) = ("replies", "counted");
const EN_1: (&str, &str) = ("replies", "lgrf-en-1");
const OWN: (&str, &str) = ("reply-threads", "per-thread");
const LAST: (&str, &str) = ("reply-place", "instead-of-random");

fn game() -> Game {
    Game::new(Size::square(9).unwrap(), Rules::named("tromp-taylor").unwrap())
}

/// Visits of the moves after two searches of a game with its first move in between, and what that cost.
fn visits(searcher: &mut dyn Searcher) -> (Vec<(Move, u64)>, Effort) {
    let mut game = game();
    searcher.search(&game, Color::Black, &Simulations(1500));
    game.play(Color::Black, Move::from_gtp("E5", game.size()).unwrap()).unwrap();
    searcher.search(&game, Color::White, &Simulations(1500));
    let report = searcher.report();
    (report.moves.iter().map(|mv| (mv.mv, mv.visits)).collect(), report.effort)
}

#[test]
fn empty_reply_tables_are_the_base_playouts() {
    let heavy = visits(&mut *search(&[], 1)).0;
    assert_eq!(visits(&mut *search(&[NOTHING], 1)).0, heavy);
    assert_eq!(visits(&mut *search(&[NOTHING, LAST, OWN], 1)).0, heavy);
    assert_ne!(visits(&mut *search(&[EN_1], 1)).0, heavy);
    let lightly = visits(&mut *search(&[LIGHT], 1)).0;
    assert_eq!(visits(&mut *search(&[LIGHT, NOTHING], 1)).0, lightly);
    assert_ne!(visits(&mut *search(&[LIGHT, EN_1], 1)).0, lightly);
}

#[test]
fn shared_tables_of_one_thread_are_its_own() {
    for variant in [EN_1, ("replies", "lgrf-en-2"), ("replies", "classic-2")] {
        let shared = visits(&mut *search(&[variant], 1));
        let own = visits(&mut *search(&[variant, OWN], 1));
        assert_eq!(shared.0, own.0, "{variant:?}");
        assert_eq!(shared.1.usage, own.1.usage, "{variant:?}");
    }
}

#[test]
fn tables_live_through_a_game_and_no_longer() {
    let mut searcher = search(&[LIGHT, EN_1], 1);
    let first_game = visits(&mut *searcher).0;
    searcher.clear();
    assert_eq!(searcher.report().effort.usage.moves, 0);
    let moves_before_game = |begin: bool| {
        let mut searcher = search(&[LIGHT, EN_1], 1);
        searcher.search(&game(), Color::Black, &Simulations(500));
        if begin {
            searcher.begin_game();
        }
        let counted = searcher.report().effort.usage.moves;
        searcher.search(&game(), Color::Black, &Simulations(500));
        let report = searcher.report();
        let visits: Vec<_> = report.moves.iter().map(|mv| (mv.mv, mv.visits)).collect();
        (counted > 0, visits)
    };
    let (kept, forgotten) = (moves_before_game(false), moves_before_game(true));
    assert!(kept.0 && !forgotten.0);
    assert_ne!(kept.1, forgotten.1, "the tree stayed, the replies did not");
    assert!(!first_game.is_empty());
}

#[test]
fn moves_are_counted_by_origin_on_any_number_of_threads() {
    for threads in [1, 3] {
        let usage = visits(&mut *search(&[LIGHT, ("replies", "lgrf-en-2")], threads)).1.usage;
        let from_tables: u64 = usage.replies.iter().sum();
        assert!(usage.replies.iter().all(|&hits| hits > 0), "{usage:?}");
        assert!(
            usage.random > 0 && usage.random + from_tables < usage.moves,
            "passes are neither: {usage:?}"
        );
        assert!(usage.random + from_tables > usage.moves * 9 / 10, "{usage:?}");
        let none = visits(&mut *search(&[LIGHT, NOTHING], threads)).1.usage;
        assert_eq!(none.replies, [0; 4]);
        assert!(none.random as f64 / none.moves as f64 > usage.random as f64 / usage.moves as f64);
    }
}
