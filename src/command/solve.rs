//! `tesuji solve`: life and death, proved.
//!
//! One problem is shown with its diagram, verdict, principal line and statistics; several are solved as a batch, compared with
//! the authors' answers and summed up in a table.

mod batch;

use anyhow::{Context, bail, ensure};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use tesuji_engine::PolicyAdvisor;
use tesuji_lab::line_log::write_file;
use tesuji_lab::solve_batch::{Patience, Solved, move_names, picture};
use tesuji_solve::{Completed, Detail, Fate, Record};
use tesuji_solve::{MAX_CANDIDATES, read_problems, write_json_line, write_sgf};

use crate::argument::{self, names, team};
use crate::command::{progress, run};
use crate::say::say;

#[derive(Args)]
pub(crate) struct Options {
    /// Problems: SGF, JSON lines (both also compressed with zstd) or a text diagram; - is standard input.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Finds all best first moves, not only one; a batch always does.
    #[arg(long)]
    all_moves: bool,
    /// Writes the solved problem as SGF, with a refutation of each wrong first move.
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
    /// Writes the solved problems as JSON lines, with their region and the proved answer.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Most nodes per problem.
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    nodes: u64,
    /// Most seconds of the processor per problem, of one thread.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    time: f64,
    /// Mebibytes for the tables of all threads together.
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    memory: usize,
    /// Asks the program's network which moves to look at first.
    #[arg(long)]
    ask_network: bool,
    /// Threads: those that work on one problem together, or the problems of a batch that are solved at the same time, each on one thread.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Batch: only the first N problems that qualify.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Batch: only every Nth problem.
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    /// Batch: only problems of this category.
    #[arg(long)]
    category: Option<String>,
    /// Batch: only problems whose goal the source states or guesses.
    #[arg(long)]
    with_goal: bool,
    /// Batch: only regions with at most N empty points.
    #[arg(long, value_name = "N")]
    max_empty: Option<usize>,
    /// Batch: lists what contradicts the authors, with both lines of play, and what is undecided.
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    run: run::Options,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        ensure!(self.threads > 0, "--threads must be at least 1");
        ensure!(self.every > 0, "--every must be at least 1");
        ensure!(self.time >= 0.0, "--time is no number of seconds");
        let mut problems = Vec::new();
        for path in &self.files {
            problems.extend(read(path)?);
        }
        match problems.as_slice() {
            [] => bail!("there is no problem in {}", names(&self.files)),
            [problem] => {
                let record =
                    problem.as_ref().map_err(|error| anyhow::anyhow!("{}: {error}", names(&self.files)))?;
                self.show(record, &*progress::stop_flag()?)
            }
            _ => self.run_batch(&problems),
        }
    }

    fn patience(&self) -> Patience {
        Patience { nodes: self.nodes, seconds: self.time }
    }

    fn show(&self, record: &Record, stop: &AtomicBool) -> anyhow::Result<()> {
        let candidates = record.draft.clone().candidates(MAX_CANDIDATES)?;
        let detail = match (&self.sgf, self.all_moves) {
            (Some(_), _) => Detail::Refutations,
            (None, true) => Detail::AllMoves,
            (None, false) => Detail::Line,
        };
        let mut solver = team(self.memory, self.threads)?;
        if self.ask_network {
            solver = solver.advised_by(Box::new(PolicyAdvisor::default()));
        }
        let solved = self.patience().solve(&mut solver, candidates, detail, stop);
        let solved = solved.context("there is nothing to solve")?;
        let Solved { completed: Completed { problem, remarks, .. }, solution, seconds } = solved;
        say!("{}", picture(&problem).to_string().trim_end());
        say!("{} to {}; the target is marked, the region named r", problem.to_move(), problem.goal());
        for remark in record.remarks.iter().chain(&remarks) {
            say!("note: {remark}");
        }
        let size = problem.board().size();
        say!("the target: {}", solution.verdict());
        say!("{}", solution.in_words(&problem));
        if !solution.best_moves.is_empty() {
            let name = if detail >= Detail::AllMoves { "best moves" } else { "best move" };
            say!("{name}: {}", move_names(&solution.best_moves, size));
        }
        if !solution.undecided.is_empty() {
            say!("undecided moves: {}", move_names(&solution.undecided, size));
        }
        if solution.fate != Fate::Unknown {
            say!("line: {}", solution.line.to_gtp(size));
        }
        say!(
            "{} nodes in {seconds:.2} s, {:.0} nodes/s, table {} MiB",
            solution.nodes,
            solution.nodes as f64 / seconds.max(1e-9),
            solver.bytes() >> 20
        );
        if let Some(path) = &self.sgf {
            write(path, &write_sgf(&problem, &record.id, &solution))?;
        }
        if let Some(path) = &self.json {
            write(path, &(write_json_line(record, &problem, &solution) + "\n"))?;
        }
        Ok(())
    }
}

fn read(path: &Path) -> anyhow::Result<Vec<Result<Record, tesuji_solve::ReadError>>> {
    let bytes = argument::read(path)?;
    // The name tells the format; standard input has none, so its first letter does.
    let name = match bytes.trim_ascii_start().first() {
        _ if !argument::is_standard_input(path) => path.to_string_lossy(),
        Some(b'(') => "-.sgf".into(),
        Some(b'{') => "-.jsonl".into(),
        _ => "-".into(),
    };
    read_problems(&name, &bytes).with_context(|| format!("cannot read {}", path.display()))
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    write_file(path, text).with_context(|| format!("cannot write {}", path.display()))
}
