//! `tesuji train balance`: gammas whose playouts are right on average, by simulation balancing.

use crate::say::say;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;

use anyhow::{Context, ensure};
use clap::Args;
use tesuji_board::{Rules, Size};
use tesuji_engine::GammaSource;
use tesuji_search::playout::{GammaSets, GammaTable};
use tesuji_train::balance::{Balance, Balancer, Error, Parameters, Plan, State, Targets};
use tesuji_train::sample::Split;
use tesuji_train::{SourceReport, read_games};

use super::super::progress;

#[derive(Args)]
pub(crate) struct Options {
    /// Games with opinions about their positions: files that `tesuji label` made.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where the gammas go; the state of balancing is kept beside them, and the same command line resumes it.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Gammas to begin with: a file that `tesuji train playout` made, or built-in.
    #[arg(long, value_name = "FILE", default_value = "built-in")]
    gammas: String,
    /// Temperature of the gammas to begin with: below 1 the likely moves become likelier.
    #[arg(long, default_value_t = 1.0)]
    temperature: f64,
    /// Boards of this size only.
    #[arg(long, value_name = "SIDE", default_value_t = 9)]
    size: usize,
    /// Rounds, each with a test at its end.
    #[arg(long, value_name = "N", default_value_t = 20)]
    rounds: usize,
    /// Steps of a round.
    #[arg(long, value_name = "N", default_value_t = 50)]
    steps: usize,
    /// Positions of a step.
    #[arg(long, value_name = "N", default_value_t = 512)]
    positions: usize,
    /// Playouts of each.
    #[arg(long, value_name = "N", default_value_t = 16)]
    playouts: usize,
    /// About the most that the logarithm of a gamma changes in a step.
    #[arg(long, value_name = "LOG", default_value_t = 0.01)]
    rate: f64,
    /// Games kept back for the test, in thousandths.
    #[arg(long, value_name = "THOUSANDTHS", default_value_t = 50)]
    held_out: u16,
    /// Most positions of the test, taken at even distances.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    test_positions: usize,
    /// Playouts of each position of the test.
    #[arg(long, value_name = "N", default_value_t = 64)]
    test_playouts: usize,
    /// Threads; they do not change the result.
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// Seed of everything random.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// What the games are and whose opinions, for the file.
    #[arg(long, value_name = "TEXT", default_value = "")]
    data: String,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let plan = self.plan()?;
        let stop = progress::stop_flag()?;
        let size = Size::square(self.size)?;
        let first = self.first(size)?;
        let targets = self.read(size)?;
        say!("{} positions to learn from and {} kept back", targets[0].len(), targets[1].len());
        let fingerprint = Balance::fingerprint(&targets, &first);
        let parameters = Parameters::new(first);
        let path = self.out.with_extension("checkpoint");
        let earlier = Balance::load(&path, &plan, &fingerprint, parameters.count())?;
        let mut balance = earlier.unwrap_or_else(|| Balance {
            plan,
            fingerprint,
            state: State::new(&parameters, &plan),
            errors: Vec::new(),
        });
        let mut balancer = Balancer::new(&targets, &parameters, plan, self.threads, balance.state.clone());
        if balance.errors.is_empty() {
            balance.errors.push(balancer.test());
        }
        for (round, error) in balance.errors.iter().enumerate() {
            say!("after round {round}: {error}");
        }
        while balance.errors.len() <= self.rounds {
            let round = balance.errors.len();
            let bar = progress::bar(self.steps, false).with_message(format!("round {round}"));
            let due = (round * self.steps) as u64;
            progress::begin_at(&bar, self.steps - due.saturating_sub(balancer.state().steps) as usize);
            while balancer.state().steps < due {
                balancer.step();
                bar.inc(1);
                if stop.load(Relaxed) {
                    balance.state = balancer.state().clone();
                    balance.save(&path)?;
                    progress::exit_interrupted();
                }
            }
            bar.finish_and_clear();
            let error = balancer.test();
            say!("after round {round}: {error}");
            balance.errors.push(error);
            balance.state = balancer.state().clone();
            balance.save(&path)?;
        }
        let last = balance.errors.last().copied().unwrap_or_default();
        let bytes = balancer.table(&self.provenance(targets[0].len(), last)).write();
        std::fs::write(&self.out, &bytes).with_context(|| format!("cannot write {}", self.out.display()))?;
        say!("{}: {} bytes", self.out.display(), bytes.len());
        Ok(())
    }

    fn plan(&self) -> anyhow::Result<Plan> {
        let is_positive = |number: f64| number.is_finite() && number > 0.0;
        ensure!(is_positive(self.temperature), "--temperature must be a number above 0");
        ensure!(is_positive(self.rate), "--rate must be a number above 0");
        ensure!(self.held_out < 1000, "--held-out must be less than 1000");
        ensure!(self.rounds > 0 && self.steps > 0, "--rounds and --steps must be at least 1");
        ensure!(self.positions > 0 && self.threads > 0, "--positions and --threads must be at least 1");
        ensure!(
            self.playouts > 1 && self.test_playouts > 1,
            "--playouts and --test-playouts must be at least 2"
        );
        Ok(Plan {
            temperature: self.temperature,
            steps: self.steps,
            positions: self.positions,
            playouts: self.playouts,
            rate: self.rate,
            test_playouts: self.test_playouts,
            seed: self.seed,
        })
    }

    fn first(&self, size: Size) -> anyhow::Result<GammaTable> {
        let source =
            GammaSource::open(&self.gammas).map_err(|error| anyhow::anyhow!("{}: {error}", self.gammas))?;
        Ok(source.table().map_or_else(|| GammaSets::built_in(size).clone(), |table| (*table).clone()))
    }

    fn read(&self, size: Size) -> anyhow::Result<[Targets; 2]> {
        let mut games = Vec::new();
        let mut report = SourceReport::default();
        for path in &self.files {
            read_games(path, Rules::default(), &mut report, &mut |game| games.push(game))?;
        }
        report.messages.iter().for_each(|message| eprintln!("{message}"));
        let [lessons, tests] = Targets::of_games(games, size, Split { validation: self.held_out });
        ensure!(
            !lessons.is_empty(),
            "there is no position on {size} with an opinion: `tesuji label` makes them"
        );
        Ok([lessons, tests.thinned(self.test_positions)])
    }

    /// Where the gammas come from, for their file.
    fn provenance(&self, positions: usize, error: Error) -> String {
        let name = |path: &PathBuf| {
            path.file_name().map_or_else(String::new, |n| Path::new(n).display().to_string())
        };
        let files: Vec<String> = self.files.iter().map(name).collect();
        format!(
            "tesuji {} train balance, {positions} positions of {} on {size}x{size}{}{}, from {} at temperature {}, {} rounds of {} steps \
             of {} positions, {} playouts each, rate {}, seed {}; held out: {error}",
            env!("CARGO_PKG_VERSION"),
            files.join(", "),
            if self.data.is_empty() { "" } else { ": " },
            self.data,
            name(&PathBuf::from(&self.gammas)),
            self.temperature,
            self.rounds,
            self.steps,
            self.positions,
            self.playouts,
            self.rate,
            self.seed,
            size = self.size,
        )
    }
}
