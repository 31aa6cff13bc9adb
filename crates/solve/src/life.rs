//! Unconditional life inside a region, by bits.
//!
//! Benson's algorithm as in `tesuji_board::UnconditionalLife`, for the defender alone and only as far as the target needs
//! it. What is outside the region counts as it does in the problem game: a chain joined to the outside lives, and an
//! eye space that touches something outside that is not the defender's is no eye.

use crate::arena::{Arena, Bits, Group};
use crate::position::Position;
use crate::side::Side;
use arrayvec::ArrayVec;

/// More chains or eye spaces than this are not looked at, which can only miss a life.
const MAX_PARTS: usize = 32;

struct Chain {
    group: Group,
    is_anchored: bool,
    is_alive: bool,
}

struct Space {
    empty: Bits,
    /// The defender's stones around it.
    border: Bits,
    is_enclosed: bool,
}

/// Whether a stone of the target cannot be captured even if the defender always passes.
pub(crate) fn target_lives(arena: &Arena, position: &Position) -> bool {
    let own = position.stones(Side::Defender);
    let anchored = arena.anchored(Side::Defender);
    let empty = position.empty(arena);
    let mut spaces = enclosed_spaces(arena, position);
    if spaces.len() < 2 && own & anchored == 0 {
        return false;
    }
    let mut chains: ArrayVec<Chain, MAX_PARTS> = ArrayVec::new();
    let mut left = own;
    while left != 0 {
        let group = arena.group(left.trailing_zeros() as usize, own, empty);
        left &= !group.stones;
        let is_anchored = group.stones & anchored != 0;
        if is_anchored && group.stones & position.targets() != 0 {
            return true;
        }
        if chains.try_push(Chain { group, is_anchored, is_alive: true }).is_err() {
            return false;
        }
    }
    loop {
        let mut dead: Bits = 0;
        for chain in chains.iter_mut().filter(|chain| chain.is_alive && !chain.is_anchored) {
            let is_vital = |space: &&Space| space.is_enclosed && space.empty & !chain.group.liberties == 0;
            if spaces.iter().filter(is_vital).count() < 2 {
                chain.is_alive = false;
                dead |= chain.group.stones;
            }
        }
        if dead == 0 {
            break;
        }
        for space in spaces.iter_mut().filter(|space| space.border & dead != 0) {
            space.is_enclosed = false;
        }
    }
    chains.iter().any(|chain| chain.is_alive && chain.group.stones & position.targets() != 0)
}

/// The connected parts without a stone of the defender that touch nothing else outside.
fn enclosed_spaces(arena: &Arena, position: &Position) -> ArrayVec<Space, MAX_PARTS> {
    let own = position.stones(Side::Defender);
    let empty = position.empty(arena);
    let other_points = arena.all() & !own;
    let mut spaces = ArrayVec::new();
    let mut left = other_points;
    while left != 0 {
        let (points, reached) = arena.flood(left.trailing_zeros() as usize, other_points);
        left &= !points;
        if points & arena.open() == 0 {
            let space = Space { empty: points & empty, border: reached & own, is_enclosed: true };
            if spaces.try_push(space).is_err() {
                break;
            }
        }
    }
    spaces
}
