//! What players agree on before the game, as plain data.
//!
//! The fields and the names of presets, keys and values are those of KataGo's `kata-set-rules`, because that is what GUIs
//! and servers send. A preset is the closest setting to the rule book of its name, not the book itself: AGA pass stones, say,
//! are left out, as they only make counting territory agree with the area that is counted here.

use crate::board::Suicide;
use std::fmt;

/// Which repetitions are forbidden.
///
/// Retaking a ko at once is forbidden by all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KoRule {
    /// Only retaking a ko at once.
    Simple,
    /// Any earlier position of the stones.
    Positional,
    /// Any earlier position of the stones with the same player to move.
    Situational,
}

/// How a finished game is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scoring {
    /// Stones and surrounded points.
    Area,
    /// Surrounded points and prisoners.
    Territory,
}

/// Which surrounded points do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tax {
    /// All count.
    None,
    /// Eyes in seki do not.
    Seki,
    /// Two points less for every living group, and eyes in seki do not count: stone scoring.
    All,
}

/// What White gets for Black's handicap stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HandicapBonus {
    /// Nothing.
    Zero,
    /// A point for every stone.
    PerStone,
    /// A point for every stone but the first.
    PerStoneButFirst,
}

impl HandicapBonus {
    /// White's points for this many handicap stones.
    pub fn points(self, handicap: usize) -> usize {
        match self {
            HandicapBonus::Zero => 0,
            HandicapBonus::PerStone => handicap,
            HandicapBonus::PerStoneButFirst => handicap.saturating_sub(1),
        }
    }
}

/// The rules of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// Which repetitions are forbidden.
    pub ko: KoRule,
    /// Whether a move may remove its own chain.
    pub suicide: Suicide,
    /// How a finished game is counted.
    pub scoring: Scoring,
    /// Which surrounded points do not count.
    pub tax: Tax,
    /// Whether the first to pass gets half a point.
    pub has_button: bool,
    /// What White gets for handicap stones.
    pub handicap_bonus: HandicapBonus,
    /// Whether players may pass before dead stones are captured, and agree on them afterwards.
    pub friendly_pass: bool,
    /// Points White gets. A preset has the usual one; a client that has set komi expects it to outlive a change of rules.
    pub komi: f32,
}

/// Why rules cannot be set as asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RulesError {
    /// No preset has this name.
    UnknownName(String),
    /// No rule has this key.
    UnknownKey(String),
    /// The rule of this key has no such value.
    UnknownValue {
        /// The rule.
        key: &'static str,
        /// What was asked for.
        value: String,
        /// What may be asked for.
        known: Vec<&'static str>,
    },
    /// Not a number from -[`MAX_KOMI`] to [`MAX_KOMI`].
    Komi(String),
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RulesError::UnknownName(name) => {
                let known: Vec<_> = PRESETS.iter().map(|preset| preset.names[0]).collect();
                write!(f, "unknown rules '{name}'; known are {}", known.join(", "))
            }
            RulesError::UnknownKey(key) => write!(f, "unknown rule '{key}'; known are {}", KEYS.join(", ")),
            RulesError::UnknownValue { key, value, known } => {
                write!(f, "rule {key} cannot be '{value}'; it can be {}", known.join(", "))
            }
            RulesError::Komi(text) => {
                write!(f, "komi '{text}' is not a number from -{MAX_KOMI} to {MAX_KOMI}")
            }
        }
    }
}

impl std::error::Error for RulesError {}

/// Largest komi, in points, for either player: more than any board is worth, and small enough to stay exact.
pub const MAX_KOMI: f32 = 1000.0;

/// Reads a komi in points.
pub fn parse_komi(text: &str) -> Result<f32, RulesError> {
    let komi: Option<f32> = text.trim().parse().ok();
    // A NaN is in no range.
    komi.filter(|komi| (-MAX_KOMI..=MAX_KOMI).contains(komi)).ok_or_else(|| RulesError::Komi(text.to_owned()))
}

struct Preset {
    /// The usual name first; compared by [`normalized`].
    names: &'static [&'static str],
    rules: Rules,
}

