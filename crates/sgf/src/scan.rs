//! Finds the main lines of large collections without building trees.
//!
//! Reads the same games as [`crate::parse()`] and [`crate::GameRecord::from_tree`] together, from any text
//! those accept, but keeps only what learning and statistics need, in buffers that the next game uses again.
//! Of variations it looks at nothing but their brackets, so it also accepts some faulty files that the parser
//! refuses. A game with an unusable value costs that game only; text that is no SGF ends the scan, because
//! nothing tells where the next game begins.

use std::fmt;

use tesuji_board::{Color, Move, Point, Size};

use crate::game::{Opening, move_color, setup_stone};
use crate::property::{self, Komi, PropertyError, RecordedResult};
use crate::token::{Located, Token, TokenError, Tokenizer, unescape};
use crate::tree::Ident;

/// Goes through the games of a text, which [`crate::decode`] makes from the bytes of a file.
pub struct Scanner<'a> {
    tokenizer: Tokenizer<'a>,
    opening: Opening,
    /// Variations open at the point reached.
    depth: usize,
    failed: bool,
}

/// The main line of a game; the fields mean what they mean in [`crate::GameRecord`].
#[derive(Clone, Debug, PartialEq)]
pub struct ScannedGame {
    /// Size of the board.
    pub size: Size,
    /// Points for White.
    pub komi: Komi,
    /// Number of handicap stones the file speaks of.
    pub handicap: u16,
    /// How the game ended.
    pub result: RecordedResult,
    /// Black stones on the board before the first move, in reading order.
    pub setup_black: Vec<Point>,
    /// White stones on the board before the first move, in reading order.
    pub setup_white: Vec<Point>,
    /// Who moves first.
    pub to_play: Color,
    /// The moves.
    pub moves: Vec<(Color, Move)>,
}

/// Why a game could not be scanned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScanError {
    /// What is wrong.
    pub kind: ScanErrorKind,
    /// Byte of the scanned text; [`crate::Decoded::place`] finds its place in the file.
    pub offset: usize,
}

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScanErrorKind {
    /// The text is not SGF from here on.
    Token(TokenError),
    /// The game has a value that makes it unusable.
    Property(PropertyError),
}

