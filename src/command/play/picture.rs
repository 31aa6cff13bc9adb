//! The board as a person likes to see it.
//!
//! Three looks: wood-coloured with drawn lines in a terminal, the same lines without colour, and the text diagram of the board
//! crate in ASCII. All have two columns per point, which makes the board nearly square in most fonts.

use tesuji_board::{Board, Color, Diagram, Owner, Point, PointSet, fixed_handicap, max_fixed_handicap};

/// How to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// Lines and colours.
    Color,
    /// Lines.
    Plain,
    /// Letters.
    Ascii,
}

/// What to draw.
pub(super) struct Picture<'a> {
    pub(super) board: &'a Board,
    pub(super) last_move: Option<Point>,
    /// A suggested point.
    pub(super) hint: Option<Point>,
    /// Who gets what.
    pub(super) division: Option<&'a Division>,
}

/// How the points are divided, or are expected to be.
pub(super) struct Division {
    /// In reading order.
    pub(super) owners: Vec<Owner>,
    pub(super) dead: PointSet,
}

const RESET: &str = "\x1b[0m";
/// Dark lines on wood, from the 256 colours that every terminal has had since about 2010.
const WOOD: &str = "\x1b[48;5;179m\x1b[38;5;94m";
const BLACK: &str = "\x1b[38;5;16m";
const WHITE: &str = "\x1b[38;5;231m";
const HINT: &str = "\x1b[38;5;21m";
/// Distance between the board and the text beside it.
const GAP: usize = 4;

impl Look {
    /// What suits the terminal and the wishes in the environment: `NO_COLOR`, `TERM` and the locale.
    pub(super) fn choose(is_terminal: bool, ascii: bool, variable: impl Fn(&str) -> Option<String>) -> Look {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
        // Where no locale is set, as in containers, the terminal outside knows UTF-8 nearly always.
        let is_unicode = locale.is_none_or(|locale| {
            let locale = locale.to_ascii_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        });
        let is_dumb = variable("TERM").is_some_and(|term| term == "dumb");
        if ascii || is_dumb || !is_unicode {
            Look::Ascii
        } else if is_terminal && set("NO_COLOR").is_none() {
            Look::Color
        } else {
            Look::Plain
        }
    }
}

impl Picture<'_> {
    /// The lines of the picture, with those of `text` beside them.
    pub(super) fn draw(&self, look: Look, text: &[String]) -> String {
        let lines = match look {
            Look::Ascii => self.ascii_lines(),
            Look::Plain | Look::Color => self.drawn_lines(look),
        };
        let width = lines.iter().map(|(_, width)| *width).max().unwrap_or(0);
        let mut picture = String::new();
        for i in 0..lines.len().max(text.len() + 1) {
            let (line, used) = lines.get(i).map_or(("", 0), |(line, used)| (line.as_str(), *used));
            picture += line;
            // The first line holds the letters of the columns.
            if let Some(beside) =
                i.checked_sub(1).and_then(|i| text.get(i)).filter(|beside| !beside.is_empty())
            {
                picture += &" ".repeat(width - used + GAP);
                picture += beside;
            }
            picture.push('\n');
        }
        picture
    }

    /// Lines with their width on the screen.
    fn ascii_lines(&self) -> Vec<(String, usize)> {
        let mut diagram = Diagram::of(self.board);
        diagram.last_move = self.last_move;
        if let Some(point) = self.hint {
            diagram.set_name(point, 'h');
        }
        if let Some(division) = self.division {
            division.dead.iter().for_each(|point| diagram.mark(point));
            for (point, owner) in self.board.size().points().zip(&division.owners) {
                match owner {
                    Owner::Black => diagram.set_name(point, 'b'),
                    Owner::White => diagram.set_name(point, 'w'),
                    Owner::Neutral => {}
                }
            }
        }
        // The ko line below the board is for tests: a person sees why a move is refused when it is.
        let rows = self.board.size().height() + 2;
        diagram.to_string().lines().take(rows).map(|line| (line.to_owned(), line.chars().count())).collect()
    }

    fn drawn_lines(&self, look: Look) -> Vec<(String, usize)> {
        let size = self.board.size();
        let stars = fixed_handicap(size, max_fixed_handicap(size)).unwrap_or_default();
        let letters: String =
            size.points().take(size.width()).map(|point| column_letter(point.to_gtp(size))).collect();
        let header = (format!("   {letters}"), 3 + 2 * size.width());
        let mut lines = vec![header.clone()];
        for y in 0..size.height() {
            let number = size.height() - y;
            let mut line = format!("{number:2} ");
            if look == Look::Color {
                line += WOOD;
            }
            line.push(' ');
            for (x, point) in (0..size.width()).filter_map(|x| Some((x, size.point(x, y)?))) {
                let (ink, symbol) = self.symbol(point, look, &stars);
                match ink {
                    Some(ink) if look == Look::Color => {
                        line += ink;
                        line.push(symbol);
                        line += WOOD;
                    }
                    _ => line.push(symbol),
                }
                line.push(if x + 1 < size.width() { '─' } else { ' ' });
            }
            if look == Look::Color {
                line += RESET;
            }
            line += &format!(" {number}");
            lines.push((line, 2 * size.width() + if number < 10 { 6 } else { 7 }));
        }
        lines.push(header);
        lines
    }

    /// What stands on a point, and in which ink if not that of the lines.
    fn symbol(&self, point: Point, look: Look, stars: &[Point]) -> (Option<&'static str>, char) {
        let is_last = self.last_move == Some(point);
        let is_dead = self.division.is_some_and(|division| division.dead.contains(point));
        let ink = |color| if color == Color::Black { BLACK } else { WHITE };
        // Without colour, an outline has to tell White's symbols from Black's.
        let filled = |color| look == Look::Color || color == Color::Black;
        if let Some(color) = self.board.color(point) {
            let symbol = match (filled(color), is_dead, is_last) {
                (_, true, _) => '×',
                (true, _, false) => '●',
                (true, _, true) => '◉',
                (false, _, false) => '○',
                (false, _, true) => '◎',
            };
            return (Some(ink(color)), symbol);
        }
        if self.hint == Some(point) {
            return (Some(HINT), '?');
        }
        let ordinal = self.board.size().ordinal(point);
        let owner = match self.division.and_then(|division| division.owners.get(ordinal)) {
            Some(Owner::Black) => Some(Color::Black),
            Some(Owner::White) => Some(Color::White),
            _ => None,
        };
        match owner {
            Some(color) => (Some(ink(color)), if filled(color) { '▪' } else { '▫' }),
            None if stars.contains(&point) => (None, '•'),
            None => (None, self.line_symbol(point)),
        }
    }

    /// The lines that meet on a point.
    fn line_symbol(&self, point: Point) -> char {
        let size = self.board.size();
        let column = match size.x(point) {
            0 => 0,
            x if x + 1 == size.width() => 2,
            _ => 1,
        };
        let row = match size.y(point) {
            0 => ['┌', '┬', '┐'],
            y if y + 1 == size.height() => ['└', '┴', '┘'],
            _ => ['├', '┼', '┤'],
        };
        row[column]
    }
}

