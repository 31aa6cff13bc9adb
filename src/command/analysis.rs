//! `tesuji analysis`: KataGo's JSON analysis engine on standard input and output.
//!
//! Programs start it as they start KataGo (`analysis -model M -config C -override-config k=v`), so words with one dash are KataGo's
//! options. What of them makes sense here is used; a configuration written for KataGo is no reason to stop.

use std::ffi::OsString;
use std::fs;
use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, sync_channel};

use clap::Args;
use tesuji_analysis::{Connection, MOST_BYTES, Perspective, Service, ServiceSettings};

use crate::command::engine;

/// Replies that wait for a slow reader; then the workers wait too.
const REPLIES_AHEAD: usize = 256;

#[derive(Args)]
#[command(after_long_help = engine::help())]
pub(crate) struct Options {
    #[command(flatten)]
    engine: engine::Options,
    /// Positions analysed at the same time; by default as many as there are cores for.
    #[arg(long, value_name = "N", alias = "analysis-threads")]
    workers: Option<usize>,
    /// At the end of the input, do not wait for answers.
    #[arg(long)]
    quit_without_waiting: bool,
    /// -model: a network as for --net; if it cannot be used, a warning says so.
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// -config: a configuration of KataGo's, for numbers of threads, limits and whose chances are told.
    #[arg(long, value_name = "FILE")]
    katago_config: Vec<PathBuf>,
    /// -override-config: the same as name=value,…
    #[arg(long, value_name = "LIST")]
    override_config: Vec<String>,
    /// -human-model: not used.
    #[arg(long, value_name = "FILE")]
    human_model: Option<PathBuf>,
}

/// Turns KataGo's words with one dash into options with two.
pub(crate) fn with_long_options(mut arguments: Vec<OsString>) -> Vec<OsString> {
    if arguments.get(1).is_none_or(|command| command != "analysis") {
        return arguments;
    }
    for argument in &mut arguments[2..] {
        let Some(word) = argument.to_str().and_then(|text| text.strip_prefix('-')) else { continue };
        let is_long = word.len() > 1 && word.starts_with(|c: char| c.is_ascii_alphabetic());
        match word {
            "config" => *argument = "--katago-config".into(),
            _ if is_long => *argument = format!("--{word}").into(),
            _ => {}
        }
    }
    arguments
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let waits = !self.quit_without_waiting;
        let service = Service::new(self.settings()?);
        let (sender, receiver) = sync_channel(REPLIES_AHEAD);
        let writer = std::thread::spawn(move || write_replies(&receiver));
        // Nobody reads replies any more if the writer has gone.
        let connection = service.connect(move |reply| drop(sender.send(reply)));
        eprintln!("Tesuji {}", env!("CARGO_PKG_VERSION"));
        // Some programs wait for these words.
        eprintln!("Started, ready to begin handling requests");
        read_messages(&mut io::stdin().lock(), &connection)?;
        if waits && !writer.is_finished() {
            connection.wait_for_answers();
        }
        drop(connection);
        drop(service);
        match writer.join() {
            Ok(written) => Ok(written?),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }

    fn settings(mut self) -> anyhow::Result<ServiceSettings> {
        let mut words = Vec::new();
        for path in &self.katago_config {
            match fs::read_to_string(path) {
                Ok(text) => words.extend(katago_words(&text)),
                Err(error) => eprintln!("warning: {} is not used: {error}", path.display()),
            }
        }
        words.extend(self.override_config.iter().flat_map(|list| katago_words(&list.replace(',', "\n"))));
        if let Some(model) = self.model.take() {
            if model.is_file() {
                self.engine.net_if_none(model);
            } else {
                eprintln!("warning: {} is not there; analysing without a network", model.display());
            }
        }
        if let Some(model) = &self.human_model {
            eprintln!("warning: {} is not used", model.display());
        }
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let (mut workers, mut perspective) = (None, Perspective::default());
        for (name, value) in &words {
            match name.as_str() {
                // Those are for graphics cards: more than the cores would be slower.
                "numAnalysisThreads" => workers = number(name, value),
                "numSearchThreads" | "numSearchThreadsPerAnalysisThread" => {
                    if let Some(threads) = number(name, value) {
                        self.engine.threads_if_none(threads.clamp(1, cores));
                    }
                }
                "maxVisits" | "maxPlayouts" => self.engine.set_if_new("visits", value),
                "maxTime" => self.engine.set_if_new("time-per-move", value),
                "reportAnalysisWinratesAs" => match Perspective::named(value) {
                    Some(named) => perspective = named,
                    None => eprintln!("warning: {name} = {value} is not used"),
                },
                _ => {}
            }
        }
        let engine = self.engine.settings()?;
        let most = (cores / engine.threads.max(1) as usize).max(1);
        let mut settings = ServiceSettings { perspective, ..ServiceSettings::new(engine) };
        settings.workers = self.workers.or(workers.map(|workers| workers.clamp(1, most))).unwrap_or(0);
        if self.engine.names_memory() {
            settings.memory = settings.engine.memory;
        }
        Ok(settings)
    }
}

