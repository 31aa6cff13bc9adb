//! `tesuji label`: what a network thinks of positions, as a file for others to learn from.

use crate::say::say;
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::progress;
use anyhow::{Context, bail, ensure};
use clap::Args;
use indicatif::ProgressBar;
use tesuji_board::{Rules, Size};
use tesuji_net::{Isa, Reader};
use tesuji_train::label::{ExplorePlan, Finished, LabelError, Plan, PlayPlan, Pool, Wanted, label};
use tesuji_train::sample::{FileError, GameSample, SampleFile};
use tesuji_train::{SourceReport, read_games};

#[derive(Args)]
pub(crate) struct Options {
    /// Games whose positions are labelled: files of samples or game lines, SGF files or folders of them.
    #[arg(required_unless_present = "play")]
    files: Vec<PathBuf>,
    /// The network.
    #[arg(long, value_name = "FILE")]
    net: PathBuf,
    /// Where games with labels go; a file that is there is gone on with.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Instead of games from files, this many that the network plays against itself.
    #[arg(long, value_name = "GAMES", conflicts_with = "files")]
    play: Option<usize>,
    /// Label other positions instead: those of a line that a search with this network, started somewhere in the game, comes to.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["play", "share"])]
    explore: Option<PathBuf>,
    /// Simulations of such a search.
    #[arg(long, value_name = "N", default_value_t = 100, requires = "explore")]
    simulations: u64,
    /// Board of games that are played; of games from files only those of this size.
    #[arg(long, value_name = "SIDE")]
    size: Option<usize>,
    /// Rules of games that name none, or that are played; several separated by commas take turns.
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "chinese-ogs")]
    rules: Vec<String>,
    /// Komi of games that are played.
    #[arg(long, value_name = "POINTS")]
    komi: Option<f32>,
    /// Change the komi of every other game by about so many points.
    #[arg(long, value_name = "POINTS", default_value_t = 3.0)]
    komi_spread: f32,
    /// Share of the positions to label, in percent.
    #[arg(long, value_name = "PERCENT", default_value_t = 100.0)]
    share: f32,
    /// Most moves of a label.
    #[arg(long, value_name = "N", default_value_t = 32)]
    moves: usize,
    /// Leave ownership out: it is half of the file.
    #[arg(long)]
    no_ownership: bool,
    /// Use only the first games.
    #[arg(long, value_name = "N")]
    games: Option<usize>,
    /// Games at a time per thread.
    #[arg(long, value_name = "N", default_value_t = 16)]
    batch: usize,
    /// Threads.
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// Instruction set; by default the fastest one that computes in f32.
    #[arg(long, value_name = "NAME")]
    isa: Option<Isa>,
    /// Seconds between two times that finished games go to the disk.
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    flush_every: u64,
    /// Seed of everything random.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let model = tesuji_net::load(&self.net)?;
        let wanted = Wanted {
            share: self.share / 100.0,
            most_moves: self.moves,
            ownership: !self.no_ownership,
            komi_spread: self.komi_spread,
            seed: self.seed,
            ..Wanted::default()
        };
        let rules =
            self.rules.iter().map(|name| Ok(Rules::named(name)?)).collect::<anyhow::Result<Vec<_>>>()?;
        let (mut done, mut before) = (HashSet::new(), 0);
        let (file, dropped) = SampleFile::open(&self.out, |game| {
            done.insert(game.identity());
            before += 1;
        })?;
        if let Some(dropped) = dropped {
            eprintln!("{}: {dropped}", self.out.display());
        }
        let reader = Reader::new(&model, self.isa.unwrap_or_else(Isa::best_exact))?;
        let pool = Pool { reader: &reader, threads: self.threads, together: self.batch };
        let stop = progress::stop_flag()?;
        let mut writer = Writer::new(file, Duration::from_secs(self.flush_every));
        if let Some(games) = self.play {
            let plan = self.play_plan(games, rules)?;
            self.check_terms(&format!("{}\n{plan:?}\n{wanted:?}\n", model.name), before)?;
            let bar = progress::bar(games, false);
            progress::begin_at(&bar, before);
            label(pool, &Plan::Play(&plan, before), &wanted, &stop, in_order(before, &bar, &mut writer))?;
        } else if let Some(path) = &self.explore {
            let explorer = tesuji_net::load(path)?;
            let simulations = self.simulations;
            let terms = format!("{}\n{} {simulations}\n{wanted:?}\n", model.name, explorer.name);
            self.check_terms(&terms, before)?;
            let explorer = Reader::new(&explorer, self.isa.unwrap_or_else(Isa::best_exact))?;
            let games = self.read_games(rules[0], &HashSet::new())?;
            let bar = progress::bar(games.len(), false);
            progress::begin_at(&bar, before);
            let plan = ExplorePlan { games: &games, reader: &explorer, simulations };
            label(pool, &Plan::Explore(plan, before), &wanted, &stop, in_order(before, &bar, &mut writer))?;
        } else {
            ensure!(!self.terms_path().exists(), "{} {OTHER_SETTINGS}", self.out.display());
            let games = self.read_games(rules[0], &done)?;
            let bar = progress::bar(games.len(), false);
            let plan = Plan::Follow(&games);
            label(pool, &plan, &wanted, &stop, |Finished { sample, .. }| {
                bar.inc(1);
                writer.add(&sample)
            })?;
        }
        let (games, positions, seconds) = writer.finish()?;
        say!(
            "{}: {games} games and {positions} positions more in {seconds:.0} s, {:.0} positions/s",
            self.out.display(),
            positions as f64 / seconds.max(1e-9)
        );
        if stop.load(std::sync::atomic::Ordering::Relaxed) {
            progress::exit_interrupted();
        }
        Ok(())
    }

    fn play_plan(&self, games: usize, rules: Vec<Rules>) -> anyhow::Result<PlayPlan> {
        let size = Size::square(self.size.context("games that are played need a --size")?)?;
        let rules: Vec<Rules> =
            rules.into_iter().map(|rules| Rules { komi: self.komi.unwrap_or(rules.komi), ..rules }).collect();
        Ok(PlayPlan { rules, komi_spread: self.komi_spread, ..PlayPlan::new(games, size, Rules::default()) })
    }

    /// Games that are played depend on more than their number: the rest must stay as it was when the file was begun.
    fn check_terms(&self, terms: &str, before: usize) -> anyhow::Result<()> {
        let path = self.terms_path();
        let terms: String = terms.lines().map(|line| format!("{}\n", without_games(line))).collect();
        match std::fs::read_to_string(&path) {
            Ok(found) if found == terms => Ok(()),
            Ok(_) => bail!("{} {OTHER_SETTINGS}", self.out.display()),
            Err(_) if before > 0 => bail!("{} has games that were not played here", self.out.display()),
            Err(_) => std::fs::write(&path, terms).with_context(|| path.display().to_string()),
        }
    }

    fn terms_path(&self) -> PathBuf {
        let mut path = self.out.clone().into_os_string();
        path.push(".terms");
        PathBuf::from(path)
    }

    fn read_games(&self, rules: Rules, done: &HashSet<u64>) -> anyhow::Result<Vec<GameSample>> {
        let size = self.size.map(Size::square).transpose()?;
        let (mut games, mut seen) = (Vec::new(), HashSet::new());
        let mut report = SourceReport::default();
        for path in &self.files {
            read_games(path, rules, &mut report, &mut |game| {
                if size.is_none_or(|size| game.size == size) && seen.insert(game.identity()) {
                    games.push(game);
                }
            })?;
        }
        for message in &report.messages {
            eprintln!("{message}");
        }
        let doubles = report.games - games.len();
        games.truncate(self.games.unwrap_or(games.len()));
        let all = games.len();
        games.retain(|game| !done.contains(&game.identity()));
        eprintln!(
            "{all} games ({doubles} others are doubles or of another size, {} broken, {} cut), {} to do",
            report.broken,
            report.cut,
            games.len()
        );
        ensure!(all > 0, "there is no game to label");
        Ok(games)
    }
}

