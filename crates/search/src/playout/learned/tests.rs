use super::feature::{ATARI, CAPTURE, ESCAPE, RESPONSE, SELF_ATARI, TO_BEFORE_LAST, TO_LAST};
use super::*;
use crate::playout::{AdaptationScheme, End, Ending, Heavy, Learners, Lesson, Light, Told, is_sensible, run};
use std::collections::HashMap;
use tesuji_board::{Board, Color, Diagram, Md2, Move, Neighborhood, Size};

/// Gammas that differ from feature to feature, so that no mistake goes unseen.
pub(super) fn all_different() -> GammaTable {
    let mut rng = Rng::new(5);
    let mut table = GammaTable::flat("a test");
    let mut gamma = || 0.25 + 4.0 * rng.unit();
    table.values.iter_mut().for_each(|group| group[1..].iter_mut().for_each(|value| *value = gamma()));
    let canonical = |code: &u32| Md2(*code).canonical(Color::Black).0 == *code;
    table.near = (0..1 << 16).filter(canonical).map(|code| (Neighborhood(code as u16), gamma())).collect();
    // Some of the patterns that come up, the rest falls back.
    let codes = (0..1 << 24).step_by(5).filter(canonical);
    table.md2 =
        codes.filter(|code| code % 3 > 0 || code < &0x1_0000).map(|code| (Md2(code), gamma())).collect();
    table
}

fn different_sets() -> GammaSets {
    GammaSets::new(Some(&all_different()), 1.0)
}

/// Plays a move, keeping the table up to date.
fn play(rule: &mut Rated, position: &mut Position, mv: Move) {
    position.play_observed(mv, &mut Told(rule));
    rule.played(position);
}

/// The rates that the next move is drawn by.
fn weights(rule: &mut Rated, position: &Position) -> PointMap<f32> {
    rule.weigh(position);
    let rates = rule.rates.of_mut(position.to_move);
    let weights = *rates;
    rule.weights.restore(rates);
    weights
}

/// Plays a game and compares the table after every move with one made from scratch.
fn check_game(
    rule: &mut Rated,
    scratch: &mut Rates,
    size: Size,
    moves: impl Iterator<Item = Move>,
) -> Counts {
    let mut position = Position::new(Board::new(size), Color::Black);
    let mut counts = Counts::default();
    rule.start(&position);
    for mv in moves {
        let stones = position.board.stone_count(!position.to_move);
        play(rule, &mut position, mv);
        counts.captures += usize::from(position.board.stone_count(position.to_move) < stones);
        counts.kos += usize::from(position.board.ko_point(position.to_move).is_some());
        counts.moves += 1;
        scratch.start(&rule.gammas, &position.board);
        assert_eq!(rule.rates.snapshot(), scratch.snapshot(), "after {mv:?}\n{}", position.board);
        scratch.start_from_scratch(&rule.gammas, &position.board);
        assert_eq!(rule.rates.snapshot(), scratch.snapshot(), "after {mv:?}\n{}", position.board);
    }
    counts
}

#[derive(Default)]
struct Counts {
    moves: usize,
    captures: usize,
    kos: usize,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.moves += other.moves;
        self.captures += other.captures;
        self.kos += other.kos;
    }
}

/// The moves of a random game.
fn random_game(size: Size, rng: &mut Rng) -> Vec<Move> {
    let mut position = Position::new(Board::new(size), Color::Black);
    let mut moves = Vec::new();
    run(&mut Light, &mut position, rng, Ending::natural(size.area()), |_, mv| moves.push(mv));
    moves
}

#[test]
fn the_table_of_random_games_is_the_same_from_scratch() {
    let mut rng = Rng::new(8);
    let mut rule = Rated::new(different_sets());
    let mut scratch = Rates::default();
    let mut counts = Counts::default();
    for game in 0..1000 {
        // Mostly small boards, on which more happens; now and then others, also rectangles.
        let size = match game % 50 {
            0 => Size::square(9).unwrap(),
            1 => Size::new(11, 4).unwrap(),
            n => Size::square(5 + n % 3).unwrap(),
        };
        let moves = random_game(size, &mut rng);
        counts += check_game(&mut rule, &mut scratch, size, moves.into_iter());
    }
    assert!(counts.moves > 30_000 && counts.captures > 5_000 && counts.kos > 300);
}

