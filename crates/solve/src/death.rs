//! A death that shows without search.
//!
//! Where an attacker's stone is joined to stones that cannot be captured, the attacker can play at any time and lose nothing,
//! and no eye closes beside such stones. If that leaves the defender room for one eye at most, the target is dead whoever moves: the attacker fills
//! everything else, then the eye. To find that by search takes a line as long as the target has liberties, again and again.

use crate::arena::{Arena, Bits, members};
use crate::position::Position;
use crate::side::Side;
use crate::zone::around;

/// Whether the target, one chain, is dead whoever moves. Whatever else stands in the region may come off the board, so all of it counts as room.
pub(crate) fn target_dies(arena: &Arena, position: &Position) -> bool {
    let Some(target) = position.only_target(arena) else { return false };
    if arena.anchored(Side::Defender) != 0 {
        return false;
    }
    let attackers = position.stones(Side::Attacker);
    let mut safe: Bits = 0;
    let mut left = attackers & arena.anchored(Side::Attacker);
    while left != 0 {
        let (chain, _) = arena.flood(left.trailing_zeros() as usize, attackers);
        left &= !chain;
        safe |= chain;
    }
    let room = arena.all() & !(target.stones | safe | around(arena, safe) | arena.anchored(Side::Attacker));
    is_one_eye(arena, room, attackers)
}

/// Whether a room is good for one eye at most, whoever moves.
fn is_one_eye(arena: &Arena, room: Bits, attackers: Bits) -> bool {
    let neighbors = |at: usize| (arena.beside(at) & room).count_ones();
    match room.count_ones() {
        0 | 1 => true,
        2 => members(room).all(|at| neighbors(at) == 1),
        // Three in a row, and the attacker holds the middle.
        3 => members(room & attackers).any(|at| neighbors(at) == 2),
        _ => false,
    }
}
