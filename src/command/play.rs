//! `tesuji play`: a person against the engine in a terminal.
//!
//! Line by line, without taking over the screen, so that it works over pipes, in dumb terminals and for screen readers; a
//! terminal gets colours, everybody else a plain board. [`sitting`] is the game and what can be said to it, [`request`]
//! reads what is typed, [`picture`] draws.

mod date;
mod picture;
mod request;
mod sitting;

use anyhow::ensure;
use clap::Args;
use std::io::{ErrorKind, IsTerminal};
use std::path::PathBuf;
use tesuji_board::{Color, Rules, Size};
use tesuji_engine::Engine;
use tesuji_engine::settings::Settings;

use crate::argument;
use crate::command::engine;
use picture::Look;
use sitting::{Agreement, Sitting};

/// Komi when the handicap makes up for the difference: a draw is no fun.
const HANDICAP_KOMI: f32 = 0.5;

/// Level 10 then thinks for some seconds on a 9×9 board.
const SIMULATIONS_OF_LEVEL_1: u64 = 100;

/// Side of a board on which a first game takes minutes.
const DEFAULT_SIDE: usize = 9;

#[derive(Args, Default)]
#[command(after_long_help = engine::help())]
pub(crate) struct Options {
    /// Your colour; black by default.
    #[arg(long, value_parser = argument::color)]
    color: Option<Color>,
    /// Handicap stones for Black.
    #[arg(long, default_value_t = 0)]
    handicap: usize,
    /// How strong: 1 to 10, each level twice the simulations of the one before.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10))]
    level: Option<u32>,
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
        if let Some(path) = &self.autosave {
            ensure!(!path.exists(), "{} exists already; choose another name", path.display());
        }
        let agreement = self.agreement()?;
        let engine = Engine::new(self.settings()?, agreement.new_game()?);
        let is_terminal = std::io::stdout().is_terminal();
        let look = Look::choose(is_terminal, self.ascii, |name| std::env::var(name).ok());
        let sitting = Sitting::new(engine, agreement, look, self.autosave);
        match sitting.run(std::io::stdin().lock(), std::io::stdout().lock()) {
            // Nobody looks any more: there is nothing to report, and nobody to report it to.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            other => Ok(other?),
        }
    }

    fn settings(&self) -> anyhow::Result<Settings> {
        let mut settings = self.engine.settings()?;
        if let Some(level) = self.level {
            settings.playouts = SIMULATIONS_OF_LEVEL_1 << (level - 1);
        }
        Ok(settings)
    }

    fn agreement(&self) -> anyhow::Result<Agreement> {
        let terms = self.terms.with_config(&self.engine)?;
        let rules = terms.rules.unwrap_or_default();
        let usual_komi = if self.handicap >= 2 { HANDICAP_KOMI } else { rules.komi };
        Ok(Agreement {
            size: terms.size.map_or_else(|| Size::square(DEFAULT_SIDE), Ok)?,
            rules: Rules { komi: terms.komi.unwrap_or(usual_komi), ..rules },
            handicap: self.handicap,
            person: self.color.unwrap_or(Color::Black),
        })
    }
}
