//! `tesuji selfplay`: a network that teaches itself, for minutes or for weeks.

use std::io::{IsTerminal, stderr};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use clap::Args;
use tesuji_board::Size;
use tesuji_engine::Net;
use tesuji_lab::checksum::Checksum;
use tesuji_lab::job::{JobStore, Workforce};
use tesuji_lab::selfplay::{
    Crew, CycleRecord, Depot, Event, GamePlan, GatePlan, GateRecord, Learning, Plan, SelfPlayError, Service,
    random_network,
};
use tesuji_lab::variant;
use tesuji_net::model::{Model, ResidualPlan, residual};
use tesuji_train::run::Pace;

use super::{progress, run};
use crate::argument;
use crate::say::say;

#[derive(Args)]
pub(crate) struct Options {
    /// Board.
    #[arg(long, value_name = "SIDE", value_parser = argument::size, default_value = "9")]
    size: Size,
    /// The network to begin with, one of ours or KataGo's; by default the one that comes with the program.
    #[arg(long, value_name = "FILE", conflicts_with = "random")]
    from: Option<PathBuf>,
    /// Begin with random weights: a network of so many blocks and channels.
    #[arg(long, value_name = "BLOCKSxCHANNELS")]
    random: Option<String>,
    /// Cycles to make in all; by default without end.
    #[arg(long, value_name = "N")]
    cycles: Option<u64>,
    /// Games of a cycle.
    #[arg(long, value_name = "N", default_value_t = 400)]
    games: u64,
    /// Komi that is thought to be fair; by default 7 on boards up to 9×9 and 7.5 on others.
    #[arg(long, value_name = "POINTS", value_parser = argument::komi, allow_negative_numbers = true)]
    komi: Option<f32>,
    /// Simulations of a move that the policy learns from.
    #[arg(long, value_name = "N", default_value_t = 48, value_parser = clap::value_parser!(u64).range(2..=100_000))]
    full_visits: u64,
    /// Simulations of other moves.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(2..=100_000))]
    cheap_visits: u64,
    /// Share of the moves with a full search, in percent.
    #[arg(long, value_name = "PERCENT", default_value_t = 25.0)]
    full_share: f32,
    /// How often a position is learned from, about.
    #[arg(long, value_name = "TIMES", default_value_t = 5.0)]
    reuse: f64,
    /// Positions that are all learned from; beyond them the window grows more slowly than the games.
    #[arg(long, value_name = "POSITIONS", default_value_t = 60_000)]
    window: u64,
    /// Positions of a batch.
    #[arg(long, value_name = "N", default_value_t = 128)]
    batch: usize,
    /// Length of steps; by default 0.0003, and 0.002 for a network that begins with random weights.
    #[arg(long, value_name = "RATE")]
    rate: Option<f32>,
    /// Share of the game's result in what a value learns; the rest is what the search thought.
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, value_parser = argument::share)]
    result_share: f32,
    /// Simulations of a move in games against the best network so far.
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u64).range(2..=100_000))]
    gate_visits: u64,
    /// Most pairs of such games.
    #[arg(long, value_name = "N", default_value_t = 100)]
    gate_pairs: usize,
    /// The sequential test of a gate: Elo to reject, Elo to accept.
    #[arg(long, value_name = "ELO,ELO", value_delimiter = ',', num_args = 1, default_values_t = [0.0, 35.0], allow_negative_numbers = true)]
    sprt: Vec<f64>,
    /// Seed of everything random.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads that play and learn.
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// Seconds between two checkpoints of the training.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    checkpoint_every: u64,
    #[command(flatten)]
    run: run::Options,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        ensure!(self.threads > 0, "--threads must be at least 1");
        let plan = self.plan()?;
        let directory = self.run.out.clone().unwrap_or_else(|| format!("selfplay-{}", self.size).into());
        let mut service = Service::open(&directory, plan, || self.start())?;
        let stop = progress::stop_flag()?;
        let mut depot = Stores(&self.run);
        let mut crew = Crew {
            depot: &mut depot,
            workforce: if self.run.is_shared() {
                Workforce::Others
            } else {
                Workforce::Threads(self.threads)
            },
            build: run::BUILD,
            builds: self.run.builds(),
            retry: self.run.retry,
            pace: Pace {
                threads: self.threads,
                checkpoint_every: Duration::from_secs(self.checkpoint_every),
            },
            stop: &stop,
        };
        let mut table = Table::new(self.run.quiet);
        service.records().iter().for_each(|record| table.row(record));
        match service.run(self.cycles.unwrap_or(u64::MAX), &mut crew, &mut |event| table.show(event)) {
            Ok(()) => {
                table.clear();
                say!("{}", directory.join("table.csv").display());
                Ok(())
            }
            Err(SelfPlayError::Interrupted) => {
                table.clear();
                progress::exit_interrupted()
            }
            Err(error) => Err(error.into()),
        }
    }

    fn plan(&self) -> anyhow::Result<Plan> {
        let full_share = self.full_share / 100.0;
        ensure!((0.0..=1.0).contains(&full_share), "--full-share must be from 0 to 100");
        ensure!(self.games > 0 && self.batch > 0, "a cycle has at least one game, and a batch one position");
        ensure!(self.reuse.is_finite() && self.reuse > 0.0, "--reuse must be above 0");
        let &[elo0, elo1] = self.sprt.as_slice() else { bail!("--sprt: expected two numbers") };
        ensure!(elo0 < elo1, "--sprt: the first number must be the smaller one");
        ensure!(self.gate_pairs > 0, "--gate-pairs must be at least 1");
        let is_random = self.random.is_some();
        let rate = self.rate.unwrap_or(if is_random { 0.002 } else { 0.0003 });
        ensure!(rate.is_finite() && rate > 0.0, "--rate must be above 0");
        let usual = Plan::new(self.size);
        let rules = self.komi.map_or(usual.game.rules, variant::rules);
        Ok(Plan {
            game: GamePlan {
                rules,
                full_visits: self.full_visits,
                cheap_visits: self.cheap_visits,
                full_share,
                ..usual.game
            },
            games: self.games,
            learning: Learning {
                reuse: self.reuse,
                first_window: self.window,
                batch: self.batch,
                rate,
                result_share: self.result_share,
                has_batch_norm: is_random,
                ..usual.learning
            },
            gate: GatePlan { visits: self.gate_visits, pairs: self.gate_pairs, elo0, elo1, ..usual.gate },
            start: self.start_name()?,
            seed: self.seed,
        })
    }

    fn start_name(&self) -> anyhow::Result<String> {
        Ok(match (&self.from, &self.random) {
            (Some(path), _) => {
                let sum =
                    Checksum::of_file(path).with_context(|| format!("cannot read {}", path.display()))?;
                format!("file {}", sum.as_str())
            }
            (None, Some(shape)) => format!("random {shape}"),
            (None, None) => "built-in".to_owned(),
        })
    }

    /// The network that a new run begins with.
    fn start(&self) -> Result<Model, SelfPlayError> {
        let mut model = match (&self.from, &self.random) {
            (Some(path), _) => tesuji_net::load(path)?,
            (None, Some(shape)) => {
                let plan = residual_plan(shape)
                    .ok_or_else(|| SelfPlayError::Start(format!("'{shape}' is no shape such as 4x48")))?;
                random_network(&residual("selfplay", &plan), self.seed)?
            }
            (None, None) => Net::built_in_model(self.size).ok_or_else(|| {
                SelfPlayError::Start(format!(
                    "the program has no network for {}: name one with --from, or begin with --random",
                    self.size
                ))
            })?,
        };
        let data = if self.random.is_some() {
            String::new()
        } else {
            format!("{}; before: {}", model.name, model.provenance.data)
        };
        model.provenance.data = format!(
            "games of its own on {}, beginning with {}",
            self.size,
            if data.is_empty() { "random weights" } else { &data }
        );
        model.provenance.origin = format!("tesuji {} selfplay", env!("CARGO_PKG_VERSION"));
        Ok(model)
    }
}

