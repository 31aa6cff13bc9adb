//! Reading SGF never fails by a panic, agrees with scanning, and is undone by writing.

use tesuji_board::Rules;
use tesuji_sgf::{
    Collection, GameRecord, ParseErrorKind, ScanErrorKind, ScannedGame, Scanner, decode, parse, write,
};

use crate::{Law, Reception};

pub(crate) const LAW: Law = Law {
    name: "sgf",
    statement: "what is written reads back the same; the scanner finds what the parser finds; nothing panics",
    check,
    examples: &[
        b"(;GM[1]FF[4]SZ[9]KM[6.5]RU[Japanese]PB[A]PW[B]RE[W+R];B[ee];W[cc];B[gg];W[])",
        b"(;SZ[9]HA[2]AB[cc][gg];W[ee](;B[ec];W[ed])(;B[ge]C[a \\] b\\\\\n]))(;SZ[5:4]AW[aa:bb]PL[W])",
        b"junk (;sIZE[19] B [dd]\r\n;White[pp] () AE[dd] ;W[tt]",
        "(;CA[UTF-8]PB[棋士]C[é:\\:]SZ[19]KM[375])".as_bytes(),
        b"(;CA[GBK]PB[\xC6\xE5\xCA\xBF];B[aa];W[bb])",
    ],
    words: &[
        b"(;",
        b")",
        b";B[",
        b";W[",
        b"AB[",
        b"AW[",
        b"AE[",
        b"][",
        b"]",
        b"\\]",
        b"\\\\",
        b"SZ[",
        b"KM[",
        b"HA[",
        b"PL[W]",
        b"GM[1]",
        b"CA[Shift_JIS]",
        b"CA[Big5]",
        b"C[",
        b":",
        b"tt",
        b"aa",
        b"\xEF\xBB\xBF",
        b"\xFF\xFE",
        b"\r\n",
    ],
};

fn check(input: &[u8]) -> Reception {
    let scanned = scan(input);
    let parsed = match parse(input) {
        Ok(parsed) => parsed,
        Err(error) => {
            assert!(error.place.offset <= input.len() && !error.to_string().is_empty());
            assert!(!matches!(error.kind, ParseErrorKind::TooManyBytes(_)), "fuzzed inputs are small");
            return Reception::Refused;
        }
    };
    assert!(parsed.warnings.iter().all(|warning| warning.place.offset <= input.len()));
    let records: Vec<_> =
        parsed.collection.games.iter().filter_map(|tree| GameRecord::from_tree(tree).ok()).collect();
    assert_eq!(scanned.as_ref().map(Vec::len), Some(records.len()), "the scanner finds the parser's games");
    for (scanned, record) in scanned.iter().flatten().zip(&records) {
        assert_eq!(
            (scanned.size, &scanned.komi, scanned.handicap, &scanned.result, scanned.to_play),
            (record.size, &record.komi, record.handicap, &record.result, record.to_play)
        );
        assert_eq!(
            (&scanned.setup_black, &scanned.setup_white, &scanned.moves),
            (&record.setup_black, &record.setup_white, &record.moves)
        );
    }
    let text = write(&parsed.collection);
    let again = parse(text.as_bytes()).expect("what is written can be read");
    assert!(again.warnings.is_empty(), "what is written is faultless");
    assert_eq!(write(&again.collection), text);
    assert_eq!(without_header(again.collection), without_header(parsed.collection));
    for record in records {
        let again = parse(record.to_sgf().as_bytes()).expect("what is written can be read");
        assert_eq!(GameRecord::from_tree(&again.collection.games[0]).as_ref(), Ok(&record));
        if let Ok(game) = record.replay(record.rules_or(Rules::default())) {
            assert_eq!(GameRecord::of_game(&game).moves, record.moves);
        }
    }
    Reception::Accepted
}

/// The usable games, or `None` if the text is no SGF to the end.
fn scan(input: &[u8]) -> Option<Vec<ScannedGame>> {
    let decoded = decode(input);
    let mut scanner = Scanner::new(decoded.text());
    let mut games = Vec::new();
    let mut game = ScannedGame::default();
    loop {
        match scanner.next_game(&mut game) {
            Ok(true) => games.push(game.clone()),
            Ok(false) => return Some(games),
            Err(error) => {
                assert!(error.offset <= decoded.text().len());
                if matches!(error.kind, ScanErrorKind::Token(_)) {
                    return None;
                }
            }
        }
    }
}

/// Without what writing sets: format and charset.
fn without_header(mut collection: Collection) -> Collection {
    for tree in &mut collection.games {
        let root = tree.root();
        for ident in ["FF", "CA"] {
            tree.node_mut(root).remove(ident);
        }
    }
    collection
}
