//! Playing a position out to its end.
//!
//! A [`PlayoutRule`] chooses moves; [`run`] alternates the players until both pass, one side is hopelessly behind (the mercy rule),
//! or the game is too long to mean anything. Superko is not checked: long cycles end by the length limit.

mod adaptive;
mod capture;
mod compose;
mod defend;
mod evaluator;
mod global_capture;
mod learned;
mod lesson;
mod light;
mod low_liberties;
mod nakade;
mod pattern;
mod random;
mod reply;
mod usage;

pub use adaptive::{Adaptation, AdaptationScheme, AdaptedRandom, LastResort, Learners, Taste};
pub use capture::CaptureLast;
pub use compose::{PlayoutRule, Sometimes};
pub use defend::Defend;
pub use evaluator::{GoEvaluator, PlayoutOptions, Playouts};
pub use global_capture::GlobalCapture;
pub use learned::{
    AdaptedRated, FeatureReader, Features, GROUPS, GammaError, GammaSets, GammaTable, Gammas, Group,
    MOST_VALUES, Rated, Rates, Values,
};
pub use lesson::{Lesson, Reply};
pub use light::{Light, is_sensible};
pub use low_liberties::LowLiberties;
pub use nakade::Nakade;
pub use pattern::{PatternNearby, matches_pattern};
pub use random::RandomSafe;
pub use reply::{
    Context, Deleters, Holder, Order, Reach, Replies, ReplyScheme, ReplyTables, Stored, Table, TreeMoves,
};
pub use usage::{Counted, Usage};

/// The playouts of the default engine: rules in the order of Fuego's playouts (Enzenberger et al. 2010), each kept or changed by
/// how well playouts then predict a strong engine's opinion (docs/experiments/playout-policy.md).
pub type Heavy = (Urgent, Useful, RandomSafe);

/// Captures and escapes.
pub type Urgent = (CaptureLast, Defend);
/// What is better than a random move.
pub type Useful = (Nakade, Sometimes<LowLiberties, 50>, PatternNearby, GlobalCapture);

use crate::rng::Rng;
use tesuji_board::{Board, Cell, Chain, Color, Move, MoveObserver, Point};

/// A board in the middle of a playout, with the little history that playout rules look at.
#[derive(Clone)]
pub struct Position {
    /// The stones.
    pub board: Board,
    /// Who moves next.
    pub to_move: Color,
    /// The last move, by the opponent of `to_move`.
    pub last: Move,
    /// The move before that.
    pub before_last: Move,
}

impl Position {
    /// A position without known history.
    pub fn new(board: Board, to_move: Color) -> Position {
        Position { board, to_move, last: Move::Pass, before_last: Move::Pass }
    }

    /// Makes this position equal to `other` without allocating.
    pub fn copy_from(&mut self, other: &Position) {
        self.board.copy_from(&other.board);
        self.to_move = other.to_move;
        self.last = other.last;
        self.before_last = other.before_last;
    }

    /// Plays a legal move for the side to move.
    #[inline(always)]
    pub fn play(&mut self, mv: Move) {
        self.play_observed(mv, &mut ());
    }

    /// As [`Position::play`], telling `observer` what changes on the board.
    #[inline(always)]
    pub fn play_observed(&mut self, mv: Move, observer: &mut impl MoveObserver) {
        match mv {
            Move::Play(point) => self.board.play_observed(point, self.to_move, observer),
            Move::Pass => self.board.pass(),
        }
        self.before_last = self.last;
        self.last = mv;
        self.to_move = !self.to_move;
    }
}

/// When to stop before both sides have passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Stop when one side has this many more stones than the other on the board.
    pub mercy: Option<u16>,
    /// Stop after this many moves.
    pub max_moves: u32,
}

impl Ending {
    /// No mercy, and three moves per point at most.
    pub fn natural(area: usize) -> Ending {
        Ending { mercy: None, max_moves: 3 * area as u32 }
    }

    /// Mercy at a lead of 30 % of the points, as in Fuego.
    pub fn merciful(area: usize) -> Ending {
        Ending { mercy: Some((area as f32 * 0.3).ceil() as u16), ..Ending::natural(area) }
    }
}

/// How a playout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Both passed.
    Passes,
    /// One side was too far ahead; stones alone decide.
    Mercy,
    /// Too long: no result should be drawn from it.
    TooLong,
}

/// Plays what a rule proposes until the end, and passes where it proposes nothing; hands each move to `observe` before it is played.
#[inline]
pub fn run<R: PlayoutRule>(
    rule: &mut R,
    position: &mut Position,
    rng: &mut Rng,
    ending: Ending,
    mut observe: impl FnMut(Color, Move),
) -> End {
    rule.start(position);
    let mercy = ending.mercy.map_or(i32::MAX, i32::from);
    for _ in 0..ending.max_moves {
        let mv = rule.propose(position, rng).map_or(Move::Pass, Move::Play);
        observe(position.to_move, mv);
        let both_passed = mv == Move::Pass && position.last == Move::Pass;
        position.play_observed(mv, &mut Told(rule));
        rule.played(position);
        if both_passed {
            return End::Passes;
        }
        let board = &position.board;
        let lead = board.stone_count(Color::Black) as i32 - board.stone_count(Color::White) as i32;
        if lead.abs() >= mercy {
            return End::Mercy;
        }
    }
    End::TooLong
}

/// Hands on to a rule what a move changes.
struct Told<'a, R>(&'a mut R);

impl<R: PlayoutRule> MoveObserver for Told<'_, R> {
    #[inline(always)]
    fn stone_removed(&mut self, point: Point, _color: Color) {
        self.0.stone_removed(point);
    }

    #[inline(always)]
    fn liberties_changed(&mut self, chain: Chain) {
        self.0.liberties_changed(chain);
    }
}

/// Black's area minus White's, for a board that was played out: every empty point is beside one colour only or counts for nobody.
#[inline]
pub fn area_difference(board: &Board) -> i32 {
    let stones = board.stone_count(Color::Black) as i32 - board.stone_count(Color::White) as i32;
    let eyes: i32 = board
        .empties()
        .iter()
        .map(|&point| {
            let around = board.neighborhood(point);
            let touches = |color| around.sides_of(color) > 0;
            i32::from(touches(Color::Black)) - i32::from(touches(Color::White))
        })
        .sum();
    stones + eyes
}

/// Whose area a point of a played-out board is.
#[inline]
pub fn owner(board: &Board, point: Point) -> Option<Color> {
    match board.cell(point) {
        Cell::Black => Some(Color::Black),
        Cell::White => Some(Color::White),
        Cell::Empty | Cell::Wall => {
            let around = board.neighborhood(point);
            match (around.sides_of(Color::Black) > 0, around.sides_of(Color::White) > 0) {
                (true, false) => Some(Color::Black),
                (false, true) => Some(Color::White),
                _ => None,
            }
        }
    }
}
