//! Stops a search: by the clock, by effort, or because more of either would not change the move.
//!
//! All that depends on the wall clock is one subtraction; the decision itself is a function of the time elapsed and can be tested.

use crate::time_budget::Budget;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tesuji_search::{Control, Progress};

/// Simulations made even when there is no time at all: without any, the move would be drawn by lot.
const HANDFUL: u64 = 8;
/// Simulations from which their speed is known well enough to look ahead.
const MEASURED: u64 = 100;
/// Part of the target after which the speed is known well enough to look ahead.
const MEASURED_PART: u32 = 16;
/// A second move with more than this share of the visits of the first makes it contested.
const CLOSE: f64 = 0.8;

/// The control of a search that has to end: the clock starts when it is made.
#[derive(Clone, Debug)]
pub struct TimedControl {
    start: Instant,
    budget: Budget,
    simulations: u64,
    visits: u64,
    looks_ahead: bool,
    /// Whether a proven result leaves something to find out.
    wants_ownership: bool,
    interrupt: Option<Arc<AtomicBool>>,
}

impl TimedControl {
    /// Stops by the budget, and earlier if the second move cannot catch up with the first and the time saved is of use: else a
    /// larger tree for the next move is worth more.
    pub fn new(budget: Budget) -> TimedControl {
        TimedControl {
            start: Instant::now(),
            budget,
            simulations: u64::MAX,
            visits: u64::MAX,
            looks_ahead: budget.carries_over,
            wants_ownership: false,
            interrupt: None,
        }
    }

    /// Stops also after this many simulations of the search.
    #[must_use]
    pub fn with_simulations(mut self, most: u64) -> TimedControl {
        self.simulations = most;
        self
    }

    /// Stops also when the root has this many visits, those kept from earlier searches included.
    #[must_use]
    pub fn with_visits(mut self, most: u64) -> TimedControl {
        self.visits = most;
        self
    }

    /// Uses time, simulations and visits up even if the first move cannot be caught, as fair experiments want it.
    #[must_use]
    pub fn to_the_end(mut self) -> TimedControl {
        self.looks_ahead = false;
        self
    }

    /// Uses everything up to find out who owns what, also if the result is proven.
    #[must_use]
    pub fn for_ownership(mut self) -> TimedControl {
        self.wants_ownership = true;
        self.to_the_end()
    }

    /// Stops also when somebody sets the flag.
    #[must_use]
    pub fn with_interrupt(mut self, flag: Arc<AtomicBool>) -> TimedControl {
        self.interrupt = Some(flag);
        self
    }

    /// Time since the control was made.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    fn stops_at(&self, elapsed: Duration, progress: &Progress) -> bool {
        let left = self.effort_left(progress);
        if (progress.decided && !self.wants_ownership) || left == 0 {
            return true;
        }
        if progress.simulations < HANDFUL {
            return false;
        }
        let deadline = if is_contested(progress) { self.budget.maximum } else { self.budget.target };
        elapsed >= deadline || self.looks_ahead && self.cannot_be_caught(elapsed, deadline, left, progress)
    }

    /// Simulations until one of the limits on effort.
    fn effort_left(&self, progress: &Progress) -> u64 {
        let simulations = self.simulations.saturating_sub(progress.simulations);
        simulations.min(self.visits.saturating_sub(progress.root_visits))
    }

    /// Whether the first move stays the first even if all simulations up to the deadline went to the second.
    fn cannot_be_caught(
        &self,
        elapsed: Duration,
        deadline: Duration,
        left: u64,
        progress: &Progress,
    ) -> bool {
        let lead = progress.best_visits.saturating_sub(progress.second_visits);
        if !progress.best_is_clear || lead == 0 {
            return false;
        }
        if lead > left {
            return true;
        }
        let measured = progress.simulations >= MEASURED && elapsed >= self.budget.target / MEASURED_PART;
        let per_second = progress.simulations as f64 / elapsed.as_secs_f64();
        measured && lead as f64 > per_second * (deadline - elapsed).as_secs_f64()
    }
}

impl Control for TimedControl {
    fn should_stop(&self, progress: &Progress) -> bool {
        let interrupted = self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
        interrupted || self.stops_at(self.elapsed(), progress)
    }

    fn wants_ownership(&self) -> bool {
        self.wants_ownership
    }

    fn simulation_limit(&self) -> Option<u64> {
        (self.simulations < u64::MAX).then_some(self.simulations)
    }
}

