//! Reply tables within a whole search: without entries they change nothing, and shared by one thread they are that thread's own.

use std::sync::Arc;
use tesuji_board::{Color, Game, Move, Rules, Size};
use tesuji_search::playout::{
    Composed, Context, Counted, Heavy, Holder, Light, Policy, RandomSafe, Replies, ReplyScheme, ReplyTables,
    TreeMoves, Urgent, Useful,
};
use tesuji_search::{Effort, Parameters, SearchOptions, Searcher, Simulations, Tactical, TreeSearch};

type Shared = Arc<ReplyTables>;
type Own = Box<ReplyTables>;

const EN_1: (TreeMoves, Context) = (TreeMoves::Apart, Context::One);

fn replies<H: Holder>((tree_moves, context): (TreeMoves, Context)) -> Replies<H> {
    Replies::new(ReplyScheme::new(tree_moves, context))
}

fn first<H: Holder>(variant: (TreeMoves, Context)) -> impl Policy + Clone + Send {
    let random = Counted::<RandomSafe>::default();
    Composed((replies::<H>(variant), Urgent::default(), Useful::default(), random))
}

fn last<H: Holder>(variant: (TreeMoves, Context)) -> impl Policy + Clone + Send {
    let random = Counted::<RandomSafe>::default();
    Composed((Urgent::default(), Useful::default(), replies::<H>(variant), random))
}

fn light<H: Holder>(variant: (TreeMoves, Context)) -> impl Policy + Clone + Send {
    Composed((replies::<H>(variant), Counted::<Light>::default()))
}

fn search(policy: impl Policy + Clone + Send, threads: usize) -> impl Searcher {
    let parameters = Parameters::default();
    let (expand_after, go) = (parameters.expand_after(), parameters.go());
    let options = SearchOptions { threads, tree_bytes: 64 << 20, seed: 5, expand_after, go };
    TreeSearch::new(parameters.rave(), policy, Tactical, options)
}

fn game() -> Game {
    Game::new(Size::square(9).unwrap(), Rules::named("tromp-taylor").unwrap())
}

/// Visits of the moves after two searches of a game with its first move in between, and what that cost.
fn visits(searcher: &mut impl Searcher) -> (Vec<(Move, u64)>, Effort) {
    let mut game = game();
    searcher.search(&game, Color::Black, &Simulations(1500));
    game.play(Color::Black, Move::from_gtp("E5", game.size()).unwrap()).unwrap();
    searcher.search(&game, Color::White, &Simulations(1500));
    let report = searcher.report();
    (report.moves.iter().map(|mv| (mv.mv, mv.visits)).collect(), report.effort)
}

#[test]
fn empty_reply_tables_are_the_base_policy() {
    let nothing = (TreeMoves::Apart, Context::None);
    let heavy = visits(&mut search(Heavy::default(), 1)).0;
    assert_eq!(visits(&mut search(first::<Shared>(nothing), 1)).0, heavy);
    assert_eq!(visits(&mut search(last::<Own>(nothing), 1)).0, heavy);
    assert_ne!(visits(&mut search(first::<Shared>(EN_1), 1)).0, heavy);
    let lightly = visits(&mut search(Light, 1)).0;
    assert_eq!(visits(&mut search(light::<Shared>(nothing), 1)).0, lightly);
    assert_ne!(visits(&mut search(light::<Shared>(EN_1), 1)).0, lightly);
}

#[test]
fn shared_tables_of_one_thread_are_its_own() {
    for variant in [EN_1, (TreeMoves::Apart, Context::Two), (TreeMoves::Alike, Context::Two)] {
        let shared = visits(&mut search(first::<Shared>(variant), 1));
        let own = visits(&mut search(first::<Own>(variant), 1));
        assert_eq!(shared.0, own.0, "{variant:?}");
        assert_eq!(shared.1.usage, own.1.usage, "{variant:?}");
    }
}

#[test]
fn tables_live_through_a_game_and_no_longer() {
    let mut searcher = search(light::<Shared>(EN_1), 1);
    let first_game = visits(&mut searcher).0;
    searcher.clear();
    assert_eq!(searcher.report().effort.usage.moves, 0);
    let moves_before_game = |begin: bool| {
        let mut searcher = search(light::<Shared>(EN_1), 1);
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
        let two = (TreeMoves::Apart, Context::Two);
        let usage = visits(&mut search(light::<Shared>(two), threads)).1.usage;
        let from_tables: u64 = usage.replies.iter().sum();
        assert!(usage.replies.iter().all(|&hits| hits > 0), "{usage:?}");
        assert!(
            usage.random > 0 && usage.random + from_tables < usage.moves,
            "passes are neither: {usage:?}"
        );
        assert!(usage.random + from_tables > usage.moves * 9 / 10, "{usage:?}");
        let none = visits(&mut search(light::<Shared>((TreeMoves::Apart, Context::None)), threads)).1.usage;
        assert_eq!(none.replies, [0; 4]);
        assert!(none.random as f64 / none.moves as f64 > usage.random as f64 / usage.moves as f64);
    }
}
