//! Stones, chains and liberties: the position, without any history.
//!
//! Assumes nothing about whose turn it is: either colour may play at any time. Knows the simple ko
//! rule (the point that may not be retaken at once) and nothing of superko, which needs [`crate::Game`].
//!
//! A chain is named by its *slot*, the index of one of its stones; 0 is no slot. A slot is only used again after that stone is gone,
//! hence after the whole chain is gone, so slots need no allocation. The stones of a chain form a ring through `next`; its
//! liberties are a bit set, which makes joining chains an OR, and adding or removing a liberty twice harmless. The
//! set is exact: one board serves playouts, tactics and feature planes alike, and still plays a
//! random game in fewer instructions than libEGO's pseudo-liberties (docs/experiments/playout-speed.md).

mod chain_map;
mod play;
mod undo;

pub use chain_map::ChainMap;
pub use undo::UndoLog;

pub use play::MoveObserver;

use crate::color::{Cell, Color};
use crate::liberty::{Liberties, LibertySets};
use crate::neighborhood::Neighborhood;
use crate::point::{MAX_AREA, Point, Size};
use crate::point_map::PointMap;
use std::fmt;

/// Room for every point of the largest board.
const EMPTIES: usize = MAX_AREA.next_power_of_two();

/// A position.
pub struct Board {
    size: Size,
    stride: usize,
    hash: u64,
    ko: Option<Ko>,
    stone_count: [u16; 2],
    prisoners: [u32; 2],
    empty_count: usize,
    /// The first `empty_count` entries; a power of two of them, so that a masked index needs no check.
    empties: [Point; EMPTIES],
    empty_index: PointMap<u16>,
    cells: PointMap<Cell>,
    neighborhoods: PointMap<Neighborhood>,
    /// The slot of the stone's chain; 0 without a stone.
    chain: PointMap<u16>,
    next: PointMap<u16>,
    /// By slot.
    chain_size: PointMap<u16>,
    /// By slot.
    liberty_count: PointMap<u16>,
    /// By slot.
    liberties: LibertySets,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ko {
    point: Point,
    banned: Color,
}

/// Why a move cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalMove {
    /// The point is not on this board.
    OffBoard,
    /// There is a stone.
    Occupied,
    /// It would retake a ko at once.
    Ko,
    /// It leaves its own chain without liberties, and the rules forbid that.
    Suicide,
    /// It repeats a whole-board position of the game; only [`crate::Game`] says so.
    Superko,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            IllegalMove::OffBoard => "the point is not on the board",
            IllegalMove::Occupied => "the point is occupied",
            IllegalMove::Ko => "the ko may not be retaken at once",
            IllegalMove::Suicide => "suicide is forbidden",
            IllegalMove::Superko => "the move would repeat an earlier position",
        })
    }
}

impl std::error::Error for IllegalMove {}

/// Whether a move may remove its own chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Suicide {
    /// Never.
    Forbidden,
    /// Always, also of a single stone (which is then a pass in all but name).
    Allowed,
}

impl Board {
    /// An empty board.
    pub fn new(size: Size) -> Board {
        let first = size.points().next().expect("a board has points");
        let mut board = Board {
            size,
            stride: size.stride(),
            hash: 0,
            ko: None,
            stone_count: [0; 2],
            prisoners: [0; 2],
            empty_count: size.area(),
            empties: [first; EMPTIES],
            empty_index: PointMap::filled(0),
            cells: PointMap::filled(Cell::Wall),
            neighborhoods: PointMap::filled(Neighborhood(0)),
            chain: PointMap::filled(0),
            next: PointMap::filled(0),
            chain_size: PointMap::filled(0),
            liberty_count: PointMap::filled(0),
            liberties: LibertySets::new(size),
        };
        for (i, point) in size.points().enumerate() {
            board.cells[point] = Cell::Empty;
            board.empties[i] = point;
            board.empty_index[point] = i as u16;
        }
        for point in size.points() {
            let cells = board.neighbor_indices(point).map(|i| board.cells.at(i));
            board.neighborhoods[point] = Neighborhood::new(cells);
        }
        board
    }

    /// Makes this board equal to `other` without allocating; copies only what the size in use needs.
    pub fn copy_from(&mut self, other: &Board) {
        let limit = other.size.index_limit();
        if self.size != other.size {
            // What lies behind `limit`, and liberty sets of another width, must not be left over.
            *self = Board::new(other.size);
        }
        self.hash = other.hash;
        self.ko = other.ko;
        self.stone_count = other.stone_count;
        self.prisoners = other.prisoners;
        self.empty_count = other.empty_count;
        self.empties[..other.empty_count].copy_from_slice(&other.empties[..other.empty_count]);
        self.empty_index.copy_prefix(&other.empty_index, limit);
        self.cells.copy_prefix(&other.cells, limit);
        self.neighborhoods.copy_prefix(&other.neighborhoods, limit);
        self.chain.copy_prefix(&other.chain, limit);
        self.next.copy_prefix(&other.next, limit);
        self.chain_size.copy_prefix(&other.chain_size, limit);
        self.liberty_count.copy_prefix(&other.liberty_count, limit);
        self.liberties.copy_slots(&other.liberties, other.live_slots());
    }

