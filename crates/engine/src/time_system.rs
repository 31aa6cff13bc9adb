//! How thinking time is dealt out, and the GTP commands that say so.
//!
//! There are three dialects: GTP's own `time_settings`, KGS's `kgs-time_settings` and KataGo's `kata-time_settings`, which is KGS's
//! with two more systems. Times are seconds and may have a fraction in all of them. Overtime that consists of nothing (no period, no stone,
//! no second) means that there is none; reading it as an error would leave the engine with the clock of the game before.

use std::fmt;
use std::time::Duration;

/// Longest time a client may set, about 136 years; it keeps sums of times far from overflow.
const LONGEST: Duration = Duration::from_secs(u32::MAX as u64);

/// A way to limit the thinking time of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum TimeSystem {
    /// Think as long as you like.
    #[default]
    NoLimit,
    /// One amount for the whole game.
    Absolute {
        /// The amount.
        main: Duration,
    },
    /// After the main time, `stones` moves have to be made in every `period`.
    Canadian {
        /// Time before overtime.
        main: Duration,
        /// Time for `stones` moves.
        period: Duration,
        /// Moves to be made in `period`, at least 1.
        stones: u32,
    },
    /// After the main time, a move that takes less than `period` is free, a longer one costs periods.
    Byoyomi {
        /// Time before overtime.
        main: Duration,
        /// Length of a period.
        period: Duration,
        /// Periods to lose, at least 1; without the last one the game is lost.
        periods: u32,
    },
    /// Every move made adds to the time left.
    Fischer {
        /// Time at the beginning.
        main: Duration,
        /// What a move adds.
        increment: Duration,
        /// More than this is never on the clock.
        cap: Option<Duration>,
        /// No move may take longer.
        per_move: Option<Duration>,
    },
    /// The same time for every move: a setting of the engine, no clock that can run out.
    PerMove {
        /// The time.
        time: Duration,
    },
}

/// Why a command about time cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimeError {
    /// The number of arguments is wrong.
    ArgumentCount {
        /// The arguments expected.
        usage: &'static str,
        /// How many came.
        found: usize,
    },
    /// No system of this name.
    UnknownSystem(String),
    /// Not a finite, non-negative number of seconds.
    NotATime(String),
    /// Not a number of stones or periods.
    NotACount(String),
    /// Not the name of a player.
    NotAColor(String),
    /// A capped clock that begins above its cap.
    CapBelowMain,
}

impl TimeSystem {
    /// The systems [`TimeSystem::parse_named`] knows, as `kata-list_time_settings` lists them.
    pub const NAMES: [&'static str; 6] =
        ["none", "absolute", "byoyomi", "canadian", "fischer", "fischer-capped"];

    /// Reads the arguments of `time_settings`: main time, overtime, stones.
    ///
    /// By the protocol, overtime without stones is no limit and no overtime is absolute time. Nothing at all is no limit as well:
    /// that is what the clients that send three zeros want, and a game without time cannot be played.
    pub fn parse_gtp(args: &[impl AsRef<str>]) -> Result<TimeSystem, TimeError> {
        let [main, period, stones] = exactly(args, "main_time byo_yomi_time byo_yomi_stones")?;
        let (main, period, stones) = (seconds(main)?, seconds(period)?, count(stones)?);
        Ok(match (main.is_zero(), period.is_zero(), stones) {
            (_, false, 0) | (true, true, _) => TimeSystem::NoLimit,
            _ => TimeSystem::canadian(main, period, stones),
        })
    }

    /// Reads the arguments of `kgs-time_settings` and `kata-time_settings`: the name of a system and its numbers.
    pub fn parse_named(args: &[impl AsRef<str>]) -> Result<TimeSystem, TimeError> {
        let [name, numbers @ ..] = args else {
            return Err(TimeError::ArgumentCount { usage: "system [number ...]", found: 0 });
        };
        match name.as_ref().to_ascii_lowercase().as_str() {
            "none" => exactly::<0>(numbers, "none").map(|[]| TimeSystem::NoLimit),
            "absolute" => {
                let [main] = exactly(numbers, "absolute main_time")?;
                Ok(TimeSystem::Absolute { main: seconds(main)? })
            }
            "canadian" => {
                let [main, period, stones] = exactly(numbers, "canadian main_time period_time stones")?;
                Ok(TimeSystem::canadian(seconds(main)?, seconds(period)?, count(stones)?))
            }
            "byoyomi" => {
                let [main, period, periods] = exactly(numbers, "byoyomi main_time period_time periods")?;
                Ok(TimeSystem::byoyomi(seconds(main)?, seconds(period)?, count(periods)?))
            }
            "fischer" => {
                let [main, increment] = exactly(numbers, "fischer main_time increment")?;
                let (main, increment) = (seconds(main)?, seconds(increment)?);
                Ok(TimeSystem::Fischer { main, increment, cap: None, per_move: None })
            }
            "fischer-capped" => {
                let usage = "fischer-capped main_time increment main_time_limit max_time_per_move";
                let [main, increment, cap, per_move] = exactly(numbers, usage)?;
                let (main, increment) = (seconds(main)?, seconds(increment)?);
                let (cap, per_move) = (limit(cap)?, limit(per_move)?);
                if cap.is_some_and(|cap| cap < main) {
                    return Err(TimeError::CapBelowMain);
                }
                Ok(TimeSystem::Fischer { main, increment, cap, per_move })
            }
            _ => Err(TimeError::UnknownSystem(name.as_ref().to_owned())),
        }
    }

    fn canadian(main: Duration, period: Duration, stones: u32) -> TimeSystem {
        if period.is_zero() || stones == 0 {
            TimeSystem::Absolute { main }
        } else {
            TimeSystem::Canadian { main, period, stones }
        }
    }

    fn byoyomi(main: Duration, period: Duration, periods: u32) -> TimeSystem {
        if period.is_zero() || periods == 0 {
            TimeSystem::Absolute { main }
        } else {
            TimeSystem::Byoyomi { main, period, periods }
        }
    }
}

impl fmt::Display for TimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeError::ArgumentCount { usage, found } => {
                write!(f, "expected '{usage}', got {found} arguments")
            }
            TimeError::UnknownSystem(name) => {
                write!(f, "unknown time system '{name}': known are {}", TimeSystem::NAMES.join(", "))
            }
            TimeError::NotATime(text) => write!(f, "'{text}' is not a time in seconds"),
            TimeError::NotACount(text) => write!(f, "'{text}' is not a number of stones or periods"),
            TimeError::NotAColor(text) => write!(f, "'{text}' is not a colour"),
            TimeError::CapBelowMain => f.write_str("the limit of the main time is below the main time"),
        }
    }
}

