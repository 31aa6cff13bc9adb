//! Each plane of the paper's set, on positions made by hand.

use crate::support::{empty, encode, game, plain, play, points};
use tesuji_board::{Color, Game, Rules, Suicide};
use tesuji_net::input::Planes;
use tesuji_net::model::InputSet;

fn paper(game: &Game) -> Planes {
    encode(game, InputSet::PaperPolicy)
}

/// All planes from `first` on that have points, by their number from 0.
fn group(planes: &Planes, first: usize, count: usize) -> Vec<(usize, String)> {
    let named = (0..count).map(|i| (i, points(planes, first + i)));
    named.filter(|(_, points)| !points.is_empty()).collect()
}

fn named<const N: usize>(expected: [(usize, &str); N]) -> Vec<(usize, String)> {
    expected.map(|(number, points)| (number, points.to_owned())).to_vec()
}

#[test]
fn stones_and_constants() {
    let position = game("XO.\n.X.\nto play: O", plain());
    let planes = paper(&position);
    assert_eq!(points(&planes, 0), "B2");
    assert_eq!(points(&planes, 1), "A2 B1");
    assert_eq!(points(&planes, 2), "C2 A1 C1");
    assert_eq!(points(&planes, 3).split(' ').count(), 6);
    assert_eq!(points(&planes, 47), "");
    let to_move = |game: &Game| points(&encode(game, InputSet::PaperValue), 47).len();
    assert_eq!(to_move(&position), 0);
    assert!(to_move(&empty(3, 3, plain())) > 0);
    assert!(planes.points().iter().all(|&word| word >> 48 == 0) && planes.globals().is_empty());
}

#[test]
fn ages_count_moves_and_passes() {
    let planes = paper(&play(game("...X\n....\n....", plain()), "A1 B1 pass C1 A3 B3 pass D1 D2"));
    assert_eq!(
        group(&planes, 4, 8),
        named([(0, "D2"), (1, "D1"), (3, "B3"), (4, "A3"), (5, "C1"), (7, "D3 A1 B1")])
    );
}

#[test]
fn the_age_of_a_point_is_that_of_the_stone_on_it() {
    // White takes the stone on B2 and Black plays there again.
    let start = ".O..\nO.O.\n....\nto play: X";
    let planes = paper(&play(game(start, plain()), "B2 B1 D1 A1"));
    assert_eq!(group(&planes, 4, 8), named([(0, "A1"), (1, "D1"), (2, "B1"), (7, "B3 A2 C2")]));
}

#[test]
fn liberties_of_chains() {
    let planes = paper(&game("XO...\n.O...\n.....\nX....", plain()));
    assert_eq!(group(&planes, 12, 8), named([(0, "A4"), (1, "A1"), (3, "B4 B3")]));
    let long = paper(&game(".....\n.XXX.\n.....\n.....", plain()));
    assert_eq!(group(&long, 12, 8), named([(7, "B3 C3 D3")]));
}

#[test]
fn what_moves_do() {
    // Black to move: C4 takes two, D1 would be self-atari.
    let planes = paper(&game("OO.X.\nXXX..\n.....\n..O.O", plain()));
    assert_eq!(group(&planes, 20, 8), named([(0, "E4 D3 E3 A2 B2 C2 D2 E2 A1 B1 D1"), (2, "C4")]));
    assert_eq!(group(&planes, 28, 8), named([(0, "D1")]));
    let after = group(&planes, 36, 8);
    assert_eq!(after[0], (0, "D1".to_owned()));
    assert!(points(&planes, 46).contains("D1"), "self-atari is sensible");
}

#[test]
fn own_eyes_are_not_sensible_and_illegal_moves_are_nothing() {
    let planes = paper(&game(".XO.\nXXOO\n..X.\nto play: X", plain()));
    assert_eq!(points(&planes, 46), "A1 B1 D1");
    assert!(points(&planes, 20).starts_with("A3"), "filling an eye is legal");
    assert!(!points(&planes, 20).contains("D3"), "suicide is not");
    assert!(!points(&planes, 36).contains("D3"));
}

#[test]
fn ko_and_suicide() {
    let start = ".XO.\nX.XO\n.XO.\nto play: O";
    let planes = paper(&play(game(start, plain()), "B2"));
    assert!(!points(&planes, 20).contains("C2") && !points(&planes, 21).contains("C2"));
    let rules = Rules { suicide: Suicide::Allowed, ..plain() };
    // A single stone may not be put to death, more may; they have no liberties afterwards.
    assert_eq!(points(&paper(&game(".OX.\nOO..\nto play: X", rules)), 20), "D2 C1 D1");
    let planes = paper(&game(".XO.\nXXO.\nOOO.\nto play: X", rules));
    assert_eq!(points(&planes, 20), "A3 D3 D2 D1");
    assert!((36..44).all(|plane| !points(&planes, plane).contains("A3")));
    let forbidden = paper(&game(".XO.\nXXO.\nOOO.\nto play: X", plain()));
    assert_eq!(points(&forbidden, 20), "D3 D2 D1");
}

#[test]
fn ladders() {
    let rows =
        ".........\n...X.....\n..XO.....\n..X......\n.........\n.........\n.........\n.........\n.........";
    let planes = paper(&game(rows, plain()));
    assert_eq!((points(&planes, 44), points(&planes, 45)), ("E7".to_owned(), String::new()));
    let rows = ".........\n...X.....\n..XOX....\n..X......\n.........\n.........\n......O..\n.........\n.........\nto play: O";
    let planes = paper(&game(rows, plain()));
    assert_eq!((points(&planes, 44), points(&planes, 45)), (String::new(), "D6".to_owned()));
    let caught = rows.replace("......O..", ".........");
    assert_eq!(points(&paper(&game(&caught, plain())), 45), "");
    let capture = ".....\n.OXX.\n.XO.X\n.OXX.\n.....\nto play: O";
    assert_eq!(points(&paper(&game(capture, plain())), 45), "A3");
    assert_eq!(game(capture, plain()).to_move(), Color::White);
}
