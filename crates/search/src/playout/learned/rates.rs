//! The rates of all moves of both players, kept up to date from move to move.
//!
//! What the board alone says of a move is its *rate*: the gamma of its shape times that of its tactics. It is always made of those two
//! in the same way, so the table is the same to the last bit whichever way a position was reached. A rate is 0 where a player must not
//! play: own eyes, suicide, hopeless self-atari. Ko and the last moves are none of its business.
//!
//! After a move only some points change: shapes within distance two of the new stone and of the stones captured, and tactics beside those
//! stones and at the liberties of chains that have few liberties or had few before. Those that had few before
//! are not known after the move, but points beside such chains are marked as `low`.

use super::gammas::Gammas;
use super::response::Known;
use super::tactics::{ENOUGH, LOW, Sides, Tactics};
use super::vicinity::Vicinity;
use tesuji_board::{Board, Chain, Color, Md2, Move, Point, PointMap, PointSet};

/// The table.
#[derive(Clone)]
pub struct Rates {
    vicinity: Vicinity,
    points: Vec<Point>,
    /// Words of a set that have points of the board.
    words: usize,
    /// The cells two steps to the north, west, east and south of each point, also of those with stones: the upper bits of its [`Md2`].
    far: PointMap<u8>,
    shapes: PointMap<[f32; 2]>,
    tactics: PointMap<[f32; 2]>,
    /// Points beside chains with few liberties.
    low: PointSet,
    /// Of those points; nothing of others.
    low_tactics: PointMap<[Tactics; 2]>,
    /// By player: the number of points where a chain can be captured.
    captures: [u16; 2],
    /// By player.
    rates: [PointMap<f32>; 2],
    /// One stone of each chain that the move under way changes; some more than once.
    changed: Vec<Point>,
    /// Stones that it takes off the board.
    removed: Vec<Point>,
}

impl Default for Rates {
    fn default() -> Rates {
        Rates {
            vicinity: Vicinity::default(),
            points: Vec::new(),
            far: PointMap::filled(0),
            shapes: PointMap::filled([0.0; 2]),
            tactics: PointMap::filled([0.0; 2]),
            low: PointSet::EMPTY,
            low_tactics: PointMap::filled([Tactics::default(); 2]),
            captures: [0; 2],
            words: 0,
            rates: [PointMap::filled(0.0); 2],
            changed: Vec::new(),
            removed: Vec::new(),
        }
    }
}

