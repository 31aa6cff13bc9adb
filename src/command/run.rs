//! What all commands that do jobs have in common: where results go, who does the jobs, a bar, and an orderly end on Ctrl-C.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{bail, ensure};
use clap::Args;
use indicatif::ProgressBar;
use tesuji_lab::checksum::Checksum;
use tesuji_lab::job::{
    Builds, Findings, Flow, Job, JobStore, LogStore, Progress, RunError, Session, Venue, Work, Workforce,
};

use super::progress;
#[cfg(feature = "postgres")]
use super::store;

/// The build of this program; see `build.rs`.
pub(crate) const BUILD: &str = env!("TESUJI_BUILD");

/// Options of every command that does jobs.
#[derive(Args, Clone, Debug, Default)]
#[group(id = "run")]
pub(crate) struct Options {
    /// Directory of the log and whatever else is written.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[cfg(feature = "postgres")]
    #[command(flatten)]
    shared: store::Sharing,
    /// Resume with results of another build of the program, or of an unknown one.
    #[arg(long)]
    pub(crate) any_build: bool,
    /// Tries jobs again that failed too often.
    #[arg(long)]
    pub(crate) retry: bool,
    /// Shows no progress.
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// A run about to begin.
pub(crate) struct Run {
    options: Options,
    store: Box<dyn JobStore>,
    workforce: Workforce,
    pub(crate) stop: Arc<AtomicBool>,
}

impl Options {
    /// Prepares a run whose results are kept in a directory.
    pub(crate) fn prepare(&self, directory: &Path, threads: usize) -> anyhow::Result<Run> {
        self.begin(|| LogStore::in_directory(directory), threads)
    }

    /// Prepares a run whose results are kept in the directory that the user names, and forgotten if there is none.
    pub(crate) fn prepare_fleeting(&self, threads: usize) -> anyhow::Result<Run> {
        match &self.out {
            Some(directory) => self.prepare(directory, threads),
            None => self.begin(LogStore::in_memory, threads),
        }
    }

    fn begin(&self, log: impl FnOnce() -> LogStore, threads: usize) -> anyhow::Result<Run> {
        ensure!(threads > 0, "at least one job has to be done at a time");
        let (store, workforce): (Box<dyn JobStore>, Workforce) = match self.shared_store()? {
            None => (Box::new(log()), Workforce::Threads(threads)),
            Some(store) => (store, Workforce::Others),
        };
        Ok(Run { options: self.clone(), store, workforce, stop: progress::stop_flag()? })
    }

    /// The store of a run that is one of several: the one that the user names, or a directory.
    pub(crate) fn store(&self, directory: &Path) -> anyhow::Result<Box<dyn JobStore>> {
        Ok(self.shared_store()?.unwrap_or_else(|| Box::new(LogStore::in_directory(directory))))
    }

    /// Whether the user names a store, whose workers do the jobs.
    #[cfg(feature = "postgres")]
    pub(crate) fn is_shared(&self) -> bool {
        self.shared.is_named()
    }

    #[cfg(not(feature = "postgres"))]
    pub(crate) fn is_shared(&self) -> bool {
        false
    }

    /// Whether results of other builds are taken.
    pub(crate) fn builds(&self) -> Builds {
        if self.any_build { Builds::Any } else { Builds::Same }
    }

    #[cfg(feature = "postgres")]
    fn shared_store(&self) -> anyhow::Result<Option<Box<dyn JobStore>>> {
        let Some(store) = self.shared.open()? else { return Ok(None) };
        if !self.quiet {
            eprintln!("jobs: {}; done by `tesuji worker` of build {BUILD}", store.place());
        }
        Ok(Some(Box::new(store)))
    }

    #[cfg(not(feature = "postgres"))]
    fn shared_store(&self) -> anyhow::Result<Option<Box<dyn JobStore>>> {
        Ok(None)
    }

    /// Puts files that the jobs need where workers find them, if others do the jobs.
    #[cfg(feature = "postgres")]
    pub(crate) fn share(&self, files: &[(PathBuf, Checksum)]) -> anyhow::Result<()> {
        if files.is_empty() {
            return Ok(());
        }
        let Some(mut store) = self.shared.open()? else { return Ok(()) };
        for (path, checksum) in files {
            if store.keep_file(path, checksum)? && !self.quiet {
                eprintln!("{} is in the store now", path.display());
            }
        }
        Ok(())
    }

    #[cfg(not(feature = "postgres"))]
    pub(crate) fn share(&self, _files: &[(PathBuf, Checksum)]) -> anyhow::Result<()> {
        Ok(())
    }
}

impl Run {
    /// Where and how it takes place.
    pub(crate) fn venue(&mut self) -> Venue<'_> {
        Venue {
            store: &mut *self.store,
            build: BUILD,
            builds: self.options.builds(),
            workforce: self.workforce,
            retry: self.options.retry,
            stop: &self.stop,
        }
    }

    /// A bar for so many jobs.
    pub(crate) fn bar(&self, jobs: usize) -> ProgressBar {
        progress::bar(jobs, self.options.quiet)
    }
}

/// Does jobs with a bar; all findings in the order of the jobs. Ends the program if it is interrupted.
pub(crate) fn complete<W: Work>(
    session: &mut Session<'_, W>,
    jobs: &[Job<W::Task>],
    bar: &ProgressBar,
) -> anyhow::Result<Vec<W::Finding>> {
    bar.set_length(jobs.len() as u64);
    let findings: Findings<W::Finding> = session.complete(jobs, |progress: &Progress<'_, W::Finding>| {
        let ended = progress.done + progress.failed;
        match progress.last {
            None => progress::begin_at(bar, ended),
            Some(_) => bar.set_position(ended as u64),
        }
        if progress.failed > 0 {
            bar.set_message(format!("{} failed", progress.failed));
        }
        Flow::GoOn
    })?;
    bar.finish_and_clear();
    match findings.all() {
        Ok(all) => Ok(all),
        Err(RunError::Interrupted) => progress::exit_interrupted(),
        Err(error) => bail!(error),
    }
}
