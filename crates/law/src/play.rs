//! A move is accepted if and only if it is legal, and undo restores everything.
//!
//! An input is a program: its first bytes choose size and rules, the rest are moves of either colour, passes and undos.

use tesuji_board::{Board, Color, Game, IllegalMove, KoRule, Move, Point, Rules, Size, Suicide, hash_after};

use crate::{Law, Reception};

pub(crate) const LAW: Law = Law {
    name: "play",
    statement: "a move is accepted iff it is legal, and changes nothing if not; undo restores everything",
    check,
    examples: &[
        &[0, 0],
        &[5, 5, 0, 0],
        &[0, 0, 0, 0, 2, 4, 6, 1, 3, 5, 7],
        &[1, 1, 1, 0, 4, 8, 12, 16, 2, 6, 10, 14, 3, 250, 1, 5],
        &[3, 3, 2, 0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 253, 110, 120, 255, 1, 3, 5],
        &[2, 5, 4, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 252, 251, 9, 8, 7],
        &[7, 7, 5, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35],
    ],
    words: &[
        &[0, 2, 1, 3],
        &[4, 6, 5, 7],
        &[255],
        &[253, 253],
        &[8, 9, 10, 11, 12, 13, 14, 15],
        &[2, 5, 2, 5],
    ],
};

/// Bytes from here on are no points: undos, and passes of both colours.
const FIRST_SPECIAL: u8 = 248;

fn check(input: &[u8]) -> Reception {
    let [width, height, rules, steps @ ..] = input else { return Reception::Refused };
    // Small boards: there the rare events happen.
    let side = |byte: u8| 2 + usize::from(byte % 8);
    let Ok(size) = Size::new(side(*width), side(*height)) else { return Reception::Refused };
    let points: Vec<Point> = size.points().collect();
    let mut game = Game::new(size, rules_of(*rules));
    let mut boards = vec![game.board().clone()];
    let (mut legal, mut illegal) = (0, 0);
    for &step in steps {
        let color = if step.is_multiple_of(2) { Color::Black } else { Color::White };
        match step {
            250.. => {
                game.play(color, Move::Pass).expect("a pass is legal");
                boards.push(game.board().clone());
            }
            FIRST_SPECIAL.. => {
                let count = 1 + usize::from(step - FIRST_SPECIAL) * 3;
                assert_eq!(game.undo(count).is_ok(), count < boards.len());
                if count < boards.len() {
                    boards.truncate(boards.len() - count);
                }
            }
            _ => {
                let point = points[usize::from(step / 2) % points.len()];
                if try_move(&mut game, &boards[boards.len() - 1], color, point) {
                    legal += 1;
                    boards.push(game.board().clone());
                } else {
                    illegal += 1;
                }
            }
        }
        assert_eq!(game.move_number() + 1, boards.len());
        assert_same(game.board(), &boards[boards.len() - 1]);
    }
    while boards.len() > 1 {
        boards.pop();
        game.undo(1).expect("there is a move to undo");
        assert_same(game.board(), &boards[boards.len() - 1]);
    }
    assert!(game.undo(1).is_err());
    // Only a game with both kinds of move has tested the law.
    if legal > 0 && illegal > 0 { Reception::Accepted } else { Reception::Refused }
}

/// Plays if it is legal, and checks everything that is known about the move without the board's own update.
fn try_move(game: &mut Game, before: &Board, color: Color, point: Point) -> bool {
    let legality = game.legality(color, point);
    assert_eq!(game.legal_points(color).any(|legal| legal == point), legality.is_ok());
    let (moves, positions) = (game.move_number(), game.history().situations().len());
    assert_eq!(game.play(color, Move::Play(point)), legality);
    let hash = game.board().hash();
    match legality {
        Ok(()) => {
            assert!(before.is_empty(point));
            assert_eq!(hash, hash_after(before, point, color));
            assert_eq!(game.last_move(), Some((color, Move::Play(point))));
            if game.rules().ko == KoRule::Positional {
                assert!(game.history().situations()[..positions].iter().all(|&(earlier, _)| earlier != hash));
            }
        }
        Err(illegal) => {
            assert_eq!(before.is_empty(point), illegal != IllegalMove::Occupied);
            assert_ne!((illegal, game.rules().suicide), (IllegalMove::Suicide, Suicide::Allowed));
            assert_ne!((illegal, game.rules().ko), (IllegalMove::Superko, KoRule::Simple));
            assert_eq!((game.move_number(), game.history().situations().len()), (moves, positions));
        }
    }
    legality.is_ok()
}

fn assert_same(board: &Board, expected: &Board) {
    assert_eq!(board.hash(), expected.hash());
    for color in Color::BOTH {
        assert_eq!(board.ko_point(color), expected.ko_point(color));
        assert_eq!(board.prisoners(color), expected.prisoners(color));
        assert_eq!(board.stone_count(color), expected.stone_count(color));
    }
    for point in board.size().points() {
        assert_eq!(board.color(point), expected.color(point));
        if board.color(point).is_some() {
            let liberties = |board: &Board| board.liberty_count(board.chain_at(point));
            assert_eq!(liberties(board), liberties(expected));
            assert!(liberties(board) > 0);
        }
    }
}

fn rules_of(byte: u8) -> Rules {
    let ko = [KoRule::Simple, KoRule::Positional, KoRule::Situational][usize::from(byte % 3)];
    let suicide = if (byte / 3).is_multiple_of(2) { Suicide::Forbidden } else { Suicide::Allowed };
    Rules { ko, suicide, ..Rules::default() }
}
