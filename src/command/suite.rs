//! `tesuji suite`: how many next-move problems a preset solves at how many playouts.
//!
//! Every answer is in the log when it is found; the same command line resumes where it stopped.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, ensure};
use clap::Args;
use tesuji_lab::job::Session;
use tesuji_lab::line_log::write_file;
use tesuji_lab::next_move::ProblemFile;
use tesuji_lab::suite::{Answer, Level, Respondent, Suite, adopt_old_answers, questions, table};
use tesuji_lab::table::Style;

use crate::argument;
use crate::command::run;
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
    /// Lists the wrong answers.
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    run: run::Options,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let levels = self.levels()?;
        let respondent =
            Respondent { preset: self.preset.clone(), settings: self.set.clone(), seed: self.seed };
        respondent.settings().map_err(|error| anyhow!("{error}"))?;
        let (suites, unusable) = self.suites(&levels)?;
        let (name, terms) = (respondent.name(), respondent.terms());
        // Answers of every player are in a directory of their own.
        let by_default =
            || Path::new("suites").join(name.replace([' ', '/'], "-")).join(self.seed.to_string());
        let directory = self.run.out.clone().unwrap_or_else(by_default);
        if self.run.any_build {
            adopt_old_answers(&directory, &respondent)?;
        }
        let mut run = self.run.prepare(&directory, self.parallel)?;
        let jobs = questions(&suites, &levels);
        let bar = run.bar(jobs.len());
        let answers = run::complete(&mut Session::begin(run.venue(), respondent, terms)?, &jobs, &bar)?;
        if self.list {
            for Answer { id, playouts, answer, .. } in answers.iter().filter(|answer| !answer.right) {
                say!("{id} at {playouts} playouts: {answer}");
            }
        }
        say!("{}", table(&suites, &levels, &answers, Style::Plain));
        let mut report = format!("Preset {name}, seed {}, build {}.\n\n", self.seed, run::BUILD);
        report += &table(&suites, &levels, &answers, Style::Markdown);
        if !unusable.is_empty() {
            report += "\nUnusable:\n\n";
            unusable.iter().for_each(|line| report += &format!("- {line}\n"));
        }
        let path = directory.join(REPORT_NAME);
        write_file(&path, &report).with_context(|| format!("cannot write {}", path.display()))
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

const REPORT_NAME: &str = "report.md";

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
