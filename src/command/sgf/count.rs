//! `tesuji sgf count`: what a collection holds, as fast as it can be read.

use crate::say::say;
use anyhow::bail;
use clap::Args;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use tesuji_board::{Color, Size};
use tesuji_sgf::{RecordedResult, ScanErrorKind, ScannedGame, Scanner, WinBy, decode};

use super::file::{self, Format};

#[derive(Args)]
pub(crate) struct Options {
    /// SGF files, or directories with them.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
}

#[derive(Default)]
struct Counts {
    bytes: usize,
    games: usize,
    moves: usize,
    unusable: usize,
    sizes: BTreeMap<(usize, usize), usize>,
    results: BTreeMap<&'static str, usize>,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let files = file::files(&self.paths, |format| format == Format::Sgf)?;
        let mut counts = Counts::default();
        let mut seconds = 0.0;
        for path in &files {
            if Format::of(path) == Some(Format::Lines) {
                bail!("{} holds one-line games: `tesuji sgf replay` counts those", path.display());
            }
            let bytes = file::read_sgf(path)?;
            let started = Instant::now();
            counts.add(path, &bytes);
            seconds += started.elapsed().as_secs_f64();
        }
        say!("files {}  games {}  moves {}", files.len(), counts.games, counts.moves);
        say!("sizes {}", list(counts.sizes.iter().map(|(&(w, h), n)| (format!("{w}x{h}"), n))));
        say!("results {}", list(counts.results.iter()));
        if counts.unusable > 0 {
            say!("unusable games or files {}", counts.unusable);
        }
        let megabytes = counts.bytes as f64 / 1e6;
        say!("{megabytes:.1} MB in {seconds:.3} s, {:.0} MB/s", megabytes / seconds.max(1e-9));
        Ok(ExitCode::SUCCESS)
    }
}

impl Counts {
    fn add(&mut self, path: &Path, bytes: &[u8]) {
        self.bytes += bytes.len();
        let decoded = decode(bytes);
        let mut scanner = Scanner::new(decoded.text());
        let mut game = ScannedGame::default();
        loop {
            match scanner.next_game(&mut game) {
                Ok(true) => self.add_game(game.size, game.moves.len(), &game.result),
                Ok(false) => return,
                Err(error) => {
                    self.unusable += 1;
                    let place = decoded.place(error.offset);
                    match &error.kind {
                        ScanErrorKind::Token(kind) => eprintln!("{}: {place}: {kind}", path.display()),
                        ScanErrorKind::Property(kind) => eprintln!("{}: {place}: {kind}", path.display()),
                    }
                }
            }
        }
    }

    fn add_game(&mut self, size: Size, moves: usize, result: &RecordedResult) {
        self.games += 1;
        self.moves += moves;
        *self.sizes.entry((size.width(), size.height())).or_default() += 1;
        *self.results.entry(class(result)).or_default() += 1;
    }
}

/// The kind of result that a table of counts distinguishes.
fn class(result: &RecordedResult) -> &'static str {
    match result {
        RecordedResult::Win(Color::Black, WinBy::Resignation) => "B+R",
        RecordedResult::Win(Color::White, WinBy::Resignation) => "W+R",
        RecordedResult::Win(Color::Black, WinBy::Time) => "B+T",
        RecordedResult::Win(Color::White, WinBy::Time) => "W+T",
        RecordedResult::Win(Color::Black, _) => "B+",
        RecordedResult::Win(Color::White, _) => "W+",
        RecordedResult::Draw => "draw",
        RecordedResult::Void => "void",
        RecordedResult::Missing | RecordedResult::Other(_) => "unknown",
    }
}

fn list<K: Display, V: Display>(counts: impl Iterator<Item = (K, V)>) -> String {
    counts.map(|(key, count)| format!("{key}: {count}")).collect::<Vec<_>>().join("  ")
}
