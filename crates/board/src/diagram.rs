//! Positions as text, both ways: the language in which tests and people talk about a board.
//!
//! ```text
//!    A B C D E
//!  3 . X O . a 3
//!  2 X(O). O + 2
//!  1 . X O . # 1
//!    A B C D E
//! to play: X
//! ko: C2
//! ```
//!
//! `X` is Black and `O` White. `.` and `+` (a star point) are empty; a lower-case letter is an empty point with
//! that name. `#` is a marked black stone and `@` a marked white one. Parentheses enclose the last
//! move. Blanks, blank lines, column letters, row numbers and frames of `-`, `|` and `+` may be left out; row numbers
//! that are there must be right. `to play:` and `ko:` lines are optional; the ko line names the point that may
//! not be retaken at once.

use crate::board::Board;
use crate::color::Color;
use crate::point::{Move, Point, Size, SizeError};
use crate::vertex::COLUMNS;
use std::fmt;

/// A board with what can be written around it.
#[derive(Clone)]
pub struct Diagram {
    /// The position, with its ko if there is one.
    pub board: Board,
    /// Whose turn it is, if stated.
    pub to_play: Option<Color>,
    /// The stone in parentheses.
    pub last_move: Option<Point>,
    names: Vec<(char, Point)>,
    marked: Vec<Point>,
}

/// What is wrong with a diagram, and where; lines and columns count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiagramError {
    /// The line of the text.
    pub line: usize,
    /// The column of the text.
    pub column: usize,
    /// What is wrong there.
    pub problem: DiagramProblem,
}

/// What can be wrong with a diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiagramProblem {
    /// A character without a meaning where it stands.
    Unexpected(char),
    /// This row does not have the width of the first one.
    RowWidth {
        /// Width of the first row.
        expected: usize,
        /// Width of this row.
        found: usize,
    },
    /// The number beside a row is not its number from the bottom.
    RowNumber {
        /// The right number.
        expected: usize,
    },
    /// No board has this size.
    Size(SizeError),
    /// The stone belongs to a chain without liberties.
    NoLiberties,
    /// `to play:` is not followed by `X` or `O`.
    Player,
    /// `ko:` is not followed by an empty point where one stone could retake another.
    Ko,
    /// A line with a colon that starts neither with `to play` nor with `ko`.
    Key,
}

impl fmt::Display for DiagramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: ", self.line, self.column)?;
        match &self.problem {
            DiagramProblem::Unexpected(c) => write!(f, "unexpected {c:?}"),
            DiagramProblem::RowWidth { expected, found } => {
                write!(f, "the row has {found} points, the first one {expected}")
            }
            DiagramProblem::RowNumber { expected } => write!(f, "this is row {expected}"),
            DiagramProblem::Size(error) => error.fmt(f),
            DiagramProblem::NoLiberties => f.write_str("the chain of this stone has no liberties"),
            DiagramProblem::Player => f.write_str("the player to move must be X or O"),
            DiagramProblem::Ko => f.write_str("there is no ko on this point"),
            DiagramProblem::Key => f.write_str("unknown line: only `to play:` and `ko:` are known"),
        }
    }
}

impl std::error::Error for DiagramError {}

impl Diagram {
    /// A diagram of a board with nothing around it.
    pub fn of(board: &Board) -> Diagram {
        Diagram {
            board: board.clone(),
            to_play: None,
            last_move: None,
            names: Vec::new(),
            marked: Vec::new(),
        }
    }

