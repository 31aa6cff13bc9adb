//! What records call the rules of a game.
//!
//! `RU` holds a word that other programs know, and such a word may say less than the rules do: servers call rules Chinese that
//! forbid every repetition. Then a property of our own holds the exact name beside that word, `XRU[Chinese=chinese-ogs]`. It
//! counts as long as `RU` still says the same, because a program that changes `RU` has not heard of ours.

/// The property that holds the exact name.
pub(crate) const EXACT: &str = "XRU";

/// What records call rules of this name: the words that SGF's own description prescribes, and our name for the rest.
pub fn usual_name(name: &str) -> &str {
    match name {
        "aga" => "AGA",
        "goe" => "GOE",
        "new-zealand" => "NZ",
        "japanese" => "Japanese",
        "chinese" => "Chinese",
        other => other,
    }
}

/// The values of `RU`, and of `XRU` if it is needed, for rules of this [usual name](usual_name).
pub fn rules_properties(name: &str) -> (&str, Option<String>) {
    match name {
        // As the servers themselves call theirs.
        "chinese-ogs" | "chinese-kgs" | "cgos" => ("Chinese", Some(format!("Chinese={name}"))),
        other => (other, None),
    }
}

/// The name of the rules of a record with these values of `RU` and `XRU`.
pub(crate) fn read(name: String, exact: Option<String>) -> String {
    match exact.as_deref().and_then(|text| text.split_once('=')) {
        Some((word, exact)) if word == name => exact.to_owned(),
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use crate::{GameRecord, parse};
    use tesuji_board::{Game, Rules, Size};

    fn rules_of(sgf: &str) -> Rules {
        let record = GameRecord::from_tree(&parse(sgf.as_bytes()).unwrap().collection.games[0]).unwrap();
        record.rules_or(Rules::named("ancient-territory").unwrap())
    }

    #[test]
    fn every_preset_reads_back_and_has_a_name_that_other_programs_know() {
        for name in Rules::names() {
            let rules = Rules::named(name).unwrap();
            let sgf = GameRecord::of_game(&Game::new(Size::square(9).unwrap(), rules)).to_sgf();
            assert_eq!(rules_of(&sgf), rules, "{sgf}");
        }
        for (name, written) in [
            ("chinese", "RU[Chinese]"),
            ("chinese-ogs", "RU[Chinese]XRU[Chinese=chinese-ogs]"),
            ("chinese-kgs", "RU[Chinese]XRU[Chinese=chinese-ogs]"),
            ("cgos", "RU[Chinese]XRU[Chinese=cgos]"),
            ("korean", "RU[Japanese]"),
            ("aga", "RU[AGA]"),
            ("ing", "RU[GOE]"),
            ("nz", "RU[NZ]"),
            ("tromp-taylor", "RU[tromp-taylor]"),
        ] {
            let game = Game::new(Size::square(9).unwrap(), Rules::named(name).unwrap());
            let sgf = GameRecord::of_game(&game).to_sgf();
            assert!(sgf.contains(written), "{name}: {sgf}");
            assert_eq!(sgf.contains("XRU"), written.contains("XRU"), "{name}: {sgf}");
        }
    }

    #[test]
    fn another_program_may_change_the_rules() {
        let exact = Rules::named("chinese-ogs").unwrap();
        assert_eq!(rules_of("(;SZ[9]RU[Chinese]XRU[Chinese=chinese-ogs])"), exact);
        assert_eq!(rules_of("(;SZ[9]RU[AGA]XRU[Chinese=chinese-ogs])").name(), Some("aga"));
        assert_eq!(rules_of("(;SZ[9]RU[Chinese]XRU[chinese-ogs])").name(), Some("chinese"));
        // As older versions of this program wrote it.
        assert_eq!(rules_of("(;SZ[9]RU[chinese-ogs])"), exact);
    }
}
