//! Problems and their solutions as text: SGF trees and JSON lines.

use crate::problem::{Outside, Problem};
use crate::read::Record;
use crate::solution::{Line, LineEnd, Solution};
use crate::solver::mover;
use serde_json::{Value, json};
use tesuji_board::{Color, Move, Point, Size};
use tesuji_sgf::{Collection, GameTree, Ident, NodeId};

/// The problem as an SGF tree: the target with triangles, the region with squares; the principal line first, then the other
/// best moves, then a refutation of each wrong first move.
pub fn write_sgf(problem: &Problem, name: &str, solution: &Solution) -> String {
    let size = problem.board().size();
    let mut tree = GameTree::new();
    let root = tree.root();
    for (ident, value) in
        [("FF", "4"), ("GM", "1"), ("CA", "UTF-8"), ("AP", "Tesuji"), ("SZ", &size_text(size))]
    {
        put(&mut tree, root, ident, value);
    }
    if !name.is_empty() {
        put(&mut tree, root, "GN", name);
    }
    for point in size.points() {
        if let Some(color) = problem.board().color(point) {
            put(&mut tree, root, if color == Color::Black { "AB" } else { "AW" }, &point.to_sgf(size));
        }
    }
    put(&mut tree, root, "PL", &problem.to_move().letter().to_string());
    for stone in problem.target_stones().iter() {
        put(&mut tree, root, "TR", &stone.to_sgf(size));
    }
    for point in problem.region().iter().filter(|&point| problem.board().is_empty(point)) {
        put(&mut tree, root, "SQ", &point.to_sgf(size));
    }
    let (to_move, goal) = (problem.to_move(), problem.goal());
    let words = solution.in_words(problem);
    put(&mut tree, root, "C", &format!("{to_move} to {goal}. The target: {}. {words}", solution.verdict()));
    let first = problem.to_move();
    add_line(&mut tree, root, first, size, &solution.line, "");
    let shown = solution.line.moves.first();
    for mv in solution.best_moves.iter().filter(|&mv| Some(mv) != shown) {
        let node = add_move(&mut tree, root, first, *mv, size);
        put(&mut tree, node, "C", "Also best.");
    }
    for line in &solution.refutations {
        if line.moves.first() != shown {
            add_line(&mut tree, root, first, size, line, "Wrong. ");
        }
    }
    tesuji_sgf::write(&Collection { games: vec![tree] })
}

/// The problem with its exact region and its proved answer as one JSON line, which [`crate::read_json_line`] reads.
pub fn write_json_line(record: &Record, problem: &Problem, solution: &Solution) -> String {
    let board = problem.board();
    let size = board.size();
    let points = |points: &mut dyn Iterator<Item = Point>| -> Vec<String> {
        points.map(|point| point.to_sgf(size)).collect()
    };
    let stones = |color| points(&mut size.points().filter(|&point| board.color(point) == Some(color)));
    let empty = |point: &Point| board.is_empty(*point);
    let mut value = json!({
        "id": record.id,
        "source": record.source,
        "category": record.category,
        "size": if size.is_square() { json!(size.width()) } else { json!([size.width(), size.height()]) },
        "black": stones(Color::Black),
        "white": stones(Color::White),
        "to_move": problem.to_move().letter().to_string(),
        "goal": problem.goal().to_string(),
        "target": points(&mut problem.targets().iter().copied()),
        "region": points(&mut problem.region().iter().filter(empty)),
        "outside": outside_name(problem.outside()),
        "result": result_name(problem, solution),
        "fate": solution.fate.to_string(),
        "accepted": solution.best_moves.iter().map(|&mv| move_name(mv, size)).collect::<Vec<String>>(),
    });
    if let Some(fields) = value.as_object_mut() {
        if let Some(ko) = board.ko_point(problem.to_move()) {
            fields.insert("ko".to_owned(), json!([ko.to_sgf(size)]));
        }
        if solution.is_seki {
            fields.insert("note".to_owned(), Value::from("seki"));
        }
    }
    value.to_string()
}

fn result_name(problem: &Problem, solution: &Solution) -> &'static str {
    match solution.succeeds(mover(problem)) {
        Some(true) => "unconditional",
        Some(false) => "fail",
        None => match solution.fate {
            crate::solution::Fate::Ko(ko) if ko.favours == mover(problem) => "ko_good",
            crate::solution::Fate::Ko(_) => "ko_bad",
            _ => "unknown",
        },
    }
}

fn outside_name(outside: Outside) -> &'static str {
    match outside {
        Outside::Open => "open",
        Outside::Owned(Color::Black) => "black",
        Outside::Owned(Color::White) => "white",
    }
}

fn move_name(mv: Move, size: Size) -> String {
    match mv {
        Move::Pass => "pass".to_owned(),
        Move::Play(point) => point.to_sgf(size),
    }
}

fn size_text(size: Size) -> String {
    if size.is_square() { size.width().to_string() } else { format!("{}:{}", size.width(), size.height()) }
}

fn add_line(tree: &mut GameTree, root: NodeId, first: Color, size: Size, line: &Line, before: &str) {
    let (mut node, mut color) = (root, first);
    for (at, &mv) in line.moves.iter().enumerate() {
        node = add_move(tree, node, color, mv, size);
        if line.after_threat.contains(&at) && at + 1 < line.moves.len() {
            put(tree, node, "C", AFTER_THREAT);
        }
        color = !color;
    }
    if node != root {
        let is_last_after_threat = line.after_threat.last().is_some_and(|&at| at + 1 == line.moves.len());
        let threat = if is_last_after_threat { format!("{AFTER_THREAT} ") } else { String::new() };
        let end = match line.end {
            LineEnd::Captured => "The target is captured.",
            LineEnd::Alive => "The target has two eyes.",
            LineEnd::NoMove => "The attacker has no useful move.",
            LineEnd::Repetition => "The position repeats: the target lives.",
            LineEnd::ThreatsRunOut => {
                "The position repeats, and each round costs the defender a ko threat: the target dies."
            }
            LineEnd::Open => "And so on.",
        };
        put(tree, node, "C", &format!("{before}{threat}{end}"));
    }
}

/// Said of a move that retakes a ko at once.
const AFTER_THREAT: &str = "After a ko threat elsewhere and its answer.";

fn add_move(tree: &mut GameTree, parent: NodeId, color: Color, mv: Move, size: Size) -> NodeId {
    let node = tree.add_child(parent);
    put(tree, node, if color == Color::Black { "B" } else { "W" }, &mv.to_sgf(size));
    node
}

fn put(tree: &mut GameTree, node: NodeId, ident: &str, value: &str) {
    if let Some(ident) = Ident::new(ident) {
        tree.node_mut(node).push(ident, value);
    }
}