/// Jobs in directories of this machine, or in the store that the user names.
struct Stores<'a>(&'a run::Options);

impl Depot for Stores<'_> {
    fn store(&mut self, directory: &Path) -> Result<Box<dyn JobStore>, SelfPlayError> {
        self.0.store(directory).map_err(|error| SelfPlayError::Share(format!("{error:#}")))
    }

    fn share(&mut self, path: &Path, checksum: &Checksum) -> Result<(), SelfPlayError> {
        let file = [(path.to_owned(), checksum.clone())];
        self.0.share(&file).map_err(|error| SelfPlayError::Share(format!("{error:#}")))
    }
}

/// Reads blocks and channels.
fn residual_plan(shape: &str) -> Option<ResidualPlan> {
    let (blocks, channels) = shape.split_once('x')?;
    let (blocks, channels): (usize, usize) = (blocks.parse().ok()?, channels.parse().ok()?);
    let is_sane = (1..=60).contains(&blocks) && (4..=512).contains(&channels);
    is_sane
        .then(|| ResidualPlan { head_channels: (channels / 2).max(4), ..ResidualPlan::new(blocks, channels) })
}

/// The live table: a line for every cycle, and one that changes.
struct Table {
    is_quiet: bool,
    has_heading: bool,
    games: u64,
    positions: u64,
    started: Instant,
    bar: indicatif::ProgressBar,
    phase: &'static str,
}

