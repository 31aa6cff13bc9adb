//! Life and death for the page: a problem, moves walked from it, and everything that is proved there.
//!
//! A question is a problem as a JSON line (see `tesuji_solve::read_json_line`), its missing parts found by the solver, and the moves that somebody tried. After
//! moves, the position is a problem of its own with the same region, the stones of the target that are left, and the other goal for the other side;
//! it is solved anew, so every step of a walk rests on a proof and not on what was kept of one.

use serde::Deserialize;
use serde_json::{Value, json};
use std::cell::Cell;
use std::time::{Duration, Instant};
use tesuji_board::{Board, Color, Move, Point, PointSet, Size, Suicide};
use tesuji_solve::{
    Completed, Detail, DraftError, Fate, Goal, Limits, Line, MAX_CANDIDATES, Needs, Outside, Problem,
    ProblemError, Side, Solution, Solver, mover, read_json_line, write_sgf,
};

use crate::position::color;
use crate::worker::Leash;

/// Most seconds for one question.
const MAX_SECONDS: f64 = 600.0;
/// How often progress is told.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);
/// Nodes between two looks at the clock; the solver's own interval.
const NODES_PER_LOOK: u64 = 1024;

/// What is asked.
#[derive(Deserialize)]
pub(crate) struct Question {
    problem: Value,
    #[serde(default)]
    moves: Vec<(String, String)>,
    #[serde(default = "default_seconds")]
    seconds: f64,
}

fn default_seconds() -> f64 {
    30.0
}

/// Answers a question, telling now and then how far it is.
pub(crate) fn solve(
    solver: &mut Solver,
    question: Question,
    leash: &Leash,
    progress: &dyn Fn(Value),
) -> Result<Value, String> {
    let record = read_json_line(&question.problem.to_string()).map_err(|error| error.to_string())?;
    let started = Instant::now();
    let seconds = question.seconds.clamp(0.0, MAX_SECONDS);
    let (looks, told) = (Cell::new(0u64), Cell::new(started));
    let has_time = || {
        looks.set(looks.get() + 1);
        let now = Instant::now();
        if now - told.get() >= PROGRESS_INTERVAL {
            told.set(now);
            let spent = (now - started).as_secs_f64();
            progress(json!({ "nodes": looks.get() * NODES_PER_LOOK, "seconds": spent, "limit": seconds }));
        }
        (now - started).as_secs_f64() < seconds
    };
    let limits = Limits { nodes: u64::MAX, stop: leash.stop_flag(), has_time: &has_time };
    let candidates = record.draft.candidates(MAX_CANDIDATES).map_err(|error| error.to_string())?;
    let nothing = "there is nothing to solve";
    let is_walk = !question.moves.is_empty();
    let (start, completed, solution) = if is_walk {
        let (start, _) = solver.choose(candidates, &limits).ok_or(nothing)?;
        let start = start.problem;
        let mut completed = match after(&start, &question.moves)? {
            Walk::Problem(problem) => Completed {
                problem: *problem,
                smaller: Vec::new(),
                wider: Vec::new(),
                remarks: Vec::new(),
                is_target_guessed: false,
            },
            Walk::End(fate, words) => return Ok(ended(&start, fate, words)),
        };
        let solution = solver.solve_completed(&mut completed, Detail::Refutations, &limits);
        (start, completed, solution)
    } else {
        let (completed, solution) =
            solver.solve_meant(candidates, Detail::Refutations, &limits).ok_or(nothing)?;
        (completed.problem.clone(), completed, solution)
    };
    let remarks = record.remarks.iter().chain(&completed.remarks).cloned().collect();
    let mut answer = tell(&completed.problem, &solution, remarks);
    answer["nodes"] = solution.nodes.into();
    answer["seconds"] = started.elapsed().as_secs_f64().into();
    answer["problem"] = terms(&start);
    if !is_walk {
        answer["sgf"] = write_sgf(&completed.problem, &record.id, &solution).into();
    }
    Ok(answer)
}

