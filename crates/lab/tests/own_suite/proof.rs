//! Finds the right moves of a problem by reading, as far as its `proof` allows.
//!
//! `ladder`: which of two ataris catches the chain at `prey` in a ladder. `solver`: which first moves reach a `goal` with the `target` in a
//! `region`, by proof. `exhaustive`: which first moves win if both sides play the rest perfectly, own eyes never filled.

use crate::exhaustive::Endgame;
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;
use tesuji_board::{Board, Color, Ladder, LadderReader, Move, Point, Size, Suicide};
use tesuji_solve::{Detail, Limits, Solver, read_problems};

/// Nodes within which every problem of the suite is decided.
pub(crate) const NODES: u64 = 20_000;
/// Moves that a ladder on the largest board may take.
const LADDER_NODES: usize = 20_000;

/// The right moves as SGF letters in alphabetical order; nothing if reading does not end.
pub(crate) fn right_moves(problem: &Value, solver: &mut Solver) -> Option<Vec<String>> {
    let mut right = match problem["proof"]["by"].as_str()? {
        "ladder" => ladder(problem)?,
        "solver" => solved(problem, solver)?,
        "exhaustive" => exhaustive(problem)?,
        _ => return None,
    };
    right.sort();
    Some(right)
}

pub(crate) fn size(problem: &Value) -> Option<Size> {
    Size::square(problem["size"].as_u64()? as usize).ok()
}

pub(crate) fn to_move(problem: &Value) -> Option<Color> {
    Color::parse(problem["to_move"].as_str()?)
}

pub(crate) fn points(list: &Value, size: Size) -> Option<Vec<Point>> {
    list.as_array()?.iter().map(|name| Move::from_sgf(name.as_str()?, size).ok()?.point()).collect()
}

pub(crate) fn board(problem: &Value) -> Option<Board> {
    let size = size(problem)?;
    let mut board = Board::new(size);
    for (field, color) in [("setup_black", Color::Black), ("setup_white", Color::White)] {
        points(&problem[field], size)?.into_iter().for_each(|point| board.set_up(point, color));
    }
    Some(board)
}

/// The ataris of the chain at `prey` after which it is caught.
fn ladder(problem: &Value) -> Option<Vec<String>> {
    let (size, board, attacker) = (size(problem)?, board(problem)?, to_move(problem)?);
    let prey = Move::from_sgf(problem["proof"]["prey"].as_str()?, size).ok()?.point()?;
    let mut reader = LadderReader::new();
    let mut right = Vec::new();
    for point in board.liberties(board.chain_at(prey)).collect::<Vec<_>>() {
        let mut after = board.clone();
        if after.play(point, attacker, Suicide::Forbidden).is_err() {
            continue;
        }
        match reader.read(&after, prey, !attacker, LADDER_NODES).outcome {
            Ladder::Captured => right.push(point.to_sgf(size)),
            Ladder::Escapes => {}
            Ladder::Unknown => return None,
        }
    }
    Some(right)
}

fn solved(problem: &Value, solver: &mut Solver) -> Option<Vec<String>> {
    let proof = &problem["proof"];
    let line = json!({
        "id": problem["id"], "size": problem["size"], "to_move": problem["to_move"],
        "black": problem["setup_black"], "white": problem["setup_white"],
        "goal": proof["goal"], "target": proof["target"], "region": proof["region"], "outside": proof["outside"],
    });
    let record = read_problems("one.jsonl", line.to_string().as_bytes()).ok()?.pop()?.ok()?;
    let task = record.draft.complete().ok()?.problem;
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: NODES, stop: &stop, has_time: &|| true };
    let solution = solver.solve(&task, Detail::AllMoves, &limits);
    // Only what needs no ko, and a first move.
    let reached = solution.succeeds(tesuji_solve::mover(&task))? && solution.undecided.is_empty();
    let size = size(problem)?;
    let names = solution.best_moves.iter().map(|mv| mv.to_sgf(size)).collect();
    Some(if reached { names } else { Vec::new() })
}

fn exhaustive(problem: &Value) -> Option<Vec<String>> {
    let (size, board, color) = (size(problem)?, board(problem)?, to_move(problem)?);
    let komi = problem["komi"].as_f64()?;
    let mut endgame = Endgame::new(NODES);
    let moves = Endgame::moves(&board, color);
    let mut right = Vec::new();
    for mv in moves {
        let lead = f64::from(endgame.black_lead_after(&board, color, mv)?);
        if (color == Color::Black) == (lead > komi) {
            right.push(mv.to_sgf(size));
        }
    }
    Some(right)
}
