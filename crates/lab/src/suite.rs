//! Suites of next-move problems: how many an engine solves at how many playouts.
//!
//! [`Respondent`] is the work: a player with its settings. An answer depends on the problem, the playouts, the player and its seed, and on
//! nothing else.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tesuji_board::Move;
use tesuji_engine::Settings;
use tesuji_engine::decision::Decision;
use tesuji_engine::{Allowance, MoveQuestion, Player};
use tesuji_search::{Rng, Simulations};

use crate::job::{Job, JobError, Work, adopt_old_log};
use crate::line_log::LineLogError;
use crate::next_move::Problem;
use crate::statistics::{Estimate, Interval};
use crate::table::{Style, TextTable};
use crate::terms::Terms;

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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Respondent {
    /// The preset.
    pub preset: String,
    /// What was set besides, as `name=value`.
    pub settings: Vec<String>,
    /// The seed of its search.
    pub seed: u64,
}

/// A problem to be solved with so much effort.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// The problem.
    pub problem: Problem,
    /// Playouts for it.
    pub playouts: u64,
}

/// One answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The problem.
    pub id: String,
    /// Playouts it was searched with.
    pub playouts: u64,
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

impl Respondent {
    /// What tables call it.
    pub fn name(&self) -> String {
        let mut words = vec![self.preset.to_ascii_lowercase()];
        words.extend(self.settings.iter().cloned());
        words.join(" ")
    }

    /// What answers depend on besides their questions.
    pub fn terms(&self) -> Terms {
        Terms::from_iter([("player".to_owned(), self.name().into()), ("seed".to_owned(), self.seed.into())])
    }

    /// Its settings, or what is wrong with them.
    pub fn settings(&self) -> Result<Settings, String> {
        let mut settings = Settings::of_preset(&self.preset).map_err(|error| error.to_string())?;
        for pair in &self.settings {
            let (name, value) = pair.split_once('=').ok_or_else(|| format!("{pair}: expected name=value"))?;
            settings.set(name.trim(), value.trim()).map_err(|error| error.to_string())?;
        }
        let names = self.settings.iter().filter_map(|pair| Some(pair.split_once('=')?.0.trim()));
        settings.check(names).map_err(|error| error.to_string())?;
        settings.seed = self.seed;
        Ok(settings)
    }
}

impl Work for Respondent {
    const KIND: &'static str = "suite";
    type Task = Question;
    type Finding = Answer;
    type Tools = Settings;

    fn tools(&self) -> Result<Settings, JobError> {
        self.settings().map_err(JobError::Refused)
    }

    fn work(&self, settings: &mut Settings, task: &Question, _stop: &AtomicBool) -> Result<Answer, JobError> {
        let Question { problem, playouts } = task;
        let mv = answer(settings, problem, *playouts)?;
        Ok(Answer {
            id: problem.id.clone(),
            playouts: *playouts,
            answer: mv.point().map_or_else(|| "pass".to_owned(), |point| point.to_sgf(problem.size)),
            right: problem.is_right(mv),
        })
    }
}

/// The move that the engine would make; where the problem offers a choice, the best of that by the search alone.
fn answer(settings: &Settings, problem: &Problem, playouts: u64) -> Result<Move, JobError> {
    // A fresh search for every problem: an answer must not depend on the problems before.
    settings.search.check().map_err(|error| JobError::Refused(error.to_string()))?;
    let mut player = Player::new(Settings { resign: false, ..settings.clone() });
    let game = problem.game();
    let control = Simulations(playouts);
    if problem.allows_all() {
        let question = MoveQuestion { color: problem.to_move, ..MoveQuestion::of(&game) };
        return Ok(match player.choose(&question, &Allowance::by(&control), &mut |_| ()).decision {
            Decision::Move(mv) => mv,
            Decision::Resign => Move::Pass,
        });
    }
    player.search(&game, problem.to_move, &control);
    let mut report = player.analysis();
    let is_legal = |mv: Move| mv.point().is_none_or(|point| game.legality(problem.to_move, point).is_ok());
    report.moves.retain(|mv| problem.allows(mv.mv) && is_legal(mv.mv));
    Ok(report.moves.first().map_or(Move::Pass, |best| best.mv))
}

/// Takes over the answers of a player from `answers.jsonl`, the log of a suite before there were jobs.
pub fn adopt_old_answers(directory: &Path, respondent: &Respondent) -> Result<(), LineLogError> {
    let (player, seed) = (Value::from(respondent.name()), Value::from(respondent.seed));
    adopt_old_log(directory, "answers.jsonl", |answer| {
        let is_ours = answer["player"] == player && answer["seed"] == seed;
        let key = key(answer["id"].as_str()?, answer["playouts"].as_u64()?);
        is_ours.then_some((key, answer))
    })
}

fn key(id: &str, playouts: u64) -> String {
    format!("{id} at {playouts}")
}