/// Playouts never play a suicide, but the table follows one.
#[test]
fn the_table_of_games_with_suicides_is_the_same_from_scratch() {
    let size = Size::square(5).unwrap();
    let mut rng = Rng::new(9);
    let mut rule = Rated::new(different_sets());
    let mut scratch = Rates::default();
    let mut suicides = 0;
    for _ in 0..200 {
        let mut position = Position::new(Board::new(size), Color::Black);
        rule.start(&position);
        for _ in 0..80 {
            let point = position.board.empty(rng.below(position.board.empties().len()));
            if position.board.ko_point(position.to_move) == Some(point) {
                continue;
            }
            suicides += usize::from(position.board.is_suicide(point, position.to_move));
            play(&mut rule, &mut position, Move::Play(point));
            scratch.start(&rule.gammas, &position.board);
            assert_eq!(rule.rates.snapshot(), scratch.snapshot(), "after {point:?}\n{}", position.board);
        }
    }
    assert!(suicides > 200, "{suicides}");
}

/// Games of our own making on 9×9, one a line: a letter for the column and one for the row, Black first, `tt` is a pass. Learned playouts played them at
/// a temperature of 0.6, which makes the likely moves likelier still, so that they look more like games than like noise.
const GAMES: &str = include_str!("../../../tests/fixture/games-9.txt");

#[test]
fn the_table_of_recorded_games_is_the_same_from_scratch() {
    let size = Size::square(9).unwrap();
    let mut rule = Rated::new(GammaSets::new(None, 1.0));
    let mut scratch = Rates::default();
    let mut counts = Counts::default();
    let mut games = 0;
    for line in GAMES.lines() {
        let moves = line.as_bytes().chunks_exact(2).map(|pair| {
            let place = |letter: u8| usize::from(letter - b'a');
            size.point(place(pair[0]), place(pair[1])).map_or(Move::Pass, Move::Play)
        });
        counts += check_game(&mut rule, &mut scratch, size, moves);
        games += 1;
    }
    assert!(games >= 1000, "{games} games");
    assert!(counts.moves > 40_000 && counts.captures > 3_000 && counts.kos > 300);
}

/// The rate of every move of a position by its definition: the product of the gammas of the features that learning sees.
fn rates_by_definition(
    table: &GammaTable,
    reader: &mut FeatureReader,
    position: &Position,
) -> HashMap<Point, f64> {
    let mut rates = HashMap::new();
    reader.read(position, |point, features| {
        let near = table.near.binary_search_by_key(&features.near.0, |&(code, _)| code.0);
        let md2 = table.md2.binary_search_by_key(&features.md2, |&(code, _)| code);
        let shape = near.map_or(1.0, |at| table.near[at].1) * md2.map_or(1.0, |at| table.md2[at].1);
        let of = |group: usize| table.values[group][usize::from(features.values[group])];
        let groups = [TO_LAST, TO_BEFORE_LAST, CAPTURE, ESCAPE, SELF_ATARI, ATARI, RESPONSE];
        let product =
            groups.into_iter().fold(f64::from(shape), |product, group| product * f64::from(of(group)));
        let hopeless = features.values[SELF_ATARI] == tactics::HOPELESS;
        rates.insert(point, if hopeless { 0.0 } else { product });
    });
    rates
}

/// The rates that playouts draw by are those of the features that are learned, but for rounding.
#[test]
fn playouts_and_learning_agree() {
    let table = all_different();
    let mut rng = Rng::new(2);
    let mut rule = Rated::new(GammaSets::new(Some(&table), 1.0));
    let mut reader = FeatureReader::default();
    let mut compared = 0;
    for game in 0..60 {
        let size = Size::square(5 + game % 5).unwrap();
        let mut position = Position::new(Board::new(size), Color::Black);
        rule.start(&position);
        for mv in random_game(size, &mut rng) {
            let expected = rates_by_definition(&table, &mut reader, &position);
            let weights = weights(&mut rule, &position);
            for point in size.points() {
                let rate = f64::from(weights[point]);
                let expected = expected.get(&point).copied().unwrap_or(0.0);
                // Upper halves of floats have eight bits.
                let tolerance = expected / 256.0;
                assert!((rate - expected).abs() <= tolerance, "{rate} {expected}\n{}", position.board);
                compared += usize::from(rate > 0.0);
            }
            play(&mut rule, &mut position, mv);
        }
    }
    assert!(compared > 50_000, "{compared}");
}

