//! A person at a terminal: the program in a pseudo terminal, of which the test holds the other end.

use crate::process::{Directory, tesuji};
use rustix::io::{FdFlags, fcntl_setfd, ioctl_fionbio};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

/// Longer than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) struct Terminal {
    child: Child,
    /// Does not block, so that nothing else keeps the terminal open when it is closed.
    controller: File,
    /// Everything shown so far.
    pub(crate) text: String,
    /// How much of the text earlier waits have looked at.
    seen: usize,
}

impl Terminal {
    pub(crate) fn start(directory: &Directory, arguments: &[&str]) -> Terminal {
        let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        // The program must not hold the person's end too.
        fcntl_setfd(&controller, FdFlags::CLOEXEC).unwrap();
        grantpt(&controller).unwrap();
        unlockpt(&controller).unwrap();
        let name = ptsname(&controller, Vec::new()).unwrap().into_string().unwrap();
        let terminal = OpenOptions::new().read(true).write(true).open(name).unwrap();
        let child = tesuji(arguments)
            .current_dir(&directory.0)
            .env("LC_ALL", "C.UTF-8")
            .env("TERM", "xterm")
            .env_remove("NO_COLOR")
            .stdin(terminal.try_clone().unwrap())
            .stdout(terminal)
            .spawn()
            .unwrap();
        let controller = File::from(controller);
        ioctl_fionbio(&controller, true).unwrap();
        Terminal { child, controller, text: String::new(), seen: 0 }
    }

    pub(crate) fn type_text(&mut self, text: &str) {
        self.controller.write_all(text.as_bytes()).unwrap();
    }

    /// Waits until `part` is shown, after what earlier waits have found.
    pub(crate) fn wait_for(&mut self, part: &str) {
        while !self.text[self.seen..].contains(part) {
            assert!(self.read(), "{part:?} is not shown in {}", self.text);
        }
        self.seen += self.text[self.seen..].find(part).unwrap() + part.len();
    }

    /// Waits for more text; whether there was any.
    fn read(&mut self) -> bool {
        let started = Instant::now();
        let mut buffer = [0; 4096];
        while started.elapsed() < PATIENCE {
            match self.controller.read(&mut buffer) {
                Ok(count @ 1..) => {
                    self.text += &String::from_utf8_lossy(&buffer[..count]);
                    return true;
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                // Nobody has the other end open any more.
                _ => return false,
            }
        }
        false
    }

    /// What Ctrl-C sends while no line is being edited, and `kill -INT` at any time.
    pub(crate) fn interrupt(&self) {
        self.send(Signal::INT);
    }

    /// What `kill` sends.
    pub(crate) fn send(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Closes the window.
    pub(crate) fn close(self) -> ExitStatus {
        let Terminal { mut child, controller, .. } = self;
        drop(controller);
        kill_process(Pid::from_child(&child), Signal::HUP).unwrap();
        child.wait().unwrap()
    }

    /// Waits until the program has ended, and returns everything it has shown.
    pub(crate) fn end(mut self) -> String {
        while self.read() {}
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status}: {}", self.text);
        self.text
    }
}
