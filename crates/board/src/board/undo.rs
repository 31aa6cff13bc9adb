//! Moves that can be taken back, for reading that plays a few moves and returns.
//!
//! A copy of a board costs as much as ten moves or more. Reading that tries many short lines therefore plays on one board and
//! undoes. What a move changes is known from its surroundings before it is made, so the move itself is
//! [`Board::play_unchecked`], which pays nothing for this.

use super::{Board, Ko};
use crate::color::{Cell, Color};
use crate::point::{Point, Size};
use crate::zobrist::stone_key;
use arrayvec::ArrayVec;

/// What is needed to take back the moves made with it, the last one first.
#[derive(Clone, Debug, Default)]
pub struct UndoLog {
    moves: Vec<Undo>,
    /// The liberties, as words, that the chains in `joined` had before each move.
    words: Vec<u64>,
}

#[derive(Clone, Debug)]
struct Undo {
    size: Size,
    at: Point,
    color: Color,
    ko: Option<Ko>,
    /// Where the point was in the list of empty points.
    hole: u16,
    /// What is kept of a stone captured here before: the stone after it, and the size of the chain if it is named after it.
    remains: [u16; 2],
    /// The own chains beside the move as they were, in the order in which it joins them.
    joined: ArrayVec<Joined, 4>,
    /// Slots of the chains that it captures.
    captured: ArrayVec<u16, 4>,
}

#[derive(Clone, Copy, Debug)]
struct Joined {
    slot: u16,
    size: u16,
    liberty_count: u16,
}

impl UndoLog {
    /// A log without moves.
    pub fn new() -> UndoLog {
        UndoLog::default()
    }

    /// Number of moves that can be taken back.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether there is no move to take back.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Forgets all moves, which then stay.
    pub fn clear(&mut self) {
        self.moves.clear();
        self.words.clear();
    }
}

impl Board {
    /// Plays a legal move that is no suicide, so that [`Board::undo`] can take it back.
    ///
    /// Contract: as for [`Board::play_unchecked`]; and until the log is used up or cleared, the stones of the board are changed by
    /// these two alone. Does not allocate once the log has been as long before.
    #[inline]
    pub fn play_recorded(&mut self, point: Point, color: Color, log: &mut UndoLog) {
        debug_assert!(!self.is_suicide(point, color), "{point:?} is suicide");
        let mut joined: ArrayVec<Joined, 4> = ArrayVec::new();
        let mut captured: ArrayVec<u16, 4> = ArrayVec::new();
        for side in self.side_indices(point.index()) {
            let (cell, name) = (self.cells.at(side), self.chain.at(side));
            let slot = usize::from(name);
            if cell == color.cell() {
                if !joined.iter().any(|chain| chain.slot == name) {
                    let (size, liberty_count) = (self.chain_size.at(slot), self.liberty_count.at(slot));
                    joined.push(Joined { slot: name, size, liberty_count });
                    log.words.extend_from_slice(self.liberties.words_of(slot));
                }
            } else if cell == (!color).cell() && self.liberty_count.at(slot) == 1 && !captured.contains(&name)
            {
                captured.push(name);
            }
        }
        let at = point.index();
        let remains = [self.next.at(at), self.chain_size.at(at)];
        let (ko, hole) = (self.ko, self.empty_index.at(at));
        log.moves.push(Undo { size: self.size, at: point, color, ko, hole, remains, joined, captured });
        self.play_unchecked(point, color);
    }

    /// Takes back the last move of the log; returns whether there was one.
    ///
    /// # Panics
    /// If it can be seen that the move was not made on this board, or that it was a suicide. What cannot be seen leaves the board in
    /// a useless state.
    #[inline]
    pub fn undo(&mut self, log: &mut UndoLog) -> bool {
        let Some(undo) = log.moves.pop() else { return false };
        let (at, color) = (undo.at.index(), undo.color);
        // Unchecked indexing relies on both: only own points are ever emptied, and liberties are points.
        assert!(
            self.cells.at(at) == color.cell() && self.size == undo.size,
            "no such move was made on this board"
        );
        for &slot in &undo.captured {
            self.return_chain(usize::from(slot), !color);
        }
        for side in self.side_indices(at) {
            if self.cells.at(side) == (!color).cell() {
                self.add_liberty(usize::from(self.chain.at(side)), at);
            }
        }
        self.lift_stone(at, color, usize::from(undo.hole));
        self.part(at, &undo.joined);
        let words_per_set = self.liberties.words_per_set();
        for chain in undo.joined.iter().rev() {
            let rest = log.words.len() - words_per_set;
            self.liberties.restore(usize::from(chain.slot), &log.words[rest..]);
            log.words.truncate(rest);
        }
        if undo.joined.is_empty() {
            // What a captured chain of this name had left.
            *self.liberty_count.at_mut(at) = 0;
            self.liberties.clear(at);
        }
        *self.chain.at_mut(at) = 0;
        [*self.next.at_mut(at), *self.chain_size.at_mut(at)] = undo.remains;
        self.ko = undo.ko;
        true
    }

