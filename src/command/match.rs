//! `tesuji match`: games between engines, and what they prove.
//!
//! Everything is in the log when a game ends, so stopping costs the games under way and nothing else; the same
//! command line resumes the match.

use std::env;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use tesuji_board::{Rules, Size};
use tesuji_lab::clock::TimeControl;
use tesuji_lab::count::default_methods;
use tesuji_lab::host::Host;
use tesuji_lab::opening::OpeningSource;
use tesuji_lab::record::{CountMethod, GameLine};
use tesuji_lab::referee::GameTerms;
use tesuji_lab::sprt::{EloModel, Sprt};
use tesuji_lab::table::{self, Style};
use tesuji_lab::{ClockUse, EngineSpec, Event, Lifetime, MatchPlan, run_match};

use crate::argument;
use crate::command::{progress, run};
use crate::say::say;

#[derive(Args)]
pub(crate) struct Options {
    /// An engine, given twice or more: `[NAME=]preset:PRESET [options of gtp]` or `[NAME=]COMMAND`. In commands,
    /// {seed} and {game} stand for numbers of the game.
    #[arg(long = "engine", value_name = "ENGINE", required = true)]
    engines: Vec<String>,
    /// Games between any two engines.
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// Board size, such as 9 or 13x9.
    #[arg(long, default_value = "9", value_parser = argument::size)]
    size: Size,
    /// Rules by name; with Tromp–Taylor and CGOS rules all stones on the board count as alive.
    #[arg(long, default_value = "chinese-ogs", value_parser = argument::rules)]
    rules: Rules,
    /// Points for White; by default those usual under the rules.
    #[arg(long, allow_hyphen_values = true, value_parser = argument::komi)]
    komi: Option<f32>,
    #[command(flatten)]
    time: TimeOptions,
    /// Games at a time.
    #[arg(long, default_value_t = 1)]
    parallel: usize,
    /// How games begin: `none`, `random:PLIES`, or a file of SGF games or of lines of vertices.
    #[arg(long, default_value = "random:4")]
    openings: String,
    /// Most moves taken from an opening of a file.
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    opening_moves: usize,
    /// Determines openings and the seeds of engines.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Ends the match when a sequential test of these two Elo differences decides (5 % for either error).
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, value_parser = parse_elos)]
    sprt: Option<(f64, f64)>,
    /// What the Elo numbers of the test measure.
    #[arg(long, value_enum, default_value_t = Model::Logistic)]
    sprt_model: Model,
    /// How scores are found, in order: agreement, arbiter, cleanup, playouts, board.
    #[arg(long, value_delimiter = ',', value_name = "METHODS", value_parser = parse_method)]
    count: Vec<CountMethod>,
    /// Command of an engine whose `final_score` is asked when the players disagree.
    #[arg(long, value_name = "COMMAND")]
    arbiter: Option<String>,
    /// Moves after which a game is drawn; by default four per point.
    #[arg(long, value_name = "N")]
    move_limit: Option<usize>,
    /// Keeps engines running from game to game.
    #[arg(long)]
    keep_engines: bool,
    /// Prints tables in Markdown.
    #[arg(long)]
    markdown: bool,
    #[command(flatten)]
    run: run::Options,
}

#[derive(Args)]
struct TimeOptions {
    /// Seconds for every move.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, conflicts_with_all = ["main_time", "byo"])]
    time_per_move: Option<f64>,
    /// Seconds before overtime.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    main_time: Option<f64>,
    /// Seconds of an overtime period.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    byo: Option<f64>,
    /// Moves to be made in a period (Canadian overtime).
    #[arg(long, value_name = "N", requires = "byo", conflicts_with = "periods")]
    stones: Option<u32>,
    /// Periods to lose (Japanese overtime).
    #[arg(long, value_name = "N", requires = "byo")]
    periods: Option<u32>,
    /// An engine, by name, that plays without a clock; may be repeated.
    #[arg(long, value_name = "NAME")]
    untimed: Vec<String>,
    /// Seconds over a limit that are forgiven; by default 1 for a time per move, which is a setting of the engine, and
    /// 0.25 on a clock.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    lag: Option<f64>,
    /// Seconds to wait for a move without a clock.
    #[arg(long, value_name = "SECONDS", default_value = "600", value_parser = parse_seconds)]
    move_timeout: f64,
    /// Seconds to wait for an answer that needs no thinking.
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = parse_seconds)]
    command_timeout: f64,
}

