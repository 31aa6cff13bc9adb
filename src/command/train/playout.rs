//! `tesuji train playout`: gammas for the learned playouts, from game records.

use crate::say::say;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;

use anyhow::{Context, ensure};
use clap::Args;
use tesuji_board::{Rules, Size};
use tesuji_lab::suite::shuffle;
use tesuji_search::playout::GROUPS;
use tesuji_train::gamma::{Course, Lesson, Plan, Progress, Score};
use tesuji_train::sample::GameSample;
use tesuji_train::{SourceReport, read_games};

use super::super::progress;

#[derive(Args)]
pub(crate) struct Options {
    /// Games to learn from: files of game lines (plain or zstd), SGF files or folders of them, files of samples.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where the gammas go; the state of learning is kept beside them, and the same command line resumes it.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Boards of this size only.
    #[arg(long, value_name = "SIDE", default_value_t = 19)]
    size: usize,
    /// Rounds of learning, each with a pass for every group of features.
    #[arg(long, value_name = "N", default_value_t = 20)]
    rounds: usize,
    /// Share of the moves of a game to learn from, in percent.
    #[arg(long, value_name = "PERCENT", default_value_t = 25)]
    share: usize,
    /// MD2 patterns that were played this often get a gamma of their own.
    #[arg(long, value_name = "N", default_value_t = 10)]
    least_played: u32,
    /// So do those that could have been played this often.
    #[arg(long, value_name = "N", default_value_t = 500)]
    least_seen: u32,
    /// Won and lost games of every feature that are added to the real ones.
    #[arg(long, value_name = "GAMES", default_value_t = 1.0)]
    prior: f64,
    /// Games kept back for the test, in percent.
    #[arg(long, value_name = "PERCENT", default_value_t = 10)]
    held_out: usize,
    /// Use only the first games after shuffling.
    #[arg(long, value_name = "N")]
    games: Option<usize>,
    /// Threads; they do not change the result.
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// Seed of everything random.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// What the games are, for the file.
    #[arg(long, value_name = "TEXT", default_value = "")]
    data: String,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let plan = self.plan()?;
        let stop = progress::stop_flag()?;
        let games = self.read_games()?;
        let fingerprint = Progress::fingerprint(&games);
        let bar = progress::bar(Course::STEPS, false).with_message("positions");
        let course = Course::new(&games, &plan, self.threads, &|steps| bar.inc(steps as u64));
        bar.finish_and_clear();
        let ([lessons, tests], [near, md2]) = (course.positions(), course.shapes());
        ensure!(lessons > 0, "there is no position to learn from");
        say!(
            "{} games, {lessons} positions to learn from and {tests} kept back, {near} neighbourhoods, {md2} MD2 patterns",
            games.len()
        );
        let mut sizes: Vec<usize> = GROUPS.iter().map(|group| group.values.len()).collect();
        sizes.extend(course.shapes());
        let path = self.out.with_extension("checkpoint");
        let earlier = Progress::load(&path, &plan, &fingerprint, &sizes)?;
        let mut state =
            earlier.unwrap_or(Progress { plan, fingerprint, gammas: Vec::new(), scores: Vec::new() });
        let begun = Some(state.gammas.clone()).filter(|gammas| !gammas.is_empty());
        let mut lesson = Lesson::new(&course, plan.prior, self.threads, begun);
        for (round, score) in state.scores.iter().enumerate() {
            say!("round {}, before: {score}", round + 1);
        }
        while state.scores.len() < self.rounds {
            let round = state.scores.len() + 1;
            let bar = progress::bar(Lesson::GROUPS, false).with_message(format!("round {round}"));
            lesson.round(|| bar.inc(1));
            bar.finish_and_clear();
            let score = lesson.test();
            say!("round {round}: {score}");
            state.scores.push(score);
            state.gammas = lesson.gammas().to_vec();
            state.save(&path)?;
            if stop.load(Relaxed) && round < self.rounds {
                progress::exit_interrupted();
            }
        }
        let last = state.scores.last().copied().unwrap_or_default();
        let bytes = lesson.table(&self.provenance(games.len(), &course, last)).write();
        std::fs::write(&self.out, &bytes).with_context(|| format!("cannot write {}", self.out.display()))?;
        say!("{}: {} bytes", self.out.display(), bytes.len());
        Ok(())
    }

    fn plan(&self) -> anyhow::Result<Plan> {
        ensure!((1..=100).contains(&self.share), "--share must be 1 to 100");
        ensure!(self.held_out < 100, "--held-out must be less than 100");
        ensure!(self.prior.is_finite() && self.prior > 0.0, "--prior must be a number above 0");
        ensure!(self.rounds > 0 && self.threads > 0, "--rounds and --threads must be at least 1");
        Ok(Plan {
            share: self.share,
            held_out: self.held_out,
            least_played: self.least_played,
            least_seen: self.least_seen,
            prior: self.prior,
            seed: self.seed,
        })
    }

    fn read_games(&self) -> anyhow::Result<Vec<GameSample>> {
        let size = Size::square(self.size)?;
        let mut games = Vec::new();
        let mut report = SourceReport::default();
        for path in &self.files {
            read_games(path, Rules::default(), &mut report, &mut |game| {
                if game.size == size && game.setup.is_empty() {
                    games.push(game);
                }
            })?;
        }
        report.messages.iter().for_each(|message| eprintln!("{message}"));
        shuffle(&mut games, self.seed);
        games.truncate(self.games.unwrap_or(games.len()));
        ensure!(games.len() >= 10, "{} even games on {size} are too few to learn from", games.len());
        Ok(games)
    }

    /// Where the gammas come from, for their file.
    fn provenance(&self, games: usize, course: &Course, score: Score) -> String {
        let name = |path: &PathBuf| {
            path.file_name().map_or_else(String::new, |n| Path::new(n).display().to_string())
        };
        let files: Vec<String> = self.files.iter().map(name).collect();
        format!(
            "tesuji {} train playout, {games} games of {} on {size}x{size}{}{}, {} positions, {} rounds, seed {}; held out: {score}",
            env!("CARGO_PKG_VERSION"),
            files.join(", "),
            if self.data.is_empty() { "" } else { ": " },
            self.data,
            course.positions()[0],
            self.rounds,
            self.seed,
            size = self.size,
        )
    }
}
