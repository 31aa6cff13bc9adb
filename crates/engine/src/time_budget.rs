//! How long to think about one move.
//!
//! The share of the main time follows Fuego: a divisor that falls while the board fills and rises with the moves made, so that most of
//! the time goes into the opening and the middle game and a long game still leaves something. Two things are added against losing on time:
//! the lag of a pessimistic number of further moves is set aside before anything is shared out, and where a clock has a hard edge (a
//! period, the last seconds) a margin is kept from it. So only more lag than allowed, or a game far longer than any, can lose.

use crate::clock::Clock;
use crate::time_system::TimeSystem;
use std::time::Duration;
use tesuji_board::{Game, Size};

/// Time per move that passes on the clock although nobody thinks: pipes, the scheduler, the last simulations of all threads.
///
/// Enough for a client on the same machine; over a network half a second to a second is wise.
pub const DEFAULT_LAG: Duration = Duration::from_millis(30);

/// Share of a hard limit that is used; the rest is for a machine that is busy just then.
const SAFE_SHARE: f64 = 0.95;
/// How much longer than planned a contested move may take.
const EXTENSION: f64 = 2.0;
/// Share of what is left per expected move that is used even if the lag allowance alone would eat up the clock.
const SHORT_SHARE: f64 = 1.0 / 8.0;

/// How long to think about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// When to stop.
    pub target: Duration,
    /// When to stop even if the best move is contested; not less than `target`.
    pub maximum: Duration,
    /// Whether time that is not used for this move is there for later ones.
    pub carries_over: bool,
}

/// What the length of a game is guessed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameStage {
    /// Size of the board.
    pub size: Size,
    /// Empty points.
    pub empty: usize,
    /// Moves made by both players.
    pub moves: usize,
}

impl From<&Game> for GameStage {
    fn from(game: &Game) -> GameStage {
        GameStage { size: game.size(), empty: game.board().empties().len(), moves: game.move_number() }
    }
}

impl Budget {
    /// Think until told to stop.
    pub const UNLIMITED: Budget =
        Budget { target: Duration::MAX, maximum: Duration::MAX, carries_over: true };

    /// Exactly this long.
    pub const fn fixed(time: Duration) -> Budget {
        Budget { target: time, maximum: time, carries_over: false }
    }

    /// The budget for the next move of the player with this clock; `lag` passes on the clock on top of it.
    pub fn for_move(clock: &Clock, stage: GameStage, lag: Duration) -> Budget {
        let (left, count) = (clock.left().as_secs_f64(), f64::from(clock.count()));
        let lag = lag.as_secs_f64();
        let (target, maximum) = match clock.system() {
            TimeSystem::NoLimit => return Budget::UNLIMITED,
            TimeSystem::PerMove { time } => return Budget::fixed(time),
            TimeSystem::Absolute { .. } => (stage.share(left, lag), before(left, lag)),
            TimeSystem::Byoyomi { period, .. } => {
                let period = period.as_secs_f64();
                if clock.count() == 0 {
                    with_overtime(stage.share(left, 0.0), left, before(period, lag))
                } else {
                    let target = before(left, lag);
                    // The last two periods are kept; the others are worth nothing after the game.
                    let spare = if clock.count() > 2 { period } else { 0.0 };
                    (target, target + spare)
                }
            }
            TimeSystem::Canadian { period, stones, .. } => {
                if clock.count() == 0 {
                    let per_stone = before(period.as_secs_f64() / f64::from(stones.max(1)), lag);
                    with_overtime(stage.share(left, 0.0), left, per_stone)
                } else {
                    let per_stone = left / count;
                    // A contested move leaves at least half of their share to the other stones.
                    let for_others = per_stone * (count - 1.0) / 2.0;
                    (before(per_stone, lag), before(left - for_others, lag))
                }
            }
            TimeSystem::Fischer { increment, cap, per_move, .. } => {
                let increment = increment.as_secs_f64();
                let share = stage.share(left, (lag - increment).max(0.0));
                let gained = (increment - lag).max(0.0) * SAFE_SHARE;
                let above_cap = cap.map_or(0.0, |cap| left + increment - cap.as_secs_f64());
                let limit = per_move.map_or(left, |most| left.min(most.as_secs_f64()));
                ((share + gained).max(above_cap), before(limit, lag))
            }
        };
        let target = target.min(maximum);
        let carries_over = match clock.system() {
            TimeSystem::Byoyomi { .. } => clock.count() == 0,
            TimeSystem::Canadian { .. } => clock.count() != 1,
            _ => true,
        };
        let maximum = maximum.min(target * EXTENSION);
        Budget { target: duration(target), maximum: duration(maximum), carries_over }
    }

    /// The same, but never longer than `most`.
    #[must_use]
    pub fn at_most(self, most: Duration) -> Budget {
        Budget {
            target: self.target.min(most),
            maximum: self.maximum.min(most),
            carries_over: self.carries_over && self.target <= most,
        }
    }
}

