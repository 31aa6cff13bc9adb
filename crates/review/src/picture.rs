//! A small board as SVG.

use std::fmt::Write;

use tesuji_board::{Board, Color, Move, Point, Size};

/// What is drawn besides the stones of a position.
#[derive(Default)]
pub(crate) struct Marks<'a> {
    /// A move that was just made, with a ring.
    pub(crate) last: Option<(Color, Move)>,
    /// Moves to come, numbered from 1.
    pub(crate) line: &'a [(Color, Move)],
}

/// Side of a field.
const FIELD: usize = 20;
/// Room for the names of columns and rows.
const MARGIN: usize = 14;

/// Draws a position. Text alone says what it shows, for those who cannot see it.
pub(crate) fn picture(board: &Board, marks: &Marks<'_>, text: &str) -> String {
    let size = board.size();
    let (width, height) = (size.width() * FIELD + MARGIN, size.height() * FIELD + MARGIN);
    let mut svg = format!(
        "<svg class=\"board\" viewBox=\"-{MARGIN} 0 {width} {height}\" role=\"img\" aria-label=\"{text}\">"
    );
    let written = draw(&mut svg, board, marks, size);
    debug_assert!(written.is_ok(), "text takes everything");
    svg + "</svg>"
}

fn draw(svg: &mut String, board: &Board, marks: &Marks<'_>, size: Size) -> std::fmt::Result {
    let (width, height) = (size.width(), size.height());
    write!(svg, "<rect class=\"wood\" width=\"{}\" height=\"{}\"/>", width * FIELD, height * FIELD)?;
    let (right, bottom) = (middle(width - 1), middle(height - 1));
    let (left, top) = (middle(0), middle(0));
    write!(svg, "<path class=\"grid\" d=\"")?;
    for x in (0..width).map(middle) {
        write!(svg, "M{x} {top}V{bottom}")?;
    }
    for y in (0..height).map(middle) {
        write!(svg, "M{left} {y}H{right}")?;
    }
    write!(svg, "\"/>")?;
    for x in 0..width {
        // The lowest row, whose names begin with the column's.
        let name = size.point(x, height - 1).map(|point| point.to_gtp(size)).unwrap_or_default();
        let (column, y) = (name.trim_end_matches(|c: char| c.is_ascii_digit()), height * FIELD + MARGIN / 2);
        write!(svg, "<text class=\"name\" x=\"{}\" y=\"{y}\">{column}</text>", middle(x))?;
    }
    for y in 0..height {
        let x = MARGIN / 2;
        write!(svg, "<text class=\"name\" x=\"-{x}\" y=\"{}\">{}</text>", middle(y), height - y)?;
    }
    for (x, y) in stars(size) {
        write!(svg, "<circle class=\"star\" cx=\"{}\" cy=\"{}\" r=\"2\"/>", middle(x), middle(y))?;
    }
    for point in size.points() {
        if let Some(color) = board.color(point) {
            stone(svg, size, point, color)?;
        }
    }
    if let Some((color, Move::Play(point))) = marks.last {
        stone(svg, size, point, color)?;
        let (x, y) = (middle(size.x(point)), middle(size.y(point)));
        write!(svg, "<circle class=\"ring {}\" cx=\"{x}\" cy=\"{y}\" r=\"5\"/>", class(color))?;
    }
    let mut taken: Vec<Point> = Vec::new();
    for (number, &(color, mv)) in (1..).zip(marks.line) {
        // A move on a point that is taken cannot be shown; the text has it.
        let Some(point) = mv.point().filter(|&point| board.is_empty(point) && !taken.contains(&point)) else {
            continue;
        };
        taken.push(point);
        stone(svg, size, point, color)?;
        let (x, y) = (middle(size.x(point)), middle(size.y(point)));
        write!(svg, "<text class=\"{}\" x=\"{x}\" y=\"{y}\">{number}</text>", class(color))?;
    }
    Ok(())
}

fn stone(svg: &mut String, size: Size, point: Point, color: Color) -> std::fmt::Result {
    let (x, y) = (middle(size.x(point)), middle(size.y(point)));
    write!(svg, "<circle class=\"stone {}\" cx=\"{x}\" cy=\"{y}\" r=\"9.3\"/>", class(color))
}

fn class(color: Color) -> &'static str {
    if color == Color::Black { "black" } else { "white" }
}

fn middle(place: usize) -> usize {
    place * FIELD + FIELD / 2
}

/// The handicap points of usual boards.
fn stars(size: Size) -> Vec<(usize, usize)> {
    let places = |side: usize| -> Vec<usize> {
        let edge = if side >= 13 { 3 } else { 2 };
        match side {
            ..7 => Vec::new(),
            side if side % 2 == 1 => vec![edge, side / 2, side - 1 - edge],
            side => vec![edge, side - 1 - edge],
        }
    };
    let (columns, rows) = (places(size.width()), places(size.height()));
    columns.iter().flat_map(|&x| rows.iter().map(move |&y| (x, y))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_shows_stones_marks_and_numbers() {
        let size = Size::square(9).unwrap();
        let point = |name: &str| Move::from_gtp(name, size).unwrap();
        let mut game = tesuji_board::Game::new(size, tesuji_board::Rules::default());
        game.play(Color::Black, point("E5")).unwrap();
        let line = [
            (Color::White, point("C3")),
            (Color::Black, point("pass")),
            (Color::White, point("C3")),
            (Color::Black, point("E5")),
        ];
        let marks = Marks { last: Some((Color::Black, point("E5"))), line: &line };
        let svg = picture(game.board(), &marks, "a test");
        assert_eq!(svg.matches("class=\"stone").count(), 3, "E5, its mark, and C3 once");
        assert_eq!(svg.matches("<text class=\"white").count(), 1);
        assert_eq!(svg.matches("class=\"name").count(), 18);
        assert!(svg.contains(">J</text>") && !svg.contains(">I</text>"));
        assert_eq!(svg.matches("class=\"star").count(), 9);
        assert!(svg.contains("cx=\"50\" cy=\"130\""), "C3 is in the third column and the seventh row");
    }
}
