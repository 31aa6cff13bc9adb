//! `tesuji sgf check`: what is wrong with these files, and where.

use crate::say::say;
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tesuji_board::{Game, Rules};
use tesuji_sgf::{GameRecord, ReplayError, parse};

use super::file;

#[derive(Args)]
pub(crate) struct Options {
    /// SGF files, or directories with them.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Replay by the rules each file names, superko included, not by simple ko.
    #[arg(long)]
    strict: bool,
}

#[derive(Default)]
struct Tally {
    games: usize,
    warnings: usize,
    errors: usize,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let mut tally = Tally::default();
        let files = file::files(&self.paths, |format| format == file::Format::Sgf)?;
        for path in &files {
            match file::read(path) {
                Ok(bytes) => self.check(path, &bytes, &mut tally),
                Err(error) => tally.error(path, format!("{error:#}")),
            }
        }
        say!(
            "{} files, {} games, {} warnings, {} errors",
            files.len(),
            tally.games,
            tally.warnings,
            tally.errors
        );
        Ok(if tally.errors == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn check(&self, path: &Path, bytes: &[u8], tally: &mut Tally) {
        let parsed = match parse(bytes) {
            Ok(parsed) => parsed,
            Err(error) => return tally.error(path, error),
        };
        for warning in &parsed.warnings {
            say!("{}: warning: {warning}", path.display());
            tally.warnings += 1;
        }
        for (i, tree) in parsed.collection.games.iter().enumerate() {
            tally.games += 1;
            let game = |error: String| format!("game {}: {error}", i + 1);
            match GameRecord::from_tree(tree) {
                Ok(record) => {
                    if let Err(error) = self.replay(&record) {
                        tally.error(path, game(error.to_string()));
                    }
                }
                Err(error) => tally.error(path, game(error.to_string())),
            }
        }
    }

    /// Without `--strict` long cycles pass, as they do on many servers.
    fn replay(&self, record: &GameRecord) -> Result<Game, ReplayError> {
        let rules = record.rules_or(Rules::default());
        if self.strict { record.replay(rules) } else { record.replay_leniently(rules) }
    }
}

impl Tally {
    fn error(&mut self, path: &Path, error: impl std::fmt::Display) {
        say!("{}: error: {error}", path.display());
        self.errors += 1;
    }
}