impl<'a> Scanner<'a> {
    /// Starts at the beginning of `text`.
    pub fn new(text: &'a str) -> Scanner<'a> {
        Scanner { tokenizer: Tokenizer::new(text), opening: Opening::default(), depth: 0, failed: false }
    }

    /// Puts the next game into `game`, whatever it held before; `false` means that there is none.
    ///
    /// After an error about a property the next call goes on with the next game.
    pub fn next_game(&mut self, game: &mut ScannedGame) -> Result<bool, ScanError> {
        if self.failed || self.tokenizer.find_game().is_none() {
            return Ok(false);
        }
        self.opening.setup.clear();
        self.opening.to_play = None;
        let read = self.read_game(game);
        let structural = match &read {
            Err(ScanError { kind: ScanErrorKind::Token(_), .. }) => Ok(()),
            _ => self.tokenizer.skip_variations(self.depth).map(|_| ()),
        };
        let outcome = structural.map_err(ScanError::from).and(read);
        self.failed = matches!(outcome, Err(ScanError { kind: ScanErrorKind::Token(_), .. }));
        outcome.map(|()| true)
    }

    /// Assumes that the tokenizer is at the `(` of a game.
    fn read_game(&mut self, game: &mut ScannedGame) -> Result<(), ScanError> {
        self.tokenizer.next()?;
        self.depth = 1;
        game.moves.clear();
        game.read_root(self.tokenizer.clone())?;
        self.read_main_line(game)?;
        self.opening.setup.stones(game.size, &mut game.setup_black, &mut game.setup_white);
        game.to_play = self.opening.first_player(&game.moves, game.handicap, game.setup_black.len());
        Ok(())
    }

    fn read_main_line(&mut self, game: &mut ScannedGame) -> Result<(), ScanError> {
        let mut node = NodeState::after(0);
        let mut in_node = false;
        // Variations opened since the last node: closing one of those does not end the line.
        let mut without_node = 0;
        loop {
            if let Some(([letter, x, y], offset)) = self.tokenizer.next_move_node() {
                let color = if letter == b'B' { Color::Black } else { Color::White };
                node = NodeState::after(game.moves.len());
                node.moved[color.index()] = true;
                in_node = true;
                without_node = 0;
                let mv = property::move_at(x, y, game.size);
                let mv = mv.map_err(|kind| ScanError { kind: ScanErrorKind::Property(kind), offset })?;
                game.moves.push((color, mv));
                continue;
            }
            let (token, offset) = self.tokenizer.next()?;
            match token {
                Token::Semicolon => {
                    node = NodeState::after(game.moves.len());
                    in_node = true;
                    without_node = 0;
                }
                Token::Identifier(written) => {
                    if !in_node {
                        node = NodeState::after(game.moves.len());
                        in_node = true;
                        without_node = 0;
                    }
                    self.read_property(game, &mut node, written, offset)?;
                }
                Token::Value(_) => return Err((TokenError::ValueWithoutIdentifier, offset).into()),
                Token::Open => {
                    self.depth += 1;
                    without_node += 1;
                    in_node = false;
                }
                Token::Close => {
                    self.depth -= 1;
                    if without_node == 0 || self.depth == 0 {
                        return Ok(());
                    }
                    without_node -= 1;
                    in_node = false;
                }
                Token::End => return Ok(()),
            }
        }
    }

    #[inline]
    fn read_property(
        &mut self,
        game: &mut ScannedGame,
        node: &mut NodeState,
        written: &str,
        offset: usize,
    ) -> Result<(), ScanError> {
        let Some(first) = self.tokenizer.next_value()? else {
            return Err((TokenError::IdentifierWithoutValue, self.tokenizer.position()).into());
        };
        let wrong = |kind| ScanError { kind: ScanErrorKind::Property(kind), offset };
        with_ident(written, |ident| {
            if let Some(color) = move_color(ident) {
                if !node.moved[color.index()] {
                    node.moved[color.index()] = true;
                    let mv = property::parse_move(&unescape(first), game.size).map_err(wrong)?;
                    game.moves.push((color, mv));
                }
            } else if let Some(stone) = setup_stone(ident) {
                if node.moves_before > 0 {
                    return Err(wrong(PropertyError::SetupAfterMove));
                }
                let setup = &mut self.opening.setup;
                let mut next = Some(first);
                while let Some(raw) = next {
                    let put = |point| setup.put(game.size, point, stone);
                    property::for_each_point(&unescape(raw), game.size, put).map_err(wrong)?;
                    next = self.tokenizer.next_value()?;
                }
            } else if ident == "PL" && node.moves_before == 0 && !node.told {
                node.told = true;
                self.opening.to_play = property::parse_color(&unescape(first)).or(self.opening.to_play);
            }
            Ok(())
        })?;
        while self.tokenizer.next_value()?.is_some() {}
        Ok(())
    }
}

/// What the scanner remembers of a node, as a repeated property counts only once.
struct NodeState {
    moves_before: usize,
    /// Whether a move of each colour was read.
    moved: [bool; 2],
    /// Whether the player to move was read.
    told: bool,
}

impl NodeState {
    fn after(moves: usize) -> NodeState {
        NodeState { moves_before: moves, moved: [false; 2], told: false }
    }
}

impl ScannedGame {
    /// Reads what the whole game depends on, wherever it stands among the properties of the root.
    fn read_root(&mut self, mut tokenizer: Tokenizer<'_>) -> Result<(), ScanError> {
        let (mut size, mut komi, mut handicap, mut result) = (None, None, None, None);
        let mut game_named = false;
        if tokenizer.clone().next()?.0 == Token::Semicolon {
            tokenizer.next()?;
        }
        while let (Token::Identifier(written), offset) = tokenizer.next()? {
            let wrong = |kind| ScanError { kind: ScanErrorKind::Property(kind), offset };
            let Some(first) = tokenizer.next_value()? else { break };
            with_ident(written, |ident| {
                match ident {
                    "GM" if !game_named => {
                        game_named = true;
                        property::check_game(&unescape(first))
                    }
                    "SZ" if size.is_none() => property::parse_size(&unescape(first)).map(|s| size = Some(s)),
                    "HA" if handicap.is_none() => {
                        property::parse_handicap(&unescape(first)).map(|h| handicap = Some(h))
                    }
                    "KM" => {
                        komi.get_or_insert_with(|| Komi::parse(&unescape(first)));
                        Ok(())
                    }
                    "RE" => {
                        result.get_or_insert_with(|| RecordedResult::parse(&unescape(first)));
                        Ok(())
                    }
                    _ => Ok(()),
                }
                .map_err(wrong)
            })?;
            while tokenizer.next_value()?.is_some() {}
        }
        self.size = size.unwrap_or_else(property::default_size);
        self.komi = komi.unwrap_or_default();
        self.handicap = handicap.unwrap_or_default();
        self.result = result.unwrap_or_default();
        Ok(())
    }
}

/// Calls `with` for the identifier that is meant by what is written; one too long to be known is left alone.
#[inline]
fn with_ident(written: &str, with: impl FnOnce(&str) -> Result<(), ScanError>) -> Result<(), ScanError> {
    if !written.bytes().any(|byte| byte.is_ascii_lowercase()) {
        return with(written);
    }
    match Ident::from_written(written) {
        Some((ident, _)) => with(ident.as_str()),
        None => Ok(()),
    }
}

impl Default for ScannedGame {
    fn default() -> ScannedGame {
        ScannedGame {
            size: property::default_size(),
            komi: Komi::Missing,
            handicap: 0,
            result: RecordedResult::Missing,
            setup_black: Vec::new(),
            setup_white: Vec::new(),
            to_play: Color::Black,
            moves: Vec::new(),
        }
    }
}

impl From<Located> for ScanError {
    fn from((error, offset): Located) -> ScanError {
        ScanError { kind: ScanErrorKind::Token(error), offset }
    }
}

impl fmt::Display for ScanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ScanErrorKind::Token(error) => error.fmt(f),
            ScanErrorKind::Property(error) => error.fmt(f),
        }?;
        write!(f, " (byte {})", self.offset)
    }
}

impl std::error::Error for ScanError {}
