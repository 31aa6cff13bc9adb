//! Safe calls with points and chains of another board, or of an earlier position: the answer may be of no use, but
//! every index stays inside its array.
//!
//! Debug builds check the index of every unchecked access and of every point that is made, so a call that
//! would read outside in a release build panics here.

use tesuji_board::{Board, Cell, Chain, Color, Move, Point, Size, Suicide, UndoLog};

fn sizes() -> Vec<Size> {
    [(2, 2), (2, 25), (25, 2), (3, 5), (9, 9), (19, 19), (24, 25), (25, 25)]
        .map(|(width, height)| Size::new(width, height).unwrap())
        .to_vec()
}

/// Some stones of both colours, with captures: small boards fill up several times over.
fn played(size: Size) -> Board {
    let mut board = Board::new(size);
    let mut number = 1_u64;
    for turn in 0..300 {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let Some(&point) = board.empties().get((number >> 33) as usize % board.empties().len().max(1)) else {
            break;
        };
        let _ = board.play(point, Color::BOTH[turn % 2], Suicide::Allowed);
    }
    board
}

fn is_a_point_of_some_board(point: Point) -> bool {
    Move::from_code(Move::Play(point).code()) == Move::Play(point)
}

/// Asks everything that takes a point.
fn ask_about_point(board: &Board, point: Point) {
    let cells = [Cell::Empty, Cell::Black, Cell::White, Cell::Wall];
    let sides = cells.iter().flat_map(|&cell| board.sides(point, cell));
    for side in sides.chain(board.empty_around(point)) {
        assert!(is_a_point_of_some_board(side), "{side:?} beside {point:?}");
        ask_about_chain(board, board.chain_at(side));
        assert!(board.sides(side, Cell::Empty).count() <= 4);
    }
    for color in Color::BOTH {
        let _ = board.legality(point, color, Suicide::Forbidden);
        let _ = board.is_suicide(point, color);
        let _ = board.is_legal_no_suicide(point, color);
        let _ = board.is_self_atari(point, color);
        let _ = board.liberties_after(point, color, 4);
        for chain in board.chains_beside(point, color) {
            ask_about_chain(board, chain);
        }
    }
    let chain = board.chain_at(point);
    ask_about_chain(board, chain);
    assert_eq!(board.color(point).is_some(), board.chain_size(chain) > 0, "{point:?}");
}

/// Asks everything that takes a chain.
fn ask_about_chain(board: &Board, chain: Chain) {
    assert!(board.stones(chain).take(1000).count() < 1000, "stones of {chain:?} do not end");
    assert!(board.stones(chain).all(is_a_point_of_some_board));
    assert!(board.liberties(chain).all(is_a_point_of_some_board));
    assert!(board.first_liberty(chain).is_none_or(is_a_point_of_some_board));
    assert_eq!(
        board.liberty_count(chain) == 0 && board.chain_size(chain) == 0,
        board.stones(chain).count() == 0
    );
}

#[test]
fn an_empty_point_has_a_chain_without_stones_and_liberties() {
    let size = Size::square(3).unwrap();
    let at = |x, y| size.point(x, y).unwrap();
    let mut board = Board::new(size);
    let is_nothing = |board: &Board, point| {
        let chain = board.chain_at(point);
        board.stones(chain).count() + board.liberties(chain).count() == 0
            && board.chain_size(chain) + board.liberty_count(chain) == 0
    };
    assert!(size.points().all(|point| is_nothing(&board, point)));
    for (x, y, color) in [(0, 0, Color::White), (1, 0, Color::Black), (0, 1, Color::Black)] {
        board.play(at(x, y), color, Suicide::Forbidden).unwrap();
    }
    assert!(board.is_empty(at(0, 0)) && is_nothing(&board, at(0, 0)), "a captured stone leaves no chain");
    assert!(!is_nothing(&board, at(1, 0)));
}

