//! Records in the formats of game servers that are not SGF: Tygem's `.gib` and wBaduk's (also Cyberoro's) `.ngf`.
//!
//! Neither is documented; what is read here is what files of these servers hold: one game on its main line, with names, ranks, komi, handicap, date and
//! result as far as they can be told. A line that should be a move and is none is an error that names it, because a game with a hole in it is another game.
//! Rules are not named in either, so the record names none.

use tesuji_board::{Color, Move, Size, fixed_handicap};

use crate::charset::decode;
use crate::game::GameRecord;
use crate::parse::{Limits, ParseError, ParseErrorKind, Parsed, Warning, WarningKind, parse};
use crate::property::{Komi, RecordedResult, WinBy, default_size};
use crate::tree::Collection;

/// Reads a file of any format that is known: SGF, GIB or NGF, by what is in it.
pub fn read(bytes: &[u8]) -> Result<Parsed, ParseError> {
    let limits = Limits::default();
    if bytes.len() > limits.bytes {
        return parse(bytes);
    }
    let decoded = decode(bytes);
    let text = decoded.text();
    let record = if is_gib(text) {
        read_gib(text)
    } else if is_ngf(text) {
        read_ngf(text)
    } else {
        return parse(bytes);
    };
    let fail = |(kind, offset)| ParseError { kind, place: decoded.place(offset) };
    let record = record.map_err(fail)?;
    let malformed = text.find(char::REPLACEMENT_CHARACTER).filter(|_| decoded.malformed);
    let warning = |offset| Warning { kind: WarningKind::MalformedText, place: decoded.place(offset) };
    Ok(Parsed {
        collection: Collection { games: vec![record.to_tree()] },
        warnings: malformed.map(warning).into_iter().collect(),
        charset: decoded.charset(),
    })
}

type Failure = (ParseErrorKind, usize);

/// Lines with the byte that each begins at.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line.trim())
    })
}

/// `Name (9D)` or `Name 9D`, as the servers write players.
fn name_and_rank(text: &str) -> (String, String) {
    let text = text.trim();
    let (name, rank) = match text.strip_suffix(')').and_then(|text| text.rsplit_once('(')) {
        Some(parts) => parts,
        None => match text.rsplit_once(char::is_whitespace) {
            Some((name, rank)) if rank.starts_with(|c: char| c.is_ascii_digit()) => (name, rank),
            _ => (text, ""),
        },
    };
    (name.trim().to_owned(), rank.trim_end_matches('*').trim().to_owned())
}

/// Puts handicap stones on the usual points.
fn set_handicap(record: &mut GameRecord, count: usize) {
    if count < 2 {
        return;
    }
    // Where there are no usual points for so many, the record says the number alone.
    record.handicap = u16::try_from(count).unwrap_or(u16::MAX);
    if let Ok(mut points) = fixed_handicap(record.size, count) {
        points.sort_unstable();
        record.setup_black = points;
        record.to_play = Color::White;
    }
}

fn is_gib(text: &str) -> bool {
    text.trim_start().starts_with("\\HS")
}

fn read_gib(text: &str) -> Result<GameRecord, Failure> {
    let mut record = GameRecord::new(default_size());
    let size = record.size;
    for (start, line) in lines(text) {
        let header = line.strip_prefix("\\[").and_then(|line| line.strip_suffix("\\]"));
        if let Some((key, value)) = header.and_then(|header| header.split_once('=')) {
            read_gib_header(&mut record, key, value);
            continue;
        }
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words.as_slice() {
            // What follows the third number differs from file to file.
            ["INI", _, _, handicap, ..] => {
                let count = handicap.parse().map_err(|_| (ParseErrorKind::NoMove("GIB"), start))?;
                set_handicap(&mut record, count);
            }
            // A stone: two numbers that count, the colour, column and row from the top left, both from 0.
            ["STO", _, _, color, x, y, ..] => {
                let made = gib_color(color).zip(gib_point(x, y, size));
                record.moves.push(made.ok_or((ParseErrorKind::NoMove("GIB"), start))?);
            }
            ["STO", ..] => return Err((ParseErrorKind::NoMove("GIB"), start)),
            ["SKI", ..] => {
                let color = record.moves.last().map_or(record.to_play, |&(color, _)| !color);
                record.moves.push((color, Move::Pass));
            }
            _ => {}
        }
    }
    if let Some(&(first, _)) = record.moves.first() {
        record.to_play = first;
    }
    Ok(record)
}

fn gib_color(text: &str) -> Option<Color> {
    match text {
        "1" => Some(Color::Black),
        "2" => Some(Color::White),
        _ => None,
    }
}

fn gib_point(x: &str, y: &str, size: Size) -> Option<Move> {
    size.point(x.parse().ok()?, y.parse().ok()?).map(Move::Play)
}

