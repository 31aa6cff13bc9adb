//! Controls for searches that are cut into pieces or have no end of their own.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use tesuji_search::{Control, Progress};

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
