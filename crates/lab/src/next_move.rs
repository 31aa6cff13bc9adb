//! Next-move problems: a position, and the moves that its author thinks right.
//!
//! One problem a line, as a JSON object. `id`, `category`: about the problem. `size`, `komi`, `setup_black`, `setup_white`, `moves`
//! (such as `Bpd`, played after the set-up), `to_move`: the position, points as SGF letter pairs. `accepted`: right moves, `pass`
//! included; if there are none, every move is right that is not `rejected`. `candidates`: the only moves to choose from.
//! `region`: four numbers `x0,y0,x1,y1`, the corners of the part of the board that the problem is about; a problem on an otherwise
//! empty board asks for the best move there, so the choice is among the moves inside.
//!
//! A line that makes no problem is not the end of the file: it is reported with its reason.

use std::fmt;
use std::io;
use std::ops::RangeInclusive;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tesuji_board::{Color, Game, Move, Point, Rules, Size};
use tesuji_sgf::{read_text, replay_leniently};

/// A problem. In JSON it is the object of its line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fields", into = "Fields")]
pub struct Problem {
    /// Its name, unique in its file.
    pub id: String,
    /// What kind of problem it is.
    pub category: String,
    /// The size of its board.
    pub size: Size,
    /// Whose move is wanted.
    pub to_move: Color,
    start: Start,
    choice: Choice,
    key: Key,
}

/// How a problem's position came about. A game with its history takes a thousand times the memory.
#[derive(Clone, Debug, PartialEq)]
struct Start {
    size: Size,
    komi: f32,
    stones: Vec<(Point, Option<Color>)>,
    moves: Vec<(Color, Move)>,
    to_move: Color,
}

/// The moves to choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Choice {
    Any,
    Among(Vec<Move>),
    Inside { columns: RangeInclusive<usize>, rows: RangeInclusive<usize> },
}

/// Which answers are right.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Key {
    OneOf(Vec<Move>),
    NoneOf(Vec<Move>),
}

/// A line that is no problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unusable {
    /// The line, from 1.
    pub line: usize,
    /// The problem's name, if it can be read.
    pub id: Option<String>,
    /// What is wrong.
    pub reason: String,
}

/// What a file holds.
#[derive(Clone, Default)]
pub struct ProblemFile {
    /// The problems in their order.
    pub problems: Vec<Problem>,
    /// The lines that are none.
    pub unusable: Vec<Unusable>,
}

impl ProblemFile {
    /// Reads a file, compressed with zstd or plain.
    pub fn read(path: &Path) -> io::Result<ProblemFile> {
        read_text(path).map(|text| ProblemFile::parse(&text))
    }

    /// The problems of a text.
    pub fn parse(text: &str) -> ProblemFile {
        let mut file = ProblemFile::default();
        for (index, text) in text.lines().enumerate() {
            if text.trim().is_empty() {
                continue;
            }
            let unusable = |id, reason: String| Unusable { line: index + 1, id, reason };
            let fields: Fields = match serde_json::from_str(text) {
                Ok(fields) => fields,
                Err(error) => {
                    file.unusable.push(unusable(None, error.to_string()));
                    continue;
                }
            };
            let id = fields.id.clone();
            match fields.problem() {
                Ok(problem) => file.problems.push(problem),
                Err(reason) => file.unusable.push(unusable(Some(id), reason)),
            }
        }
        file
    }
}

impl Problem {
    /// The game so far, under area rules with the problem's komi.
    pub fn game(&self) -> Game {
        self.start.game().expect("a start is tried when its problem is read")
    }

    /// Whether a move may be chosen at all.
    pub fn allows(&self, mv: Move) -> bool {
        let size = self.size;
        match (&self.choice, mv) {
            (Choice::Any, _) => true,
            (Choice::Among(moves), mv) => moves.contains(&mv),
            (Choice::Inside { columns, rows }, Move::Play(point)) => {
                columns.contains(&size.x(point)) && rows.contains(&size.y(point))
            }
            // A pass is not inside; only an author who wants one can mean it.
            (Choice::Inside { .. }, Move::Pass) => {
                matches!(&self.key, Key::OneOf(moves) if moves.contains(&mv))
            }
        }
    }

    /// Whether every legal move may be chosen.
    pub fn allows_all(&self) -> bool {
        self.choice == Choice::Any
    }

    /// Whether a move is right.
    pub fn is_right(&self, mv: Move) -> bool {
        match &self.key {
            Key::OneOf(moves) => moves.contains(&mv),
            Key::NoneOf(moves) => !moves.contains(&mv),
        }
    }
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.id {
            Some(id) => write!(f, "{id}: {}", self.reason),
            None => write!(f, "line {}: {}", self.line, self.reason),
        }
    }
}

