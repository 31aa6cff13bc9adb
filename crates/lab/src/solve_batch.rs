//! Batches of life-and-death problems: solved as jobs, compared with the authors' answers, summed up.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};
use tesuji_board::{Diagram, Move, Size};
use tesuji_engine::PolicyAdvisor;
use tesuji_solve::{
    Completed, Detail, Judgement, Limits, MAX_CANDIDATES, Problem, Record, Solution, Solver, read_json_line,
    write_json_line,
};

use crate::job::{Job, JobError, Work};
use crate::problem_line::write_record_line;
use crate::statistics::{Estimate, Interval};
use crate::stopwatch::thread_seconds;
use crate::table::{Style, TextTable};
use crate::terms::Terms;

/// How problems are solved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolveBatch {
    /// The limits of each problem.
    pub patience: Patience,
    /// Bytes for the table of a thread.
    pub table_bytes: usize,
    /// Whether the program's network says which moves to look at first.
    #[serde(default)]
    pub is_advised: bool,
    /// Whether a contradiction of the author is shown with lines of play, which takes more searching.
    pub shows_lines: bool,
}

/// Limits for one problem.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Patience {
    /// Most nodes.
    pub nodes: u64,
    /// Most seconds of the processor.
    pub seconds: f64,
}

/// A problem to be solved, as a JSON line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProblemTask {
    /// The line.
    pub problem: String,
}

/// A problem, what came of it, and how long it took.
pub struct Solved {
    /// The problem as it was understood.
    pub completed: Completed,
    /// What was proved.
    pub solution: Solution,
    /// Seconds of the processor.
    pub seconds: f64,
}

/// What came of a problem of a batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolveFinding {
    /// How the proof compares with the author's answer.
    pub judgement: Judgement,
    /// Nodes searched.
    pub nodes: u64,
    /// Seconds of the processor.
    pub seconds: f64,
    /// Empty points of the region.
    pub empty_points: usize,
    /// The problem with its region and the proved answer, as a JSON line.
    pub line: String,
    /// More about a contradiction, in lines for people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contradiction: Vec<String>,
}

/// Bytes for the table that finds lines against an author's move.
const LINE_BYTES: usize = 64 << 20;

/// More than this for a table is a mistake, or malice.
const MOST_BYTES: usize = 1 << 36;

impl Patience {
    /// Solves the problem that is meant, and says how many seconds that took; nothing if there is none.
    pub fn solve(
        &self,
        solver: &mut Solver,
        candidates: Vec<Completed>,
        detail: Detail,
        stop: &AtomicBool,
    ) -> Option<Solved> {
        let started = thread_seconds();
        let seconds = || thread_seconds() - started;
        let has_time = || seconds() < self.seconds;
        let limits = Limits { nodes: self.nodes, stop, has_time: &has_time };
        let (completed, solution) = solver.solve_meant(candidates, detail, &limits)?;
        Some(Solved { completed, solution, seconds: seconds() })
    }
}

impl SolveBatch {
    /// What findings depend on besides their problems.
    pub fn terms(&self) -> Terms {
        Terms::from_iter([
            ("nodes".to_owned(), self.patience.nodes.into()),
            ("seconds".to_owned(), self.patience.seconds.into()),
            ("table bytes".to_owned(), self.table_bytes.into()),
            ("lines".to_owned(), self.shows_lines.into()),
            ("advised".to_owned(), self.is_advised.into()),
        ])
    }

    /// A job per record; keys are numbers and names, because names alone need not be unique.
    pub fn jobs<'a>(records: impl Iterator<Item = &'a Record>) -> Vec<Job<ProblemTask>> {
        let job = |(number, record): (usize, &Record)| Job {
            key: format!("{:06} {}", number + 1, record.id),
            task: ProblemTask { problem: write_record_line(record) },
        };
        records.enumerate().map(job).collect()
    }

    /// What contradicts the author: the answers, the board, and lines of play for both.
    fn contradiction(&self, record: &Record, solved: &Solved, stop: &AtomicBool) -> Vec<String> {
        let Solved { completed: Completed { problem, .. }, solution, .. } = solved;
        let size = problem.board().size();
        let mut lines = vec![format!(
            "{} to {}; author: {} {}; proved: {}, {}",
            problem.to_move(),
            problem.goal(),
            record.result,
            move_names(&record.accepted, size),
            solution.verdict(),
            move_names(&solution.best_moves, size),
        )];
        lines.extend(picture(problem).to_string().trim_end().lines().map(str::to_owned));
        lines.push(format!("  proof: {}", solution.line.to_gtp(size)));
        let same = vec![Completed {
            problem: problem.clone(),
            smaller: Vec::new(),
            wider: Vec::new(),
            remarks: Vec::new(),
            is_target_guessed: false,
        }];
        let refuted = self.patience.solve(&mut Solver::new(LINE_BYTES), same, Detail::Refutations, stop);
        let refutations = refuted.map(|solved| solved.solution.refutations).unwrap_or_default();
        for refutation in refutations.iter().filter(|line| record.accepted.contains(&line.moves[0])) {
            lines.push(format!("  against the author: {}", refutation.to_gtp(size)));
        }
        lines
    }
}

