//! The main line of a tree as typed values.
//!
//! A record is what an engine replays: a position set up before the first move, then moves. It holds no
//! variations and does not know whether its moves are legal. A node may hold a move of each colour, as some
//! old files do; of a repeated move property the first value counts.

use std::collections::BTreeMap;
use std::{fmt, mem};

use tesuji_board::{Color, Move, Point, Size};

use crate::property::{self, Komi, PropertyError, RecordedResult, point_letters};
use crate::rules_name::{self, rules_properties};
use crate::tree::{Collection, GameTree, Ident, Node, NodeId};
use crate::write::write;

/// One game: who played, on what terms, and every move of the main line. Missing text is empty.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// Size of the board.
    pub size: Size,
    /// Points for White.
    pub komi: Komi,
    /// Number of handicap stones the file speaks of, whether or not they are set up.
    pub handicap: u16,
    /// Name of the rules, as written; the exact one if the file has it.
    pub rules: String,
    /// How the game ended.
    pub result: RecordedResult,
    /// When it was played, as written.
    pub date: String,
    /// Name of the player with the black stones.
    pub black_name: String,
    /// Name of the player with the white stones.
    pub white_name: String,
    /// Rank of the player with the black stones, as written.
    pub black_rank: String,
    /// Rank of the player with the white stones, as written.
    pub white_rank: String,
    /// Black stones on the board before the first move, in reading order.
    pub setup_black: Vec<Point>,
    /// White stones on the board before the first move, in reading order.
    pub setup_white: Vec<Point>,
    /// Who moves first.
    pub to_play: Color,
    /// The moves.
    pub moves: Vec<(Color, Move)>,
    /// Comments by the number of moves made before them; those of several nodes without moves are joined by
    /// line ends.
    pub comments: BTreeMap<usize, String>,
}

/// Why the main line of a tree is no game record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError {
    /// What is wrong.
    pub kind: PropertyError,
    /// Number of moves before it.
    pub move_number: usize,
    /// The node it is in.
    pub node: NodeId,
}

impl GameRecord {
    /// An even game without a move.
    pub fn new(size: Size) -> GameRecord {
        GameRecord {
            size,
            komi: Komi::Missing,
            handicap: 0,
            rules: String::new(),
            result: RecordedResult::Missing,
            date: String::new(),
            black_name: String::new(),
            white_name: String::new(),
            black_rank: String::new(),
            white_rank: String::new(),
            setup_black: Vec::new(),
            setup_white: Vec::new(),
            to_play: Color::Black,
            moves: Vec::new(),
            comments: BTreeMap::new(),
        }
    }

    /// Reads the main line of `tree`.
    pub fn from_tree(tree: &GameTree) -> Result<GameRecord, RecordError> {
        let mut record = GameRecord::new(property::default_size());
        let mut opening = Opening::default();
        record.read_root(tree.node(tree.root())).map_err(|kind| RecordError {
            kind,
            move_number: 0,
            node: tree.root(),
        })?;
        for id in tree.main_line() {
            record.read_node(tree.node(id), &mut opening).map_err(|kind| RecordError {
                kind,
                move_number: record.moves.len(),
                node: id,
            })?;
        }
        opening.setup.stones(record.size, &mut record.setup_black, &mut record.setup_white);
        record.to_play = opening.first_player(&record.moves, record.handicap, record.setup_black.len());
        Ok(record)
    }

    /// A tree without variations that holds this game.
    pub fn to_tree(&self) -> GameTree {
        let mut tree = GameTree::new();
        let root = tree.root();
        self.write_root(tree.node_mut(root));
        let mut last = root;
        for number in 0..=self.moves.len() {
            if let Some(&(color, mv)) = number.checked_sub(1).and_then(|index| self.moves.get(index)) {
                last = tree.add_child(last);
                let value =
                    mv.point().map_or_else(String::new, |p| point_letters(p, self.size).iter().collect());
                tree.node_mut(last).push(ident_of(color), value);
            }
            if let Some(text) = self.comments.get(&number) {
                tree.node_mut(last).push(const { Ident::known("C") }, text.as_str());
            }
        }
        tree
    }

