//! `tesuji suite`: how many next-move problems a preset solves at how many playouts.
//!
//! Every answer is in the log when it is found; the same command line goes on where it stopped.

use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use clap::Args;
use tesuji_board::Move;
use tesuji_engine::decision::{Decision, Purpose, choose_move};
use tesuji_engine::{Preset, Settings};
use tesuji_lab::line_log::{LineLog, write_file};
use tesuji_lab::next_move::{Problem, ProblemFile};
use tesuji_lab::suite::{Answer, Candidate, Level, Suite, run, table};
use tesuji_lab::table::Style;
use tesuji_search::Simulations;

use crate::argument;
use crate::command::progress;
use crate::say::say;

#[derive(Args)]
pub(crate) struct Options {
    /// Files of next-move problems, JSON lines, plain or compressed with zstd.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Playouts per problem, several separated by commas; `N:K` asks only a sample of K problems of each file.
    #[arg(long, value_delimiter = ',', default_value = "1000,10000,100000", value_parser = parse_level)]
    playouts: Vec<Level>,
    /// The search, by name.
    #[arg(long, default_value = tesuji_engine::preset::DEFAULT_PRESET)]
    preset: String,
    /// Sets any parameter of the engine; may be repeated.
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Seed of the searches and the sample.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only the first N problems of each file.
    #[arg(long, value_name = "N", conflicts_with = "sample")]
    limit: Option<usize>,
    /// Only a random sample of N problems of each file, the same for the same seed.
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Problems searched at the same time, each on one thread.
    #[arg(long, default_value_t = 1)]
    parallel: usize,
    /// Directory of the log and the report.
    #[arg(long, value_name = "DIR", default_value = "suites")]
    out: PathBuf,
    /// Lists the wrong answers.
    #[arg(long)]
    list: bool,
    /// Shows no progress.
    #[arg(long)]
    quiet: bool,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        ensure!(self.parallel > 0, "--parallel must be at least 1");
        let settings = self.settings()?;
        let levels = self.levels()?;
        let (suites, unusable) = self.suites(&levels)?;
        let candidate = Candidate { name: self.player_name(), seed: self.seed };
        let (mut log, known) = LineLog::open::<Answer>(&self.out.join(LOG_NAME))?;
        let bar = progress::bar(0, self.quiet);
        let player = || |problem: &Problem, playouts| answer(&settings, problem, playouts);
        let answers =
            run(&suites, &levels, &candidate, (&mut log, known), self.parallel, player, |done, all| {
                bar.set_length(all as u64);
                bar.set_position(done as u64);
            })?;
        bar.finish_and_clear();
        if self.list {
            for Answer { id, playouts, answer, .. } in answers.iter().filter(|answer| !answer.right) {
                say!("{id} at {playouts} playouts: {answer}");
            }
        }
        say!("{}", table(&suites, &levels, &answers, Style::Plain));
        let mut report = format!("Preset {}, seed {}.\n\n", candidate.name, candidate.seed);
        report += &table(&suites, &levels, &answers, Style::Markdown);
        if !unusable.is_empty() {
            report += "\nUnusable:\n\n";
            unusable.iter().for_each(|line| report += &format!("- {line}\n"));
        }
        let path = self.out.join(REPORT_NAME);
        write_file(&path, &report).with_context(|| format!("cannot write {}", path.display()))
    }

    fn settings(&self) -> anyhow::Result<Settings> {
        let mut settings = Settings::of_preset(&self.preset)?;
        for pair in &self.set {
            let Some((name, value)) = pair.split_once('=') else {
                bail!("--set {pair}: expected name=value");
            };
            settings.set(name.trim(), value.trim())?;
        }
        settings.seed = self.seed;
        Ok(settings)
    }

    fn player_name(&self) -> String {
        let mut words = vec![self.preset.to_ascii_lowercase()];
        words.extend(self.set.iter().cloned());
        words.join(" ")
    }

    fn levels(&self) -> anyhow::Result<Vec<Level>> {
        let whole = self.sample.or(self.limit);
        let smaller = |own: Option<usize>| own.into_iter().chain(whole).min();
        let levels: Vec<Level> =
            self.playouts.iter().map(|level| Level { limit: smaller(level.limit), ..*level }).collect();
        for (i, level) in levels.iter().enumerate() {
            let playouts = level.playouts;
            ensure!(levels[..i].iter().all(|other| other.playouts != playouts), "{playouts} playouts twice");
        }
        Ok(levels)
    }

    /// The problems in the order of questions, and what is wrong with the others.
    fn suites(&self, levels: &[Level]) -> anyhow::Result<(Vec<Suite>, Vec<String>)> {
        let is_sample = self.limit.is_none() && levels.iter().any(|level| level.limit.is_some());
        let (mut suites, mut unusable) = (Vec::new(), Vec::new());
        for path in &self.files {
            let file = ProblemFile::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            let name = argument::source_name(path);
            for problem in &file.unusable {
                let line = format!("{name}: {problem}");
                eprintln!("unusable: {line}");
                unusable.push(line);
            }
            let mut suite = Suite { name, problems: file.problems };
            if is_sample {
                suite.shuffle(self.seed);
            }
            suites.push(suite);
        }
        let is_usable = suites.iter().any(|suite| !suite.problems.is_empty());
        ensure!(is_usable, "there is no usable problem in {}", argument::names(&self.files));
        Ok((suites, unusable))
    }
}

const LOG_NAME: &str = "answers.jsonl";
const REPORT_NAME: &str = "report.md";

/// The move that the engine would make; where the problem offers a choice, the best of that by the search alone.
fn answer(settings: &Settings, problem: &Problem, playouts: u64) -> Move {
    // A fresh search for every problem: an answer must not depend on the problems before.
    let mut searcher = Preset::searcher(settings.preset, settings);
    let game = problem.game();
    searcher.search(&game, problem.to_move, &Simulations(playouts));
    let mut report = searcher.report();
    if problem.allows_all() {
        let Decision::Move(mv) = choose_move(&game, problem.to_move, &report, Purpose::Play).decision else {
            return Move::Pass;
        };
        return mv;
    }
    let is_legal = |mv: Move| mv.point().is_none_or(|point| game.legality(problem.to_move, point).is_ok());
    report.moves.retain(|mv| problem.allows(mv.mv) && is_legal(mv.mv));
    report.moves.first().map_or(Move::Pass, |best| best.mv)
}

fn parse_level(text: &str) -> Result<Level, String> {
    let wrong = || format!("'{text}': expected PLAYOUTS or PLAYOUTS:SAMPLE");
    let (playouts, sample) = text.split_once(':').map_or((text, None), |(n, sample)| (n, Some(sample)));
    let playouts = playouts.trim().parse().ok().filter(|&playouts| playouts > 0).ok_or_else(wrong)?;
    let limit = sample.map(|sample| sample.trim().parse().map_err(|_| wrong())).transpose()?;
    Ok(Level { playouts, limit })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_playouts_with_or_without_a_sample() {
        assert_eq!(parse_level("1000"), Ok(Level { playouts: 1000, limit: None }));
        assert_eq!(parse_level("10:5"), Ok(Level { playouts: 10, limit: Some(5) }));
        for wrong in ["", "0", "x", "10:", "10:x", "-1", "10:5:3"] {
            assert!(parse_level(wrong).is_err(), "{wrong}");
        }
    }
}
