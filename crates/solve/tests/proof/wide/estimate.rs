//! First guesses of who wins, which only say what to look at first: nothing is believed that rests on them.

use super::ground::{ATTACKERS, DEFENDERS, Ground, MAX_INSIDE, Position, Set};
use super::store::{INFINITE, Numbers};
use arrayvec::ArrayVec;

/// Units of effort for each tenth of the logarithm of the odds.
const SCALE: i32 = 3;

type Chains = ArrayVec<Set, MAX_INSIDE>;
type Spaces = ArrayVec<Space, MAX_INSIDE>;

struct Space {
    empty: Set,
    border: Set,
}

/// How hard a position may be for either side.
pub(super) fn estimate(ground: &Ground, position: &Position) -> Numbers {
    let [attackers, defenders] = position.stones;
    let empty = ground.all & !(attackers | defenders);
    if position.targets & ground.safe[DEFENDERS] != 0 {
        return Numbers { win: INFINITE, hold: 0 };
    }
    let chains = chains(ground, defenders);
    let spaces = spaces(ground, defenders, empty);
    if spaces.len() > 1 && lives(ground, position, &chains, &spaces) {
        return Numbers { win: INFINITE, hold: 0 };
    }
    let beside_attackers = ground.around(attackers) | ground.open;
    let eyes = (empty & !beside_attackers).count_ones() as usize;
    let liberties = (ground.around(position.targets) & empty).count_ones() as usize;
    let in_atari = |chain: &Set, side: usize| {
        chain & ground.safe[side] == 0 && (ground.around(*chain) & empty).count_ones() == 1
    };
    let own_in_atari = chains.iter().filter(|chain| in_atari(chain, DEFENDERS)).count();
    let other_in_atari =
        self::chains(ground, attackers).iter().filter(|chain| in_atari(chain, ATTACKERS)).count();
    let of = |weights: &[i32], count: usize| weights[count.min(weights.len() - 1)];
    // Tenths of the logarithm of the odds that the target lives.
    let odds = if position.is_attackers_turn() {
        of(&[-25, -22, -12, -2, 7, 12, 12], eyes)
            + of(&[-22, -22, -22, -11, -5, 0, 3, 7, 12], liberties)
            + of(&[-13, -15, 3, 12, 22], spaces.len())
            + of(&[-10, 1, 6, 6, 7], other_in_atari)
            + of(&[21, 6, -2, -14], own_in_atari)
    } else {
        of(&[-19, -6, 6, 16, 26, 28, 26], eyes)
            + of(&[-18, -18, -10, -2, 4, 8, 11, 16, 12], liberties)
            + of(&[-1, 3, 13, 15, 14], spaces.len())
            + of(&[-17, -4, 11, 21, 32], other_in_atari)
            + of(&[20, 9, 5, -1], own_in_atari)
    };
    let room = empty.count_ones() as i32 + 1;
    let effort = |against: i32| {
        ((8 + SCALE * against.max(0) / 2 + (5 - against.min(0).abs() / 6).max(0)) * room / 8).max(1) as u32
    };
    Numbers { win: effort(odds), hold: effort(-odds) }
}

fn chains(ground: &Ground, stones: Set) -> Chains {
    let (mut chains, mut left) = (Chains::new(), stones);
    while left != 0 {
        let chain = ground.chain(stones, left.trailing_zeros());
        left &= !chain;
        chains.push(chain);
    }
    chains
}

/// The parts without a stone of the defender that touch nothing else outside.
fn spaces(ground: &Ground, defenders: Set, empty: Set) -> Spaces {
    let mut spaces = Spaces::new();
    for points in chains(ground, ground.all & !defenders) {
        if points & ground.open == 0 {
            spaces.push(Space { empty: points & empty, border: ground.around(points) });
        }
    }
    spaces
}

/// Whether a stone of the target has two eyes for good (D. Benson, 1976).
fn lives(ground: &Ground, position: &Position, chains: &[Set], spaces: &[Space]) -> bool {
    let mut alive: Chains = chains.iter().copied().collect();
    let mut closed: ArrayVec<&Space, MAX_INSIDE> = spaces.iter().collect();
    loop {
        let before = alive.len();
        alive.retain(|chain| {
            let liberties = ground.around(*chain);
            *chain & ground.safe[DEFENDERS] != 0
                || closed.iter().filter(|space| space.empty & !liberties == 0).count() >= 2
        });
        let all = alive.iter().fold(0, |all, chain| all | chain);
        closed.retain(|space| space.border & !all == 0);
        if alive.len() == before {
            return all & position.targets != 0;
        }
    }
}
