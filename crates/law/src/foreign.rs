//! Records of game servers are read or refused, and what was read is a game that SGF can hold.

use tesuji_board::Rules;
use tesuji_sgf::{GameRecord, read};

use crate::{Law, Reception};

pub(crate) const LAW: Law = Law {
    name: "foreign",
    statement: "GIB and NGF files are read or refused with a place; what is read reads back from SGF the same; nothing panics",
    check,
    examples: &[
        b"\\HS\n\\[GAMEBLACKNAME=aya (7D)\\]\n\\[GAMEWHITENAME=ben\\]\n\\[GAMEINFOMAIN=GRLT:0,ZIPSU:35,GONGJE:65\\]\n\\[GAMEDATE=2026- 1-12-20- 3- 4\\]\n\\HE\n\\GS\nINI 0 1 0 &4\nSTO 0 2 1 15 3\nSTO 0 3 2 3 15\nSKI 0 4\n\\GE\n",
        b"\\HS\r\n\\GS\r\nINI 0 1 4 &4\r\nSTO 0 2 2 15 5\r\n\\GE\r\n",
        b"title\n19\nben 6D*\naya 7D\nsite\n0\n0\n6\n20260112 [20:03]\n30\nBlack wins by 2.5!\n3\nPMABBQEEQ\nPMACWEQQE\nPMADBAAAA\n",
        "対局\n9\n白 5段\n黒\n\n3\n0\n0\n\n\n黒中押し勝ち!\n1\nPMABWFFFF\n".as_bytes(),
    ],
    words: &[
        b"\\HS", b"\\[", b"\\]", b"=", b"INI ", b"STO ", b"SKI ", b"\n", b"\r", b" ", b"(", b")", b"-", b":", b",", b"0", b"9", b"19",
        b"25", b"99999999999999999999", b"-1", b"PM", b"PMABB", b"AA", b"ZZ", b"GONGJE:", b"GRLT:", b"\xEF\xBB\xBF", b"\xFF",
        b"\xB0\xA1",
    ],
};

fn check(input: &[u8]) -> Reception {
    let parsed = match read(input) {
        Ok(parsed) => parsed,
        Err(error) => {
            assert!(error.place.offset <= input.len() && !error.to_string().is_empty());
            return Reception::Refused;
        }
    };
    for tree in &parsed.collection.games {
        let Ok(record) = GameRecord::from_tree(tree) else { continue };
        let again = read(record.to_sgf().as_bytes()).expect("what is written can be read");
        assert_eq!(GameRecord::from_tree(&again.collection.games[0]).as_ref(), Ok(&record));
        // It need not be legal, but finding out must not panic.
        let _ = record.replay_leniently(record.rules_or(Rules::default()));
    }
    Reception::Accepted
}
