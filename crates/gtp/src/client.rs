//! Drives another engine as a child process.
//!
//! Nothing an engine does may hang or crash the caller: its output, its errors and our writing to it each
//! have a thread, every wait has a limit, every line a bound. Commands carry ids. An answer that came too
//! late is recognised by its id and skipped, so a client stays usable after a timeout. Dropping a client
//! closes the engine's input, kills it and collects its exit status; processes that the engine itself
//! started are only told by the closed input.

use std::collections::BTreeSet;
use std::fmt;
use std::io::{BufRead, BufReader, Write};
use std::ops::ControlFlow;
use std::process::{Child, Command as Process, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use crate::command::Line;
use crate::error_log::{Echo, ErrorLog};
use crate::line::{RawLine, read_line};
use crate::response::{Head, Status};
use crate::words::split_words;

/// A running engine.
#[derive(Debug)]
pub struct Client {
    child: Child,
    /// `None` once the engine's input is closed.
    commands: Option<Sender<String>>,
    output: Receiver<RawLine>,
    errors: ErrorLog,
    last_id: u32,
    /// Ids whose answers nobody waits for any more.
    abandoned: BTreeSet<u32>,
    /// True when the caller gave up in the middle of a response.
    inside_response: bool,
    /// True when the process did not end by itself.
    killed: bool,
    known: Option<BTreeSet<String>>,
}

/// Why a command has no answer.
#[derive(Debug)]
pub enum ClientError {
    /// The engine could not be started.
    Spawn(String),
    /// No complete answer within the time given.
    Timeout {
        /// The command.
        command: String,
        /// The time given.
        limit: Duration,
    },
    /// The engine ended, or closed its output, before it answered.
    Crashed {
        /// Its exit status; `None` when it still ran without output and had to be killed.
        status: Option<ExitStatus>,
        /// The last lines of its stderr.
        stderr: Vec<String>,
    },
    /// The engine answered with a failure.
    Refused(String),
    /// What was said is no GTP.
    Protocol(String),
}

impl Client {
    /// Starts the engine of a command line; quotes are understood, shell operators are not.
    pub fn spawn(command_line: &str, echo: Echo) -> Result<Client, ClientError> {
        let words = split_words(command_line)
            .map_err(|error| ClientError::Spawn(format!("in the command line '{command_line}': {error}")))?;
        let Some((program, args)) = words.split_first() else {
            return Err(ClientError::Spawn("the command line is empty".to_owned()));
        };
        let mut child = Process::new(program)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| ClientError::Spawn(format!("{program}: {error}")))?;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(ClientError::Spawn(format!("{program}: no pipes")));
        };

        let errors = ErrorLog::default();
        let log = errors.clone();
        let (commands, to_write) = mpsc::channel();
        let (lines, output) = mpsc::sync_channel(PENDING_LINES);
        // From here on an early return drops the client and with it the process.
        let client = Client {
            child,
            commands: Some(commands),
            output,
            errors,
            last_id: 0,
            abandoned: BTreeSet::new(),
            inside_response: false,
            killed: false,
            known: None,
        };
        start_thread("engine-input", move || write_commands(stdin, &to_write))?;
        start_thread("engine-output", move || forward_lines(BufReader::new(stdout), &lines))?;
        start_thread("engine-errors", move || log.record(BufReader::new(stderr), &echo))?;
        Ok(client)
    }

    /// Sends a command and returns the text of its answer, lines joined by line feeds.
    pub fn send(&mut self, command: &str, timeout: Duration) -> Result<String, ClientError> {
        let mut body = String::new();
        self.exchange(command, timeout, |line| {
            append_line(&mut body, line)?;
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(body)
    }

    /// Sends a command and hands over the lines of its answer as they come; a break sends an empty line,
    /// which ends an analysis, and the remaining lines are handed over as well.
    pub fn stream(
        &mut self,
        command: &str,
        timeout: Duration,
        mut on_line: impl FnMut(&str) -> ControlFlow<()>,
    ) -> Result<(), ClientError> {
        self.exchange(command, timeout, |line| Ok(on_line(line)))
    }

    /// Whether the engine lists a command; it is asked once.
    pub fn supports(&mut self, name: &str, timeout: Duration) -> Result<bool, ClientError> {
        if self.known.is_none() {
            let list = self.send("list_commands", timeout)?;
            self.known = Some(list.split_whitespace().map(str::to_owned).collect());
        }
        Ok(self.known.as_ref().is_some_and(|known| known.contains(name)))
    }

    /// Asks the engine to quit and waits for its end; an engine that stays is killed and reported as a
    /// timeout.
    pub fn quit(mut self, timeout: Duration) -> Result<ExitStatus, ClientError> {
        let end = deadline(timeout);
        match self.send("quit", timeout) {
            // Some engines exit before they answer, which is as good.
            Ok(_) | Err(ClientError::Refused(_) | ClientError::Crashed { status: Some(_), .. }) => {}
            Err(error) => return Err(error),
        }
        self.commands = None;
        let ended = self.exit_status(end);
        ended.ok_or_else(|| ClientError::Timeout { command: "quit".to_owned(), limit: timeout })
    }

    /// The last lines the engine wrote to its stderr.
    pub fn stderr_tail(&self) -> Vec<String> {
        self.errors.tail()
    }

    /// The operating system's number of the engine's process.
    pub fn process_id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a command and reads its whole answer.
    fn exchange(
        &mut self,
        command: &str,
        limit: Duration,
        on_line: impl FnMut(&str) -> Result<ControlFlow<()>, ClientError>,
    ) -> Result<(), ClientError> {
        // Anything but one command without an id would get no answer, or another command's.
        let one_command = matches!(Line::parse(command.as_bytes()), Line::Command(c) if c.id.is_none());
        if !one_command || command.contains('\n') {
            return Err(ClientError::Protocol(format!("not one command: {command:?}")));
        }
        self.last_id = self.last_id.wrapping_add(1);
        let request = Request { id: self.last_id, command, limit, deadline: deadline(limit) };
        self.write(format!("{} {command}\n", request.id));
        let result = self.receive(&request, on_line);
        if !matches!(result, Ok(()) | Err(ClientError::Refused(_))) {
            self.abandoned.insert(request.id);
        }
        result
    }

    fn receive(
        &mut self,
        request: &Request<'_>,
        mut on_line: impl FnMut(&str) -> Result<ControlFlow<()>, ClientError>,
    ) -> Result<(), ClientError> {
        let (status, mut line) = self.find_answer(request)?;
        let mut refusal = String::new();
        let mut stopping = false;
        let mut first = true;
        while first || !line.is_empty() {
            match status {
                Status::Failure => append_line(&mut refusal, &line)?,
                // A streamed answer has nothing on its first line.
                Status::Success if line.is_empty() => {}
                Status::Success => {
                    if on_line(&line)?.is_break() && !stopping {
                        stopping = true;
                        self.write("\n".to_owned());
                    }
                }
            }
            first = false;
            line = self.next_line(request)?;
        }
        self.inside_response = false;
        match status {
            Status::Success => Ok(()),
            Status::Failure => Err(ClientError::Refused(refusal)),
        }
    }

    /// Skips what is left of abandoned answers and reads the first line of the one requested.
    fn find_answer(&mut self, request: &Request<'_>) -> Result<(Status, String), ClientError> {
        loop {
            let line = self.next_line(request)?;
            if line.is_empty() {
                self.inside_response = false;
                continue;
            }
            if self.inside_response {
                continue;
            }
            let Some(head) = Head::parse(&line) else {
                return Err(ClientError::Protocol(format!("expected an answer, found '{}'", excerpt(&line))));
            };
            self.inside_response = true;
            match head.id {
                Some(id) if id == request.id => return Ok((head.status, head.text.to_owned())),
                Some(id) if self.abandoned.remove(&id) => {}
                _ => {
                    let found = excerpt(&line);
                    let id = request.id;
                    return Err(ClientError::Protocol(format!(
                        "expected an answer to {id}, found '{found}'"
                    )));
                }
            }
        }
    }

    fn next_line(&mut self, request: &Request<'_>) -> Result<String, ClientError> {
        let left = request.deadline.map(|end| end.saturating_duration_since(Instant::now()));
        let received = match left {
            None => self.output.recv().map_err(|_| RecvTimeoutError::Disconnected),
            // An engine that never stops talking would otherwise always have a line ready.
            Some(Duration::ZERO) => Err(RecvTimeoutError::Timeout),
            Some(left) => self.output.recv_timeout(left),
        };
        match received {
            Ok(raw) if raw.truncated => Err(ClientError::Protocol("a line too long to read".to_owned())),
            Ok(raw) => {
                let line = String::from_utf8_lossy(&raw.bytes);
                Ok(line.strip_suffix('\r').unwrap_or(&line).to_owned())
            }
            Err(RecvTimeoutError::Timeout) => {
                Err(ClientError::Timeout { command: request.command.to_owned(), limit: request.limit })
            }
            Err(RecvTimeoutError::Disconnected) => Err(self.crash_report()),
        }
    }

    fn write(&self, text: String) {
        if let Some(commands) = &self.commands {
            // A writer that has ended shows as missing output when the answer is read.
            let _ = commands.send(text);
        }
    }

    fn crash_report(&mut self) -> ClientError {
        if !self.killed && self.exit_status(deadline(EXIT_GRACE)).is_none() {
            self.kill();
            self.killed = true;
        }
        self.errors.wait_complete(EXIT_GRACE);
        let status = if self.killed { None } else { self.child.try_wait().ok().flatten() };
        ClientError::Crashed { status, stderr: self.errors.tail() }
    }

    /// Waits for the engine to end by itself.
    fn exit_status(&mut self, deadline: Option<Instant>) -> Option<ExitStatus> {
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if deadline.is_some_and(|end| Instant::now() >= end) {
                return None;
            }
            thread::sleep(EXIT_POLL);
        }
    }

    fn kill(&mut self) {
        self.commands = None;
        // Both fail only for a process that has ended and been collected.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.kill();
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClientError::Spawn(reason) => write!(f, "cannot start the engine: {reason}"),
            ClientError::Timeout { command, limit } => {
                write!(f, "no answer to '{}' within {limit:?}", excerpt(command))
            }
            ClientError::Crashed { status, stderr } => {
                match status {
                    Some(status) => write!(f, "the engine ended ({status})")?,
                    None => f.write_str("the engine closed its output and was killed")?,
                }
                for line in stderr {
                    write!(f, "\n  stderr: {line}")?;
                }
                Ok(())
            }
            ClientError::Refused(text) => write!(f, "the engine refused: {text}"),
            ClientError::Protocol(text) => write!(f, "protocol error: {text}"),
        }
    }
}