const CHINESE: Rules = Rules {
    ko: KoRule::Simple,
    suicide: Suicide::Forbidden,
    scoring: Scoring::Area,
    tax: Tax::None,
    has_button: false,
    handicap_bonus: HandicapBonus::PerStone,
    friendly_pass: true,
    komi: 7.5,
};
const CHINESE_SERVER: Rules = Rules { ko: KoRule::Positional, ..CHINESE };
const JAPANESE: Rules = Rules {
    scoring: Scoring::Territory,
    tax: Tax::Seki,
    handicap_bonus: HandicapBonus::Zero,
    friendly_pass: false,
    komi: 6.5,
    ..CHINESE
};
const AGA: Rules =
    Rules { ko: KoRule::Situational, handicap_bonus: HandicapBonus::PerStoneButFirst, ..CHINESE };
const NEW_ZEALAND: Rules = Rules {
    ko: KoRule::Situational,
    suicide: Suicide::Allowed,
    handicap_bonus: HandicapBonus::Zero,
    ..CHINESE
};
const TROMP_TAYLOR: Rules = Rules { ko: KoRule::Positional, friendly_pass: false, ..NEW_ZEALAND };

const PRESETS: &[Preset] = &[
    Preset { names: &["chinese"], rules: CHINESE },
    Preset { names: &["chinese-ogs"], rules: CHINESE_SERVER },
    Preset { names: &["chinese-kgs"], rules: CHINESE_SERVER },
    Preset { names: &["japanese"], rules: JAPANESE },
    Preset { names: &["korean"], rules: JAPANESE },
    Preset {
        names: &["stone-scoring", "ancient-area", "ancient-chinese"],
        rules: Rules { tax: Tax::All, handicap_bonus: HandicapBonus::Zero, ..CHINESE },
    },
    Preset { names: &["ancient-territory"], rules: Rules { tax: Tax::All, ..JAPANESE } },
    Preset { names: &["aga"], rules: AGA },
    Preset { names: &["aga-button"], rules: Rules { has_button: true, komi: 7.0, ..AGA } },
    Preset { names: &["bga", "british"], rules: AGA },
    Preset { names: &["french"], rules: AGA },
    Preset { names: &["new-zealand", "nz"], rules: NEW_ZEALAND },
    Preset { names: &["tromp-taylor", "tt"], rules: TROMP_TAYLOR },
    Preset { names: &["cgos"], rules: Rules { suicide: Suicide::Forbidden, ..TROMP_TAYLOR } },
    Preset { names: &["goe", "ing"], rules: Rules { ko: KoRule::Positional, ..NEW_ZEALAND } },
];

const KEYS: [&str; 7] =
    ["friendlyPassOk", "hasButton", "ko", "scoring", "suicide", "tax", "whiteHandicapBonus"];