    /// Reads a diagram as described at the top of this file.
    pub fn parse(text: &str) -> Result<Diagram, DiagramError> {
        let mut rows = Vec::new();
        let mut remarks = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let number = i + 1;
            if line.contains(':') {
                remarks.push((number, line));
            } else if !is_decoration(line) {
                rows.push(Row::parse(number, line)?);
            }
        }
        let mut diagram = Diagram::from_rows(&rows)?;
        for (number, line) in remarks {
            diagram.read_remark(number, line)?;
        }
        Ok(diagram)
    }

    /// The first point, in reading order, with this name.
    pub fn point(&self, name: char) -> Option<Point> {
        self.points(name).next()
    }

    /// All points with this name.
    pub fn points(&self, name: char) -> impl Iterator<Item = Point> + '_ {
        self.names.iter().filter(move |named| named.0 == name).map(|named| named.1)
    }

    /// The stones written as `#` or `@`.
    pub fn marked(&self) -> &[Point] {
        &self.marked
    }

    /// Writes `name` on a point; only lower-case letters on empty points are shown.
    pub fn set_name(&mut self, point: Point, name: char) {
        self.names.push((name, point));
    }

    /// Marks a stone.
    pub fn mark(&mut self, stone: Point) {
        self.marked.push(stone);
    }

    fn from_rows(rows: &[Row]) -> Result<Diagram, DiagramError> {
        let width = rows.first().map_or(0, |row| row.symbols.len());
        let first_line = rows.first().map_or(1, |row| row.line);
        let size = Size::new(width, rows.len()).map_err(|error| DiagramError {
            line: first_line,
            column: 1,
            problem: DiagramProblem::Size(error),
        })?;
        let mut diagram = Diagram::of(&Board::new(size));
        for (y, row) in rows.iter().enumerate() {
            let expected = rows.len() - y;
            if let Some(&(_, column)) = row.numbers.iter().find(|&&(number, _)| number != expected) {
                return Err(row.error(column, DiagramProblem::RowNumber { expected }));
            }
            if row.symbols.len() != width {
                let found = row.symbols.len();
                return Err(row.error(1, DiagramProblem::RowWidth { expected: width, found }));
            }
            let points = (0..width).filter_map(|x| size.point(x, y));
            for (point, symbol) in points.zip(&row.symbols) {
                diagram.put(point, symbol);
            }
        }
        // Stones without liberties have been taken off on the way: their points are empty now.
        let stones = rows.iter().flat_map(|row| row.symbols.iter().map(move |symbol| (row, symbol)));
        for (point, (row, symbol)) in size.points().zip(stones) {
            if diagram.board.color(point) != symbol.color() {
                return Err(row.error(symbol.column, DiagramProblem::NoLiberties));
            }
        }
        Ok(diagram)
    }

    fn put(&mut self, point: Point, symbol: &Symbol) {
        if let Some(color) = symbol.color() {
            self.board.set_up(point, color);
        }
        match symbol.character {
            '#' | '@' => self.marked.push(point),
            name @ 'a'..='z' => self.names.push((name, point)),
            _ => {}
        }
        if symbol.is_last_move {
            self.last_move = Some(point);
        }
    }

    fn read_remark(&mut self, number: usize, line: &str) -> Result<(), DiagramError> {
        let (key, value) = line.split_once(':').unwrap_or((line, ""));
        let error = |before: &str, problem| {
            Err(DiagramError { line: number, column: before.chars().count() + 1, problem })
        };
        match key.trim().to_ascii_lowercase().as_str() {
            "to play" => match value.trim() {
                "X" => self.to_play = Some(Color::Black),
                "O" => self.to_play = Some(Color::White),
                _ => return error(key, DiagramProblem::Player),
            },
            "ko" => match self.ko_at(value.trim()) {
                Some((point, banned)) => self.board.set_ko(point, banned),
                None => return error(key, DiagramProblem::Ko),
            },
            _ => return error("", DiagramProblem::Key),
        }
        Ok(())
    }

    /// The ko point called `name` and who may not play there: its taker's stone, alone and in atari, is beside it.
    fn ko_at(&self, name: &str) -> Option<(Point, Color)> {
        let board = &self.board;
        let point =
            Move::from_gtp(name, board.size()).ok()?.point().filter(|&point| board.is_empty(point))?;
        let taker = Color::BOTH.into_iter().find(|&c| board.neighborhood(point).is_surrounded_by(c))?;
        let is_ko_stone = |stone: &Point| {
            let chain = board.chain_at(*stone);
            board.chain_size(chain) == 1 && board.liberty_count(chain) == 1
        };
        (board.sides(point, taker.cell()).filter(is_ko_stone).count() == 1).then_some((point, !taker))
    }

    fn symbol_at(&self, point: Point) -> char {
        let is_marked = self.marked.contains(&point);
        match self.board.color(point) {
            Some(Color::Black) => {
                if is_marked {
                    '#'
                } else {
                    'X'
                }
            }
            Some(Color::White) => {
                if is_marked {
                    '@'
                } else {
                    'O'
                }
            }
            None => {
                let name = self.names.iter().find(|named| named.1 == point).map(|named| named.0);
                name.filter(char::is_ascii_lowercase).unwrap_or('.')
            }
        }
    }
}