    /// Puts a captured chain of `color` back.
    fn return_chain(&mut self, slot: usize, color: Color) {
        let mut stone = slot;
        loop {
            assert!(self.cells.at(stone) == Cell::Empty, "no such chain was captured on this board");
            *self.cells.at_mut(stone) = color.cell();
            *self.chain.at_mut(stone) = slot as u16;
            // An empty point belongs to no chain; the stone after it is still known.
            *self.chain.at_mut(stone) = slot as u16;
            self.hash ^= stone_key(color, stone);
            self.toggle_neighborhoods(stone, color.cell());
            for side in self.side_indices(stone) {
                if self.cells.at(side) == (!color).cell() {
                    self.remove_liberty(usize::from(self.chain.at(side)), stone);
                }
            }
            stone = usize::from(self.next.at(stone));
            if stone == slot {
                break;
            }
        }
        let size = self.chain_size.at(slot);
        self.stone_count[color.index()] += size;
        self.prisoners[(!color).index()] -= u32::from(size);
        // The captured stones are the last empty points.
        self.empty_count -= usize::from(size);
    }

    /// The reverse of `put_stone`; `hole` is where the point was in the list of empty points.
    #[inline(always)]
    fn lift_stone(&mut self, at: usize, color: Color, hole: usize) {
        *self.cells.at_mut(at) = Cell::Empty;
        self.hash ^= stone_key(color, at);
        self.stone_count[color.index()] -= 1;
        self.toggle_neighborhoods(at, color.cell());
        if hole < self.empty_count {
            let moved = self.empties[hole];
            self.empties[self.empty_count] = moved;
            self.empty_index[moved] = self.empty_count as u16;
        }
        self.empties[hole] = Point::from_index(at);
        *self.empty_index.at_mut(at) = hole as u16;
        self.empty_count += 1;
    }

    /// Takes the stone at `at` out of its chain and makes that the chains again which it joined; their liberties are left to the caller.
    #[inline(always)]
    fn part(&mut self, at: usize, joined: &[Joined]) {
        let Some((first, others)) = joined.split_first() else { return };
        // As `join` chose: the longer chain kept its slot.
        let mut steps: ArrayVec<(usize, usize), 3> = ArrayVec::new();
        let (mut slot, mut size) = (usize::from(first.slot), first.size);
        for chain in others {
            let other = usize::from(chain.slot);
            let (kept, gone) = if size >= chain.size { (slot, other) } else { (other, slot) };
            steps.push((kept, gone));
            slot = kept;
            size += chain.size;
        }
        *self.next.at_mut(slot) = self.next.at(at);
        for &(kept, gone) in steps.iter().rev() {
            let after_kept = self.next.at(kept);
            *self.next.at_mut(kept) = self.next.at(gone);
            *self.next.at_mut(gone) = after_kept;
            let mut stone = gone;
            loop {
                *self.chain.at_mut(stone) = gone as u16;
                stone = usize::from(self.next.at(stone));
                if stone == gone {
                    break;
                }
            }
        }
        for chain in joined {
            let slot = usize::from(chain.slot);
            *self.chain_size.at_mut(slot) = chain.size;
            *self.liberty_count.at_mut(slot) = chain.liberty_count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Suicide;
    use crate::testing::{Rng, random_board};

    /// All that can be asked of a board, as text, and its points in order.
    fn everything(board: &Board) -> (String, Vec<Point>, u64, Vec<u64>) {
        let mut numbers = Vec::new();
        for color in Color::BOTH {
            numbers.push(board.stone_count(color) as u64);
            numbers.push(u64::from(board.prisoners(color)));
            numbers.push(board.ko_point(color).map_or(0, |point| point.index() as u64));
        }
        for point in board.size().points() {
            numbers.push(u64::from(board.neighborhood(point).0));
            if !board.is_empty(point) {
                let chain = board.chain_at(point);
                numbers.extend([board.chain_size(chain) as u64, board.liberty_count(chain) as u64]);
                numbers.extend(board.liberty_words(chain));
                numbers.extend(board.stones(chain).map(|stone| stone.index() as u64));
            }
        }
        (board.to_string(), board.empties().to_vec(), board.hash(), numbers)
    }

    #[test]
    fn moves_taken_back_leave_no_trace() {
        let mut rng = Rng::new(11);
        let mut log = UndoLog::new();
        let (mut captures, mut joins, mut kos) = (0, 0, 0);
        for _ in 0..400 {
            let mut board = random_board(&mut rng, Suicide::Forbidden);
            let mut before = Vec::new();
            for _ in 0..rng.below(30) {
                let color = Color::BOTH[rng.below(2)];
                let legal = |&&point: &&Point| board.legality(point, color, Suicide::Forbidden).is_ok();
                let legal: Vec<Point> = board.empties().iter().filter(legal).copied().collect();
                if legal.is_empty() {
                    break;
                }
                let point = legal[rng.below(legal.len())];
                before.push(everything(&board));
                let mut copy = board.clone();
                copy.play_unchecked(point, color);
                joins += usize::from(board.chains_beside(point, color).len() > 1);
                captures += usize::from(copy.stone_count(!color) < board.stone_count(!color));
                kos += usize::from(copy.ko_point(!color).is_some());
                board.play_recorded(point, color, &mut log);
                assert!(everything(&board) == everything(&copy), "{board}");
            }
            assert_eq!(log.len(), before.len());
            while let Some(expected) = before.pop() {
                assert!(board.undo(&mut log));
                assert!(everything(&board) == expected, "{board}");
            }
            assert!(!board.undo(&mut log) && log.is_empty() && log.words.is_empty());
        }
        assert!(captures > 100 && joins > 300 && kos > 20, "{captures} captures, {joins} joins, {kos} kos");
    }
}
