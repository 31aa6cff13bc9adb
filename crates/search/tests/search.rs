//! The tree search as a whole: reproducible, within its memory, and right where the answer is plain.

mod support;

use std::sync::Mutex;
use support::resources;
use tesuji_board::{Color, Diagram, Game, Move, Rules, Size};
use tesuji_search::playout::Position;
use tesuji_search::select::Prior;
use tesuji_search::{Control, Parameters, Progress, Report, Searcher, Simulations};

fn rave(threads: usize, tree_bytes: usize, seed: u64) -> Box<dyn Searcher> {
    let parameters = Parameters::with(&[("rule", "rave"), ("prior", "tactics")]).unwrap();
    parameters.searcher(&resources(threads, tree_bytes, seed)).unwrap()
}

fn empty_game(side: usize) -> Game {
    Game::new(Size::square(side).unwrap(), Rules::named("tromp-taylor").unwrap())
}

fn game(diagram: &str, to_move: Color) -> Game {
    let board = Diagram::parse(diagram).unwrap().board;
    Game::from_position(board, to_move, Rules { komi: 0.5, ..Rules::named("tromp-taylor").unwrap() })
}

fn counts(report: &Report) -> Vec<(Move, u64)> {
    report.moves.iter().map(|mv| (mv.mv, mv.visits)).collect()
}

/// Stops at once, and remembers what was there.
#[derive(Default)]
struct Look(Mutex<Progress>);

impl Control for Look {
    fn should_stop(&self, progress: &Progress) -> bool {
        *self.0.lock().unwrap() = *progress;
        true
    }
}

fn visits_before(searcher: &mut dyn Searcher, game: &Game) -> u64 {
    let look = Look::default();
    searcher.search(game, game.to_move(), &look);
    look.0.into_inner().unwrap().root_visits
}

#[test]
fn one_thread_is_reproducible_by_seed() {
    let run = |seed, pieces: &[u64]| {
        let mut searcher = rave(1, 64 << 20, seed);
        pieces.iter().for_each(|&n| searcher.search(&empty_game(9), Color::Black, &Simulations(n)));
        counts(&searcher.report())
    };
    assert_eq!(run(1, &[3000]), run(1, &[3000]));
    assert_ne!(run(1, &[3000]), run(2, &[3000]));
    assert_eq!(run(1, &[3000]), run(1, &[1000, 500, 1500]), "pieces make the same whole");
}

#[test]
fn every_simulation_asked_for_is_made() {
    for threads in [1, 2, 4] {
        let mut searcher = rave(threads, 64 << 20, 1);
        searcher.search(&empty_game(9), Color::Black, &Simulations(2001));
        let report = searcher.report();
        assert_eq!((report.visits, report.effort.simulations), (2001, 2001), "{threads} threads");
        assert!(report.black_ownership.iter().all(|owner| (-1.0..=1.0).contains(owner)));
    }
}

#[test]
fn a_full_tree_is_pruned_and_grows_on() {
    let limit = 4 << 20;
    for threads in [1, 2] {
        let parameters = Parameters::with(&[("playout", "light"), ("expand-after", "1")]).unwrap();
        let mut searcher = parameters.searcher(&resources(threads, limit, 1)).unwrap();
        searcher.search(&empty_game(9), Color::Black, &Simulations(20_000));
        let report = searcher.report();
        assert!(report.effort.prunings >= 2, "{} prunings", report.effort.prunings);
        assert!(report.effort.tree_bytes <= limit as u64);
        assert_eq!(report.visits, 20_000, "the statistics survive");
    }
}

#[test]
fn the_subtree_survives_moves_and_nothing_else_does() {
    let mut searcher = rave(1, 64 << 20, 1);
    let mut game = empty_game(9);
    searcher.search(&game, Color::Black, &Simulations(5000));
    let variation = searcher.report().moves[0].variation.clone();
    game.play(Color::Black, variation[0]).unwrap();
    game.play(Color::White, variation[1]).unwrap();
    let kept = visits_before(&mut *searcher, &game);
    assert!(kept > 20, "only {kept} visits kept");
    assert_eq!(visits_before(&mut *searcher, &game), kept, "looking does not change it");
    game.undo(1).unwrap();
    assert_eq!(visits_before(&mut *searcher, &game), 0, "taken back");
    let other = empty_game(13);
    assert_eq!(visits_before(&mut *searcher, &other), 0);
}