impl GameStage {
    /// The share of this move in the seconds left for the rest of the game.
    fn share(self, left: f64, lag: f64) -> f64 {
        let horizon = self.longest_game();
        let all_late = left - lag * horizon;
        // With little time, rather count on a lag that is half of the allowance on average than play at random.
        let half_late = (left - lag * horizon / 2.0) / 4.0;
        (all_late.max(half_late) / self.divisor()).max(left / horizon * SHORT_SHARE).max(0.0)
    }

    /// Fuego's estimate of how many such moves the time has to last for.
    fn divisor(self) -> f64 {
        let to_fill = self.empty as f64 - self.size.area() as f64 * 0.25;
        let remaining = to_fill.max(3.0 * self.side()) / 2.0;
        (0.5 * (self.moves as f64 + remaining)).max(1.0)
    }

    /// How many moves the player still makes at most, but for the rarest games: the board fills up, and a good part of it once more; a game
    /// that is long already may become twice as long.
    fn longest_game(self) -> f64 {
        self.empty as f64 / 2.0 + (4.0 * self.side()).max(self.moves as f64 / 2.0)
    }

    fn side(self) -> f64 {
        self.size.width().max(self.size.height()) as f64
    }
}

/// Seconds that may be spent before a hard limit.
fn before(limit: f64, lag: f64) -> f64 {
    ((limit - lag) * SAFE_SHARE).max(limit * SHORT_SHARE)
}

/// Target and maximum in main time when overtime grants `per_move` seconds for ever after: to think less than that would save nothing.
fn with_overtime(share: f64, main: f64, per_move: f64) -> (f64, f64) {
    (share.max(per_move), main + per_move)
}

fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_search::Rng;

    const LAG: f64 = 0.03;

    fn clock(settings: &str) -> Clock {
        let args: Vec<_> = settings.split_whitespace().collect();
        Clock::new(TimeSystem::parse_named(&args).expect(settings))
    }

    fn stage(side: usize, empty: usize, moves: usize) -> GameStage {
        GameStage { size: Size::square(side).expect("a size"), empty, moves }
    }

    fn budget(settings: &str, stage: GameStage, lag: f64) -> (f64, f64) {
        let budget = Budget::for_move(&clock(settings), stage, Duration::from_secs_f64(lag));
        (budget.target.as_secs_f64(), budget.maximum.as_secs_f64())
    }

    /// How a simulated game goes on.
    #[derive(Clone, Copy, Debug)]
    enum Course {
        /// Two stones fewer to play per round, until a quarter of the board is empty.
        Normal,
        /// Nothing is ever decided: every move is contested, every capture empties the board again.
        Endless,
        /// Normal, but the lag is all that is allowed with every move.
        Late,
    }

    /// Plays a game of `rounds` own moves; panics when the clock runs out, returns the share of the given time that was thought.
    fn play(settings: &str, side: usize, rounds: usize, lag: f64, course: Course, seed: u64) -> f64 {
        let mut rng = Rng::new(seed);
        let mut clock = clock(settings);
        let (start, area) = (clock.left().as_secs_f64(), side * side);
        let mut thought = 0.0;
        for round in 0..rounds {
            let empty = match course {
                Course::Normal | Course::Late => area.saturating_sub(2 * round).max(area / 4),
                Course::Endless => area - (2 * round) % (area * 3 / 4),
            };
            let allowed = Duration::from_secs_f64(lag);
            let budget = Budget::for_move(&clock, stage(side, empty, 2 * round), allowed);
            assert!(budget.target <= budget.maximum, "{settings} {round}: {budget:?}");
            let (think, lag_share) = match course {
                Course::Normal => (budget.target, rng.unit()),
                Course::Endless => (budget.maximum, rng.unit()),
                Course::Late => (budget.target, 1.0),
            };
            thought += think.as_secs_f64();
            let spent = think + allowed.mul_f32(lag_share);
            let before = clock;
            assert!(
                clock.spend(spent),
                "{settings} on {side}, {course:?}, lag {lag}: {spent:?} in round {round} on {before:?}"
            );
        }
        thought / start
    }

    #[test]
    fn never_loses_on_time() {
        let small = ["absolute 10", "absolute 20", "absolute 30", "fischer 10 1", "fischer 5 0.02"];
        let large = ["absolute 60", "absolute 120", "fischer 10 1", "fischer 60 0.1"];
        let both = [
            "byoyomi 0 5 1",
            "byoyomi 10 5 1",
            "byoyomi 0 10 3",
            "byoyomi 60 10 3",
            "canadian 0 60 25",
            "canadian 30 60 25",
            "canadian 0 5 1",
            "fischer-capped 10 1 12 3",
            "fischer-capped 10 1 10 -1",
        ];
        let small = small.iter().chain(&both).map(|settings| (9, 80, settings));
        let large = large.iter().chain(&both).map(|settings| (19, 200, settings));
        for (side, rounds, settings) in small.chain(large) {
            for course in [Course::Normal, Course::Endless] {
                for lag in [0.0, 0.01, LAG, 0.1] {
                    for seed in 0..10 {
                        play(settings, side, rounds, lag, course, seed);
                    }
                }
            }
            play(settings, side, rounds, LAG, Course::Late, 0);
        }
    }

    #[test]
    fn absurdly_long_games_are_survived() {
        play("absolute 10", 9, 120, LAG, Course::Endless, 1);
        play("absolute 30", 9, 160, LAG, Course::Endless, 1);
        play("absolute 60", 19, 300, LAG, Course::Endless, 2);
        play("fischer 10 1", 9, 5000, 0.1, Course::Endless, 3);
        play("byoyomi 30 5 1", 9, 5000, 0.1, Course::Endless, 4);
        play("canadian 30 60 25", 9, 5000, 0.1, Course::Endless, 5);
    }

    #[test]
    fn absolute_time_is_used() {
        for settings in ["absolute 10", "absolute 30", "absolute 300"] {
            let used = play(settings, 9, 45, LAG, Course::Normal, 7);
            assert!((0.6..1.0).contains(&used), "{settings}: {used}");
        }
        for settings in ["absolute 60", "absolute 120", "absolute 1800"] {
            let used = play(settings, 19, 130, LAG, Course::Normal, 7);
            assert!((0.6..1.0).contains(&used), "{settings}: {used}");
        }
    }

    #[test]
    fn the_opening_gets_fuegos_share() {
        // 81 points of which 20.25 stay empty, half of them ours: 0.5 · 60.75 / 2 moves.
        let (target, maximum) = budget("absolute 60", stage(9, 81, 0), 0.0);
        assert!((target - 60.0 / 15.1875).abs() < 1e-6, "{target}");
        assert!((maximum - 2.0 * target).abs() < 1e-6, "{maximum}");
    }

    #[test]
    fn overtime_is_used_up_to_a_margin() {
        let middle = stage(19, 200, 160);
        for (settings, least, most) in [
            ("byoyomi 0 5 1", 4.5, 4.97),
            ("byoyomi 0 10 3", 9.0, 9.97),
            ("canadian 0 60 25", 2.1, 2.37),
            ("canadian 0 5 1", 4.5, 4.97),
            ("fischer 3 1", 0.9, 1.5),
            // Main time first, but never less than overtime will grant.
            ("byoyomi 600 30 3", 28.0, 30.0),
            ("byoyomi 2 5 1", 4.5, 6.97),
        ] {
            let (target, _) = budget(settings, middle, LAG);
            assert!((least..=most).contains(&target), "{settings}: {target}");
        }
    }

    #[test]
    fn a_contested_move_may_cost_a_spare_period() {
        let middle = stage(19, 200, 160);
        let (target, maximum) = budget("byoyomi 0 10 3", middle, LAG);
        assert!(target < 10.0 && maximum > 15.0 && maximum < 20.0, "{maximum}");
        let (target, maximum) = budget("byoyomi 0 10 2", middle, LAG);
        assert_eq!(target, maximum);
    }

    #[test]
    fn caps_of_fischer_time_are_kept() {
        let start = stage(9, 81, 0);
        let (_, maximum) = budget("fischer-capped 100 1 -1 2", start, LAG);
        assert!(maximum < 2.0, "{maximum}");
        let (target, _) = budget("fischer-capped 100 20 100 -1", start, LAG);
        assert!(target >= 20.0, "what the cap would take away is used: {target}");
    }

    #[test]
    fn almost_no_time_is_almost_no_thinking() {
        for (left, lag) in [(1.0, 0.03), (1.0, 0.5), (0.02, 0.03), (0.001, 1.0), (0.0, 0.0), (0.0, 1.0)] {
            let (target, maximum) = budget(&format!("absolute {left}"), stage(19, 300, 60), lag);
            assert!(maximum <= left / 20.0, "{left} s, lag {lag}: {target} to {maximum}");
            let (_, maximum) = budget(&format!("byoyomi 0 {} 1", left + 0.01), stage(19, 300, 60), lag);
            assert!(maximum <= left + 0.01, "{left} s, lag {lag}: {maximum}");
        }
        let mut empty = clock("byoyomi 60 10 3");
        empty.set_left(Duration::ZERO, 1);
        let budget = Budget::for_move(&empty, stage(9, 40, 50), DEFAULT_LAG);
        assert_eq!(budget, Budget::fixed(Duration::ZERO));
    }

    #[test]
    fn a_fixed_time_is_taken_as_it_is() {
        let time = Duration::from_millis(500);
        let clock = Clock::new(TimeSystem::PerMove { time });
        assert_eq!(Budget::for_move(&clock, stage(9, 81, 0), DEFAULT_LAG), Budget::fixed(time));
        let clock = Clock::new(TimeSystem::NoLimit);
        let unlimited = Budget::for_move(&clock, stage(9, 81, 0), DEFAULT_LAG);
        assert_eq!(unlimited, Budget::UNLIMITED);
        assert_eq!(unlimited.at_most(time), Budget::fixed(time));
    }
}
