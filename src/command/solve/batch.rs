//! Many problems: solved in parallel, compared with the authors' answers, summed up.

use super::{Options, Patience, Solved, moves};
use crate::argument::solver;
use crate::command::progress;
use crate::say::say;
use anyhow::ensure;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tesuji_board::Size;
use tesuji_lab::statistics::wilson;
use tesuji_lab::table::{Style, Table};
use tesuji_solve::write_json_line;
use tesuji_solve::{
    Completed, Detail, Judgement, MAX_CANDIDATES, Problem, ReadError, Record, Solution, Solver,
};

/// What came of one problem.
struct Outcome {
    record: Record,
    problem: Problem,
    solution: Solution,
    judgement: Judgement,
    seconds: f64,
}

impl Outcome {
    fn new(record: Record, solved: Solved) -> Outcome {
        let Solved { completed: Completed { problem, .. }, solution, seconds } = solved;
        let judgement = Judgement::of(&record, &problem, &solution);
        Outcome { record, problem, solution, judgement, seconds }
    }
}

/// A row of the table.
#[derive(Default)]
struct Sum {
    problems: usize,
    agree: usize,
    contradict: usize,
    undecided: usize,
    decided_in_a_second: usize,
    unusable: usize,
    nodes: u64,
    seconds: f64,
}

impl Options {
    pub(super) fn run_batch(
        &self,
        problems: &[Result<Record, ReadError>],
        patience: &Patience,
    ) -> anyhow::Result<()> {
        let mut sums: BTreeMap<(String, usize, String), Sum> = BTreeMap::new();
        let mut jobs = Vec::new();
        for read in problems.iter().step_by(self.every) {
            let record = match read {
                Ok(record) => record,
                Err(error) => {
                    self.tell_unusable("?", error);
                    sums.entry((String::new(), 0, String::new())).or_default().unusable += 1;
                    continue;
                }
            };
            let has_category = self.category.as_ref().is_none_or(|category| record.category == *category);
            if !has_category || (self.with_goal && record.draft.goal.is_none()) {
                continue;
            }
            match record.draft.clone().candidates(MAX_CANDIDATES) {
                Ok(candidates) => {
                    let first = candidates.first();
                    let empty_points = first.map_or(0, |completed| completed.problem.empty_points());
                    if self.max_empty.is_none_or(|most| empty_points <= most) {
                        jobs.push((record.clone(), candidates));
                    }
                }
                Err(error) => {
                    self.tell_unusable(&record.id, &error);
                    sums.entry(row_of(record)).or_default().unusable += 1;
                }
            }
        }
        jobs.truncate(self.limit.unwrap_or(usize::MAX));
        let unusable: usize = sums.values().map(|sum| sum.unusable).sum();
        ensure!(!jobs.is_empty(), "no problem can be used, and {unusable} cannot");
        let outcomes = self.solve_all(&jobs, patience)?;
        for outcome in &outcomes {
            sums.entry(row_of(&outcome.record)).or_default().add(outcome);
        }
        if self.list {
            outcomes.iter().for_each(|outcome| tell(outcome, patience));
        }
        say!("{}", table(&sums));
        if let Some(path) = &self.json {
            let lines = outcomes.iter().map(|o| write_json_line(&o.record, &o.problem, &o.solution) + "\n");
            super::write(path, &lines.collect::<String>())?;
        }
        Ok(())
    }

    fn tell_unusable(&self, id: &str, error: &dyn std::fmt::Display) {
        if self.list {
            say!("unusable: {id}: {error}");
        }
    }

    fn solve_all(
        &self,
        jobs: &[(Record, Vec<Completed>)],
        patience: &Patience,
    ) -> anyhow::Result<Vec<Outcome>> {
        let solvers = (0..self.threads).map(|_| solver(self.memory, self.threads));
        let solvers = solvers.collect::<anyhow::Result<Vec<Solver>>>()?;
        let bar = progress::bar(jobs.len(), self.quiet);
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::with_capacity(jobs.len()));
        let work = |mut solver: Solver| {
            while let Some((record, candidates)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                if patience.stop.load(Ordering::Relaxed) {
                    return;
                }
                let solved = patience.solve(&mut solver, candidates.clone(), Detail::AllMoves);
                bar.inc(1);
                if let (Some(solved), Ok(mut done)) = (solved, done.lock()) {
                    done.push(Outcome::new(record.clone(), solved));
                }
            }
        };
        std::thread::scope(|scope| {
            for solver in solvers {
                scope.spawn(|| work(solver));
            }
        });
        bar.finish_and_clear();
        let mut outcomes = done.into_inner().unwrap_or_default();
        outcomes.sort_by(|a, b| a.record.id.cmp(&b.record.id));
        Ok(outcomes)
    }
}

