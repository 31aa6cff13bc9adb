//! `tesuji sgf convert`: any readable file as FF[4] in UTF-8, or from and to one-line games.

use anyhow::{Context, bail, ensure};
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tesuji_board::{Size, SizeError};
use tesuji_sgf::{Collection, GameLine, GameRecord, read, read_lines, write};

use super::file::Format;
use crate::argument;

#[derive(Args)]
pub(crate) struct Options {
    /// An .sgf, .gib or .ngf file, - for standard input, or one-line games in a .txt or .txt.zst file.
    input: PathBuf,
    /// Where to write: .sgf or .txt; without it, SGF goes to standard output.
    #[arg(short, long)]
    output: Option<PathBuf>,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let target = match &self.output {
            None => Format::Sgf,
            Some(path) => {
                ensure!(
                    path.extension().is_none_or(|e| e != "zst"),
                    "writing compressed files is not supported"
                );
                Format::of(path).context("the output must be an .sgf or .txt file")?
            }
        };
        let in_input = || format!("{}", self.input.display());
        let text = match (Format::of(&self.input).unwrap_or(Format::Sgf), target) {
            (Format::Sgf, Format::Sgf) => write(&self.trees()?),
            (Format::Sgf, Format::Lines) => lines_of(&self.trees()?).with_context(in_input)?,
            (Format::Lines, Format::Sgf) => write(&Collection {
                games: lines(&self.input)?.iter().map(|line| GameRecord::from(line).to_tree()).collect(),
            }),
            (Format::Lines, Format::Lines) => {
                lines(&self.input)?.iter().map(|line| format!("{line}\n")).collect()
            }
        };
        match &self.output {
            Some(path) => {
                std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
            }
            None => std::io::stdout().write_all(text.as_bytes())?,
        }
        Ok(ExitCode::SUCCESS)
    }

    fn trees(&self) -> anyhow::Result<Collection> {
        let bytes = argument::read(&self.input)?;
        let parsed = read(&bytes).with_context(|| format!("{}", self.input.display()))?;
        for warning in &parsed.warnings {
            eprintln!("{}: warning: {warning}", self.input.display());
        }
        Ok(parsed.collection)
    }
}

/// All games, or the first that does not fit on a line: half a collection would look like a whole one.
fn lines_of(collection: &Collection) -> anyhow::Result<String> {
    let mut text = String::new();
    for (i, tree) in collection.games.iter().enumerate() {
        let game = || format!("game {}", i + 1);
        let record = GameRecord::from_tree(tree).with_context(game)?;
        text += &GameLine::try_from(&record).with_context(game)?.to_string();
        text.push('\n');
    }
    Ok(text)
}

fn lines(path: &Path) -> anyhow::Result<Vec<GameLine>> {
    let mut reader = read_lines(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut games = Vec::new();
    loop {
        let mut game = GameLine::new(any_size()?);
        match reader.next_game(&mut game) {
            Ok(true) => games.push(game),
            Ok(false) => return Ok(games),
            Err(error) => bail!("{}: {error}", path.display()),
        }
    }
}

/// A size for games that are about to be read.
pub(super) fn any_size() -> Result<Size, SizeError> {
    Size::square(19)
}
