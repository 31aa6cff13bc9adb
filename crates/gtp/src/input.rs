//! The lines a controller has sent and nobody has taken yet.
//!
//! A thread of its own owns the input, so that a running command can see what has arrived: any line ends an
//! analysis, `# interrupt` ends a search. A bare channel cannot be looked into, hence a queue under a lock.
//! Its bound is in bytes and generous: a controller may write a whole game before it reads the first
//! answer.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::command::Line;
use crate::line::read_line;

/// A shared view of the pending input; clones see the same queue and may live in other threads.
#[derive(Clone, Debug)]
pub struct Input {
    shared: Arc<Shared>,
}

/// Which input ends a piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopOn {
    /// Any line, also an empty one, and the end of input: for analysis and pondering.
    AnyLine,
    /// Only `# interrupt`: for commands that owe an answer, which may be followed by pipelined ones.
    Interrupt,
}

impl Input {
    /// Starts the thread that reads `reader` until its end.
    pub(crate) fn start(reader: impl BufRead + Send + 'static) -> io::Result<Input> {
        let input = Input { shared: Arc::default() };
        let producer = input.clone();
        thread::Builder::new().name("gtp-input".to_owned()).spawn(move || producer.read_all(reader))?;
        Ok(input)
    }

    /// True when a line waits or no line can come any more.
    pub fn pending(&self) -> bool {
        self.lock().stops(StopOn::AnyLine)
    }

    /// True when `# interrupt` waits, or nobody can hear an answer any more.
    pub fn interrupted(&self) -> bool {
        self.lock().stops(StopOn::Interrupt)
    }

    /// Sleeps until [`Input::pending`] holds or the time is over, and returns which.
    pub fn wait(&self, timeout: Duration) -> bool {
        let deadline = Instant::now().checked_add(timeout);
        let mut queue = self.lock();
        while !queue.stops(StopOn::AnyLine) {
            let left = deadline.map_or(timeout, |end| end.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return false;
            }
            let woken = self.shared.changed.wait_timeout(queue, left);
            queue = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    /// A flag that rises when such input arrives (or is there already) before the next command is taken.
    pub fn stop_flag(&self, stop_on: StopOn) -> Arc<AtomicBool> {
        let mut queue = self.lock();
        let flag = Arc::new(AtomicBool::new(queue.stops(stop_on)));
        queue.flags.push((stop_on, Arc::clone(&flag)));
        flag
    }

    /// Takes the next line, sleeping until there is one; `None` is the end of input.
    pub(crate) fn next(&self) -> Option<Line> {
        let mut queue = self.lock();
        queue.flags.clear();
        loop {
            if let Some((line, size)) = queue.lines.pop_front() {
                queue.bytes -= size;
                queue.interrupts -= usize::from(line == Line::Interrupt);
                self.shared.changed.notify_all();
                return Some(line);
            }
            if queue.ended {
                return None;
            }
            queue = self.shared.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Forgets all input and ends it, because answers have nowhere to go.
    pub(crate) fn abandon(&self) {
        let mut queue = self.lock();
        queue.lines.clear();
        queue.bytes = 0;
        queue.interrupts = 0;
        queue.ended = true;
        queue.abandoned = true;
        queue.raise_flags();
        self.shared.changed.notify_all();
    }

    fn read_all(&self, mut reader: impl BufRead) {
        // A read error is the end of input like any other: there is nothing left to answer.
        while let Ok(Some(raw)) = read_line(&mut reader) {
            if !self.push(Line::from_raw(&raw), raw.bytes.len() + LINE_OVERHEAD) {
                return;
            }
        }
        let mut queue = self.lock();
        queue.ended = true;
        queue.raise_flags();
        self.shared.changed.notify_all();
    }

    /// Appends a line, waiting while the queue is full; false when nobody wants lines any more.
    fn push(&self, line: Line, size: usize) -> bool {
        let mut queue = self.lock();
        while queue.bytes > QUEUE_BYTES && !queue.abandoned {
            queue = self.shared.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        if queue.abandoned {
            return false;
        }
        queue.interrupts += usize::from(line == Line::Interrupt);
        queue.lines.push_back((line, size));
        queue.bytes += size;
        queue.raise_flags();
        self.shared.changed.notify_all();
        true
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.shared.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Bytes of pending input before the reader waits.
const QUEUE_BYTES: usize = 64 << 20;

/// Bytes a queued line takes besides its text, so that empty lines count too.
const LINE_OVERHEAD: usize = 128;

#[derive(Debug, Default)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Queue {
    lines: VecDeque<(Line, usize)>,
    bytes: usize,
    interrupts: usize,
    ended: bool,
    abandoned: bool,
    flags: Vec<(StopOn, Arc<AtomicBool>)>,
}

impl Queue {
    fn stops(&self, stop_on: StopOn) -> bool {
        match stop_on {
            StopOn::AnyLine => self.ended || !self.lines.is_empty(),
            StopOn::Interrupt => self.abandoned || self.interrupts > 0,
        }
    }

    fn raise_flags(&self) {
        for (stop_on, flag) in &self.flags {
            if self.stops(*stop_on) {
                flag.store(true, Ordering::Release);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn started(text: &str) -> Input {
        Input::start(Cursor::new(text.to_owned())).expect("a thread")
    }

    #[test]
    fn lines_come_in_order_and_then_the_end() {
        let input = started("a\n\n# interrupt\nb");
        let names: Vec<_> = std::iter::from_fn(|| input.next()).collect();
        assert!(matches!(&names[..], [Line::Command(a), Line::Blank, Line::Interrupt, Line::Command(b)]
            if a.name == "a" && b.name == "b"));
        assert!(input.next().is_none());
        assert!(input.pending() && input.wait(Duration::MAX));
        assert!(!input.interrupted());
    }

    #[test]
    fn a_pipelined_command_is_pending_but_no_interruption() {
        let input = started("a\nb\n");
        input.next();
        let [any, interrupt] = [StopOn::AnyLine, StopOn::Interrupt].map(|kind| input.stop_flag(kind));
        assert!(input.wait(Duration::from_secs(60)));
        assert!(any.load(Ordering::Acquire));
        assert!(!interrupt.load(Ordering::Acquire));
    }

    #[test]
    fn abandoning_stops_everything() {
        let input = Input::start(io::BufReader::new(Silent)).expect("a thread");
        assert!(!input.pending() && !input.wait(Duration::from_millis(1)));
        let flags = [StopOn::AnyLine, StopOn::Interrupt].map(|kind| input.stop_flag(kind));
        assert!(flags.iter().all(|flag| !flag.load(Ordering::Acquire)));
        input.abandon();
        assert!(flags.iter().all(|flag| flag.load(Ordering::Acquire)));
        assert!(input.pending() && input.interrupted() && input.next().is_none());
    }

    /// An input on which nothing ever arrives.
    struct Silent;

    impl io::Read for Silent {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            loop {
                thread::park();
            }
        }
    }
}
