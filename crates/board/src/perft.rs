//! Counts of move paths: a checksum of the rules that other programs can be compared with.

use crate::game::Game;
use crate::point::Move;

/// Number of ways to make `depth` moves in turn, passes included; two passes end the game.
///
/// The game is as it was afterwards.
pub fn perft(game: &mut Game, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    if game.is_over() {
        return 0;
    }
    let color = game.to_move();
    let points: Vec<_> = game.legal_points(color).collect();
    if depth == 1 {
        return points.len() as u64 + 1;
    }
    let moves = points.into_iter().map(Move::Play).chain([Move::Pass]);
    let mut paths = 0;
    for mv in moves {
        if game.play(color, mv).is_ok() {
            paths += perft(game, depth - 1);
            // The move just made can be taken back.
            _ = game.undo(1);
        }
    }
    paths
}
