//! `tesuji lab people`: how well people of every rank are predicted, and their ranks told.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use clap::Args;
use tesuji_board::{Color, Rules, Size};
use tesuji_engine::{Player, Settings};
use tesuji_lab::people::{Judge, Study};
use tesuji_train::sample::{GameSample, Side, Split};
use tesuji_train::{SourceReport, read_games};

use crate::command::progress;
use crate::say::say;

#[derive(Args)]
pub(crate) struct Options {
    /// Files of games of people with ranks, one a line.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Games kept back while the network learned, in thousandths: only those are looked at.
    #[arg(long, value_name = "THOUSANDTHS", default_value_t = 50)]
    validation: u16,
    /// Most games of a rank.
    #[arg(long, value_name = "N", default_value_t = 60)]
    games: usize,
    /// Only boards of this size.
    #[arg(long, value_name = "SIDE", default_value_t = 9)]
    size: usize,
    /// Simulations of the engine that is asked too; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 0)]
    playouts: u64,
    /// The engine is asked about every Nth move.
    #[arg(long, value_name = "N", default_value_t = 20)]
    every: u64,
    /// Simulations of the judge who says how many points moves lose; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 0)]
    judge: u64,
    /// Most moves that are judged of every five ranks.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    judged: u64,
    /// Every Nth move is judged.
    #[arg(long, value_name = "N", default_value_t = 2)]
    judge_every: u64,
    /// No bar.
    #[arg(long)]
    quiet: bool,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let size = Size::square(self.size)?;
        let split = Split { validation: self.validation };
        let mut games: Vec<GameSample> = Vec::new();
        let mut report = SourceReport::default();
        for path in &self.files {
            read_games(path, Rules::default(), &mut report, &mut |game| {
                if game.size == size && game.people.is_some() && split.side(&game) == Side::Validation {
                    games.push(game);
                }
            })?;
        }
        let engine =
            (self.playouts > 0).then(|| (Player::new(Settings::default()), self.playouts, self.every.max(1)));
        let judge = (self.judge > 0).then(|| Judge {
            player: Player::new(Settings::default()),
            level: Player::new(Settings { resign: false, ..Settings::default() }),
            simulations: self.judge,
            moves: self.judged,
            every: self.judge_every.max(1),
        });
        let mut study = Study::new(engine, judge);
        let stop = progress::stop_flag()?;
        let bar = progress::bar(games.len(), self.quiet);
        for sample in &games {
            bar.inc(1);
            let (Some(people), Ok(mut game)) = (sample.people, sample.start()) else { continue };
            if stop.load(Ordering::Relaxed) {
                break;
            }
            // Records are cut before illegal moves.
            let is_whole = sample.moves.iter().all(|&(color, mv)| game.play(color, mv).is_ok());
            for color in Color::BOTH {
                if is_whole && people.rank(color).is_some_and(|rank| study.games(rank) < self.games) {
                    study.add(&game, &people, color);
                }
            }
        }
        bar.finish_and_clear();
        say!("{}", study.report());
        Ok(())
    }
}
