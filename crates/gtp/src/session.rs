//! What a handler sees of the connection while its command runs.
//!
//! A handler that answers at once needs none of it. An analysis looks for input and prints lines as it
//! goes; its answer then has begun, and whatever it returns in the end only completes it. Output errors are
//! no concern of handlers: after one, input counts as pending and interrupted, so that every loop ends.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::input::{Input, StopOn};
use crate::response::{Reply, Response, Status, visible_lines, write_head};

/// The connection during one command.
pub struct Session<'a> {
    input: &'a Input,
    output: &'a mut dyn Write,
    id: Option<u32>,
    streaming: bool,
    broken: bool,
}

impl<'a> Session<'a> {
    pub(crate) fn new(input: &'a Input, output: &'a mut dyn Write, id: Option<u32>) -> Session<'a> {
        Session { input, output, id, streaming: false, broken: false }
    }

    /// True when a line has arrived or none can come any more: an analysis must end.
    pub fn input_pending(&self) -> bool {
        self.input.pending()
    }

    /// Sleeps until [`Session::input_pending`] holds or the time is over, and returns which.
    pub fn wait_input(&self, timeout: Duration) -> bool {
        self.input.wait(timeout)
    }

    /// True when `# interrupt` has arrived: a search should answer with the best it has.
    pub fn interrupted(&self) -> bool {
        self.input.interrupted()
    }

    /// A flag for other threads that rises when such input arrives during this command.
    pub fn stop_flag(&self, stop_on: StopOn) -> Arc<AtomicBool> {
        self.input.stop_flag(stop_on)
    }

    /// The pending input, to be cloned into another thread.
    pub fn input(&self) -> &Input {
        self.input
    }

    /// Starts a successful answer whose lines follow one by one; a second call does nothing.
    pub fn begin_stream(&mut self) {
        if self.streaming {
            return;
        }
        self.streaming = true;
        let mut head = String::new();
        // Writing to a string cannot fail.
        let _ = write_head(&mut head, Status::Success, self.id);
        head.push('\n');
        self.write(&head);
    }

    /// Prints and flushes a line of a streamed answer, which it begins if need be; empty lines are dropped.
    pub fn write_line(&mut self, text: &str) {
        self.begin_stream();
        let lines: String = visible_lines(text).map(|line| line + "\n").collect();
        self.write(&lines);
    }

    /// Prints the rest of the answer; false when the output is broken.
    pub(crate) fn finish(mut self, reply: &Reply) -> bool {
        if !self.streaming {
            let response = Response { id: self.id, reply }.to_string();
            self.write(&response);
            return !self.broken;
        }
        match reply {
            Ok(text) => self.write_line(text),
            // The answer has begun as a success; the error can only go where people read it.
            Err(text) => report(&format!("error in a streamed answer: {text}")),
        }
        self.write("\n");
        !self.broken
    }

    fn write(&mut self, text: &str) {
        if self.broken {
            return;
        }
        let written = self.output.write_all(text.as_bytes()).and_then(|()| self.output.flush());
        if written.is_err() {
            self.broken = true;
            self.input.abandon();
        }
    }
}

/// Prints a note on stderr and does not mind if nobody listens, where `eprintln!` would panic.
pub(crate) fn report(text: &str) {
    let _ = writeln!(io::stderr(), "gtp: {text}");
}
