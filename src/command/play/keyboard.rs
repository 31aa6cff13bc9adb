//! What the person types, line by line, and Ctrl-C between the lines.
//!
//! Reading a line cannot be interrupted. So a thread of its own reads, one line each time it is asked to, and
//! Ctrl-C arrives through the same channel; it also stops a search that is under way. A person at a terminal can edit the line
//! and has earlier ones back with the arrow keys; everybody else is read as they come.
//!
//! The editor takes Ctrl-C and SIGINT for itself and gives the line up. Other signals leave it where it is, so that nothing can be asked any more:
//! then the input ends.

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

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

/// What the channel carries.
enum Event {
    /// The reader has finished a line, or knows that there is none.
    Read(io::Result<Input>),
    /// A signal; a line may be being read meanwhile.
    Signal,
}

/// The source of [`Input`].
pub(super) struct Keyboard {
    /// The prompt of the line that is wanted.
    wanted: Sender<String>,
    sender: Sender<Event>,
    events: Receiver<Event>,
    is_reading: bool,
    /// Whether the reader shows the prompt itself, and lets the person edit.
    is_editor: bool,
    /// Whether a signal came while a line was being edited.
    has_ended: bool,
    stop: Arc<AtomicBool>,
}

impl Keyboard {
    /// Reads lines from `input`, as they are.
    pub(super) fn new(mut input: impl BufRead + Send + 'static) -> Keyboard {
        Keyboard::reading(false, move |_| read_line(&mut input))
    }

    /// Lines that a person edits in a terminal.
    pub(super) fn with_editor(mut editor: DefaultEditor) -> Keyboard {
        // While there is one, the editor waits for signals beside keys; without, only a signal that happens to reach its own thread wakes it.
        let printer = editor.create_external_printer();
        Keyboard::reading(true, move |prompt| {
            let _wakes_for_signals = &printer;
            match editor.readline(prompt) {
                Ok(line) => {
                    // What cannot be remembered can still be played.
                    let _ = editor.add_history_entry(line.trim());
                    Ok(Input::Line(line))
                }
                Err(ReadlineError::Interrupted) => Ok(Input::Interrupt),
                Err(ReadlineError::Eof) => Ok(Input::End),
                Err(ReadlineError::Io(error)) => Err(error),
                Err(error) => Err(io::Error::other(error)),
            }
        })
    }

    fn reading(
        is_editor: bool,
        mut read: impl FnMut(&str) -> io::Result<Input> + Send + 'static,
    ) -> Keyboard {
        let (wanted, requests) = channel::<String>();
        let (sender, events) = channel();
        let lines = sender.clone();
        thread::spawn(move || {
            for prompt in requests {
                if lines.send(Event::Read(read(&prompt))).is_err() {
                    break;
                }
            }
        });
        let stop = Arc::new(AtomicBool::new(false));
        Keyboard { wanted, sender, events, is_reading: false, is_editor, has_ended: false, stop }
    }

    /// What a signal handler shall call.
    pub(super) fn interrupter(&self) -> impl Fn() + Send + 'static + use<> {
        let (sender, stop) = (self.sender.clone(), Arc::clone(&self.stop));
        move || {
            stop.store(true, Ordering::Relaxed);
            // This fails only when the program is about to end.
            let _ = sender.send(Event::Signal);
        }
    }

    /// A flag that is raised from an interrupt until [`Keyboard::ask`] has told of it.
    pub(super) fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Shows a prompt and waits for the next line or interrupt.
    pub(super) fn ask(&mut self, prompt: &str, out: &mut impl Write) -> io::Result<Input> {
        // A signal that came while nothing was read is told before a line is begun.
        if !self.is_reading && self.events.try_recv().is_ok() {
            return Ok(self.interrupted());
        }
        if self.has_ended {
            return Ok(Input::End);
        }
        if !self.is_editor {
            write!(out, "{prompt}")?;
        }
        out.flush()?;
        // After a signal, the line that was being read is still to come.
        if !self.is_reading && self.wanted.send(prompt.to_owned()).is_ok() {
            self.is_reading = true;
        }
        match self.events.recv().unwrap_or(Event::Read(Ok(Input::End))) {
            Event::Read(read) => {
                self.is_reading = false;
                read
            }
            Event::Signal => {
                self.has_ended = self.is_editor;
                Ok(self.interrupted())
            }
        }
    }

    fn interrupted(&self) -> Input {
        self.stop.store(false, Ordering::Relaxed);
        Input::Interrupt
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

/// Gives a terminal back as it was: who is told to end while a line is being edited leaves it in another state.
#[cfg(unix)]
pub(super) struct TerminalGuard(Option<rustix::termios::Termios>);

#[cfg(unix)]
impl TerminalGuard {
    pub(super) fn new() -> TerminalGuard {
        TerminalGuard(rustix::termios::tcgetattr(io::stdin()).ok())
    }
}

#[cfg(unix)]
impl Drop for TerminalGuard {
    fn drop(&mut self) {
        if let Some(state) = &self.0 {
            // A terminal that is gone needs no care.
            let _ = rustix::termios::tcsetattr(io::stdin(), rustix::termios::OptionalActions::Now, state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_one_by_one_and_interrupts_between_them() {
        let mut keyboard = Keyboard::new(&b"one\r\ntwo"[..]);
        let mut shown = Vec::new();
        let line = |text: &str| Input::Line(text.to_owned());
        assert_eq!(keyboard.ask("1> ", &mut shown).unwrap(), line("one"));
        let interrupt = keyboard.interrupter();
        interrupt();
        assert!(keyboard.stop_flag().load(Ordering::Relaxed));
        assert_eq!(keyboard.ask("2> ", &mut shown).unwrap(), Input::Interrupt);
        assert!(!keyboard.stop_flag().load(Ordering::Relaxed));
        assert_eq!(keyboard.ask("3> ", &mut shown).unwrap(), line("two"));
        assert_eq!(keyboard.ask("4> ", &mut shown).unwrap(), Input::End);
        assert_eq!(keyboard.ask("5> ", &mut shown).unwrap(), Input::End);
        assert_eq!(shown, b"1> 3> 4> 5> ");
    }
}
