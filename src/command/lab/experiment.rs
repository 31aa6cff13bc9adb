//! What all experiments of the laboratory have in common: their options, how they run, and where their reports go.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use tesuji_lab::job::{Job, Session, Work};
use tesuji_lab::report::{Heading, Provenance, REPORT_NAME, Report};
use tesuji_lab::terms::Terms;

use crate::command::run::{self, BUILD, Run};
use crate::say::say;

/// Options of every experiment.
#[derive(Args, Clone, Debug)]
#[group(id = "experiment")]
pub(crate) struct Options {
    /// About a minute instead of the full size: shows that it works, proves little.
    #[arg(long)]
    pub(crate) quick: bool,
    /// Seed of everything random.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Jobs at the same time; more than one spoils measured times.
    #[arg(long, default_value_t = 1)]
    pub(crate) parallel: usize,
    #[command(flatten)]
    pub(crate) run: run::Options,
}

/// An experiment under way.
pub(crate) struct Experiment {
    options: Options,
    directory: PathBuf,
    run: Run,
}

impl Options {
    /// Begins an experiment. Results go to a directory under `experiments`, named after it, unless the user wants another.
    pub(crate) fn begin(&self, name: &str) -> anyhow::Result<Experiment> {
        let size = if self.quick { "-quick" } else { "" };
        let by_default = || Path::new("experiments").join(format!("{name}{size}"));
        let directory = self.run.out.clone().unwrap_or_else(by_default);
        let run = self.run.prepare(&directory, self.parallel)?;
        Ok(Experiment { options: self.clone(), directory, run })
    }
}

impl Experiment {
    /// Begins its run on these terms.
    pub(crate) fn session<W: Work>(&mut self, work: W, terms: Terms) -> anyhow::Result<Session<'_, W>> {
        Ok(Session::begin(self.run.venue(), work, terms)?)
    }

    /// Does the jobs that the log does not hold yet, with a bar; all findings in the order of the jobs. Ends the program if it is
    /// interrupted.
    pub(crate) fn complete<W: Work>(
        &mut self,
        work: W,
        terms: Terms,
        jobs: &[Job<W::Task>],
    ) -> anyhow::Result<Vec<W::Finding>> {
        let bar = self.run.bar(jobs.len());
        run::complete(&mut self.session(work, terms)?, jobs, &bar)
    }

    /// A bar for so many jobs.
    pub(crate) fn bar(&self, jobs: usize) -> indicatif::ProgressBar {
        self.run.bar(jobs)
    }

    /// A report that says nothing yet but where its figures come from.
    pub(crate) fn report(&self, heading: &Heading) -> Report {
        let provenance = Provenance {
            command: command_line(env::args().skip(1)),
            seed: self.options.seed,
            version: BUILD.to_owned(),
        };
        Report::new(heading, provenance)
    }

    /// Prints a report and writes its files.
    pub(crate) fn finish(&self, report: &Report) -> anyhow::Result<()> {
        say!("{}", report.to_plain().trim_end());
        let directory = self.directory.display();
        report.write(&self.directory).with_context(|| format!("cannot write the report into {directory}"))?;
        if !self.options.run.quiet {
            eprintln!("report: {}", self.directory.join(REPORT_NAME).display());
        }
        Ok(())
    }
}

/// Options with a value that say where things are, and those without that change nothing about the figures.
const PLACES: [&str; 2] = ["--out", "--store"];
const MANNERS: [&str; 3] = ["--quiet", "--any-build", "--retry"];

/// The command line as typed, but for where the files go and what is shown on the way.
fn command_line(arguments: impl Iterator<Item = String>) -> String {
    let mut words = vec!["tesuji".to_owned()];
    let mut is_value = false;
    for argument in arguments {
        let is_place = PLACES.contains(&argument.as_str());
        let has_place = argument.split_once('=').is_some_and(|(name, _)| PLACES.contains(&name));
        let skipped = is_value || is_place || has_place || MANNERS.contains(&argument.as_str());
        is_value = is_place;
        if !skipped {
            let plain = argument.chars().all(|c| c.is_alphanumeric() || "-_=.,:/".contains(c));
            words.push(if plain { argument } else { format!("'{}'", argument.replace('\'', r"'\''")) });
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_leave_out_what_does_not_matter() {
        let line = |words: &str| command_line(words.split(' ').map(str::to_owned));
        assert_eq!(line("lab x --out a/b --seed 3"), "tesuji lab x --seed 3");
        assert_eq!(line("lab x --out=a --quiet --quick --retry"), "tesuji lab x --quick");
        assert_eq!(line("lab x --store postgres://secret --seed 3"), "tesuji lab x --seed 3");
        assert_eq!(command_line(["a b".to_owned()].into_iter()), "tesuji 'a b'");
    }
}
