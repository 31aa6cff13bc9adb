//! Suites of next-move problems: how many an engine solves at how many playouts.
//!
//! An answer depends on the problem, the playouts, the player and its seed, and on nothing else; so answers can be found in any
//! order by several workers, and those that a log holds need not be found again. The same log, or none, gives the same table.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use tesuji_board::Move;
use tesuji_search::Rng;

use crate::line_log::{LineLog, LineLogError};
use crate::next_move::Problem;
use crate::pool::work_off;
use crate::statistics::{Estimate, Interval};
use crate::table::{Style, Table};

/// A file of problems under a name.
pub struct Suite {
    /// What tables call it.
    pub name: String,
    /// Its problems in the order in which they are asked.
    pub problems: Vec<Problem>,
}

/// How often to ask with how much effort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Playouts per problem.
    pub playouts: u64,
    /// Only so many problems of each suite.
    pub limit: Option<usize>,
}

/// Who is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The preset, and what was set besides.
    pub name: String,
    /// The seed of its search.
    pub seed: u64,
}

/// One answer, as the log holds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The problem.
    pub id: String,
    /// Playouts it was searched with.
    pub playouts: u64,
    /// The player's name.
    pub player: String,
    /// The player's seed.
    pub seed: u64,
    /// The answer as SGF letters, or `pass`.
    pub answer: String,
    /// Whether it is right.
    pub right: bool,
}

impl Suite {
    /// Puts the problems into an order that depends on the seed alone, so that the first few are a fair sample.
    pub fn shuffle(&mut self, seed: u64) {
        shuffle(&mut self.problems, seed);
    }
}

/// Puts items into an order that depends on their number and the seed alone.
pub fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut rng = Rng::new(seed);
    for last in (1..items.len()).rev() {
        items.swap(last, rng.below(last + 1));
    }
}

/// Asks everything that the log does not know yet, and returns all answers in the order of levels and suites.
///
/// `player` makes a worker's player: from a problem and playouts to a move. `watch` hears how many answers of how many there are.
pub fn run<P: FnMut(&Problem, u64) -> Move>(
    suites: &[Suite],
    levels: &[Level],
    candidate: &Candidate,
    (log, known): (&mut LineLog, Vec<Answer>),
    parallel: usize,
    player: impl Fn() -> P + Sync,
    mut watch: impl FnMut(usize, usize),
) -> Result<Vec<Answer>, LineLogError> {
    let of_candidate = known.into_iter().filter(|a| a.player == candidate.name && a.seed == candidate.seed);
    let mut answers: HashMap<(String, u64), Answer> =
        of_candidate.map(|answer| ((answer.id.clone(), answer.playouts), answer)).collect();
    let questions: Vec<(&Problem, u64)> = questions(suites, levels).collect();
    let is_open =
        |(problem, playouts): &&(&Problem, u64)| !answers.contains_key(&(problem.id.clone(), *playouts));
    let open: Vec<_> = questions.iter().filter(is_open).copied().collect();
    let mut done = questions.len() - open.len();
    watch(done, questions.len());
    let worker = || {
        let mut player = player();
        move |&(problem, playouts): &(&Problem, u64)| {
            Some(candidate.answer(problem, playouts, player(problem, playouts)))
        }
    };
    work_off(&open, parallel, &AtomicBool::new(false), worker, |_, answer| {
        log.add(&answer)?;
        answers.insert((answer.id.clone(), answer.playouts), answer);
        done += 1;
        watch(done, questions.len());
        Ok::<(), LineLogError>(())
    })?;
    let found = |(problem, playouts): (&Problem, u64)| answers.get(&(problem.id.clone(), playouts)).cloned();
    Ok(questions.into_iter().filter_map(found).collect())
}

impl Candidate {
    fn answer(&self, problem: &Problem, playouts: u64, mv: Move) -> Answer {
        let size = problem.size;
        Answer {
            id: problem.id.clone(),
            playouts,
            player: self.name.clone(),
            seed: self.seed,
            answer: mv.point().map_or_else(|| "pass".to_owned(), |point| point.to_sgf(size)),
            right: problem.is_right(mv),
        }
    }
}

fn questions<'a>(suites: &'a [Suite], levels: &'a [Level]) -> impl Iterator<Item = (&'a Problem, u64)> {
    levels.iter().flat_map(move |level| {
        let limit = level.limit.unwrap_or(usize::MAX);
        suites
            .iter()
            .flat_map(move |suite| suite.problems.iter().take(limit))
            .map(|problem| (problem, level.playouts))
    })
}

/// Right answers by suite, category and board size, a column per number of playouts.
pub fn table(suites: &[Suite], levels: &[Level], answers: &[Answer], style: Style) -> String {
    let right: HashMap<(&str, u64), bool> =
        answers.iter().map(|answer| ((answer.id.as_str(), answer.playouts), answer.right)).collect();
    let columns: Vec<String> = levels.iter().map(|level| format!("{} playouts", level.playouts)).collect();
    let mut header = vec!["suite", "problems"];
    header.extend(columns.iter().map(String::as_str));
    let mut table = Table::new(&header);
    let mut add = |name: String, problems: &[&Problem]| {
        let mut row = vec![name, problems.len().to_string()];
        for level in levels {
            let of_level =
                problems.iter().filter_map(|problem| right.get(&(problem.id.as_str(), level.playouts)));
            let (mut solved, mut asked) = (0, 0);
            of_level.for_each(|&is_right| {
                solved += usize::from(is_right);
                asked += 1;
            });
            row.push(rate(solved, asked));
        }
        table.add(row);
    };
    for suite in suites {
        let mut groups: Vec<(String, Vec<&Problem>)> = Vec::new();
        for problem in &suite.problems {
            let group = format!("{} {} {}", suite.name, problem.category, problem.size);
            match groups.iter_mut().find(|(name, _)| *name == group) {
                Some((_, members)) => members.push(problem),
                None => groups.push((group, vec![problem])),
            }
        }
        groups.sort_by_key(|(name, members)| (members[0].size.area(), name.clone()));
        let several = groups.len() > 1;
        groups.into_iter().for_each(|(name, members)| add(name, &members));
        if several {
            add(format!("{} together", suite.name), &suite.problems.iter().collect::<Vec<_>>());
        }
    }
    if suites.len() > 1 {
        let all: Vec<_> = suites.iter().flat_map(|suite| &suite.problems).collect();
        add("all".to_owned(), &all);
    }
    table.render(style)
}

