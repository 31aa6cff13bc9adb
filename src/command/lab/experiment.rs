//! What all experiments of the laboratory have in common: their options, how they run, and where their reports go.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, ensure};
use clap::Args;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tesuji_lab::experiment::{Job, Setup, run};
use tesuji_lab::report::{Heading, Provenance, Report};
use tesuji_lab::terms::Terms;

use crate::command::progress;
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
    /// Directory of the log and the report; by default under `experiments`, named after the experiment.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Shows no progress.
    #[arg(long)]
    quiet: bool,
}

/// An experiment under way.
pub(crate) struct Experiment {
    options: Options,
    directory: PathBuf,
    terms: Terms,
    /// Raised when it shall end; jobs that take long look at it.
    pub(crate) stop: Arc<AtomicBool>,
}

impl Options {
    /// Begins an experiment. `terms` are what its results depend on besides seed, size and version; results on other terms are not
    /// mixed with them.
    pub(crate) fn begin(&self, name: &str, terms: Terms) -> anyhow::Result<Experiment> {
        ensure!(self.parallel > 0, "--parallel must be at least 1");
        let mut all = Terms::from_iter([
            ("experiment".to_owned(), name.into()),
            ("seed".to_owned(), self.seed.into()),
            ("version".to_owned(), env!("CARGO_PKG_VERSION").into()),
        ]);
        all.extend(terms);
        let size = if self.quick { "-quick" } else { "" };
        let directory =
            self.out.clone().unwrap_or_else(|| Path::new("experiments").join(format!("{name}{size}")));
        Ok(Experiment { options: self.clone(), directory, terms: all, stop: progress::stop_flag()? })
    }
}

impl Experiment {
    /// Does the jobs that the log does not hold yet, with a bar; all results in the order of the jobs. Ends the program if it is
    /// interrupted. `worker` is as in [`tesuji_lab::experiment::run`].
    pub(crate) fn run<J, R, W>(
        &self,
        jobs: &[Job<J>],
        worker: impl Fn() -> W + Sync,
    ) -> anyhow::Result<Vec<R>>
    where
        J: Sync,
        R: Serialize + DeserializeOwned + Send,
        W: FnMut(&J) -> Option<R>,
    {
        let setup = Setup {
            directory: &self.directory,
            terms: &self.terms,
            workers: self.options.parallel,
            stop: &self.stop,
        };
        let bar = progress::bar(jobs.len(), self.options.quiet);
        let mut begun = false;
        let results = run(&setup, jobs, worker, |done| {
            match begun {
                true => bar.set_position(done as u64),
                false => progress::begin_at(&bar, done),
            }
            begun = true;
        })?;
        bar.finish_and_clear();
        Ok(results.unwrap_or_else(|| progress::exit_interrupted()))
    }

    /// A report that says nothing yet but where its figures come from.
    pub(crate) fn report(&self, heading: &Heading) -> Report {
        let provenance = Provenance {
            command: command_line(env::args().skip(1)),
            seed: self.options.seed,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        Report::new(heading, provenance)
    }

    /// Prints a report and writes its files.
    pub(crate) fn finish(&self, report: &Report) -> anyhow::Result<()> {
        say!("{}", report.to_plain().trim_end());
        let directory = self.directory.display();
        report.write(&self.directory).with_context(|| format!("cannot write the report into {directory}"))?;
        if !self.options.quiet {
            eprintln!("report: {}", self.directory.join(tesuji_lab::report::REPORT_NAME).display());
        }
        Ok(())
    }
}

/// The command line as typed, but for where the files go and what is shown on the way.
fn command_line(arguments: impl Iterator<Item = String>) -> String {
    let mut words = vec!["tesuji".to_owned()];
    let mut is_value = false;
    for argument in arguments {
        let skipped =
            is_value || argument == "--quiet" || argument == "--out" || argument.starts_with("--out=");
        is_value = argument == "--out";
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
        assert_eq!(line("lab x --out=a --quiet --quick"), "tesuji lab x --quick");
        assert_eq!(command_line(["a b".to_owned()].into_iter()), "tesuji 'a b'");
    }
}