impl std::error::Error for ClientError {}

/// Lines of engine output kept before its pipe fills up.
const PENDING_LINES: usize = 64;

/// Bytes of one answer that [`Client::send`] collects.
const MAX_BODY: usize = 16 << 20;

/// Time for an engine without output to end, and for its last words to arrive.
const EXIT_GRACE: Duration = Duration::from_millis(500);

/// Pause between two looks at whether a process has ended.
const EXIT_POLL: Duration = Duration::from_millis(5);

/// One command under way.
struct Request<'a> {
    id: u32,
    command: &'a str,
    limit: Duration,
    deadline: Option<Instant>,
}

/// The end of a time limit; `None` for one too long to be counted.
fn deadline(limit: Duration) -> Option<Instant> {
    Instant::now().checked_add(limit)
}

fn start_thread(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), ClientError> {
    let started = thread::Builder::new().name(name.to_owned()).spawn(work);
    started.map(drop).map_err(|error| ClientError::Spawn(format!("no thread {name}: {error}")))
}

fn write_commands(mut stdin: impl Write, commands: &Receiver<String>) {
    while let Ok(text) = commands.recv() {
        if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn forward_lines(mut stdout: impl BufRead, lines: &SyncSender<RawLine>) {
    while let Ok(Some(line)) = read_line(&mut stdout) {
        if lines.send(line).is_err() {
            return;
        }
    }
}

fn append_line(body: &mut String, line: &str) -> Result<(), ClientError> {
    if body.len() + line.len() > MAX_BODY {
        return Err(ClientError::Protocol("an answer without end".to_owned()));
    }
    if !body.is_empty() {
        body.push('\n');
    }
    body.push_str(line);
    Ok(())
}

/// The start of a text, short enough for a message.
fn excerpt(text: &str) -> String {
    text.chars().take(80).collect()
}