type Words<T> = [(&'static str, T)];
const KO: &Words<KoRule> =
    &[("SIMPLE", KoRule::Simple), ("POSITIONAL", KoRule::Positional), ("SITUATIONAL", KoRule::Situational)];
const SCORING: &Words<Scoring> = &[("AREA", Scoring::Area), ("TERRITORY", Scoring::Territory)];
const TAX: &Words<Tax> = &[("NONE", Tax::None), ("SEKI", Tax::Seki), ("ALL", Tax::All)];
const BONUS: &Words<HandicapBonus> =
    &[("0", HandicapBonus::Zero), ("N", HandicapBonus::PerStone), ("N-1", HandicapBonus::PerStoneButFirst)];
const SUICIDE: &Words<Suicide> = &[("false", Suicide::Forbidden), ("true", Suicide::Allowed)];
const SWITCH: &Words<bool> = &[("false", false), ("true", true)];

/// The value of one rule, as `kata-get-rules` prints it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleValue {
    /// A JSON boolean.
    Switch(bool),
    /// A JSON string.
    Word(&'static str),
}

impl Default for Rules {
    /// Chinese rules with positional superko.
    fn default() -> Rules {
        CHINESE_SERVER
    }
}

impl Rules {
    /// Whether two passes end the game and the board is counted as it stands, dead stones included. Only then does a second
    /// pass settle anything: where players agree on dead stones, or play on for the button, the result is still a matter of judgement.
    pub fn counts_the_board_as_it_stands(&self) -> bool {
        self.scoring == Scoring::Area && self.tax == Tax::None && !self.friendly_pass && !self.has_button
    }

    /// The rules of that name; case, blanks, `-` and `_` do not matter.
    pub fn named(name: &str) -> Result<Rules, RulesError> {
        let wanted = normalized(name);
        let has_name = |preset: &&Preset| preset.names.iter().any(|name| normalized(name) == wanted);
        let preset = PRESETS.iter().find(has_name);
        preset.map(|preset| preset.rules).ok_or_else(|| RulesError::UnknownName(name.to_owned()))
    }

    /// The rules of that name on KGS, whose Chinese rules have superko.
    pub fn named_on_kgs(name: &str) -> Result<Rules, RulesError> {
        if normalized(name) == "chinese" { Ok(CHINESE_SERVER) } else { Rules::named(name) }
    }

    /// The usual name of every preset.
    pub fn names() -> impl Iterator<Item = &'static str> {
        PRESETS.iter().map(|preset| preset.names[0])
    }

    /// The usual name of the preset that equals these rules, komi aside.
    pub fn name(&self) -> Option<&'static str> {
        let same = |preset: &&Preset| Rules { komi: self.komi, ..preset.rules } == *self;
        PRESETS.iter().find(same).map(|preset| preset.names[0])
    }

    /// Sets one rule by KataGo's key and value; case does not matter; unchanged on an error.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), RulesError> {
        match normalized(key).as_str() {
            "friendlypassok" => self.friendly_pass = meaning("friendlyPassOk", value, SWITCH)?,
            "hasbutton" => self.has_button = meaning("hasButton", value, SWITCH)?,
            "ko" | "korule" => self.ko = meaning("ko", value, KO)?,
            "scoring" | "scoringrule" => self.scoring = meaning("scoring", value, SCORING)?,
            "suicide" | "multistonesuicidelegal" => self.suicide = meaning("suicide", value, SUICIDE)?,
            "tax" | "taxrule" => self.tax = meaning("tax", value, TAX)?,
            "whitehandicapbonus" => self.handicap_bonus = meaning("whiteHandicapBonus", value, BONUS)?,
            _ => return Err(RulesError::UnknownKey(key.to_owned())),
        }
        Ok(())
    }

    /// Every rule but komi with its key, in alphabetical order.
    pub fn entries(&self) -> impl Iterator<Item = (&'static str, RuleValue)> {
        let values = [
            RuleValue::Switch(self.friendly_pass),
            RuleValue::Switch(self.has_button),
            RuleValue::Word(word(self.ko, KO)),
            RuleValue::Word(word(self.scoring, SCORING)),
            RuleValue::Switch(self.suicide == Suicide::Allowed),
            RuleValue::Word(word(self.tax, TAX)),
            RuleValue::Word(word(self.handicap_bonus, BONUS)),
        ];
        KEYS.into_iter().zip(values)
    }
}

/// Lower case, without blanks, `-`, `_` and quotes.
fn normalized(text: &str) -> String {
    let ignored = |c: &char| c.is_whitespace() || matches!(c, '-' | '_' | '"' | '\'');
    text.chars().filter(|c| !ignored(c)).map(|c| c.to_ascii_lowercase()).collect()
}

fn meaning<T: Copy>(key: &'static str, value: &str, words: &Words<T>) -> Result<T, RulesError> {
    let wanted = normalized(value);
    let known = || words.iter().map(|&(word, _)| word).collect();
    let unknown = || RulesError::UnknownValue { key, value: value.to_owned(), known: known() };
    words.iter().find(|(word, _)| normalized(word) == wanted).map(|&(_, value)| value).ok_or_else(unknown)
}

