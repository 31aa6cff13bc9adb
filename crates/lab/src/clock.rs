//! The referee's clock: what a player may spend, what engines are told about it, and when it has run out.
//!
//! Times are seconds as the referee measures them, pipe and scheduler included, so an engine gets a lag allowance: it loses
//! only when it is that far over, but what it used is used. GTP's own clock commands know whole seconds only.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How thinking time is dealt out, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum TimeControl {
    /// Nobody looks at the clock.
    #[default]
    Unlimited,
    /// The same for every move, not saved up.
    PerMove {
        /// For one move.
        seconds: f64,
    },
    /// One amount for the game.
    Absolute {
        /// For all moves.
        main: f64,
    },
    /// After the main time, a move within a period is free, a longer one costs periods.
    ByoYomi {
        /// Before overtime.
        main: f64,
        /// Length of a period.
        period: f64,
        /// Periods to lose.
        periods: u32,
    },
    /// After the main time, so many moves have to be made in every period.
    Canadian {
        /// Before overtime.
        main: f64,
        /// For `stones` moves.
        period: f64,
        /// Moves to be made in a period.
        stones: u32,
    },
}

/// What one player has left.
#[derive(Clone, Debug, PartialEq)]
pub struct Clock {
    control: TimeControl,
    /// Seconds of main time left; below 0 only within the lag allowance.
    main: f64,
    /// Seconds left in the overtime period.
    period: f64,
    /// Periods left (byo-yomi), or moves to be made in this one (Canadian).
    count: u32,
}

/// The player's time is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfTime;

impl TimeControl {
    /// The command that tells an engine, given whether it knows a command; `None` if there is nothing to tell or
    /// no way to say it.
    pub fn settings_command(&self, mut knows: impl FnMut(&str) -> bool) -> Option<String> {
        match *self {
            TimeControl::Unlimited => None,
            TimeControl::PerMove { seconds } if seconds.fract() == 0.0 => {
                Some(format!("time_settings 0 {seconds} 1"))
            }
            TimeControl::PerMove { seconds } => {
                knows("kata-time_settings").then(|| format!("kata-time_settings byoyomi 0 {seconds} 1"))
            }
            TimeControl::Absolute { main } => Some(format!("time_settings {} 0 0", main.floor())),
            TimeControl::ByoYomi { main, period, periods } => {
                let (main, period) = (main.floor(), whole_period(period));
                let dialect =
                    ["kgs-time_settings", "kata-time_settings"].into_iter().find(|name| knows(name));
                Some(match dialect {
                    Some(name) => format!("{name} byoyomi {main} {period} {periods}"),
                    // The nearest thing GTP itself has: every move within one period.
                    None => format!("time_settings {main} {period} 1"),
                })
            }
            TimeControl::Canadian { main, period, stones } => {
                Some(format!("time_settings {} {} {stones}", main.floor(), whole_period(period)))
            }
        }
    }
}

impl Clock {
    /// A full clock.
    pub fn new(control: TimeControl) -> Clock {
        let (main, period, count) = match control {
            TimeControl::Unlimited => (f64::INFINITY, 0.0, 0),
            TimeControl::PerMove { seconds } => (0.0, seconds, 1),
            TimeControl::Absolute { main } => (main, 0.0, 0),
            TimeControl::ByoYomi { main, period, periods } => (main, period, periods),
            TimeControl::Canadian { main, period, stones } => (main, period, stones),
        };
        Clock { control, main, period, count }
    }

    /// The arguments of `time_left` after the colour; `None` without a clock, or with one that whole seconds cannot tell.
    pub fn time_left(&self) -> Option<String> {
        match self.control {
            TimeControl::Unlimited => None,
            TimeControl::PerMove { seconds } if seconds.fract() != 0.0 => None,
            _ if self.main > 0.0 || self.period == 0.0 => Some(format!("{} 0", self.main.max(0.0).floor())),
            _ => Some(format!("{} {}", self.period.max(0.0).floor(), self.count)),
        }
    }

    /// The longest time the next move may take; `None` without a clock.
    pub fn limit(&self) -> Option<Duration> {
        let overtime = match self.control {
            TimeControl::Unlimited => return None,
            TimeControl::ByoYomi { .. } => self.period * f64::from(self.count),
            TimeControl::PerMove { .. } | TimeControl::Absolute { .. } | TimeControl::Canadian { .. } => {
                self.period
            }
        };
        Duration::try_from_secs_f64((self.main.max(0.0) + overtime).max(0.0)).ok()
    }

