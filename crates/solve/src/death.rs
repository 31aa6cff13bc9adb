//! A death that shows without search.
//!
//! Where an attacker's stone is joined to stones that cannot be captured, the attacker can play at any time and lose nothing,
//! and no eye closes beside such stones. If that leaves the defender room for one eye at most, the target is dead whoever moves: the attacker fills
//! everything else, then the eye. A ko in that room does not help: the attacker who is banned has something else to fill or passes, and the target does
//! not get a second eye by it. To find that by search takes a line as long as the target has liberties, again and again.

use crate::arena::{Arena, Bits, members};
use crate::position::Position;
use crate::side::Side;
use crate::survey::Survey;

/// The zone of the proof that the target, one chain, is dead whoever moves. Whatever else stands in the region may come off the board, so all
/// of it counts as room, as far as safe stones do not keep it from the target.
pub(crate) fn zone_of_death(arena: &Arena, position: &Position, survey: &Survey) -> Option<Bits> {
    let target = survey.target?;
    let attackers = position.stones(Side::Attacker);
    let (reached, beside) = arena.flood(target.stones.trailing_zeros() as usize, arena.all() & !survey.safe);
    if reached & arena.anchored(Side::Defender) != 0 {
        return None;
    }
    let room = reached & !(target.stones | survey.beside_safe | arena.anchored(Side::Attacker));
    is_one_eye(arena, room, attackers).then(|| reached | chains_of(arena, beside & survey.safe, attackers))
}

/// The chains that hold these stones.
fn chains_of(arena: &Arena, stones: Bits, own: Bits) -> Bits {
    let (mut chains, mut left) = (0, stones);
    while left != 0 {
        let (chain, _) = arena.flood(left.trailing_zeros() as usize, own);
        left &= !chain;
        chains |= chain;
    }
    chains
}

/// The attacker's stones that are joined to something outside that they cannot lose.
pub(crate) fn safe_stones(arena: &Arena, attackers: Bits) -> Bits {
    chains_of(arena, attackers & arena.anchored(Side::Attacker), attackers)
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