    /// The SGF file of this game.
    pub fn to_sgf(&self) -> String {
        write(&Collection { games: vec![self.to_tree()] })
    }

    fn read_root(&mut self, root: &Node) -> Result<(), PropertyError> {
        property::check_game(root.value("GM").unwrap_or_default())?;
        if let Some(text) = root.value("SZ") {
            self.size = property::parse_size(text)?;
        }
        if let Some(text) = root.value("KM") {
            self.komi = Komi::parse(text);
        }
        self.handicap = property::parse_handicap(root.value("HA").unwrap_or_default())?;
        self.result = root.value("RE").map_or(RecordedResult::Missing, RecordedResult::parse);
        for (ident, field) in [
            ("RU", &mut self.rules),
            ("DT", &mut self.date),
            ("PB", &mut self.black_name),
            ("PW", &mut self.white_name),
            ("BR", &mut self.black_rank),
            ("WR", &mut self.white_rank),
        ] {
            *field = root.value(ident).map(simple_text).unwrap_or_default();
        }
        self.rules =
            rules_name::read(mem::take(&mut self.rules), root.value(rules_name::EXACT).map(simple_text));
        Ok(())
    }

    fn read_node(&mut self, node: &Node, opening: &mut Opening) -> Result<(), PropertyError> {
        // Set-up comes before a move in the same node, in whatever order they are written.
        for property in node.properties() {
            let ident = property.ident();
            if let Some(stone) = setup_stone(ident.as_str()) {
                if !self.moves.is_empty() {
                    return Err(PropertyError::SetupAfterMove);
                }
                for value in property.values() {
                    property::for_each_point(value, self.size, |point| {
                        opening.setup.put(self.size, point, stone);
                    })?;
                }
            } else if ident.as_str() == "PL" && self.moves.is_empty() {
                opening.to_play = property::parse_color(&property.values()[0]).or(opening.to_play);
            }
        }
        for property in node.properties() {
            if let Some(color) = move_color(property.ident().as_str()) {
                self.moves.push((color, property::parse_move(&property.values()[0], self.size)?));
            }
        }
        for text in node.values("C").unwrap_or_default().iter().filter(|text| !text.is_empty()) {
            let comment = self.comments.entry(self.moves.len()).or_default();
            if !comment.is_empty() {
                comment.push('\n');
            }
            comment.push_str(text);
        }
        Ok(())
    }

    fn write_root(&self, root: &mut Node) {
        let known = Ident::known;
        root.set(known("GM"), "1");
        root.set(known("FF"), "4");
        root.set(known("CA"), "UTF-8");
        let (width, height) = (self.size.width(), self.size.height());
        let size = if self.size.is_square() { width.to_string() } else { format!("{width}:{height}") };
        root.set(known("SZ"), size);
        match &self.komi {
            Komi::Missing => {}
            Komi::Points(points) => root.set(known("KM"), points.to_string()),
            Komi::Unclear(text) => root.set(known("KM"), text.as_str()),
        }
        if self.handicap > 0 {
            root.set(known("HA"), self.handicap.to_string());
        }
        let result = self.result.to_string();
        let (rules, exact_rules) = rules_properties(&self.rules);
        for (ident, text) in [
            (known("RU"), rules),
            (known(rules_name::EXACT), exact_rules.as_deref().unwrap_or_default()),
            (known("DT"), &self.date),
            (known("PB"), &self.black_name),
            (known("BR"), &self.black_rank),
            (known("PW"), &self.white_name),
            (known("WR"), &self.white_rank),
            (known("RE"), &result),
        ] {
            if !text.is_empty() {
                root.set(ident, text);
            }
        }
        for (ident, points) in [(known("AB"), &self.setup_black), (known("AW"), &self.setup_white)] {
            for &point in points {
                root.push(ident, point_letters(point, self.size).iter().collect::<String>());
            }
        }
        let implied = Opening::default().first_player(&self.moves, self.handicap, self.setup_black.len());
        if self.to_play != implied {
            root.set(known("PL"), self.to_play.letter());
        }
    }
}

