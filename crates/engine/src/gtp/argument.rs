//! Arguments that only Go knows: colours, vertices and lists of them.

use tesuji_board::{Color, Move, Point, Size};
use tesuji_gtp::Command;

/// The colour at a position of the command.
pub(super) fn color(command: &Command, index: usize) -> Result<Color, String> {
    let word = command.word(index, "color")?;
    parse_color(word)
}

/// The move at a position of the command.
pub(super) fn vertex(command: &Command, index: usize, size: Size) -> Result<Move, String> {
    let word = command.word(index, "vertex")?;
    Move::from_gtp(word, size).map_err(|error| error.to_string())
}

/// A point, where a pass makes no sense.
pub(super) fn parse_point(word: &str, size: Size) -> Result<Point, String> {
    let mv = Move::from_gtp(word, size).map_err(|error| error.to_string())?;
    mv.point().ok_or_else(|| "expected a point, not a pass".to_owned())
}

/// Moves written as colour, vertex, colour, vertex, ….
pub(super) fn moves(command: &Command, size: Size) -> Result<Vec<(Color, Move)>, String> {
    let pair = |[color, vertex]: [&str; 2]| {
        let mv = Move::from_gtp(vertex, size).map_err(|error| error.to_string())?;
        Ok((parse_color(color)?, mv))
    };
    pairs(command)?.into_iter().map(pair).collect()
}

/// Stones written as colour, point, colour, point, …; `e` or `empty` empties a point. No point may come twice.
pub(super) fn stones(command: &Command, size: Size) -> Result<Vec<(Point, Option<Color>)>, String> {
    let mut stones: Vec<(Point, Option<Color>)> = Vec::new();
    for [color, vertex] in pairs(command)? {
        let color = match color.to_ascii_lowercase().as_str() {
            "e" | "empty" => None,
            _ => Some(parse_color(color)?),
        };
        let point = parse_point(vertex, size)?;
        if stones.iter().any(|&(other, _)| other == point) {
            return Err(format!("{vertex} is named twice"));
        }
        stones.push((point, color));
    }
    Ok(stones)
}

/// GTP vertices with blanks between.
pub(super) fn join(points: impl IntoIterator<Item = Point>, size: Size) -> String {
    points.into_iter().map(|point| point.to_gtp(size)).collect::<Vec<_>>().join(" ")
}

fn parse_color(word: &str) -> Result<Color, String> {
    Color::parse(word).ok_or_else(|| format!("'{word}' is not a color"))
}

fn pairs(command: &Command) -> Result<Vec<[&str; 2]>, String> {
    let chunks = command.args.chunks(2);
    chunks
        .map(|chunk| match chunk {
            [a, b] => Ok([a.as_str(), b.as_str()]),
            _ => Err("expected pairs of color and vertex".to_owned()),
        })
        .collect()
}
