//! What the person types, line by line, and Ctrl-C between the lines.
//!
//! Reading a line cannot be interrupted. So a thread of its own reads, one line each time it is asked to, and
//! Ctrl-C arrives through the same channel; it also stops a search that is under way.

use std::io::{self, BufRead};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// The next thing that happens at the keyboard.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// A line, without its end.
    Line(String),
    /// Ctrl-C, or the request of the system to end.
    Interrupt,
    /// There is nothing more to read; in a terminal, Ctrl-D.
    End,
}

/// The source of [`Input`].
pub(super) struct Keyboard {
    wanted: Sender<()>,
    sender: Sender<io::Result<Input>>,
    inputs: Receiver<io::Result<Input>>,
    is_reading: bool,
    stop: Arc<AtomicBool>,
}

impl Keyboard {
    /// Reads lines from `input`.
    pub(super) fn new(mut input: impl BufRead + Send + 'static) -> Keyboard {
        let (wanted, requests) = channel::<()>();
        let (sender, inputs) = channel();
        let lines = sender.clone();
        thread::spawn(move || {
            for () in requests {
                if lines.send(read_line(&mut input)).is_err() {
                    break;
                }
            }
        });
        Keyboard { wanted, sender, inputs, is_reading: false, stop: Arc::new(AtomicBool::new(false)) }
    }

    /// What a signal handler shall call.
    pub(super) fn interrupter(&self) -> impl Fn() + Send + 'static + use<> {
        let (sender, stop) = (self.sender.clone(), Arc::clone(&self.stop));
        move || {
            stop.store(true, Ordering::Relaxed);
            // This fails only when the program is about to end.
            let _ = sender.send(Ok(Input::Interrupt));
        }
    }

    /// A flag that is raised from an interrupt until [`Keyboard::next`] has told of it.
    pub(super) fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Waits for the next line or interrupt.
    pub(super) fn next(&mut self) -> io::Result<Input> {
        // After an interrupt, the line that was being read is still to come.
        if !self.is_reading && self.wanted.send(()).is_ok() {
            self.is_reading = true;
        }
        let input = self.inputs.recv().unwrap_or(Ok(Input::End));
        match input {
            Ok(Input::Interrupt) => self.stop.store(false, Ordering::Relaxed),
            _ => self.is_reading = false,
        }
        input
    }
}

/// Bytes that are no text become `?` signs.
fn read_line(input: &mut impl BufRead) -> io::Result<Input> {
    let mut bytes = Vec::new();
    Ok(match input.read_until(b'\n', &mut bytes)? {
        0 => Input::End,
        _ => Input::Line(String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_one_by_one_and_interrupts_between_them() {
        let mut keyboard = Keyboard::new(&b"one\r\ntwo"[..]);
        let line = |text: &str| Input::Line(text.to_owned());
        assert_eq!(keyboard.next().unwrap(), line("one"));
        let interrupt = keyboard.interrupter();
        interrupt();
        assert!(keyboard.stop_flag().load(Ordering::Relaxed));
        // Which of the two comes first is a race.
        let mut both = [keyboard.next().unwrap(), keyboard.next().unwrap()];
        both.sort_by_key(|input| *input == Input::Interrupt);
        assert_eq!(both, [line("two"), Input::Interrupt]);
        assert!(!keyboard.stop_flag().load(Ordering::Relaxed));
        assert_eq!(keyboard.next().unwrap(), Input::End);
        assert_eq!(keyboard.next().unwrap(), Input::End);
    }
}
