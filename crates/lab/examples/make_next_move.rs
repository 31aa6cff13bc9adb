//! Makes the suite of next-move problems: `cargo run --release -p tesuji-lab --example make_next_move > tests/next_move/own.jsonl`.
//!
//! Ladders, nets and captures: random stones, kept if reading finds one move that works and the others do not. Life and death, snapbacks,
//! capturing races: the proved problems of `tests/tsumego` in a board whose rest is settled, with a komi that the group decides. Endgames: random
//! games just before their end, with a komi that only the best move beats.

#[path = "../tests/own_suite/exhaustive.rs"]
mod exhaustive;
#[path = "../tests/own_suite/proof.rs"]
mod proof;

use exhaustive::Endgame;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tesuji_board::{Board, Color, Move, Point, PointSet, Size, Suicide, UnconditionalLife};
use tesuji_search::Rng;
use tesuji_search::playout::{Ending, Light, Position, run};
use tesuji_solve::Solver;

/// The proved life-and-death problems.
const TSUMEGO: &str = include_str!("../../../tests/tsumego/own.jsonl");

/// Determines all problems.
const SEED: u64 = 2026;

fn main() {
    let mut maker = Maker { solver: Solver::new(16 << 20), rng: Rng::new(SEED), counts: BTreeMap::new() };
    for line in TSUMEGO.lines() {
        if let Ok(tsumego) = serde_json::from_str(line) {
            maker.take_tsumego(&tsumego);
        }
    }
    maker.repeat("ladder", 6, |rng| ladder(rng, 9));
    maker.repeat("ladder", 12, |rng| ladder(rng, 19));
    maker.repeat("net", 8, |rng| net(rng, 9));
    maker.repeat("net", 10, |rng| net(rng, 19));
    maker.repeat("capture", 8, |rng| net(rng, 9));
    maker.repeat("capture", 10, |rng| net(rng, 19));
    maker.repeat("endgame", 12, endgame);
    for (category, count) in &maker.counts {
        eprintln!("{category}: {count}");
    }
}

struct Maker {
    solver: Solver,
    rng: Rng,
    counts: BTreeMap<String, usize>,
}

impl Maker {
    /// Draws problems until there are so many of a category, whatever was drawn before.
    fn repeat(&mut self, category: &str, most: usize, draw: impl Fn(&mut Rng) -> Option<Value>) {
        self.rng = Rng::for_stream(SEED, most as u64 + u64::from(category.as_bytes()[0]) * 1000);
        while self.counts.get(category).copied().unwrap_or(0) < most {
            if let Some(mut problem) = draw(&mut self.rng) {
                problem["category"] = category.into();
                self.offer(problem);
            }
        }
    }

    /// Prints a problem if reading finds one or two right moves that its category allows.
    fn offer(&mut self, mut problem: Value) {
        let Some(right) = proof::right_moves(&problem, &mut self.solver) else { return };
        let category = problem["category"].as_str().unwrap_or_default().to_owned();
        let is_contact = || {
            let (size, board) = (proof::size(&problem)?, proof::board(&problem)?);
            let target = proof::points(&problem["proof"]["target"], size)?;
            let liberties: Vec<Point> = board.liberties(board.chain_at(target[0])).collect();
            let first = Move::from_sgf(&right[0], size).ok()?.point()?;
            Some(liberties.contains(&first))
        };
        let fits = match category.as_str() {
            _ if right.is_empty() || right.contains(&String::new()) => false,
            "net" => right.len() == 1 && is_contact() == Some(false),
            "capture" => right.len() == 1 && is_contact() == Some(true),
            _ => right.len() <= 2,
        };
        if fits {
            let count = self.counts.entry(category.clone()).or_default();
            *count += 1;
            problem["id"] = format!("own/{category} {count}").into();
            problem["accepted"] = right.into();
            println!("{problem}");
        }
    }

