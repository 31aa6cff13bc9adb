//! What is thought of a move before any simulation.

use crate::playout::{Position, matches_pattern};
use crate::select::Prior;
use tesuji_board::{Board, Color, Move, Point};

/// Has opinions of moves. `weight` is relative: the search scales it.
pub trait Knowledge {
    /// The position that the next questions are about.
    fn look_at(&mut self, _position: &Position) {}

    /// What to think of a sensible move.
    fn opinion(&self, position: &Position, point: Point) -> Prior;

    /// What to think of a pass.
    fn opinion_of_pass(&self, position: &Position) -> Prior;
}

/// No opinion: all moves are equal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ignorant;

impl Knowledge for Ignorant {
    fn opinion(&self, _position: &Position, _point: Point) -> Prior {
        Prior { mean: 0.5, weight: 0.0, policy: 1.0 }
    }

    fn opinion_of_pass(&self, _position: &Position) -> Prior {
        Prior { mean: 0.4, weight: 0.0, policy: 0.1 }
    }
}

/// Tactics, patterns, the distance to the last move and the line, in the manner of Fuego's prior knowledge.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tactical;

impl Knowledge for Tactical {
    fn opinion(&self, position: &Position, point: Point) -> Prior {
        let mean = mean_of(position, point).clamp(0.02, 0.98);
        Prior { mean, weight: 1.0, policy: (7.0 * (mean - 0.5)).exp() }
    }

    fn opinion_of_pass(&self, _position: &Position) -> Prior {
        Prior { mean: 0.1, weight: 1.0, policy: 0.02 }
    }
}

fn mean_of(position: &Position, point: Point) -> f32 {
    let (board, color) = (&position.board, position.to_move);
    let mut mean = 0.5_f32;
    let captured = captured_stones(board, point, color);
    if captured == 0 && board.is_self_atari(point, color) {
        return 0.1;
    }
    if captured > 0 {
        mean = if captured > 1 { 0.9 } else { 0.75 };
    } else if saves_chain(board, point, color) {
        mean = 0.9;
    } else if gives_atari(board, point, color) {
        mean = 0.65;
    } else if matches_pattern(board, point, color) {
        mean = 0.6;
    }
    mean + 0.12 * nearness(board, point, position.last) + 0.05 * nearness(board, point, position.before_last)
        - line_penalty(board, point)
}

/// Stones of the opponent that a move captures.
fn captured_stones(board: &Board, point: Point, color: Color) -> usize {
    let chains = board.chains_beside(point, !color);
    chains
        .iter()
        .filter(|&&chain| board.liberty_count(chain) == 1)
        .map(|&chain| board.chain_size(chain))
        .sum()
}

/// Whether a move, known not to be a self-atari, gets an own chain out of atari.
fn saves_chain(board: &Board, point: Point, color: Color) -> bool {
    board.chains_beside(point, color).iter().any(|&chain| board.liberty_count(chain) == 1)
}

fn gives_atari(board: &Board, point: Point, color: Color) -> bool {
    board.chains_beside(point, !color).iter().any(|&chain| board.liberty_count(chain) == 2)
}

/// 1 beside a move, falling to 0 a few points away. Distance as in Ray: `dx + dy + max(dx, dy)`.
fn nearness(board: &Board, point: Point, mv: Move) -> f32 {
    let Move::Play(other) = mv else { return 0.0 };
    let size = board.size();
    let (dx, dy) = (size.x(point).abs_diff(size.x(other)), size.y(point).abs_diff(size.y(other)));
    let distance = dx + dy + dx.max(dy);
    match distance {
        0..=2 => 1.0,
        3 => 0.9,
        4 => 0.6,
        5..=6 => 0.35,
        7..=8 => 0.15,
        _ => 0.0,
    }
}

/// The first line is bad where nothing is around, the second a little on large boards.
fn line_penalty(board: &Board, point: Point) -> f32 {
    let size = board.size();
    let to_edge = |at: usize, side: usize| at.min(side - 1 - at);
    let line = to_edge(size.x(point), size.width()).min(to_edge(size.y(point), size.height()));
    let around = board.neighborhood(point);
    let lonely = Color::BOTH.iter().all(|&color| around.sides_of(color) + around.corners_of(color) == 0);
    match (line, lonely) {
        (0, true) => 0.2,
        (1, true) if size.area() > 121 => 0.07,
        (1, true) => 0.05,
        _ => 0.0,
    }
}
