//! Reads SGF files into trees, as leniently as one meaning allows.
//!
//! Accepted with a warning: text around the games (mail headers, a stray bracket), a missing `;` or final
//! `)`, a property twice in a node, variations without nodes, nodes after a variation. Accepted silently:
//! blanks between tokens and the lower-case letters of FF\[3\] identifiers, which carry no meaning. Not
//! accepted: what can be read in two ways, such as a value with an unescaped `]`. Never recurses, and refuses
//! files that would need absurd amounts of memory.

use std::fmt;

use crate::charset::{Decoded, decode};
use crate::place::{Locator, Place};
use crate::token::{Token, TokenError, Tokenizer, unescape};
use crate::tree::{Collection, GameTree, Ident, Node, NodeId};

/// What a file held.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The games.
    pub collection: Collection,
    /// What was wrong but readable, by place; the first [`Parsed::MAX_WARNINGS`] only.
    pub warnings: Vec<Warning>,
    /// Name of the charset the file was read in.
    pub charset: &'static str,
}

impl Parsed {
    /// Most warnings kept, so that a file of nothing but faults does not fill the memory.
    pub const MAX_WARNINGS: usize = 1000;
}

/// How large a file may be.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of the file.
    pub bytes: usize,
    /// Nodes in all games together.
    pub nodes: usize,
    /// Property values in all nodes together.
    pub values: usize,
}

impl Default for Limits {
    /// 64 MiB, five million nodes and ten million values: under 2 GiB of memory at worst.
    fn default() -> Limits {
        Limits { bytes: 64 << 20, nodes: 5_000_000, values: 10_000_000 }
    }
}

/// Most properties a node may have; looking for repeated ones compares each with all others.
const MAX_NODE_PROPERTIES: usize = 256;

/// Why a file cannot be read, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// What is wrong.
    pub kind: ParseErrorKind,
    /// Where it is.
    pub place: Place,
}

/// What makes a file unreadable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseErrorKind {
    /// Nothing in the file looks like the start of a game.
    NoGame,
    /// The text is not SGF from here on.
    Token(TokenError),
    /// An identifier has more than [`Ident::MAX_LEN`] letters that count.
    LongIdentifier,
    /// The file has more bytes than allowed.
    TooManyBytes(usize),
    /// The file has more nodes than allowed.
    TooManyNodes(usize),
    /// The file has more values than allowed.
    TooManyValues(usize),
    /// A node has more properties than any program writes.
    TooManyProperties(usize),
    /// A line of a file of this format should be a move and is none.
    NoMove(&'static str),
    /// A file that is no SGF names a board that there is not.
    NoBoard,
}

/// Something wrong that could be read all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What is wrong.
    pub kind: WarningKind,
    /// Where it is.
    pub place: Place,
}

/// What can be wrong with a readable file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarningKind {
    /// Text before, between or after the games was skipped.
    SkippedText,
    /// The file ends with this many variations open.
    MissingClose(usize),
    /// Properties without a `;` before them.
    MissingSemicolon,
    /// A variation without nodes was dropped.
    EmptyVariation,
    /// A node after a variation was taken as one more variation.
    NodeAfterVariation,
    /// A property appears twice in a node; the values were joined.
    RepeatedProperty(Ident),
    /// An identifier has no capital letter; its letters were taken for capitals.
    LowerCaseIdentifier(Ident),
    /// Bytes that mean nothing in the charset became U+FFFD; the first is here.
    MalformedText,
}

/// Reads a file within the default [`Limits`].
pub fn parse(bytes: &[u8]) -> Result<Parsed, ParseError> {
    parse_with(bytes, &Limits::default())
}

/// Reads a file within `limits`.
pub fn parse_with(bytes: &[u8], limits: &Limits) -> Result<Parsed, ParseError> {
    if bytes.len() > limits.bytes {
        let place = Place { offset: limits.bytes, line: 1, column: 1 };
        return Err(ParseError { kind: ParseErrorKind::TooManyBytes(limits.bytes), place });
    }
    let decoded = decode(bytes);
    let mut parser = Parser::new(&decoded, limits);
    match parser.collection() {
        Ok(collection) => {
            let warnings = parser.placed_warnings();
            Ok(Parsed { collection, warnings, charset: decoded.charset() })
        }
        Err((kind, offset)) => Err(ParseError { kind, place: decoded.place(offset) }),
    }
}

