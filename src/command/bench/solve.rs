//! `tesuji bench solve`: proofs per minute over the problems of `tests/tsumego`, and the memory that a proof takes.

use crate::argument::solver;
use crate::say::say;
use anyhow::ensure;
use clap::Args;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tesuji_lab::stopwatch::thread_seconds;
use tesuji_solve::{Detail, Fate, Limits, Problem, Solver, read_diagram, read_problems};

/// Problems of our own making, with all their answers proved.
const PROBLEMS: &str = include_str!("../../../tests/tsumego/own.jsonl");

/// More room than any search will exhaust.
const ENDLESS: &str = "
XXXXXXXXXXX
X.........X
X.........X
X.........X
X....@....X
X.........X
X.........X
X.........X
XX.......XX
.XXXXXXXXX.
to play: X
goal: kill
";

#[derive(Args)]
pub(crate) struct Options {
    /// How often all problems are solved.
    #[arg(long, default_value_t = 1)]
    rounds: usize,
    /// Mebibytes for the solver.
    #[arg(long, value_name = "MIB", default_value_t = 64)]
    memory: usize,
    /// Instead, work on an endless problem for this many seconds and print the memory in use.
    #[arg(long, value_name = "SECONDS")]
    endless: Option<f64>,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        ensure!(self.rounds > 0, "--rounds must be at least 1");
        let before = peak_memory();
        let mut solver = solver(self.memory, 1)?;
        if let Some(seconds) = self.endless {
            return endless(&mut solver, Duration::try_from_secs_f64(seconds)?, before);
        }
        let problems: Vec<Problem> = read_problems("own.jsonl", PROBLEMS.as_bytes())?
            .into_iter()
            .map(|record| Ok(record?.draft.complete()?.problem))
            .collect::<anyhow::Result<_>>()?;
        let stop = AtomicBool::new(false);
        let limits = Limits { nodes: u64::MAX, stop: &stop, has_time: &|| true };
        let started = thread_seconds();
        let mut nodes = 0;
        for problem in (0..self.rounds).flat_map(|_| &problems) {
            nodes += solver.solve(problem, Detail::AllMoves, &limits).nodes;
        }
        let seconds = thread_seconds() - started;
        let number = problems.len() * self.rounds;
        say!(
            "problems {number} nodes {nodes} seconds {seconds:.3} nodes/s {:.0} problems/min {:.0} table {} MiB",
            nodes as f64 / seconds,
            60.0 * number as f64 / seconds,
            solver.bytes() >> 20
        );
        Ok(())
    }
}

fn endless(solver: &mut Solver, time: Duration, before: Option<u64>) -> anyhow::Result<()> {
    let problem = read_diagram(ENDLESS)?.draft.complete()?.problem;
    let stop = AtomicBool::new(false);
    let (started, work_before) = (Instant::now(), thread_seconds());
    let limits = Limits { nodes: u64::MAX, stop: &stop, has_time: &|| started.elapsed() < time };
    let solution = solver.solve(&problem, Detail::AllMoves, &limits);
    let (seconds, work) = (started.elapsed().as_secs_f64(), thread_seconds() - work_before);
    ensure!(solution.fate == Fate::Unknown, "the problem without end has one: {}", solution.fate);
    let growth = before.zip(peak_memory()).map(|(before, after)| after - before);
    let growth = growth.map_or("unknown".to_owned(), |kib| format!("{:.1} MiB", kib as f64 / 1024.0));
    say!(
        "nodes {} seconds {seconds:.1} of the processor {work:.1} nodes/s {:.0} table {:.1} MiB resident memory grew by {growth}",
        solution.nodes,
        solution.nodes as f64 / work,
        solver.bytes() as f64 / f64::from(1 << 20),
    );
    Ok(())
}

/// Most kibibytes that the process ever had in memory, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}