impl std::error::Error for TimeError {}

/// The arguments, if there are as many as asked for.
pub(crate) fn exactly<'a, const N: usize>(
    args: &'a [impl AsRef<str>],
    usage: &'static str,
) -> Result<[&'a str; N], TimeError> {
    match <&[_; N]>::try_from(args) {
        Ok(args) => Ok(args.each_ref().map(AsRef::as_ref)),
        Err(_) => Err(TimeError::ArgumentCount { usage, found: args.len() }),
    }
}

/// Reads a number of seconds; what is too long for a game counts as the longest time.
pub(crate) fn seconds(text: &str) -> Result<Duration, TimeError> {
    match finite(text)? {
        seconds if seconds < 0.0 => Err(TimeError::NotATime(text.to_owned())),
        seconds => Ok(clamped(seconds)),
    }
}

/// Reads a number of seconds as clients report it when a player is a little late: below 0 is 0.
pub(crate) fn seconds_left(text: &str) -> Result<Duration, TimeError> {
    finite(text).map(clamped)
}

/// Reads a number of stones or periods.
pub(crate) fn count(text: &str) -> Result<u32, TimeError> {
    text.parse().map_err(|_| TimeError::NotACount(text.to_owned()))
}

/// Reads a limit, where a negative number means that there is none.
fn limit(text: &str) -> Result<Option<Duration>, TimeError> {
    finite(text).map(|seconds| (seconds >= 0.0).then(|| clamped(seconds)))
}

fn finite(text: &str) -> Result<f64, TimeError> {
    let number = text.parse::<f64>().ok().filter(|seconds| seconds.is_finite());
    number.ok_or_else(|| TimeError::NotATime(text.to_owned()))
}

