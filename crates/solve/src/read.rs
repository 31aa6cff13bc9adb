//! Problems from files: JSON lines, SGF and text diagrams.

mod diagram;
mod json;
mod sgf;

pub use diagram::read_diagram;
pub use json::read_json_line;
pub use sgf::read_sgf;

use crate::draft::Draft;
use std::fmt;
use tesuji_board::{Color, DiagramError, Move};

/// Reads every problem of a file, whose name tells the format: `.sgf`, `.jsonl`, either with `.zst` behind it, or else a diagram.
pub fn read_problems(name: &str, bytes: &[u8]) -> Result<Vec<Result<Record, ReadError>>, ReadError> {
    if let Some(inner) = name.strip_suffix(".zst") {
        let bytes = tesuji_sgf::unpack(bytes).map_err(|error| ReadError::Compression(error.to_string()))?;
        return read_problems(inner, &bytes);
    }
    if name.ends_with(".sgf") {
        return read_sgf(bytes);
    }
    let text = std::str::from_utf8(bytes).map_err(|_| ReadError::NotText)?;
    if name.ends_with(".jsonl") || name.ends_with(".json") {
        return Ok(text.lines().filter(|line| !line.trim().is_empty()).map(read_json_line).collect());
    }
    Ok(vec![read_diagram(text)])
}

/// A problem of a file with what the file says about it.
#[derive(Clone)]
pub struct Record {
    /// The problem, or what there is of it.
    pub draft: Draft,
    /// A name that is unique in its collection.
    pub id: String,
    /// Where it comes from.
    pub source: String,
    /// Life and death, semeai, …
    pub category: String,
    /// How hard it is.
    pub rank: String,
    /// Books and lists that have it.
    pub collections: Vec<String>,
    /// What the author says of the outcome: `unconditional`, `fail`, `ko_good`, `ko_bad`, …
    pub result: String,
    /// First moves that the author accepts.
    pub accepted: Vec<Move>,
    /// First moves that the author refutes.
    pub rejected: Vec<Move>,
    /// What the author writes.
    pub comment: String,
    /// The fate of the target, in the words of [`crate::Fate`], where the file has a proof of it.
    pub fate: Option<String>,
    /// Things in the file that had to be interpreted.
    pub remarks: Vec<String>,
}

impl Record {
    /// A record of a draft, with nothing said about it.
    pub fn new(draft: Draft) -> Record {
        Record {
            draft,
            id: String::new(),
            source: String::new(),
            category: String::new(),
            rank: String::new(),
            collections: Vec::new(),
            result: String::new(),
            accepted: Vec::new(),
            rejected: Vec::new(),
            comment: String::new(),
            fate: None,
            remarks: Vec::new(),
        }
    }
}

/// Why a text is not a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// Not JSON.
    Json(String),
    /// A field is missing or has a value that does not belong there.
    Field(&'static str),
    /// The goal is one that the solver does not know.
    Goal(String),
    /// Two stones on one point, or a stone of a chain without liberties.
    Stone(String),
    /// The diagram cannot be read.
    Diagram(DiagramError),
    /// The SGF cannot be read.
    Sgf(String),
    /// Nobody says whose turn it is.
    NoPlayer,
    /// The file cannot be decompressed.
    Compression(String),
    /// The file is not UTF-8 text.
    NotText,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Json(error) => write!(f, "not JSON: {error}"),
            ReadError::Field(name) => write!(f, "the field `{name}` is missing or wrong"),
            ReadError::Goal(goal) => write!(f, "the goal `{goal}` is not one the solver knows"),
            ReadError::Stone(vertex) => write!(f, "the stone at {vertex} cannot be there"),
            ReadError::Diagram(error) => error.fmt(f),
            ReadError::Sgf(error) => f.write_str(error),
            ReadError::Compression(error) => write!(f, "cannot be decompressed: {error}"),
            ReadError::NotText => f.write_str("not UTF-8 text"),
            ReadError::NoPlayer => f.write_str("the problem does not say who is to move"),
        }
    }
}

impl std::error::Error for ReadError {}

/// Sets up stones and checks that all of them stand.
fn set_up(
    size: tesuji_board::Size,
    stones: [(Color, Vec<tesuji_board::Point>); 2],
) -> Result<tesuji_board::Board, ReadError> {
    let mut board = tesuji_board::Board::new(size);
    for (color, points) in &stones {
        for &point in points {
            if board.color(point).is_some_and(|there| there != *color) {
                return Err(ReadError::Stone(Move::Play(point).to_gtp(size)));
            }
            if board.is_empty(point) {
                board.set_up(point, *color);
            }
        }
    }
    let is_gone = |color: Color, point: &tesuji_board::Point| board.color(*point) != Some(color);
    for (color, points) in &stones {
        if let Some(&point) = points.iter().find(|point| is_gone(*color, point)) {
            return Err(ReadError::Stone(Move::Play(point).to_gtp(size)));
        }
    }
    Ok(board)
}