/// A share with its 95 % interval, in per cent; three trials or fewer have none.
pub fn rate(successes: usize, trials: usize) -> String {
    let Some(Estimate { value, interval }) = Estimate::share(successes, trials) else {
        return "–".to_owned();
    };
    let interval =
        interval.map(|Interval { low, high }| format!(" ({low:.1}–{high:.1})")).unwrap_or_default();
    format!("{successes}/{trials} {value:.1} %{interval}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::next_move::ProblemFile;
    use std::fs;
    use std::path::Path;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Problems on tiny boards whose right answer is the centre.
    fn suite(name: &str, count: usize) -> Suite {
        let path = tempfile::NamedTempFile::new().unwrap();
        let line = |i: usize| {
            let side = if i.is_multiple_of(2) { 3 } else { 5 };
            format!(r#"{{"id":"{name}/{i}","category":"c","size":{side},"to_move":"B","accepted":["bb"]}}"#)
        };
        fs::write(path.path(), (0..count).map(line).collect::<Vec<_>>().join("\n")).unwrap();
        let file = ProblemFile::read(path.path()).unwrap();
        assert!(file.unusable.is_empty());
        Suite { name: name.to_owned(), problems: file.problems }
    }

    /// Solves what has an odd number of points to choose from, counting how often it is asked.
    fn solve(log: &Path, levels: &[Level], asked: &AtomicUsize) -> (Vec<Answer>, String) {
        let suites = [suite("a", 8), suite("b", 3)];
        let candidate = Candidate { name: "test".to_owned(), seed: 7 };
        let player = || {
            |problem: &Problem, playouts: u64| {
                asked.fetch_add(1, Ordering::Relaxed);
                let size = problem.size;
                let is_solved = playouts > 10 || size.width() == 3;
                if is_solved { Move::from_sgf("bb", size).unwrap() } else { Move::Pass }
            }
        };
        let (mut log, known) = LineLog::open(log).unwrap();
        let answers = run(&suites, levels, &candidate, (&mut log, known), 2, player, |_, _| ()).unwrap();
        let table = table(&suites, levels, &answers, Style::Plain);
        (answers, table)
    }

    const LEVELS: [Level; 2] = [Level { playouts: 10, limit: None }, Level { playouts: 100, limit: Some(2) }];

    #[test]
    fn answers_are_counted_by_suite_and_size() {
        let directory = tempfile::tempdir().unwrap();
        let (answers, table) = solve(&directory.path().join("log"), &LEVELS, &AtomicUsize::new(0));
        assert_eq!(answers.len(), 8 + 3 + 2 + 2);
        let row = |name: &str| table.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        assert!(row("a c 3x3").contains("4/4 100.0 %"), "{table}");
        assert!(row("a c 5x5").contains("0/4 0.0 %"), "{table}");
        assert!(row("b together").contains("2/3 66.7 %"), "{table}");
        assert!(row("all").contains("6/11 54.5 %") && row("all").contains("4/4 100.0 %"), "{table}");
    }

    #[test]
    fn a_cut_log_is_filled_up_to_the_same_table() {
        let directory = tempfile::tempdir().unwrap();
        let log = directory.path().join("log");
        let asked = AtomicUsize::new(0);
        let whole = solve(&log, &LEVELS, &asked);
        assert_eq!(asked.swap(0, Ordering::Relaxed), 15);
        assert_eq!(solve(&log, &LEVELS, &asked), whole);
        assert_eq!(asked.load(Ordering::Relaxed), 0);
        let bytes = fs::read(&log).unwrap();
        fs::write(&log, &bytes[..bytes.len() / 2]).unwrap();
        assert_eq!(solve(&log, &LEVELS, &asked), whole);
        assert!((7..=9).contains(&asked.load(Ordering::Relaxed)));
    }

    #[test]
    fn other_seeds_do_not_count() {
        let directory = tempfile::tempdir().unwrap();
        let log = directory.path().join("log");
        let asked = AtomicUsize::new(0);
        solve(&log, &LEVELS, &asked);
        let text = fs::read_to_string(&log).unwrap().replace(r#""seed":7"#, r#""seed":8"#);
        fs::write(&log, text).unwrap();
        solve(&log, &LEVELS, &asked);
        assert_eq!(asked.load(Ordering::Relaxed), 30);
    }

    #[test]
    fn shuffles_depend_on_the_seed_and_samples_are_nested() {
        let order = |seed| {
            let mut suite = suite("a", 20);
            suite.shuffle(seed);
            suite.problems.into_iter().map(|problem| problem.id).collect::<Vec<_>>()
        };
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
        let mut sorted = order(1);
        sorted.sort_by_key(|id| id[2..].parse::<usize>().unwrap());
        assert_eq!(sorted, (0..20).map(|i| format!("a/{i}")).collect::<Vec<_>>());
    }
}
