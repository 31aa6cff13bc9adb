//! Everything that a fast game says, against a slow one.

use crate::slow::{Place, Position, SlowGame, chain, liberties, outcome, places};
use std::collections::HashMap;
use tesuji_board::{Board, Cell, Color, Game, IllegalMove, Move, Neighborhood, Point, Size};

/// How often a point was forbidden.
#[derive(Default)]
pub(crate) struct Bans {
    pub(crate) ko: usize,
    /// Not the suicide of a single stone, which changes nothing and so always repeats.
    pub(crate) superko: usize,
    pub(crate) suicide: usize,
}

/// The hashes of the positions of a game: equal if and only if the positions are.
#[derive(Default)]
pub(crate) struct Hashes {
    of: HashMap<Position, u64>,
    position: HashMap<u64, Position>,
}

impl Hashes {
    fn check(&mut self, position: &Position, hash: u64) {
        let known_hash = *self.of.entry(position.clone()).or_insert(hash);
        let known_position = self.position.entry(hash).or_insert_with(|| position.clone());
        assert_eq!((known_hash, &*known_position), (hash, position));
    }
}

pub(crate) fn place(size: Size, point: Point) -> Place {
    (size.x(point), size.y(point))
}

pub(crate) fn point(size: Size, (x, y): Place) -> Point {
    size.point(x, y).expect("places are on the board")
}

/// Puts the stones of a position on an empty board.
pub(crate) fn board_of(size: Size, position: &Position) -> Board {
    let mut board = Board::new(size);
    for at in places(position) {
        if let Some(color) = position[at.1][at.0] {
            board.set_up(point(size, at), color);
        }
    }
    board
}

/// Compares all there is, and returns how often points were forbidden.
pub(crate) fn compare(game: &Game, slow: &SlowGame, hashes: &mut Hashes) -> Bans {
    compare_board(game.board(), &slow.position);
    hashes.check(&slow.position, game.board().hash());
    assert_eq!(game.board().hash(), board_of(game.size(), &slow.position).hash());
    assert_eq!(game.to_move(), slow.to_move);
    assert_eq!(game.history().situations().len(), slow.situations.len());
    assert_eq!(Color::BOTH.map(|color| game.prisoners(color)), slow.prisoners);
    let size = game.size();
    let moves = slow.moves.iter().map(|&(color, at)| {
        let mv = at.map_or(Move::Pass, |at| Move::Play(point(size, at)));
        (color, mv)
    });
    assert!(game.moves().iter().copied().eq(moves));
    compare_legality(game, slow)
}

fn compare_board(board: &Board, position: &Position) {
    let size = board.size();
    let sorted = |mut found: Vec<Place>| {
        found.sort();
        found
    };
    let mut counts = [0; 2];
    let mut empties = Vec::new();
    for at in places(position) {
        let here = point(size, at);
        let color = position[at.1][at.0];
        assert_eq!(board.color(here), color);
        assert_eq!(board.is_empty(here), color.is_none());
        assert_eq!(board.neighborhood(here), neighborhood(position, at));
        let Some(color) = color else {
            empties.push(at);
            continue;
        };
        counts[color.index()] += 1;
        let stones = chain(position, at);
        // One comparison a chain is enough, as long as its stones agree on its name.
        let fast = board.chain_at(here);
        assert_eq!(fast, board.chain_at(point(size, stones[0])));
        if stones[0] == at {
            let liberties = liberties(position, &stones);
            assert_eq!(board.chain_size(fast), stones.len());
            assert_eq!(sorted(board.stones(fast).map(|stone| place(size, stone)).collect()), stones);
            assert_eq!(board.liberty_count(fast), liberties.len());
            let fast_liberties = board.liberties(fast).map(|liberty| place(size, liberty));
            assert_eq!(sorted(fast_liberties.collect()), liberties);
            assert_eq!(board.first_liberty(fast), board.liberties(fast).next());
        }
    }
    assert_eq!(Color::BOTH.map(|color| board.stone_count(color)), counts);
    empties.sort();
    assert_eq!(sorted(board.empties().iter().map(|&empty| place(size, empty)).collect()), empties);
}

fn neighborhood(position: &Position, (x, y): Place) -> Neighborhood {
    Neighborhood::new(Neighborhood::STEPS.map(|(dx, dy)| {
        let (x, y) = (x.checked_add_signed(dx), y.checked_add_signed(dy));
        let stone = y.and_then(|y| position.get(y)).and_then(|row| row.get(x?));
        stone.map_or(Cell::Wall, |stone| stone.map_or(Cell::Empty, Color::cell))
    }))
}

fn compare_legality(game: &Game, slow: &SlowGame) -> Bans {
    let (board, size) = (game.board(), game.size());
    let mut bans = Bans::default();
    for color in Color::BOTH {
        let mut ko = None;
        for at in places(&slow.position) {
            let here = point(size, at);
            let expected = slow.try_play(color, at).map(|_| ());
            assert_eq!(game.legality(color, here), expected, "{color} at {at:?}");
            if !board.is_empty(here) {
                continue;
            }
            let suicided = outcome(&slow.position, color, at).suicided;
            match expected {
                Err(IllegalMove::Ko) => {
                    bans.ko += 1;
                    ko = Some(here);
                }
                Err(IllegalMove::Superko) => bans.superko += usize::from(suicided != 1),
                Err(IllegalMove::Suicide) => bans.suicide += 1,
                _ => {}
            }
            assert_eq!(board.is_suicide(here, color), suicided > 0);
            let banned = board.ko_point(color) == Some(here);
            assert_eq!(board.is_legal_no_suicide(here, color), suicided == 0 && !banned);
        }
        assert_eq!(board.ko_point(color), ko);
    }
    bans
}
