//! Counts of move paths against a table that other Go programs agree on.

use tesuji_board::{Game, KoRule, Rules, Size, Suicide, perft};

const TABLE: &str = include_str!("../../../tests/perft/positional.txt");

fn check(line: &str) {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [width, height, suicide, counts @ ..] = &words[..] else { panic!("short line: {line}") };
    let size = Size::new(width.parse().unwrap(), height.parse().unwrap()).unwrap();
    let suicide = match *suicide {
        "allowed" => Suicide::Allowed,
        "forbidden" => Suicide::Forbidden,
        other => panic!("unknown suicide rule: {other}"),
    };
    let rules = Rules { ko: KoRule::Positional, suicide, ..Rules::default() };
    let mut game = Game::new(size, rules);
    for (depth, count) in counts.iter().enumerate() {
        assert_eq!(perft(&mut game, depth), count.parse().unwrap(), "{line}: depth {depth}");
    }
    assert_eq!(game.move_number(), 0);
}

#[test]
fn counts_of_the_table() {
    let lines: Vec<_> = TABLE.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(lines.len() >= 6);
    lines.into_iter().for_each(check);
}
