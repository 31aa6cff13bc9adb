//! `tesuji worker`: takes jobs from a store and does them, until it is told to stop.
//!
//! Any number of workers on any number of machines may come and go. What one of them was at when it went is handed to another.

use std::collections::BTreeSet;
use std::env;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::ensure;
use clap::Args;
use tesuji_lab::file_cache::FileCache;
use tesuji_lab::host::{Host, Trust};
use tesuji_lab::job::{Claimant, JobStore, Pool};
use tesuji_lab::registry::Registry;
use tesuji_postgres::PostgresLibrary;

use super::run::BUILD;
use super::{progress, store};

#[derive(Args)]
pub(crate) struct Options {
    #[command(flatten)]
    store: store::Options,
    /// Jobs at the same time.
    #[arg(long, default_value_t = 1)]
    parallel: usize,
    /// A command line that matches may start here, exactly as `--engine` of the match names it; may be repeated. Engines that are presets
    /// need no permission.
    #[arg(long, value_name = "COMMAND")]
    allow: Vec<String>,
    /// Directory for networks that jobs need, which are kept there by their checksums; by default `tesuji` in the user's cache.
    #[arg(long, value_name = "DIR", env = "TESUJI_CACHE")]
    cache: Option<PathBuf>,
    /// Seconds after which jobs of a worker that is not heard of go to another; they are renewed three times in that time.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    lease: u64,
    /// What the store calls this worker; by default the name of the machine and the process.
    #[arg(long)]
    name: Option<String>,
    /// Ends when there is nothing left to do.
    #[arg(long)]
    until_done: bool,
    /// Says nothing but errors.
    #[arg(long)]
    quiet: bool,
}

/// How long to wait for jobs, or for a store that is away.
const WAIT: Duration = Duration::from_millis(200);
const AWAY: Duration = Duration::from_millis(500);
/// How often an idle worker looks at all runs, which costs the server more than a claim.
const LOOK: Duration = Duration::from_secs(10);
const LOOK_FOR_THE_END: Duration = Duration::from_secs(1);

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        ensure!(self.parallel > 0, "--parallel must be at least 1");
        let stop = progress::stop_flag()?;
        let mut store = self.store.open()?.with_lease(Duration::from_secs(self.lease));
        let library = PostgresLibrary::new(self.store.place()?);
        let files = FileCache::new(self.cache.clone().unwrap_or_else(usual_cache), Box::new(library));
        let trust = Trust::Only { commands: self.allow.clone(), files: Some(Arc::new(files)) };
        let host = Host { program: env::current_exe()?, trust };
        let kinds = Registry::KINDS.map(str::to_owned).to_vec();
        let name = self.name.clone().unwrap_or_else(name_of_process);
        let claimant = Claimant { name: name.clone(), build: BUILD.to_owned(), kinds };
        let mut pool = Pool::start(self.parallel, Arc::new(Registry::new(host)), claimant)?;
        self.say(&format!("{name}: build {BUILD}, {} jobs at a time", self.parallel));
        let mut refused = BTreeSet::new();
        let mut is_away = false;
        let mut next_look = Instant::now();
        while !stop.load(Ordering::Relaxed) {
            match pool.step(&mut store, WAIT) {
                Ok(busy) => {
                    if std::mem::take(&mut is_away) {
                        self.say("the store is back");
                    }
                    if busy == 0 && Instant::now() >= next_look {
                        next_look = Instant::now() + if self.until_done { LOOK_FOR_THE_END } else { LOOK };
                        self.tell_other_builds(&mut store, &mut refused);
                        if self.until_done && is_idle(&mut store) {
                            break;
                        }
                    }
                }
                Err(error) if error.is_transient() => {
                    if !std::mem::replace(&mut is_away, true) {
                        eprintln!("{error}; waiting");
                    }
                    thread::sleep(AWAY);
                }
                Err(error) => return Err(error.into()),
            }
        }
        pool.close(&mut store)?;
        Ok(())
    }

    /// Tells of runs that wait for other builds, each once.
    fn tell_other_builds(&self, store: &mut dyn JobStore, told: &mut BTreeSet<String>) {
        for run in store.runs().unwrap_or_default() {
            if run.counts.open > 0 && run.spec.build != BUILD && told.insert(run.id.clone()) {
                eprintln!(
                    "{} jobs of run {} wait for build {}; this worker is build {BUILD} and does not take them",
                    run.counts.open, run.id, run.spec.build
                );
            }
        }
    }

    fn say(&self, line: &str) {
        if !self.quiet {
            eprintln!("{line}");
        }
    }
}

/// Whether no run of this build has anything left to do.
fn is_idle(store: &mut dyn JobStore) -> bool {
    let is_over = |run: &tesuji_lab::job::RunInfo| run.counts.left() == 0 || run.spec.build != BUILD;
    store.runs().is_ok_and(|runs| runs.iter().all(is_over))
}

/// Where programs of this user keep what can be had again.
fn usual_cache() -> PathBuf {
    let path = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || path("HOME").map(|home| home.join(".cache"));
    let base = path("XDG_CACHE_HOME").or_else(home).or_else(|| path("LOCALAPPDATA"));
    base.unwrap_or_else(env::temp_dir).join("tesuji")
}

fn name_of_process() -> String {
    let machine = std::fs::read_to_string("/etc/hostname").ok().or_else(|| env::var("COMPUTERNAME").ok());
    let machine = machine.as_deref().map_or("worker", str::trim);
    format!("{machine}/{}", std::process::id())
}
