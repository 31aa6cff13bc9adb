//! The moves that the last moves make special: those near them and those that answer them. They are found anew at every move, because
//! they are few and none of them is the same at the next.

use super::feature::{RESPONSE, TO_BEFORE_LAST, TO_LAST, Values};
use super::vicinity::{DISTANCES, Vicinity};
use crate::playout::Position;
use arrayvec::ArrayVec;
use tesuji_board::{Board, Cell, Chain, Color, Move, Point, PointMap, nakade};

/// Moves kept at most; others keep the rate that the board alone gives them.
const MOST_MARKS: usize = 128;

/// Distances to the move before the last that count, from the smallest; to the last move all do.
const BEFORE_LAST_DISTANCES: usize = 2;

/// Values of [`RESPONSE`], the most urgent first.
const CAPTURE_SAVES: [u8; 2] = [1, 2];
const FROM_ATARI_TO_THREE: u8 = 3;
const FROM_ATARI_TO_TWO: u8 = 4;
const FROM_TWO_TO_THREE: u8 = 5;
const CAPTURE_STONE: u8 = 6;
const CAPTURE_CHAIN: u8 = 7;
const ATARI: u8 = 8;
const ATARI_BY_SELF_ATARI: u8 = 9;
const SQUEEZE: u8 = 10;
const NAKADE: u8 = 11;

/// A special move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) point: Point,
    pub(super) to_last: u8,
    pub(super) to_before_last: u8,
    pub(super) response: u8,
    /// May not be played now: it would retake a ko.
    pub(super) banned: bool,
    /// For whoever draws a move.
    pub(super) rate: u32,
}

/// The special moves of a position.
#[derive(Clone)]
pub(super) struct Marks {
    pub(super) list: ArrayVec<Mark, MOST_MARKS>,
    /// By point: its place in the list, if that place is its own.
    places: PointMap<u8>,
}

impl Default for Marks {
    fn default() -> Marks {
        Marks { list: ArrayVec::new(), places: PointMap::filled(0) }
    }
}

impl Marks {
    /// Finds the special moves of a position.
    #[inline]
    pub(super) fn look_at(&mut self, position: &Position, vicinity: &Vicinity) {
        let (board, color) = (&position.board, position.to_move);
        self.list.clear();
        if let Move::Play(last) = position.last {
            for (class, points) in vicinity.near(last).by_distance(DISTANCES) {
                for &point in points.iter().filter(|&&point| board.is_empty(point)) {
                    self.push(Mark { to_last: class, ..Mark::of(point) });
                }
            }
            self.find_responses(board, last, color);
        }
        if let Move::Play(before) = position.before_last {
            for (class, points) in vicinity.near(before).by_distance(BEFORE_LAST_DISTANCES) {
                for &point in points.iter().filter(|&&point| board.is_empty(point)) {
                    self.change(point, |mark| mark.to_before_last = class);
                }
            }
        }
        if let Some(point) = board.ko_point(color) {
            self.change(point, |mark| mark.banned = true);
        }
    }

    /// Whether a point is special.
    #[inline(always)]
    pub(super) fn contains(&self, point: Point) -> bool {
        self.list.get(usize::from(self.places[point])).is_some_and(|mark| mark.point == point)
    }

    /// The values of a move, those of the board left out.
    pub(super) fn values_at(&self, point: Point) -> Values {
        let mut values = Values::default();
        if self.contains(point) {
            let mark = self.list[usize::from(self.places[point])];
            values[TO_LAST] = mark.to_last;
            values[TO_BEFORE_LAST] = mark.to_before_last;
            values[RESPONSE] = mark.response;
        }
        values
    }

    #[inline(always)]
    fn push(&mut self, mark: Mark) {
        let place = self.list.len() as u8;
        if self.list.try_push(mark).is_ok() {
            self.places[mark.point] = place;
        }
    }

    #[inline(always)]
    fn change(&mut self, point: Point, change: impl FnOnce(&mut Mark)) {
        if self.contains(point) {
            change(&mut self.list[usize::from(self.places[point])]);
        } else {
            let mut mark = Mark::of(point);
            change(&mut mark);
            self.push(mark);
        }
    }

    /// Of several responses that a move is, the least counts: they are in the order of urgency, and no orientation must matter.
    #[inline(always)]
    fn respond(&mut self, point: Point, response: u8) {
        self.change(point, |mark| {
            if mark.response == 0 || response < mark.response {
                mark.response = response;
            }
        });
    }

    #[inline]
    fn find_responses(&mut self, board: &Board, last: Point, color: Color) {
        if board.neighborhood(last).sides_of(color) > 0 {
            for chain in board.chains_beside(last, color) {
                self.save(board, chain, color);
            }
        }
        if !board.is_empty(last) {
            self.attack(board, board.chain_at(last), color);
        }
        for side in board.sides(last, Cell::Empty) {
            if let Some(vital) = nakade(board, side, !color) {
                self.respond(vital, NAKADE);
            }
        }
    }

    /// For an own chain beside the last move.
    #[inline]
    fn save(&mut self, board: &Board, chain: Chain, color: Color) {
        let count = board.liberty_count(chain);
        if count > 2 {
            return;
        }
        for stone in board.stones(chain) {
            if board.neighborhood(stone).sides_of(!color) > 0 {
                for side in board.sides(stone, (!color).cell()) {
                    let attacker = board.chain_at(side);
                    if board.liberty_count(attacker) == 1
                        && let Some(liberty) = board.first_liberty(attacker)
                    {
                        self.respond(liberty, CAPTURE_SAVES[count - 1]);
                    }
                }
            }
        }
        for liberty in board.liberties(chain) {
            match (count, board.liberties_after(liberty, color, 3)) {
                (1, 3) => self.respond(liberty, FROM_ATARI_TO_THREE),
                (1, 2) => self.respond(liberty, FROM_ATARI_TO_TWO),
                (2, 3) => self.respond(liberty, FROM_TWO_TO_THREE),
                _ => {}
            }
        }
    }

    /// For the chain of the last move.
    #[inline]
    fn attack(&mut self, board: &Board, chain: Chain, color: Color) {
        let count = board.liberty_count(chain);
        if count > 3 {
            return;
        }
        for liberty in board.liberties(chain) {
            self.respond(
                liberty,
                match count {
                    1 if board.chain_size(chain) == 1 => CAPTURE_STONE,
                    1 => CAPTURE_CHAIN,
                    2 if board.is_self_atari(liberty, color) => ATARI_BY_SELF_ATARI,
                    2 => ATARI,
                    _ => SQUEEZE,
                },
            );
        }
    }
}

impl Mark {
    #[inline(always)]
    fn of(point: Point) -> Mark {
        Mark { point, to_last: 0, to_before_last: 0, response: 0, banned: false, rate: 0 }
    }
}
