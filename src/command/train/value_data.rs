//! `tesuji train value-data`: one position from each of many games, for a value to learn from.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use anyhow::{Context, bail, ensure};
use clap::Args;
use tesuji_board::Size;
use tesuji_lab::checksum::Checksum;
use tesuji_lab::variant;
use tesuji_net::{Isa, Reader};
use tesuji_train::pipeline::{PolicyPlay, Stopped, ValuePlan, value_games};
use tesuji_train::sample::SampleFile;

use super::super::progress;
use super::reinforce::usual_komi;
use crate::argument;
use crate::say::say;

#[derive(Args)]
pub(crate) struct Options {
    /// The policy that plays up to the random move: what `tesuji train sl` made.
    #[arg(long, value_name = "FILE")]
    sl: PathBuf,
    /// The policy that plays on: what `tesuji train rl` made.
    #[arg(long, value_name = "FILE")]
    rl: PathBuf,
    /// Where the games go; a file that is there is gone on with.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Games in all.
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    games: u64,
    /// Board.
    #[arg(long, value_name = "SIDE", value_parser = argument::size, default_value = "9")]
    size: Size,
    /// Komi; by default 7 on boards up to 9×9 and 7.5 on others.
    #[arg(long, value_name = "POINTS", value_parser = argument::komi, allow_negative_numbers = true)]
    komi: Option<f32>,
    /// Temperature of the probabilities that moves are drawn from.
    #[arg(long, value_name = "T", default_value_t = 1.0)]
    temperature: f32,
    /// The random move is one of the first so many; by default half as many as the board has points.
    #[arg(long, value_name = "N")]
    latest: Option<usize>,
    /// Games at a time per thread.
    #[arg(long, value_name = "N", default_value_t = 32)]
    together: usize,
    /// Threads.
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// Seed of everything random.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Games that go to the disk together.
const PORTION: u64 = 256;

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        ensure!(self.temperature.is_finite() && self.temperature > 0.0, "--temperature must be above 0");
        let plan = ValuePlan {
            play: PolicyPlay {
                size: self.size,
                rules: variant::rules(self.komi.unwrap_or_else(|| usual_komi(self.size))),
                temperature: self.temperature,
                seed: self.seed,
                threads: self.threads,
                together: self.together,
            },
            latest: self.latest.unwrap_or(self.size.area() / 2),
        };
        let reader = |path: &PathBuf| anyhow::Ok(Reader::new(&tesuji_net::load(path)?, Isa::best_exact())?);
        let (sl, rl) = (reader(&self.sl)?, reader(&self.rl)?);
        let mut before = 0;
        let (mut file, dropped) = SampleFile::open(&self.out, |_| before += 1)?;
        if let Some(dropped) = dropped {
            eprintln!("{}: {dropped}", self.out.display());
        }
        self.check_terms(&plan, before)?;
        let stop = progress::stop_flag()?;
        let bar = progress::bar(self.games as usize, false);
        progress::begin_at(&bar, before as usize);
        let mut next = before;
        while next < self.games && !stop.load(Ordering::Relaxed) {
            let end = (next + PORTION).min(self.games);
            match value_games(&plan, &sl, &rl, next..end, &stop) {
                Ok(games) => games.iter().try_for_each(|game| file.add(game))?,
                Err(Stopped::Interrupted) => break,
                Err(error) => return Err(error.into()),
            }
            // Games are written in the order of their numbers: how many there are says where to go on.
            file.flush()?;
            next = end;
            bar.set_position(next);
        }
        bar.finish_and_clear();
        say!("{}: {next} games", self.out.display());
        if next < self.games {
            progress::exit_interrupted();
        }
        Ok(())
    }

    /// All that games depend on must stay as it was when the file was begun.
    fn check_terms(&self, plan: &ValuePlan, before: u64) -> anyhow::Result<()> {
        let mut path = self.out.clone().into_os_string();
        path.push(".terms");
        let path = PathBuf::from(path);
        let plan = ValuePlan { play: PolicyPlay { threads: 1, together: 1, ..plan.play }, ..*plan };
        let sum = |path: &PathBuf| Checksum::of_file(path).with_context(|| path.display().to_string());
        let terms = format!("{}\n{}\n{plan:?}\n", sum(&self.sl)?.as_str(), sum(&self.rl)?.as_str());
        match std::fs::read_to_string(&path) {
            Ok(found) if found == terms => Ok(()),
            Ok(_) => bail!("{} was made with other settings: use those, or another file", self.out.display()),
            Err(_) if before > 0 => bail!("{} has games that were not played here", self.out.display()),
            Err(_) => std::fs::write(&path, terms).with_context(|| path.display().to_string()),
        }
    }
}
