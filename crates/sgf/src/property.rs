//! The meaning of single property values: points, sizes, komi, results.
//!
//! All functions take text with escapes undone and ignore blanks around it. What files write in unclear ways
//! is kept as written (`Komi::Unclear`, `RecordedResult::Other`) rather than guessed at.

use std::fmt;

use tesuji_board::{Color, Move, Point, Size};

/// What the `KM` property says.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Komi {
    /// There is no such property.
    #[default]
    Missing,
    /// Points for White.
    Points(f64),
    /// Empty, no decimal number, or beyond any komi ever agreed on (some servers count in hundredths); as
    /// written.
    Unclear(String),
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum RecordedResult {
    /// Nothing is said.
    #[default]
    Missing,
    /// One side won.
    Win(Color, WinBy),
    /// Nobody won.
    Draw,
    /// The game has no result.
    Void,
    /// Anything else, as written, `?` included.
    Other(String),
}

/// What a win was decided by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WinBy {
    /// This many points.
    Score(f64),
    /// The opponent resigned.
    Resignation,
    /// The opponent ran out of time.
    Time,
    /// The opponent broke a rule or did not appear.
    Forfeit,
    /// It is not said.
    Unknown,
}

/// A value that makes a game unusable, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyError {
    /// `GM` names a game other than Go.
    NotGo(String),
    /// `SZ` is no size from 2 to 25.
    Size(String),
    /// `HA` is no number.
    Handicap(String),
    /// Not a point, or not on the board.
    Point(String),
    /// Stones are set up after the first move, which a plain list of moves cannot express.
    SetupAfterMove,
}

/// Largest komi, in points either way, that is believed.
const MAX_KOMI: f64 = 100.0;

/// Largest side of a board on which `tt` is a pass.
const MAX_PASS_SIDE: usize = 19;

impl Komi {
    /// Reads the value of `KM`.
    pub fn parse(text: &str) -> Komi {
        match decimal(text.trim()) {
            Some(points) if points.abs() <= MAX_KOMI => Komi::Points(points),
            _ => Komi::Unclear(text.trim().to_owned()),
        }
    }

    /// The number, if there is one.
    pub fn points(&self) -> Option<f64> {
        match self {
            Komi::Points(points) => Some(*points),
            Komi::Missing | Komi::Unclear(_) => None,
        }
    }
}

impl RecordedResult {
    /// Reads the value of `RE`.
    pub fn parse(text: &str) -> RecordedResult {
        let text = text.trim();
        match text {
            "" => return RecordedResult::Missing,
            _ if is_any(text, &["0", "Draw", "Jigo"]) => return RecordedResult::Draw,
            _ if is_any(text, &["Void"]) => return RecordedResult::Void,
            _ => {}
        }
        let Some((winner, margin)) = text.split_once('+') else {
            return RecordedResult::Other(text.to_owned());
        };
        let winner = match winner.trim_end() {
            "B" | "b" => Color::Black,
            "W" | "w" => Color::White,
            _ => return RecordedResult::Other(text.to_owned()),
        };
        let by = match margin.trim_start() {
            "" => WinBy::Unknown,
            margin if is_any(margin, &["R", "Resign"]) => WinBy::Resignation,
            margin if is_any(margin, &["T", "Time"]) => WinBy::Time,
            margin if is_any(margin, &["F", "Forfeit"]) => WinBy::Forfeit,
            margin => match decimal(margin) {
                Some(score) if score >= 0.0 => WinBy::Score(score),
                _ => return RecordedResult::Other(text.to_owned()),
            },
        };
        RecordedResult::Win(winner, by)
    }

    /// The side that won, if one did.
    pub fn winner(&self) -> Option<Color> {
        match self {
            RecordedResult::Win(color, _) => Some(*color),
            _ => None,
        }
    }
}

/// Writes what `RE` takes.
impl fmt::Display for RecordedResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordedResult::Missing => Ok(()),
            RecordedResult::Draw => f.write_str("0"),
            RecordedResult::Void => f.write_str("Void"),
            RecordedResult::Other(text) => f.write_str(text),
            RecordedResult::Win(color, by) => {
                write!(f, "{}+", color.letter())?;
                match by {
                    WinBy::Score(score) => write!(f, "{score}"),
                    WinBy::Resignation => f.write_str("R"),
                    WinBy::Time => f.write_str("T"),
                    WinBy::Forfeit => f.write_str("F"),
                    WinBy::Unknown => Ok(()),
                }
            }
        }
    }
}

