//! First guesses of proof numbers, which make the search look at likely moves first.
//!
//! The guess counts what an eye is made of: empty points with no stone of the attacker beside them, which the
//! defender may still turn into eyes. Many of them, and many liberties, make a kill hard; few make a life hard. A side with
//! many moves to try takes longer to be shown lost. Heuristic numbers at the leaves follow A. Nagai's df-pn⁺; the weights come from
//! nodes needed on a few hundred problems.

use crate::arena::{Arena, members};
use crate::position::Position;
use crate::side::Side;
use crate::table::Numbers;

/// More eye points or liberties than this make no difference.
const MANY: u32 = 10;

/// Liberties to assume where the target is several chains.
const USUAL_LIBERTIES: u32 = 4;

const BASE: u32 = 8;
const PER_EYE_POINT: u32 = 4;
const PER_LIBERTY: u32 = 4;
const PER_MISSING_EYE_POINT: u32 = 4;
const PER_MOVE: u32 = 2;

/// The guess for a position that is not decided and was never searched.
pub(crate) fn estimate(arena: &Arena, position: &Position) -> Numbers {
    let empty = position.empty(arena);
    let beside_attacker =
        members(position.stones(Side::Attacker)).fold(arena.open(), |beside, at| beside | arena.beside(at));
    let eye_points = (empty & !beside_attacker).count_ones().min(MANY);
    let liberties =
        position.only_target(arena).map_or(USUAL_LIBERTIES, |target| target.liberties.count_ones()).min(MANY);
    let kill = BASE + PER_EYE_POINT * eye_points + PER_LIBERTY * liberties;
    let live = BASE + PER_MISSING_EYE_POINT * (MANY - eye_points);
    let moves = PER_MOVE * empty.count_ones();
    match position.turn() {
        Side::Attacker => Numbers { phi: kill, delta: live + moves },
        Side::Defender => Numbers { phi: live, delta: kill + moves },
    }
}
