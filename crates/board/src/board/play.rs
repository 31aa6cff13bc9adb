//! Moves on the board: stones put and taken, chains joined and captured.
//!
//! Whoever keeps knowledge beside the board (rates of moves, features of chains) hands in a [`MoveObserver`] and
//! brings up to date what changed. Without one the compiler leaves all of that out.

use super::{Board, Chain, EMPTIES, IllegalMove, Ko, Suicide};
use crate::color::{Cell, Color};
use crate::point::Point;
use crate::zobrist::stone_key;

/// Hears what a move changes, while it is played.
///
/// The board is in the middle of its move then, so an observer only notes what it is told; the chains that it is told
/// of are valid after the move.
pub trait MoveObserver {
    /// A stone came off the board: captured by the move, or part of a suicide, the new stone included.
    fn stone_removed(&mut self, _point: Point, _color: Color) {}

    /// The liberties of a chain changed, or it is that of the new stone. A chain may be told more than once. A suicide
    /// gives back liberties that it took, so chains around it may be told although nothing changed in the end.
    fn liberties_changed(&mut self, _chain: Chain) {}
}

/// Nobody listens.
impl MoveObserver for () {}

impl Board {
    /// Plays after checking; the board is unchanged on an error.
    pub fn play(&mut self, point: Point, color: Color, suicide: Suicide) -> Result<(), IllegalMove> {
        self.legality(point, color, suicide)?;
        self.play_unchecked(point, color);
        Ok(())
    }

    /// Plays a move that is known to be legal, or a suicide, without looking at ko; never allocates.
    ///
    /// # Panics
    /// If `point` is not an empty point of this board: a stone there would break what unchecked indexing relies on.
    #[inline]
    pub fn play_unchecked(&mut self, point: Point, color: Color) {
        self.play_observed(point, color, &mut ());
    }

    /// As [`Board::play_unchecked`], telling `observer` what changes.
    ///
    /// # Panics
    /// As [`Board::play_unchecked`].
    #[inline]
    pub fn play_observed(&mut self, point: Point, color: Color, observer: &mut impl MoveObserver) {
        if !self.is_empty(point) {
            not_empty(point);
        }
        let at = point.index();
        let (own, other) = (color.cell(), (!color).cell());
        self.ko = None;
        self.put_stone(at, color);
        let [north, west, east, south] = self.side_indices(at);
        // Written out: the compiler does not unroll these loops, and they are the hottest of the program.
        let mut slot = 0;
        self.join_side(north, own, at, &mut slot);
        self.join_side(west, own, at, &mut slot);
        self.join_side(east, own, at, &mut slot);
        self.join_side(south, own, at, &mut slot);
        slot = if slot == 0 { self.found_chain(at) } else { self.extend_chain(slot, at) };
        let mut captured = 0;
        captured += self.meet_side(north, other, at, slot, observer);
        captured += self.meet_side(west, other, at, slot, observer);
        captured += self.meet_side(east, other, at, slot, observer);
        captured += self.meet_side(south, other, at, slot, observer);
        let liberties = self.liberty_count.at(slot);
        if captured > 0 {
            if captured != 1 || liberties != 1 || self.chain_size.at(slot) != 1 {
                self.ko = None;
            }
        } else if liberties == 0 {
            self.remove_chain(slot, color, observer);
            return;
        }
        observer.liberties_changed(Chain(slot as u16));
    }

    /// If `side` is an own stone, joins its chain to those met so far.
    #[inline(always)]
    fn join_side(&mut self, side: usize, own: Cell, at: usize, slot: &mut usize) {
        if self.cells.at(side) == own {
            let chain = usize::from(self.chain.at(side));
            if chain != *slot {
                self.remove_liberty(chain, at);
                *slot = if *slot == 0 { chain } else { self.join(*slot, chain) };
            }
        }
    }

    /// Takes `side` as a liberty if it is empty; takes a liberty from it, or captures it, if it is an opponent's stone.
    /// Returns the number of stones captured.
    #[inline(always)]
    fn meet_side(
        &mut self,
        side: usize,
        other: Cell,
        at: usize,
        slot: usize,
        observer: &mut impl MoveObserver,
    ) -> usize {
        let cell = self.cells.at(side);
        if cell == Cell::Empty {
            self.add_liberty(slot, side);
        } else if cell == other {
            let chain = usize::from(self.chain.at(side));
            if self.remove_liberty(chain, at) == 0 {
                let color = if other == Cell::Black { Color::Black } else { Color::White };
                // Stays only if this was the one stone captured.
                self.ko = Some(Ko { point: Point::from_index(side), banned: color });
                return self.remove_chain(chain, color, observer);
            }
            observer.liberties_changed(Chain(chain as u16));
        }
        0
    }

    /// Puts a set-up stone on an empty point: captures as in play, makes no ko, counts no prisoners.
    ///
    /// # Panics
    /// As [`Board::play_unchecked`].
    pub fn set_up(&mut self, point: Point, color: Color) {
        let prisoners = self.prisoners;
        self.play_unchecked(point, color);
        self.ko = None;
        self.prisoners = prisoners;
    }

    /// Forbids `banned` to retake a ko on `point` with the next move, for positions that come without their history.
    pub fn set_ko(&mut self, point: Point, banned: Color) {
        self.ko = Some(Ko { point, banned });
    }

    /// Sets the numbers of prisoners, Black's first, for a position that came from another.
    pub(crate) fn set_prisoners(&mut self, prisoners: [u32; 2]) {
        self.prisoners = prisoners;
    }