    /// Width and height.
    #[inline(always)]
    pub fn size(&self) -> Size {
        self.size
    }

    /// What stands on a point.
    #[inline(always)]
    pub fn cell(&self, point: Point) -> Cell {
        self.cells[point]
    }

    /// Whether there is no stone on a point.
    #[inline(always)]
    pub fn is_empty(&self, point: Point) -> bool {
        self.cells[point] == Cell::Empty
    }

    /// The colour of the stone on a point.
    #[inline(always)]
    pub fn color(&self, point: Point) -> Option<Color> {
        self.cells[point].color()
    }

    /// The eight cells around a point.
    #[inline(always)]
    pub fn neighborhood(&self, point: Point) -> Neighborhood {
        self.neighborhoods[point]
    }

    /// The cells two steps to the north, west, east and south of a point.
    #[inline]
    pub(crate) fn cells_two_steps_away(&self, point: Point) -> [Cell; 4] {
        let (at, stride) = (point.index() as isize, self.stride as isize);
        [-stride, -1, 1, stride].map(|step| {
            // Behind a wall may be the other end of the next row, or nothing at all.
            match self.cells.at((at + step) as usize) {
                Cell::Wall => Cell::Wall,
                _ => self.cells.at((at + 2 * step) as usize),
            }
        })
    }

    /// Hash of the stones alone: no ko, no side to move.
    #[inline(always)]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The point where `color` may not play because it would retake a ko at once.
    #[inline(always)]
    pub fn ko_point(&self, color: Color) -> Option<Point> {
        self.ko.filter(|ko| ko.banned == color).map(|ko| ko.point)
    }

    /// Number of stones of a colour.
    #[inline(always)]
    pub fn stone_count(&self, color: Color) -> usize {
        usize::from(self.stone_count[color.index()])
    }

    /// Whether a stone was ever captured; without a capture no position comes back.
    #[inline]
    pub fn has_captures(&self) -> bool {
        self.prisoners != [0; 2]
    }

    /// Number of stones that `color` has captured, own suicides counted for the opponent.
    pub fn prisoners(&self, color: Color) -> u32 {
        self.prisoners[color.index()]
    }

    /// The empty points, in an order that depends on the moves played.
    #[inline(always)]
    pub fn empties(&self) -> &[Point] {
        &self.empties[..self.empty_count]
    }

    /// Entry `i` of [`Board::empties`], which must have it.
    #[inline(always)]
    pub fn empty(&self, i: usize) -> Point {
        debug_assert!(i < self.empty_count);
        self.empties[i % EMPTIES]
    }

    /// Swaps two entries of [`Board::empties`]: lets a random choice set rejected points aside.
    #[inline(always)]
    pub fn swap_empties(&mut self, i: usize, j: usize) {
        debug_assert!(i < self.empty_count && j < self.empty_count);
        let (a, b) = (self.empties[i % EMPTIES], self.empties[j % EMPTIES]);
        self.empties[i % EMPTIES] = b;
        self.empties[j % EMPTIES] = a;
        self.empty_index[b] = i as u16;
        self.empty_index[a] = j as u16;
    }

    /// Names the chain of the stone on `point`: equal for stones of one chain. Without a stone it is a chain of no
    /// stones and no liberties.
    #[inline(always)]
    pub fn chain_at(&self, point: Point) -> Chain {
        Chain(self.chain[point])
    }

    /// The chains of the stones to the north, west, east and south of `point`, as [`Board::chain_at`] gives them: where there is no stone, one of
    /// no stones and no liberties. In the order of the sides in [`Neighborhood`].
    #[inline(always)]
    pub fn chains_on_sides(&self, point: Point) -> [Chain; 4] {
        self.side_indices(point.index()).map(|i| Chain(self.chain.at(i)))
    }

    // A `Chain` may come from an earlier position or another board. What the functions below then answer is of no
    // use, but made of points of this board: slots, rings and liberty sets never hold anything else.

    /// Number of stones of a chain.
    #[inline(always)]
    pub fn chain_size(&self, chain: Chain) -> usize {
        usize::from(self.chain_size.at(usize::from(chain.0)))
    }

    /// Exact number of liberties of a chain.
    #[inline(always)]
    pub fn liberty_count(&self, chain: Chain) -> usize {
        usize::from(self.liberty_count.at(usize::from(chain.0)))
    }