impl Work for SolveBatch {
    const KIND: &'static str = "solve";
    type Task = ProblemTask;
    type Finding = SolveFinding;
    type Tools = Solver;

    fn tools(&self) -> Result<Solver, JobError> {
        if self.table_bytes > MOST_BYTES {
            return Err(JobError::Refused(format!("a table of {} bytes", self.table_bytes)));
        }
        let solver = Solver::new(self.table_bytes);
        Ok(if self.is_advised { solver.advised_by(Box::new(PolicyAdvisor::default())) } else { solver })
    }

    fn work(
        &self,
        solver: &mut Solver,
        task: &ProblemTask,
        stop: &AtomicBool,
    ) -> Result<SolveFinding, JobError> {
        let record = read_json_line(&task.problem).map_err(|error| JobError::Refused(error.to_string()))?;
        let candidates = record.draft.clone().candidates(MAX_CANDIDATES);
        let candidates = candidates.map_err(|error| JobError::Refused(error.to_string()))?;
        let solved = self.patience.solve(solver, candidates, Detail::AllMoves, stop);
        let solved = solved.ok_or_else(|| JobError::Refused("there is nothing to solve".to_owned()))?;
        let Solved { completed: Completed { problem, .. }, solution, seconds } = &solved;
        let judgement = Judgement::of(&record, problem, solution);
        let contradiction = match judgement {
            Judgement::Contradicts if self.shows_lines => self.contradiction(&record, &solved, stop),
            _ => Vec::new(),
        };
        if stop.load(Ordering::Relaxed) {
            return Err(JobError::Interrupted);
        }
        Ok(SolveFinding {
            judgement,
            nodes: solution.nodes,
            seconds: *seconds,
            empty_points: problem.empty_points(),
            line: write_json_line(&record, problem, solution),
            contradiction,
        })
    }
}

/// The sums of a batch, by collection and rank.
#[derive(Default)]
pub struct SolveSummary {
    rows: BTreeMap<(String, usize, String), Sum>,
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

impl SolveSummary {
    /// Counts a line that is no problem.
    pub fn add_unreadable(&mut self) {
        self.rows.entry((String::new(), 0, String::new())).or_default().unusable += 1;
    }

    /// How many problems cannot be used.
    pub fn unusable(&self) -> usize {
        self.rows.values().map(|row| row.unusable).sum()
    }

    /// Counts a record that makes no problem.
    pub fn add_unusable(&mut self, record: &Record) {
        self.rows.entry(row_of(record)).or_default().unusable += 1;
    }

    /// Counts what came of a problem.
    pub fn add(&mut self, record: &Record, finding: &SolveFinding) {
        self.rows.entry(row_of(record)).or_default().add(finding);
    }

    /// The sums as a table.
    pub fn table(&self) -> String {
        let mut table = TextTable::new(&[
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
        for ((source, _, rank), sum) in &self.rows {
            table.add(sum.row(source, rank));
            total.join(sum);
        }
        table.add(total.row("all", ""));
        table.render(Style::Plain)
    }
}

impl Sum {
    fn add(&mut self, finding: &SolveFinding) {
        self.problems += 1;
        match finding.judgement {
            Judgement::Agrees => self.agree += 1,
            Judgement::Contradicts => self.contradict += 1,
            Judgement::Undecided => self.undecided += 1,
            Judgement::NoAnswer => {}
        }
        let is_decided = finding.judgement != Judgement::Undecided;
        self.decided_in_a_second += usize::from(is_decided && finding.seconds <= 1.0);
        self.nodes += finding.nodes;
        self.seconds += finding.seconds;
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
        let share = |part: usize, whole: usize| match Estimate::share(part, whole) {
            None => "–".to_owned(),
            Some(Estimate { value, interval: None }) => format!("{value:.1} %"),
            Some(Estimate { value, interval: Some(Interval { low, high }) }) => {
                format!("{value:.1} % ({low:.0}–{high:.0})")
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

/// The row of a problem: its collection, and its rank or else what the author says of the outcome, easy ranks first.
fn row_of(record: &Record) -> (String, usize, String) {
    let label = if record.rank.is_empty() { &record.result } else { &record.rank };
    let number = record.rank.trim_end_matches(['k', 'd', 'p']).parse::<usize>().unwrap_or(0);
    let order = if record.rank.ends_with('k') { 100usize.saturating_sub(number) } else { 100 + number };
    (record.source.clone(), order, label.clone())
}

/// The board with the target marked and the empty points of the region named.
pub fn picture(problem: &Problem) -> Diagram {
    let mut diagram = Diagram::of(problem.board());
    diagram.to_play = Some(problem.to_move());
    for stone in problem.target_stones().iter() {
        diagram.mark(stone);
    }
    for point in problem.region().iter() {
        diagram.set_name(point, 'r');
    }
    diagram
}

/// Moves in the words of GTP.
pub fn move_names(moves: &[Move], size: Size) -> String {
    moves.iter().map(|mv| mv.to_gtp(size)).collect::<Vec<String>>().join(" ")
}