fn read_gib_header(record: &mut GameRecord, key: &str, value: &str) {
    match key.trim() {
        "GAMEBLACKNAME" => (record.black_name, record.black_rank) = name_and_rank(value),
        "GAMEWHITENAME" => (record.white_name, record.white_rank) = name_and_rank(value),
        // `2017- 1- 2-20-30-40`: the day and the time of it.
        "GAMEDATE" => {
            let parts: Vec<u32> = value.split('-').map_while(|part| part.trim().parse().ok()).collect();
            if let [year, month, day, ..] = parts[..] {
                record.date = format!("{year:04}-{month:02}-{day:02}");
            }
        }
        "GAMEINFOMAIN" => {
            let number = |name: &str| -> Option<i32> {
                let found =
                    value.split(',').find_map(|item| item.trim().strip_prefix(name)?.strip_prefix(':'));
                found?.trim().parse().ok()
            };
            if let Some(tenths) = number("GONGJE") {
                record.komi = Komi::Points(f64::from(tenths) / 10.0);
            }
            if let Some(kind) = number("GRLT") {
                record.result = gib_result(kind, number("ZIPSU").unwrap_or_default());
            }
        }
        _ => {}
    }
}

/// How a game ended, by the server's number for it and tenths of points.
fn gib_result(kind: i32, tenths: i32) -> RecordedResult {
    let points = WinBy::Score(f64::from(tenths) / 10.0);
    match kind {
        0 => RecordedResult::Win(Color::Black, points),
        1 => RecordedResult::Win(Color::White, points),
        3 => RecordedResult::Win(Color::Black, WinBy::Resignation),
        4 => RecordedResult::Win(Color::White, WinBy::Resignation),
        7 => RecordedResult::Win(Color::Black, WinBy::Time),
        8 => RecordedResult::Win(Color::White, WinBy::Time),
        _ => RecordedResult::Missing,
    }
}

/// Lines before the first move: title, size, White, Black, place, handicap, one unknown, komi, date, minutes, result, number of moves.
const NGF_HEADER: usize = 12;

fn is_ngf(text: &str) -> bool {
    let mut lines = text.lines();
    let size = lines.nth(1).and_then(|line| line.trim().parse::<usize>().ok());
    // The tenth of the lines that are left after the first two of the header is its last.
    size.is_some() && lines.nth(NGF_HEADER - 3).is_some_and(|line| line.trim().parse::<usize>().is_ok())
}

fn read_ngf(text: &str) -> Result<GameRecord, Failure> {
    let all: Vec<(usize, &str)> = lines(text).collect();
    let (header, moves) = all.split_at(NGF_HEADER.min(all.len()));
    let line = |number: usize| header.get(number).map_or("", |&(_, line)| line);
    let side = line(1).parse().ok().and_then(|side| Size::square(side).ok());
    let size = side.ok_or((ParseErrorKind::NoBoard, header.get(1).map_or(0, |&(start, _)| start)))?;
    let mut record = GameRecord::new(size);
    (record.white_name, record.white_rank) = name_and_rank(line(2));
    (record.black_name, record.black_rank) = name_and_rank(line(3));
    let handicap: usize = line(5).parse().unwrap_or_default();
    set_handicap(&mut record, handicap);
    if let Ok(komi) = line(7).parse::<u16>() {
        // Half a point more than what is written, but for handicap games, which may be drawn.
        record.komi = Komi::Points(f64::from(komi) + if handicap == 0 { 0.5 } else { 0.0 });
    }
    let day: String = line(8).chars().take(8).collect();
    if day.len() == 8 && day.bytes().all(|byte| byte.is_ascii_digit()) {
        record.date = format!("{}-{}-{}", &day[..4], &day[4..6], &day[6..]);
    }
    record.result = ngf_result(line(10));
    for &(start, line) in moves.iter().filter(|(_, line)| line.starts_with("PM")) {
        let made = ngf_move(line.as_bytes(), size);
        record.moves.push(made.ok_or((ParseErrorKind::NoMove("NGF"), start))?);
    }
    if let Some(&(first, _)) = record.moves.first() {
        record.to_play = first;
    }
    Ok(record)
}

/// `PMABBQEEQ`: two letters that count, the colour, column and row from `B` on; `AA` is a pass.
fn ngf_move(line: &[u8], size: Size) -> Option<(Color, Move)> {
    let color = match line.get(4)? {
        b'B' => Color::Black,
        b'W' => Color::White,
        _ => return None,
    };
    let place = |letter: u8| usize::from(letter).checked_sub(usize::from(b'A'));
    match (place(*line.get(5)?)?, place(*line.get(6)?)?) {
        (0, 0) => Some((color, Move::Pass)),
        (x, y) => Some((color, Move::Play(size.point(x.checked_sub(1)?, y.checked_sub(1)?)?))),
    }
}