#[track_caller]
fn check_best(diagram: &str, to_move: Color, simulations: u64) {
    let parsed = Diagram::parse(diagram).unwrap();
    let answers: Vec<Move> = parsed.points('a').map(Move::Play).collect();
    let mut searcher = rave(1, 64 << 20, 1);
    searcher.search(&game(diagram, to_move), to_move, &Simulations(simulations));
    let best = searcher.report().moves[0].mv;
    assert!(answers.contains(&best), "{} in\n{diagram}", best.to_gtp(parsed.board.size()));
}

#[test]
fn plain_tactics_are_found() {
    check_best(
        "
        . . . . . . .
        . . O O O . .
        . O X X X O .
        . . O X O . .
        . X O a . X .
        . X . X X . .
        . . . . . . .",
        Color::White,
        3000,
    );
    check_best(
        "
        . . O X . . .
        . . O X X X .
        O O O O O X .
        . . . . O X X
        O O O O O X .
        X X X X O X .
        . a . X O X .",
        Color::White,
        5000,
    );
}

#[test]
fn a_game_that_a_pass_wins_is_decided() {
    let mut game = game(
        "
        . X X X .
        X X . X X
        X X X X X
        O O O O O
        . O O O .",
        Color::White,
    );
    game.play(Color::White, Move::Pass).unwrap();
    let mut searcher = rave(1, 1 << 20, 1);
    searcher.search(&game, Color::Black, &Simulations(500));
    let report = searcher.report();
    assert_eq!((report.moves[0].mv, report.moves[0].proven), (Move::Pass, Some(true)));
}

/// What the knowledge of a search thinks of the moves of a position, as probabilities.
fn policy_of(parameters: &Parameters, game: &Game) -> Vec<(Move, f32)> {
    let position = Position::new(game.board().clone(), game.to_move());
    let points = game.size().points().filter(|&point| game.legality(game.to_move(), point).is_ok());
    let moves = points.map(Move::Play).chain([Move::Pass]);
    let mut judged: Vec<(u16, Prior)> = moves.map(|mv| (mv.code(), Prior::NONE)).collect();
    parameters.knowledge(&resources(1, 1 << 20, 1)).judge(&position, &mut judged);
    let total: f32 = judged.iter().map(|(_, prior)| prior.policy).sum();
    judged.into_iter().map(|(code, prior)| (Move::from_code(code), prior.policy / total)).collect()
}

#[test]
fn the_prior_of_a_move_is_what_was_thought_of_it() {
    let game = game(
        "
        . . . . . . .
        . . O . O . .
        . O X X X O .
        . . O X O . .
        . X . . . X .
        . X . X X . .
        . . . . . . .",
        Color::White,
    );
    for (rule, prior) in
        [("rave", "tactics"), ("puct", "tactics"), ("ucb1", "patterns"), ("puct", "patterns")]
    {
        let parameters = Parameters::with(&[("rule", rule), ("prior", prior)]).unwrap();
        let expected = policy_of(&parameters, &game);
        let likely = expected.iter().map(|(_, policy)| *policy).fold(0.0, f32::max);
        assert!(likely > 2.0 / expected.len() as f32, "some moves are likelier than others");
        let mut searcher = parameters.searcher(&resources(1, 1 << 20, 1)).unwrap();
        // A second look at the same position, and a look at it after another, change nothing.
        let mut elsewhere = game.clone();
        elsewhere.play(Color::White, Move::Pass).unwrap();
        for searched in [&game, &game, &elsewhere, &game] {
            searcher.search(searched, searched.to_move(), &Simulations(100));
        }
        for mv in searcher.report().moves {
            let &(_, policy) = expected.iter().find(|(known, _)| *known == mv.mv).unwrap();
            assert!((mv.prior - policy).abs() < 1e-5, "{rule} {prior} {mv:?}: not {policy}");
        }
    }
}

/// The Cygo paper's search with the tiny network, on a small board.
fn cygo(changes: &[(&str, &str)], simulations: u64) -> Report {
    let paper =
        [("rule", "puct"), ("prior", "net"), ("value", "net"), ("net-moves", "20"), ("expand-after", "10")];
    let changes: Vec<_> = paper.iter().chain(changes).copied().collect();
    let parameters = Parameters::with(&changes).unwrap();
    let mut searcher = parameters.searcher(&resources(1, 1 << 24, 3)).unwrap();
    let game = Game::new(Size::square(7).unwrap(), Rules::default());
    searcher.search(&game, game.to_move(), &Simulations(simulations));
    searcher.report()
}