#[test]
#[should_panic(expected = "a chain without stones")]
fn the_chain_of_an_empty_point_names_no_stone() {
    let size = Size::square(9).unwrap();
    let board = Board::new(size);
    let _ = board.chain_at(size.point(4, 4).unwrap()).stone();
}

#[test]
fn points_of_another_size_are_harmless() {
    for size in sizes() {
        let board = played(size);
        for other in sizes() {
            other.points().for_each(|point| ask_about_point(&board, point));
        }
    }
}

#[test]
fn the_wall_is_no_point() {
    for size in sizes() {
        let board = Board::new(size);
        assert!(size.points().all(|point| board.sides(point, Cell::Wall).count() == 0));
    }
}

#[test]
fn chains_of_another_board_are_harmless() {
    for size in sizes() {
        let mut board = played(size);
        for other in sizes() {
            let foreign = played(other);
            for point in other.points() {
                ask_about_chain(&board, foreign.chain_at(point));
            }
            // Also where a board was another one before.
            let mut reused = foreign.clone();
            reused.copy_from(&board);
            for point in other.points() {
                ask_about_chain(&reused, foreign.chain_at(point));
                ask_about_point(&reused, point);
            }
        }
        // A chain of an earlier position.
        let before = board.clone();
        for (turn, point) in size.points().enumerate() {
            let _ = board.play(point, Color::BOTH[turn / 7 % 2], Suicide::Allowed);
        }
        size.points().for_each(|point| ask_about_chain(&board, before.chain_at(point)));
    }
}

#[test]
fn a_copy_forgets_the_larger_board_it_was() {
    let (small, large) = (Size::square(5).unwrap(), Size::square(19).unwrap());
    let mut board = played(large);
    board.copy_from(&Board::new(small));
    let is_outside = |point: &Point| !small.contains(*point);
    assert!(large.points().filter(is_outside).all(|point| board.cell(point) == Cell::Wall));
}

/// The log of one board used on another, of any size: refused, or of no use, but harmless.
#[test]
fn a_log_of_another_board_is_harmless() {
    let boards: Vec<Board> = sizes().into_iter().map(played).collect();
    let (mut refused, mut taken) = (0, 0);
    for (i, board) in boards.iter().enumerate() {
        for (j, other) in boards.iter().enumerate().filter(|&(j, _)| j != i) {
            let mut log = UndoLog::new();
            let mut source = other.clone();
            for (turn, point) in other.size().points().enumerate() {
                let color = Color::BOTH[turn / 3 % 2];
                if source.legality(point, color, Suicide::Forbidden).is_ok() {
                    source.play_recorded(point, color, &mut log);
                }
            }
            assert!(!log.is_empty() || j == 0, "{}", other.size());
            while !log.is_empty() {
                let mut board = board.clone();
                let undone = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    board.undo(&mut log);
                    board.size().points().for_each(|point| ask_about_point(&board, point));
                }));
                taken += usize::from(undone.is_ok());
                let message =
                    undone.err().map(|error| error.downcast_ref::<&str>().map(|text| (*text).to_owned()));
                if let Some(message) = message {
                    assert_eq!(message.as_deref(), Some("no such move was made on this board"));
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 1000 && taken == 0, "{refused} refused, {taken} taken");
}

#[test]
fn no_stone_is_put_outside_or_on_another() {
    let (small, large) = (Size::square(5).unwrap(), Size::square(25).unwrap());
    let outside = large.points().last().unwrap();
    let taken = small.point(2, 2).unwrap();
    for point in [outside, taken] {
        for move_of in [Board::play_unchecked, Board::set_up] {
            let result = std::panic::catch_unwind(|| {
                let mut board = Board::new(small);
                board.play_unchecked(taken, Color::White);
                move_of(&mut board, point, Color::Black);
            });
            let message = *result.expect_err("must be refused").downcast::<String>().unwrap();
            assert!(message.contains("is not an empty point of this board"), "{message}");
        }
    }
}