/// Moves come as often as their rates say, special ones and others, and none that is illegal.
#[test]
fn moves_are_drawn_by_their_rates() {
    let size = Size::square(7).unwrap();
    let mut rng = Rng::new(4);
    let mut rule = Rated::new(different_sets());
    for game in 0..12 {
        let mut position = Position::new(Board::new(size), Color::Black);
        rule.start(&position);
        for mv in random_game(size, &mut rng).into_iter().take(8 + 5 * game) {
            play(&mut rule, &mut position, mv);
        }
        let weights = weights(&mut rule, &position);
        let rates: HashMap<Point, f64> = size
            .points()
            .map(|point| (point, f64::from(weights[point])))
            .filter(|&(_, rate)| rate > 0.0)
            .collect();
        let total: f64 = rates.values().sum();
        if rates.len() < 2 {
            continue;
        }
        let draws = 40_000;
        let mut counts: HashMap<Point, u32> = HashMap::new();
        for _ in 0..draws {
            let point = rule.propose(&mut position, &mut rng).expect("there are moves");
            assert!(is_sensible(&position.board, point, position.to_move));
            *counts.entry(point).or_default() += 1;
        }
        assert!(counts.keys().all(|point| rates.contains_key(point)));
        // Rare moves together, so that every expectation is large enough for the test.
        let (mut chi_square, mut classes, mut rare) = (0.0, 0, (0.0, 0.0));
        for (point, &rate) in &rates {
            let expected = f64::from(draws) * rate / total;
            let found = f64::from(counts.get(point).copied().unwrap_or(0));
            if expected < 20.0 {
                rare = (rare.0 + expected, rare.1 + found);
            } else {
                chi_square += (found - expected).powi(2) / expected;
                classes += 1;
            }
        }
        if rare.0 > 20.0 {
            chi_square += (rare.1 - rare.0).powi(2) / rare.0;
            classes += 1;
        }
        let k = f64::from(classes - 1);
        let z = ((chi_square / k).cbrt() - (1.0 - 2.0 / (9.0 * k))) / (2.0 / (9.0 * k)).sqrt();
        assert!(z < 4.5, "chi² {chi_square} with {k} degrees of freedom in game {game}");
    }
}

#[test]
fn playouts_end_and_leave_a_board_that_can_be_counted() {
    let mut rule = Rated::new(GammaSets::new(None, 1.0));
    let mut rng = Rng::new(1);
    for side in [5, 9, 13, 19, 25] {
        let size = Size::square(side).unwrap();
        let mut ends = 0;
        for _ in 0..10 {
            let mut position = Position::new(Board::new(size), Color::Black);
            let end = run(&mut rule, &mut position, &mut rng, Ending::natural(size.area()), |_, _| ());
            ends += u32::from(end == End::Passes);
        }
        assert!(ends >= 8, "{ends} of 10 playouts end on {size}");
    }
}

/// An escape is far likelier than by chance.
#[test]
fn urgent_moves_are_likely() {
    let check = |diagram: &str, least: f64| {
        let parsed = Diagram::parse(diagram).unwrap();
        let mut position = Position::new(parsed.board.clone(), Color::Black);
        let last = parsed.point('b').unwrap();
        position.board.set_up(last, Color::White);
        position.last = Move::Play(last);
        let mut rule = Rated::new(GammaSets::new(None, 1.0));
        rule.start(&position);
        let mut rng = Rng::new(3);
        let wanted = parsed.point('a');
        let hits = (0..1000).filter(|_| rule.propose(&mut position, &mut rng) == wanted).count();
        assert!(hits as f64 > 1000.0 * least, "{hits} of 1000:\n{diagram}");
    };
    let escape = ". . . . . . .\n. . O . . . .\n. O X b . . .\n. . a . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . .";
    check(escape, 0.25);
}

/// The table is only a part of the playout rules: it goes together with others.
#[test]
fn the_table_follows_the_moves_of_other_rules() {
    let size = Size::square(9).unwrap();
    let mut rules = (Heavy::default(), Rated::new(different_sets()));
    let mut rng = Rng::new(6);
    let mut position = Position::new(Board::new(size), Color::Black);
    run(&mut rules, &mut position, &mut rng, Ending::merciful(81), |_, _| ());
    let mut scratch = Rates::default();
    scratch.start(&rules.1.gammas, &position.board);
    assert_eq!(rules.1.rates.snapshot(), scratch.snapshot());
}

/// Whatever was learned, and however rates were multiplied for a draw, the table is that of the board.
#[test]
fn adapted_draws_leave_the_table_as_it_was() {
    let size = Size::square(7).unwrap();
    let scheme = AdaptationScheme { learners: Learners::Both, context: 2, rate: 0.3 };
    let mut rule = AdaptedRated::new(Rated::new(different_sets()), scheme);
    let mut scratch = Rates::default();
    let mut rng = Rng::new(15);
    for game in 0..60 {
        let mut position = Position::new(Board::new(size), Color::Black);
        let mut moves = Vec::new();
        rule.start(&position);
        for _ in 0..60 {
            let mv = rule.propose(&mut position, &mut rng).map_or(Move::Pass, Move::Play);
            moves.push(mv.code());
            position.play_observed(mv, &mut Told(&mut rule));
            rule.played(&position);
            scratch.start(&rule.rated().gammas, &position.board);
            assert_eq!(rule.rated().rates.snapshot(), scratch.snapshot(), "{}", position.board);
        }
        rule.learn(&Lesson {
            moves: &moves,
            tree_moves: 0,
            before: [Move::Pass; 2],
            first_mover: Color::Black,
            winner: Color::BOTH[game % 2],
        });
    }
}
