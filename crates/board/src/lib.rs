//! The game of Go: points, boards, rules, games, scoring and the knowledge that can be read off a position.
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
pub use board::{Board, Chain, IllegalMove, MoveObserver, Suicide, UndoLog};
pub use color::{Cell, Color};
pub use diagram::{Diagram, DiagramError, DiagramProblem};
pub use game::{CannotUndo, Game, SetUpError};
pub use handicap::{HandicapError, fixed_handicap, free_handicap, max_fixed_handicap, max_free_handicap};
pub use history::{History, hash_after};
pub use ladder::{Ladder, LadderReader, LadderReading};
pub use liberty::Liberties;
pub use nakade::{MAX_NAKADE, SmallRegion, nakade, small_eye_space, vital_point};
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
