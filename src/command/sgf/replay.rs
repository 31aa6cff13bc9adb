//! `tesuji sgf replay`: every game of a collection by the rules, move by move.
//!
//! The default rules have the simple ko only: servers differ in which longer cycles they stop, and the games are what
//! was played. `--rules` asks a collection whether it keeps stricter ones.

use anyhow::Context;
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use tesuji_board::{Color, Game, Move, Rules};
use tesuji_sgf::{
    GameLine, LineReader, ReadError, ReplayError, ScannedGame, Scanner, decode, read_lines, replay_moves,
};

use super::convert::any_size;
use super::file::{self, Format};
use crate::argument;
use crate::say::say;

/// Games read before they are dealt to the threads: enough to keep them busy, and a few MB.
const BATCH: usize = 4096;

/// Illegal games shown per file; all are counted.
const MAX_SHOWN: usize = 20;

#[derive(Args)]
pub(crate) struct Options {
    /// Files of one-line games (.txt, .txt.zst) or SGF, or directories with them.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Rules to replay by, komi aside.
    #[arg(long, default_value = "chinese", value_parser = argument::rules)]
    rules: Rules,
    /// Threads; 0 takes as many as there are cores.
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

#[derive(Default)]
struct Events {
    games: usize,
    moves: usize,
    captures: usize,
    kos: usize,
    /// Where the game is, and what is wrong with it.
    illegal: Vec<(Location, String)>,
}

/// The line or the number of a game in its file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Location {
    Line(usize),
    Game(usize),
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let started = Instant::now();
        let mut total = Events::default();
        for path in file::files(&self.paths, |_| true)? {
            let file_started = Instant::now();
            let events = match Format::of(&path) {
                Some(Format::Lines) => self.replay_lines(&path)?,
                _ => self.replay_sgf(&path)?,
            };
            events.print(&path.display().to_string(), file_started);
            total.add(events);
        }
        total.print("total", started);
        Ok(if total.illegal.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn replay_lines(&self, path: &Path) -> anyhow::Result<Events> {
        let in_path = || format!("cannot read {}", path.display());
        let mut reader = read_lines(path).with_context(in_path)?;
        let mut total = Events::default();
        loop {
            let (batch, ended) = read_batch(&mut reader, &mut total).with_context(in_path)?;
            self.deal(&batch, &mut total, |events, (line, game)| {
                events.replay(Location::Line(*line), game.start(self.rules), game.colored_moves());
            });
            if ended {
                return Ok(total);
            }
        }
    }

    fn replay_sgf(&self, path: &Path) -> anyhow::Result<Events> {
        let bytes = file::read_sgf(path)?;
        let decoded = decode(&bytes);
        let mut scanner = Scanner::new(decoded.text());
        let mut total = Events::default();
        let mut batch = Vec::new();
        let mut number = 0;
        loop {
            let mut game = ScannedGame::default();
            number += 1;
            let more = match scanner.next_game(&mut game) {
                Ok(more) => more,
                Err(error) => {
                    total.games += 1;
                    total.illegal.push((Location::Game(number), error.to_string()));
                    continue;
                }
            };
            if more {
                batch.push((number, game));
            }
            if batch.len() == BATCH || !more {
                self.deal(&batch, &mut total, |events, (number, game)| {
                    let moves = game.moves.iter().copied();
                    events.replay(Location::Game(*number), game.start(self.rules), moves);
                });
                batch.clear();
            }
            if !more {
                return Ok(total);
            }
        }
    }

    /// Has the threads replay a share of the games each.
    fn deal<G: Sync>(&self, games: &[G], total: &mut Events, replay: impl Fn(&mut Events, &G) + Sync) {
        let available = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if self.threads == 0 { available() } else { self.threads };
        let replay = &replay;
        std::thread::scope(|scope| {
            let share = games.len().div_ceil(threads).max(1);
            let workers: Vec<_> = games
                .chunks(share)
                .map(|games| {
                    scope.spawn(move || {
                        let mut events = Events::default();
                        games.iter().for_each(|game| replay(&mut events, game));
                        events
                    })
                })
                .collect();
            for worker in workers {
                total.add(worker.join().expect("a replay does not panic"));
            }
        });
    }
}

impl Events {
    fn replay(
        &mut self,
        location: Location,
        start: Result<Game, ReplayError>,
        moves: impl Iterator<Item = (Color, Move)>,
    ) {
        self.games += 1;
        let mut kos = 0;
        let replayed = start.and_then(|mut game| {
            let made = replay_moves(&mut game, moves, |game| {
                kos +=
                    usize::from(Color::BOTH.into_iter().any(|color| game.board().ko_point(color).is_some()));
            });
            self.moves += game.move_number();
            self.captures += Color::BOTH.map(|color| game.prisoners(color) as usize).iter().sum::<usize>();
            made
        });
        self.kos += kos;
        if let Err(error) = replayed {
            self.illegal.push((location, error.to_string()));
        }
    }

    fn add(&mut self, other: Events) {
        self.games += other.games;
        self.moves += other.moves;
        self.captures += other.captures;
        self.kos += other.kos;
        self.illegal.extend(other.illegal);
    }

    fn print(&self, name: &str, started: Instant) {
        say!(
            "{name}: games {} moves {} captures {} kos {} illegal {} seconds {:.2}",
            self.games,
            self.moves,
            self.captures,
            self.kos,
            self.illegal.len(),
            started.elapsed().as_secs_f64(),
        );
        if name == "total" {
            return;
        }
        for (location, reason) in self.illegal.iter().take(MAX_SHOWN) {
            match location {
                Location::Line(line) => say!("  line {line}: {reason}"),
                Location::Game(number) => say!("  game {number}: {reason}"),
            }
        }
        if self.illegal.len() > MAX_SHOWN {
            say!("  and {} more", self.illegal.len() - MAX_SHOWN);
        }
    }
}

/// The next games with their lines, and whether they are the last; lines that hold no game count as illegal games.
fn read_batch<R: std::io::BufRead>(
    reader: &mut LineReader<R>,
    total: &mut Events,
) -> anyhow::Result<(Vec<(usize, GameLine)>, bool)> {
    let mut batch = Vec::with_capacity(BATCH);
    while batch.len() < BATCH {
        let mut game = GameLine::new(any_size()?);
        match reader.next_game(&mut game) {
            Ok(true) => batch.push((reader.line_number(), game)),
            Ok(false) => return Ok((batch, true)),
            Err(ReadError::Line(error)) => {
                total.games += 1;
                total.illegal.push((Location::Line(error.line), error.to_string()));
            }
            Err(ReadError::Io(error)) => return Err(error.into()),
        }
    }
    Ok((batch, false))
}
