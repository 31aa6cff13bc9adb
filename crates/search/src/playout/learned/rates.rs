//! The rates of all moves of both players, kept up to date from move to move.
//!
//! What the board alone says of a move is its *rate*: the gamma of its shape times those of its tactics, in whole steps, so that sums are exact in
//! any order and the table is the same to the last bit whichever way a position was reached. A rate is 0 where a player must not
//! play: own eyes, suicide, hopeless self-atari. Ko and the last moves are none of its business ([`super::mark`]).
//!
//! After a move only some points change: shapes within distance two of the new stone and of the stones captured, and tactics beside those
//! stones and at the liberties of chains that have few liberties or had few before. Those that had few before
//! are not known after the move, but points beside such chains are marked as `low`.

use super::feature::{Beside, LOW};
use super::gammas::Gammas;
use super::vicinity::Vicinity;
use tesuji_board::{Board, Chain, Color, MAX_SIDE, Move, Point, PointMap, PointSet};

/// The rate of a gamma of 1.
const UNIT: f32 = 1024.0;
/// The largest rate: all moves of the largest board and all special moves together stay below 2³².
const LARGEST: f32 = (1 << 22) as f32;

/// The table.
#[derive(Clone)]
pub struct Rates {
    pub(super) vicinity: Vicinity,
    /// All points in reading order.
    points: Vec<Point>,
    width: usize,
    row: PointMap<u8>,
    shapes: PointMap<[f32; 2]>,
    tactics: PointMap<[f32; 2]>,
    /// Points beside chains with few liberties.
    low: PointSet,
    rates: PointMap<[u32; 2]>,
    row_sums: [[u32; 2]; MAX_SIDE as usize],
    totals: [u32; 2],
    /// One stone of each chain that the move under way changes; some more than once.
    changed: Vec<Point>,
    /// Stones that it takes off the board.
    removed: Vec<Point>,
    stale: Stale,
}

/// Points whose rates are to be found anew.
#[derive(Clone)]
struct Stale {
    /// Each once.
    points: Vec<Point>,
    renewal: PointMap<Renewal>,
}

/// What is to be found anew about a point.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Renewal {
    Nothing,
    /// Its rate, because its shape changed.
    Rate,
    /// Its tactics too.
    Tactics,
}

impl Default for Rates {
    fn default() -> Rates {
        Rates {
            vicinity: Vicinity::default(),
            points: Vec::new(),
            width: 1,
            row: PointMap::filled(0),
            shapes: PointMap::filled([0.0; 2]),
            tactics: PointMap::filled([0.0; 2]),
            low: PointSet::EMPTY,
            rates: PointMap::filled([0; 2]),
            row_sums: [[0; 2]; MAX_SIDE as usize],
            totals: [0; 2],
            changed: Vec::new(),
            removed: Vec::new(),
            stale: Stale { points: Vec::new(), renewal: PointMap::filled(Renewal::Nothing) },
        }
    }
}

impl Rates {
    /// The table of a position from scratch.
    pub fn start(&mut self, gammas: &Gammas, board: &Board) {
        let size = board.size();
        if self.vicinity.fit(size) {
            self.points = size.points().collect();
            self.width = size.width();
            size.points().for_each(|point| self.row[point] = size.y(point) as u8);
            // As much as a move can ever tell, so that playouts do not allocate: every stone taken has four sides.
            self.changed.reserve(4 * size.area() + 5);
            self.removed.reserve(size.area());
            self.stale.points.reserve(size.area());
        }
        self.low = PointSet::EMPTY;
        self.changed.clear();
        self.removed.clear();
        self.row_sums = [[0; 2]; MAX_SIDE as usize];
        self.totals = [0; 2];
        self.points.iter().for_each(|&point| self.rates[point] = [0; 2]);
        for &point in board.empties() {
            self.shapes[point] = gammas.of_shape(board, point);
            self.judge_tactics(gammas, board, point);
            self.sum_up(board, point);
        }
    }

    /// A stone comes off the board.
    #[inline(always)]
    pub fn stone_removed(&mut self, point: Point) {
        self.removed.push(point);
    }

    /// A chain's liberties change.
    #[inline(always)]
    pub fn liberties_changed(&mut self, chain: Chain) {
        self.changed.push(chain.stone());
    }

