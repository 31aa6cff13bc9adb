//! A game: the rules, the position it started from, the moves since, and what superko needs to remember.
//!
//! Assumes no alternation: as in GTP, a colour may move twice in a row, pass at any time, and play on after two passes. A
//! situation in the sense of situational superko is the position after a move (a pass too) with the mover's opponent to move.
//!
//! Where there is a button, the first pass takes it. That lifts all bans of superko, as in KataGo's rules.
//!
//! Set-up makes a new start: the resulting position has no moves before it, so neither undo nor superko reach
//! behind it; prisoners stay counted.
//!
//! Undo replays from the last of the boards kept every [`SNAPSHOT_INTERVAL`] moves: a board is too large to
//! keep one per move, and GUIs undo hundreds of moves in a row.

use crate::board::{Board, IllegalMove};
use crate::color::Color;
use crate::history::{History, hash_after};
use crate::point::{Move, Point, Size};
use crate::point_set::PointSet;
use crate::rules::Rules;
use std::fmt;

const SNAPSHOT_INTERVAL: usize = 32;

/// A game from its initial position to now.
#[derive(Clone)]
pub struct Game {
    rules: Rules,
    first_to_move: Color,
    moves: Vec<(Color, Move)>,
    board: Box<Board>,
    /// The position before every [`SNAPSHOT_INTERVAL`]th move, the initial one first.
    snapshots: Vec<Board>,
    history: History,
}

/// There are fewer moves than were to be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CannotUndo;

impl fmt::Display for CannotUndo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cannot undo")
    }
}

impl std::error::Error for CannotUndo {}

/// Why a position cannot be set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetUpError {
    /// The point is not on this board.
    OffBoard,
    /// The stone on this point would have no liberties.
    NoLiberties(Point),
}

impl fmt::Display for SetUpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SetUpError::OffBoard => "the point is not on the board",
            SetUpError::NoLiberties(_) => "a stone has no liberties",
        })
    }
}

impl std::error::Error for SetUpError {}

impl Game {
    /// An empty board with Black to move.
    pub fn new(size: Size, rules: Rules) -> Game {
        Game::from_position(Board::new(size), Color::Black, rules)
    }

    /// A game that starts from a position, ko and prisoners included.
    pub fn from_position(board: Board, to_move: Color, rules: Rules) -> Game {
        let mut history = History::new();
        history.push(board.hash(), to_move);
        Game {
            rules,
            first_to_move: to_move,
            moves: Vec::new(),
            board: Box::new(board.clone()),
            snapshots: vec![board],
            history,
        }
    }

    /// Width and height.
    pub fn size(&self) -> Size {
        self.board.size()
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Changes the rules from now on; the moves so far stand.
    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
    }

    /// The position now.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The position before the first move.
    pub fn initial_board(&self) -> &Board {
        &self.snapshots[0]
    }

    /// The moves since the initial position.
    pub fn moves(&self) -> &[(Color, Move)] {
        &self.moves
    }

    /// The last move, if any was made.
    pub fn last_move(&self) -> Option<(Color, Move)> {
        self.moves.last().copied()
    }

    /// Number of moves since the initial position.
    pub fn move_number(&self) -> usize {
        self.moves.len()
    }

    /// The player whose turn it was in the initial position.
    pub fn first_to_move(&self) -> Color {
        self.first_to_move
    }

    /// The player whose turn it is, if turns alternate.
    pub fn to_move(&self) -> Color {
        self.last_move().map_or(self.first_to_move, |(color, _)| !color)
    }

    /// Says whose turn it is; like set-up, this makes a new start unless it was that player's turn already.
    pub fn set_to_move(&mut self, color: Color) {
        if color != self.to_move() {
            *self = Game::from_position((*self.board).clone(), color, self.rules);
        }
    }

    /// The positions since the initial one, which comes first.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Number of stones that `color` has captured, also before a set-up.
    pub fn prisoners(&self, color: Color) -> u32 {
        self.board.prisoners(color)
    }

