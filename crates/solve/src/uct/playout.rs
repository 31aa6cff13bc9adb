//! Random games to the end, inside the region.
//!
//! A move is a random legal point that is no own eye; self-atari, throw-ins and nakade are moves like any other. Three things are not left
//! to chance, because a random player would get them wrong half of the time and every problem is about them: the attacker captures the
//! target when one move is enough, the defender does not play a move after which that is so (and passes if all others are such, which is what keeps a
//! seki), and the game is over when the target is unconditionally alive. The attacker who has no move and no ban gives up.

use super::decided;
use crate::arena::{Arena, Bits, bit};
use crate::position::Position;
use crate::problem::Problem;
use crate::side::Side;
use tesuji_board::Color;
use tesuji_search::Rng;

/// Moves after which a playout is given up and counts as lived, per point of the region.
const MOVES_PER_POINT: usize = 3;

/// What playouts know of a region beyond its arena: what makes an eye false.
pub(super) struct Playouts {
    /// By point: the points of the region that touch it diagonally.
    diagonals: Vec<Bits>,
    /// By side and point: how many stones on those points and outside make an eye false, less those outside.
    tolerance: [Vec<u8>; 2],
}

impl Playouts {
    /// Prepares playouts of a problem.
    pub(super) fn new(problem: &Problem, arena: &Arena) -> Playouts {
        let (board, size) = (problem.board(), problem.board().size());
        let mut playouts = Playouts { diagonals: Vec::new(), tolerance: [Vec::new(), Vec::new()] };
        for at in 0..arena.len() {
            let point = arena.point(at);
            let inside = size.diagonals(point).filter_map(|corner| arena.index_of(corner));
            playouts.diagonals.push(inside.fold(0, |all, corner| all | bit(corner)));
            // One hostile corner is harmless in the middle of the board, none is at its edge.
            let spare = u8::from(size.diagonals(point).count() == 4);
            let hostile = |color: Color| {
                let outside = size.diagonals(point).filter(|&corner| arena.index_of(corner).is_none());
                outside.filter(|&corner| board.color(corner) == Some(!color)).count() as u8
            };
            let [attackers, defenders] = &mut playouts.tolerance;
            attackers.push((1 + spare).saturating_sub(hostile(!problem.defender())));
            defenders.push((1 + spare).saturating_sub(hostile(problem.defender())));
        }
        playouts
    }

    /// Who wins a random game from a position that is not decided without search.
    pub(super) fn winner(&self, arena: &Arena, mut position: Position, rng: &mut Rng) -> Side {
        for _ in 0..MOVES_PER_POINT * arena.len() {
            let (next, winner) = match self.random_move(arena, &position, rng) {
                Some(found) => found,
                None if !position.may_pass() => return Side::Defender,
                None => {
                    let passed = position.pass();
                    (passed, decided(arena, &passed))
                }
            };
            if let Some(winner) = winner {
                return winner;
            }
            position = next;
        }
        Side::Defender
    }

    /// The position after a random move that fills no own eye and does not lose at once, with its winner if it is decided.
    #[inline]
    fn random_move(
        &self,
        arena: &Arena,
        position: &Position,
        rng: &mut Rng,
    ) -> Option<(Position, Option<Side>)> {
        let mut left = position.empty(arena);
        while left != 0 {
            let at = nth(left, rng.below(left.count_ones() as usize));
            left &= !bit(at);
            if self.is_own_eye(arena, position, at) {
                continue;
            }
            let Some(next) = position.play(arena, at) else { continue };
            let winner = decided(arena, &next);
            if winner != Some(!position.turn()) {
                return Some((next, winner));
            }
        }
        None
    }

    /// Whether the empty point is an eye of the side to move that a random player must not fill.
    #[inline]
    fn is_own_eye(&self, arena: &Arena, position: &Position, at: usize) -> bool {
        let side = position.turn();
        let (own, other) = (position.stones(side), position.stones(!side));
        arena.beside(at) & !own == 0
            && arena.anchored(!side) & bit(at) == 0
            && (self.diagonals[at] & other).count_ones() < u32::from(self.tolerance[side.index()][at])
    }
}

/// Member number `n` of a set that has more than `n`.
#[inline]
fn nth(mut set: Bits, n: usize) -> usize {
    for _ in 0..n {
        set &= set - 1;
    }
    set.trailing_zeros() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Threats;
    use crate::read::read_diagram;
    use crate::solver::root_position;

    fn start(diagram: &str) -> (Arena, Playouts, Position) {
        let problem = read_diagram(diagram).unwrap().draft.complete().unwrap().problem;
        let arena = Arena::new(&problem);
        let playouts = Playouts::new(&problem, &arena);
        let root = root_position(&arena, &problem, [Threats::NONE; 2]);
        (arena, playouts, root)
    }

    fn attacker_wins(diagram: &str, games: u32) -> u32 {
        let (arena, playouts, root) = start(diagram);
        let mut rng = Rng::new(1);
        (0..games).filter(|_| playouts.winner(&arena, root, &mut rng) == Side::Attacker).count() as u32
    }

    #[test]
    fn false_eyes_are_filled_and_true_ones_are_not() {
        let (arena, playouts, root) = start(".@.@X\n@@@XX\nXXX..\n.....\nto play: O\ngoal: live");
        let empty = crate::arena::members(root.empty(&arena));
        let eyes: Vec<bool> = empty.map(|at| playouts.is_own_eye(&arena, &root, at)).collect();
        assert_eq!(eyes, [true, false]);
    }

    /// Straight three: who is first at the middle decides, and a random attacker who may throw stones in finds it now and then.
    #[test]
    fn nakade_happens() {
        let wins = attacker_wins("...@X\n@@@@X\nXXXXX\n.....\nto play: X\n", 1000);
        assert!((300..700).contains(&wins), "{wins}");
    }

    /// Whoever plays first loses stones: the defender has nothing but a pass, the attacker may try it.
    #[test]
    fn a_seki_stays_while_the_defender_is_to_move() {
        let seki = ".XXXX.@X\n@@@@@@@X\nXXXXXXXX\n........\n";
        let mut rng = Rng::new(1);
        let (arena, playouts, defence) = start(&format!("{seki}to play: O\ngoal: live"));
        assert!(playouts.random_move(&arena, &defence, &mut rng).is_none());
        let (arena, playouts, attack) = start(&format!("{seki}to play: X\ngoal: kill"));
        let (_, winner) = playouts.random_move(&arena, &attack, &mut rng).unwrap();
        assert_eq!(winner, None);
    }
}
