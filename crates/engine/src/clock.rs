//! What is left of a player's time.
//!
//! A [`Clock`] is told how long each move took and counts down by itself; a client that knows better overrides it with `time_left`, as
//! most do before every move. It holds no instant, so a whole game can be played on it in a test. It never runs below zero: losing is
//! the referee's decision, and an engine that is late still has to answer.

use crate::time_system::{TimeError, TimeSystem, count, exactly, seconds_left};
use std::time::Duration;
use tesuji_board::Color;

/// The time one player has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    system: TimeSystem,
    left: Duration,
    count: u32,
}

/// The clocks of both players under one time system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks([Clock; 2]);

/// What `time_left` reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLeft {
    /// Whose time it is.
    pub color: Color,
    /// Time left in this stage: the main time, or the current period.
    pub time: Duration,
    /// Stones left in the period of Canadian overtime, or byo-yomi periods left with the current one; 0 in main time.
    pub count: u32,
}

impl Clock {
    /// The clock at the beginning of a game.
    pub fn new(system: TimeSystem) -> Clock {
        let left = match system {
            TimeSystem::NoLimit => Duration::MAX,
            TimeSystem::PerMove { time } => time,
            TimeSystem::Absolute { main }
            | TimeSystem::Canadian { main, .. }
            | TimeSystem::Byoyomi { main, .. }
            | TimeSystem::Fischer { main, .. } => main,
        };
        let mut clock = Clock { system, left, count: 0 };
        if left.is_zero() {
            clock.begin_overtime();
        }
        clock
    }

    /// The system it runs under.
    pub fn system(&self) -> TimeSystem {
        self.system
    }

    /// Time left in this stage: the main time, or the current period of overtime; [`Duration::MAX`] without limit.
    pub fn left(&self) -> Duration {
        self.left
    }

    /// Stones or periods left in overtime, see [`TimeLeft::count`]; 0 in main time.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Counts a move that took this long; says whether it was made in time.
    pub fn spend(&mut self, spent: Duration) -> bool {
        match self.system {
            TimeSystem::NoLimit | TimeSystem::PerMove { .. } => true,
            TimeSystem::Absolute { .. } => {
                let in_time = spent <= self.left;
                self.left = self.left.saturating_sub(spent);
                in_time
            }
            TimeSystem::Fischer { increment, cap, per_move, .. } => {
                let in_time = spent <= self.left && per_move.is_none_or(|most| spent <= most);
                let left = self.left.saturating_sub(spent).saturating_add(increment);
                self.left = cap.map_or(left, |cap| left.min(cap));
                in_time
            }
            TimeSystem::Canadian { period, stones, .. } => {
                let spent = self.spend_main(spent);
                let in_time = spent <= self.left;
                self.left = self.left.saturating_sub(spent);
                match self.count {
                    0 => {}
                    1 => (self.left, self.count) = (period, stones.max(1)),
                    _ => self.count -= 1,
                }
                in_time
            }
            TimeSystem::Byoyomi { period, .. } => {
                let spent = self.spend_main(spent);
                if self.count == 0 {
                    self.left -= spent;
                    return true;
                }
                let late = spent.saturating_sub(self.left);
                let lost = late.as_nanos().div_ceil(period.as_nanos().max(1));
                let in_time = lost < u128::from(self.count);
                // The last period stays, so that a late engine has something to plan with.
                self.count -= if in_time { lost as u32 } else { self.count - 1 };
                self.left = period;
                in_time
            }
        }
    }

    /// Takes over what a client reports.
    ///
    /// Main time that has run down to zero means overtime, if there is any. Time reported for a game without limit makes it a game
    /// with one: some clients send no settings.
    pub fn set_left(&mut self, time: Duration, count: u32) {
        match self.system {
            TimeSystem::PerMove { .. } => return,
            TimeSystem::NoLimit if time.is_zero() => return,
            TimeSystem::NoLimit if count == 0 => self.system = TimeSystem::Absolute { main: time },
            TimeSystem::NoLimit => {
                self.system = TimeSystem::Canadian { main: Duration::ZERO, period: time, stones: count };
            }
            _ => {}
        }
        self.left = time;
        self.count = match self.system {
            TimeSystem::Canadian { .. } | TimeSystem::Byoyomi { .. } => count,
            _ => 0,
        };
        if time.is_zero() && count == 0 {
            self.begin_overtime();
        }
    }

    /// Subtracts from the main time and begins overtime when it is used up; returns what is still to be subtracted.
    fn spend_main(&mut self, spent: Duration) -> Duration {
        if self.count > 0 || spent < self.left {
            return spent;
        }
        let rest = spent - self.left;
        self.begin_overtime();
        rest
    }

    fn begin_overtime(&mut self) {
        match self.system {
            TimeSystem::Canadian { period, stones, .. } => (self.left, self.count) = (period, stones.max(1)),
            TimeSystem::Byoyomi { period, periods, .. } => (self.left, self.count) = (period, periods.max(1)),
            _ => {}
        }
    }
}

impl Clocks {
    /// Both clocks at the beginning of a game.
    pub fn new(system: TimeSystem) -> Clocks {
        Clocks([Clock::new(system); 2])
    }

    /// The clock of a player.
    pub fn of(&self, color: Color) -> &Clock {
        &self.0[color.index()]
    }

    /// The clock of a player, to count or correct.
    pub fn of_mut(&mut self, color: Color) -> &mut Clock {
        &mut self.0[color.index()]
    }

    /// Takes over what a client reports.
    pub fn set_left(&mut self, report: TimeLeft) {
        self.of_mut(report.color).set_left(report.time, report.count);
    }
}