#[derive(Clone, Serialize, Deserialize)]
struct Fields {
    id: String,
    #[serde(default)]
    category: String,
    size: usize,
    komi: Option<f32>,
    #[serde(default)]
    setup_black: Vec<String>,
    #[serde(default)]
    setup_white: Vec<String>,
    #[serde(default)]
    moves: Vec<String>,
    to_move: String,
    #[serde(default)]
    accepted: Vec<String>,
    #[serde(default)]
    rejected: Vec<String>,
    #[serde(default)]
    candidates: Vec<String>,
    region: Option<[usize; 4]>,
}

impl TryFrom<Fields> for Problem {
    type Error = String;

    fn try_from(fields: Fields) -> Result<Problem, String> {
        fields.problem()
    }
}

impl From<Problem> for Fields {
    fn from(problem: Problem) -> Fields {
        let Problem { id, category, size, to_move, start, choice, key } = problem;
        let name = |mv: Move| mv.point().map_or_else(|| "pass".to_owned(), |point| point.to_sgf(size));
        let names = |moves: Vec<Move>| moves.into_iter().map(name).collect::<Vec<_>>();
        let stones = |color: Color| {
            let of_color = start.stones.iter().filter(|(_, stone)| *stone == Some(color));
            of_color.map(|(point, _)| point.to_sgf(size)).collect()
        };
        let (accepted, rejected) = match key {
            Key::OneOf(moves) => (names(moves), Vec::new()),
            Key::NoneOf(moves) => (Vec::new(), names(moves)),
        };
        let (candidates, region) = match choice {
            Choice::Any => (Vec::new(), None),
            Choice::Among(moves) => (names(moves), None),
            Choice::Inside { columns, rows } => {
                (Vec::new(), Some([*columns.start(), *rows.start(), *columns.end(), *rows.end()]))
            }
        };
        Fields {
            id,
            category,
            size: size.width(),
            komi: Some(start.komi),
            setup_black: stones(Color::Black),
            setup_white: stones(Color::White),
            moves: start.moves.iter().map(|&(color, mv)| format!("{}{}", color.letter(), name(mv))).collect(),
            to_move: to_move.letter().to_string(),
            accepted,
            rejected,
            candidates,
            region,
        }
    }
}

impl Fields {
    fn problem(self) -> Result<Problem, String> {
        let size = Size::square(self.size).map_err(|error| error.to_string())?;
        let to_move = Color::parse(&self.to_move).ok_or_else(|| format!("to_move '{}'", self.to_move))?;
        let start = self.start(size, to_move)?;
        let moves =
            |texts: &[String]| texts.iter().map(|text| read_move(text, size)).collect::<Result<Vec<_>, _>>();
        let (accepted, candidates) = (moves(&self.accepted)?, moves(&self.candidates)?);
        let key = match accepted.is_empty() {
            false => Key::OneOf(accepted),
            true if self.rejected.is_empty() => return Err("neither accepted nor rejected moves".to_owned()),
            true => Key::NoneOf(moves(&self.rejected)?),
        };
        let choice = match self.region {
            _ if !candidates.is_empty() => Choice::Among(candidates),
            Some([left, top, right, bottom]) => Choice::Inside { columns: left..=right, rows: top..=bottom },
            None => Choice::Any,
        };
        let game = start.game()?;
        let problem = Problem { id: self.id, category: self.category, size, to_move, start, choice, key };
        problem.check(&game)?;
        Ok(problem)
    }

    fn start(&self, size: Size, to_move: Color) -> Result<Start, String> {
        let komi = self.komi.unwrap_or(Rules::default().komi);
        if !komi.is_finite() {
            return Err(format!("komi {komi}"));
        }
        let points = |texts: &[String]| -> Result<Vec<Point>, String> {
            let point =
                |text: &String| read_move(text, size)?.point().ok_or_else(|| "a pass as stone".to_owned());
            texts.iter().map(point).collect()
        };
        let black = points(&self.setup_black)?.into_iter().map(|point| (point, Some(Color::Black)));
        let white = points(&self.setup_white)?.into_iter().map(|point| (point, Some(Color::White)));
        let moves = self.moves.iter().map(|text| read_colored_move(text, size));
        let moves = moves.collect::<Result<Vec<_>, _>>()?;
        Ok(Start { size, komi, stones: black.chain(white).collect(), moves, to_move })
    }
}

impl Start {
    fn game(&self) -> Result<Game, String> {
        let rules = Rules { komi: self.komi, ..Rules::default() };
        let mut game = Game::new(self.size, rules);
        if !self.stones.is_empty() {
            let first = self.moves.first().map_or(self.to_move, |&(color, _)| color);
            game.set_up(self.stones.iter().copied(), first).map_err(|error| format!("set-up: {error}"))?;
        }
        replay_leniently(&mut game, self.moves.iter().copied()).map_err(|error| error.to_string())?;
        Ok(game)
    }
}

impl Problem {
    /// A problem that no legal move can solve measures nothing.
    fn check(&self, game: &Game) -> Result<(), String> {
        let is_legal = |mv: Move| mv.point().is_none_or(|point| game.legality(self.to_move, point).is_ok());
        let plays = self.size.points().map(Move::Play);
        if plays.chain([Move::Pass]).any(|mv| is_legal(mv) && self.allows(mv) && self.is_right(mv)) {
            Ok(())
        } else {
            Err("no right move is legal".to_owned())
        }
    }
}