fn column_letter(vertex: String) -> String {
    format!(" {}", vertex.chars().next().unwrap_or(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(diagram: &str, look: Look, expected: &str) {
        let diagram = Diagram::parse(diagram).unwrap();
        let picture =
            Picture { board: &diagram.board, last_move: diagram.last_move, hint: None, division: None };
        assert_eq!(picture.draw(look, &[]), expected);
    }

    #[test]
    fn lines_and_stones() {
        check(". X .\n(O). .", Look::Plain, "    A B C\n 2  ┌─●─┐  2\n 1  ◎─┴─┘  1\n    A B C\n");
    }

    #[test]
    fn ascii_is_the_diagram() {
        check(". X .\n(O). .", Look::Ascii, "   A B C\n 2 . X . 2\n 1(O). . 1\n   A B C\n");
    }

    #[test]
    fn colours_change_nothing_but_colour() {
        let diagram = Diagram::parse(". X .\nO . (X)\n. O .").unwrap();
        let picture =
            Picture { board: &diagram.board, last_move: diagram.last_move, hint: None, division: None };
        let colored = picture.draw(Look::Color, &["beside".to_owned()]);
        let mut bare = String::new();
        for (i, part) in colored.split('\x1b').enumerate() {
            bare += if i == 0 { part } else { part.split_once('m').unwrap().1 };
        }
        let plain = picture.draw(Look::Plain, &["beside".to_owned()]);
        assert_eq!(bare, plain.replace('○', "●").replace('◎', "◉"));
        assert!(colored.lines().all(|line| !line.contains('\x1b') || line.contains(RESET)));
    }

    #[test]
    fn outcomes_are_shown() {
        let diagram = Diagram::parse("X . .\nX O .\nX . .").unwrap();
        let dead: PointSet = [diagram.board.size().point(1, 1).unwrap()].into_iter().collect();
        let division = Division { owners: vec![Owner::Black; 9], dead };
        let picture =
            Picture { board: &diagram.board, last_move: None, hint: None, division: Some(&division) };
        assert_eq!(picture.draw(Look::Plain, &[]).matches(['▪', '×']).count(), 6);
        assert!(picture.draw(Look::Ascii, &[]).contains("X @ b"));
    }

    #[test]
    fn looks_follow_the_environment() {
        let choose = |is_terminal, ascii, variables: &[(&str, &str)]| {
            let find = |name: &str| variables.iter().find(|v| v.0 == name).map(|v| v.1.to_owned());
            Look::choose(is_terminal, ascii, find)
        };
        let utf8 = ("LANG", "en_GB.UTF-8");
        assert_eq!(choose(true, false, &[utf8]), Look::Color);
        assert_eq!(choose(true, true, &[utf8]), Look::Ascii);
        assert_eq!(choose(false, false, &[utf8]), Look::Plain);
        assert_eq!(choose(true, false, &[utf8, ("NO_COLOR", "1")]), Look::Plain);
        assert_eq!(choose(true, false, &[utf8, ("NO_COLOR", "")]), Look::Color);
        assert_eq!(choose(true, false, &[utf8, ("LC_ALL", "C")]), Look::Ascii);
        assert_eq!(choose(true, false, &[utf8, ("TERM", "dumb")]), Look::Ascii);
        assert_eq!(choose(true, false, &[]), Look::Color);
    }
}
