//! `tesuji review`: a whole game, position by position, with what was lost where.
//!
//! Findings are written beside the results as they come (`NAME.review.jsonl`), so that a review that was stopped goes on. Its first line says what they
//! belong to; those of another game or another depth are not used.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use clap::Args;
use serde_json::json;
use tesuji_analysis::{Service, ServiceSettings};
use tesuji_board::{Game, Rules};
use tesuji_review::{Depth, Finding, Review, analyze, annotate, page, usual_visits};
use tesuji_sgf::{Collection, GameRecord, GameTree, read, write, write_file};

use crate::argument;
use crate::command::{engine, progress};
use crate::say::say;

#[derive(Args)]
pub(crate) struct Options {
    /// The game: an .sgf, .gib or .ngf file; - is standard input.
    file: PathBuf,
    #[command(flatten)]
    engine: engine::Options,
    /// Which game of the file, from 1.
    #[arg(long, default_value_t = 1, value_name = "N")]
    game: usize,
    /// Visits of every position; by default 400, or 60 with a network.
    #[arg(long, value_name = "N")]
    visits: Option<u64>,
    /// How many times as many visits the positions around mistakes get.
    #[arg(long, default_value_t = 5, value_name = "N")]
    deeper: u64,
    /// Mistakes to look at longer and to show.
    #[arg(long, default_value_t = 10, value_name = "N")]
    mistakes: usize,
    /// Seconds that the review may take; positions share them.
    #[arg(long, default_value_t = 240.0, value_name = "SECONDS")]
    time_limit: f64,
    /// Rules by name, if the file does not say or says it wrong.
    #[arg(long, value_parser = argument::rules)]
    rules: Option<Rules>,
    /// Where results go: NAME.sgf and NAME.html. By default beside the game, with `.review` in the name.
    #[arg(long, value_name = "NAME")]
    output: Option<PathBuf>,
    /// No bar.
    #[arg(long)]
    quiet: bool,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let shown = self.file.display().to_string();
        if !(0.0..=1e9).contains(&self.time_limit) {
            bail!("--time-limit {}: expected seconds", self.time_limit);
        }
        ensure!(
            self.output.is_some() || !argument::is_standard_input(&self.file),
            "a game from standard input has no name: say with --output where the results go"
        );
        let bytes = argument::read(&self.file)?;
        let mut collection = read(&bytes).with_context(|| format!("{shown} is no game record"))?.collection;
        let games = collection.games.len();
        let Some(place) = self.game.checked_sub(1).filter(|&place| place < games) else {
            bail!("{shown} has {games} games: --game {} is none of them", self.game);
        };
        let mut tree = collection.games.swap_remove(place);
        let record = GameRecord::from_tree(&tree).with_context(|| shown.clone())?;
        let game = self.replay(&record).with_context(|| shown.clone())?;
        let settings = self.engine.settings()?;
        let visits = self.visits.unwrap_or_else(|| usual_visits(&settings, game.size()));
        let depth = Depth {
            visits: visits.max(1),
            factor: self.deeper.max(1),
            mistakes: self.mistakes,
            time: Duration::from_secs_f64(self.time_limit),
        };
        let base = self.output.clone().unwrap_or_else(|| self.file.with_extension("review"));
        let mut log = Log::open(&with_suffix(&base, "jsonl"), &terms(&game, &depth))?;
        let mut review = Review::new(game);
        log.known.drain(..).for_each(|finding| review.learn(finding));
        let service = Service::new(ServiceSettings::new(settings));
        let is_complete = self.analyze(&service, &mut review, &depth, &mut log)?;
        self.write(&mut tree, &record, &review, &base)?;
        if is_complete {
            log.remove()?;
        } else {
            eprintln!("not finished; the same command line goes on");
        }
        Ok(())
    }

    fn replay(&self, record: &GameRecord) -> anyhow::Result<Game> {
        let rules = match self.rules {
            Some(rules) => Rules { komi: record.rules_or(rules).komi, ..rules },
            None => record.rules_or(Rules::default()),
        };
        Ok(record.replay_leniently(rules)?)
    }

    fn analyze(
        &self,
        service: &Service,
        review: &mut Review,
        depth: &Depth,
        log: &mut Log,
    ) -> anyhow::Result<bool> {
        let stop = progress::stop_flag()?;
        let known = review.turns().filter(|&turn| review.finding(turn).is_some()).count();
        let bar = progress::bar(review.turns().len(), self.quiet);
        progress::begin_at(&bar, known);
        let started = Instant::now();
        let limit = depth.time;
        let mut problem = None;
        let is_complete = analyze(
            service,
            review,
            depth,
            &mut |finding, left| {
                bar.set_message(format!("{left} left"));
                bar.inc(1);
                problem = problem.take().or(log.add(finding).err());
            },
            &|| {
                stop.load(Ordering::Relaxed)
                    || started.elapsed() > limit + limit / 10 + Duration::from_secs(5)
            },
        );
        bar.finish_and_clear();
        match problem {
            Some(error) => Err(error).context("cannot keep what was found"),
            None => Ok(is_complete),
        }
    }

    fn write(
        &self,
        tree: &mut GameTree,
        record: &GameRecord,
        review: &Review,
        base: &Path,
    ) -> anyhow::Result<()> {
        annotate(tree, review, self.mistakes);
        let sgf = with_suffix(base, "sgf");
        let text = write(&Collection { games: vec![tree.clone()] });
        write_file(&sgf, &text).with_context(|| format!("cannot write {}", sgf.display()))?;
        let html = with_suffix(base, "html");
        let text = page(review, record, self.mistakes);
        write_file(&html, &text).with_context(|| format!("cannot write {}", html.display()))?;
        say!("{}\n{}", sgf.display(), html.display());
        Ok(())
    }
}

