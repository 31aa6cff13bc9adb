//! The game of Go: points, boards, rules, games, scoring and the knowledge that can be read off a position.
//!
//! [`Game`] is what most callers want: a [`Board`] with rules, history and superko.
//!
//! ```
//! use tesuji_board::{Color, Game, IllegalMove, Move, Rules, Score, Size, Verdict, area_lead};
//!
//! let size = Size::square(5)?;
//! let mut game = Game::new(size, Rules { komi: 0.5, ..Rules::named("chinese").unwrap() });
//! for vertex in ["B1", "C1", "B2", "C2", "B3", "C3", "B4", "C4", "B5", "C5"] {
//!     game.play(game.to_move(), Move::from_gtp(vertex, size)?)?;
//! }
//! let c3 = Move::from_gtp("C3", size)?;
//! assert_eq!(game.play(Color::Black, c3), Err(IllegalMove::Occupied));
//! game.play(Color::Black, Move::Pass)?;
//! game.play(Color::White, Move::Pass)?;
//! assert!(game.is_over());
//! // Black has two columns, White three and the komi; no stone is dead.
//! let lead = area_lead(game.board(), &Verdict::default());
//! assert_eq!(Score::with_komi(lead, game.white_points()).to_string(), "W+5.5");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(unsafe_code)]

mod benson;
mod board;
mod color;
mod diagram;
mod game;
mod handicap;
mod history;
mod ladder;
mod liberty;
mod nakade;
mod neighborhood;
mod pattern;
mod perft;
mod point;
mod point_map;
mod point_set;
mod region;
mod result;
mod rules;
mod score;
mod symmetry;
mod tactics;
#[cfg(test)]
mod testing;
mod vertex;
pub mod zobrist;

pub use benson::{LifeProof, UnconditionalLife};
pub use board::{Board, Chain, ChainMap, IllegalMove, MoveObserver, Suicide, UndoLog};
pub use color::{Cell, Color};
pub use diagram::{Diagram, DiagramError, DiagramProblem};
pub use game::{CannotUndo, Game, SetUpError};
pub use handicap::{HandicapError, fixed_handicap, free_handicap, max_fixed_handicap, max_free_handicap};
pub use history::{History, hash_after};
pub use ladder::{Ladder, LadderReader, LadderReading};
pub use liberty::Liberties;
pub use nakade::{MAX_NAKADE, is_nakade, visit_nakade_beside};
pub use neighborhood::{Neighborhood, NeighborhoodSet};
pub use pattern::{Md2, canonical_neighborhood};
pub use perft::perft;
pub use point::{MAX_AREA, MAX_SIDE, MIN_SIDE, Move, Point, Size, SizeError};
pub use point_map::PointMap;
pub use point_set::PointSet;
pub use region::Regions;
pub use result::{GameResult, Margin, ResultError, Score};
pub use rules::{HandicapBonus, KoRule, MAX_KOMI, RuleValue, Rules, RulesError, Scoring, Tax, parse_komi};
pub use score::{Owner, Ownership, Verdict, area_lead, territory_lead, tromp_taylor_lead};
pub use symmetry::{Symmetry, canonical_hash};
pub use vertex::VertexError;
