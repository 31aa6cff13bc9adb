//! `tesuji sgf draw`: a position of a game as an SVG picture.

use crate::say::say;
use anyhow::{Context, ensure};
use clap::Args;
use std::fmt::Write;
use std::path::PathBuf;
use tesuji_board::{Board, Color, Point, Rules, fixed_handicap, max_fixed_handicap};
use tesuji_sgf::{GameRecord, read, replay_leniently};

use crate::argument;

#[derive(Args)]
pub(crate) struct Options {
    /// An SGF file; its first game is drawn.
    path: PathBuf,
    /// Draw the position after this move; by default after the last.
    #[arg(long = "move", value_name = "N")]
    move_number: Option<usize>,
}

/// Distance between two lines, in pixels.
const GRID: usize = 26;
/// From the edge of the picture to the first line.
const MARGIN: usize = 38;

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let bytes = argument::read(&self.path)?;
        let name = || self.path.display().to_string();
        let parsed = read(&bytes).with_context(name)?;
        let tree = parsed.collection.games.first().with_context(|| format!("{}: no game", name()))?;
        let record = GameRecord::from_tree(tree).with_context(name)?;
        let count = self.move_number.unwrap_or(record.moves.len());
        ensure!(count <= record.moves.len(), "{}: the game has only {} moves", name(), record.moves.len());
        let mut game = record.start(record.rules_or(Rules::default())).with_context(name)?;
        replay_leniently(&mut game, record.moves[..count].iter().copied()).with_context(name)?;
        let last = game.last_move().and_then(|(_, mv)| mv.point());
        say!("{}", draw(game.board(), last).trim_end());
        Ok(())
    }
}

fn draw(board: &Board, last: Option<Point>) -> String {
    let size = board.size();
    let (width, height) = (GRID * (size.width() - 1), GRID * (size.height() - 1));
    let (far_x, far_y) = (MARGIN + width, MARGIN + height);
    let x = |point: Point| MARGIN + GRID * size.x(point);
    let y = |point: Point| MARGIN + GRID * size.y(point);
    let (full_width, full_height) = (width + 2 * MARGIN, height + 2 * MARGIN);
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{full_width}" height="{full_height}" viewBox="0 0 {full_width} {full_height}">
<defs>
<radialGradient id="b" cx="35%" cy="30%" r="70%"><stop offset="0" stop-color="#777"/><stop offset="1" stop-color="#111"/></radialGradient>
<radialGradient id="w" cx="35%" cy="30%" r="80%"><stop offset="0" stop-color="#fff"/><stop offset="1" stop-color="#ccc"/></radialGradient>
</defs>
<rect width="100%" height="100%" rx="6" fill="#dcb35c"/>
<g stroke="#5b4413" stroke-width="1">
"##
    );
    for column in 0..size.width() {
        let x = MARGIN + GRID * column;
        let _ = writeln!(svg, r#"<line x1="{x}" y1="{MARGIN}" x2="{x}" y2="{far_y}"/>"#);
    }
    for row in 0..size.height() {
        let y = MARGIN + GRID * row;
        let _ = writeln!(svg, r#"<line x1="{MARGIN}" y1="{y}" x2="{far_x}" y2="{y}"/>"#);
    }
    svg += "</g>\n<g fill=\"#5b4413\">\n";
    for star in fixed_handicap(size, max_fixed_handicap(size)).unwrap_or_default() {
        let _ = writeln!(svg, r#"<circle cx="{}" cy="{}" r="3"/>"#, x(star), y(star));
    }
    svg += "</g>\n<g font-family=\"sans-serif\" font-size=\"11\" fill=\"#5b4413\" text-anchor=\"middle\">\n";
    for point in size.points().filter(|&point| size.y(point) == 0) {
        // A vertex is a letter and a number.
        let letter = point.to_gtp(size).chars().next().unwrap_or(' ');
        for y in [MARGIN - 20, far_y + 28] {
            let _ = writeln!(svg, r#"<text x="{}" y="{y}">{letter}</text>"#, x(point));
        }
    }
    for point in size.points().filter(|&point| size.x(point) == 0) {
        let number = size.height() - size.y(point);
        for x in [MARGIN - 24, far_x + 24] {
            let _ = writeln!(svg, r#"<text x="{x}" y="{}">{number}</text>"#, y(point) + 4);
        }
    }
    svg += "</g>\n";
    for (point, color) in size.points().filter_map(|point| Some((point, board.color(point)?))) {
        let (fill, mark) = match color {
            Color::Black => ("url(#b)", "#fff"),
            Color::White => ("url(#w)", "#111"),
        };
        let (x, y) = (x(point), y(point));
        let _ = writeln!(
            svg,
            r##"<circle cx="{x}" cy="{y}" r="12" fill="{fill}" stroke="#333" stroke-width="0.6"/>"##
        );
        if last == Some(point) {
            let _ = writeln!(
                svg,
                r#"<circle cx="{x}" cy="{y}" r="5" fill="none" stroke="{mark}" stroke-width="1.6"/>"#
            );
        }
    }
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_board::Diagram;

    #[test]
    fn a_picture_has_every_stone_and_the_last_move() {
        let diagram = Diagram::parse(". X O\nX . (O)").unwrap();
        let svg = draw(&diagram.board, diagram.last_move);
        assert_eq!(svg.matches("url(#b)").count(), 2);
        assert_eq!(svg.matches("url(#w)").count(), 2);
        assert_eq!(svg.matches("fill=\"none\"").count(), 1);
        // The columns are named above and below the board.
        assert_eq!(svg.matches(">C</text>").count(), 2);
    }
}
