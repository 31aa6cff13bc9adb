//! Records that people open, drop or paste: from the bytes of a file to SGF that the page can read.
//!
//! The page reads strict UTF-8 SGF and nothing else; other formats, old charsets, small faults and what else files get wrong are dealt with here, where
//! they are for all commands.

use serde_json::{Value, json};
use tesuji_sgf::{Collection, GameRecord, write};

/// Warnings that are passed on; more say nothing more.
const MAX_WARNINGS: usize = 5;

/// Every game of a file, and what was wrong with it; or why it cannot be read.
pub(crate) fn read(bytes: &[u8]) -> Result<Value, String> {
    let parsed = tesuji_sgf::read(bytes).map_err(|error| error.to_string())?;
    if parsed.collection.games.is_empty() {
        return Err("there is no game in it".to_owned());
    }
    let mut games = Vec::new();
    for tree in &parsed.collection.games {
        // What is no game on its main line cannot be shown; it says so before anything is replaced by it.
        let record = GameRecord::from_tree(tree).map_err(|error| error.to_string())?;
        record.start(record.rules_or(Default::default())).map_err(|error| error.to_string())?;
        games.push(write(&Collection { games: vec![tree.clone()] }));
    }
    let warnings: Vec<String> = parsed.warnings.iter().take(MAX_WARNINGS).map(ToString::to_string).collect();
    Ok(json!({ "games": games, "warnings": warnings, "charset": parsed.charset }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_read_is_passed_on_as_plain_sgf() {
        let answer = read(b"some mail\n(;CA[latin1]SZ[9]PB[J\xf6rg];B[ee](;W[cc])(;W[gg])").unwrap();
        let text = answer["games"][0].as_str().unwrap();
        assert!(text.contains("PB[Jörg]") && text.contains("(;W[gg])"), "{text}");
        assert!(!answer["warnings"].as_array().unwrap().is_empty());
    }

    #[test]
    fn what_cannot_is_explained() {
        for text in [&b""[..], b"hello", b"(;SZ[9];B[ee", b"(;SZ[99])", b"(;SZ[9];B[zz])"] {
            let error = read(text).unwrap_err();
            assert!(!error.is_empty(), "{text:?}");
        }
    }
}