impl TimeLeft {
    /// Reads the arguments of `time_left`: colour, time, stones or periods.
    pub fn parse(args: &[impl AsRef<str>]) -> Result<TimeLeft, TimeError> {
        let [color, time, stones] = exactly(args, "color time stones")?;
        Ok(TimeLeft {
            color: Color::parse(color).ok_or_else(|| TimeError::NotAColor(color.to_owned()))?,
            time: seconds_left(time)?,
            count: count(stones)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn s(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    fn clock(settings: &str) -> Clock {
        let args: Vec<_> = settings.split_whitespace().collect();
        Clock::new(TimeSystem::parse_named(&args).expect(settings))
    }

    /// Spends each time in turn; after it the clock must show the time and count beside it, and agree on whether it was in time.
    fn check(settings: &str, moves: &[(f64, f64, u32, bool)]) {
        let mut clock = clock(settings);
        for (i, &(spent, left, count, in_time)) in moves.iter().enumerate() {
            assert_eq!(clock.spend(s(spent)), in_time, "{settings}, move {i}");
            assert_eq!((clock.left(), clock.count()), (s(left), count), "{settings}, move {i}");
        }
    }

    #[test]
    fn counts_down() {
        check("absolute 10", &[(4.0, 6.0, 0, true), (6.0, 0.0, 0, true), (0.5, 0.0, 0, false)]);
        check("fischer 10 2", &[(4.0, 8.0, 0, true), (8.5, 2.0, 0, false), (2.0, 2.0, 0, true)]);
        check(
            "fischer-capped 10 5 12 6",
            &[(1.0, 12.0, 0, true), (6.0, 11.0, 0, true), (7.0, 9.0, 0, false)],
        );
    }

    #[test]
    fn canadian_overtime_refills_after_its_stones() {
        let moves = [
            (6.0, 4.0, 0, true),
            (7.0, 17.0, 2, true),
            (1.0, 16.0, 1, true),
            (15.0, 20.0, 3, true),
            (21.0, 0.0, 2, false),
        ];
        check("canadian 10 20 3", &moves);
        check("canadian 0 5 1", &[(4.0, 5.0, 1, true), (5.0, 5.0, 1, true), (6.0, 5.0, 1, false)]);
        check("canadian 10 20 3", &[(31.0, 0.0, 2, false)]);
    }

    #[test]
    fn byoyomi_loses_periods() {
        let moves = [
            (9.0, 1.0, 0, true),
            (2.0, 5.0, 3, true),
            (5.0, 5.0, 3, true),
            (5.5, 5.0, 2, true),
            (9.0, 5.0, 1, true),
            (4.0, 5.0, 1, true),
            (6.0, 5.0, 1, false),
        ];
        check("byoyomi 10 5 3", &moves);
        check("byoyomi 10 5 3", &[(25.0, 5.0, 1, true)]);
        check("byoyomi 10 5 3", &[(26.0, 5.0, 1, false)]);
        check("byoyomi 0 0.000000001 3", &[(1e9, 1e-9, 1, false)]);
    }

    #[test]
    fn unlimited_clocks_stay_as_they_are() {
        for system in [TimeSystem::NoLimit, TimeSystem::PerMove { time: s(2.0) }] {
            let mut clock = Clock::new(system);
            assert!(clock.spend(s(1e6)));
            clock.set_left(Duration::ZERO, 0);
            assert_eq!(clock, Clock::new(system));
        }
    }

    #[test]
    fn takes_over_reported_times() {
        let table = [
            ("absolute 60", 12.5, 0, 12.5, 0),
            ("absolute 60", 0.0, 0, 0.0, 0),
            ("fischer 60 5", 70.0, 0, 70.0, 0),
            ("fischer 60 5", 70.0, 7, 70.0, 0),
            ("byoyomi 60 10 3", 59.0, 0, 59.0, 0),
            ("byoyomi 60 10 3", 8.0, 2, 8.0, 2),
            ("byoyomi 60 10 3", 0.0, 0, 10.0, 3),
            ("byoyomi 60 10 3", 0.0, 2, 0.0, 2),
            ("canadian 60 30 10", 12.0, 4, 12.0, 4),
            ("canadian 60 30 10", 0.0, 0, 30.0, 10),
            ("none", 30.0, 0, 30.0, 0),
            ("none", 30.0, 5, 30.0, 5),
        ];
        for (settings, time, count, left, count_left) in table {
            let mut clock = clock(settings);
            clock.set_left(s(time), count);
            assert_eq!((clock.left(), clock.count()), (s(left), count_left), "{settings}: {time} {count}");
        }
    }

    #[test]
    fn a_report_changes_one_clock_only() {
        let mut clocks = Clocks::new(TimeSystem::Absolute { main: s(60.0) });
        clocks.set_left(TimeLeft::parse(&["w", "-0.3", "0"]).expect("a little late"));
        assert_eq!(clocks.of(Color::White).left(), Duration::ZERO);
        assert_eq!(clocks.of(Color::Black).left(), s(60.0));
    }

    #[test]
    fn malformed_reports_are_explained() {
        let table = [
            ("", "expected 'color time stones', got 0 arguments"),
            ("b 60", "expected 'color time stones', got 2 arguments"),
            ("b 60 0 0", "expected 'color time stones', got 4 arguments"),
            ("green 60 0", "'green' is not a colour"),
            ("b soon 0", "'soon' is not a time in seconds"),
            ("b inf 0", "'inf' is not a time in seconds"),
            ("b 60 x", "'x' is not a number of stones or periods"),
            ("b 60 -1", "'-1' is not a number of stones or periods"),
        ];
        for (line, message) in table {
            let args: Vec<_> = line.split_whitespace().collect();
            assert_eq!(TimeLeft::parse(&args).expect_err(line).to_string(), message, "{line}");
        }
    }
}
