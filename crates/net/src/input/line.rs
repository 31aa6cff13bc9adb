//! A game or a line of a search with the boards that planes need: now, one and two moves ago.

use super::track::Track;
use tesuji_board::{Board, Color, Game, Move};

/// A position with all that a network may see of it, borrowed from whoever keeps it.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The board now, before the last move and before the last two. Where there were fewer moves, any board will do.
    pub boards: [&'a Board; 3],
    /// How it came about.
    pub track: &'a Track,
}

impl<'a> View<'a> {
    /// The board now.
    pub fn board(&self) -> &'a Board {
        self.boards[0]
    }

    /// Who is to move.
    pub fn to_move(&self) -> Color {
        self.track.to_move()
    }
}

/// A [`View`] that keeps its boards, for those who have none to lend.
#[derive(Clone)]
pub struct Line {
    /// The board of the n-th move is at n modulo 3.
    boards: Vec<Board>,
    newest: usize,
    track: Track,
}

impl Line {
    /// The current position of a game with `to_move` to play.
    pub fn from_game(game: &Game, to_move: Color) -> Line {
        let mut line =
            Line { boards: vec![game.board().clone(); 3], newest: 0, track: Track::of(game, to_move) };
        for back in [1, 2] {
            // Fewer moves: the board is never looked at.
            let _ = game.copy_earlier(back, &mut line.boards[3 - back]);
        }
        line
    }

    /// Makes this equal to `other` in memory that is there already.
    pub fn copy_from(&mut self, other: &Line) {
        for (board, other) in self.boards.iter_mut().zip(&other.boards) {
            board.copy_from(other);
        }
        self.newest = other.newest;
        self.track.copy_from(&other.track);
    }

    /// Makes a move of the side to move, which must be legal or a pass.
    pub fn play(&mut self, mv: Move) {
        let color = self.track.to_move();
        let next = (self.newest + 1) % 3;
        let Ok([before, after]) = self.boards.get_disjoint_mut([self.newest, next]) else { return };
        after.copy_from(before);
        match mv {
            Move::Play(point) => after.play_unchecked(point, color),
            Move::Pass => after.pass(),
        }
        self.track.play(color, mv, after.hash());
        self.newest = next;
    }

    /// What a network may see.
    pub fn view(&self) -> View<'_> {
        let ago = |count: usize| &self.boards[(self.newest + 3 - count) % 3];
        View { boards: [ago(0), ago(1), ago(2)], track: &self.track }
    }

    /// The board now.
    pub fn board(&self) -> &Board {
        &self.boards[self.newest]
    }

    /// How it came about.
    pub fn track(&self) -> &Track {
        &self.track
    }
}
