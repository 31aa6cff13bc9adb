//! What a position shows without search: that it is decided, or which moves are forced.

use crate::arena::{Arena, Bits};
use crate::life::{must_play, target_lives};
use crate::position::Position;
use crate::side::Side;
use crate::table::Numbers;

/// The result of a position that shows it without search.
pub(crate) fn end(arena: &Arena, position: &Position) -> Option<Numbers> {
    if position.targets() == 0 {
        return Some(Numbers::won_by(Side::Attacker, position.turn()));
    }
    if position.turn() == Side::Attacker {
        if let Some(target) = position.only_target(arena)
            && target.liberties.is_power_of_two()
            && target.stones & arena.anchored(Side::Defender) == 0
            && position.may_take(target.liberties.trailing_zeros() as usize)
        {
            return Some(Numbers::WON);
        }
        if target_lives(arena, position) {
            return Some(Numbers::LOST);
        }
    }
    None
}

/// The moves worth looking at: all, unless some are forced.
#[derive(Clone, Copy)]
pub(crate) struct Actions {
    pub(crate) points: Bits,
    pub(crate) may_pass: bool,
}

impl Actions {
    /// An attacker has to stop the defender from living with the next move. A defender whose whole target is one chain in atari has to extend it or to capture beside it: after anything else the
    /// attacker captures it.
    pub(crate) fn of(arena: &Arena, position: &Position) -> Actions {
        let empty = position.empty(arena);
        if position.turn() == Side::Attacker {
            return Actions { points: must_play(arena, position), may_pass: false };
        }
        let in_atari = position.only_target(arena).filter(|target| {
            target.liberties.is_power_of_two() && target.stones & arena.anchored(Side::Defender) == 0
        });
        let Some(target) = in_atari else {
            return Actions { points: empty, may_pass: true };
        };
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
        Actions { points, may_pass: false }
    }
}