impl Rates {
    /// The table of a position from scratch.
    pub fn start(&mut self, gammas: &Gammas, board: &Board) {
        let size = board.size();
        if self.vicinity.fit(size) {
            self.points = size.points().collect();
            self.words = board.liberty_words(board.chain_at(self.points[0])).len();
            self.rates.iter_mut().for_each(|rates| rates.fill(0.0));
            // As much as a move can ever tell, so that playouts do not allocate: every stone taken has four sides.
            self.changed.reserve(4 * size.area() + 5);
            self.removed.reserve(size.area());
        }
        self.low = PointSet::EMPTY;
        self.captures = [0; 2];
        self.changed.clear();
        self.removed.clear();
        for i in 0..self.points.len() {
            let point = self.points[i];
            self.low_tactics[point] = [Tactics::default(); 2];
            self.far[point] = (Md2::around(board, point).0 >> 16) as u8;
            if board.is_empty(point) {
                self.shapes[point] = gammas.shapes.get(board.neighborhood(point), self.far[point]);
                self.renew_tactics(gammas, board, point);
            } else {
                self.set(point, [0.0; 2]);
            }
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

    /// Brings the table up to date after a move of `player` that it was told of by the two functions above.
    #[inline]
    pub fn update(&mut self, gammas: &Gammas, board: &Board, last: Move, player: Color) {
        let Move::Play(last) = last else { return };
        self.set(last, [0.0; 2]);
        self.raise(last);
        let mut stale = PointSet::EMPTY;
        self.toggle_far(last, player);
        if !self.removed.is_empty() {
            self.put_back(gammas, board, last, player, &mut stale);
        }
        self.reshape_around(gammas, board, last);
        for &side in self.vicinity.near(last).sides() {
            if board.is_empty(side) {
                stale.insert(side);
            }
        }
        for &stone in &self.changed {
            let chain = board.chain_at(stone);
            let (liberties, words) = (board.liberty_count(chain), board.liberty_words(chain));
            if liberties <= LOW {
                stale.insert_liberties(words);
            } else if liberties <= ENOUGH || !self.removed.is_empty() || board.color(stone) == Some(player) {
                stale.insert_liberties_in(words, &self.low);
            }
            // Else it is a chain that lost one liberty and keeps as many as count.
        }
        self.changed.clear();
        self.removed.clear();
        stale.visit(self.words, |point| self.renew_tactics(gammas, board, point));
    }

    /// The rates of a player.
    #[inline(always)]
    pub(super) fn of(&self, player: Color) -> &PointMap<f32> {
        &self.rates[player.index()]
    }

    /// A stone of `color` comes to a point or leaves it.
    #[inline(always)]
    fn toggle_far(&mut self, center: Point, color: Color) {
        for &(point, shift) in self.vicinity.near(center).far() {
            self.far[point] ^= (color.cell() as u8) << shift;
        }
    }

    /// After a stone came to a point or left it.
    #[inline(always)]
    fn reshape_around(&mut self, gammas: &Gammas, board: &Board, center: Point) {
        for &point in self.vicinity.near(center).md2() {
            if board.is_empty(point) {
                let shapes = gammas.shapes.get(board.neighborhood(point), self.far[point]);
                let tactics = self.tactics[point];
                self.shapes[point] = shapes;
                self.rates[0][point] = shapes[0] * tactics[0];
                self.rates[1][point] = shapes[1] * tactics[1];
            }
        }
    }

    /// The points of stones taken off the board are empty again.
    #[inline(never)]
    fn put_back(&mut self, gammas: &Gammas, board: &Board, last: Point, player: Color, stale: &mut PointSet) {
        // After a suicide the last stone is among those removed.
        let color = if board.is_empty(last) { player } else { !player };
        for i in 0..self.removed.len() {
            self.toggle_far(self.removed[i], color);
        }
        for i in 0..self.removed.len() {
            let point = self.removed[i];
            self.shapes[point] = gammas.shapes.get(board.neighborhood(point), self.far[point]);
            stale.insert(point);
            for &side in self.vicinity.near(point).sides() {
                if board.is_empty(side) {
                    stale.insert(side);
                }
            }
            self.reshape_around(gammas, board, point);
        }
    }

    #[inline(always)]
    fn renew_tactics(&mut self, gammas: &Gammas, board: &Board, point: Point) {
        let sides = Sides::of(board, point);
        if sides.are_low() {
            let tactics = sides.tactics(board, point);
            self.low.insert(point);
            let before = std::mem::replace(&mut self.low_tactics[point], tactics);
            self.count_captures(before, tactics);
            self.tactics[point] = tactics.map(|tactics| gammas.of_tactics(tactics));
        } else {
            self.raise(point);
            self.tactics[point] = gammas.of_plain_tactics(board.neighborhood(point));
        }
        self.multiply(point);
    }

    /// No chain beside a point has few liberties.
    #[inline(always)]
    fn raise(&mut self, point: Point) {
        if self.low.remove(point) {
            let none = [Tactics::default(); 2];
            let before = std::mem::replace(&mut self.low_tactics[point], none);
            self.count_captures(before, none);
        }
    }

    #[inline(always)]
    fn count_captures(&mut self, before: [Tactics; 2], after: [Tactics; 2]) {
        for (i, captures) in self.captures.iter_mut().enumerate() {
            *captures += u16::from(after[i].capture > 0);
            *captures -= u16::from(before[i].capture > 0);
        }
    }

    #[inline(always)]
    fn multiply(&mut self, point: Point) {
        let (shapes, tactics) = (self.shapes[point], self.tactics[point]);
        self.set(point, [shapes[0] * tactics[0], shapes[1] * tactics[1]]);
    }

    #[inline(always)]
    fn set(&mut self, point: Point, rates: [f32; 2]) {
        self.rates[0][point] = rates[0];
        self.rates[1][point] = rates[1];
    }

    /// All that the table says, for comparing tables.
    #[cfg(test)]
    pub(super) fn snapshot(&self) -> impl PartialEq + std::fmt::Debug {
        let bits = |player: usize| {
            let rates = self.points.iter().map(move |&point| self.rates[player][point].to_bits());
            rates.collect::<Vec<u32>>()
        };
        let low: Vec<_> = self.low.iter().map(|point| (point, self.low_tactics[point])).collect();
        (bits(0), bits(1), low, self.captures)
    }
}

impl Known for Rates {
    #[inline(always)]
    fn tactics(&self, _board: &Board, point: Point, player: Color) -> Tactics {
        self.low_tactics[point][player.index()]
    }

    #[inline(always)]
    fn can_capture(&self, player: Color) -> bool {
        self.captures[player.index()] > 0
    }
}
