//! A position of the problem game: stones in the region, the side to move, the ko ban and the threats left.

use crate::arena::{Arena, Bits, Group, bit, members};
use crate::problem::Threats;
use crate::side::Side;
use std::fmt;

/// No point is banned.
const NO_BAN: u8 = u8::MAX;

/// What a side can do in its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Action {
    /// A stone on the point with this index.
    Play(u8),
    /// A move elsewhere.
    Pass,
}

/// A position; see the rules at the top of `problem.rs`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Position {
    stones: [Bits; 2],
    /// The stones of the target that have never left the board.
    targets: Bits,
    hash: u64,
    to_move: Side,
    /// Where the side to move may not retake a ko without spending a threat.
    banned: u8,
    threats: [Threats; 2],
}

impl Position {
    /// A position with these stones, by side; `banned` is the point of a ko that the side to move may not retake.
    pub(crate) fn new(
        stones: [Bits; 2],
        targets: Bits,
        to_move: Side,
        banned: Option<usize>,
        threats: [Threats; 2],
    ) -> Position {
        let mut position = Position { stones, targets, hash: 0, to_move, banned: NO_BAN, threats };
        for side in [Side::Attacker, Side::Defender] {
            for at in members(stones[side.index()]) {
                position.hash ^= stone_key(side, at);
            }
            position.hash ^= threat_key(side, threats[side.index()]);
        }
        for at in members(targets) {
            position.hash ^= target_key(at);
        }
        if to_move == Side::Defender {
            position.hash ^= TURN_KEY;
        }
        if let Some(at) = banned {
            position.ban(at);
        }
        position
    }

    /// The same position with a hash of its own for a region.
    pub(crate) fn in_region(mut self, hash: u64) -> Position {
        self.hash ^= hash;
        self
    }

    /// Equal for equal positions of a region, ko and threats included.
    #[inline(always)]
    pub(crate) fn hash(&self) -> u64 {
        self.hash
    }

    /// Equal for equal stones with the same side to move and the same ban, whatever the threats.
    pub(crate) fn hash_of_stones(&self) -> u64 {
        let of = |side: Side| threat_key(side, self.threats[side.index()]);
        self.hash ^ of(Side::Attacker) ^ of(Side::Defender)
    }

    /// Whose turn it is.
    #[inline(always)]
    pub(crate) fn turn(self) -> Side {
        self.to_move
    }

    /// The stones of a side.
    #[inline(always)]
    pub(crate) fn stones(&self, side: Side) -> Bits {
        self.stones[side.index()]
    }

    /// The stones of the target that are left.
    #[inline(always)]
    pub(crate) fn targets(&self) -> Bits {
        self.targets
    }

    /// The points of the region without a stone.
    #[inline(always)]
    pub(crate) fn empty(&self, arena: &Arena) -> Bits {
        arena.all() & !(self.stones[0] | self.stones[1])
    }

    /// The chain of the stone of `side` at `at`.
    #[inline]
    pub(crate) fn group(&self, arena: &Arena, at: usize, side: Side) -> Group {
        arena.group(at, self.stones(side), self.empty(arena))
    }

    /// The chain that holds all that is left of the target, if one does.
    #[inline]
    pub(crate) fn only_target(&self, arena: &Arena) -> Option<Group> {
        if self.targets == 0 {
            return None;
        }
        let group = self.group(arena, self.targets.trailing_zeros() as usize, Side::Defender);
        (self.targets & !group.stones == 0).then_some(group)
    }

    /// Whether the side to move may retake the ko at `at`, if there is one.
    #[inline]
    pub(crate) fn may_take(&self, at: usize) -> bool {
        !self.costs_threat(at) || self.threats[self.to_move.index()].has_one()
    }

    /// Whether the side to move may not retake a ko without spending a threat.
    #[inline]
    pub(crate) fn has_ban(&self) -> bool {
        self.banned != NO_BAN
    }

    /// Whether the side to move may pass. An attacker who passes with no ban to lift gives up.
    #[inline]
    pub(crate) fn may_pass(&self) -> bool {
        self.to_move == Side::Defender || self.has_ban()
    }

    /// Whether a stone of the side to move at `at` retakes a ko at the price of a threat.
    #[inline]
    pub(crate) fn costs_threat(&self, at: usize) -> bool {
        usize::from(self.banned) == at
    }

    /// Whether a stone of the side to move at `at` is a ko retaken by a defender who spends a threat for it. What is told apart are rounds of a ko
    /// that cost the defender something and rounds that do not; an attacker wins no game by going round.
    #[inline]
    pub(crate) fn costs_defender(&self, at: usize) -> bool {
        self.costs_threat(at) && self.to_move == Side::Defender
    }

    /// Whether both sides have the threats that they have in another position.
    #[inline]
    pub(crate) fn has_threats_of(&self, other: &Position) -> bool {
        self.threats == other.threats
    }

