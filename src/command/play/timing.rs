//! The clock of a sitting: how it is asked for, and how it is shown.

use std::time::Duration;
use tesuji_engine::{Clock, TimeSystem};

/// Reads a clock: `10m` for the whole game, `5m+3x20s` with byo-yomi, `5m+10s` with an increment for every move.
pub(super) fn parse(text: &str) -> Result<TimeSystem, String> {
    let wrong = || format!("'{text}' is no clock: expected one such as 10m, 5m+3x20s (byo-yomi) or 5m+10s");
    let time = |text: &str| duration(text).ok_or_else(wrong);
    let (main, more) = text.split_once('+').map_or((text, None), |(main, more)| (main, Some(more)));
    let main = time(main)?;
    let system = match more.map(|more| more.split_once(['x', 'X', '×'])) {
        None => TimeSystem::Absolute { main },
        Some(Some((periods, period))) => {
            let periods = periods.trim().parse().ok().filter(|&periods| periods > 0).ok_or_else(wrong)?;
            TimeSystem::Byoyomi { main, period: time(period)?, periods }
        }
        Some(None) => {
            let increment = time(more.unwrap_or_default())?;
            TimeSystem::Fischer { main, increment, cap: None, per_move: None }
        }
    };
    match system {
        TimeSystem::Byoyomi { period, .. } if period.is_zero() => Err(wrong()),
        TimeSystem::Absolute { main } | TimeSystem::Fischer { main, .. } if main.is_zero() => Err(wrong()),
        system => Ok(system),
    }
}

/// `90`, `90s`, `10m`, `1h`, `1.5m`.
fn duration(text: &str) -> Option<Duration> {
    /// A week; what is longer is a mistake.
    const LONGEST: f64 = 7.0 * 86400.0;
    let text = text.trim();
    let (number, unit) = match text.char_indices().next_back()? {
        (at, 's') => (&text[..at], 1.0),
        (at, 'm') => (&text[..at], 60.0),
        (at, 'h') => (&text[..at], 3600.0),
        _ => (text, 1.0),
    };
    let seconds = number.trim().parse::<f64>().ok()? * unit;
    (0.0..=LONGEST).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

/// What is left at the beginning of a turn, as a player reads it: `4:05`, in byo-yomi `0:20 ×3`. Nothing without a clock.
pub(super) fn shown(clock: &Clock) -> Option<String> {
    if matches!(clock.system(), TimeSystem::NoLimit | TimeSystem::PerMove { .. }) {
        return None;
    }
    let periods = if clock.count() > 0 { format!(" ×{}", clock.count()) } else { String::new() };
    Some(minutes(clock.left()) + &periods)
}

fn minutes(time: Duration) -> String {
    // A clock that shows 0:00 has run out.
    let seconds = time.as_millis().div_ceil(1000);
    match seconds / 3600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read() {
        let seconds = Duration::from_secs;
        for (text, expected) in [
            ("10m", TimeSystem::Absolute { main: seconds(600) }),
            ("90", TimeSystem::Absolute { main: seconds(90) }),
            ("5m+3x20s", TimeSystem::Byoyomi { main: seconds(300), period: seconds(20), periods: 3 }),
            ("0 + 5 x 10", TimeSystem::Byoyomi { main: seconds(0), period: seconds(10), periods: 5 }),
            (
                "1h+1.5m",
                TimeSystem::Fischer {
                    main: seconds(3600),
                    increment: seconds(90),
                    cap: None,
                    per_move: None,
                },
            ),
        ] {
            assert_eq!(parse(text), Ok(expected), "{text}");
        }
        for wrong in ["", "m", "0", "-5m", "nan", "5m+", "5m+0x20s", "5m+3x0", "5m+3x", "1e9h", "5é"] {
            assert!(parse(wrong).is_err_and(|error| error.contains(wrong)), "{wrong}");
        }
    }

    #[test]
    fn clocks_are_shown() {
        for (text, spent, expected) in [
            ("10m", 0, "10:00"),
            ("10m", 595, "0:05"),
            ("2h", 0, "2:00:00"),
            ("5m+3x20s", 301, "0:20 ×3"),
            ("0+3x20s", 25, "0:20 ×2"),
            ("1m+10s", 15, "0:55"),
        ] {
            let mut clock = Clock::new(parse(text).unwrap());
            clock.spend(Duration::from_secs(spent));
            assert_eq!(shown(&clock).as_deref(), Some(expected), "{text} {spent}");
        }
        assert_eq!(shown(&Clock::new(TimeSystem::NoLimit)), None);
    }
}