/// The lines `name = value` of a configuration of KataGo's.
fn katago_words(text: &str) -> Vec<(String, String)> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    let words = lines.filter_map(|line| line.split_once('='));
    words.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).collect()
}

fn number(name: &str, value: &str) -> Option<usize> {
    let number = value.parse().ok();
    if number.is_none() {
        eprintln!("warning: {name} = {value} is not used");
    }
    number
}

fn write_replies(replies: &Receiver<String>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for reply in replies {
        let written = writeln!(out, "{reply}").and_then(|()| out.flush());
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            written => written?,
        }
    }
    Ok(())
}

/// Hands over line by line. Of a line that is too long for any message only so much is read that it is refused.
fn read_messages(input: &mut impl BufRead, connection: &Connection) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        input.by_ref().take(MOST_BYTES as u64 + 1).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(());
        }
        if line.len() > MOST_BYTES && !line.ends_with(b"\n") {
            skip_line(input)?;
        }
        let text = String::from_utf8_lossy(&line);
        let text = if line.len() > MOST_BYTES { &text } else { text.trim() };
        if !text.is_empty() {
            connection.wait_for_room();
            connection.send(text);
        }
    }
}

fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let length = end.map_or(buffer.len(), |end| end + 1);
        let is_over = end.is_some() || buffer.is_empty();
        input.consume(length);
        if is_over {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: Options,
    }

    fn settings(line: &str) -> anyhow::Result<ServiceSettings> {
        let words = ["tesuji", "analysis"].into_iter().chain(line.split_whitespace());
        let mut words = with_long_options(words.map(OsString::from).collect());
        words.remove(1);
        Line::try_parse_from(words)?.options.settings()
    }

    #[test]
    fn it_starts_as_katrain_starts_katago() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(
            file.path(),
            "# comment\nmaxVisits = 77 # more\nlogDir = analysis logs\nreportAnalysisWinratesAs = SIDETOMOVE\nnumAnalysisThreads = 1000\n",
        )
        .unwrap();
        let line = format!(
            "-model no-such-model.bin.gz -config {} -override-config homeDataDir=/home,maxTime=2.5",
            file.path().display()
        );
        let settings = settings(&line).unwrap();
        assert_eq!((settings.engine.visits, settings.engine.time_per_move), (77, 2.5));
        assert_eq!(settings.perspective, Perspective::SideToMove);
        let cores = std::thread::available_parallelism().unwrap().get();
        assert_eq!(settings.workers, cores);
        assert!(settings.engine.net.path().is_none());
    }

    #[test]
    fn our_own_options_overrule_katagos() {
        let settings = settings(
            "-override-config maxVisits=5,numAnalysisThreads=1 --workers 3 --set visits=9 --memory 200 --preset uct",
        )
        .unwrap();
        assert_eq!((settings.engine.visits, settings.workers, settings.memory), (9, 3, 200));
        assert_eq!(settings.engine.preset.name, "uct");
    }
}