fn clamped(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(LONGEST).min(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use TimeSystem::{Absolute, Byoyomi, Canadian, Fischer, NoLimit};

    fn s(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    fn words(line: &str) -> Vec<&str> {
        line.split_whitespace().collect()
    }

    #[test]
    fn reads_time_settings() {
        let table = [
            ("600 0 0", Absolute { main: s(600.0) }),
            ("600.5 0 0", Absolute { main: s(600.5) }),
            ("600 0 5", Absolute { main: s(600.0) }),
            ("600 60 25", Canadian { main: s(600.0), period: s(60.0), stones: 25 }),
            ("0 5 1", Canadian { main: s(0.0), period: s(5.0), stones: 1 }),
            ("0 1 0", NoLimit),
            ("600 30 0", NoLimit),
            ("0 0 0", NoLimit),
            ("0 0 9", NoLimit),
            ("1e300 0 0", Absolute { main: LONGEST }),
            ("-0 5 1", Canadian { main: s(0.0), period: s(5.0), stones: 1 }),
        ];
        for (line, system) in table {
            assert_eq!(TimeSystem::parse_gtp(&words(line)), Ok(system), "{line}");
        }
    }

    #[test]
    fn reads_named_systems() {
        let fischer = |main, increment, cap: Option<f64>, per_move: Option<f64>| Fischer {
            main: s(main),
            increment: s(increment),
            cap: cap.map(s),
            per_move: per_move.map(s),
        };
        let table = [
            ("none", NoLimit),
            ("absolute 300", Absolute { main: s(300.0) }),
            ("Absolute 0", Absolute { main: s(0.0) }),
            ("canadian 300 60 20", Canadian { main: s(300.0), period: s(60.0), stones: 20 }),
            ("canadian 300 60 0", Absolute { main: s(300.0) }),
            ("canadian 300 0 20", Absolute { main: s(300.0) }),
            ("byoyomi 600 30 5", Byoyomi { main: s(600.0), period: s(30.0), periods: 5 }),
            ("byoyomi 0 0.5 1", Byoyomi { main: s(0.0), period: s(0.5), periods: 1 }),
            ("byoyomi 600 30 0", Absolute { main: s(600.0) }),
            ("byoyomi 600 0 3", Absolute { main: s(600.0) }),
            ("fischer 10 1.5", fischer(10.0, 1.5, None, None)),
            ("fischer-capped 10 1 20 5", fischer(10.0, 1.0, Some(20.0), Some(5.0))),
            ("fischer-capped 86400 3600 172800 -1", fischer(86400.0, 3600.0, Some(172_800.0), None)),
            ("fischer-capped 10 1 -1 -1", fischer(10.0, 1.0, None, None)),
        ];
        for (line, system) in table {
            assert_eq!(TimeSystem::parse_named(&words(line)), Ok(system), "{line}");
        }
    }

    #[test]
    fn every_listed_name_is_known() {
        for name in TimeSystem::NAMES {
            let accepted = ["", "60", "60 5", "60 5 3", "60 5 60 5"]
                .iter()
                .filter(|numbers| TimeSystem::parse_named(&words(&format!("{name} {numbers}"))).is_ok());
            assert_eq!(accepted.count(), 1, "{name}");
        }
    }

    #[test]
    fn malformed_settings_are_explained() {
        type Parse = fn(&[&str]) -> Result<TimeSystem, TimeError>;
        let gtp: Parse = |args| TimeSystem::parse_gtp(args);
        let named: Parse = |args| TimeSystem::parse_named(args);
        let gtp_usage = "expected 'main_time byo_yomi_time byo_yomi_stones'";
        let table = [
            (gtp, "", format!("{gtp_usage}, got 0 arguments")),
            (gtp, "600 0", format!("{gtp_usage}, got 2 arguments")),
            (gtp, "600 0 0 0", format!("{gtp_usage}, got 4 arguments")),
            (gtp, "ten 0 0", "'ten' is not a time in seconds".into()),
            (gtp, "-5 0 0", "'-5' is not a time in seconds".into()),
            (gtp, "600 nan 0", "'nan' is not a time in seconds".into()),
            (gtp, "inf 0 0", "'inf' is not a time in seconds".into()),
            (gtp, "600 30 -1", "'-1' is not a number of stones or periods".into()),
            (gtp, "600 30 2.5", "'2.5' is not a number of stones or periods".into()),
            (gtp, "600 30 99999999999", "'99999999999' is not a number of stones or periods".into()),
            (named, "", "expected 'system [number ...]', got 0 arguments".into()),
            (named, "none 5", "expected 'none', got 1 arguments".into()),
            (named, "absolute", "expected 'absolute main_time', got 0 arguments".into()),
            (named, "absolute x", "'x' is not a time in seconds".into()),
            (named, "byoyomi 60 5 x", "'x' is not a number of stones or periods".into()),
            (named, "canadian 60 -5 1", "'-5' is not a time in seconds".into()),
            (named, "fischer 60 5 3", "expected 'fischer main_time increment', got 3 arguments".into()),
            (named, "fischer-capped 60 5 inf 3", "'inf' is not a time in seconds".into()),
            (
                named,
                "fischer-capped 60 5 30 3",
                "the limit of the main time is below the main time".into(),
            ),
            (
                named,
                "sand 5",
                "unknown time system 'sand': known are none, absolute, byoyomi, canadian, fischer, fischer-capped".into(),
            ),
        ];
        for (parse, line, message) in table {
            let error = parse(&words(line)).expect_err(line);
            assert_eq!(error.to_string(), message, "{line}");
        }
    }
}