fn ident_of(color: Color) -> Ident {
    match color {
        Color::Black => const { Ident::known("B") },
        Color::White => const { Ident::known("W") },
    }
}

/// The player whose move property `ident` is.
pub(crate) fn move_color(ident: &str) -> Option<Color> {
    match ident {
        "B" => Some(Color::Black),
        "W" => Some(Color::White),
        _ => None,
    }
}

/// What the set-up property `ident` puts on its points; the inner `None` clears them.
pub(crate) fn setup_stone(ident: &str) -> Option<Option<Color>> {
    match ident {
        "AB" => Some(Some(Color::Black)),
        "AW" => Some(Some(Color::White)),
        "AE" => Some(None),
        _ => None,
    }
}

/// What is known of the position before the first move.
#[derive(Default)]
pub(crate) struct Opening {
    pub(crate) setup: Setup,
    pub(crate) to_play: Option<Color>,
}

impl Opening {
    /// `PL` decides, then the first move; else White moves first after a handicap that is on the board.
    pub(crate) fn first_player(&self, moves: &[(Color, Move)], handicap: u16, black_stones: usize) -> Color {
        let by_handicap = if handicap >= 2 && black_stones >= 2 { Color::White } else { Color::Black };
        self.to_play.or(moves.first().map(|&(color, _)| color)).unwrap_or(by_handicap)
    }
}

/// Stones set up so far, by reading order; later ones replace earlier ones. Empty until used.
#[derive(Default)]
pub(crate) struct Setup {
    stones: Vec<Option<Color>>,
}

impl Setup {
    pub(crate) fn put(&mut self, size: Size, point: Point, stone: Option<Color>) {
        if self.stones.is_empty() {
            self.stones.resize(size.area(), None);
        }
        self.stones[size.ordinal(point)] = stone;
    }

    pub(crate) fn stones(&self, size: Size, black: &mut Vec<Point>, white: &mut Vec<Point>) {
        black.clear();
        white.clear();
        for (point, stone) in size.points().zip(&self.stones) {
            match stone {
                Some(Color::Black) => black.push(point),
                Some(Color::White) => white.push(point),
                None => {}
            }
        }
    }

    pub(crate) fn clear(&mut self) {
        self.stones.clear();
    }
}

/// SGF's "simple text": one line, blanks trimmed.
fn simple_text(text: &str) -> String {
    text.trim().replace(['\n', '\t'], " ")
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "after {} moves: {}", self.move_number, self.kind)
    }
}

