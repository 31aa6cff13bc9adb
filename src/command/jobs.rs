//! `tesuji jobs`: what a store holds, and what becomes of it.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use tesuji_lab::job::{JobStore, LogStore, RunInfo, run_of_directory, transfer};
use tesuji_lab::table::{Style, TextTable};
use tesuji_postgres::schema;

use super::{progress, store};
use crate::say::say;

#[derive(Args)]
pub(crate) struct Options {
    #[command(flatten)]
    store: store::Options,
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// List the runs and how their jobs stand.
    List,
    /// Show how a run proceeds until it is over.
    Watch(OneRun),
    /// Say why jobs of a run were given up.
    Errors(OneRun),
    /// Call off everything of a run that is not done.
    Cancel(OneRun),
    /// Open all jobs of a run again that were given up or called off.
    Retry(OneRun),
    /// Make a run more urgent than others; 0 is usual.
    Priority {
        #[command(flatten)]
        run: OneRun,
        /// Higher is more urgent.
        #[arg(allow_negative_numbers = true)]
        priority: i32,
    },
    /// Copy the results of a directory into the store.
    Import {
        /// The directory of a run.
        directory: PathBuf,
    },
    /// Copy the results of a run into a directory, where the command that began it can go on with them.
    Export {
        #[command(flatten)]
        run: OneRun,
        /// The directory, which may be new.
        directory: PathBuf,
    },
    /// Make the tables, or bring them to the version that this program needs.
    Migrate,
    /// Print the SQL that makes the roles of owners and workers.
    Roles,
}

#[derive(Args)]
struct OneRun {
    /// The run, or the beginning of its name if there is no other.
    run: String,
}

/// How often `watch` looks.
const LOOK: Duration = Duration::from_millis(500);

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match &self.action {
            Action::Roles => {
                say!("{}", schema::ROLES.trim_end());
                return Ok(());
            }
            Action::Migrate => {
                let before = schema::migrate(&mut self.store.place()?.connect()?)
                    .context("the tables cannot be made")?;
                say!("version {before} before, {} now", schema::VERSION);
                return Ok(());
            }
            _ => {}
        }
        let store = &mut self.store.open()?;
        match self.action {
            Action::List => list(store),
            Action::Watch(run) => {
                let run = run.find(store)?;
                watch(store, &run)
            }
            Action::Errors(run) => {
                let run = run.find(store)?;
                errors(store, &run)
            }
            Action::Cancel(run) => {
                let run = run.find(store)?;
                say!("{} jobs cancelled", store.cancel(&run.id)?);
                Ok(())
            }
            Action::Retry(run) => {
                let run = run.find(store)?;
                say!("{} jobs are open again", store.retry(&run.id)?);
                Ok(())
            }
            Action::Priority { run, priority } => {
                let run = run.find(store)?;
                Ok(store.set_priority(&run.id, priority)?)
            }
            Action::Import { directory } => {
                let spec = run_of_directory(&directory)?;
                let mut log = LogStore::in_directory(&directory);
                let run = log.begin(&spec, tesuji_lab::job::Builds::Same)?;
                say!("{} results copied", transfer(&mut log, &run, &spec, store)?);
                Ok(())
            }
            Action::Export { run, directory } => {
                let run = run.find(store)?;
                let mut log = LogStore::in_directory(&directory);
                say!("{} results copied", transfer(store, &run.id, &run.spec, &mut log)?);
                Ok(())
            }
            Action::Migrate | Action::Roles => Ok(()),
        }
    }
}

impl OneRun {
    fn find(&self, store: &mut dyn JobStore) -> anyhow::Result<RunInfo> {
        let mut found: Vec<RunInfo> =
            store.runs()?.into_iter().filter(|run| run.id.starts_with(&self.run)).collect();
        match (found.pop(), found.len()) {
            (None, _) => bail!("there is no run '{}'", self.run),
            (Some(run), 0) => Ok(run),
            (Some(_), _) => bail!("several runs begin with '{}'", self.run),
        }
    }
}

fn list(store: &mut dyn JobStore) -> anyhow::Result<()> {
    let mut table =
        TextTable::new(&["run", "kind", "build", "open", "claimed", "done", "failed", "cancelled"]);
    for RunInfo { id, spec, counts } in store.runs()? {
        let numbers = [counts.open, counts.claimed, counts.done, counts.failed, counts.cancelled];
        let words = [id, spec.kind, spec.build].into_iter();
        table.add(words.chain(numbers.map(|number| number.to_string())).collect());
    }
    say!("{}", table.render(Style::Plain).trim_end());
    Ok(())
}

fn watch(store: &mut dyn JobStore, run: &RunInfo) -> anyhow::Result<()> {
    let stop = progress::stop_flag()?;
    let bar = progress::bar(0, false);
    let mut last = run.counts;
    progress::begin_at(&bar, last.done as usize);
    while !stop.load(Ordering::Relaxed) {
        bar.set_length(last.total());
        bar.set_position(last.done + last.failed + last.cancelled);
        bar.set_message(format!("{} at work, {} failed", last.claimed, last.failed));
        if last.left() == 0 {
            break;
        }
        thread::sleep(LOOK);
        match store.counts(&run.id) {
            Ok(counts) => last = counts,
            Err(error) if error.is_transient() => bar.set_message("the store is away"),
            Err(error) => return Err(error.into()),
        }
    }
    bar.finish_and_clear();
    say!("{} of {} done, {} failed, {} cancelled", last.done, last.total(), last.failed, last.cancelled);
    Ok(())
}

fn errors(store: &mut dyn JobStore, run: &RunInfo) -> anyhow::Result<()> {
    for ended in store.ended(&run.id, 0)?.0 {
        if let Err(reason) = ended.finding {
            say!("{}: {reason}", ended.key);
        }
    }
    Ok(())
}