    /// The same stones with no threats for `side` and as many as they like for the other: whoever is `side` wins with any threats what it
    /// wins with these.
    pub(crate) fn worst_for(&self, side: Side) -> Position {
        let mut next = *self;
        for (owner, threats) in [(side, Threats::NONE), (!side, Threats::Unlimited)] {
            next.hash ^= threat_key(owner, next.threats[owner.index()]) ^ threat_key(owner, threats);
            next.threats[owner.index()] = threats;
        }
        if !next.keeps_ban() {
            next.lift_ban();
        }
        next
    }

    /// The position after a stone of the side to move at the empty `at`, if that is legal.
    pub(crate) fn play(&self, arena: &Arena, at: usize) -> Option<Position> {
        if !self.may_take(at) {
            return None;
        }
        let (own, other) = (self.to_move, !self.to_move);
        let mut next = *self;
        next.stones[own.index()] |= bit(at);
        let empty = next.empty(arena);
        let mut captured: Bits = 0;
        let mut met = arena.beside(at) & self.stones(other);
        while met != 0 {
            let group = arena.group(met.trailing_zeros() as usize, self.stones(other), empty);
            met &= !group.stones;
            if group.liberties == 0 && group.stones & arena.anchored(other) == 0 {
                captured |= group.stones;
            }
        }
        next.stones[other.index()] &= !captured;
        let chain = next.group(arena, at, own);
        let is_anchored = chain.stones & arena.anchored(own) != 0;
        if chain.liberties == 0 && !is_anchored {
            return None;
        }
        next.hash ^= stone_key(own, at);
        for gone in members(captured) {
            next.hash ^= stone_key(other, gone);
        }
        for gone in members(captured & self.targets) {
            next.hash ^= target_key(gone);
        }
        next.targets &= !captured;
        if self.costs_threat(at) {
            next.spend_threat(own);
        }
        next.pass_turn();
        let is_ko = captured.count_ones() == 1
            && chain.stones == bit(at)
            && chain.liberties == captured
            && !is_anchored;
        if is_ko {
            next.ban(captured.trailing_zeros() as usize);
        }
        Some(next)
    }

    /// The position after the side to move passes.
    pub(crate) fn pass(&self) -> Position {
        let mut next = *self;
        next.pass_turn();
        next
    }

    /// The position after an action, if that is legal.
    pub(crate) fn after(&self, arena: &Arena, action: Action) -> Option<Position> {
        match action {
            Action::Play(at) => self.play(arena, usize::from(at)),
            Action::Pass => Some(self.pass()),
        }
    }

    fn lift_ban(&mut self) {
        if self.banned != NO_BAN {
            self.hash ^= ban_key(usize::from(self.banned));
            self.banned = NO_BAN;
        }
    }

    fn pass_turn(&mut self) {
        self.lift_ban();
        self.to_move = !self.to_move;
        self.hash ^= TURN_KEY;
    }

    /// Bans the side to move from a point.
    fn ban(&mut self, at: usize) {
        if self.keeps_ban() {
            self.banned = at as u8;
            self.hash ^= ban_key(at);
        }
    }

    /// Whether a ban of the side to move makes a difference. To an attacker with any number of threats it makes none; a defender with any
    /// number of them may retake too, but has to be seen to pay for it.
    fn keeps_ban(&self) -> bool {
        self.to_move == Side::Defender || self.threats[Side::Attacker.index()] != Threats::Unlimited
    }

    fn spend_threat(&mut self, side: Side) {
        let threats = &mut self.threats[side.index()];
        self.hash ^= threat_key(side, *threats);
        *threats = threats.less_one();
        self.hash ^= threat_key(side, *threats);
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [attacker, defender] = self.stones;
        write!(f, "{:?} to move, attacker {attacker:x}, defender {defender:x}", self.to_move)
    }
}

const TURN_KEY: u64 = mix(0x7475_726e);

#[inline(always)]
fn stone_key(side: Side, at: usize) -> u64 {
    KEYS[side.index()][at]
}

#[inline(always)]
fn target_key(at: usize) -> u64 {
    KEYS[2][at]
}

#[inline(always)]
fn ban_key(at: usize) -> u64 {
    KEYS[3][at]
}

#[inline]
fn threat_key(side: Side, threats: Threats) -> u64 {
    mix(0x1000 + 512 * side.index() as u64 + u64::from(threats.code()))
}

static KEYS: [[u64; 128]; 4] = keys();

const fn keys() -> [[u64; 128]; 4] {
    let mut keys = [[0; 128]; 4];
    let mut i = 0;
    while i < 512 {
        keys[i / 128][i % 128] = mix(i as u64);
        i += 1;
    }
    keys
}

/// Element `n` of the SplitMix64 sequence (Steele, Lea, Flood 2014).
pub(crate) const fn mix(n: u64) -> u64 {
    let mut z = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
