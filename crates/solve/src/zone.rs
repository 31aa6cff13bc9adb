//! Relevance zones: how much of a position a proof looks at (C.-C. Shih, T.-R. Wu, T. H. Wei, I.-C. Wu, 2022).
//!
//! A proof that a side wins a position has a *zone*, a set of points with this property: the same side wins every position with the
//! same side to move, the same stones on the zone, the same ban as far as it lies there, and threats as good for the winner, whatever stands
//! elsewhere. So a move of the loser outside the zone of
//! a proof that holds after a pass is refuted without a search, and so are all moves outside it.
//!
//! *Why it holds.* The winner plays inside the zone only, or passes, and takes moves of the loser outside it for passes. That works if nothing
//! outside can change what happens inside, for which a zone is *sealed*: it holds each chain that it touches
//! as a whole, a liberty of each of the loser's, so that the winner captures none by surprise, and two liberties of the winner's,
//! so that none is lost by a stone inside while others outside have filled the rest. Where a stone is captured, the
//! captured chain and all around it belong to the zone, and where a single one is, all that tells whether it is a ko. A point where the loser has
//! no legal move brings all that forbids it.
//!
//! *Passes and bans.* A defender who loses may pass at any time, so some refutation has to hold after a pass. So it is for an attacker
//! with a ban, which a pass or a move outside lifts. An attacker without a ban who plays outside is answered by a pass, after which the
//! attacker has to move in what is, inside the zone, the same position. A ban of the winner that a move outside brings about lies outside,
//! where the winner does not want to play: the stone that was captured there was no part of the zone, which would have held its last liberty.
//! A loser who retakes a ko outside has spent a threat for a pass.
//!
//! A zone that is too large costs time, one that is too small truth. Where a result rests on a repetition the zone is everything; so the moves
//! of a proof with a smaller zone come to an end, however often the loser plays elsewhere, unless that is what the defender wants.

use crate::arena::{Arena, Bits, bit, members};
use crate::forced::Idle;
use crate::position::Position;
use crate::side::Side;

/// The liberties of the winner's chains that a zone holds.
const WINNERS_LIBERTIES: u32 = 2;

/// The liberties of the loser's chains that a zone holds.
const LOSERS_LIBERTIES: u32 = 1;

/// A move of the losing side.
#[derive(Clone, Copy)]
pub(crate) struct Reply {
    /// The point, if it is not a pass.
    pub(crate) at: Option<usize>,
    /// The position after it.
    pub(crate) position: Position,
    /// The zone of the proof that it loses, if there is one.
    pub(crate) zone: Option<Bits>,
}

impl Reply {
    /// The zone of a proof that holds also if the loser passes, or plays anywhere outside it. A move that spends a threat leaves fewer
    /// of them than others do, and proves nothing about these.
    #[inline]
    pub(crate) fn idle_zone(&self, before: &Position) -> Option<Bits> {
        let changed = self.at.map_or(0, bit) | captured(before, &self.position);
        self.zone.filter(|zone| zone & changed == 0 && self.position.has_threats_of(before))
    }

    /// What the zone of the position before must hold because of this move.
    fn zone_before(&self, arena: &Arena, before: &Position) -> Option<Bits> {
        match (self.idle_zone(before), self.at) {
            (None, Some(at)) => Some(self.zone? | touched(arena, before, at, &self.position)),
            _ => self.zone,
        }
    }
}

/// The zone of a position that its winner wins by a move at `at`, or a pass, to a position with this zone.
pub(crate) fn winners_zone(
    arena: &Arena,
    before: &Position,
    at: Option<usize>,
    after: &Position,
    zone: Bits,
) -> Bits {
    let Some(at) = at else { return zone };
    let with_move = seal(arena, after, before.turn(), zone | bit(at));
    seal(arena, before, before.turn(), with_move | touched(arena, before, at, after))
}

/// The zone of a position that the side to move loses, which holds at least `start`: nothing if a move inside it is not yet
/// refuted. Moves that are not among the replies are illegal or idle, or `start` refutes them.
pub(crate) fn losers_zone(
    arena: &Arena,
    position: &Position,
    replies: impl Iterator<Item = Reply> + Clone,
    start: Bits,
    idle: Idle,
) -> Option<Bits> {
    let winner = !position.turn();
    let empty = position.empty(arena);
    let (mut zone, mut seen) = (start, 0);
    loop {
        if zone & idle.points != 0 {
            zone |= idle.zone;
        }
        zone = seal(arena, position, winner, zone);
        let new = zone & empty & !seen;
        if new == 0 {
            return Some(zone);
        }
        seen |= new;
        let mut legal = 0;
        let inside = |reply: &Reply| reply.at.is_some_and(|at| new & bit(at) != 0);
        for reply in replies.clone().filter(inside) {
            legal |= reply.at.map_or(0, bit);
            zone |= reply.zone_before(arena, position)?;
        }
        for at in members(new & !legal) {
            if position.play(arena, at).is_none() {
                zone |= obstacle(arena, position, at);
            }
        }
    }
}

/// The zone of the capture of a chain in atari.
pub(crate) fn capture_zone(arena: &Arena, position: &Position, stones: Bits) -> Bits {
    seal(arena, position, Side::Attacker, stones | around(arena, stones))
}

/// Adds what keeps the stones in a zone from being captured from outside.
pub(crate) fn seal(arena: &Arena, position: &Position, winner: Side, zone: Bits) -> Bits {
    let empty = position.empty(arena);
    let mut sealed = zone;
    for (side, wanted) in [(winner, WINNERS_LIBERTIES), (!winner, LOSERS_LIBERTIES)] {
        let stones = position.stones(side);
        let mut left = zone & stones;
        while left != 0 {
            let group = arena.group(left.trailing_zeros() as usize, stones, empty);
            left &= !group.stones;
            sealed |= group.stones;
            if group.stones & arena.anchored(side) == 0 {
                let missing = wanted.saturating_sub((group.liberties & sealed).count_ones());
                let added = members(group.liberties & !sealed).take(missing as usize);
                sealed |= added.fold(0, |all, at| all | bit(at));
            }
        }
    }
    sealed
}

/// The points beside a set.
pub(crate) fn around(arena: &Arena, set: Bits) -> Bits {
    members(set).fold(0, |all, at| all | arena.beside(at)) & !set
}

/// The stones that the move between two positions captured.
#[inline]
fn captured(before: &Position, after: &Position) -> Bits {
    let other = !before.turn();
    before.stones(other) & !after.stones(other)
}

/// What decides about the captures of a move.
fn touched(arena: &Arena, before: &Position, at: usize, after: &Position) -> Bits {
    let captured = captured(before, after);
    let for_ko = if captured.is_power_of_two() { arena.beside(at) } else { 0 };
    bit(at) | captured | around(arena, captured) | for_ko
}

/// What makes a move of the side to move suicide.
fn obstacle(arena: &Arena, position: &Position, at: usize) -> Bits {
    let own = position.stones(position.turn());
    let (chain, beside) = arena.flood(at, own);
    chain | beside
}