struct Parser<'a> {
    decoded: &'a Decoded<'a>,
    tokenizer: Tokenizer<'a>,
    limits: Limits,
    nodes: usize,
    values: usize,
    warnings: Vec<(usize, WarningKind)>,
}

/// The tree being built and the point reached in it.
struct Growth {
    tree: GameTree,
    /// Whether the root has been met.
    rooted: bool,
    current: NodeId,
    /// Whether properties may follow: a node has begun and no variation since.
    in_node: bool,
    /// Where each open variation branches off, and whether it has a node.
    open: Vec<(NodeId, bool)>,
    /// Whether a variation has just been closed.
    after_close: bool,
}

type Failure = (ParseErrorKind, usize);

impl<'a> Parser<'a> {
    fn new(decoded: &'a Decoded<'a>, limits: &Limits) -> Parser<'a> {
        let mut warnings = Vec::new();
        if decoded.malformed
            && let Some(offset) = decoded.text().find(char::REPLACEMENT_CHARACTER)
        {
            warnings.push((offset, WarningKind::MalformedText));
        }
        let tokenizer = Tokenizer::new(decoded.text());
        Parser { decoded, tokenizer, limits: *limits, nodes: 0, values: 0, warnings }
    }

    fn collection(&mut self) -> Result<Collection, Failure> {
        let mut games = Vec::new();
        loop {
            let from = self.tokenizer.position();
            let start = self.tokenizer.find_game();
            let skipped = &self.decoded.text()[from..start.unwrap_or(self.decoded.text().len())];
            if start.is_none() && games.is_empty() {
                return Err((ParseErrorKind::NoGame, 0));
            }
            if let Some(text_at) = skipped.bytes().position(|byte| byte > b' ') {
                self.warn(from + text_at, WarningKind::SkippedText);
            }
            if start.is_none() {
                return Ok(Collection { games });
            }
            games.push(self.game()?);
        }
    }

    /// Assumes that [`Tokenizer::find_game`] has just found one.
    fn game(&mut self) -> Result<GameTree, Failure> {
        let tree = GameTree::new();
        let current = tree.root();
        let mut growth =
            Growth { tree, rooted: false, current, in_node: false, open: Vec::new(), after_close: false };
        loop {
            let (token, offset) = self.tokenizer.next().map_err(token_failure)?;
            match token {
                Token::Open => {
                    growth.open.push((growth.current, false));
                    growth.in_node = false;
                    growth.after_close = false;
                }
                Token::Semicolon => self.begin_node(&mut growth, offset)?,
                Token::Identifier(identifier) => {
                    if !growth.in_node {
                        self.warn(offset, WarningKind::MissingSemicolon);
                        self.begin_node(&mut growth, offset)?;
                    }
                    self.property(growth.tree.node_mut(growth.current), identifier, offset)?;
                }
                Token::Value(_) => {
                    return Err((ParseErrorKind::Token(TokenError::ValueWithoutIdentifier), offset));
                }
                Token::Close => {
                    let Some((branch, has_nodes)) = growth.open.pop() else { return Ok(growth.tree) };
                    if !has_nodes {
                        self.warn(offset, WarningKind::EmptyVariation);
                    }
                    let Some((_, outer_has_nodes)) = growth.open.last_mut() else { return Ok(growth.tree) };
                    *outer_has_nodes |= has_nodes;
                    growth.current = branch;
                    growth.in_node = false;
                    growth.after_close = true;
                }
                Token::End => {
                    self.warn(offset, WarningKind::MissingClose(growth.open.len()));
                    return Ok(growth.tree);
                }
            }
        }
    }

    fn begin_node(&mut self, growth: &mut Growth, offset: usize) -> Result<(), Failure> {
        self.nodes += 1;
        if self.nodes > self.limits.nodes {
            return Err((ParseErrorKind::TooManyNodes(self.limits.nodes), offset));
        }
        if growth.after_close && growth.tree.children(growth.current).next().is_some() {
            self.warn(offset, WarningKind::NodeAfterVariation);
        }
        growth.after_close = false;
        if growth.rooted {
            growth.current = growth.tree.add_child(growth.current);
        }
        growth.rooted = true;
        growth.in_node = true;
        if let Some((_, has_nodes)) = growth.open.last_mut() {
            *has_nodes = true;
        }
        Ok(())
    }

    fn property(&mut self, node: &mut Node, identifier: &str, offset: usize) -> Result<(), Failure> {
        let ident = self.ident(identifier, offset)?;
        // Nearly all properties have one value, and a tree has very many of them.
        let mut values = Vec::with_capacity(1);
        while let Some(raw) = self.tokenizer.next_value().map_err(token_failure)? {
            self.values += 1;
            if self.values > self.limits.values {
                return Err((ParseErrorKind::TooManyValues(self.limits.values), offset));
            }
            values.push(unescape(raw).into_owned());
        }
        if values.is_empty() {
            let kind = ParseErrorKind::Token(TokenError::IdentifierWithoutValue);
            return Err((kind, self.tokenizer.position()));
        }
        if let Some(earlier) = node.values_mut(ident) {
            earlier.append(&mut values);
            self.warn(offset, WarningKind::RepeatedProperty(ident));
        } else if node.properties().len() == MAX_NODE_PROPERTIES {
            return Err((ParseErrorKind::TooManyProperties(MAX_NODE_PROPERTIES), offset));
        } else {
            node.push_property(ident, values);
        }
        Ok(())
    }

    fn ident(&mut self, written: &str, offset: usize) -> Result<Ident, Failure> {
        let (ident, all_lower) =
            Ident::from_written(written).ok_or((ParseErrorKind::LongIdentifier, offset))?;
        if all_lower {
            self.warn(offset, WarningKind::LowerCaseIdentifier(ident));
        }
        Ok(ident)
    }

    fn warn(&mut self, offset: usize, kind: WarningKind) {
        if self.warnings.len() < Parsed::MAX_WARNINGS {
            self.warnings.push((offset, kind));
        }
    }

    fn placed_warnings(&mut self) -> Vec<Warning> {
        self.warnings.sort_by_key(|&(offset, _)| offset);
        let mut locator = Locator::new(self.decoded);
        let placed =
            self.warnings.iter().map(|&(offset, kind)| Warning { kind, place: locator.advance(offset) });
        placed.collect()
    }
}