    /// Number of black stones placed before White's first move, if that makes a handicap.
    ///
    /// These are stones of the initial position, or Black's moves in a row at the start, which is how some GUIs place them.
    pub fn handicap(&self) -> usize {
        let initial = self.initial_board();
        if initial.stone_count(Color::White) > 0 {
            return 0;
        }
        let is_black_play = |&&(color, mv): &&(Color, Move)| color == Color::Black && mv != Move::Pass;
        let mut stones = initial.stone_count(Color::Black);
        let played = self.moves.iter().take_while(is_black_play).count();
        // A single one is simply the first move.
        if played > 1 {
            stones += played;
        }
        if stones > 1 { stones } else { 0 }
    }

    /// Points that White gets: komi and the bonus for handicap stones.
    pub fn white_points(&self) -> f32 {
        self.rules.komi + self.rules.handicap_bonus.points(self.handicap()) as f32
    }

    /// Who took the button: the first to pass, if the rules have one.
    pub fn button_taker(&self) -> Option<Color> {
        let pass = self.moves.iter().find(|&&(_, mv)| mv == Move::Pass).filter(|_| self.rules.has_button);
        pass.map(|&(color, _)| color)
    }

    /// Whether both players have passed in a row.
    pub fn is_over(&self) -> bool {
        matches!(self.moves[..], [.., (a, Move::Pass), (b, Move::Pass)] if a != b)
    }

    /// Whether `color` may play on `point`.
    pub fn legality(&self, color: Color, point: Point) -> Result<(), IllegalMove> {
        self.board.legality(point, color, self.rules.suicide)?;
        let hash = hash_after(&self.board, point, color);
        if self.history.forbids(self.rules.ko, hash, !color) { Err(IllegalMove::Superko) } else { Ok(()) }
    }

    /// The points where `color` may play, in no particular order.
    pub fn legal_points(&self, color: Color) -> impl Iterator<Item = Point> + '_ {
        self.board.empties().iter().copied().filter(move |&point| self.legality(color, point).is_ok())
    }

    /// The points where superko alone keeps `color` from playing; what may not be retaken at once is [`Board::ko_point`].
    pub fn superko_bans(&self, color: Color) -> PointSet {
        let is_banned = |&point: &Point| self.legality(color, point) == Err(IllegalMove::Superko);
        self.board.empties().iter().copied().filter(is_banned).collect()
    }

    /// Makes a move; the game is unchanged on an error.
    pub fn play(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        if let Move::Play(point) = mv {
            self.legality(color, point)?;
        }
        if self.moves.len() == self.snapshots.len() * SNAPSHOT_INTERVAL {
            self.snapshots.push((*self.board).clone());
        }
        if mv == Move::Pass && self.rules.has_button && self.button_taker().is_none() {
            self.history.start_anew();
        }
        make_move(&mut self.board, color, mv);
        self.moves.push((color, mv));
        self.history.push(self.board.hash(), !color);
        Ok(())
    }

    /// Takes back the last `count` moves; the game is unchanged on an error.
    pub fn undo(&mut self, count: usize) -> Result<(), CannotUndo> {
        let left = self.moves.len().checked_sub(count).ok_or(CannotUndo)?;
        self.moves.truncate(left);
        (0..count).for_each(|_| _ = self.history.pop());
        self.snapshots.truncate(left.div_ceil(SNAPSHOT_INTERVAL).max(1));
        replay(&self.snapshots, &self.moves, &mut self.board);
        Ok(())
    }

    /// Makes `board` the position before the last `count` moves, without allocating; it is unchanged on an error.
    pub fn copy_earlier(&self, count: usize, board: &mut Board) -> Result<(), CannotUndo> {
        let left = self.moves.len().checked_sub(count).ok_or(CannotUndo)?;
        let snapshots = left.div_ceil(SNAPSHOT_INTERVAL).max(1);
        replay(&self.snapshots[..snapshots], &self.moves[..left], board);
        Ok(())
    }

    /// Puts stones on points, or empties them, and makes the result the new initial position with `to_move` to
    /// move; the game is unchanged on an error.
    pub fn set_up(
        &mut self,
        stones: impl IntoIterator<Item = (Point, Option<Color>)>,
        to_move: Color,
    ) -> Result<(), SetUpError> {
        let size = self.size();
        let mut colors: Vec<_> = size.points().map(|point| self.board.color(point)).collect();
        for (point, color) in stones {
            if !size.contains(point) {
                return Err(SetUpError::OffBoard);
            }
            colors[size.ordinal(point)] = color;
        }
        let mut board = Board::new(size);
        let stones = || size.points().zip(&colors).filter_map(|(point, &color)| Some((point, color?)));
        for (point, color) in stones() {
            // Until a chain is complete it has a liberty, and afterwards if it has one in the end: stones are
            // lost here only on the way to an illegal position, and then for good.
            board.set_up(point, color);
        }
        if let Some((point, _)) = stones().find(|&(point, color)| board.color(point) != Some(color)) {
            return Err(SetUpError::NoLiberties(point));
        }
        board.set_prisoners(Color::BOTH.map(|color| self.prisoners(color)));
        *self = Game::from_position(board, to_move, self.rules);
        Ok(())
    }
}

