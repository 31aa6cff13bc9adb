//! Whether a position in which the target lives is a seki.
//!
//! Of one position with the attacker to move, in which the target is proved to live: it is a seki if the attacker has stones that
//! share a liberty with the target and are proved to be safe too, with the defender moving first. Positions where two moves in a row
//! would give the target two eyes are left out: people call them alive.

use crate::arena::{Arena, Bits, bit, members};
use crate::dfpn::Limits;
use crate::life::target_lives;
use crate::position::Position;
use crate::problem::{Goal, Problem};
use crate::side::Side;
use crate::solution::{Detail, Fate};
use crate::solver::Solver;
use tesuji_board::Board;

/// Nodes to spend on the question whether the attacker's stones can be captured.
const NODES: u64 = 20_000;

/// Bytes for the table of that search.
const MEMORY: usize = 1 << 20;

/// Whether a position of `problem` is a seki, as far as a small search can tell.
pub(crate) fn is_seki(arena: &Arena, position: &Position, problem: &Problem, limits: &Limits<'_>) -> bool {
    position.turn() == Side::Attacker
        && !lives_after(arena, position, 2)
        && partners(arena, position).any(|stone| is_safe(arena, position, problem, stone, limits))
}

/// Whether the defender gets two eyes with at most so many moves in a row.
fn lives_after(arena: &Arena, position: &Position, moves: usize) -> bool {
    if target_lives(arena, position) {
        return true;
    }
    let passed = if position.turn() == Side::Defender { *position } else { position.pass() };
    moves > 0
        && members(position.empty(arena))
            .any(|at| passed.play(arena, at).is_some_and(|next| lives_after(arena, &next, moves - 1)))
}

/// A stone of each chain of the attacker that can be captured and shares a liberty with the target.
fn partners(arena: &Arena, position: &Position) -> impl Iterator<Item = usize> {
    let (own, empty) = (position.stones(Side::Attacker), position.empty(arena));
    let liberties_of_target = members(position.targets()).fold(0, |all, at| all | arena.beside(at)) & empty;
    let mut found: Bits = 0;
    let mut left = own;
    while left != 0 {
        let group = arena.group(left.trailing_zeros() as usize, own, empty);
        left &= !group.stones;
        if group.stones & arena.anchored(Side::Attacker) == 0 && group.liberties & liberties_of_target != 0 {
            found |= bit(group.stones.trailing_zeros() as usize);
        }
    }
    members(found)
}

/// Whether the attacker's chain lives when the defender attacks it and moves first.
fn is_safe(arena: &Arena, position: &Position, problem: &Problem, stone: usize, limits: &Limits<'_>) -> bool {
    let board = board_of(arena, position, problem);
    let targets = [arena.point(stone)];
    let (region, outside) = (*problem.region(), problem.outside());
    let turned = Problem::new(board, region, &targets, problem.defender(), Goal::Capture, outside);
    let limits = Limits { nodes: NODES, ..*limits };
    turned.is_ok_and(|turned| Solver::new(MEMORY).solve(&turned, Detail::Fate, &limits).fate == Fate::Lives)
}

fn board_of(arena: &Arena, position: &Position, problem: &Problem) -> Board {
    let mut board = Board::new(problem.board().size());
    for point in board.size().points() {
        let color = match arena.index_of(point) {
            None => problem.board().color(point),
            Some(at) if position.stones(Side::Defender) & bit(at) != 0 => Some(problem.defender()),
            Some(at) if position.stones(Side::Attacker) & bit(at) != 0 => Some(!problem.defender()),
            Some(_) => None,
        };
        // Every chain has a liberty in the end, so none is taken off on the way.
        if let Some(color) = color {
            board.set_up(point, color);
        }
    }
    board
}
