//! The 48 planes of the Cygo paper, which are those of RocAlphaGo after AlphaGo (Silver et al. 2016).
//!
//! For the side to move: own stones, the opponent's, empty points; ones; age of a stone in moves (0, 1, … 7 and more); liberties of a
//! stone's chain (1 … 8 and more). Then for each legal move: stones it captures (0 … 7 and more); stones of its own chain if that is
//! in atari afterwards (1 … 8 and more); liberties of its chain afterwards (1 … 8 and more); whether it catches a chain in a
//! ladder; whether it saves one; whether it is sensible, which means that it fills no own eye. The last plane is zeros for the
//! policy net and the colour to move for the value net.
//!
//! Stones that were there before the first move count as old. Ladders are those of KataGo's inputs.

use super::line::View;
use super::planes::Planes;
use super::{Places, ladder};
use tesuji_board::{Board, Cell, Color, Move, Point, Size};

/// Planes of the set.
pub const PLANES: usize = 48;

const OWN: u32 = 0;
const OPPONENT: u32 = 1;
const EMPTY: u32 = 2;
const ONES: u32 = 3;
const AGE: u32 = 4;
const LIBERTIES: u32 = 12;
const CAPTURE_SIZE: u32 = 20;
const SELF_ATARI_SIZE: u32 = 28;
const LIBERTIES_AFTER: u32 = 36;
const LADDER_CAPTURE: u32 = 44;
const LADDER_ESCAPE: u32 = 45;
const SENSIBLE: u32 = 46;
const LAST: u32 = 47;

/// Planes of each number; the last one is for all that are larger.
const EACH: usize = 8;

/// What the last plane is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastPlane {
    /// Zeros.
    Zeros,
    /// Ones if Black is to move, else zeros.
    BlackToMove,
}

/// Makes the planes; keeps its memory from one position to the next.
#[derive(Clone)]
pub struct Paper {
    places: Places,
    ladders: ladder::Reader,
}

impl Paper {
    /// For boards of any size, at first of this one: another later costs an allocation.
    pub fn new(size: Size) -> Paper {
        Paper { places: Places::new(size), ladders: ladder::Reader::new(size) }
    }

    /// Writes the planes for a position.
    pub fn encode(&mut self, view: &View<'_>, last: LastPlane, planes: &mut Planes) {
        let board = view.board();
        self.places.fit(board.size());
        let (points, _) = planes.begin(board.size(), 0);
        let is_black = view.to_move() == Color::Black;
        let everywhere = 1 << ONES | u64::from(last == LastPlane::BlackToMove && is_black) << LAST;
        let bans = view.track.superko_bans(board);
        for (word, &point) in points.iter_mut().zip(self.places.points()) {
            *word = everywhere | self.of_point(view, point);
            if board.is_empty(point) && view.track.is_legal(board, point) && !bans.contains(point) {
                *word |= of_move(board, point, view.to_move());
            }
        }
        self.add_ages(view, points);
        self.add_ladders(view, points);
    }

    /// The planes of what stands on a point, a stone being old.
    fn of_point(&self, view: &View<'_>, point: Point) -> u64 {
        let board = view.board();
        let cell = board.cell(point);
        if cell == Cell::Empty {
            return 1 << EMPTY;
        }
        let owner = if cell == view.to_move().cell() { OWN } else { OPPONENT };
        let liberties = board.liberty_count(board.chain_at(point));
        1 << owner | nth(AGE, EACH - 1) | nth(LIBERTIES, liberties - 1)
    }

    /// Makes stones of the last moves young.
    fn add_ages(&self, view: &View<'_>, points: &mut [u64]) {
        let recent: arrayvec::ArrayVec<Move, { EACH - 1 }> =
            view.track.recent().take(EACH - 1).map(|(_, mv)| mv).collect();
        // Oldest first: where a stone was taken and another put, the newer one counts.
        for (age, mv) in recent.iter().enumerate().rev() {
            if let Some(point) = mv.point().filter(|&point| !view.board().is_empty(point)) {
                let word = &mut points[self.places.ordinal(point)];
                *word &= !(0xff << AGE);
                *word |= nth(AGE, age);
            }
        }
    }

    fn add_ladders(&mut self, view: &View<'_>, points: &mut [u64]) {
        let (board, color) = (view.board(), view.to_move());
        let captures = self.ladders.read(board).captures[(!color).index()];
        let escapes = self.ladders.escapes(board, color);
        for (plane, moves) in [(LADDER_CAPTURE, captures), (LADDER_ESCAPE, escapes)] {
            for point in moves.iter() {
                let word = &mut points[self.places.ordinal(point)];
                // A legal move has some number of captures, even if that is none.
                if *word & 0xff << CAPTURE_SIZE != 0 {
                    *word |= 1 << plane;
                }
            }
        }
    }
}

/// The planes of a legal move, ladders aside.
fn of_move(board: &Board, point: Point, color: Color) -> u64 {
    let size = |chains: arrayvec::ArrayVec<_, 4>| -> usize {
        chains.into_iter().map(|chain| board.chain_size(chain)).sum()
    };
    let mut captured = board.chains_beside(point, !color);
    captured.retain(|chain| board.liberty_count(*chain) == 1);
    let mut word = nth(CAPTURE_SIZE, size(captured));
    if !board.is_suicide(point, color) {
        let liberties = board.liberties_after(point, color, EACH);
        word |= nth(LIBERTIES_AFTER, liberties - 1);
        if liberties == 1 {
            word |= nth(SELF_ATARI_SIZE, size(board.chains_beside(point, color)));
        }
    }
    word | u64::from(!board.neighborhood(point).is_eye_of(color)) << SENSIBLE
}

/// The plane of a number, from 0, in a group of planes.
fn nth(first: u32, number: usize) -> u64 {
    1 << (first as usize + number.min(EACH - 1))
}
