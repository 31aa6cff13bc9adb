use proptest::prelude::*;
use tesuji_board::Size;
use tesuji_sgf::{GameLine, GameRecord, parse, write};

use crate::agreement::{records, scan};
use crate::generate::{any_collection, go_collection};

/// Everything that can be done with a file: what is accepted must scan and read back the same.
fn exercise(bytes: &[u8]) {
    let scanned = scan(bytes);
    match parse(bytes) {
        Ok(parsed) => {
            assert_eq!(scanned, records(&parsed.collection));
            let text = write(&parsed.collection);
            let again = parse(text.as_bytes()).expect("what is written can be read");
            assert_eq!(write(&again.collection), text);
            assert_eq!(again.warnings, []);
            for warning in &parsed.warnings {
                assert!(warning.place.offset <= bytes.len());
            }
            for tree in &parsed.collection.games {
                if let Ok(record) = GameRecord::from_tree(tree) {
                    let again = parse(record.to_sgf().as_bytes()).unwrap();
                    let again = GameRecord::from_tree(&again.collection.games[0]).unwrap();
                    assert_eq!(again, record, "{text}");
                }
            }
        }
        Err(error) => assert!(error.place.offset <= bytes.len() && !error.to_string().is_empty()),
    }
}

/// A place, as a share of the length, and what to do there.
fn mutations() -> impl Strategy<Value = Vec<(u16, u8, u8)>> {
    prop::collection::vec((any::<u16>(), 0u8..5, any::<u8>()), 1..12)
}

fn mutate(bytes: &mut Vec<u8>, mutations: &[(u16, u8, u8)]) {
    const STRUCTURE: &[u8] = b"()[];\\:\r\n BWASZ\0\xFF\x80";
    for &(place, action, byte) in mutations {
        let at = usize::from(place) * bytes.len() / (1 << 16);
        match action {
            0 => bytes.insert(at, byte),
            1 => bytes.insert(at, STRUCTURE[usize::from(byte) % STRUCTURE.len()]),
            2 if !bytes.is_empty() => drop(bytes.remove(at)),
            3 if !bytes.is_empty() => bytes[at] = byte,
            4 => bytes.extend_from_within(at..bytes.len().min(at + usize::from(byte))),
            _ => bytes.truncate(at),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn damaged_games(collection in go_collection(), mutations in mutations()) {
        let mut bytes = write(&collection).into_bytes();
        mutate(&mut bytes, &mutations);
        exercise(&bytes);
    }

    #[test]
    fn damaged_trees(collection in any_collection(), mutations in mutations(), charset in 0usize..4) {
        let text = write(&collection);
        let encodings = [encoding_rs::UTF_8, encoding_rs::GBK, encoding_rs::SHIFT_JIS, encoding_rs::BIG5];
        let text = text.replace("CA[UTF-8]", &format!("CA[{}]", encodings[charset].name()));
        let mut bytes = encodings[charset].encode(&text).0.into_owned();
        mutate(&mut bytes, &mutations);
        exercise(&bytes);
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        exercise(&bytes);
    }

    #[test]
    fn damaged_lines(mutations in mutations()) {
        let mut bytes = b"19 6.5 0 W+R 3p 1p dqpdcdppncqffcdodlgpeoenfodpfqcqeqfngocrttdn".to_vec();
        mutate(&mut bytes, &mutations);
        let text = String::from_utf8_lossy(&bytes);
        let mut game = GameLine::new(Size::square(9).unwrap());
        match game.read(&text, 1) {
            Ok(()) => {
                let printed = game.to_string();
                let mut again = GameLine::new(game.size);
                again.read(&printed, 1).unwrap();
                prop_assert_eq!(again.to_string(), printed);
                prop_assert_eq!(again.moves, game.moves);
            }
            Err(error) => prop_assert!(error.column <= text.len() + 1),
        }
    }
}

/// The laws above hold for files that are read and for files that are refused; both must occur.
#[test]
fn damage_leaves_some_files_readable_and_spoils_others() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut readable, mut spoiled, mut with_warnings) = (0, 0, 0);
    for _ in 0..200 {
        let mut bytes = write(&go_collection().new_tree(&mut runner).unwrap().current()).into_bytes();
        mutate(&mut bytes, &mutations().new_tree(&mut runner).unwrap().current());
        match parse(&bytes) {
            Ok(parsed) => {
                readable += 1;
                with_warnings += usize::from(!parsed.warnings.is_empty());
            }
            Err(_) => spoiled += 1,
        }
    }
    assert!(readable >= 20 && spoiled >= 20 && with_warnings >= 10, "{readable} {spoiled} {with_warnings}");
}