    /// Brings the table up to date after a move that it was told of by the two functions above.
    #[inline]
    pub fn update(&mut self, gammas: &Gammas, board: &Board, last: Move) {
        let Move::Play(last) = last else { return };
        self.set(last, [0; 2]);
        self.low.remove(last);
        self.reshape_around(gammas, board, last);
        for i in 0..self.removed.len() {
            let point = self.removed[i];
            self.shapes[point] = gammas.of_shape(board, point);
            self.stale.renew(point, Renewal::Tactics);
            self.reshape_around(gammas, board, point);
        }
        self.removed.clear();
        for i in 0..self.changed.len() {
            let chain = board.chain_at(self.changed[i]);
            if board.liberty_count(chain) <= LOW {
                board.liberties(chain).for_each(|point| self.stale.renew(point, Renewal::Tactics));
            } else {
                let low = self.low.in_common(board.liberty_words(chain));
                low.for_each(|point| self.stale.renew(point, Renewal::Tactics));
            }
        }
        self.changed.clear();
        for i in 0..self.stale.points.len() {
            let point = self.stale.points[i];
            if std::mem::replace(&mut self.stale.renewal[point], Renewal::Nothing) == Renewal::Tactics {
                self.judge_tactics(gammas, board, point);
            }
            self.sum_up(board, point);
        }
        self.stale.points.clear();
    }

    /// The rate of a move.
    #[inline(always)]
    pub fn rate(&self, point: Point, color: Color) -> u32 {
        self.rates[point][color.index()]
    }

    /// The sum of all rates of a player.
    #[inline(always)]
    pub fn total(&self, color: Color) -> u32 {
        self.totals[color.index()]
    }

    /// The point at a number below the total: each point has as many numbers as its rate says.
    #[inline]
    pub fn point_at(&self, mut number: u32, color: Color) -> Option<Point> {
        for (row, sums) in self.points.chunks_exact(self.width).zip(&self.row_sums) {
            let sum = sums[color.index()];
            if number < sum {
                return row.iter().copied().find(|&point| {
                    let rate = self.rate(point, color);
                    let found = number < rate;
                    number = number.wrapping_sub(rate);
                    found
                });
            }
            number -= sum;
        }
        None
    }

    /// After a stone came to a point or left it.
    #[inline]
    fn reshape_around(&mut self, gammas: &Gammas, board: &Board, center: Point) {
        let near = self.vicinity.near(center);
        for (i, &point) in near.md2().iter().enumerate() {
            if board.is_empty(point) {
                self.shapes[point] = gammas.of_shape(board, point);
                let is_beside = i < near.sides().len();
                self.stale.renew(point, if is_beside { Renewal::Tactics } else { Renewal::Rate });
            }
        }
    }

    #[inline]
    fn judge_tactics(&mut self, gammas: &Gammas, board: &Board, point: Point) {
        let beside = Beside::of(board, self.vicinity.near(point).sides());
        if beside.is_low {
            self.low.insert(point);
        } else {
            self.low.remove(point);
        }
        let gamma = |color| beside.tactics(board, point, color).map_or(0.0, |found| gammas.of_tactics(found));
        self.tactics[point] = [gamma(Color::Black), gamma(Color::White)];
    }

    #[inline]
    fn sum_up(&mut self, board: &Board, point: Point) {
        let (shape, tactics, around) = (self.shapes[point], self.tactics[point], board.neighborhood(point));
        let rate = |color: Color| {
            let gamma = shape[color.index()] * tactics[color.index()];
            if gamma == 0.0 || around.is_eye_of(color) { 0 } else { quantised(gamma) }
        };
        self.set(point, [rate(Color::Black), rate(Color::White)]);
    }

    #[inline(always)]
    fn set(&mut self, point: Point, rates: [u32; 2]) {
        let old = self.rates[point];
        let sums = &mut self.row_sums[usize::from(self.row[point]) % MAX_SIDE as usize];
        for (i, rate) in rates.into_iter().enumerate() {
            // Wrapping, because the difference may be negative on the way; the sum is not.
            let change = rate.wrapping_sub(old[i]);
            sums[i] = sums[i].wrapping_add(change);
            self.totals[i] = self.totals[i].wrapping_add(change);
        }
        self.rates[point] = rates;
    }

    /// All that the rates are, for comparing tables.
    #[cfg(test)]
    pub(super) fn snapshot(&self) -> (Vec<[u32; 2]>, Vec<[u32; 2]>, [u32; 2]) {
        let rates = self.points.iter().map(|&point| self.rates[point]).collect();
        (rates, self.row_sums.to_vec(), self.totals)
    }
}

impl Stale {
    #[inline(always)]
    fn renew(&mut self, point: Point, what: Renewal) {
        let before = self.renewal[point];
        if before == Renewal::Nothing {
            self.points.push(point);
        }
        if before != Renewal::Tactics {
            self.renewal[point] = what;
        }
    }
}

/// A gamma that is not 0 as a rate.
#[inline(always)]
pub(super) fn quantised(gamma: f32) -> u32 {
    scaled(UNIT, gamma)
}

/// A rate that is not 0, times a gamma.
#[inline(always)]
pub(super) fn scaled(rate: f32, gamma: f32) -> u32 {
    (rate * gamma).clamp(1.0, LARGEST) as u32
}
