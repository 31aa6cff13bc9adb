//! Unconditional life inside a region, by bits, and what the attacker has to do about it.
//!
//! Benson's algorithm as in `tesuji_board::UnconditionalLife`, for the defender alone and only as far as the target needs
//! it. Passes and kos cannot change it: the defender never needs to move. What is outside the region counts as it does in the problem game: a chain joined to the outside lives, and an
//! eye space that touches something outside that is not the defender's is no eye.

use crate::arena::{Arena, Bits, Group, bit, members};
use crate::position::Position;
use crate::side::Side;
use crate::zone::{around, seal};
use arrayvec::ArrayVec;

/// More chains or eye spaces than this are not looked at, which can only miss a life.
const MAX_PARTS: usize = 32;

/// Whether a stone of the target cannot be captured even if the defender always passes.
pub(crate) fn target_lives(arena: &Arena, position: &Position) -> bool {
    Life::of(arena, position).is_some()
}

/// The zone of the proof that a stone of the target cannot be captured even if the defender always passes, given all chains of the
/// defender and all spaces that they close.
pub(crate) fn zone_of_life(position: &Position, chains: &mut Chains, spaces: &mut Spaces) -> Option<Bits> {
    Life::find(position, chains, spaces).map(|life| life.eyes | life.stones)
}

/// Points of which the attacker, to move, has to take one: after any other move, or a pass, the defender makes the target
/// unconditionally alive at once. No move of the attacker bans the defender from that: a ban lies where a stone was just captured, and these points were empty. All empty points if there is no such threat. And the zone of the proof that other points are too late.
pub(crate) fn must_play(arena: &Arena, position: &Position) -> (Bits, Bits) {
    let passed = position.pass();
    let empty = position.empty(arena);
    let (mut points, mut zone) = (empty, 0);
    for at in members(empty) {
        let Some(next) = passed.play(arena, at) else { continue };
        let Some(life) = Life::of(arena, &next) else { continue };
        let captured = position.stones(Side::Attacker) & !next.stones(Side::Attacker);
        let preventing = life.eyes | bit(at) | last_liberties_around(arena, position, captured);
        if points & !preventing != 0 {
            points &= preventing;
            let proof = seal(arena, &next, Side::Defender, life.eyes | life.stones | bit(at));
            zone |= proof | captured | around(arena, captured);
        }
        if points == 0 {
            break;
        }
    }
    (points, zone)
}

/// Where the attacker could save the stones that the defender is about to capture, by capturing around them.
fn last_liberties_around(arena: &Arena, position: &Position, captured: Bits) -> Bits {
    if captured == 0 {
        return 0;
    }
    let own = position.stones(Side::Defender);
    let empty = position.empty(arena);
    let mut left = around(arena, captured) & own;
    let mut points = 0;
    while left != 0 {
        let group = arena.group(left.trailing_zeros() as usize, own, empty);
        left &= !group.stones;
        if group.liberties.is_power_of_two() {
            points |= group.liberties;
        }
    }
    points
}

/// A proof that the target is alive.
struct Life {
    /// The eyes that the proof needs: as long as the attacker plays elsewhere it stands.
    eyes: Bits,
    /// The chains around them, the target among them.
    stones: Bits,
}

/// A chain of the defender.
pub(crate) struct Chain {
    pub(crate) group: Group,
    is_anchored: bool,
    is_alive: bool,
}

impl Chain {
    pub(crate) fn new(arena: &Arena, group: Group) -> Chain {
        let is_anchored = group.stones & arena.anchored(Side::Defender) != 0;
        Chain { group, is_anchored, is_alive: true }
    }
}

/// A part of the region without a stone of the defender that touches nothing else outside.
#[derive(Clone, Copy)]
pub(crate) struct Space {
    pub(crate) points: Bits,
    empty: Bits,
    /// The defender's stones around it.
    border: Bits,
    is_enclosed: bool,
}

impl Space {
    fn is_vital_to(&self, chain: &Chain) -> bool {
        self.is_enclosed && self.empty & !chain.group.liberties == 0
    }
}

pub(crate) type Chains = ArrayVec<Chain, MAX_PARTS>;
pub(crate) type Spaces = ArrayVec<Space, MAX_PARTS>;

impl Life {
    fn of(arena: &Arena, position: &Position) -> Option<Life> {
        let own = position.stones(Side::Defender);
        let mut spaces = Spaces::new();
        find_spaces(arena, position, &mut spaces);
        if spaces.len() < 2 && own & arena.anchored(Side::Defender) == 0 {
            return None;
        }
        let empty = position.empty(arena);
        let mut chains = Chains::new();
        let mut left = own;
        while left != 0 {
            let group = arena.group(left.trailing_zeros() as usize, own, empty);
            left &= !group.stones;
            chains.try_push(Chain::new(arena, group)).ok()?;
        }
        Life::find(position, &mut chains, &mut spaces)
    }

    fn find(position: &Position, chains: &mut Chains, spaces: &mut Spaces) -> Option<Life> {
        let is_target = |chain: &&Chain| chain.group.stones & position.targets() != 0;
        if let Some(chain) = chains.iter().filter(is_target).find(|chain| chain.is_anchored) {
            return Some(Life { eyes: 0, stones: chain.group.stones });
        }
        if spaces.len() < 2 && !chains.iter().any(|chain| chain.is_anchored) {
            return None;
        }
        strike_out(chains, spaces);
        let target = chains.iter().filter(is_target).find(|chain| chain.is_alive)?;
        Some(needed_eyes(target, chains, spaces))
    }
}

/// Strikes out chains without two vital spaces and the spaces beside them, until nothing changes.
fn strike_out(chains: &mut Chains, spaces: &mut Spaces) {
    loop {
        let mut dead: Bits = 0;
        for chain in chains.iter_mut().filter(|chain| chain.is_alive && !chain.is_anchored) {
            if spaces.iter().filter(|space| space.is_vital_to(chain)).count() < 2 {
                chain.is_alive = false;
                dead |= chain.group.stones;
            }
        }
        if dead == 0 {
            return;
        }
        for space in spaces.iter_mut().filter(|space| space.border & dead != 0) {
            space.is_enclosed = false;
        }
    }
}

/// Two eyes of the target, and of all chains around these eyes, and so on: the smallest ones.
fn needed_eyes(target: &Chain, chains: &Chains, spaces: &mut Spaces) -> Life {
    spaces.sort_by_key(|space| space.empty.count_ones());
    let (mut eyes, mut needed, mut done) = (0, target.group.stones, 0);
    while needed & !done != 0 {
        let open = needed & !done;
        let Some(chain) = chains.iter().find(|chain| chain.group.stones & open != 0) else { break };
        done |= chain.group.stones;
        if chain.is_anchored {
            continue;
        }
        for space in spaces.iter().filter(|space| space.is_vital_to(chain)).take(2) {
            eyes |= space.points;
            needed |= space.border;
        }
    }
    Life { eyes, stones: done }
}

/// Finds all spaces, as far as there is room for them.
pub(crate) fn find_spaces(arena: &Arena, position: &Position, spaces: &mut Spaces) {
    let (own, empty) = (position.stones(Side::Defender), position.empty(arena));
    spaces.clear();
    let other_points = arena.all() & !own;
    let mut left = other_points;
    while left != 0 && !spaces.is_full() {
        let (points, reached) = arena.flood(left.trailing_zeros() as usize, other_points);
        left &= !points;
        if points & arena.open() == 0 {
            spaces.push(Space { points, empty: points & empty, border: reached & own, is_enclosed: true });
        }
    }
}
