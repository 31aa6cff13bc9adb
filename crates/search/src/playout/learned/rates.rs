//! The rates of all moves of both players, kept up to date from move to move.
//!
//! What the board alone says of a move is its *rate*: the gamma of its shape times that of its tactics. It is always made of those two
//! in the same way, so the table is the same to the last bit whichever way a position was reached. A rate is 0 where a player must not
//! play: own eyes, suicide, hopeless self-atari. Ko and the last moves are none of its business.
//!
//! After a move only some points change: shapes within distance two of the new stone and of the stones captured; tactics beside the new
//! stone, where stones were captured, and at the liberties of chains that have few liberties or had few before.

use super::gammas::Gammas;
use super::response::Known;
use super::sides::{Sides, class_of, is_low, is_safe};
use super::tactics::{KINDS, Tactics};
use super::vicinity::Vicinity;
use tesuji_board::{Board, Cell, Chain, ChainMap, Color, Md2, Move, Point, PointMap, Size};

/// With so many points or more for every stone a table is made from that of the empty board.
const FEW: usize = 6;

/// The table.
#[derive(Clone)]
pub struct Rates {
    vicinity: Vicinity,
    points: Vec<Point>,
    now: Table,
    /// That of the empty board.
    empty: Table,
    /// The classes of chains, as [`Sides`] have them.
    classes: ChainMap<u8>,
    /// The number of points where a chain can be captured: Black's in the lower half, White's in the upper.
    captures: u32,
    /// Chains that the move under way changes; some more than once.
    changed: Vec<Chain>,
    /// Stones that it takes off the board.
    removed: Vec<Point>,
}

/// What is kept by point.
#[derive(Clone, Copy)]
struct Table {
    /// The cells two steps to the north, west, east and south of each point, also of those with stones: the upper bits of its [`Md2`].
    far: PointMap<u8>,
    /// The gammas of the shapes of empty points, by player; anything elsewhere.
    shapes: PointMap<[f32; 2]>,
    /// The gammas of tactics, by player.
    tactics: PointMap<[f32; 2]>,
    /// What stands beside each point; [`Sides::CLOSED`] where there is a stone.
    sides: PointMap<Sides>,
    /// By player.
    rates: [PointMap<f32>; 2],
}

impl Table {
    /// Without a board.
    const NONE: Table = Table {
        far: PointMap::filled(0),
        shapes: PointMap::filled([0.0; 2]),
        tactics: PointMap::filled([0.0; 2]),
        sides: PointMap::filled(Sides::CLOSED),
        rates: [PointMap::filled(0.0); 2],
    };

    #[inline(always)]
    fn copy(&mut self, other: &Table, point: Point) {
        self.far[point] = other.far[point];
        self.shapes[point] = other.shapes[point];
        self.tactics[point] = other.tactics[point];
        self.sides[point] = other.sides[point];
        self.rates[0][point] = other.rates[0][point];
        self.rates[1][point] = other.rates[1][point];
    }
}

impl Default for Rates {
    fn default() -> Rates {
        Rates {
            vicinity: Vicinity::default(),
            points: Vec::new(),
            now: Table::NONE,
            empty: Table::NONE,
            classes: ChainMap::filled(0),
            captures: 0,
            changed: Vec::new(),
            removed: Vec::new(),
        }
    }
}

impl Rates {
    /// The table of a position, for a size always by the same gammas.
    pub fn start(&mut self, gammas: &Gammas, board: &Board) {
        if self.vicinity.fit(board.size()) {
            self.fit(gammas, board.size());
        }
        let stones = board.stone_count(Color::Black) + board.stone_count(Color::White);
        if FEW * stones > self.points.len() {
            return self.start_from_scratch(gammas, board);
        }
        self.changed.clear();
        self.removed.clear();
        self.captures = 0;
        for &point in &self.points {
            self.now.copy(&self.empty, point);
        }
        for (stone, color) in board.chain_representatives() {
            let chain = board.chain_at(stone);
            self.classes[chain] = class_of(board, chain);
            for stone in board.stones(chain) {
                self.close(gammas, stone);
                self.toggle_far(stone, color);
            }
        }
        for (stone, _) in board.chain_representatives() {
            let chain = board.chain_at(stone);
            board.stones(chain).for_each(|stone| self.reshape_around(gammas, board, stone));
            board.liberties(chain).for_each(|liberty| self.renew_tactics(gammas, board, liberty));
        }
    }

