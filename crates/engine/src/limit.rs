//! How long a search may take: for a move, for a verdict, in pieces, or until somebody wants something else.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tesuji_board::Game;
use tesuji_search::{Control, Progress};

use crate::clock::Clock;
use crate::settings::Settings;
use crate::time_budget::{Budget, GameStage};
use crate::time_system::TimeSystem;
use crate::timed_control::TimedControl;

/// Time per move when nothing limits it.
const DEFAULT_MOVE_TIME: Duration = Duration::from_secs(3);
/// Simulations on which a verdict on dead stones is based.
const VERDICT_SIMULATIONS: u64 = 2000;
/// Longest time a verdict may take per player who could move next.
const VERDICT_TIME: Duration = Duration::from_secs(1);
/// Part of a move's time that looking at the position after a pass may take on top, where no clock runs. It happens once or
/// twice in a game, and the score that the engine claims afterwards rests on it.
const SECOND_THOUGHT_PART: u32 = 2;
/// The same on a clock: less than the margin that budgets keep.
const SECOND_THOUGHT_PART_ON_CLOCK: u32 = 25;

/// The time for a move by settings and clock.
pub(crate) fn move_budget(settings: &Settings, clock: &Clock, game: &Game) -> Budget {
    let lag = Duration::from_secs_f64(settings.lag);
    let budget = Budget::for_move(clock, GameStage::from(game), lag);
    if settings.time_per_move > 0.0 {
        budget.at_most(Duration::from_secs_f64(settings.time_per_move))
    } else if budget == Budget::UNLIMITED && settings.playouts == 0 && settings.visits == 0 {
        // Nobody asked for exactly this time, so it may be shorter where the move is clear.
        Budget { carries_over: true, ..Budget::fixed(DEFAULT_MOVE_TIME) }
    } else {
        budget
    }
}

/// Ends the search for a move.
pub(crate) fn move_control(settings: &Settings, budget: Budget, stop: &Arc<AtomicBool>) -> TimedControl {
    let mut control = TimedControl::new(budget).with_interrupt(Arc::clone(stop));
    if settings.playouts > 0 {
        control = control.with_simulations(settings.playouts);
    }
    if settings.visits > 0 {
        control = control.with_visits(settings.visits);
    }
    control
}

/// Ends a search that is only to see who owns what.
pub(crate) fn verdict_control() -> TimedControl {
    ownership_control(VERDICT_TIME, VERDICT_SIMULATIONS)
}

/// Ends a search for ownership after so many simulations and never before.
pub(crate) fn unhurried_verdict_control(simulations: u64) -> TimedControl {
    TimedControl::new(Budget::UNLIMITED).with_simulations(simulations).for_ownership()
}

/// Ends a look at the position after a pass: as thorough as a verdict, however few playouts a move gets, if the clock allows.
pub(crate) fn second_thought_control(budget: Budget, clock: &Clock) -> TimedControl {
    let part = match clock.system() {
        TimeSystem::NoLimit => SECOND_THOUGHT_PART,
        _ => SECOND_THOUGHT_PART_ON_CLOCK,
    };
    ownership_control((budget.target / part).min(VERDICT_TIME), VERDICT_SIMULATIONS)
}

fn ownership_control(time: Duration, simulations: u64) -> TimedControl {
    TimedControl::new(Budget::fixed(time)).with_simulations(simulations).for_ownership()
}

/// One piece of a search that another control limits as a whole.
pub(crate) struct Slice<'a> {
    pub(crate) inner: &'a dyn Control,
    /// Simulations of the pieces before.
    pub(crate) made: u64,
    /// When this piece ends.
    pub(crate) until: Option<Instant>,
    /// Raised when the search as a whole is over.
    pub(crate) finished: &'a AtomicBool,
}

impl Control for Slice<'_> {
    fn should_stop(&self, progress: &Progress) -> bool {
        let whole = Progress { simulations: progress.simulations + self.made, ..*progress };
        if self.inner.should_stop(&whole) {
            self.finished.store(true, Ordering::Relaxed);
            return true;
        }
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    fn simulation_limit(&self) -> Option<u64> {
        self.inner.simulation_limit().map(|whole| whole.saturating_sub(self.made))
    }
}

/// A search that another control limits, and perhaps a number of simulations.
pub(crate) struct AtMost<'a> {
    pub(crate) inner: &'a dyn Control,
    pub(crate) simulations: Option<u64>,
}

impl Control for AtMost<'_> {
    fn should_stop(&self, progress: &Progress) -> bool {
        self.simulations.is_some_and(|most| progress.simulations >= most) || self.inner.should_stop(progress)
    }

    fn wants_ownership(&self) -> bool {
        self.inner.wants_ownership()
    }

    fn simulation_limit(&self) -> Option<u64> {
        [self.inner.simulation_limit(), self.simulations].into_iter().flatten().min()
    }
}

/// A search until somebody wants something else, but for one simulation at least: its report must not be empty.
pub(crate) struct OpenEnded<'a> {
    pub(crate) stop: &'a AtomicBool,
    /// When this piece of it ends.
    pub(crate) until: Option<Instant>,
}

impl Control for OpenEnded<'_> {
    fn should_stop(&self, progress: &Progress) -> bool {
        let ended =
            self.stop.load(Ordering::Relaxed) || self.until.is_some_and(|until| Instant::now() >= until);
        progress.simulations > 0 && ended
    }
}
