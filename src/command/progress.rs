//! What all commands that take long have in common: a bar with the time left on stderr, and an orderly end on Ctrl-C.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar with the time left; hidden if stderr is not a terminal, or on request.
pub(crate) fn bar(length: usize, quiet: bool) -> ProgressBar {
    let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(length as u64) };
    if let Ok(style) = ProgressStyle::with_template("{bar:24} {pos}/{len} [{elapsed} < {eta}] {msg}") {
        bar.set_style(style);
    }
    if !quiet {
        bar.enable_steady_tick(Duration::from_secs(1));
    }
    bar
}

/// Sets a bar to what was done before: its estimate is about what is done now.
pub(crate) fn begin_at(bar: &ProgressBar, done: usize) {
    bar.set_position(done as u64);
    bar.reset_eta();
}

/// A flag that the first Ctrl-C raises; the second ends the program.
pub(crate) fn stop_flag() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        // The second time means at once.
        if raised.swap(true, Ordering::Relaxed) {
            process::exit(INTERRUPTED);
        }
    })?;
    Ok(stop)
}

/// Ends a program that was stopped and can be resumed.
pub(crate) fn exit_interrupted() -> ! {
    eprintln!("interrupted; the same command line resumes it");
    process::exit(INTERRUPTED);
}

/// Exit status of a program that was interrupted, as shells have it.
const INTERRUPTED: i32 = 130;