fn word<T: Copy + PartialEq>(value: T, words: &Words<T>) -> &'static str {
    words.iter().find(|&&(_, meaning)| meaning == value).map_or("", |&(word, _)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, expected: &str) {
        let rules = Rules::named(name).unwrap();
        let words = rules.entries().map(|(_, value)| match value {
            RuleValue::Switch(on) => on.to_string(),
            RuleValue::Word(word) => word.to_owned(),
        });
        assert_eq!(words.collect::<Vec<_>>().join(" "), expected, "{name}");
    }

    #[test]
    fn presets() {
        check("tromp-taylor", "false false POSITIONAL AREA true NONE 0");
        check("chinese", "true false SIMPLE AREA false NONE N");
        check("chinese-ogs", "true false POSITIONAL AREA false NONE N");
        check("japanese", "false false SIMPLE TERRITORY false SEKI 0");
        check("stone-scoring", "true false SIMPLE AREA false ALL 0");
        check("aga", "true false SITUATIONAL AREA false NONE N-1");
        check("aga-button", "true true SITUATIONAL AREA false NONE N-1");
        check("new-zealand", "true false SITUATIONAL AREA true NONE 0");
        check("cgos", "false false POSITIONAL AREA false NONE 0");
        check("goe", "true false POSITIONAL AREA true NONE 0");
    }

    #[test]
    fn spellings() {
        for (a, b) in [
            ("New Zealand", "new_zealand"),
            ("nz", "new-zealand"),
            ("TrompTaylor", "tromp-taylor"),
            ("ING", "goe"),
            ("BGA", "aga"),
            ("Korean", "japanese"),
            ("chinese_kgs", "chinese-ogs"),
        ] {
            assert_eq!(Rules::named(a).unwrap(), Rules::named(b).unwrap(), "{a}");
        }
        assert_eq!(Rules::named_on_kgs("chinese").unwrap().ko, KoRule::Positional);
        assert_eq!(Rules::named_on_kgs("new_zealand"), Rules::named("nz"));
        let error = Rules::named("chess").unwrap_err().to_string();
        assert!(Rules::names().all(|name| error.contains(name)), "{error}");
        assert_eq!(Rules { komi: 0.5, ..Rules::named("nz").unwrap() }.name(), Some("new-zealand"));
    }

    #[test]
    fn setting_every_entry_of_one_preset_on_another_makes_them_equal() {
        for from in PRESETS {
            for to in PRESETS {
                let mut rules = Rules { komi: to.rules.komi, ..from.rules };
                for (key, value) in to.rules.entries() {
                    let value = match value {
                        RuleValue::Switch(on) => on.to_string(),
                        RuleValue::Word(word) => word.to_lowercase(),
                    };
                    rules.set(key, &value).unwrap();
                }
                assert_eq!(rules, to.rules);
            }
        }
    }

    #[test]
    fn wrong_rules_change_nothing_and_say_what_is_known() {
        let mut rules = Rules::default();
        let error = rules.set("ko", "eternal").unwrap_err();
        assert_eq!(
            error.to_string(),
            "rule ko cannot be 'eternal'; it can be SIMPLE, POSITIONAL, SITUATIONAL"
        );
        assert!(rules.set("dummy", "true").unwrap_err().to_string().contains("hasButton"));
        assert_eq!(rules, Rules::default());
    }

    #[test]
    fn komi() {
        assert_eq!(parse_komi("7.5"), Ok(7.5));
        assert_eq!(parse_komi("-3"), Ok(-3.0));
        for text in ["", "seven", "nan", "inf", "1e9", "-1000.5"] {
            assert!(parse_komi(text).is_err(), "{text}");
        }
    }

    #[test]
    fn handicap_bonus() {
        assert_eq!(Rules::named("chinese").unwrap().handicap_bonus.points(4), 4);
        assert_eq!(Rules::named("aga").unwrap().handicap_bonus.points(4), 3);
        assert_eq!(Rules::named("aga").unwrap().handicap_bonus.points(0), 0);
        assert_eq!(Rules::named("japanese").unwrap().handicap_bonus.points(4), 0);
    }
}