    /// The same, point by point.
    pub(super) fn start_from_scratch(&mut self, gammas: &Gammas, board: &Board) {
        self.changed.clear();
        self.removed.clear();
        self.captures = 0;
        self.now.far = self.empty.far;
        for (stone, color) in board.chain_representatives() {
            let chain = board.chain_at(stone);
            self.classes[chain] = class_of(board, chain);
            board.stones(chain).for_each(|stone| self.toggle_far(stone, color));
        }
        for i in 0..self.points.len() {
            let point = self.points[i];
            if board.is_empty(point) {
                self.now.shapes[point] = gammas.shapes.get(board.neighborhood(point), self.now.far[point]);
                let sides = self.sides_now(board, point);
                self.judge(gammas, board, point, sides);
            } else {
                self.now.sides[point] = Sides::CLOSED;
                self.now.tactics[point] = [0.0; 2];
                self.multiply(point, [0.0; 2]);
            }
        }
    }

    /// Another size than before.
    #[cold]
    fn fit(&mut self, gammas: &Gammas, size: Size) {
        let board = Board::new(size);
        self.points = size.points().collect();
        (self.now, self.empty) = (Table::NONE, Table::NONE);
        for &point in &self.points {
            self.empty.far[point] = (Md2::around(&board, point).0 >> 16) as u8;
            self.empty.sides[point] = Sides::of(&board, point);
        }
        self.start_from_scratch(gammas, &board);
        self.empty = self.now;
        // As much as a move can ever tell, so that playouts do not allocate: every stone taken has four sides.
        self.changed.reserve(4 * size.area() + 5);
        self.removed.reserve(size.area());
    }

    /// A stone comes off the board.
    #[inline(always)]
    pub fn stone_removed(&mut self, point: Point) {
        self.removed.push(point);
    }

    /// A chain's liberties change.
    #[inline(always)]
    pub fn liberties_changed(&mut self, chain: Chain) {
        self.changed.push(chain);
    }

    /// Brings the table up to date after a move of `player` that it was told of by the two functions above.
    #[inline]
    pub fn update(&mut self, gammas: &Gammas, board: &Board, last: Move, player: Color) {
        let Move::Play(last) = last else { return };
        let joined_low = gammas.of_sides(self.now.sides[last]).own_are_low[player.index()];
        self.close(gammas, last);
        self.toggle_far(last, player);
        if !self.removed.is_empty() {
            self.put_back(gammas, board, last, player);
        }
        self.reshape_around(gammas, board, last);
        // The chain of the new stone may be several that joined, or new where another was before: its old class says nothing.
        self.classes[board.chain_at(last)] = 0;
        // All classes first: the sides of a point may be several chains that changed.
        let mut stale = 0;
        for i in 0..self.changed.len() {
            let chain = self.changed[i];
            let before = self.classes[chain];
            if is_safe(before) && board.liberty_count(chain) > 2 {
                continue;
            }
            let after = class_of(board, chain);
            self.classes[chain] = after;
            if (is_low(before) || is_low(after) || joined_low) && !self.changed[..stale].contains(&chain) {
                self.changed[stale] = chain;
                stale += 1;
            }
        }
        for i in 0..self.removed.len() {
            self.renew_tactics(gammas, board, self.removed[i]);
        }
        // The chain of the new stone is told last. If it is stale, the points beside the stone are among its liberties.
        if stale == 0 || self.changed[stale - 1] != board.chain_at(last) {
            for side in board.sides(last, Cell::Empty) {
                self.renew_tactics(gammas, board, side);
            }
        }
        for i in 0..stale {
            let chain = self.changed[i];
            for liberty in board.liberties(chain).take(board.liberty_count(chain)) {
                self.renew_tactics(gammas, board, liberty);
            }
        }
        self.changed.clear();
        self.removed.clear();
    }

    /// The rates of a player, which may be changed for a draw and must be put back.
    #[inline(always)]
    pub(super) fn of_mut(&mut self, player: Color) -> &mut PointMap<f32> {
        &mut self.now.rates[player.index()]
    }

    /// A stone of `color` comes to a point or leaves it.
    #[inline(always)]
    fn toggle_far(&mut self, center: Point, color: Color) {
        let everywhere = (color.cell() as u8) * 0x55;
        for (point, mask) in self.vicinity.near(center).far {
            self.now.far[point] ^= everywhere & mask;
        }
    }