/// Where moves from a problem lead.
enum Walk {
    Problem(Box<Problem>),
    /// There is nothing left to fight for.
    End(Fate, &'static str),
}

/// The problem after moves of both sides in turn.
fn after(start: &Problem, moves: &[(String, String)]) -> Result<Walk, String> {
    let size = start.board().size();
    let mut board: Board = start.board().clone();
    let (defender, mut turn) = (start.defender(), start.to_move());
    let mut targets: PointSet = start.target_stones();
    for (name, at) in moves {
        if color(name)? != turn {
            return Err(format!("it is {turn}'s turn"));
        }
        match Move::from_gtp(at, size).map_err(|error| format!("{at}: {error}"))? {
            Move::Pass => board.pass(),
            Move::Play(at) if !start.region().contains(at) => {
                return Err("moves outside the region are not looked at; a pass stands for them".to_owned());
            }
            Move::Play(at) => {
                board.play(at, turn, Suicide::Forbidden).map_err(|error| error.to_string())?;
            }
        }
        // What is played on the place of a captured stone is another stone.
        targets = targets.iter().filter(|&stone| board.color(stone) == Some(defender)).collect();
        turn = !turn;
    }
    if targets.is_empty() {
        return Ok(Walk::End(Fate::Dies, "The target is captured."));
    }
    let is_attack = turn != defender;
    let goal = match (start.goal(), is_attack) {
        (Goal::Kill | Goal::Live, true) => Goal::Kill,
        (Goal::Kill | Goal::Live, false) => Goal::Live,
        (Goal::Capture | Goal::Save, true) => Goal::Capture,
        (Goal::Capture | Goal::Save, false) => Goal::Save,
    };
    let stones: Vec<Point> = targets.iter().collect();
    match Problem::new(board, *start.region(), &stones, turn, goal, start.outside()) {
        Ok(problem) => Ok(Walk::Problem(Box::new(problem))),
        Err(ProblemError::AlreadyAlive) => Ok(Walk::End(Fate::Lives, "The target has two eyes.")),
        Err(error) => Err(DraftError::from(error).to_string()),
    }
}

/// The terms of a problem, so that the next question can repeat them.
fn terms(problem: &Problem) -> Value {
    let (board, size) = (problem.board(), problem.board().size());
    let names = |points: &mut dyn Iterator<Item = Point>| -> Vec<String> {
        points.map(|point| point.to_sgf(size)).collect()
    };
    let stones = |color| names(&mut size.points().filter(|&point| board.color(point) == Some(color)));
    json!({
        "size": [size.width(), size.height()],
        "black": stones(Color::Black),
        "white": stones(Color::White),
        "to_move": problem.to_move().letter().to_string(),
        "goal": problem.goal().to_string(),
        "target": names(&mut problem.targets().iter().copied()),
        "region": names(&mut problem.region().iter()),
        "outside": match problem.outside() {
            Outside::Open => "open",
            Outside::Owned(Color::Black) => "black",
            Outside::Owned(Color::White) => "white",
        },
        "ko": board.ko_point(problem.to_move()).map(|ko| vec![ko.to_sgf(size)]).unwrap_or_default(),
    })
}

fn tell(problem: &Problem, solution: &Solution, remarks: Vec<String>) -> Value {
    let size = problem.board().size();
    let name = |mv: &Move| mv.to_gtp(size);
    let targets: Vec<String> =
        problem.target_stones().iter().map(|stone| Move::Play(stone).to_gtp(size)).collect();
    json!({
        "fate": fate_name(solution.fate),
        "ko": ko(solution.fate),
        "words": solution.in_words(problem),
        "verdict": solution.verdict(),
        "isSeki": solution.is_seki,
        "toMove": problem.to_move().letter().to_string(),
        "goal": problem.goal().to_string(),
        "succeeds": solution.succeeds(mover(problem)),
        "targetStones": targets,
        "best": solution.best_moves.iter().map(name).collect::<Vec<String>>(),
        "right": solution.right_moves.iter().map(name).collect::<Vec<String>>(),
        "undecided": solution.undecided.iter().map(name).collect::<Vec<String>>(),
        "line": line(&solution.line, size),
        "refutations": solution.refutations.iter().map(|one| line(one, size)).collect::<Vec<Value>>(),
        "remarks": remarks,
    })
}

fn ended(start: &Problem, fate: Fate, words: &str) -> Value {
    json!({
        "fate": fate_name(fate), "ko": null, "words": words, "verdict": fate.to_string(), "isSeki": false,
        "isOver": true, "best": [], "right": [], "undecided": [], "refutations": [], "remarks": [],
        "targetStones": [], "line": { "moves": [], "afterThreat": [], "end": "" }, "problem": terms(start),
    })
}

fn line(line: &Line, size: Size) -> Value {
    json!({
        "moves": line.moves.iter().map(|mv| mv.to_gtp(size)).collect::<Vec<String>>(),
        "afterThreat": line.after_threat,
        "end": line.end.to_string(),
    })
}

fn fate_name(fate: Fate) -> &'static str {
    match fate {
        Fate::Lives => "lives",
        Fate::Dies => "dies",
        Fate::Ko(_) => "ko",
        Fate::Unknown => "unknown",
    }
}

fn ko(fate: Fate) -> Value {
    match fate {
        Fate::Ko(ko) => json!({
            "name": ko.name(),
            "favours": if ko.favours == Side::Attacker { "attacker" } else { "defender" },
            "threats": match ko.needs { Needs::One => 1, Needs::Two => 2, Needs::Many => 3 },
        }),
        _ => Value::Null,
    }
}
