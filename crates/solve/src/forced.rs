//! What a position shows without search: that it is decided, or which moves are forced.

use crate::arena::{Arena, Bits, Group, bit, members};
use crate::death::{safe_stones, zone_of_death};
use crate::life::{must_play, zone_of_life};
use crate::position::Position;
use crate::side::Side;
use crate::survey::Survey;
use crate::table::Numbers;
use crate::zone::{around, capture_zone};

/// The result of a position that shows it without search, and the zone of the proof.
pub(crate) fn end(arena: &Arena, position: &Position, survey: &mut Survey) -> Option<(Numbers, Bits)> {
    if position.targets() == 0 {
        return Some((Numbers::won_by(Side::Attacker, position.turn()), 0));
    }
    if position.turn() == Side::Attacker {
        if let Some(target) = survey.target
            && target.liberties.is_power_of_two()
            && target.stones & arena.anchored(Side::Defender) == 0
            && position.may_take(target.liberties.trailing_zeros() as usize)
        {
            return Some((Numbers::WON, capture_zone(arena, position, target.stones)));
        }
        if survey.has_all_chains
            && let Some(zone) = zone_of_life(position, &mut survey.chains, &mut survey.spaces)
        {
            return Some((Numbers::LOST, zone));
        }
    }
    let zone = zone_of_death(arena, position, survey)?;
    Some((Numbers::won_by(Side::Attacker, position.turn()), zone))
}

/// The moves worth looking at: all, unless some are forced or others as good.
#[derive(Clone, Copy, Default)]
pub(crate) struct Actions {
    pub(crate) points: Bits,
    pub(crate) may_pass: bool,
    /// The zone of the proof that moves lose which are not forced.
    pub(crate) zone: Bits,
    pub(crate) idle: Idle,
}

/// Moves that are left out because others are as good.
#[derive(Clone, Copy, Default)]
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
            let may_pass = position.may_pass() && zone == 0;
            return Actions { points: points & !idle.points, may_pass, zone, idle };
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
/// *Dame* are those that the attacker can use, and only to take them: for the attacker one is as good as another, so
/// all are left out but the first. *Eyes* of one point are of no use to the attacker at all. A defender who fills either only takes a liberty from the
/// target: a pass is as good. (Suppose that the filled dame wins. With a pass instead the defender plays the same moves, and takes an
/// attacker's stone on the dame for a pass, which gets round a ban as well; the liberties are then the same.) With the target the game is
/// over, so nothing that comes after its capture makes up for that.
fn idle(arena: &Arena, position: &Position, target: &Group, within: Bits) -> Idle {
    let dame = dame(arena, position, target) & within;
    let (eyes, points) = match position.turn() {
        Side::Attacker => (0, dame & dame.wrapping_sub(1)),
        Side::Defender => {
            let eyes = eyes(arena, target) & within;
            (eyes, eyes | dame)
        }
    };
    if points == 0 {
        return Idle::NONE;
    }
    let ends = dame | eyes;
    Idle { points, zone: ends | around(arena, ends) | target.stones }
}

/// The liberties of the target with nothing beside them but the target itself.
fn eyes(arena: &Arena, target: &Group) -> Bits {
    let outside = arena.anchored(Side::Attacker) | arena.anchored(Side::Defender);
    let is_eye = |&at: &usize| arena.beside(at) & !target.stones == 0;
    members(target.liberties & !outside).filter(is_eye).fold(0, |all, at| all | bit(at))
}

/// The liberties of the target beside stones of the attacker that cannot be captured, with nothing else beside them but the target and
/// each other.
fn dame(arena: &Arena, position: &Position, target: &Group) -> Bits {
    let safe = safe_stones(arena, position.stones(Side::Attacker));
    let reached = around(arena, safe) | arena.anchored(Side::Attacker);
    let mut dame = target.liberties & reached & !arena.anchored(Side::Defender);
    loop {
        let known = target.stones | safe | dame;
        let kept =
            members(dame).filter(|&at| arena.beside(at) & !known == 0).fold(0, |all, at| all | bit(at));
        if kept == dame {
            return dame;
        }
        dame = kept;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Threats;
    use crate::read_diagram;
    use crate::solver::root_position;

    /// The points that are looked at, as the board names them.
    fn looked_at(diagram: &str) -> Vec<String> {
        let problem = read_diagram(diagram).unwrap().draft.complete().unwrap().problem;
        let arena = Arena::new(&problem);
        let root = root_position(&arena, &problem, [Threats::NONE; 2]);
        let size = problem.board().size();
        let name = |at| tesuji_board::Move::Play(arena.point(at)).to_gtp(size);
        members(Actions::of(&arena, &root).points).map(name).collect()
    }

    #[test]
    fn of_dame_in_a_row_one_is_looked_at() {
        // A4 to F4 lie between the target and the wall, the others may become eyes.
        let points = looked_at(
            ". . . . . . . . .
             X X X X X X X X X
             X X X X X X . . X
             @ @ @ @ @ @ @ . X
             . . . . . . @ . X
             X X X X X X @ . X
             . . . . . X X X X
             . . . . . . . . .
             to play: X
             goal: kill",
        );
        assert_eq!(points.len(), 1 + 5, "{points:?}");
        assert_eq!(points.iter().filter(|name| name.ends_with('4') && *name != "H4").count(), 1);
    }

    #[test]
    fn beside_a_stone_that_can_be_captured_there_is_no_dame() {
        let points = looked_at(
            ". . . . . . . . .
             X X X X X X X X X
             X X X X X X . . X
             @ @ @ @ @ @ @ . X
             . . X . . . @ . X
             @ @ @ @ @ @ @ . X
             X X X X X X X X X
             . . . . . . . . .
             to play: X
             goal: kill",
        );
        // Black has to save the stone; nothing beside it is left out.
        assert_eq!(points, ["A4", "B4", "D4", "E4", "F4"]);
    }
}