#[derive(Clone, Copy, ValueEnum)]
enum Model {
    /// The expected score.
    Logistic,
    /// The expected score in units of its spread.
    Normalized,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let style = if self.markdown { Style::Markdown } else { Style::Plain };
        let (options, parallel) = (self.run.clone(), self.parallel);
        let plan = self.plan()?;
        let directory = options.out.clone().unwrap_or_else(|| Path::new("matches").join(plan.id()));
        eprintln!("log: {}", directory.display());
        let net = |engine: &EngineSpec| Some((engine.net_path()?, engine.net.clone()?));
        options.share(&plan.engines.iter().filter_map(net).collect::<Vec<_>>())?;
        let mut run = options.prepare(&directory, parallel)?;
        let mut progress = Progress { bar: run.bar(0), quiet: options.quiet };
        let host = Host::trusted(env::current_exe()?);
        let games =
            run_match(&plan, host, run.venue(), Some(&directory), |event| progress.show(&plan, &event))?;
        progress.bar.finish_and_clear();
        let summary = plan.summary(&games);
        say!("{}\n{}", table::results(&summary, style), table::efforts(&summary, style));
        if run.stop.load(Ordering::Relaxed) {
            progress::exit_interrupted();
        }
        Ok(())
    }

    fn plan(self) -> anyhow::Result<MatchPlan> {
        let rules = Rules { komi: self.komi.unwrap_or(self.rules.komi), ..self.rules };
        let time = self.time.control()?;
        let mut engines: Vec<EngineSpec> =
            self.engines.iter().map(|text| EngineSpec::parse(text, &time)).collect();
        for engine in &mut engines {
            let name = engine.name.clone();
            engine.read_net().map_err(|(path, error)| anyhow!("{name}: {}: {error}", path.display()))?;
        }
        for name in &self.time.untimed {
            let named = engines.iter_mut().find(|engine| engine.name == *name);
            named.with_context(|| format!("--untimed {name}: no engine has this name"))?.clock =
                ClockUse::Excused;
        }
        let methods = if self.count.is_empty() { default_methods(&rules).to_vec() } else { self.count };
        let model = match self.sprt_model {
            Model::Logistic => EloModel::Logistic,
            Model::Normalized => EloModel::Normalized,
        };
        Ok(MatchPlan {
            engines,
            games: self.games,
            terms: GameTerms {
                size: self.size,
                rules,
                time,
                lag: self.time.lag(),
                move_limit: self.move_limit.unwrap_or(4 * self.size.area()),
                methods,
                arbiter: self.arbiter,
                command_timeout: Duration::try_from_secs_f64(self.time.command_timeout)?,
                move_timeout: Duration::try_from_secs_f64(self.time.move_timeout)?,
            },
            openings: openings(&self.openings, self.size, rules, self.opening_moves)?,
            seed: self.seed,
            lifetime: if self.keep_engines { Lifetime::Match } else { Lifetime::Game },
            sprt: self.sprt.map(|(elo0, elo1)| Sprt { model, ..Sprt::new(elo0, elo1) }),
        })
    }
}

impl TimeOptions {
    fn lag(&self) -> f64 {
        self.lag.unwrap_or(if self.time_per_move.is_some() { 1.0 } else { 0.25 })
    }

    fn control(&self) -> anyhow::Result<TimeControl> {
        let main = self.main_time.unwrap_or(0.0);
        let control = match (self.time_per_move, self.byo, self.stones, self.periods) {
            (Some(seconds), ..) => TimeControl::PerMove { seconds },
            (None, Some(period), Some(stones), _) => TimeControl::Canadian { main, period, stones },
            (None, Some(period), None, periods) => {
                TimeControl::ByoYomi { main, period, periods: periods.unwrap_or(1) }
            }
            (None, None, ..) if self.main_time.is_some() => TimeControl::Absolute { main },
            (None, None, ..) => TimeControl::Unlimited,
        };
        if self.stones == Some(0)
            || self.periods == Some(0)
            || self.time_per_move == Some(0.0)
            || self.byo == Some(0.0)
        {
            bail!("a time control of nothing: times, stones and periods must be above 0");
        }
        Ok(control)
    }
}

/// The bar on a terminal; elsewhere a line per game.
struct Progress {
    bar: ProgressBar,
    quiet: bool,
}

impl Progress {
    fn show(&mut self, plan: &MatchPlan, event: &Event<'_>) {
        let games = match event {
            Event::Begin { total, done } => {
                self.bar.set_length(*total as u64);
                if !done.is_empty() && !self.quiet {
                    self.bar.suspend(|| eprintln!("{} games found in the log", done.len()));
                }
                progress::begin_at(&self.bar, done.len());
                done
            }
            Event::Game(games) => {
                self.bar.inc(1);
                games
            }
        };
        let headline = table::headline(&plan.summary(games));
        if self.bar.is_hidden()
            && !self.quiet
            && let (Event::Game(_), Some(game)) = (event, games.last())
        {
            eprintln!("{}; {headline}", describe(game));
        }
        self.bar.set_message(headline);
    }
}

fn describe(game: &GameLine) -> String {
    let GameLine { game: number, black, white, result, ending, moves, .. } = game;
    format!("game {number}: {black} – {white} {result} ({}, {moves} moves)", ending.word())
}

fn openings(text: &str, size: Size, rules: Rules, most: usize) -> anyhow::Result<OpeningSource> {
    if text == "none" {
        return Ok(OpeningSource::Empty);
    }
    match text.strip_prefix("random:") {
        Some(plies) => {
            let plies = plies.parse().with_context(|| format!("--openings {text}: expected random:PLIES"))?;
            Ok(OpeningSource::Random(plies))
        }
        None => Ok(OpeningSource::from_file(Path::new(text), size, rules, most)?),
    }
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    let seconds: Option<f64> = text.parse().ok();
    // A NaN is in no range.
    seconds.filter(|seconds| (0.0..=1e6).contains(seconds)).ok_or_else(|| "expected seconds".to_owned())
}

fn parse_elos(text: &str) -> Result<(f64, f64), String> {
    let elo = |text: &str| text.trim().parse::<f64>().ok().filter(|elo| elo.abs() <= 1000.0);
    let elos = text.split_once(',').and_then(|(elo0, elo1)| Some((elo(elo0)?, elo(elo1)?)));
    elos.filter(|(elo0, elo1)| elo0 < elo1)
        .ok_or_else(|| "expected two Elo differences, the smaller first, as in 0,10".to_owned())
}

fn parse_method(text: &str) -> Result<CountMethod, String> {
    let words = || CountMethod::ALL.map(CountMethod::word).join(", ");
    CountMethod::parse(text).ok_or_else(|| format!("expected one of {}", words()))
}
