//! `tesuji sgf check`: what is wrong with these files, and where.

use crate::say::say;
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tesuji_board::{Game, Rules};
use tesuji_sgf::{GameRecord, ReplayError, read};

use super::file;
use crate::argument;

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
struct Faults {
    games: usize,
    warnings: usize,
    errors: usize,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let mut faults = Faults::default();
        let files = file::files(&self.paths, |format| format == file::Format::Sgf)?;
        for path in &files {
            match argument::read(path) {
                Ok(bytes) => self.check(path, &bytes, &mut faults),
                Err(error) => faults.error(path, format!("{error:#}")),
            }
        }
        say!(
            "{} files, {} games, {} warnings, {} errors",
            files.len(),
            faults.games,
            faults.warnings,
            faults.errors
        );
        Ok(if faults.errors == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn check(&self, path: &Path, bytes: &[u8], faults: &mut Faults) {
        let parsed = match read(bytes) {
            Ok(parsed) => parsed,
            Err(error) => return faults.error(path, error),
        };
        for warning in &parsed.warnings {
            say!("{}: warning: {warning}", path.display());
            faults.warnings += 1;
        }
        for (i, tree) in parsed.collection.games.iter().enumerate() {
            faults.games += 1;
            let game = |error: String| format!("game {}: {error}", i + 1);
            match GameRecord::from_tree(tree) {
                Ok(record) => {
                    if let Err(error) = self.replay(&record) {
                        faults.error(path, game(error.to_string()));
                    }
                }
                Err(error) => faults.error(path, game(error.to_string())),
            }
        }
    }

    /// Without `--strict` long cycles pass, as they do on many servers.
    fn replay(&self, record: &GameRecord) -> Result<Game, ReplayError> {
        let rules = record.rules_or(Rules::default());
        if self.strict { record.replay(rules) } else { record.replay_leniently(rules) }
    }
}

impl Faults {
    fn error(&mut self, path: &Path, error: impl std::fmt::Display) {
        say!("{}: error: {error}", path.display());
        self.errors += 1;
    }
}