    /// The liberties of a chain.
    #[inline(always)]
    pub fn liberties(&self, chain: Chain) -> Liberties<'_> {
        Liberties::of(self.liberty_words(chain))
    }

    /// The first liberty of a chain that has one.
    #[inline(always)]
    pub fn first_liberty(&self, chain: Chain) -> Option<Point> {
        self.liberties(chain).next()
    }

    /// The liberties of a chain as bits, 64 point indices a word.
    #[inline(always)]
    pub fn liberty_words(&self, chain: Chain) -> &[u64] {
        self.liberties.words_of(usize::from(chain.0))
    }

    /// Whether a point is a liberty of a chain.
    #[inline(always)]
    pub fn is_liberty(&self, chain: Chain, point: Point) -> bool {
        let at = point.index();
        self.liberty_words(chain).get(at / 64).is_some_and(|word| word >> (at % 64) & 1 != 0)
    }

    /// The stones of a chain, starting with an arbitrary one.
    pub fn stones(&self, chain: Chain) -> impl Iterator<Item = Point> + '_ {
        let mut stone = usize::from(chain.0);
        // Counted, not until the ring closes: that of a chain that is gone may lead elsewhere.
        (0..self.chain_size(chain)).map(move |_| {
            let point = Point::from_index(stone);
            stone = usize::from(self.next.at(stone));
            point
        })
    }

    /// One stone of every chain, with its colour.
    pub fn chain_representatives(&self) -> impl Iterator<Item = (Point, Color)> + '_ {
        self.live_slots().filter_map(|slot| Some((Point::from_index(slot), self.cells.at(slot).color()?)))
    }

    /// The up to four points beside `point` that hold `cell`; none for [`Cell::Wall`], which is on no point.
    #[inline(always)]
    pub fn sides(&self, point: Point, cell: Cell) -> impl Iterator<Item = Point> + '_ {
        let wanted = move |&i: &usize| self.cells.at(i) == cell && cell != Cell::Wall;
        self.side_indices(point.index()).into_iter().filter(wanted).map(Point::from_index)
    }

    /// The empty ones of the up to eight points around `point`.
    #[inline(always)]
    pub fn empty_around(&self, point: Point) -> impl Iterator<Item = Point> + '_ {
        let empty = |&i: &usize| self.cells.at(i) == Cell::Empty;
        self.neighbor_indices(point).into_iter().filter(empty).map(Point::from_index)
    }

    /// Whether `color` may play on `point` by the rules of the board alone.
    pub fn legality(&self, point: Point, color: Color, suicide: Suicide) -> Result<(), IllegalMove> {
        if !self.size.contains(point) {
            Err(IllegalMove::OffBoard)
        } else if !self.is_empty(point) {
            Err(IllegalMove::Occupied)
        } else if self.ko_point(color) == Some(point) {
            Err(IllegalMove::Ko)
        } else if suicide == Suicide::Forbidden && self.is_suicide(point, color) {
            Err(IllegalMove::Suicide)
        } else {
            Ok(())
        }
    }

    /// Whether `color` may play on the empty `point`, suicide being forbidden. Made for playouts.
    #[inline(always)]
    pub fn is_legal_no_suicide(&self, point: Point, color: Color) -> bool {
        self.neighborhoods[point].has_empty_side()
            || (self.ko_point(color) != Some(point) && !self.is_suicide(point, color))
    }

    /// Whether a stone of `color` on the empty `point` would leave its own chain without liberties.
    #[inline]
    pub fn is_suicide(&self, point: Point, color: Color) -> bool {
        if self.neighborhoods[point].has_empty_side() {
            return false;
        }
        let own = color.cell();
        !self.side_indices(point.index()).into_iter().any(|i| {
            let cell = self.cells.at(i);
            // A side is own or opponent's or wall here; walls have slot 0, whose count stays 0.
            let count = self.liberty_count.at(usize::from(self.chain.at(i)));
            if cell == own { count > 1 } else { count == 1 }
        })
    }

    fn live_slots(&self) -> impl Iterator<Item = usize> + '_ {
        let stones = self.stone_count[0] + self.stone_count[1];
        let limit = if stones == 0 { 1 } else { self.size.index_limit() };
        (1..limit).filter(|&i| usize::from(self.chain.at(i)) == i)
    }

    #[inline(always)]
    fn side_indices(&self, at: usize) -> [usize; 4] {
        [at - self.stride, at - 1, at + 1, at + self.stride]
    }

    /// In the order of [`Neighborhood::STEPS`].
    #[inline(always)]
    fn neighbor_indices(&self, point: Point) -> [usize; 8] {
        let (at, stride) = (point.index(), self.stride);
        let [n, w, e, s] = self.side_indices(at);
        [n, w, e, s, at - stride - 1, at - stride + 1, at + stride - 1, at + stride + 1]
    }
}

impl Clone for Board {
    fn clone(&self) -> Board {
        let mut board = Board::new(self.size);
        board.copy_from(self);
        board
    }

    fn clone_from(&mut self, other: &Board) {
        self.copy_from(other);
    }
}

/// Names a chain of a board until the next move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chain(u16);

impl Chain {
    /// One of its stones, different for different chains: an index for values kept per chain.
    ///
    /// # Panics
    /// If the chain has none, because it is that of an empty point.
    #[inline(always)]
    pub fn stone(self) -> Point {
        assert!(self.0 != 0, "a chain without stones: that of an empty point");
        Point::from_index(usize::from(self.0))
    }
}