impl std::error::Error for RecordError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse;

    fn read(sgf: &str) -> Result<GameRecord, PropertyError> {
        let parsed = parse(sgf.as_bytes()).unwrap();
        GameRecord::from_tree(&parsed.collection.games[0]).map_err(|error| error.kind)
    }

    /// Compares size, set-up, player to move and moves, written as one line.
    fn check(sgf: &str, expected: &str) {
        let record = read(sgf).unwrap();
        let points = |points: &[Point]| {
            points.iter().flat_map(|&point| point_letters(point, record.size)).collect::<String>()
        };
        let mut found = format!("{} ", record.size);
        found += &format!("b:{} w:{} ", points(&record.setup_black), points(&record.setup_white));
        found.push(record.to_play.letter());
        for (color, mv) in &record.moves {
            let point = mv.point().map_or("--".to_owned(), |point| points(&[point]));
            found += &format!(" {}{point}", color.letter());
        }
        assert_eq!(found, expected, "{sgf}");
    }

    #[test]
    fn main_lines() {
        check("(;)", "19x19 b: w: B");
        check("(;SZ[9];B[aa];W[tt];B[])", "9x9 b: w: B Baa W-- B--");
        check("(;SZ[9](;B[aa](;W[bb])(;W[cc]))(;B[dd]))", "9x9 b: w: B Baa Wbb");
        check("(;AB[aa:ba][cc]SZ[5:4]AW[ab]AE[ba])", "5x4 b:aacc w:ab B");
        check("(;SZ[9]HA[2]AB[aa][bb])", "9x9 b:aabb w: W");
        check("(;SZ[9]HA[2])", "9x9 b: w: B");
        check("(;SZ[9]HA[2]AB[aa][bb];B[cc])", "9x9 b:aabb w: B Bcc");
        check("(;SZ[9]PL[W])", "9x9 b: w: W");
        check("(;SZ[9]PL[black];W[aa])", "9x9 b: w: B Waa");
        check("(;SZ[9];AB[aa];AW[aa][bb];AE[bb];B[cc])", "9x9 b: w:aa B Bcc");
        check("(;SZ[9]B[aa]AB[bb])", "9x9 b:bb w: B Baa");
        check("(;SZ[9];B[aa]W[bb];B[cc])", "9x9 b: w: B Baa Wbb Bcc");
        check("(;SZ[9];B[aa][bb]B[cc])", "9x9 b: w: B Baa");
        check("(;SZ[21];B[tt];W[])", "21x21 b: w: B Btt W--");
    }

    #[test]
    fn unusable_games() {
        let point = |text: &str| PropertyError::Point(text.into());
        for (sgf, expected) in [
            ("(;SZ[26])", PropertyError::Size("26".into())),
            ("(;SZ[])", PropertyError::Size("".into())),
            ("(;GM[2])", PropertyError::NotGo("2".into())),
            ("(;HA[many])", PropertyError::Handicap("many".into())),
            ("(;SZ[9];B[jj])", point("jj")),
            ("(;SZ[9]AB[aa:jj])", point("jj")),
            ("(;SZ[21];B[vv])", point("vv")),
            ("(;B[aa];AW[bb])", PropertyError::SetupAfterMove),
        ] {
            assert_eq!(read(sgf), Err(expected), "{sgf}");
        }
        let parsed = parse(b"(;SZ[9];B[aa];W[bb];B[zz])").unwrap();
        let error = GameRecord::from_tree(&parsed.collection.games[0]).unwrap_err();
        assert_eq!(error.to_string(), "after 2 moves: [zz] is no point of the board");
    }

    #[test]
    fn terms_and_players() {
        let record = read(
            "(;GM[1]KM[6.5]RU[Japanese]RE[W+R]DT[1846-09-11]PB[Honinbo\nShusaku]BR[4d]PW[Gennan]WR[8d]C[ear]\
             ;C[reddening];B[qd]C[one]C[two])",
        )
        .unwrap();
        assert_eq!(record.komi, Komi::Points(6.5));
        assert_eq!(record.result.to_string(), "W+R");
        assert_eq!([&record.rules, &record.date], ["Japanese", "1846-09-11"]);
        assert_eq!([&record.black_name, &record.white_name], ["Honinbo Shusaku", "Gennan"]);
        assert_eq!([&record.black_rank, &record.white_rank], ["4d", "8d"]);
        let comments: Vec<_> = record.comments.iter().map(|(&n, text)| (n, text.as_str())).collect();
        assert_eq!(comments, [(0, "ear\nreddening"), (1, "one\ntwo")]);
    }

    #[test]
    fn records_are_written() {
        let mut record = GameRecord::new(Size::new(9, 13).unwrap());
        record.komi = Komi::Points(5.5);
        record.black_name = "a]b".into();
        record.setup_white = vec![record.size.point(1, 2).unwrap()];
        record.to_play = Color::White;
        record.moves = vec![(Color::Black, Move::Pass)];
        let expected = "(;GM[1]FF[4]CA[UTF-8]SZ[9:13]KM[5.5]PB[a\\]b]AW[bc]PL[W]\n;B[])\n";
        assert_eq!(record.to_sgf(), expected);
    }
}
