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

use anyhow::{Context, bail, ensure};
use clap::Args;
use std::io::{BufReader, ErrorKind, IsTerminal};
use std::path::{Path, PathBuf};
use tesuji_board::{Color, Rules, Size};
use tesuji_engine::{Engine, Level, even_handicap};
use tesuji_net::input::Rank;

use crate::argument;
use crate::command::engine;
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
    /// A saved game to resume, with its own size, rules, komi and handicap.
    #[arg(value_name = "GAME.sgf", conflicts_with_all = ["terms", "handicap", "rank"])]
    file: Option<PathBuf>,
    /// Your colour; by default black, or as in the saved game.
    #[arg(long, value_parser = argument::color)]
    color: Option<Color>,
    /// Handicap stones for Black.
    #[arg(long, default_value_t = 0)]
    handicap: usize,
    /// Your rank, such as 12k: the handicap and komi that make the game even with an engine whose level is a rank.
    #[arg(long, conflicts_with = "handicap")]
    rank: Option<Rank>,
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
        let settings = self.engine.settings()?;
        let agreement = self.agreement(settings.level)?;
        let engine = Engine::new(settings, agreement.new_game()?);
        let is_terminal = std::io::stdout().is_terminal();
        let look = Look::choose(is_terminal, self.ascii, |name| std::env::var(name).ok());
        let keyboard = Keyboard::new(BufReader::new(std::io::stdin()));
        ctrlc::set_handler(keyboard.interrupter())?;
        let mut sitting = Sitting::new(engine, agreement, look, keyboard);
        sitting.has_person = std::io::stdin().is_terminal();
        if let Some(path) = &self.file {
            self.resume(&mut sitting, path)?;
        }
        if let Some(path) = &self.autosave {
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
        let mut agreement =
            Agreement { size, rules, handicap: self.handicap, person: self.color.unwrap_or(Color::Black) };
        let mut usual_komi = if self.handicap >= 2 { HANDICAP_KOMI } else { rules.komi };
        if let Some(own) = self.rank {
            let Level::Rank(other) = level else {
                bail!("--rank makes a game even with a --level that is a rank, and {level} is none");
            };
            let (handicap, komi) = even_handicap(size, own.max(other), own.min(other));
            agreement.handicap = handicap;
            usual_komi = komi.unwrap_or(usual_komi);
            if komi.is_some() {
                // The weaker side has Black.
                agreement.person = if own < other { Color::Black } else { Color::White };
            }
        }
        agreement.rules.komi = terms.komi.unwrap_or(usual_komi);
        Ok(agreement)
    }
}
