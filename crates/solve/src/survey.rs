//! A look at all chains of a position, taken once for all that is asked about it.

use crate::arena::{Arena, Bits, Group};
use crate::life::{Chain, Chains, Spaces, find_spaces};
use crate::position::Position;
use crate::side::Side;

/// What stands in a position.
pub(crate) struct Survey {
    /// The chain that holds all that is left of the target, if one does.
    pub(crate) target: Option<Group>,
    /// The attacker's stones that are joined to something outside that they cannot lose.
    pub(crate) safe: Bits,
    /// The points beside these.
    pub(crate) beside_safe: Bits,
    /// By side: the points beside its stones.
    pub(crate) beside: [Bits; 2],
    /// By side: the number of its stones that could be captured at once.
    pub(crate) in_atari: [u32; 2],
    /// The defender's chains, and whether these are all.
    pub(crate) chains: Chains,
    pub(crate) has_all_chains: bool,
    /// The spaces that they close; none where neither life nor the estimate asks for them.
    pub(crate) spaces: Spaces,
}

impl Survey {
    /// Room for a look; with all that it holds it is too large to be handed about.
    pub(crate) fn new() -> Survey {
        Survey {
            target: None,
            safe: 0,
            beside_safe: 0,
            beside: [0; 2],
            in_atari: [0; 2],
            chains: Chains::new(),
            has_all_chains: false,
            spaces: Spaces::new(),
        }
    }

    /// Looks at a position, and forgets the one before.
    pub(crate) fn take(&mut self, arena: &Arena, position: &Position) {
        (self.target, self.safe, self.beside_safe) = (None, 0, 0);
        (self.beside, self.in_atari) = ([0; 2], [0; 2]);
        self.chains.clear();
        self.has_all_chains = true;
        self.spaces.clear();
        if position.turn() == Side::Attacker || arena.anchored(Side::Defender) == 0 {
            find_spaces(arena, position, &mut self.spaces);
        }
        self.look_at(arena, position, Side::Attacker, |survey, group, beside| {
            if group.stones & arena.anchored(Side::Attacker) != 0 {
                survey.safe |= group.stones;
                survey.beside_safe |= beside;
            }
        });
        let targets = position.targets();
        self.look_at(arena, position, Side::Defender, |survey, group, _| {
            if targets != 0 && targets & !group.stones == 0 {
                survey.target = Some(group);
            }
            survey.has_all_chains &= survey.chains.try_push(Chain::new(arena, group)).is_ok();
        });
    }

    fn look_at(
        &mut self,
        arena: &Arena,
        position: &Position,
        side: Side,
        mut show: impl FnMut(&mut Survey, Group, Bits),
    ) {
        let (stones, empty) = (position.stones(side), position.empty(arena));
        let mut left = stones;
        while left != 0 {
            let (chain, beside) = arena.flood(left.trailing_zeros() as usize, stones);
            left &= !chain;
            let liberties = beside & empty;
            self.beside[side.index()] |= beside;
            if liberties.is_power_of_two() && chain & arena.anchored(side) == 0 {
                self.in_atari[side.index()] += chain.count_ones();
            }
            show(self, Group { stones: chain, liberties }, beside);
        }
    }
}
