//! A problem as a text diagram.
//!
//! As in `tesuji_board::Diagram`, with `to play:`. Marked stones (`#`, `@`) are the target; empty points with a
//! letter are the region, if there are any. Two more lines are known: `goal: kill` (or live, capture, save) and
//! `outside: open` (or X, O).

use super::{ReadError, Record};
use crate::draft::Draft;
use crate::problem::{Goal, Outside};
use tesuji_board::{Color, Diagram, PointSet};

/// Reads one diagram.
pub fn read_diagram(text: &str) -> Result<Record, ReadError> {
    let mut rest = String::new();
    let (mut goal, mut outside) = (None, None);
    for line in text.lines() {
        match line.split_once(':').map(|(key, value)| (key.trim(), value.trim())) {
            Some(("goal", value)) => {
                goal = Some(Goal::parse(value).ok_or_else(|| ReadError::Goal(value.to_owned()))?);
            }
            Some(("outside", value)) => {
                outside = Some(match value {
                    "open" => Outside::Open,
                    "X" => Outside::Owned(Color::Black),
                    "O" => Outside::Owned(Color::White),
                    _ => return Err(ReadError::Field("outside")),
                });
            }
            // An empty line keeps the numbers of the lines right.
            _ => rest.push_str(line),
        }
        rest.push('\n');
    }
    let diagram = Diagram::parse(&rest).map_err(ReadError::Diagram)?;
    let to_move = diagram.to_play.ok_or(ReadError::NoPlayer)?;
    let named: PointSet = ('a'..='z').flat_map(|name| diagram.points(name)).collect();
    let mut draft = Draft::new(diagram.board.clone(), to_move);
    draft.targets = diagram.marked().to_vec();
    draft.goal = goal;
    draft.outside = outside;
    draft.region = (!named.is_empty()).then_some(named);
    Ok(Record::new(draft))
}
