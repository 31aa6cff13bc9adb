//! What the moves of a node say about the node: its proof numbers, its zone, and which of them need no search.

use crate::advice::Weight;
use crate::arena::{Arena, Bits, bit};
use crate::forced::Actions;
use crate::position::Position;
use crate::side::Side;
use crate::table::{INFINITE, Numbers};
use crate::zone::{Reply, losers_zone, winners_zone};
use std::cmp::Reverse;

/// No dependence on the path.
pub(crate) const NOWHERE: u16 = u16::MAX;

/// A node's view of one of its moves.
#[derive(Clone, Copy)]
pub(crate) struct Child {
    pub(crate) position: Position,
    /// Where the move is, if it is not a pass.
    pub(crate) at: Option<u8>,
    /// Whether the move costs the defender a threat.
    pub(crate) is_paid: bool,
    /// How much more its number counts than it is.
    pub(crate) weight: Weight,
    pub(crate) value: Value,
}

/// What is known of a position.
#[derive(Clone, Copy)]
pub(crate) struct Value {
    pub(crate) numbers: Numbers,
    /// The zone of the proof, if the position is decided.
    pub(crate) zone: Bits,
    /// Depth of the shallowest ancestor on which the result depends, if it rests on a repetition.
    pub(crate) dependence: u16,
}

/// What the children say of their parent, and which of them to search.
pub(crate) struct Summary {
    pub(crate) numbers: Numbers,
    pub(crate) best: usize,
    pub(crate) second_delta: u32,
    /// Number of children that are not yet lost for the parent.
    pub(crate) unsolved: u32,
}

impl Child {
    /// A move of which nothing is known yet.
    pub(crate) fn unknown(position: Position, at: Option<u8>, is_paid: bool) -> Child {
        let numbers = Numbers { phi: 1, delta: 1 };
        let weight = Weight::NONE;
        Child { position, at, is_paid, weight, value: Value { numbers, zone: 0, dependence: NOWHERE } }
    }

    /// Whether the move is known to lose.
    pub(crate) fn is_refuted(&self) -> bool {
        self.value.numbers.phi == 0
    }

    fn reply(&self) -> Reply {
        Reply {
            at: self.at.map(usize::from),
            position: self.position,
            zone: self.is_refuted().then_some(self.value.zone),
        }
    }
}

impl Summary {
    /// Sums up all children of a node; see the module comment of `dfpn.rs`.
    pub(crate) fn of(children: &[Child]) -> Summary {
        let (mut phi, mut second_delta, mut best) = (INFINITE, INFINITE, 0);
        let (mut highest, mut unsolved) = (0, 0);
        for (at, child) in children.iter().enumerate() {
            let numbers = child.value.numbers;
            let delta = child.weight.heavy(numbers.delta);
            if delta < phi {
                (second_delta, phi, best) = (phi, delta, at);
            } else {
                second_delta = second_delta.min(delta);
            }
            if numbers.phi > 0 {
                unsolved += 1;
                highest = highest.max(numbers.phi);
            }
        }
        let delta = if phi == 0 {
            INFINITE
        } else if unsolved == 0 {
            0
        } else {
            (highest + unsolved - 1).min(INFINITE - 1)
        };
        let phi = if delta == 0 { INFINITE } else { phi.min(INFINITE - u32::from(phi > 0)) };
        Summary { numbers: Numbers { phi, delta }, best, second_delta, unsolved }
    }
}

/// Marks the moves as refuted that a refutation of another move shows to be: those outside its zone, if it has nothing to do
/// with that move.
pub(crate) fn prune(arena: &Arena, position: &Position, children: &mut [Child], actions: &Actions) {
    for at in 0..children.len() {
        let child = children[at];
        if child.is_refuted()
            && let Some(zone) = child.reply().idle_zone(position)
        {
            refute_outside(children, zone);
        }
    }
    if position.turn() == Side::Attacker
        && !position.has_ban()
        && children.iter().any(|child| !child.is_refuted())
        && let Some(start) =
            smallest(children.iter().filter(|child| child.is_refuted()).map(|child| child.value.zone))
        && let Some(zone) =
            losers_zone(arena, position, replies(children), start | actions.zone, actions.idle)
    {
        refute_outside(children, zone);
    }
}

fn refute_outside(children: &mut [Child], zone: Bits) {
    for child in children.iter_mut().filter(|child| !child.is_refuted()) {
        if child.at.is_none_or(|at| zone & bit(usize::from(at)) == 0) {
            child.value = Value { numbers: Numbers::WON, zone, dependence: NOWHERE };
        }
    }
}

/// What the result of a decided node rests on: its zone, and the depth of the shallowest ancestor.
pub(crate) fn grounds(
    arena: &Arena,
    position: &Position,
    numbers: Numbers,
    children: &[Child],
    actions: &Actions,
) -> (Bits, u16) {
    let everything = arena.all();
    if numbers.phi == 0 {
        let winning = children.iter().filter(|child| child.value.numbers.delta == 0);
        // One winning move is enough: the one that depends on the least.
        let Some(best) =
            winning.max_by_key(|child| (child.value.dependence, Reverse(child.value.zone.count_ones())))
        else {
            return (everything, NOWHERE);
        };
        let Value { zone, dependence, .. } = best.value;
        if dependence != NOWHERE {
            return (everything, dependence);
        }
        (winners_zone(arena, position, best.at.map(usize::from), &best.position, zone), NOWHERE)
    } else if numbers.delta == 0 {
        match refutation_zone(arena, position, children, actions) {
            Some(zone) if zone != everything => (zone, NOWHERE),
            _ => {
                let dependence = children.iter().map(|child| child.value.dependence).min();
                (everything, dependence.unwrap_or(NOWHERE))
            }
        }
    } else {
        (0, NOWHERE)
    }
}

/// The zone of a position in which all moves are refuted.
fn refutation_zone(
    arena: &Arena,
    position: &Position,
    children: &[Child],
    actions: &Actions,
) -> Option<Bits> {
    let idle = smallest(children.iter().filter_map(|child| child.reply().idle_zone(position)));
    let forced = (actions.zone != 0).then_some(actions.zone);
    let start = match position.turn() {
        // A pass has to be refuted, be it by the capture of a target in atari.
        Side::Defender => idle.or(forced)?,
        Side::Attacker if position.has_ban() => idle.or(forced)?,
        Side::Attacker => {
            let zones = children.iter().map(|child| child.value.zone);
            smallest(zones).or(forced)?
        }
    };
    losers_zone(arena, position, replies(children), start | actions.zone, actions.idle)
}

fn replies(children: &[Child]) -> impl Iterator<Item = Reply> + Clone {
    children.iter().map(Child::reply)
}

fn smallest(zones: impl Iterator<Item = Bits>) -> Option<Bits> {
    zones.min_by_key(|zone| zone.count_ones())
}