impl fmt::Display for PropertyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PropertyError::NotGo(text) => write!(f, "GM[{text}] is not the game of Go"),
            PropertyError::Size(text) => write!(f, "SZ[{text}] is no board size from 2 to 25"),
            PropertyError::Handicap(text) => write!(f, "HA[{text}] is no number of stones"),
            PropertyError::Point(text) => write!(f, "[{text}] is no point of the board"),
            PropertyError::SetupAfterMove => f.write_str("stones are set up after the first move"),
        }
    }
}

impl std::error::Error for PropertyError {}

/// Reads the value of `SZ`: `19`, or `9:13` for columns and rows.
pub(crate) fn parse_size(text: &str) -> Result<Size, PropertyError> {
    let text = text.trim();
    let (width, height) = text.split_once(':').unwrap_or((text, text));
    match (count(width), count(height)) {
        (Some(width), Some(height)) => Size::new(width.into(), height.into()).ok(),
        _ => None,
    }
    .ok_or_else(|| PropertyError::Size(text.to_owned()))
}

/// The board of a game without `SZ`.
pub(crate) fn default_size() -> Size {
    // Always in range, so this cannot fail.
    Size::square(19).expect("19 is a board size")
}

/// Reads the value of `HA`; an empty one means none.
pub(crate) fn parse_handicap(text: &str) -> Result<u16, PropertyError> {
    match text.trim() {
        "" => Ok(0),
        text => count(text).ok_or_else(|| PropertyError::Handicap(text.to_owned())),
    }
}

/// Accepts the value of `GM` if the game is Go or unnamed.
pub(crate) fn check_game(text: &str) -> Result<(), PropertyError> {
    match text.trim() {
        "" | "1" => Ok(()),
        other => Err(PropertyError::NotGo(other.to_owned())),
    }
}

/// Reads the value of `PL`; some old programs write numbers.
pub(crate) fn parse_color(text: &str) -> Option<Color> {
    match text.trim() {
        "1" => Some(Color::Black),
        "2" => Some(Color::White),
        text => Color::parse(text),
    }
}

/// Reads the value of `B` or `W`: a point, or nothing for a pass, or `tt` for a pass on boards up to 19×19.
#[inline]
pub(crate) fn parse_move(text: &str, size: Size) -> Result<Move, PropertyError> {
    match text.trim().as_bytes() {
        [] => Ok(Move::Pass),
        &[x, y] => move_at(x, y, size),
        _ => Err(PropertyError::Point(text.to_owned())),
    }
}

/// Reads the two letters of a move.
#[inline]
pub(crate) fn move_at(x: u8, y: u8, size: Size) -> Result<Move, PropertyError> {
    match point(x, y, size) {
        Some(point) => Ok(Move::Play(point)),
        None if [x, y] == *b"tt" && pass_is_tt(size) => Ok(Move::Pass),
        None => Err(PropertyError::Point(String::from_utf8_lossy(&[x, y]).into_owned())),
    }
}

/// Whether `tt` is no point of the board and therefore means a pass.
pub(crate) fn pass_is_tt(size: Size) -> bool {
    size.width() <= MAX_PASS_SIDE && size.height() <= MAX_PASS_SIDE
}

/// Calls `each` for the point, or all points of the rectangle such as `aa:cc`, that a value of `AB`, `AW` or
/// `AE` names.
pub(crate) fn for_each_point(
    text: &str,
    size: Size,
    mut each: impl FnMut(Point),
) -> Result<(), PropertyError> {
    let text = text.trim();
    let Some((first, last)) = text.split_once(':') else {
        each(parse_point(text, size)?);
        return Ok(());
    };
    let (first, last) = (parse_point(first, size)?, parse_point(last, size)?);
    let (x, y) = (sorted(size.x(first), size.x(last)), sorted(size.y(first), size.y(last)));
    for row in y.0..=y.1 {
        for column in x.0..=x.1 {
            if let Some(point) = size.point(column, row) {
                each(point);
            }
        }
    }
    Ok(())
}

/// The two letters of a point.
pub(crate) fn point_letters(point: Point, size: Size) -> [char; 2] {
    let letter = |n: usize| char::from(b'a' + n as u8);
    [letter(size.x(point)), letter(size.y(point))]
}

#[inline]
pub(crate) fn point(x: u8, y: u8, size: Size) -> Option<Point> {
    size.point(usize::from(x.wrapping_sub(b'a')), usize::from(y.wrapping_sub(b'a')))
}

fn parse_point(text: &str, size: Size) -> Result<Point, PropertyError> {
    match text.trim().as_bytes() {
        &[x, y] => point(x, y, size),
        _ => None,
    }
    .ok_or_else(|| PropertyError::Point(text.to_owned()))
}

fn sorted(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

fn is_any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| word.eq_ignore_ascii_case(text))
}

