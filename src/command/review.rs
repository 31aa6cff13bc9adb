//! `tesuji review`: a whole game, position by position, with what was lost where.
//!
//! Findings are written beside the results as they come (`NAME.review.jsonl`), so that a review that was stopped goes on. Its first line says what they
//! belong to; those of another game or another depth are not used.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args;
use serde_json::json;
use tesuji_analysis::{Service, ServiceSettings};
use tesuji_board::{Color, Game, Rules};
use tesuji_engine::Imitator;
use tesuji_net::input::Rank;
use tesuji_review::{Depth, Finding, Review, analyze, annotate, page};
use tesuji_sgf::{Collection, GameRecord, GameTree, parse, write, write_file};

use crate::argument;
use crate::command::{engine, progress, rank};
use crate::say::say;

/// Visits of every position by default.
const VISITS: u64 = 400;
/// The same with a network, whose visits are worth more and take longer.
const VISITS_WITH_NET: u64 = 60;

#[derive(Args)]
pub(crate) struct Options {
    /// The game: an SGF file.
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
        let bytes = fs::read(&self.file).with_context(|| format!("cannot read {shown}"))?;
        let mut collection = parse(&bytes).with_context(|| format!("{shown} is no SGF"))?.collection;
        let games = collection.games.len();
        let Some(place) = self.game.checked_sub(1).filter(|&place| place < games) else {
            bail!("{shown} has {games} games: --game {} is none of them", self.game);
        };
        let mut tree = collection.games.swap_remove(place);
        let record = GameRecord::from_tree(&tree).with_context(|| shown.clone())?;
        let game = self.replay(&record).with_context(|| shown.clone())?;
        let settings = self.engine.settings()?;
        let visits =
            self.visits.unwrap_or(if settings.search.asks_network() { VISITS_WITH_NET } else { VISITS });
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
        let (title, mut notes) = describe(record, review);
        notes.extend(notes_on_ranks(record, review.game()));
        let text = page(review, &title, &notes, self.mistakes);
        write_file(&html, &text).with_context(|| format!("cannot write {}", html.display()))?;
        say!("{}\n{}", sgf.display(), html.display());
        Ok(())
    }
}

fn describe(record: &GameRecord, review: &Review) -> (String, Vec<String>) {
    let name = |name: &str, rank: &str, color: &str| {
        let name = if name.is_empty() { color } else { name };
        if rank.is_empty() { name.to_owned() } else { format!("{name} ({rank})") }
    };
    let black = name(&record.black_name, &record.black_rank, "Black");
    let white = name(&record.white_name, &record.white_rank, "White");
    let (game, rules) = (review.game(), review.game().rules());
    let mut terms = format!(
        "{} board, {} rules, komi {}, {} moves",
        game.size(),
        rules.name().unwrap_or("other"),
        rules.komi,
        game.move_number()
    );
    if record.handicap > 1 {
        terms += &format!(", handicap {}", record.handicap);
    }
    let visits: u64 =
        review.turns().filter_map(|turn| review.finding(turn)).map(|finding| finding.visits).sum();
    let by = format!("Reviewed by Tesuji {} with {visits} visits.", env!("CARGO_PKG_VERSION"));
    let notes = [terms, record.date.clone(), by].into_iter().filter(|note| !note.is_empty()).collect();
    (format!("{black} – {white}"), notes)
}

/// How strong the players look, and which of their moves stronger ones would not make.
fn notes_on_ranks(record: &GameRecord, game: &Game) -> Vec<String> {
    let mut imitator = Imitator::default();
    let mut notes = Vec::new();
    for (color, name, rank) in
        [(Color::Black, "Black", &record.black_rank), (Color::White, "White", &record.white_rank)]
    {
        let evidence = rank::evidence(&mut imitator, game, color);
        if evidence.moves() == 0 {
            continue;
        }
        notes.push(format!("{name} {}.", rank::describe(&evidence)));
        let own: Rank = rank.parse().unwrap_or(evidence.estimate().rank);
        let stronger = own.moved(STRONGER);
        let mut foreign = Vec::new();
        rank::visit(game, |position, mover, mv| {
            if mover == color
                && mv.point().is_some()
                && let Some(probabilities) = imitator.probabilities(position, color, mv)
                && is_outgrown(probabilities[own.steps()], probabilities[stronger.steps()])
            {
                let (number, vertex) = (position.move_number() + 1, mv.to_gtp(game.size()));
                foreign.push(format!("{number} {vertex} ({:.1} %)", 100.0 * probabilities[stronger.steps()]));
            }
        });
        foreign.reverse();
        if stronger > own && !foreign.is_empty() {
            notes.push(format!(
                "Moves of {name}'s that {stronger} players would hardly make: {}.",
                foreign.join(", ")
            ));
        }
    }
    notes
}

/// How many ranks stronger the players are whom a review compares with.
const STRONGER: i32 = 4;

/// Whether stronger players hardly make a move that others make at least half as often again.
fn is_outgrown(own: f32, stronger: f32) -> bool {
    stronger < 0.05 && own > 1.5 * stronger
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
