//! A death that shows without search.
//!
//! Where an attacker's stone is joined to stones that cannot be captured, the attacker can play at any time and lose nothing,
//! and no eye closes beside such stones. If that leaves the defender room for one eye at most, the target is dead whoever moves: the attacker fills
//! everything else, then the eye. A ko in that room does not help: the attacker who is banned has something else to fill or passes, and the target does
//! not get a second eye by it. To find that by search takes a line as long as the target has liberties, again and again.
//!
//! *Several chains.* The target is dead when all its chains are, and what one leaves behind may be room for the others. Points beside safe stones never are; call
//! the rest *inner* points. A chain without inner stones leaves no room. So all are dead
//! - if one chain at most has inner stones, and the inner points without a stone of the target are none, or one or two neighbours, and it touches these, be they empty or the attacker's:
//!   the attacker fills its liberties last, and every other chain has fallen before or falls with it;
//! - if these points are one or two neighbours, empty, and liberties of every chain with inner stones: none of these chains can be captured before the attacker has filled everything
//!   else, which leaves one eye for all together. A defender who plays there joins them all, which is the first case.
//!
//! A defender who captures stones of the attacker in the eye comes to the second case with one chain, or has an eye of one point. Every other stone of the attacker is safe, and so is every one that is
//! added, so that this comes to an end. It holds however many moves the defender makes in a row; so parts of the region that are dead in this way are dead together.

use crate::arena::{Arena, Bits, Group, members};
use crate::position::Position;
use crate::side::Side;
use crate::survey::Survey;
use crate::zone::around;

/// The zone of the proof that the target is dead whoever moves.
pub(crate) fn zone_of_death(arena: &Arena, position: &Position, survey: &Survey) -> Option<Bits> {
    match survey.target {
        Some(target) => zone_of_one(arena, position, survey, &target),
        None => zone_of_several(arena, position, survey),
    }
}

/// The same for a target of one chain. Whatever else stands in the region may come off the board, so all of it counts as room, as far as safe
/// stones do not keep it from the target.
fn zone_of_one(arena: &Arena, position: &Position, survey: &Survey, target: &Group) -> Option<Bits> {
    if has_room(arena, survey, target.liberties) {
        return None;
    }
    let attackers = position.stones(Side::Attacker);
    let (reached, beside) = arena.flood(target.stones.trailing_zeros() as usize, arena.all() & !survey.safe);
    if reached & arena.anchored(Side::Defender) != 0 {
        return None;
    }
    let room = reached & !(target.stones | survey.beside_safe | arena.anchored(Side::Attacker));
    is_one_eye(arena, room, attackers).then(|| reached | chains_of(arena, beside & survey.safe, attackers))
}

/// The same for a target of several chains.
fn zone_of_several(arena: &Arena, position: &Position, survey: &Survey) -> Option<Bits> {
    if !survey.has_all_chains {
        return None;
    }
    let targets = || {
        survey.chains.iter().map(|chain| chain.group).filter(|group| group.stones & position.targets() != 0)
    };
    if has_room(arena, survey, targets().fold(0, |all, group| all | group.liberties)) {
        return None;
    }
    let (mut reached, mut beside) = (0, 0);
    let mut left = position.targets();
    while left != 0 {
        let (part, next_to_it) = arena.flood(left.trailing_zeros() as usize, arena.all() & !survey.safe);
        left &= !part;
        reached |= part;
        beside |= next_to_it;
    }
    if reached & arena.anchored(Side::Defender) != 0 {
        return None;
    }
    let inner = reached & !(survey.beside_safe | arena.anchored(Side::Attacker));
    let room = targets().fold(inner, |room, group| room & !group.stones);
    let mut inside = targets().filter(|group| group.stones & inner != 0);
    let empty = position.empty(arena);
    let is_dead = if !is_one_eye(arena, room, 0) || room & position.stones(Side::Defender) != 0 {
        false
    } else if room != 0 && room & !empty == 0 {
        inside.all(|group| room & !group.liberties == 0)
    } else {
        inside.next().is_none_or(|group| room & !around(arena, group.stones) == 0) && inside.next().is_none()
    };
    is_dead.then(|| reached | chains_of(arena, beside & survey.safe, position.stones(Side::Attacker)))
}

/// Whether the empty liberties of the target alone show more room than one eye takes, which is quick to see.
fn has_room(arena: &Arena, survey: &Survey, liberties: Bits) -> bool {
    (liberties & !(survey.beside_safe | arena.anchored(Side::Attacker))).count_ones() > 2
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Threats;
    use crate::read_diagram;
    use crate::solver::root_position;

    fn is_dead(diagram: &str) -> bool {
        let diagram = format!("{diagram}\nto play: O\ngoal: live");
        let problem = read_diagram(&diagram).unwrap().draft.complete().unwrap().problem;
        let arena = Arena::new(&problem);
        let position = root_position(&arena, &problem, [Threats::NONE; 2]);
        let mut survey = Survey::new();
        survey.take(&arena, &position);
        assert!(survey.target.is_none(), "the target is one chain");
        zone_of_death(&arena, &position, &survey).is_some()
    }

    #[test]
    fn several_chains_with_one_eye_are_dead() {
        // E4 can be cut off, and leaves nothing that could become an eye.
        assert!(is_dead(".@@.@X\n@@@XXX\nXXXX..\n......"));
        // Three chains share the eye.
        assert!(is_dead("X@.@X\nXX@XX\nXXXXX\n....."));
        // The attacker's stone in the eye may come off the board, which leaves an eye of two points.
        assert!(is_dead("X.@@.@X\n@@@XXXX\nXXXX...\n......."));
    }

    #[test]
    fn what_a_chain_leaves_behind_may_be_an_eye() {
        // Where E4 to G3 were captured there would be room beside the eye at A4.
        assert!(!is_dead(".@@.@@@X\n@@@X@@@X\nXXXXXXXX\n........"));
        // Two eyes.
        assert!(!is_dead(".@@.@.@X\n@@@@X@@X\nXXXXXXXX\n........"));
    }
}