impl Sum {
    fn add(&mut self, outcome: &Outcome) {
        self.problems += 1;
        match outcome.judgement {
            Judgement::Agrees => self.agree += 1,
            Judgement::Contradicts => self.contradict += 1,
            Judgement::Undecided => self.undecided += 1,
            Judgement::NoAnswer => {}
        }
        let is_decided = outcome.judgement != Judgement::Undecided;
        self.decided_in_a_second += usize::from(is_decided && outcome.seconds <= 1.0);
        self.nodes += outcome.solution.nodes;
        self.seconds += outcome.seconds;
    }

    fn join(&mut self, other: &Sum) {
        self.problems += other.problems;
        self.agree += other.agree;
        self.contradict += other.contradict;
        self.undecided += other.undecided;
        self.decided_in_a_second += other.decided_in_a_second;
        self.unusable += other.unusable;
        self.nodes += other.nodes;
        self.seconds += other.seconds;
    }

    fn row(&self, source: &str, rank: &str) -> Vec<String> {
        let decided = self.problems - self.undecided;
        let share = |part: usize, whole: usize| match whole {
            0 => "–".to_owned(),
            _ => {
                let interval = wilson(part as f64, whole as f64).map(|rate| 100.0 * rate);
                let percent = 100.0 * part as f64 / whole as f64;
                format!("{percent:.1} % ({:.0}–{:.0})", interval.low, interval.high)
            }
        };
        let compared = self.agree + self.contradict;
        vec![
            source.to_owned(),
            rank.to_owned(),
            self.problems.to_string(),
            share(decided, self.problems),
            share(self.decided_in_a_second, self.problems),
            self.agree.to_string(),
            self.contradict.to_string(),
            self.undecided.to_string(),
            share(self.agree, compared),
            self.unusable.to_string(),
            self.nodes.to_string(),
            format!("{:.1}", self.seconds),
        ]
    }
}

fn table(sums: &BTreeMap<(String, usize, String), Sum>) -> String {
    let mut table = Table::new(&[
        "collection",
        "rank",
        "problems",
        "decided",
        "in 1 s",
        "agree",
        "contradict",
        "undecided",
        "agree of decided",
        "unusable",
        "nodes",
        "seconds",
    ]);
    let mut total = Sum::default();
    for ((source, _, rank), sum) in sums {
        table.add(sum.row(source, rank));
        total.join(sum);
    }
    table.add(total.row("all", ""));
    table.render(Style::Plain)
}

/// The row of a problem: its collection, and its rank or else what the author says of the outcome, easy ranks first.
fn row_of(record: &Record) -> (String, usize, String) {
    let label = if record.rank.is_empty() { &record.result } else { &record.rank };
    let number = record.rank.trim_end_matches(['k', 'd', 'p']).parse::<usize>().unwrap_or(0);
    let order = if record.rank.ends_with('k') { 100usize.saturating_sub(number) } else { 100 + number };
    (record.source.clone(), order, label.clone())
}

/// Shows a contradiction with a proof line against the author's move, or an undecided problem.
fn tell(outcome: &Outcome, patience: &Patience) {
    let Outcome { record, problem, solution, judgement, .. } = outcome;
    let size: Size = problem.board().size();
    match judgement {
        Judgement::Agrees | Judgement::NoAnswer => return,
        Judgement::Undecided => {
            say!("undecided: {}: {} empty points", record.id, problem.empty_points());
            return;
        }
        Judgement::Contradicts => {}
    }
    say!(
        "contradiction: {}: {} to {}; author: {} {}; proved: {}, {}",
        record.id,
        problem.to_move(),
        problem.goal(),
        record.result,
        moves(&record.accepted, size),
        solution.verdict(),
        moves(&solution.best_moves, size),
    );
    say!("{}", super::picture(problem).to_string().trim_end());
    say!("  proof: {}", solution.line.to_gtp(size));
    let same = vec![Completed { problem: problem.clone(), remarks: Vec::new(), is_target_guessed: false }];
    let refuted = patience.solve(&mut Solver::new(64 << 20), same, Detail::Refutations);
    let refutations = refuted.map(|solved| solved.solution.refutations).unwrap_or_default();
    for refutation in refutations.iter().filter(|line| record.accepted.contains(&line.moves[0])) {
        say!("  against the author: {}", refutation.to_gtp(size));
    }
}