/// Prints the diagram with coordinates, so that [`Diagram::parse`] reads the same again.
impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.board.size();
        let letters: String =
            COLUMNS[..size.width()].iter().flat_map(|&letter| [' ', char::from(letter)]).collect();
        writeln!(f, "  {letters}")?;
        for y in 0..size.height() {
            let number = size.height() - y;
            write!(f, "{number:2}")?;
            let mut after_last_move = false;
            for point in (0..size.width()).filter_map(|x| size.point(x, y)) {
                let is_last_move = self.last_move == Some(point);
                let before = match (is_last_move, after_last_move) {
                    (true, _) => '(',
                    (_, true) => ')',
                    _ => ' ',
                };
                write!(f, "{before}{}", self.symbol_at(point))?;
                after_last_move = is_last_move;
            }
            writeln!(f, "{}{number}", if after_last_move { ')' } else { ' ' })?;
        }
        writeln!(f, "  {letters}")?;
        if let Some(color) = self.to_play {
            writeln!(f, "to play: {}", stone_letter(color))?;
        }
        if let Some(point) = Color::BOTH.into_iter().find_map(|color| self.board.ko_point(color)) {
            writeln!(f, "ko: {}", point.to_gtp(size))?;
        }
        Ok(())
    }
}

/// The diagram itself: a failed test then shows a position.
impl fmt::Debug for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// As [`Diagram`] without remarks.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Diagram::of(self).fmt(f)
    }
}

struct Row {
    line: usize,
    symbols: Vec<Symbol>,
    /// The numbers beside the row, with their columns.
    numbers: Vec<(usize, usize)>,
}

struct Symbol {
    character: char,
    column: usize,
    is_last_move: bool,
}

impl Symbol {
    fn color(&self) -> Option<Color> {
        match self.character {
            'X' | '#' => Some(Color::Black),
            'O' | '@' => Some(Color::White),
            _ => None,
        }
    }
}

impl Row {
    fn parse(line: usize, text: &str) -> Result<Row, DiagramError> {
        let mut row = Row { line, symbols: Vec::new(), numbers: Vec::new() };
        // Number of symbols before the open parenthesis, and its column.
        let mut open = None;
        let mut after_digit = false;
        for (i, character) in text.chars().enumerate() {
            let column = i + 1;
            match character {
                'X' | 'O' | '#' | '@' | '.' | '+' | 'a'..='z'
                    if open.is_none_or(|(count, _)| count == row.symbols.len()) =>
                {
                    row.symbols.push(Symbol { character, column, is_last_move: open.is_some() });
                }
                '(' if open.is_none() => open = Some((row.symbols.len(), column)),
                ')' if open.is_some_and(|(count, _)| count < row.symbols.len()) => open = None,
                '0'..='9' => {
                    let digit = character as usize - '0' as usize;
                    match row.numbers.last_mut() {
                        Some((number, _)) if after_digit => {
                            *number = number.saturating_mul(10).saturating_add(digit);
                        }
                        _ => row.numbers.push((digit, column)),
                    }
                }
                '|' => {}
                c if c.is_whitespace() => {}
                unexpected => return Err(row.error(column, DiagramProblem::Unexpected(unexpected))),
            }
            after_digit = character.is_ascii_digit();
        }
        match open {
            Some((_, column)) => Err(row.error(column, DiagramProblem::Unexpected('('))),
            None => Ok(row),
        }
    }

    fn error(&self, column: usize, problem: DiagramProblem) -> DiagramError {
        DiagramError { line: self.line, column, problem }
    }
}

/// Whether a line shows no points: blank, part of the frame, or column letters.
fn is_decoration(line: &str) -> bool {
    let is_frame = line.chars().all(|c| matches!(c, '-' | '+' | '|' | ' ')) && line.contains('-');
    let letters = || line.bytes().filter(|byte| !byte.is_ascii_whitespace());
    let is_letters = letters().zip(COLUMNS).all(|(a, b)| a == *b) && letters().count() <= COLUMNS.len();
    is_frame || is_letters
}