const OTHER_SETTINGS: &str = "was made with other settings: use those, or another file";

/// Writes games in the order of their numbers, so that how many there are says where to go on.
fn in_order<'a>(
    before: usize,
    bar: &'a ProgressBar,
    writer: &'a mut Writer,
) -> impl FnMut(Finished) -> Result<(), Stopped> + 'a {
    let mut waiting = BTreeMap::new();
    let mut next = before;
    move |game| {
        waiting.insert(game.number, game.sample);
        while let Some(sample) = waiting.remove(&next) {
            next += 1;
            bar.inc(1);
            writer.add(&sample)?;
        }
        Ok(())
    }
}

/// How many games there are to be does not change what each of them is.
fn without_games(line: &str) -> String {
    match (line.find("games: "), line.find(", ")) {
        (Some(start), Some(end)) if start < end => format!("{}{}", &line[..start], &line[end + 2..]),
        _ => line.to_owned(),
    }
}

/// Writes games down, now and then to the disk.
struct Writer {
    file: SampleFile,
    flush_every: Duration,
    started: Instant,
    flushed: Instant,
    games: usize,
    positions: usize,
}

impl Writer {
    fn new(file: SampleFile, flush_every: Duration) -> Writer {
        Writer { file, flush_every, started: Instant::now(), flushed: Instant::now(), games: 0, positions: 0 }
    }

    fn add(&mut self, game: &GameSample) -> Result<(), Stopped> {
        self.games += 1;
        self.positions += game.labels.len();
        self.file.add(game).map_err(Stopped::File)?;
        if self.flushed.elapsed() >= self.flush_every {
            self.file.flush().map_err(Stopped::File)?;
            self.flushed = Instant::now();
        }
        Ok(())
    }

    fn finish(mut self) -> anyhow::Result<(usize, usize, f64)> {
        self.file.flush()?;
        Ok((self.games, self.positions, self.started.elapsed().as_secs_f64()))
    }
}

/// What can end labelling.
#[derive(Debug)]
enum Stopped {
    File(FileError),
    Label(LabelError),
}

impl From<LabelError> for Stopped {
    fn from(error: LabelError) -> Stopped {
        Stopped::Label(error)
    }
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Stopped::File(error) => error.fmt(f),
            Stopped::Label(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Stopped {}
