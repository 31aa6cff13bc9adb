//! `tesuji play`: a person against the engine in a terminal.
//!
//! Line by line, without taking over the screen, so that it works over pipes, in dumb terminals and for screen readers; a
//! terminal gets colours, everybody else a plain board. [`sitting`] is the game and what can be said to it, [`saving`] its
//! dealings with files, [`keyboard`] and [`request`] read what is typed, [`picture`] draws.

mod date;
mod file;
mod keyboard;
mod picture;
mod request;
mod saving;
mod sitting;
mod timing;

use anyhow::{Context, anyhow, bail, ensure};
use clap::{Args, Parser};
use rustyline::DefaultEditor;
use std::io::{BufReader, ErrorKind, IsTerminal};
use std::path::{Path, PathBuf};
use tesuji_board::{Color, Rules, Size};
use tesuji_engine::{Engine, Level, TimeSystem, even_handicap};
use tesuji_net::input::Rank;

use crate::argument;
use crate::command::{engine, web};
use file::SavedGame;
use keyboard::Keyboard;
use picture::Look;
use sitting::{Agreement, Autosave, Sitting};

const ENGINE_NAME: &str = "Tesuji";
const PERSON_NAME: &str = "You";

/// Komi when the handicap makes up for the difference: a draw is no fun.
const HANDICAP_KOMI: f32 = 0.5;

/// Side of a board on which a first game takes minutes.
const DEFAULT_SIDE: usize = 9;

#[derive(Args, Default)]
#[command(after_long_help = engine::help())]
pub(crate) struct Options {
    /// A saved game to resume (.sgf, .gib or .ngf), with its own size, rules, komi and handicap.
    #[arg(value_name = "GAME.sgf", conflicts_with_all = ["terms", "handicap", "rank"])]
    file: Option<PathBuf>,
    /// Your colour; by default black, or as in the saved game.
    #[arg(long, value_parser = argument::color)]
    color: Option<Color>,
    /// Handicap stones for Black.
    #[arg(long)]
    handicap: Option<usize>,
    /// Your rank, such as 12k: the handicap and komi that make the game even with an engine whose level is a rank.
    #[arg(long, conflicts_with = "handicap")]
    rank: Option<Rank>,
    /// A clock for both: 10m, 5m+3x20s (byo-yomi: three periods of 20 seconds) or 5m+10s (ten seconds more for every move).
    #[arg(long, value_parser = timing::parse)]
    clock: Option<TimeSystem>,
    /// Write the game to this file after every move.
    #[arg(long, value_name = "FILE.sgf")]
    autosave: Option<PathBuf>,
    /// Draw with ASCII characters only.
    #[arg(long)]
    ascii: bool,
    #[command(flatten)]
    terms: engine::Terms,
    #[command(flatten)]
    engine: engine::Options,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let options = self.with_config()?;
        let settings = options.engine.settings_for_all_cores()?;
        let agreement = options.agreement(settings.level)?;
        let for_browser = settings.clone();
        let engine = Engine::new(settings, agreement.new_game()?);
        let has_person = std::io::stdin().is_terminal();
        let is_terminal = std::io::stdout().is_terminal();
        let look = Look::choose(is_terminal, options.ascii, |name| std::env::var(name).ok());
        #[cfg(unix)]
        let _guard = keyboard::TerminalGuard::new();
        let editor = (has_person && is_terminal).then(DefaultEditor::new).and_then(Result::ok);
        let keyboard = match editor {
            Some(editor) => Keyboard::with_editor(editor),
            None => Keyboard::new(BufReader::new(std::io::stdin())),
        };
        ctrlc::set_handler(keyboard.interrupter())?;
        let mut sitting = Sitting::new(engine, agreement, look, keyboard);
        sitting.has_person = has_person;
        let mut beside = web::Beside::new(for_browser);
        sitting.browser = Box::new(move |record| beside.show(record).map_err(|error| format!("{error:#}")));
        if let Some(path) = &options.file {
            options.resume(&mut sitting, path)?;
        }
        if let Some(path) = &options.autosave {
            let path = file::with_extension(path);
            let is_own = sitting.own_files.contains(&path);
            ensure!(is_own || !path.exists(), "{} exists already; choose another name", path.display());
            sitting.write_to(&path).with_context(|| format!("cannot write {}", path.display()))?;
            sitting.autosave = Some(Autosave { name: path.clone(), path });
        }
        match sitting.run(&mut std::io::stdout().lock()) {
            // The reader of the output has left: there is no one to report to.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            other => Ok(other?),
        }
    }

    /// These options, and those of the configuration file where they say nothing.
    fn with_config(mut self) -> anyhow::Result<Options> {
        ensure!(
            self.clock.is_none() || !self.engine.line_names("time-per-move"),
            "--clock says how long a move may take, and so does --time-per-move: leave one out"
        );
        // The file is read as if it were a command line, so that a value means the same in both.
        let mut line = vec!["tesuji play".to_owned()];
        for (name, value) in self.engine.config_words_among(&engine::PLAY_KEYS)? {
            match value.as_str() {
                "true" => line.push(format!("--{name}")),
                "false" => {}
                _ => line.push(format!("--{name}={value}")),
            }
        }
        let file = FromFile::try_parse_from(line).map_err(|error| {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            anyhow!("the configuration file: {}", first.trim_start_matches("error: "))
        })?;
        let file = file.options;
        let times_moves = !self.engine.config_words_among(&["time-per-move"])?.is_empty();
        ensure!(
            !(file.clock.is_some() && times_moves),
            "the configuration file: clock and time-per-move say the same thing twice: leave one out"
        );
        self.color = self.color.or(file.color);
        if self.handicap.is_none() && self.rank.is_none() {
            (self.handicap, self.rank) = (file.handicap, file.rank);
        }
        if !self.engine.line_names("time-per-move") {
            self.clock = self.clock.or(file.clock);
        }
        self.autosave = self.autosave.or(file.autosave);
        self.ascii |= file.ascii;
        Ok(self)
    }

    fn resume(&self, sitting: &mut Sitting, path: &Path) -> anyhow::Result<()> {
        let mut saved = SavedGame::load(path, Rules::default())?;
        saved.person = self.color.unwrap_or(saved.person);
        if saved.is_ours {
            sitting.own_files.push(path.to_owned());
        }
        sitting.resume(saved);
        Ok(())
    }

    fn agreement(&self, level: Level) -> anyhow::Result<Agreement> {
        let terms = self.terms.with_config(&self.engine)?;
        let rules = terms.rules.unwrap_or_default();
        let size = terms.size.map_or_else(|| Size::square(DEFAULT_SIDE), Ok)?;
        let mut handicap = self.handicap.unwrap_or_default();
        let mut person = self.color.unwrap_or(Color::Black);
        let mut usual_komi = if handicap >= 2 { HANDICAP_KOMI } else { rules.komi };
        if let Some(own) = self.rank {
            let Level::Rank(other) = level else {
                bail!("--rank makes a game even with a --level that is a rank, and {level} is none");
            };
            let komi;
            (handicap, komi) = even_handicap(size, own.max(other), own.min(other));
            usual_komi = komi.unwrap_or(usual_komi);
            if komi.is_some() {
                // The weaker side has Black.
                person = if own < other { Color::Black } else { Color::White };
            }
        }
        Ok(Agreement {
            size,
            rules: Rules { komi: terms.komi.unwrap_or(usual_komi), ..rules },
            handicap,
            person,
            clock: self.clock.unwrap_or_default(),
        })
    }
}

/// Options that stand in a file.
#[derive(Parser)]
struct FromFile {
    #[command(flatten)]
    options: Options,
}
