//! How values of other crates are written in JSON, for `#[serde(with = …)]`.
//!
//! What is read may come from anybody, so nothing is taken that the crates themselves would not make.

/// A board size, as `9x9`.
pub(crate) mod size {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use tesuji_board::Size;

    pub(crate) fn serialize<S: Serializer>(size: &Size, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(size)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Size, D::Error> {
        let text = String::deserialize(deserializer)?;
        let sides = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
        let (width, height) = sides.ok_or_else(|| D::Error::custom(format!("'{text}' is no board size")))?;
        Size::new(width, height).map_err(D::Error::custom)
    }
}

/// Rules, as a map of their keys and values, komi included.
pub(crate) mod rules {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
    use tesuji_board::{RuleValue, Rules, parse_komi};

    const KOMI: &str = "komi";

    pub(crate) fn serialize<S: Serializer>(rules: &Rules, serializer: S) -> Result<S::Ok, S::Error> {
        let text = |value| match value {
            RuleValue::Switch(on) => bool::to_string(&on),
            RuleValue::Word(word) => word.to_owned(),
        };
        let mut map: BTreeMap<&str, String> =
            rules.entries().map(|(key, value)| (key, text(value))).collect();
        map.insert(KOMI, rules.komi.to_string());
        map.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rules, D::Error> {
        let mut rules = Rules::default();
        for (key, value) in BTreeMap::<String, String>::deserialize(deserializer)? {
            match key.as_str() {
                KOMI => rules.komi = parse_komi(&value).map_err(D::Error::custom)?,
                _ => rules.set(&key, &value).map_err(D::Error::custom)?,
            }
        }
        Ok(rules)
    }
}

/// A duration, in seconds.
pub(crate) mod seconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(crate) fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(time.as_secs_f64())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        Duration::try_from_secs_f64(f64::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// A colour, as `B` or `W`.
pub(crate) mod color {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use tesuji_board::Color;

    pub(crate) fn serialize<S: Serializer>(color: &Color, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(color.letter())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Color, D::Error> {
        let text = String::deserialize(deserializer)?;
        Color::parse(&text).ok_or_else(|| D::Error::custom(format!("'{text}' is no colour")))
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};
    use std::time::Duration;
    use tesuji_board::{Color, Rules, Size};

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Sample {
        #[serde(with = "super::size")]
        size: Size,
        #[serde(with = "super::rules")]
        rules: Rules,
        #[serde(with = "super::seconds")]
        time: Duration,
        #[serde(with = "super::color")]
        color: Color,
    }

    #[test]
    fn values_read_back() {
        for name in Rules::names() {
            let sample = Sample {
                size: Size::new(9, 13).unwrap(),
                rules: Rules { komi: 6.3, ..Rules::named(name).unwrap() },
                time: Duration::from_millis(1500),
                color: Color::White,
            };
            let text = serde_json::to_string(&sample).unwrap();
            assert_eq!(serde_json::from_str::<Sample>(&text).unwrap(), sample, "{text}");
        }
    }

    #[test]
    fn what_is_absurd_is_refused() {
        let good = r#"{"size":"9x9","rules":{"ko":"SIMPLE","komi":"7"},"time":1,"color":"B"}"#;
        assert!(serde_json::from_str::<Sample>(good).is_ok());
        for (from, to) in [
            ("9x9", "99x9"),
            ("9x9", "9"),
            ("SIMPLE", "NONE"),
            ("\"ko\"", "\"command\""),
            ("\"7\"", "\"1e9\""),
            ("\"time\":1", "\"time\":-1"),
            ("\"time\":1", "\"time\":1e99"),
            ("\"B\"", "\"green\""),
        ] {
            let bad = good.replace(from, to);
            assert_ne!(bad, good);
            assert!(serde_json::from_str::<Sample>(&bad).is_err(), "{bad}");
        }
    }
}
