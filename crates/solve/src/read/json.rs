//! One problem a line, as a JSON object.
//!
//! `id`, `source`, `category`, `rank`, `collections`, `comment`: about the problem. `size`, `black`, `white`, `to_move` and
//! optionally `ko`: the position, points as SGF letter pairs. `goal` (or `goal_guess`), `target` (a stone of each chain):
//! what is asked. `region`: four numbers `x0,y0,x1,y1`, a box beyond which nothing matters; or a list of points, which then
//! is the region itself. `outside`: `open`, `black` or `white`. `result`, `accepted`, `rejected`, `fate`: the answer.

use super::{ReadError, Record, set_up};
use crate::draft::Draft;
use crate::problem::{Goal, Outside};
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;
use tesuji_board::{Color, Move, Point, PointSet, Size};

/// Reads one line.
pub fn read_json_line(line: &str) -> Result<Record, ReadError> {
    let Object(value) = serde_json::from_str(line).map_err(|error| ReadError::Json(error.to_string()))?;
    let fields = Fields(&value);
    let size = fields.size()?;
    let stones =
        [(Color::Black, fields.points("black", size)?), (Color::White, fields.points("white", size)?)];
    let mut board = set_up(size, stones)?;
    let to_move = fields.text("to_move").and_then(Color::parse).ok_or(ReadError::Field("to_move"))?;
    if let Some(ko) = fields.points("ko", size)?.first() {
        board.set_ko(*ko, to_move);
    }
    let mut draft = Draft::new(board, to_move);
    draft.targets = fields.points("target", size)?;
    let mut remarks = Vec::new();
    if let Some(goal) = fields.text("goal") {
        draft.goal = Some(read_goal(goal, &mut draft, &mut remarks)?);
    } else if let Some(goal) = fields.text("goal_guess") {
        draft.goal = Goal::parse(goal);
        remarks.push(format!("the goal `{goal}` is the collector's guess"));
    }
    (draft.region, draft.bounds) = fields.region(size)?;
    draft.outside = match fields.text("outside") {
        None => None,
        Some("open") => Some(Outside::Open),
        Some(owner) => Some(Outside::Owned(Color::parse(owner).ok_or(ReadError::Field("outside"))?)),
    };
    let text = |name| fields.text(name).unwrap_or_default().to_owned();
    Ok(Record {
        draft,
        id: text("id"),
        source: text("source"),
        category: text("category"),
        rank: text("rank"),
        collections: fields.texts("collections"),
        result: text("result"),
        accepted: fields.moves("accepted", size)?,
        rejected: fields.moves("rejected", size)?,
        comment: text("comment"),
        fate: fields.text("fate").map(str::to_owned),
        remarks,
    })
}

fn read_goal(goal: &str, draft: &mut Draft, remarks: &mut Vec<String>) -> Result<Goal, ReadError> {
    if goal == "win_semeai" {
        // The target names a chain of each side; what can be proved is that the opponent's is captured.
        draft.targets.retain(|&target| draft.board.color(target) == Some(!draft.to_move));
        remarks.push("win the capturing race: taken as to capture the opponent's chain".to_owned());
        return Ok(Goal::Capture);
    }
    Goal::parse(goal).ok_or_else(|| ReadError::Goal(goal.to_owned()))
}

/// Fields with trees of moves, nested deeper than a reader of values goes; nothing here needs them.
const TREES: [&str; 2] = ["solution", "lines"];

/// The fields of a problem but for its trees of moves.
struct Object(Map<String, Value>);

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object, D::Error> {
        deserializer.deserialize_map(Object(Map::new()))
    }
}

impl<'de> Visitor<'de> for Object {
    type Value = Object;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut access: A) -> Result<Object, A::Error> {
        while let Some(name) = access.next_key::<String>()? {
            if TREES.contains(&name.as_str()) {
                access.next_value::<IgnoredAny>()?;
            } else {
                self.0.insert(name, access.next_value()?);
            }
        }
        Ok(self)
    }
}

struct Fields<'a>(&'a Map<String, Value>);

impl<'a> Fields<'a> {
    fn text(&self, name: &str) -> Option<&'a str> {
        self.0.get(name)?.as_str()
    }

    fn list(&self, name: &'static str) -> Result<&'a [Value], ReadError> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(&[]),
            Some(Value::Array(values)) => Ok(values),
            Some(_) => Err(ReadError::Field(name)),
        }
    }

    fn texts(&self, name: &'static str) -> Vec<String> {
        let values = self.list(name).unwrap_or_default();
        values.iter().filter_map(|value| value.as_str().map(str::to_owned)).collect()
    }

    fn size(&self) -> Result<Size, ReadError> {
        let wrong = ReadError::Field("size");
        let side = |value: &Value| value.as_u64().and_then(|side| usize::try_from(side).ok());
        let size = match self.0.get("size") {
            Some(Value::Array(sides)) => match sides.as_slice() {
                [width, height] => side(width).zip(side(height)),
                _ => None,
            },
            Some(value) => side(value).map(|side| (side, side)),
            None => None,
        };
        let (width, height) = size.ok_or(wrong.clone())?;
        Size::new(width, height).map_err(|_| wrong)
    }

    fn moves(&self, name: &'static str, size: Size) -> Result<Vec<Move>, ReadError> {
        let read = |value: &Value| match value.as_str() {
            Some("pass") => Some(Move::Pass),
            Some(text) => Move::from_sgf(text, size).ok(),
            None => None,
        };
        self.list(name)?.iter().map(|value| read(value).ok_or(ReadError::Field(name))).collect()
    }

    fn points(&self, name: &'static str, size: Size) -> Result<Vec<Point>, ReadError> {
        let moves = self.moves(name, size)?;
        moves.into_iter().map(|mv| mv.point().ok_or(ReadError::Field(name))).collect()
    }

    /// The region itself, or the box around it.
    fn region(&self, size: Size) -> Result<(Option<PointSet>, Option<PointSet>), ReadError> {
        let values = self.list("region")?;
        if values.is_empty() {
            return Ok((None, None));
        }
        let numbers: Option<Vec<usize>> =
            values.iter().map(|value| value.as_u64().and_then(|n| usize::try_from(n).ok())).collect();
        match numbers.as_deref() {
            Some(&[left, top, right, bottom]) => {
                let is_inside = |&point: &Point| {
                    (left..=right).contains(&size.x(point)) && (top..=bottom).contains(&size.y(point))
                };
                Ok((None, Some(size.points().filter(is_inside).collect())))
            }
            Some(_) => Err(ReadError::Field("region")),
            None => Ok((Some(self.points("region", size)?.into_iter().collect()), None)),
        }
    }
}
