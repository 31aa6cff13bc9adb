//! Clocks for measurements.

use std::sync::OnceLock;
use std::time::Instant;

/// Nanoseconds since the first call.
pub fn nanoseconds() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

/// Seconds that the processor has worked for this thread, which is what other programs on the machine disturb least; seconds on
/// the wall where the system does not tell.
pub fn thread_seconds() -> f64 {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    }
    #[cfg(not(unix))]
    {
        nanoseconds() as f64 / 1e9
    }
}

/// As [`thread_seconds`], for all threads of this program together.
pub fn process_seconds() -> f64 {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    }
    #[cfg(not(unix))]
    {
        nanoseconds() as f64 / 1e9
    }
}
