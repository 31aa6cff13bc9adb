use proptest::prelude::*;
use tesuji_board::{Color, Move, Size};
use tesuji_sgf::{Collection, GameRecord, Ident, Komi, RecordedResult, WinBy, parse, write};

use crate::generate::{any_collection, go_collection, roughen};

/// What a collection is after having been written: every root names format and charset.
fn as_written(collection: &Collection) -> Collection {
    let mut written = collection.clone();
    for tree in &mut written.games {
        let root = tree.root();
        let properties = tree.node(root).properties().to_vec();
        let node = tree.node_mut(root);
        for property in &properties {
            node.remove(property.ident().as_str());
        }
        let forced = [("FF", "4"), ("CA", "UTF-8")];
        for (ident, value) in forced {
            if !properties.iter().any(|p| p.ident().as_str() == ident) {
                node.set(Ident::new(ident).unwrap(), value);
            }
        }
        for property in &properties {
            match forced.iter().find(|(ident, _)| *ident == property.ident().as_str()) {
                Some((_, value)) => node.set(property.ident(), *value),
                None => property.values().iter().for_each(|value| {
                    node.push(property.ident(), value.as_str());
                }),
            }
        }
    }
    written
}

fn record() -> impl Strategy<Value = GameRecord> {
    let text = "[a-z\\]\\\\:é碁][a-z \\]\\\\:é碁]{0,8}[a-z]|";
    let komi = prop_oneof![
        Just(Komi::Missing),
        (-200i32..200).prop_map(|quarters| Komi::Points(f64::from(quarters) / 4.0)),
        "375|6,5|".prop_map(Komi::Unclear),
    ];
    let result = prop_oneof![
        Just(RecordedResult::Missing),
        Just(RecordedResult::Draw),
        Just(RecordedResult::Void),
        Just(RecordedResult::Other("?".into())),
        Just(RecordedResult::Win(Color::Black, WinBy::Resignation)),
        (0u16..700)
            .prop_map(|halves| RecordedResult::Win(Color::White, WinBy::Score(f64::from(halves) / 2.0))),
    ];
    let color = prop_oneof![Just(Color::Black), Just(Color::White)];
    let moves = prop::collection::vec((color.clone(), 0usize..700), 0..40);
    let stones = prop::collection::btree_map(0usize..625, color.clone(), 0..10);
    let comments = prop::collection::btree_map(0usize..40, "[a-z\n\\]\\\\]{1,20}", 0..4);
    let names = prop::collection::vec(text, 6);
    ((2usize..=25, 2usize..=25), komi, result, 0u16..10, names, stones, color, moves, comments).prop_map(
        |((width, height), komi, result, handicap, names, stones, to_play, moves, comments)| {
            let size = Size::new(width, height).unwrap();
            let mut record = GameRecord::new(size);
            (record.komi, record.result, record.handicap) = (komi, result, handicap);
            let [rules, date, black, white, black_rank, white_rank] = names.try_into().unwrap();
            (record.rules, record.date, record.black_name, record.white_name) = (rules, date, black, white);
            (record.black_rank, record.white_rank, record.to_play) = (black_rank, white_rank, to_play);
            for (point, ordinal) in size.points().zip(0..) {
                match stones.get(&ordinal) {
                    Some(Color::Black) => record.setup_black.push(point),
                    Some(Color::White) => record.setup_white.push(point),
                    None => {}
                }
            }
            let points: Vec<_> = size.points().collect();
            record.moves = moves
                .into_iter()
                .map(|(color, ordinal)| (color, points.get(ordinal).map_or(Move::Pass, |&p| Move::Play(p))))
                .collect();
            record.comments = comments;
            record.comments.retain(|&number, _| number <= record.moves.len());
            record
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_reads_back(collection in any_collection()) {
        let text = write(&collection);
        let parsed = parse(text.as_bytes()).map_err(|e| TestCaseError::fail(format!("{e} in {text:?}")))?;
        prop_assert_eq!(&parsed.collection, &as_written(&collection), "{}", text);
        prop_assert!(parsed.warnings.is_empty());
        prop_assert_eq!(write(&parsed.collection), text);
    }

    #[test]
    fn rough_writing_does_not_change_the_tree(
        collection in go_collection(),
        choices in prop::collection::vec(0u8..8, 1..50),
    ) {
        let text = write(&collection);
        let rough = roughen(&text, &choices);
        let parsed = parse(rough.as_bytes()).map_err(|e| TestCaseError::fail(format!("{e} in {rough:?}")))?;
        prop_assert_eq!(parsed.collection, as_written(&collection), "{}", rough);
    }

    #[test]
    fn records_read_back(record in record()) {
        let text = record.to_sgf();
        let parsed = parse(text.as_bytes()).map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_eq!(GameRecord::from_tree(&parsed.collection.games[0]), Ok(record), "{}", text);
    }
}