    fn take_tsumego(&mut self, tsumego: &Value) {
        let category = match tsumego["category"].as_str() {
            Some("snapback") => "snapback",
            Some("semeai") => "semeai",
            Some("corner" | "side" | "seki" | "under the stones") => "life and death",
            // There are many of them; every second one will do.
            Some("nakade") if self.rng.below(2) == 0 => "life and death",
            _ => return,
        };
        if tsumego["result"] != "unconditional" {
            return;
        }
        if let Some(mut problem) = settle(tsumego) {
            problem["category"] = category.into();
            self.offer(problem);
        }
    }
}

fn names(points: impl Iterator<Item = Point>, size: Size) -> Value {
    points.map(|point| Value::from(point.to_sgf(size))).collect()
}

fn stones(board: &Board, color: Color) -> Value {
    let size = board.size();
    names(size.points().filter(|&point| board.color(point) == Some(color)), size)
}

fn problem(board: &Board, to_move: Color, komi: f64, proof: Value) -> Value {
    json!({
        "id": "", "category": "", "size": board.size().width(), "komi": komi,
        "setup_black": stones(board, Color::Black), "setup_white": stones(board, Color::White),
        "to_move": if to_move == Color::Black { "B" } else { "W" }, "accepted": [], "proof": proof,
    })
}

/// A life-and-death problem on a board whose rest is the attacker's beyond doubt, with a komi that the group decides.
fn settle(tsumego: &Value) -> Option<Value> {
    let mut source = tsumego.clone();
    (source["setup_black"], source["setup_white"]) = (tsumego["black"].clone(), tsumego["white"].clone());
    let (size, mut board, to_move) =
        (proof::size(&source)?, proof::board(&source)?, proof::to_move(&source)?);
    let kills = tsumego["goal"] == "kill";
    let attacker = if kills { to_move } else { !to_move };
    let inside: PointSet = proof::points(&tsumego["region"], size)?.into_iter().collect();
    let occupied: PointSet = size.points().filter(|&point| !board.is_empty(point)).collect();
    for point in size.points() {
        // A grid of walls around two by two points: eyes without number, and room for both sides to play.
        let is_eye = size.x(point) % 3 != 2 && size.y(point) % 3 != 2;
        let is_group = |side| occupied.contains(side) && board.color(side) == Some(!attacker);
        let is_open = !inside.contains(point) && !occupied.contains(point);
        if is_open && (!is_eye || size.neighbors(point).any(is_group)) {
            board.set_up(point, attacker);
        }
    }
    let alive = UnconditionalLife::of(&board, attacker, Suicide::Forbidden).stones;
    // A chain with no liberty but inside the region is part of the fight.
    let is_safe = |point: Point| {
        board.color(point) != Some(attacker)
            || alive.contains(point)
            || board.liberties(board.chain_at(point)).all(|liberty| inside.contains(liberty))
    };
    if !size.points().all(is_safe) {
        return None;
    }
    let group = size
        .points()
        .filter(|&point| inside.contains(point) || board.color(point) == Some(!attacker))
        .count();
    // Half way between the scores with the group dead and alive.
    let lead = size.area() as f64 - group as f64;
    let komi = if attacker == Color::Black { lead } else { -lead };
    let komi = komi.round() + 0.5;
    let proof = json!({
        "by": "solver", "goal": tsumego["goal"], "target": tsumego["target"], "region": tsumego["region"],
        "outside": tsumego["outside"],
    });
    Some(problem(&board, to_move, komi, proof))
}

/// A chain with two liberties that is caught by one atari and not by the other.
fn ladder(rng: &mut Rng, side: usize) -> Option<Value> {
    let size = Size::square(side).ok()?;
    let (x, y) = (3 + rng.below(side - 6), 3 + rng.below(side - 6));
    let prey = size.point(x, y)?;
    let mut board = Board::new(size);
    scatter(&mut board, rng, side, |point| size.x(point).abs_diff(x) + size.y(point).abs_diff(y) > 2)?;
    board.play(prey, Color::White, Suicide::Forbidden).ok()?;
    for (x, y) in [(x - 1, y), (x, y - 1), (x - 1, y + 1), (x + 1, y - 1)] {
        board.play(size.point(x, y)?, Color::Black, Suicide::Forbidden).ok()?;
    }
    let liberties: Vec<Point> = board.liberties(board.chain_at(prey)).collect();
    let mut problem =
        problem(&board, Color::Black, 7.5, json!({ "by": "ladder", "prey": prey.to_sgf(size) }));
    problem["candidates"] = names(liberties.iter().copied(), size);
    (liberties.len() == 2 && proof::right_moves(&problem, &mut Solver::new(1 << 20))?.len() == 1)
        .then_some(problem)
}

