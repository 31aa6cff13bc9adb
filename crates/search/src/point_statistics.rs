//! Who owned which point at the end of playouts, and who then won: what tells where a game is decided.
//!
//! All threads share the counts, in relaxed atomics. What a race loses is a playout in some points, which no mean notices.

use crate::go::Root;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use tesuji_board::{Color, Point};

/// Counts of the playouts of a search.
pub(crate) struct PointStatistics {
    /// The position that the search starts from.
    root: AtomicU64,
    playouts: AtomicU32,
    black_wins: AtomicU32,
    by_point: Box<[OfPoint]>,
}

#[derive(Default)]
struct OfPoint {
    /// How often Black owned it.
    black: AtomicU32,
    /// How often White did.
    white: AtomicU32,
    /// How often the winner did.
    winner: AtomicU32,
}

impl Default for PointStatistics {
    fn default() -> PointStatistics {
        PointStatistics {
            root: AtomicU64::new(0),
            playouts: AtomicU32::new(0),
            black_wins: AtomicU32::new(0),
            by_point: (0..Point::LIMIT).map(|_| OfPoint::default()).collect(),
        }
    }
}

impl PointStatistics {
    /// A search begins. What is known from another position counts half.
    pub(crate) fn begin(&self, root: &Root) {
        let hash = root.board().hash();
        if self.root.swap(hash, Relaxed) != hash {
            self.each_count(|count| count.store(count.load(Relaxed) / 2, Relaxed));
        }
    }

    /// Another game begins: nothing of this one counts.
    pub(crate) fn forget(&self) {
        self.root.store(0, Relaxed);
        self.each_count(|count| count.store(0, Relaxed));
    }

    fn each_count(&self, change: impl Fn(&AtomicU32)) {
        [&self.playouts, &self.black_wins].into_iter().for_each(&change);
        for of_point in &self.by_point {
            [&of_point.black, &of_point.white, &of_point.winner].into_iter().for_each(&change);
        }
    }

    /// Adds a playout that somebody won.
    pub(crate) fn add(&self, winner: Color, owners: impl Iterator<Item = (Point, Option<Color>)>) {
        increase(&self.playouts);
        if winner == Color::Black {
            increase(&self.black_wins);
        }
        for (point, owner) in owners {
            let of_point = &self.by_point[point.index()];
            match owner {
                Some(Color::Black) => increase(&of_point.black),
                Some(Color::White) => increase(&of_point.white),
                None => {}
            }
            if owner == Some(winner) {
                increase(&of_point.winner);
            }
        }
    }

    /// What a player may think of all points.
    pub(crate) fn view(&self, player: Color) -> impl Fn(Point) -> PointView {
        let playouts = self.playouts.load(Relaxed).max(1) as f32;
        let share = move |count: &AtomicU32| count.load(Relaxed) as f32 / playouts;
        let black_wins = share(&self.black_wins);
        // A few playouts tell little.
        let trust = playouts / (playouts + HALF_TRUSTED);
        move |point| {
            let of_point = &self.by_point[point.index()];
            let (black, white) = (share(&of_point.black), share(&of_point.white));
            let by_chance = black * black_wins + white * (1.0 - black_wins);
            let own = if player == Color::Black { black } else { white };
            PointView {
                criticality: trust * (share(&of_point.winner) - by_chance),
                openness: trust * 4.0 * own * (1.0 - own),
            }
        }
    }
}

/// Playouts that are believed half.
const HALF_TRUSTED: f32 = 100.0;

/// What playouts say about a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PointView {
    /// How much more often the winner owns it than by chance (Coulom 2009), up to 1/2.
    pub(crate) criticality: f32,
    /// 1 where the player owns it half of the time, 0 where always or never.
    pub(crate) openness: f32,
}

#[inline(always)]
fn increase(count: &AtomicU32) {
    count.store(count.load(Relaxed).wrapping_add(1), Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_board::{Game, Rules, Size};

    #[test]
    fn the_winners_points_are_critical() {
        let size = Size::square(5).unwrap();
        let point = |x| size.point(x, 0).unwrap();
        let statistics = PointStatistics::default();
        // The first point goes to the winner, the second to Black always, the third to either whoever wins.
        for game in 0..4000 {
            let winner = Color::BOTH[game % 2];
            let other = Color::BOTH[game / 2 % 2];
            let owners = [(point(0), winner), (point(1), Color::Black), (point(2), other)];
            statistics.add(winner, owners.into_iter().map(|(point, color)| (point, Some(color))));
        }
        let view = statistics.view(Color::White);
        let check = |x, criticality: f32, openness: f32| {
            let found = view(point(x));
            assert!((found.criticality - criticality).abs() < 0.03, "{x} {found:?}");
            assert!((found.openness - openness).abs() < 0.03, "{x} {found:?}");
        };
        check(0, 0.5, 1.0);
        check(1, 0.0, 0.0);
        check(2, 0.0, 1.0);
        check(3, 0.0, 0.0);
        let game = Game::new(size, Rules::default());
        statistics.begin(&Root::of(&game, Color::Black));
        let halved = statistics.playouts.load(Relaxed);
        statistics.begin(&Root::of(&game, Color::Black));
        assert_eq!(statistics.playouts.load(Relaxed), halved, "the same position again");
        statistics.forget();
        assert_eq!(statistics.view(Color::White)(point(0)), PointView::default(), "another game");
    }
}