/// What findings belong to.
fn terms(game: &Game, depth: &Depth) -> String {
    let moves: Vec<String> = game
        .moves()
        .iter()
        .map(|(color, mv)| format!("{}{}", color.letter(), mv.to_gtp(game.size())))
        .collect();
    json!({
        "review": 1,
        "start": format!("{:016x}", game.initial_board().hash()),
        "rules": format!("{:?}", game.rules()),
        "moves": moves.join(" "),
        "visits": depth.visits,
    })
    .to_string()
}

fn with_suffix(base: &Path, suffix: &str) -> PathBuf {
    let mut name = base.as_os_str().to_owned();
    name.push(".");
    name.push(suffix);
    PathBuf::from(name)
}

/// Findings kept in a file, one per line.
struct Log {
    path: PathBuf,
    file: File,
    known: Vec<Finding>,
}

impl Log {
    fn open(path: &Path, terms: &str) -> anyhow::Result<Log> {
        let shown = path.display();
        let known = match File::open(path) {
            Ok(file) => {
                let mut lines = BufReader::new(file).lines().map_while(Result::ok);
                if lines.next().as_deref() == Some(terms) {
                    // The last line may be torn.
                    lines.map_while(|line| serde_json::from_str(&line).ok()).collect()
                } else {
                    eprintln!("warning: {shown} belongs to another review and is written anew");
                    Vec::new()
                }
            }
            Err(_) => Vec::new(),
        };
        let file = File::create(path).with_context(|| format!("cannot write {shown}"))?;
        let mut log = Log { path: path.to_owned(), file, known };
        writeln!(log.file, "{terms}").with_context(|| format!("cannot write {shown}"))?;
        for finding in log.known.clone() {
            log.add(&finding).with_context(|| format!("cannot write {shown}"))?;
        }
        Ok(log)
    }

    fn add(&mut self, finding: &Finding) -> std::io::Result<()> {
        let line = serde_json::to_string(finding)?;
        writeln!(self.file, "{line}")
    }

    fn remove(self) -> anyhow::Result<()> {
        drop(self.file);
        fs::remove_file(&self.path).with_context(|| format!("cannot remove {}", self.path.display()))
    }
}
