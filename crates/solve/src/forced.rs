//! What a position shows without search: that it is decided, or which moves are forced.

use crate::arena::{Arena, Bits, Group, bit, members};
use crate::death::target_dies;
use crate::life::{must_play, zone_of_life};
use crate::position::Position;
use crate::side::Side;
use crate::table::Numbers;
use crate::zone::{around, capture_zone};

/// The result of a position that shows it without search, and the zone of the proof.
pub(crate) fn end(arena: &Arena, position: &Position) -> Option<(Numbers, Bits)> {
    if position.targets() == 0 {
        return Some((Numbers::won_by(Side::Attacker, position.turn()), 0));
    }
    if position.turn() == Side::Attacker {
        if let Some(target) = position.only_target(arena)
            && target.liberties.is_power_of_two()
            && target.stones & arena.anchored(Side::Defender) == 0
            && position.may_take(target.liberties.trailing_zeros() as usize)
        {
            return Some((Numbers::WON, capture_zone(arena, position, target.stones)));
        }
        if let Some(zone) = zone_of_life(arena, position) {
            return Some((Numbers::LOST, zone));
        }
    }
    target_dies(arena, position).then(|| (Numbers::won_by(Side::Attacker, position.turn()), arena.all()))
}

/// The moves worth looking at: all, unless some are forced or others as good.
#[derive(Clone, Copy)]
pub(crate) struct Actions {
    pub(crate) points: Bits,
    pub(crate) may_pass: bool,
    /// The zone of the proof that moves lose which are not forced.
    pub(crate) zone: Bits,
    pub(crate) idle: Idle,
}

/// Moves that are left out because others are as good.
#[derive(Clone, Copy)]
pub(crate) struct Idle {
    pub(crate) points: Bits,
    /// The zone of the proof of that.
    pub(crate) zone: Bits,
}

impl Idle {
    const NONE: Idle = Idle { points: 0, zone: 0 };
}

impl Actions {
    /// An attacker has to stop the defender from living with the next move. A defender whose whole target is one chain in
    /// atari has to extend it or to capture beside it: after anything else the attacker captures it.
    pub(crate) fn of(arena: &Arena, position: &Position) -> Actions {
        let empty = position.empty(arena);
        let target =
            position.only_target(arena).filter(|target| target.stones & arena.anchored(Side::Defender) == 0);
        if position.turn() == Side::Attacker {
            let (points, zone) = must_play(arena, position);
            let idle = target.map_or(Idle::NONE, |target| idle(arena, position, &target, points));
            return Actions { points: points & !idle.points, may_pass: false, zone, idle };
        }
        let Some(target) = target else {
            return Actions { points: empty, may_pass: true, zone: 0, idle: Idle::NONE };
        };
        if !target.liberties.is_power_of_two() {
            let idle = idle(arena, position, &target, empty);
            return Actions { points: empty & !idle.points, may_pass: true, zone: 0, idle };
        }
        let mut points = target.liberties;
        let attackers = position.stones(Side::Attacker);
        let (_, around) = arena.flood(target.stones.trailing_zeros() as usize, target.stones);
        let mut left = around & attackers;
        while left != 0 {
            let group = arena.group(left.trailing_zeros() as usize, attackers, empty);
            left &= !group.stones;
            if group.liberties.is_power_of_two() && group.stones & arena.anchored(Side::Attacker) == 0 {
                points |= group.liberties;
            }
        }
        let zone = capture_zone(arena, position, target.stones);
        Actions { points, may_pass: false, zone, idle: Idle::NONE }
    }
}

/// Moves at liberties of the target, a single chain, that need not be looked at.
///
/// *Dame* are those that the attacker can use, and only to take them: one is as good as another, for either side, so
/// all are left out but the first. (A pass would not be as good for the defender: dame are moves with which an attacker gets round a ko
/// ban, so that it may be worth filling them.) *Eyes* of one point are of no use to the attacker, and a defender who fills one
/// only takes a liberty from the target; a pass is as good. With the target the game is over, so nothing that comes after its capture
/// makes up for that.
fn idle(arena: &Arena, position: &Position, target: &Group, within: Bits) -> Idle {
    let ends = dead_ends(arena, position, target) & !arena.anchored(Side::Defender) & within;
    if ends == 0 {
        return Idle::NONE;
    }
    let is_dame = |at: &usize| {
        arena.beside(*at) & position.stones(Side::Attacker) != 0
            || arena.anchored(Side::Attacker) & bit(*at) != 0
    };
    let dame = members(ends).filter(is_dame).fold(0, |all, at| all | bit(at));
    let eyes = if position.turn() == Side::Defender { ends & !dame } else { 0 };
    let points = eyes | dame & dame.wrapping_sub(1);
    Idle { points, zone: ends | around(arena, ends) | target.stones }
}

/// The liberties of the target with nothing beside them but the target itself and stones that cannot be captured.
fn dead_ends(arena: &Arena, position: &Position, target: &Group) -> Bits {
    let (attackers, empty) = (position.stones(Side::Attacker), position.empty(arena));
    let is_dead_end = |&at: &usize| {
        let others = arena.beside(at) & !target.stones;
        others & !attackers == 0
            && members(others).all(|stone| {
                let (chain, _) = arena.flood(stone, attackers);
                chain & arena.anchored(Side::Attacker) != 0
            })
    };
    let candidates = members(target.liberties).filter(|&at| arena.beside(at) & empty == 0);
    candidates.filter(is_dead_end).fold(0, |all, at| all | bit(at))
}