/// What a sentence in one of the languages of the servers says of the result.
fn ngf_result(text: &str) -> RecordedResult {
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let (black, white) = (has(&["lack", "黒", "黑", "흑"]), has(&["hite", "白", "백"]));
    let by = if has(&["resign", "中押", "中盘", "中盤", "불계"]) {
        WinBy::Resignation
    } else if has(&["time", "超时", "超時", "時間", "시간"]) {
        WinBy::Time
    } else {
        let digits = text.split(|c: char| !(c.is_ascii_digit() || c == '.'));
        match digits.filter_map(|word| word.parse().ok()).next() {
            Some(points) => WinBy::Score(points),
            None => return RecordedResult::Missing,
        }
    };
    match (black, white) {
        (true, false) => RecordedResult::Win(Color::Black, by),
        (false, true) => RecordedResult::Win(Color::White, by),
        _ => RecordedResult::Missing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: &str = "\\HS\r\n\\[GAMEBLACKNAME=aya (7D)\\]\r\n\\[GAMEWHITENAME=ben (6D)\\]\r\n\
        \\[GAMEINFOMAIN=GBKIND:3,GRLT:4,ZIPSU:0,GONGJE:65,X:1\\]\r\n\\[GAMEDATE=2026- 1-12-20- 3- 4\\]\r\n\\HE\r\n\
        \\GS\r\n2 1 0\r\n119 0 &4\r\nINI 0 1 0 &4 \r\nSTO 0 2 1 15 3 \r\nSTO 0 3 2 3 15 \r\nSKI 0 4\r\nSTO 0 5 2 16 2 \r\n\\GE\r\n";
    const NGF: &str = "A friendly game\n19\nben     6D*\naya     7D\nexample\n0\n0\n6\n20260112 [20:03]\n30\nBlack wins by 2.5!\n4\n\
        PMABBQEEQ\nPMACWEQQE\nPMADBAAAA\nPMAEWRDDR\n";

    fn record(text: &str) -> GameRecord {
        GameRecord::from_tree(&read(text.as_bytes()).unwrap().collection.games[0]).unwrap()
    }

    fn names(record: &GameRecord) -> Vec<String> {
        let name = |&(color, mv): &(Color, Move)| format!("{}{}", color.letter(), mv.to_gtp(record.size));
        record.moves.iter().map(name).collect()
    }

    #[test]
    fn both_formats_give_the_same_game() {
        let (gib, ngf) = (record(GIB), record(NGF));
        for record in [&gib, &ngf] {
            assert_eq!(names(record).join(" "), "BQ16 WD4 Bpass WR17");
            assert_eq!((record.black_name.as_str(), record.black_rank.as_str()), ("aya", "7D"));
            assert_eq!((record.white_name.as_str(), record.white_rank.as_str()), ("ben", "6D"));
            assert_eq!((record.komi.points(), record.date.as_str()), (Some(6.5), "2026-01-12"));
        }
        assert_eq!(gib.result.to_string(), "W+R");
        assert_eq!(ngf.result.to_string(), "B+2.5");
    }

    #[test]
    fn handicap_stones_are_set_up() {
        let gib = record(&GIB.replace("INI 0 1 0", "INI 0 1 4").replace("STO 0 2 1 15 3", "SKI 0 2"));
        assert_eq!((gib.handicap, gib.setup_black.len(), gib.to_play), (4, 4, Color::White));
        let ngf = record(&NGF.replace("example\n0", "example\n2").replace("PMABBQEEQ\n", ""));
        assert_eq!((ngf.handicap, ngf.setup_black.len(), ngf.to_play), (2, 2, Color::White));
        assert_eq!(ngf.komi.points(), Some(6.0));
    }

    #[test]
    fn results_in_several_languages() {
        for (text, expected) in [
            ("黒中押し勝ち!", "B+R"),
            ("白 3.5目勝ち", "W+3.5"),
            ("흑 불계승", "B+R"),
            ("백 시간승", "W+T"),
            ("White wins by resignation", "W+R"),
            ("nobody knows", ""),
        ] {
            assert_eq!(ngf_result(text).to_string(), expected, "{text}");
        }
    }

    #[test]
    fn a_line_that_is_no_move_is_named() {
        for (text, line) in [
            (GIB.replace("STO 0 3 2 3 15", "STO 0 3 2 3 19"), 12),
            (GIB.replace("STO 0 3 2 3 15", "STO 0 3"), 12),
            (GIB.replace("STO 0 3 2", "STO 0 3 9"), 12),
            (NGF.replace("PMACWEQQE", "PMACWZZZZ"), 14),
            (NGF.replace("PMACWEQQE", "PMA"), 14),
            (NGF.replace("\n19\n", "\n99\n"), 2),
        ] {
            let error = read(text.as_bytes()).unwrap_err();
            assert_eq!(error.place.line, line, "{error}");
        }
    }

    #[test]
    fn sgf_is_still_sgf() {
        assert_eq!(record("(;SZ[9];B[ee])").moves.len(), 1);
        assert!(read(b"\\ no game").is_err());
        assert!(read(b"").is_err());
    }
}