    /// Takes the time of a move off the clock, with this much lag forgiven.
    pub fn spend(&mut self, seconds: f64, lag: f64) -> Result<(), OutOfTime> {
        let over = |excess: f64| if excess > lag { Err(OutOfTime) } else { Ok(()) };
        if let TimeControl::Absolute { .. } = self.control {
            self.main -= seconds;
            return over(-self.main);
        }
        let mut rest = seconds - self.main;
        if rest <= 0.0 {
            self.main -= seconds;
            return Ok(());
        }
        self.main = 0.0;
        match self.control {
            TimeControl::Unlimited | TimeControl::Absolute { .. } => Ok(()),
            TimeControl::PerMove { .. } => over(rest - self.period),
            TimeControl::ByoYomi { .. } => {
                while rest > self.period && self.count > 1 {
                    rest -= self.period;
                    self.count -= 1;
                }
                over(rest - self.period)
            }
            TimeControl::Canadian { period, stones, .. } => {
                self.period -= rest;
                self.count = self.count.saturating_sub(1);
                over(-self.period)?;
                if self.count == 0 {
                    (self.period, self.count) = (period, stones);
                }
                Ok(())
            }
        }
    }
}

/// A period in whole seconds, never 0, which would mean no overtime.
fn whole_period(seconds: f64) -> f64 {
    seconds.floor().max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spends times one after another and compares `time_left` after each; `lost` ends the list.
    fn check(control: TimeControl, lag: f64, steps: &[(f64, &str)]) {
        let mut clock = Clock::new(control);
        for &(seconds, expected) in steps {
            let found = match clock.spend(seconds, lag) {
                Ok(()) => clock.time_left().unwrap_or_default(),
                Err(OutOfTime) => "lost".to_owned(),
            };
            assert_eq!(found, expected, "after {seconds} s of {control:?}");
        }
    }

    #[test]
    fn every_kind_runs_out() {
        check(TimeControl::Unlimited, 0.0, &[(1e9, ""), (1e9, "")]);
        let per_move = TimeControl::PerMove { seconds: 2.0 };
        check(per_move, 0.0, &[(1.9, "2 1"), (2.0, "2 1"), (2.1, "lost")]);
        check(TimeControl::PerMove { seconds: 0.5 }, 0.0, &[(0.5, ""), (0.6, "lost")]);
        check(TimeControl::Absolute { main: 10.0 }, 0.0, &[(4.5, "5 0"), (5.5, "0 0"), (0.1, "lost")]);
        let byo_yomi = TimeControl::ByoYomi { main: 10.0, period: 5.0, periods: 3 };
        check(
            byo_yomi,
            0.0,
            &[(9.0, "1 0"), (4.0, "5 3"), (6.0, "5 2"), (5.0, "5 2"), (9.0, "5 1"), (5.1, "lost")],
        );
        check(byo_yomi, 0.0, &[(25.0, "5 1"), (4.0, "5 1")]);
        check(byo_yomi, 0.0, &[(25.1, "lost")]);
        let canadian = TimeControl::Canadian { main: 10.0, period: 6.0, stones: 3 };
        check(canadian, 0.0, &[(10.0, "6 3"), (1.0, "5 2"), (2.0, "3 1"), (3.0, "6 3"), (6.1, "lost")]);
        check(canadian, 0.0, &[(12.0, "4 2")]);
    }

    #[test]
    fn lag_is_forgiven_but_used() {
        check(TimeControl::Absolute { main: 1.0 }, 0.5, &[(1.4, "0 0"), (0.2, "lost")]);
        check(TimeControl::PerMove { seconds: 1.0 }, 0.5, &[(1.4, "1 1"), (1.4, "1 1"), (1.6, "lost")]);
    }

    #[test]
    fn limits() {
        let limit = |control| Clock::new(control).limit().map(|limit| limit.as_secs_f64());
        assert_eq!(limit(TimeControl::Unlimited), None);
        assert_eq!(limit(TimeControl::PerMove { seconds: 0.5 }), Some(0.5));
        assert_eq!(limit(TimeControl::ByoYomi { main: 1.0, period: 2.0, periods: 3 }), Some(7.0));
        assert_eq!(limit(TimeControl::Canadian { main: 1.0, period: 2.0, stones: 9 }), Some(3.0));
    }

    #[test]
    fn engines_are_told_in_a_dialect_they_know() {
        let byo_yomi = TimeControl::ByoYomi { main: 60.5, period: 0.5, periods: 3 };
        let tell = |control: TimeControl, known: &str| {
            control.settings_command(|name| name == known).unwrap_or_default()
        };
        assert_eq!(tell(byo_yomi, "kgs-time_settings"), "kgs-time_settings byoyomi 60 1 3");
        assert_eq!(tell(byo_yomi, ""), "time_settings 60 1 1");
        assert_eq!(tell(TimeControl::PerMove { seconds: 2.0 }, ""), "time_settings 0 2 1");
        let half = TimeControl::PerMove { seconds: 0.5 };
        assert_eq!(tell(half, ""), "");
        assert_eq!(tell(half, "kata-time_settings"), "kata-time_settings byoyomi 0 0.5 1");
        assert_eq!(tell(TimeControl::Absolute { main: 30.0 }, ""), "time_settings 30 0 0");
        let canadian = TimeControl::Canadian { main: 0.0, period: 30.0, stones: 10 };
        assert_eq!(tell(canadian, ""), "time_settings 0 30 10");
    }
}