/// Some stones of both colours, where `allowed`.
fn scatter(board: &mut Board, rng: &mut Rng, side: usize, allowed: impl Fn(Point) -> bool) -> Option<()> {
    let size = board.size();
    for index in 0..side {
        let point = size.point(rng.below(side), rng.below(side))?;
        let color = if index % 2 == 0 { Color::Black } else { Color::White };
        if allowed(point) && board.is_empty(point) {
            board.play(point, color, Suicide::Forbidden).ok()?;
        }
    }
    Some(())
}

/// One or two stones in a loose circle, in an area around which the way is free.
fn net(rng: &mut Rng, side: usize) -> Option<Value> {
    let size = Size::square(side).ok()?;
    let reach = 2;
    let (x, y) = (reach + 1 + rng.below(side - 6), reach + 1 + rng.below(side - 6));
    let near = |point: Point| size.x(point).abs_diff(x).max(size.y(point).abs_diff(y)) <= reach;
    let mut board = Board::new(size);
    scatter(&mut board, rng, side, |point| {
        size.x(point).abs_diff(x).max(size.y(point).abs_diff(y)) > reach + 1
    })?;
    let prey = size.point(x, y)?;
    board.play(prey, Color::White, Suicide::Forbidden).ok()?;
    if rng.below(2) == 0 {
        board.play(size.point(x + 1, y)?, Color::White, Suicide::Forbidden).ok()?;
    }
    for _ in 0..5 + rng.below(4) {
        let point = size.point(x + rng.below(2 * reach + 1) - reach, y + rng.below(2 * reach + 1) - reach)?;
        if board.is_empty(point) {
            board.play(point, Color::Black, Suicide::Forbidden).ok()?;
        }
    }
    if board.liberty_count(board.chain_at(prey)) < 2 {
        return None;
    }
    let region = names(size.points().filter(|&point| near(point) && board.is_empty(point)), size);
    let proof = json!({
        "by": "solver", "goal": "capture", "target": [prey.to_sgf(size)], "region": region, "outside": "open",
    });
    let mut problem = problem(&board, Color::Black, 7.5, proof);
    problem["candidates"] = region_of(&problem);
    Some(problem)
}

fn region_of(problem: &Value) -> Value {
    problem["proof"]["region"].clone()
}

/// A random game some moves before its end.
fn endgame(rng: &mut Rng) -> Option<Value> {
    let size = Size::square(9).ok()?;
    let mut position = Position::new(Board::new(size), Color::Black);
    let mut moves = Vec::new();
    run(&mut Light, &mut position, rng, Ending::natural(size.area()), |_, mv| moves.push(mv));
    let kept = moves.len().checked_sub(4 + rng.below(4))?;
    let mut position = Position::new(Board::new(size), Color::Black);
    moves[..kept].iter().for_each(|&mv| position.play(mv));
    let (board, color) = (position.board, position.to_move);
    let mut search = Endgame::new(proof::NODES);
    let tried = Endgame::moves(&board, color);
    if board.ko_point(color).is_some() || !(4..=7).contains(&tried.len()) {
        return None;
    }
    let mut leads = Vec::new();
    for &mv in &tried {
        leads.push(search.black_lead_after(&board, color, mv)?);
    }
    let best = if color == Color::Black { leads.iter().max()? } else { leads.iter().min()? };
    let komi = f64::from(*best) + if color == Color::Black { -0.5 } else { 0.5 };
    Some(problem(&board, color, komi, json!({ "by": "exhaustive" })))
}
