//! `tesuji train prior`: weights for the prior knowledge of moves, learned from game records.

use crate::say::say;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;

use anyhow::{Context, ensure};
use clap::Args;
use tesuji_board::{Board, Color, Move, Size};
use tesuji_lab::suite::shuffle;
use tesuji_search::Rng;
use tesuji_search::playout::Position;
use tesuji_search::prior::{Census, Lesson, Outcome, Weights};
use tesuji_sgf::{GameLine, read_lines};

use super::super::progress;

#[derive(Args)]
pub(crate) struct Options {
    /// Files of games, one a line, plain or compressed with zstd; boards of one size.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where the weights go.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Weights to begin with, such as those of an interrupted run or of another size.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// How often to go through the games.
    #[arg(long, value_name = "N", default_value_t = 2)]
    passes: usize,
    /// Share of the moves of a game to learn from in one pass, in percent.
    #[arg(long, value_name = "PERCENT", default_value_t = 30)]
    share: usize,
    /// Shapes must occur this often to get a weight.
    #[arg(long, value_name = "N", default_value_t = 40)]
    least: u32,
    /// Games kept back for the test, in percent.
    #[arg(long, value_name = "PERCENT", default_value_t = 2)]
    test: usize,
    /// Use only the first games after shuffling.
    #[arg(long, value_name = "N")]
    games: Option<usize>,
    /// Seed of everything random.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Shapes with a weight nearer to zero are left out of the file.
const LEAST_WEIGHT: f32 = 0.03;

struct Record {
    size: Size,
    moves: Vec<Move>,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let mut games = self.read_games()?;
        shuffle(&mut games, self.seed);
        games.truncate(self.games.unwrap_or(games.len()));
        ensure!(games.len() >= 10, "{} games are too few to learn from", games.len());
        let (test, train) = games.split_at((games.len() * self.test / 100).max(1));
        let earlier = match &self.from {
            Some(path) => {
                let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
                Some(Weights::read(&bytes).with_context(|| path.display().to_string())?)
            }
            None => None,
        };
        let stop = progress::stop_flag()?;
        let mut rng = Rng::new(self.seed);
        let mut census = Census::default();
        let bar = progress::bar(train.len(), false).with_message("shapes");
        for game in train {
            bar.inc(1);
            game.visit(|position, played| {
                if rng.below(100) < self.share {
                    census.count(position, played, &mut rng);
                }
            });
        }
        let shapes = census.common(self.least);
        drop(census);
        say!("{} games, {} shapes seen {} times or more", train.len(), shapes.len(), self.least);
        let mut lesson = Lesson::new(shapes, earlier.as_ref());
        for pass in 1..=self.passes {
            let bar = progress::bar(train.len(), false).with_message(format!("pass {pass}"));
            let mut score = Score::default();
            for game in train.iter().take_while(|_| !stop.load(Relaxed)) {
                bar.inc(1);
                game.visit(|position, played| {
                    if rng.below(100) < self.share
                        && let Some(outcome) = lesson.predict(position, played)
                    {
                        score.add(outcome);
                        lesson.learn(played);
                    }
                });
            }
            say!("pass {pass}, before learning: {score}");
        }
        let mut score = Score::default();
        for game in test {
            game.visit(|position, played| {
                if let Some(outcome) = lesson.predict(position, played) {
                    score.add(outcome);
                }
            });
        }
        say!("test, {} games: {score}", test.len());
        let bytes = lesson.file(LEAST_WEIGHT);
        std::fs::write(&self.out, &bytes).with_context(|| format!("cannot write {}", self.out.display()))?;
        say!("{}: {} bytes", self.out.display(), bytes.len());
        Ok(())
    }

    fn read_games(&self) -> anyhow::Result<Vec<Record>> {
        let mut games: Vec<Record> = Vec::new();
        for path in &self.files {
            let place = || format!("cannot read {}", path.display());
            let mut lines = read_lines(path).with_context(place)?;
            let mut line = GameLine::new(Size::square(19).expect("a legal size"));
            while lines.next_game(&mut line).with_context(place)? {
                if line.handicap == 0 {
                    games.push(Record { size: line.size, moves: line.moves.clone() });
                }
            }
        }
        Ok(games)
    }
}

impl Record {
    /// Calls `look` with every position in which a stone was played, up to the first illegal one.
    fn visit(&self, mut look: impl FnMut(&Position, tesuji_board::Point)) {
        let mut position = Position::new(Board::new(self.size), Color::Black);
        for &mv in &self.moves {
            if let Move::Play(point) = mv {
                if !position.board.is_empty(point)
                    || !position.board.is_legal_no_suicide(point, position.to_move)
                {
                    return;
                }
                look(&position, point);
            }
            position.play(mv);
        }
    }
}

/// How well moves were predicted.
#[derive(Default)]
struct Score {
    positions: usize,
    first: usize,
    among_five: usize,
    log_loss: f64,
}

impl Score {
    fn add(&mut self, outcome: Outcome) {
        self.positions += 1;
        self.first += usize::from(outcome.rank == 0);
        self.among_five += usize::from(outcome.rank < 5);
        self.log_loss -= f64::from(outcome.probability.max(1e-9)).ln();
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let positions = self.positions.max(1) as f64;
        let percent = |count: usize| 100.0 * count as f64 / positions;
        write!(
            f,
            "{} positions, first {:.1} %, among five {:.1} %, log-loss {:.3}",
            self.positions,
            percent(self.first),
            percent(self.among_five),
            self.log_loss / positions
        )
    }
}