impl Table {
    fn new(is_quiet: bool) -> Table {
        let bar = progress::bar(0, is_quiet || !stderr().is_terminal());
        Table {
            is_quiet,
            has_heading: false,
            games: 0,
            positions: 0,
            started: Instant::now(),
            bar,
            phase: "",
        }
    }

    fn show(&mut self, event: Event<'_>) {
        let (phase, done, all) = match event {
            Event::Playing(done, all) => ("playing", done as u64, all as u64),
            Event::Learning(row, steps) => ("learning", row.step, steps),
            Event::Gating(done, most) => ("comparing", done as u64, most as u64),
            Event::Over(record) => return self.row(record),
        };
        if phase != std::mem::replace(&mut self.phase, phase) {
            self.bar.set_length(all);
            self.bar.set_message(phase);
            progress::begin_at(&self.bar, done as usize);
        }
        self.bar.set_position(done);
    }

    fn row(&mut self, record: &CycleRecord) {
        self.games += record.games;
        self.positions += record.positions;
        if self.is_quiet {
            return;
        }
        if !std::mem::replace(&mut self.has_heading, true) {
            self.line("cycle    games  positions   steps    loss  kept back  gate won–lost    LLR  best  rating   hours");
        }
        let loss = |loss: Option<f64>| loss.map_or_else(|| "–".to_owned(), |loss| format!("{loss:.4}"));
        let GateRecord { wins, losses, llr, is_promoted, .. } = record.gate;
        let row = format!(
            "{:5} {:8} {:10} {:7} {:>7} {:>10} {wins:>9}–{losses:<4} {} {llr:6.2} {:5} {:7.0} {:7.2}",
            record.cycle,
            self.games,
            self.positions,
            record.steps,
            loss(record.loss),
            loss(record.kept_back),
            if is_promoted { '+' } else { ' ' },
            record.generation,
            record.rating,
            self.started.elapsed().as_secs_f64() / 3600.0
        );
        self.line(&row);
    }

    fn line(&self, line: &str) {
        if self.bar.is_hidden() { eprintln!("{line}") } else { self.bar.println(line) }
    }

    fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