    /// Passing lifts the ban on retaking a ko.
    pub fn pass(&mut self) {
        self.ko = None;
    }

    /// Toggles `cell` at `at` in the codes of the eight neighbours, each of which sees it from the opposite side.
    #[inline(always)]
    pub(super) fn toggle_neighborhoods(&mut self, at: usize, cell: Cell) {
        let (bits, stride) = (cell as u16, self.stride);
        self.neighborhoods.at_mut(at + stride).0 ^= bits;
        self.neighborhoods.at_mut(at + 1).0 ^= bits << 2;
        self.neighborhoods.at_mut(at - 1).0 ^= bits << 4;
        self.neighborhoods.at_mut(at - stride).0 ^= bits << 6;
        self.neighborhoods.at_mut(at + stride + 1).0 ^= bits << 8;
        self.neighborhoods.at_mut(at + stride - 1).0 ^= bits << 10;
        self.neighborhoods.at_mut(at - stride + 1).0 ^= bits << 12;
        self.neighborhoods.at_mut(at - stride - 1).0 ^= bits << 14;
    }

    #[inline(always)]
    fn put_stone(&mut self, at: usize, color: Color) {
        *self.cells.at_mut(at) = color.cell();
        self.hash ^= stone_key(color, at);
        self.stone_count[color.index()] += 1;
        self.toggle_neighborhoods(at, color.cell());
        self.empty_count -= 1;
        let hole = self.empty_index.at(at);
        let last = self.empties[self.empty_count % EMPTIES];
        self.empties[usize::from(hole) % EMPTIES] = last;
        self.empty_index[last] = hole;
    }

    #[inline(always)]
    fn take_stone(&mut self, at: usize, color: Color) {
        *self.cells.at_mut(at) = Cell::Empty;
        *self.chain.at_mut(at) = 0;
        self.hash ^= stone_key(color, at);
        self.stone_count[color.index()] -= 1;
        self.toggle_neighborhoods(at, color.cell());
        self.empties[self.empty_count % EMPTIES] = Point::from_index(at);
        *self.empty_index.at_mut(at) = self.empty_count as u16;
        self.empty_count += 1;
    }

    #[inline(always)]
    fn found_chain(&mut self, at: usize) -> usize {
        *self.chain.at_mut(at) = at as u16;
        *self.next.at_mut(at) = at as u16;
        *self.chain_size.at_mut(at) = 1;
        *self.liberty_count.at_mut(at) = 0;
        self.liberties.clear(at);
        at
    }

    #[inline(always)]
    fn extend_chain(&mut self, slot: usize, at: usize) -> usize {
        *self.chain.at_mut(at) = slot as u16;
        *self.next.at_mut(at) = self.next.at(slot);
        *self.next.at_mut(slot) = at as u16;
        *self.chain_size.at_mut(slot) += 1;
        slot
    }

    /// Joins two chains and returns the slot that survives, that of the longer one.
    #[inline]
    fn join(&mut self, a: usize, b: usize) -> usize {
        let (kept, gone) = if self.chain_size.at(a) >= self.chain_size.at(b) { (a, b) } else { (b, a) };
        *self.chain_size.at_mut(kept) += self.chain_size.at(gone);
        let mut stone = gone;
        loop {
            *self.chain.at_mut(stone) = kept as u16;
            stone = usize::from(self.next.at(stone));
            if stone == gone {
                break;
            }
        }
        let after_kept = self.next.at(kept);
        *self.next.at_mut(kept) = self.next.at(gone);
        *self.next.at_mut(gone) = after_kept;
        let count = self.liberties.unite(kept, gone);
        *self.liberty_count.at_mut(kept) = count as u16;
        kept
    }

    #[inline(always)]
    pub(super) fn add_liberty(&mut self, slot: usize, at: usize) {
        *self.liberty_count.at_mut(slot) += self.liberties.insert(slot, at);
    }

    /// Returns the number of liberties left.
    #[inline(always)]
    pub(super) fn remove_liberty(&mut self, slot: usize, at: usize) -> u16 {
        let removed = self.liberties.remove(slot, at);
        let count = self.liberty_count.at_mut(slot);
        *count -= removed;
        *count
    }

    /// Gives the point just emptied to the chain at `side` if that is an `other` stone.
    #[inline(always)]
    fn give_liberty(&mut self, side: usize, other: Cell, emptied: usize, observer: &mut impl MoveObserver) {
        if self.cells.at(side) == other {
            let chain = self.chain.at(side);
            self.add_liberty(usize::from(chain), emptied);
            observer.liberties_changed(Chain(chain));
        }
    }

    /// Takes a chain of `color` off the board, giving liberties to the chains around it, and returns its size.
    #[inline]
    fn remove_chain(&mut self, slot: usize, color: Color, observer: &mut impl MoveObserver) -> usize {
        let other = (!color).cell();
        let mut stone = slot;
        loop {
            self.take_stone(stone, color);
            observer.stone_removed(Point::from_index(stone), color);
            let [north, west, east, south] = self.side_indices(stone);
            self.give_liberty(north, other, stone, observer);
            self.give_liberty(west, other, stone, observer);
            self.give_liberty(east, other, stone, observer);
            self.give_liberty(south, other, stone, observer);
            stone = usize::from(self.next.at(stone));
            if stone == slot {
                break;
            }
        }
        let size = usize::from(self.chain_size.at(slot));
        self.prisoners[(!color).index()] += size as u32;
        size
    }
}

#[cold]
#[inline(never)]
fn not_empty(point: Point) -> ! {
    panic!("{point:?} is not an empty point of this board");
}