/// The questions of all levels, suite by suite.
pub fn questions(suites: &[Suite], levels: &[Level]) -> Vec<Job<Question>> {
    let mut jobs = Vec::new();
    for level in levels {
        for suite in suites {
            for problem in suite.problems.iter().take(level.limit.unwrap_or(usize::MAX)) {
                let task = Question { problem: problem.clone(), playouts: level.playouts };
                jobs.push(Job { key: key(&problem.id, level.playouts), task });
            }
        }
    }
    jobs
}

/// Right answers by suite, category and board size, a column per number of playouts.
pub fn table(suites: &[Suite], levels: &[Level], answers: &[Answer], style: Style) -> String {
    let right: HashMap<(&str, u64), bool> =
        answers.iter().map(|answer| ((answer.id.as_str(), answer.playouts), answer.right)).collect();
    let columns: Vec<String> = levels.iter().map(|level| format!("{} playouts", level.playouts)).collect();
    let mut header = vec!["suite", "problems"];
    header.extend(columns.iter().map(String::as_str));
    let mut table = TextTable::new(&header);
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

    /// Problems on tiny boards whose right answer is the centre.
    fn suite(name: &str, count: usize) -> Suite {
        let line = |i: usize| {
            let side = if i.is_multiple_of(2) { 3 } else { 5 };
            format!(r#"{{"id":"{name}/{i}","category":"c","size":{side},"to_move":"B","accepted":["bb"]}}"#)
        };
        let file = ProblemFile::parse(&(0..count).map(line).collect::<Vec<_>>().join("\n"));
        assert!(file.unusable.is_empty());
        Suite { name: name.to_owned(), problems: file.problems }
    }

    const LEVELS: [Level; 2] = [Level { playouts: 10, limit: None }, Level { playouts: 100, limit: Some(2) }];

    #[test]
    fn answers_are_counted_by_suite_and_size() {
        let suites = [suite("a", 8), suite("b", 3)];
        let jobs = questions(&suites, &LEVELS);
        assert_eq!(jobs.len(), 8 + 3 + 2 + 2);
        // Whoever thinks long is right; whoever does not is right on the smaller boards.
        let solve = |job: &Job<Question>| {
            let Question { problem, playouts } = &job.task;
            let right = *playouts > 10 || problem.size.width() == 3;
            Answer { id: problem.id.clone(), playouts: *playouts, answer: String::new(), right }
        };
        let answers: Vec<Answer> = jobs.iter().map(solve).collect();
        let table = table(&suites, &LEVELS, &answers, Style::Plain);
        let row = |name: &str| table.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        assert!(row("a c 3x3").contains("4/4 100.0 %"), "{table}");
        assert!(row("a c 5x5").contains("0/4 0.0 %"), "{table}");
        assert!(row("b together").contains("2/3 66.7 %"), "{table}");
        assert!(row("all").contains("6/11 54.5 %") && row("all").contains("4/4 100.0 %"), "{table}");
    }

    #[test]
    fn a_respondent_answers_and_says_what_it_does_not_understand() {
        let respondent = |settings: &[&str]| Respondent {
            preset: "flat".to_owned(),
            settings: settings.iter().map(|&pair| pair.to_owned()).collect(),
            seed: 7,
        };
        assert!(matches!(respondent(&["nothing=1"]).tools(), Err(JobError::Refused(_))));
        assert!(matches!(respondent(&["playouts"]).tools(), Err(JobError::Refused(_))));
        let nobody = Respondent { preset: "nobody".to_owned(), ..respondent(&[]) };
        assert!(matches!(nobody.tools(), Err(JobError::Refused(_))));
        let line = r#"{"id":"x","size":5,"komi":24.5,"setup_white":["aa"],"setup_black":["ba"],"to_move":"B",
            "candidates":["ab"],"accepted":["ab"]}"#;
        let problem = ProblemFile::parse(&line.replace('\n', "")).problems.remove(0);
        let work = respondent(&[]);
        let question = Question { problem, playouts: 500 };
        let answer = work.work(&mut work.tools().unwrap(), &question, &AtomicBool::new(false)).unwrap();
        assert_eq!((answer.answer.as_str(), answer.right), ("ab", true));
    }

    #[test]
    fn answers_of_a_log_from_before_there_were_jobs_are_taken_over() {
        let directory = tempfile::tempdir().unwrap();
        let respondent = Respondent { preset: "flat".to_owned(), settings: vec!["a=1".to_owned()], seed: 7 };
        let old = r#"{"id":"x","playouts":10,"player":"flat a=1","seed":7,"answer":"bb","right":true}
{"id":"x","playouts":10,"player":"flat a=1","seed":8,"answer":"cc","right":false}
{"id":"y","playouts":10,"player":"flat","seed":7,"answer":"cc","right":false}
"#;
        std::fs::write(directory.path().join("answers.jsonl"), old).unwrap();
        adopt_old_answers(directory.path(), &respondent).unwrap();
        let text = std::fs::read_to_string(directory.path().join("results.jsonl")).unwrap();
        assert_eq!(text.lines().count(), 1, "{text}");
        let line: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(line["key"], "x at 10");
        let answer: Answer = serde_json::from_value(line["result"].clone()).unwrap();
        assert!(answer.right && answer.answer == "bb");
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
