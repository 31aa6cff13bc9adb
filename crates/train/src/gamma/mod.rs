//! Gammas for playouts, learned from game records by minorisation–maximisation (Coulom 2007).
//!
//! A [`Course`] is what is learned from: positions as lists of candidates, each a shape and a combination of values. [`Lesson`] holds the
//! gammas and improves them, one group of features after the other; [`Progress`] is its state as a file. Results depend only on
//! the games and the [`Plan`], to the last bit: threads take fixed parts, whose sums are added in order.

mod course;
mod lesson;
mod progress;

pub use course::{Course, Plan, Positions};
pub use lesson::{Lesson, Score};
pub use progress::{Progress, ProgressError};
pub(crate) use progress::{read_state, write_state};

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Does `work` for the numbers below `count` on some threads; the results are in the order of the numbers.
pub(crate) fn in_parallel<T: Send>(threads: usize, count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return done;
            }
            done.push((number, work(number)));
        }
    };
    let mut all: Vec<(usize, T)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(take)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("learning does not panic")).collect()
    });
    all.sort_by_key(|&(number, _)| number);
    all.into_iter().map(|(_, result)| result).collect()
}