fn read_move(text: &str, size: Size) -> Result<Move, String> {
    if text == "pass" {
        return Ok(Move::Pass);
    }
    Move::from_sgf(text, size).map_err(|error| error.to_string())
}

fn read_colored_move(text: &str, size: Size) -> Result<(Color, Move), String> {
    let malformed = || format!("move '{text}'");
    let (color, vertex) = text.split_at_checked(1).ok_or_else(malformed)?;
    Ok((Color::parse(color).ok_or_else(malformed)?, read_move(vertex, size)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> ProblemFile {
        ProblemFile::parse(text)
    }

    fn right_moves(problem: &Problem) -> String {
        let size = problem.size;
        let moves = size.points().map(Move::Play).chain([Move::Pass]);
        let right = moves.filter(|&mv| problem.allows(mv) && problem.is_right(mv));
        right.map(|mv| mv.to_gtp(size)).collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn check(fields: &str, expected: &str) {
        let file = read(&format!(r#"{{"id":"a","size":3,"to_move":"B",{fields}}}"#));
        assert!(file.unusable.is_empty(), "{:?}", file.unusable);
        assert_eq!(right_moves(&file.problems[0]), expected);
    }

    #[test]
    fn answers_are_accepted_or_not_rejected() {
        check(r#""accepted":["bb","pass"]"#, "B2 pass");
        check(r#""accepted":["bb"],"rejected":["aa"]"#, "B2");
        check(r#""rejected":["bb","aa","ba","ca","pass"]"#, "A2 C2 A1 B1 C1");
        check(r#""rejected":["bb"],"candidates":["bb","cc"]"#, "C1");
        check(r#""rejected":["bb"],"region":[1,1,2,2]"#, "C2 B1 C1");
    }

    #[test]
    fn stones_are_set_up_before_moves() {
        let text = r#"{"id":"a","size":5,"komi":0.5,"setup_black":["ab"],"setup_white":["aa"],
            "moves":["Bba","Wee"],"to_move":"B","accepted":["aa"]}"#;
        let file = read(&text.replace('\n', ""));
        let game = file.problems[0].game();
        assert_eq!((game.prisoners(Color::Black), game.rules().komi), (1, 0.5));
        assert_eq!((game.move_number(), file.problems[0].to_move), (2, Color::Black));
    }

    #[test]
    fn problems_read_back_from_json() {
        let own = include_str!("../../../tests/next_move/own.jsonl");
        let chosen = r#"{"id":"a","size":3,"to_move":"B","rejected":["bb"],"candidates":["bb","cc"]}
            {"id":"b","size":3,"to_move":"W","komi":-3.5,"rejected":["bb"],"region":[1,1,2,2]}
            {"id":"c","size":5,"setup_black":["ab"],"setup_white":["aa"],"moves":["Bba","Wpass"],"to_move":"B","accepted":["aa","pass"]}"#;
        for text in [own, chosen] {
            let file = read(text);
            assert!(file.unusable.is_empty() && file.problems.len() > 2);
            for problem in file.problems {
                let line = serde_json::to_string(&problem).unwrap();
                assert_eq!(serde_json::from_str::<Problem>(&line).unwrap(), problem, "{line}");
            }
        }
        let absurd = r#"{"id":"a","size":99,"to_move":"B","accepted":["bb"]}"#;
        assert!(serde_json::from_str::<Problem>(absurd).is_err());
    }

    #[test]
    fn unusable_lines_are_named_and_skipped() {
        let usable = r#"{"id":"good","size":5,"to_move":"W","accepted":["aa"]}"#;
        let cases = [
            ("nonsense", "line 1"),
            (r#"{"id":"x","size":1,"to_move":"B","accepted":["aa"]}"#, "x: board size"),
            (r#"{"id":"x","size":5,"to_move":"?","accepted":["aa"]}"#, "x: to_move"),
            (r#"{"id":"x","size":5,"to_move":"B","accepted":["zz"]}"#, "x: 'zz'"),
            (r#"{"id":"x","size":5,"to_move":"B"}"#, "x: neither"),
            (r#"{"id":"x","size":5,"to_move":"B","moves":["Baa","Waa"],"accepted":["bb"]}"#, "x: move 2"),
            (r#"{"id":"x","size":5,"to_move":"B","moves":["é"],"accepted":["bb"]}"#, "x: move"),
            (r#"{"id":"x","size":5,"to_move":"B","setup_white":["aa"],"accepted":["aa"]}"#, "x: no right"),
            (r#"{"id":"x","size":5,"to_move":"B","setup_white":["pass"],"accepted":["aa"]}"#, "x: a pass"),
        ];
        for (line, expected) in cases {
            let file = read(&format!("{line}\n\n{usable}\n"));
            assert_eq!(file.problems.len(), 1, "{line}");
            let reason = file.unusable[0].to_string();
            assert!(reason.starts_with(expected), "{line}: {reason}");
        }
    }
}