#[test]
fn the_playout_share_decides_whose_opinion_counts() {
    let shares = [("0", 0.0), ("0.25", 0.25), ("1", 1.0)];
    for (text, share) in shares {
        let report = cygo(&[("playout-share", text)], 600);
        assert!(report.moves.len() <= 21, "20 moves and a pass");
        let mut judged = 0;
        for mv in report.moves.iter().filter(|mv| mv.proven.is_none()) {
            if let Some(parts) = mv.parts {
                let expected = share * parts.playouts + (1.0 - share) * parts.network;
                assert!((mv.win_rate - expected).abs() < 1e-5, "{mv:?}");
                assert!(parts.playouts != parts.network);
                judged += 1;
            }
        }
        assert!(judged > 5, "{judged}");
    }
}

/// How much the priors of points differ that are the same but for a symmetry, on an empty board or with a stone in its middle.
fn asymmetry(report: &Report, size: Size) -> f32 {
    let prior = |x: usize, y: usize| {
        let point = size.point(x, y).unwrap();
        report.moves.iter().find(|mv| mv.mv == Move::Play(point)).map_or(0.0, |mv| mv.prior)
    };
    let last = size.width() - 1;
    let mut most = 0.0_f32;
    for (x, y) in (0..=last).flat_map(|x| (0..=last).map(move |y| (x, y))) {
        for (a, b) in [(last - x, y), (x, last - y), (y, x)] {
            most = most.max((prior(x, y) - prior(a, b)).abs());
        }
    }
    most
}

#[test]
fn the_root_is_looked_at_in_all_symmetries_that_are_wanted() {
    let size = Size::square(5).unwrap();
    for (symmetries, is_even) in [("1", false), ("8", true)] {
        let changes = [
            ("rule", "puct"),
            ("prior", "net"),
            ("value", "net"),
            ("playout", "none"),
            ("expand-after", "0"),
        ];
        let mut parameters = Parameters::with(&changes).unwrap();
        parameters.set("root-symmetries", symmetries).unwrap();
        let mut searcher = parameters.searcher(&resources(1, 1 << 24, 3)).unwrap();
        let mut game = Game::new(size, Rules::default());
        searcher.search(&game, game.to_move(), &Simulations(400));
        let first = asymmetry(&searcher.report(), size);
        // A node of the same tree becomes the root.
        game.play(Color::Black, Move::Play(size.point(2, 2).unwrap())).unwrap();
        searcher.search(&game, game.to_move(), &Simulations(10));
        let report = searcher.report();
        assert!(report.visits > 10, "the tree was kept");
        for asymmetry in [first, asymmetry(&report, size)] {
            assert_eq!(asymmetry < 1e-5, is_even, "{symmetries} symmetries: {asymmetry}");
        }
    }
}

#[test]
fn halving_shares_simulations_among_the_likeliest_moves() {
    let changes =
        [("rule", "puct"), ("prior", "net"), ("value", "net"), ("playout", "none"), ("expand-after", "0")];
    let visits = |halving: &str| {
        let mut parameters = Parameters::with(&changes).unwrap();
        parameters.set("root-halving", halving).unwrap();
        let mut searcher = parameters.searcher(&resources(1, 1 << 24, 3)).unwrap();
        let game = Game::new(Size::square(7).unwrap(), Rules::default());
        searcher.search(&game, game.to_move(), &Simulations(96));
        let mut moves = searcher.report().moves;
        moves.sort_by(|a, b| b.prior.total_cmp(&a.prior));
        moves.iter().map(|mv| mv.visits).collect::<Vec<u64>>()
    };
    // Three rounds of 32 for 8, 4 and 2 moves: 4, 4 + 8 or 4 + 8 + 16 visits.
    let mut shared = visits("8");
    assert!(shared[8..].iter().all(|&visits| visits == 0), "{shared:?}");
    shared.sort_unstable();
    assert_eq!(shared[shared.len() - 8..], [4, 4, 4, 4, 12, 12, 28, 28]);
    assert_ne!(visits("0"), visits("8"));
}