/// Makes `board` the position after all moves, starting from the last of the positions kept on the way.
fn replay(snapshots: &[Board], moves: &[(Color, Move)], board: &mut Board) {
    let last = snapshots.len() - 1;
    board.copy_from(&snapshots[last]);
    for &(color, mv) in &moves[last * SNAPSHOT_INTERVAL..] {
        make_move(board, color, mv);
    }
}

fn make_move(board: &mut Board, color: Color, mv: Move) {
    match mv {
        Move::Play(point) => board.play_unchecked(point, color),
        Move::Pass => board.pass(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::KoRule;
    use Color::{Black, White};

    fn game(side: usize, ko: KoRule) -> Game {
        Game::new(Size::square(side).unwrap(), Rules { ko, ..Rules::default() })
    }

    /// Plays moves such as `B:A1 W:pass`, the last of which may fail.
    fn play(game: &mut Game, moves: &str) -> Result<(), IllegalMove> {
        let mut result = Ok(());
        for word in moves.split_whitespace() {
            result.unwrap();
            let (color, vertex) = word.split_once(':').unwrap();
            let mv = Move::from_gtp(vertex, game.size()).unwrap();
            result = game.play(Color::parse(color).unwrap(), mv);
        }
        result
    }

    #[test]
    fn any_order_of_colours_and_passes_is_a_game() {
        let mut game = game(5, KoRule::Positional);
        play(&mut game, "B:A1 B:B1 W:pass B:pass").unwrap();
        assert!(game.is_over());
        play(&mut game, "W:C3 W:pass W:pass").unwrap();
        assert!(!game.is_over());
        assert_eq!(game.to_move(), Black);
        assert_eq!(game.move_number(), 7);
        assert_eq!(game.last_move(), Some((White, Move::Pass)));
    }

    #[test]
    fn illegal_moves_change_nothing() {
        let mut game = game(3, KoRule::Positional);
        play(&mut game, "B:A2 B:B1").unwrap();
        assert_eq!(play(&mut game, "W:A1"), Err(IllegalMove::Suicide));
        assert_eq!(play(&mut game, "W:A2"), Err(IllegalMove::Occupied));
        assert_eq!(game.move_number(), 2);
        assert_eq!(game.history().situations().len(), 3);
        assert_eq!(game.board().stone_count(White), 0);
    }

    #[test]
    fn superko_rules_differ_when_the_turn_does() {
        // White's last stone takes three. Black's answer makes the position after two moves again, but that had Black to move.
        let cycle = "B:A1 W:A2 B:B2 W:pass B:B1 W:A2 B:A1";
        assert_eq!(play(&mut game(2, KoRule::Positional), cycle), Err(IllegalMove::Superko));
        assert_eq!(play(&mut game(2, KoRule::Situational), cycle), Ok(()));
        assert_eq!(play(&mut game(2, KoRule::Simple), cycle), Ok(()));
    }

    #[test]
    fn the_button_lifts_bans_of_superko() {
        let cycle = "B:A1 W:A2 B:B2 W:pass B:B1 W:A2";
        let banned = |has_button| {
            let rules = Rules { has_button, ..Rules::default() };
            let mut game = Game::new(Size::square(2).unwrap(), rules);
            play(&mut game, cycle).unwrap();
            let bans = game.superko_bans(Black);
            // Undoing the pass and what follows, and playing it again, comes to the same.
            game.undo(3).unwrap();
            assert_eq!(game.button_taker(), None);
            play(&mut game, "W:pass B:B1 W:A2").unwrap();
            assert_eq!(game.superko_bans(Black), bans);
            assert_eq!(game.button_taker(), has_button.then_some(White));
            bans.iter().map(|point| point.to_gtp(game.size())).collect::<Vec<_>>()
        };
        assert_eq!(banned(false), ["A1"]);
        assert!(banned(true).is_empty());
    }

    #[test]
    fn set_up_starts_anew_and_keeps_prisoners() {
        let mut game = game(3, KoRule::Positional);
        play(&mut game, "W:A1 B:A2 W:C3 B:B1").unwrap();
        assert_eq!(game.prisoners(Black), 1);
        let at = |x, y| game.size().point(x, y).unwrap();
        let stones = [(at(2, 0), None), (at(1, 1), Some(White)), (at(1, 2), Some(White))];
        game.set_up(stones, White).unwrap();
        assert_eq!((game.prisoners(Black), game.move_number(), game.to_move()), (1, 0, White));
        assert_eq!((game.board().stone_count(Black), game.board().stone_count(White)), (1, 2));
        assert_eq!(game.undo(1), Err(CannotUndo));
    }

    #[test]
    fn set_up_refuses_stones_without_liberties() {
        let mut game = game(2, KoRule::Simple);
        let all: Vec<_> = game.size().points().collect();
        let full = all.iter().map(|&point| (point, Some(Black)));
        assert!(matches!(game.set_up(full, Black), Err(SetUpError::NoLiberties(_))));
        assert_eq!(game.board().empties().len(), 4);
        let nearly = all.iter().skip(1).map(|&point| (point, Some(Black)));
        game.set_up(nearly, White).unwrap();
        assert_eq!(game.board().stone_count(Black), 3);
    }

    #[test]
    fn handicap_is_set_up_or_played_in_a_row() {
        let mut game = game(9, KoRule::Simple);
        play(&mut game, "B:C3").unwrap();
        assert_eq!(game.handicap(), 0);
        play(&mut game, "B:G7 W:E5 B:C7").unwrap();
        assert_eq!(game.handicap(), 2);
        assert_eq!(game.white_points(), 7.5 + 2.0);
    }

    #[test]
    fn undo_of_a_long_game_one_by_one() {
        let mut game = game(5, KoRule::Simple);
        let mut hashes = Vec::new();
        for i in 0..300 {
            hashes.push((game.board().hash(), game.to_move()));
            let color = game.to_move();
            let point = game.legal_points(color).nth(i % 3);
            game.play(color, point.map_or(Move::Pass, Move::Play)).unwrap();
        }
        let mut board = Board::new(game.size());
        for (i, &(hash, _)) in hashes.iter().rev().enumerate() {
            game.copy_earlier(i + 1, &mut board).unwrap();
            assert_eq!(board.hash(), hash);
        }
        assert_eq!(game.copy_earlier(hashes.len() + 1, &mut board), Err(CannotUndo));
        while let Some(before) = hashes.pop() {
            game.undo(1).unwrap();
            assert_eq!((game.board().hash(), game.to_move()), before);
        }
        assert_eq!(game.undo(1), Err(CannotUndo));
    }
}