    /// After a stone came to a point or left it.
    #[inline(always)]
    fn reshape_around(&mut self, gammas: &Gammas, board: &Board, center: Point) {
        let around = u32::from(board.neighborhood(center).0) | u32::from(self.now.far[center]) << 16;
        self.vicinity.near(center).visit_empty(Md2(around), |point| {
            let shapes = gammas.shapes.get(board.neighborhood(point), self.now.far[point]);
            let tactics = self.now.tactics[point];
            self.now.shapes[point] = shapes;
            self.now.rates[0][point] = shapes[0] * tactics[0];
            self.now.rates[1][point] = shapes[1] * tactics[1];
        });
    }

    /// The points of stones taken off the board are empty again.
    #[inline(never)]
    fn put_back(&mut self, gammas: &Gammas, board: &Board, last: Point, player: Color) {
        // After a suicide the last stone is among those removed.
        let color = if board.is_empty(last) { player } else { !player };
        for i in 0..self.removed.len() {
            self.toggle_far(self.removed[i], color);
        }
        for i in 0..self.removed.len() {
            let point = self.removed[i];
            self.now.shapes[point] = gammas.shapes.get(board.neighborhood(point), self.now.far[point]);
            self.reshape_around(gammas, board, point);
        }
    }

    #[inline(always)]
    fn renew_tactics(&mut self, gammas: &Gammas, board: &Board, point: Point) {
        let (before, sides) = (self.now.sides[point], self.sides_now(board, point));
        if sides != before || gammas.of_sides(sides).is_open {
            self.captures -= gammas.of_sides(before).captures;
            self.judge(gammas, board, point, sides);
        }
    }

    #[inline(always)]
    fn sides_now(&self, board: &Board, point: Point) -> Sides {
        Sides::new(self.empty.sides[point], board, point, |chain| self.classes[chain])
    }

    /// The tactics of a point with these sides.
    #[inline(always)]
    fn judge(&mut self, gammas: &Gammas, board: &Board, point: Point, sides: Sides) {
        let found = gammas.of_sides(sides);
        let tactics = if found.is_open { look_closer(gammas, sides, board, point) } else { found.gammas };
        self.captures += found.captures;
        self.now.sides[point] = sides;
        self.now.tactics[point] = tactics;
        self.multiply(point, tactics);
    }

    /// A stone comes to a point.
    #[inline(always)]
    fn close(&mut self, gammas: &Gammas, point: Point) {
        self.captures -= gammas.of_sides(self.now.sides[point]).captures;
        self.now.sides[point] = Sides::CLOSED;
        self.now.tactics[point] = [0.0; 2];
        self.multiply(point, [0.0; 2]);
    }

    #[inline(always)]
    fn multiply(&mut self, point: Point, tactics: [f32; 2]) {
        let shapes = self.now.shapes[point];
        self.now.rates[0][point] = shapes[0] * tactics[0];
        self.now.rates[1][point] = shapes[1] * tactics[1];
    }

    /// All that the table says, for comparing tables.
    #[cfg(test)]
    pub(super) fn snapshot(&self) -> impl PartialEq + std::fmt::Debug {
        let bits = |player: usize| {
            let rates = self.points.iter().map(move |&point| self.now.rates[player][point].to_bits());
            rates.collect::<Vec<u32>>()
        };
        let sides: Vec<Sides> = self.points.iter().map(|&point| self.now.sides[point]).collect();
        (bits(0), bits(1), sides, self.captures)
    }
}

/// The gammas of tactics where the sides do not tell all.
#[inline(never)]
fn look_closer(gammas: &Gammas, sides: Sides, board: &Board, point: Point) -> [f32; 2] {
    let kind = KINDS.of(sides);
    let [black, white] = [Color::Black, Color::White];
    [
        gammas.of_tactics(kind.tactics(board, point, black)),
        gammas.of_tactics(kind.tactics(board, point, white)),
    ]
}

impl Known for Rates {
    fn tactics(&self, board: &Board, point: Point, player: Color) -> Tactics {
        KINDS.of(self.now.sides[point]).tactics(board, point, player)
    }

    #[inline(always)]
    fn can_capture(&self, player: Color) -> bool {
        (self.captures >> (16 * player.index())) as u16 > 0
    }
}