fn stone_letter(color: Color) -> char {
    match color {
        Color::Black => 'X',
        Color::White => 'O',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Suicide;
    use crate::testing::{Rng, random_board};

    fn check(text: &str, printed: &str) {
        let diagram = Diagram::parse(text).unwrap();
        assert_eq!(diagram.to_string(), printed);
        assert_eq!(Diagram::parse(printed).unwrap().to_string(), printed);
    }

    fn check_error(text: &str, expected: &str) {
        assert_eq!(Diagram::parse(text).unwrap_err().to_string(), expected, "{text}");
    }

    #[test]
    fn diagrams_are_read_with_and_without_decoration() {
        let printed = "   A B C\n 2 . O X 2\n 1 a . # 1\n   A B C\n";
        check(".OX\na.#", printed);
        check("\n  + O X \n\n  a . #  ", printed);
        check("+-----+\n|. O X|\n|a . #|\n+-----+", printed);
        check("   A B C\n 2|. O X|\n 1|a . #|\n", printed);
        check(printed, printed);
    }

    #[test]
    fn remarks_are_read() {
        check(
            ".XO.a\nX(O).O+\n.XO.#\nto play: X\nko: C2",
            "   A B C D E\n 3 . X O . a 3\n 2 X(O). O . 2\n 1 . X O . # 1\n   A B C D E\nto play: X\nko: C2\n",
        );
        check(
            ".XO.\nXO(.)O\n.XO.\nto play: O\n",
            "   A B C D\n 3 . X O . 3\n 2 X O(.)O 2\n 1 . X O . 1\n   A B C D\nto play: O\n",
        );
        let diagram = Diagram::parse(".XO.\n(X).XO\n.XO.\nko: b2").unwrap();
        assert_eq!(diagram.board.ko_point(Color::White), diagram.board.size().point(1, 1));
        assert_eq!(diagram.board.ko_point(Color::Black), None);
        assert_eq!(diagram.last_move, diagram.board.size().point(0, 1));
    }

    #[test]
    fn names_and_marks_are_kept() {
        let diagram = Diagram::parse("a#b\n.b@").unwrap();
        let size = diagram.board.size();
        assert_eq!(diagram.point('a'), size.point(0, 0));
        assert_eq!(
            diagram.points('b').collect::<Vec<_>>(),
            [size.point(2, 0), size.point(1, 1)].map(Option::unwrap)
        );
        assert_eq!(diagram.point('c'), None);
        assert_eq!(diagram.marked(), [size.point(1, 0), size.point(2, 1)].map(Option::unwrap));
    }

    #[test]
    fn errors_say_where() {
        check_error("..\n.?", "line 2, column 2: unexpected '?'");
        check_error("..\n (.X)", "line 2, column 4: unexpected 'X'");
        check_error("..\n()..", "line 2, column 2: unexpected ')'");
        check_error("..\n.(X", "line 2, column 2: unexpected '('");
        check_error("...\n..", "line 2, column 1: the row has 2 points, the first one 3");
        check_error("2 ..\n 2 ..", "line 2, column 2: this is row 1");
        check_error("", "line 1, column 1: board size 0x0 is not supported: each side must be 2 to 25");
        check_error("XO\nO.", "line 1, column 1: the chain of this stone has no liberties");
        check_error("..\n..\nto play: B", "line 3, column 8: the player to move must be X or O");
        check_error("..\n..\nko: A1", "line 3, column 3: there is no ko on this point");
        check_error("..\n..\nko: Ä", "line 3, column 3: there is no ko on this point");
        check_error("..\n..\nkomi: 7", "line 3, column 1: unknown line: only `to play:` and `ko:` are known");
    }

    #[test]
    fn printing_a_board_and_reading_it_gives_the_same_board() {
        let mut rng = Rng::new(1);
        let mut kos = 0;
        for _ in 0..2000 {
            let board = random_board(&mut rng, Suicide::Forbidden);
            let read = Diagram::parse(&board.to_string()).unwrap().board;
            assert_eq!(read.size(), board.size());
            assert_eq!(read.hash(), board.hash());
            for color in Color::BOTH {
                assert_eq!(read.ko_point(color), board.ko_point(color), "{board}");
                kos += usize::from(board.ko_point(color).is_some());
            }
        }
        assert!(kos > 0, "no ko was tested");
    }
}
