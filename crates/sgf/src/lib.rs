//! Game records: SGF files (FF\[3\] and FF\[4\]), those of some servers, and the one-line format of training data.
//!
//! Five ways in, by what the caller needs:
//!
//! - [`read`] takes a file of any format, [`parse()`] one of SGF alone.
//! - [`parse()`] reads a whole file into a [`Collection`] of trees, with variations, comments and unknown
//!   properties kept; [`write()`] prints it again.
//! - [`GameRecord`] is the main line of one tree as typed values: size, komi, players, set-up, moves.
//! - [`Scanner`] finds the same main line without building a tree, for collections of many thousand games.
//! - [`read_lines`] reads one-line games, the form in which training data is stored.
//!
//! Reading knows no rules of Go: a record may hold moves that no rules allow. [`GameRecord::replay`] finds out.
//! What files get wrong but can be read only one way is read and reported as a [`Warning`]; the
//! rest is an error that names the byte.
//!
//! ```
//! use tesuji_board::{Color, Rules};
//! use tesuji_sgf::{GameRecord, parse};
//!
//! let parsed = parse(b"(;SZ[9]KM[6.5]RU[japanese]PB[Ann]PW[Bob];B[ee];W[ed];B[dd];W[de])")?;
//! let record = GameRecord::from_tree(&parsed.collection.games[0])?;
//! assert_eq!((record.black_name.as_str(), record.moves.len()), ("Ann", 4));
//! let game = record.replay(record.rules_or(Rules::default()))?;
//! assert_eq!((game.move_number(), game.to_move()), (4, Color::Black));
//! assert_eq!(game.rules().komi, 6.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod charset;
mod conversion;
mod file;
mod foreign;
mod game;
mod line;
mod packed;
mod parse;
mod place;
mod property;
mod replay;
mod rules_name;
mod scan;
mod token;
mod tree;
mod write;

pub use charset::{Decoded, decode};
pub use conversion::LineConversionError;
pub use file::write_file;
pub use foreign::read;
pub use game::{GameRecord, RecordError};
pub use line::{GameLine, LineError, LineErrorKind, LineReader, ReadError, read_lines};
pub use packed::{open_text, read_text, unpack};
pub use parse::{Limits, ParseError, ParseErrorKind, Parsed, Warning, WarningKind, parse, parse_with};
pub use place::Place;
pub use property::{Komi, PropertyError, RecordedResult, WinBy};
pub use replay::{ReplayError, ReplayReason, replay_leniently, replay_moves};
pub use rules_name::{rules_properties, usual_name};
pub use scan::{ScanError, ScanErrorKind, ScannedGame, Scanner};
pub use token::TokenError;
pub use tree::{Collection, GameTree, Ident, Node, NodeId, Property};
pub use write::write;
