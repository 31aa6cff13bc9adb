use proptest::prelude::*;
use tesuji_sgf::{Collection, GameRecord, ScanErrorKind, ScannedGame, Scanner, decode, parse, write};

use crate::generate::{go_collection, roughen};

/// The games of a file as the scanner sees them; `None` for an unusable game.
pub(crate) fn scan(bytes: &[u8]) -> Vec<Option<ScannedGame>> {
    let decoded = decode(bytes);
    let mut scanner = Scanner::new(decoded.text());
    let mut game = ScannedGame::default();
    let mut games = Vec::new();
    loop {
        match scanner.next_game(&mut game) {
            Ok(true) => games.push(Some(game.clone())),
            Ok(false) => return games,
            Err(_) => games.push(None),
        }
    }
}

/// The same for games that the parser has read.
pub(crate) fn records(collection: &Collection) -> Vec<Option<ScannedGame>> {
    collection.games.iter().map(|tree| GameRecord::from_tree(tree).ok().map(scanned)).collect()
}

fn parse_all(bytes: &[u8]) -> Vec<Option<ScannedGame>> {
    records(&parse(bytes).unwrap().collection)
}

fn scanned(record: GameRecord) -> ScannedGame {
    ScannedGame {
        size: record.size,
        komi: record.komi,
        handicap: record.handicap,
        result: record.result,
        setup_black: record.setup_black,
        setup_white: record.setup_white,
        to_play: record.to_play,
        moves: record.moves,
    }
}

fn check(text: &str) {
    assert_eq!(scan(text.as_bytes()), parse_all(text.as_bytes()), "{text}");
}

#[test]
fn chosen_files() {
    check("(;)");
    check("(;SZ[9]KM[6.5]HA[2]AB[cc][gg]RE[W+R];W[aa];B[tt];W[])");
    check("(;AB[aa:cc]SZ[9];B[aa](;W[bb];B[cc](;W[dd]))(;W[ee]))(;B[aa])");
    check("(;SZ[9];B[aa]();W[bb]((;B[cc];W[dd])(;B[ee]));B[ff])");
    check("(;SZ[9](()(;B[aa])(;B[bb]))(;B[cc]))(;W[dd])");
    check("(SZ[9]Black[aa](White[bb]");
    check("(;SZ[9]SZ[13]KM[]KM[7]RE[]RE[B+R]PL[x]PL[W]B[ll])");
    check("(;SZ[9]KoMi[7]SiZe[13];B[l\\l])");
    check("(;SZ[99];B[aa](;C[)(]))junk(;SZ[9];B[zz])(;SZ[9];B[aa])");
    check("(;GM[2])(;GM[1])(;HA[x])(;B[aa];AB[bb])(;B[aa]AB[bb])");
    check("(;SZ[9];B[aa]\n[bb];W[bb] C[x]W[cc];B[tt];W[jj])(;SZ[9];B[aa]AB[bb];W[dd])");
    check("mail (header)\n\n((;B[aa]))(;W[bb]))");
}

#[test]
fn a_bad_value_costs_a_game_and_bad_text_ends_the_scan() {
    let mut scanner = Scanner::new("(;B[aa])(;B[bb);W[cc](;B[dd])");
    let mut game = ScannedGame::default();
    assert_eq!(scanner.next_game(&mut game), Ok(true));
    let error = scanner.next_game(&mut game).unwrap_err();
    assert_eq!((error.offset, matches!(error.kind, ScanErrorKind::Property(_))), (10, true));
    let mut scanner = Scanner::new("(;SZ[9] ;B[aa]\n;W[jj])(;W[aa])");
    assert_eq!(scanner.next_game(&mut game).map_err(|error| error.offset), Err(16));
    assert_eq!((scanner.next_game(&mut game), game.moves.len()), (Ok(true), 1));
    let mut scanner = Scanner::new("(;B[aa]*)(;B[bb])");
    let error = scanner.next_game(&mut game).unwrap_err();
    assert_eq!((error.offset, matches!(error.kind, ScanErrorKind::Token(_))), (7, true));
    assert_eq!(scanner.next_game(&mut game), Ok(false));
}

proptest! {
    #[test]
    fn random_files(collection in go_collection(), choices in prop::collection::vec(0u8..8, 1..50)) {
        let text = roughen(&write(&collection), &choices);
        prop_assert_eq!(scan(text.as_bytes()), parse_all(text.as_bytes()), "{}", text);
    }
}

/// The comparison is worth something only if most generated games can be used and have moves.
#[test]
fn random_files_are_mostly_usable() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut usable, mut unusable, mut moves) = (0, 0, 0);
    for _ in 0..100 {
        let collection = go_collection().new_tree(&mut runner).unwrap().current();
        for game in parse_all(write(&collection).as_bytes()) {
            match game {
                Some(game) => (usable, moves) = (usable + 1, moves + game.moves.len()),
                None => unusable += 1,
            }
        }
    }
    assert!(usable > unusable / 2 && unusable > 0 && moves > 2 * usable, "{usable} {unusable} {moves}");
}
