//! Serves a table of commands to a controller.
//!
//! The server itself answers what concerns only the protocol: `protocol_version`, `known_command`,
//! `list_commands` and `quit`. Everything else, `name` and `version` too, belongs to the owner of the
//! table. Commands are answered strictly in order in the thread that calls [`serve`]; only reading runs
//! beside it. A panic in a handler becomes an answer `?internal error`, and the state stays as the handler
//! left it.
//!
//! A table whose searches heed interrupts should list `gogui-interrupt`: GoGui sends `# interrupt` only then.

use std::any::Any;
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::command::{Command, Line};
use crate::input::Input;
use crate::response::Reply;
use crate::session::{Session, report};

/// The commands of an engine whose state is an `S`.
pub struct CommandTable<S> {
    handlers: BTreeMap<String, Handler<S>>,
    idle: Option<IdleHook<S>>,
}

/// Why [`serve`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The controller sent `quit`.
    Quit,
    /// The input ended.
    EndOfInput,
    /// The output could not be written any more.
    OutputClosed,
}

impl<S> CommandTable<S> {
    /// An empty table; the server's own commands need no entry.
    pub fn new() -> CommandTable<S> {
        CommandTable { handlers: BTreeMap::new(), idle: None }
    }

    /// Adds a command.
    ///
    /// # Panics
    /// When the name is taken or the server's own: a mistake in the program, not in its input.
    pub fn add(
        &mut self,
        name: &str,
        handler: impl Fn(&mut S, &Command, &mut Session<'_>) -> Reply + 'static,
    ) -> &mut CommandTable<S> {
        assert!(!self.knows(name), "two handlers for the GTP command {name}");
        self.handlers.insert(name.to_owned(), Box::new(handler));
        self
    }

    /// Sets what to do while no line is pending, for pondering; it must return once input is pending.
    ///
    /// It is called once before each line that has not arrived yet, and waits for nothing if it returns
    /// early.
    pub fn on_idle(&mut self, hook: impl Fn(&mut S, &Input) + 'static) -> &mut CommandTable<S> {
        self.idle = Some(Box::new(hook));
        self
    }

    /// True when the server would answer this command.
    pub fn knows(&self, name: &str) -> bool {
        OWN_COMMANDS.contains(&name) || self.handlers.contains_key(name)
    }

    /// All commands, in alphabetical order.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> =
            OWN_COMMANDS.into_iter().chain(self.handlers.keys().map(String::as_str)).collect();
        names.sort_unstable();
        names
    }

    fn answer(&self, state: &mut S, command: &Command, session: &mut Session<'_>) -> Reply {
        match command.name.as_str() {
            "protocol_version" => Ok("2".to_owned()),
            "known_command" => Ok(self.knows(command.word(0, "command name")?).to_string()),
            "list_commands" => Ok(self.names().join("\n")),
            "quit" => Ok(String::new()),
            name => match self.handlers.get(name) {
                Some(handler) => handler(state, command, session),
                None => Err("unknown command".to_owned()),
            },
        }
    }
}

impl<S> Default for CommandTable<S> {
    fn default() -> CommandTable<S> {
        CommandTable::new()
    }
}

/// Answers `input` line by line until it ends, `quit` comes or `output` breaks; fails only if no thread can
/// start.
pub fn serve<S>(
    table: &CommandTable<S>,
    state: &mut S,
    input: impl BufRead + Send + 'static,
    mut output: impl Write,
) -> io::Result<End> {
    let input = Input::start(input)?;
    loop {
        if let Some(idle) = &table.idle
            && !input.pending()
            && let Err(panic) = catch_unwind(AssertUnwindSafe(|| idle(state, &input)))
        {
            report(&format!("internal error while idle: {}", panic_message(&*panic)));
        }
        let Some(line) = input.next() else {
            return Ok(End::EndOfInput);
        };
        let (written, end) = match line {
            Line::Blank | Line::Interrupt => continue,
            Line::Invalid { id, error } => {
                (Session::new(&input, &mut output, id).finish(&Err(error.to_string())), false)
            }
            Line::Command(command) => {
                let mut session = Session::new(&input, &mut output, command.id);
                let answered = catch_unwind(AssertUnwindSafe(|| table.answer(state, &command, &mut session)));
                let reply = answered
                    .unwrap_or_else(|panic| Err(format!("internal error: {}", panic_message(&*panic))));
                (session.finish(&reply), command.name == "quit")
            }
        };
        if !written {
            return Ok(End::OutputClosed);
        }
        if end {
            return Ok(End::Quit);
        }
    }
}

type Handler<S> = Box<dyn Fn(&mut S, &Command, &mut Session<'_>) -> Reply>;
type IdleHook<S> = Box<dyn Fn(&mut S, &Input)>;

const OWN_COMMANDS: [&str; 4] = ["protocol_version", "known_command", "list_commands", "quit"];

fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("unknown cause")
}
