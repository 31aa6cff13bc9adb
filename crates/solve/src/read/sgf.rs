//! A problem as an SGF tree.
//!
//! The set-up of the main line before its first move is the position. In the same nodes `TR` marks stones of the target, and
//! `SQ` or `MA` the points of the region (stones in it need no mark). The words kill, live, capture or save in the first comment
//! or the game's name tell the goal. First moves are accepted if a comment below them says `right`, `correct` or
//! `+`; without any such comment, the first move of the main line is.

use super::{ReadError, Record, set_up};
use crate::draft::Draft;
use crate::problem::Goal;
use tesuji_board::{Color, Move, Point, PointSet, Size};
use tesuji_sgf::{GameRecord, GameTree, Node, NodeId};

/// Reads every tree of a file.
pub fn read_sgf(bytes: &[u8]) -> Result<Vec<Result<Record, ReadError>>, ReadError> {
    let parsed = tesuji_sgf::parse(bytes).map_err(|error| ReadError::Sgf(error.to_string()))?;
    Ok(parsed.collection.games.iter().map(read_tree).collect())
}

fn read_tree(tree: &GameTree) -> Result<Record, ReadError> {
    let game = GameRecord::from_tree(tree).map_err(|error| ReadError::Sgf(error.to_string()))?;
    let stones = [(Color::Black, game.setup_black.clone()), (Color::White, game.setup_white.clone())];
    let board = set_up(game.size, stones)?;
    let mut draft = Draft::new(board, game.to_play);
    let opening: Vec<&Node> =
        tree.main_line().map(|id| tree.node(id)).take_while(|node| !has_move(node)).collect();
    let marked = |idents: &[&str]| -> Vec<Point> {
        let values = opening.iter().flat_map(|node| idents.iter().filter_map(|ident| node.values(ident)));
        values.flatten().flat_map(|value| points(value, game.size)).collect()
    };
    draft.targets = marked(&["TR"]).into_iter().filter(|&point| !draft.board.is_empty(point)).collect();
    let region: PointSet = marked(&["SQ", "MA"]).into_iter().collect();
    draft.region = (!region.is_empty()).then_some(region);
    let mut record = Record::new(draft);
    let name = tree.node(tree.root()).value("GN").unwrap_or_default();
    record.id = name.to_owned();
    record.comment = game.comments.get(&0).cloned().unwrap_or_default();
    record.draft.goal = goal_in(&record.comment).or_else(|| goal_in(name));
    if let Some(goal) = record.draft.goal {
        record.remarks.push(format!("the comment says to {goal}"));
    }
    record.accepted = accepted(tree, game.size);
    Ok(record)
}

fn has_move(node: &Node) -> bool {
    node.value("B").is_some() || node.value("W").is_some()
}

/// The points of a value: one, or the corners of a rectangle.
fn points(value: &str, size: Size) -> Vec<Point> {
    let corner = |text: &str| Move::from_sgf(text, size).ok().and_then(Move::point);
    let (first, last) = value.split_once(':').unwrap_or((value, value));
    let Some((first, last)) = corner(first).zip(corner(last)) else { return Vec::new() };
    let is_inside = |&point: &Point| {
        (size.x(first)..=size.x(last)).contains(&size.x(point))
            && (size.y(first)..=size.y(last)).contains(&size.y(point))
    };
    size.points().filter(is_inside).collect()
}

fn goal_in(text: &str) -> Option<Goal> {
    let lower = text.to_lowercase();
    lower.split(|c: char| !c.is_alphabetic()).find_map(Goal::parse)
}

/// First moves with a comment of success below them.
fn accepted(tree: &GameTree, size: Size) -> Vec<Move> {
    let Some(start) = tree.main_line().find(|&id| tree.children(id).any(|child| has_move(tree.node(child))))
    else {
        return Vec::new();
    };
    let first_move = |id: NodeId| {
        let node = tree.node(id);
        node.value("B").or(node.value("W")).and_then(|text| Move::from_sgf(text, size).ok())
    };
    let children: Vec<NodeId> = tree.children(start).collect();
    let right: Vec<Move> =
        children.iter().filter(|&&id| is_right(tree, id)).filter_map(|&id| first_move(id)).collect();
    if right.is_empty() {
        children.first().and_then(|&id| first_move(id)).into_iter().collect()
    } else {
        right
    }
}

fn is_right(tree: &GameTree, start: NodeId) -> bool {
    let mut open = vec![start];
    while let Some(id) = open.pop() {
        let comment = tree.node(id).value("C").unwrap_or_default().to_lowercase();
        if comment.contains("correct") && !comment.contains("incorrect")
            || comment.contains("right")
            || comment == "+"
        {
            return true;
        }
        open.extend(tree.children(id));
    }
    false
}
