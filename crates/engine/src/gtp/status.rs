//! The end of a game: score and the fate of stones.

use tesuji_board::{Color, Owner, Point};
use tesuji_gtp::{Command, CommandTable, Reply, Session};

use super::{Controlled, argument};

pub(super) fn add(table: &mut CommandTable<Controlled>) {
    table
        .add("final_score", |state, _, _| Ok(state.engine.judge().score.to_string()))
        .add("final_status_list", final_status_list)
        .add("final_status", final_status);
}

/// Stones one chain per line; points of territory and dame on one line.
fn final_status_list(state: &mut Controlled, command: &Command, _: &mut Session<'_>) -> Reply {
    let wanted = command.word(0, "status")?.to_ascii_lowercase();
    let known = ["alive", "dead", "seki", "white_territory", "black_territory", "dame"];
    if !known.contains(&wanted.as_str()) {
        return Err(format!("unknown status '{wanted}'; known are {}", known.join(", ")));
    }
    let statuses = Statuses::of(state);
    let game = state.engine.game();
    let (board, size) = (game.board(), game.size());
    let stones = board.chain_representatives().filter(|&(stone, _)| statuses.status(stone) == wanted);
    let mut lines: Vec<String> =
        stones.map(|(stone, _)| argument::join(sorted(board.stones(board.chain_at(stone))), size)).collect();
    let empty: Vec<_> =
        size.points().filter(|&point| board.is_empty(point) && statuses.status(point) == wanted).collect();
    if !empty.is_empty() {
        lines.push(argument::join(empty, size));
    }
    Ok(lines.join("\n"))
}

fn final_status(state: &mut Controlled, command: &Command, _: &mut Session<'_>) -> Reply {
    let point = argument::parse_point(command.word(0, "vertex")?, state.engine.game().size())?;
    Ok(Statuses::of(state).status(point).to_owned())
}

struct Statuses {
    judgement: crate::judge::Judgement,
    board: tesuji_board::Board,
}

impl Statuses {
    fn of(state: &mut Controlled) -> Statuses {
        Statuses { judgement: state.engine.judge(), board: state.engine.game().board().clone() }
    }

    fn status(&self, point: Point) -> &'static str {
        let verdict = &self.judgement.verdict;
        if verdict.dead.contains(point) {
            "dead"
        } else if verdict.seki.contains(point) {
            "seki"
        } else if self.board.color(point).is_some() {
            "alive"
        } else {
            match self.judgement.owner(point) {
                Owner::Black => "black_territory",
                Owner::White => "white_territory",
                Owner::Neutral => "dame",
            }
        }
    }
}

fn sorted(points: impl Iterator<Item = Point>) -> Vec<Point> {
    let mut points: Vec<_> = points.collect();
    points.sort_unstable();
    points
}

/// One letter per owner, as GoGui's colour boards want it.
pub(super) fn color_name(owner: Owner) -> &'static str {
    match owner {
        Owner::Black => "black",
        Owner::White => "white",
        Owner::Neutral => "\"\"",
    }
}

/// Black's points minus White's, seen from a player.
pub(super) fn from_side(value: f32, color: Color) -> f32 {
    match color {
        Color::Black => value,
        Color::White => -value,
    }
}
