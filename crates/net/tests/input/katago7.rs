//! Each plane and number of KataGo's version 7 that is not about the past, on positions made by hand.

use crate::support::{empty, encode, game, input, plain, play, points};
use tesuji_board::{KoRule, Rules, Scoring, Size, Suicide, Tax};
use tesuji_net::input::{Line, Planes, katago7};
use tesuji_net::model::InputSet;

fn v7(game: &tesuji_board::Game) -> Planes {
    encode(game, InputSet::Katago7)
}

#[test]
fn the_set_has_the_planes_and_numbers_that_networks_expect() {
    let planes = v7(&empty(5, 3, plain()));
    let set = input(InputSet::Katago7);
    assert_eq!((set.planes.len(), set.globals.len()), (katago7::PLANES, katago7::GLOBALS));
    assert_eq!(planes.globals().len(), katago7::GLOBALS);
    assert_eq!(planes.points().len(), 15);
    assert!(planes.points().iter().all(|&word| word >> katago7::PLANES == 0));
}

#[test]
fn stones_and_liberties() {
    let rows = "XO...\nXO...\n.....\n...X.";
    for (to_play, own, opponent) in [("X", "A4 A3 D1", "B4 B3"), ("O", "B4 B3", "A4 A3 D1")] {
        let planes = v7(&game(&format!("{rows}\nto play: {to_play}"), plain()));
        assert_eq!(points(&planes, 0).split(' ').count(), 20);
        assert_eq!(points(&planes, 1), own);
        assert_eq!(points(&planes, 2), opponent);
        assert_eq!(points(&planes, 3), "A4 A3");
        assert_eq!(points(&planes, 4), "");
        assert_eq!(points(&planes, 5), "B4 B3 D1");
    }
    let planes = v7(&game("X....\n.....\n.....", plain()));
    assert_eq!(points(&planes, 4), "A3");
}

#[test]
fn planes_of_the_second_phase_are_empty() {
    let planes = v7(&play(empty(4, 4, Rules::named("japanese").unwrap()), "A1 B1 pass pass C3"));
    for plane in [7, 8, 20, 21] {
        assert_eq!(points(&planes, plane), "");
    }
    assert_eq!((planes.globals()[12], planes.globals()[13]), (0.0, 0.0));
}

#[test]
fn older_ladders_stand_in_where_no_moves_are_shown() {
    // White's stone on D5 is caught until White runs while Black plays elsewhere.
    let start = ".......\n...X...\n..XO...\n..X....\n.......\n.......\n.......\nto play: O";
    let caught = |moves: &str, rules: Rules| {
        let planes = v7(&play(game(start, rules), moves));
        [14, 15, 16].map(|plane| points(&planes, plane))
    };
    assert_eq!(caught("", plain()), ["D5", "D5", "D5"]);
    assert_eq!(caught("B2", plain()), ["D5", "D5", "D5"]);
    assert_eq!(caught("D4 F6", plain()), ["", "", "D5"]);
    assert_eq!(caught("D4", plain()), ["", "D5", "D5"]);
    assert_eq!(caught("D4 pass", plain()), ["", "", "D5"]);
    let friendly = Rules { friendly_pass: true, ..plain() };
    assert_eq!(caught("D4 pass", friendly), ["", "", ""]);
}

#[test]
fn rules_are_told() {
    let globals = |change: &dyn Fn(&mut Rules)| {
        let mut rules = plain();
        change(&mut rules);
        v7(&empty(3, 3, rules)).globals().to_vec()
    };
    let base = globals(&|_| {});
    assert_eq!(base[6..14], [0.0; 8]);
    assert_eq!(globals(&|rules| rules.ko = KoRule::Positional)[6..8], [1.0, 0.5]);
    assert_eq!(globals(&|rules| rules.ko = KoRule::Situational)[6..8], [1.0, -0.5]);
    assert_eq!(globals(&|rules| rules.suicide = Suicide::Allowed)[8], 1.0);
    assert_eq!(globals(&|rules| rules.scoring = Scoring::Territory)[9], 1.0);
    assert_eq!(globals(&|rules| rules.tax = Tax::Seki)[10..12], [1.0, 0.0]);
    assert_eq!(globals(&|rules| rules.tax = Tax::All)[10..12], [1.0, 1.0]);
    assert_eq!(globals(&|rules| rules.has_button = true)[17], 1.0);
}

#[test]
fn the_wave_of_komi() {
    // Black's komi is the negative of White's; on an odd board odd ones can be drawn, on an even board even ones.
    let wave = |width, white_komi: f32| {
        let rules = Rules { komi: -white_komi, ..plain() };
        v7(&empty(width, 3, rules)).globals()[18]
    };
    for (komi, expected) in [
        (7.0, 0.0),
        (7.25, 0.25),
        (7.5, 0.5),
        (7.75, 0.25),
        (8.0, 0.0),
        (8.5, -0.5),
        (8.75, -0.25),
        (-7.5, -0.5),
    ] {
        assert_eq!(wave(3, komi), expected, "{komi} on 3x3");
        assert_eq!(wave(4, komi - 1.0), expected, "{komi} - 1 on 4x3");
    }
    let rules = Rules { scoring: Scoring::Territory, ..plain() };
    assert_eq!(v7(&empty(3, 3, rules)).globals()[18], 0.0);
}

#[test]
fn the_advantage_in_playouts_is_told() {
    let size = Size::square(5).unwrap();
    let game = empty(5, 5, plain());
    let line = Line::from_game(&game, game.to_move());
    let mut planes = Planes::new(size);
    let mut encoder = katago7::Katago7::new(size);
    let mut told = |playout_doubling_advantage| {
        let options = katago7::Options { playout_doubling_advantage, ..Default::default() };
        encoder.encode(&line.view(), options, &mut planes);
        (planes.globals()[15], planes.globals()[16])
    };
    assert_eq!(told(0.0), (0.0, 0.0));
    assert_eq!(told(-1.5), (1.0, -0.75));
}