/// A whole number in plain digits.
fn count(text: &str) -> Option<u16> {
    let text = text.trim();
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// A number in plain decimal notation.
pub(crate) fn decimal(text: &str) -> Option<f64> {
    let plain = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'+' | b'-');
    text.bytes().all(plain).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn komi() {
        let unclear = |text: &str| Komi::Unclear(text.to_owned());
        for (text, expected) in [
            ("6.5", Komi::Points(6.5)),
            (" 7 ", Komi::Points(7.0)),
            ("-5.5", Komi::Points(-5.5)),
            ("+.5", Komi::Points(0.5)),
            ("0", Komi::Points(0.0)),
            ("3.75", Komi::Points(3.75)),
            ("", unclear("")),
            ("6,5", unclear("6,5")),
            ("375", unclear("375")),
            ("inf", unclear("inf")),
            ("1e1", unclear("1e1")),
            ("6.5目", unclear("6.5目")),
            ("-", unclear("-")),
        ] {
            assert_eq!(Komi::parse(text), expected, "{text:?}");
        }
    }

    #[test]
    fn results() {
        let win = |color, by| RecordedResult::Win(color, by);
        for (text, expected, printed) in [
            ("B+R", win(Color::Black, WinBy::Resignation), "B+R"),
            ("W+Resign", win(Color::White, WinBy::Resignation), "W+R"),
            ("b+time", win(Color::Black, WinBy::Time), "B+T"),
            ("W+F", win(Color::White, WinBy::Forfeit), "W+F"),
            ("W+3.5", win(Color::White, WinBy::Score(3.5)), "W+3.5"),
            ("B + 12", win(Color::Black, WinBy::Score(12.0)), "B+12"),
            ("B+0", win(Color::Black, WinBy::Score(0.0)), "B+0"),
            ("B+", win(Color::Black, WinBy::Unknown), "B+"),
            ("0", RecordedResult::Draw, "0"),
            ("jigo", RecordedResult::Draw, "0"),
            ("Void", RecordedResult::Void, "Void"),
            ("", RecordedResult::Missing, ""),
            ("?", RecordedResult::Other("?".into()), "?"),
            ("B+3,5", RecordedResult::Other("B+3,5".into()), "B+3,5"),
            ("B+-1", RecordedResult::Other("B+-1".into()), "B+-1"),
            ("黑中盘胜", RecordedResult::Other("黑中盘胜".into()), "黑中盘胜"),
        ] {
            assert_eq!(RecordedResult::parse(text), expected, "{text:?}");
            assert_eq!(expected.to_string(), printed);
        }
    }

    #[test]
    fn sizes() {
        for (text, expected) in [
            ("19", Some((19, 19))),
            (" 9 ", Some((9, 9))),
            ("9:13", Some((9, 13))),
            ("2", Some((2, 2))),
            ("25:2", Some((25, 2))),
            ("1", None),
            ("26", None),
            ("", None),
            ("19x19", None),
            ("-9", None),
            ("+9", None),
            ("70000", None),
        ] {
            let found = parse_size(text).map(|size| (size.width(), size.height()));
            assert_eq!(found, expected.ok_or(PropertyError::Size(text.to_owned())), "{text:?}");
        }
    }

    #[test]
    fn moves() {
        let check = |side: usize, text: &str, expected: Option<Option<(usize, usize)>>| {
            let size = Size::square(side).unwrap();
            let found = parse_move(text, size).ok().map(|mv| mv.point().map(|p| (size.x(p), size.y(p))));
            assert_eq!(found, expected, "{text:?} on {size}");
        };
        check(19, "aa", Some(Some((0, 0))));
        check(19, " sa ", Some(Some((18, 0))));
        check(19, "tt", Some(None));
        check(9, "tt", Some(None));
        check(19, "", Some(None));
        check(19, "ta", None);
        check(9, "jj", None);
        check(20, "tt", Some(Some((19, 19))));
        check(25, "ya", Some(Some((24, 0))));
        check(25, "za", None);
        check(19, "AA", None);
        check(19, "a", None);
        check(19, "aaa", None);
        check(19, "é", None);
    }

    #[test]
    fn rectangles_of_points() {
        let size = Size::new(5, 4).unwrap();
        let check = |text: &str, expected: Option<&str>| {
            let mut found = String::new();
            let outcome = for_each_point(text, size, |point| found.extend(point_letters(point, size)));
            assert_eq!(outcome.is_ok().then_some(found.as_str()), expected, "{text:?}");
        };
        check("ba", Some("ba"));
        check("aa:bb", Some("aabaabbb"));
        check("bb:aa", Some("aabaabbb"));
        check("ca:cc", Some("cacbcc"));
        check("dd:dd", Some("dd"));
        check("ed:fd", None);
        check("ae", None);
        check("", None);
        check("aa:", None);
    }
}