/// Whether more time may well change the move.
fn is_contested(progress: &Progress) -> bool {
    !progress.best_is_clear || progress.second_visits as f64 > progress.best_visits as f64 * CLOSE
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUDGET: Budget =
        Budget { target: Duration::from_secs(10), maximum: Duration::from_secs(20), carries_over: true };

    /// A search at 1000 simulations per second with these visits of the two best moves.
    fn progress(seconds: f64, best: u64, second: u64) -> Progress {
        let simulations = (seconds * 1000.0) as u64;
        let (best_visits, second_visits) = (best, second);
        Progress {
            simulations,
            root_visits: simulations,
            best_visits,
            second_visits,
            best_is_clear: true,
            ..Progress::default()
        }
    }

    fn stops(control: &TimedControl, seconds: f64, progress: Progress) -> bool {
        control.stops_at(Duration::from_secs_f64(seconds), &progress)
    }

    #[test]
    fn stops_at_the_target() {
        let control = TimedControl::new(BUDGET);
        assert!(!stops(&control, 9.9, progress(9.9, 400, 310)));
        assert!(stops(&control, 10.0, progress(10.0, 400, 310)));
    }

    #[test]
    fn a_contested_move_gets_more_time_up_to_the_maximum() {
        let control = TimedControl::new(BUDGET);
        let close = |seconds| progress(seconds, 1000, 900);
        assert!(!stops(&control, 19.0, close(19.0)));
        assert!(stops(&control, 20.0, close(20.0)));
        let unclear = |seconds| Progress { best_is_clear: false, ..progress(seconds, 5000, 10) };
        assert!(!stops(&control, 19.0, unclear(19.0)));
        assert!(stops(&control, 20.0, unclear(20.0)));
    }

    #[test]
    fn a_close_second_that_cannot_catch_up_any_more_ends_the_extension() {
        let control = TimedControl::new(BUDGET);
        assert!(!stops(&control, 19.0, progress(19.0, 8000, 7100)));
        assert!(stops(&control, 19.0, progress(19.0, 8000, 6900)));
    }

    #[test]
    fn stops_early_when_the_first_cannot_be_caught() {
        let control = TimedControl::new(BUDGET);
        // Four seconds are left, that is 4000 simulations.
        assert!(!stops(&control, 6.0, progress(6.0, 4900, 1000)));
        assert!(stops(&control, 6.0, progress(6.0, 5100, 1000)));
        assert!(!stops(&control.clone().to_the_end(), 6.0, progress(6.0, 5100, 1000)));
        let unclear = Progress { best_is_clear: false, ..progress(6.0, 5100, 1000) };
        assert!(!stops(&control, 6.0, unclear));
        let fixed = TimedControl::new(Budget::fixed(BUDGET.target));
        assert!(!stops(&fixed, 6.0, progress(6.0, 5100, 1000)), "nobody gains by an early stop");
    }

    #[test]
    fn a_speed_not_yet_measured_is_no_reason_to_stop() {
        let control = TimedControl::new(BUDGET);
        let kept = |simulations| Progress { simulations, ..progress(0.0, 1_000_000, 0) };
        assert!(!stops(&control, 0.1, kept(100)), "too early");
        assert!(!stops(&control, 1.0, kept(99)), "too few");
        assert!(stops(&control, 1.0, kept(100)));
    }

    #[test]
    fn limits_on_effort_hold_without_a_clock() {
        let control = TimedControl::new(Budget::UNLIMITED).with_simulations(1000).with_visits(1500);
        let at = |simulations, root_visits| Progress { simulations, root_visits, ..progress(0.0, 500, 400) };
        assert!(!stops(&control, 1e6, at(900, 900)));
        assert!(stops(&control, 0.0, at(901, 901)), "99 more for the second would not do");
        assert!(!stops(&control, 0.0, at(700, 1400)));
        assert!(stops(&control, 0.0, at(700, 1401)));
        let control = control.to_the_end();
        assert!(!stops(&control, 0.0, at(999, 1499)));
        assert!(stops(&control, 0.0, at(1000, 1499)));
        assert!(stops(&control, 0.0, at(999, 1500)));
    }

    #[test]
    fn without_limits_it_goes_on() {
        let control = TimedControl::new(Budget::UNLIMITED);
        assert!(!stops(&control, 1e9, progress(1e9, 1_000_000_000, 1)));
    }

    #[test]
    fn without_time_there_is_still_a_handful_of_simulations() {
        let control = TimedControl::new(Budget::fixed(Duration::ZERO));
        let after = |simulations| Progress { simulations, ..Progress::default() };
        assert!(!stops(&control, 5.0, after(HANDFUL - 1)));
        assert!(stops(&control, 0.0, after(HANDFUL)));
    }

    #[test]
    fn proof_and_interruption_stop_at_once() {
        let flag = Arc::new(AtomicBool::new(false));
        let control = TimedControl::new(BUDGET).with_interrupt(Arc::clone(&flag));
        assert!(!control.should_stop(&Progress::default()));
        assert!(control.should_stop(&Progress { decided: true, ..Progress::default() }));
        flag.store(true, Ordering::Relaxed);
        assert!(control.should_stop(&Progress::default()));
    }

    #[test]
    fn the_wall_clock_runs() {
        let control = TimedControl::new(Budget::fixed(Duration::from_millis(5)));
        while !control.should_stop(&progress(1.0, 300, 300)) {
            std::thread::yield_now();
        }
        assert!(control.elapsed() >= Duration::from_millis(5));
    }
}