fn token_failure((error, offset): (TokenError, usize)) -> Failure {
    (ParseErrorKind::Token(error), offset)
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.kind)
    }
}

impl std::error::Error for ParseError {}

impl fmt::Display for ParseErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseErrorKind::NoGame => f.write_str("expected a game, which begins with `(;`"),
            ParseErrorKind::Token(error) => error.fmt(f),
            ParseErrorKind::LongIdentifier => {
                write!(f, "expected a property identifier of at most {} letters", Ident::MAX_LEN)
            }
            ParseErrorKind::TooManyBytes(limit) => write!(f, "the file is larger than {limit} bytes"),
            ParseErrorKind::TooManyNodes(limit) => write!(f, "the file has more than {limit} nodes"),
            ParseErrorKind::TooManyValues(limit) => write!(f, "the file has more than {limit} values"),
            ParseErrorKind::TooManyProperties(limit) => {
                write!(f, "a node has more than {limit} different properties")
            }
            ParseErrorKind::NoMove(format) => write!(f, "this line of a {format} file is no move"),
            ParseErrorKind::NoBoard => f.write_str("this is no size of a board"),
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.kind)
    }
}

impl fmt::Display for WarningKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WarningKind::SkippedText => f.write_str("skipped text outside the games"),
            WarningKind::MissingClose(count) => write!(f, "the file ends without {count} closing `)`"),
            WarningKind::MissingSemicolon => f.write_str("`;` is missing before this property"),
            WarningKind::EmptyVariation => f.write_str("dropped a variation without nodes"),
            WarningKind::NodeAfterVariation => f.write_str("took a node after a variation as a variation"),
            WarningKind::RepeatedProperty(ident) => {
                write!(f, "{ident} appears twice in a node, values joined")
            }
            WarningKind::LowerCaseIdentifier(ident) => write!(f, "identifier in lower case taken as {ident}"),
            WarningKind::MalformedText => f.write_str("bytes that the charset does not know"),
        }
    }
}
