//! What there is to say about a move: the one list of features that learned playouts draw by and that their learning counts.
//!
//! A move has one value in each group, and its rate is the product of the gammas of its values. Two groups are shapes: the eight
//! points around and, where it is known, the twelve of [`Md2`], whose gamma corrects that of the eight. The others are
//! in [`GROUPS`]; value 0 is that there is nothing to say, and its gamma is 1. All are the same in every orientation and with
//! colours exchanged. The choice of features follows Ray (Kobayashi), the paper's engine.
//!
//! What depends on the board alone is a shape or one of the [`Tactics`]; the rest answers the last moves ([`distance`], [`response`]).

use super::distance;
use super::response::{self, Known};
use super::tactics::{SUICIDE, Tactics};
use crate::playout::{Position, is_sensible};
use tesuji_board::{Board, Color, Md2, Move, Neighborhood, Point, PointMap, canonical_neighborhood};

/// A group of features with few values.
pub struct Group {
    /// What it is about.
    pub name: &'static str,
    /// What each value means.
    pub values: &'static [&'static str],
}

/// The values of a move, one for each of [`GROUPS`].
pub type Values = [u8; GROUPS.len()];

/// Places in [`GROUPS`].
pub(super) const TO_LAST: usize = 0;
pub(super) const TO_BEFORE_LAST: usize = 1;
pub(super) const CAPTURE: usize = 2;
pub(super) const ESCAPE: usize = 3;
pub(super) const SELF_ATARI: usize = 4;
pub(super) const ATARI: usize = 5;
pub(super) const RESPONSE: usize = 6;

/// All groups but the shapes.
pub static GROUPS: [Group; 7] = [
    Group { name: "distance to the last move", values: &["far", "2", "3", "4", "5"] },
    Group { name: "distance to the move before the last", values: &["far", "2", "3"] },
    Group { name: "capture", values: &["none", "ko", "1 stone", "2 stones", "3 stones or more"] },
    Group {
        name: "escape",
        values: &[
            "none",
            "1 stone in atari to 3 liberties",
            "2 stones in atari to 3 liberties",
            "3 stones in atari to 3 liberties",
            "1 stone in atari to 2 liberties",
            "2 stones in atari to 2 liberties",
            "3 stones in atari to 2 liberties",
            "1 stone with 2 liberties to 3",
            "2-3 stones with 2 liberties to 3",
            "4 stones with 2 liberties to 3",
            "2 liberties stay 2",
        ],
    },
    Group {
        name: "self-atari",
        values: &["none", "1 stone", "2 stones", "a nakade shape", "4-5 stones", "6 stones or more"],
    },
    Group {
        name: "atari",
        values: &[
            "none",
            "on 1 stone",
            "on 2-3 stones",
            "on 4 stones",
            "on 1 stone by self-atari",
            "on 2-3 stones by self-atari",
            "on 4 stones by self-atari",
        ],
    },
    Group {
        name: "response to the last move",
        values: &[
            "none",
            "capture saves a chain left in atari",
            "capture saves a chain left with 2 liberties",
            "a chain left in atari gets 3 liberties",
            "a chain left in atari gets 2 liberties",
            "a chain left with 2 liberties gets 3",
            "capture of 1 stone just played",
            "capture of the chain just played",
            "atari on the chain just played",
            "atari on the chain just played by self-atari",
            "3 liberties of the chain just played become 2",
            "nakade",
        ],
    },
];

/// The most values of a group.
pub const MOST_VALUES: usize = 12;

/// All that there is to say about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    /// The eight points around, canonical for the player.
    pub near: Neighborhood,
    /// The twelve points around, canonical for the player.
    pub md2: Md2,
    /// The other groups.
    pub values: Values,
}

/// Finds the features of all moves of a position, for learning. Playouts keep theirs in [`super::Rates`].
pub struct FeatureReader {
    /// By point: how it answers the last move.
    responses: PointMap<u8>,
}

impl Default for FeatureReader {
    fn default() -> FeatureReader {
        FeatureReader { responses: PointMap::filled(0) }
    }
}

impl FeatureReader {
    /// Calls `visit` with every legal move that fills no own eye.
    pub fn read(&mut self, position: &Position, mut visit: impl FnMut(Point, Features)) {
        let (board, color) = (&position.board, position.to_move);
        self.look_at(position);
        for &point in board.empties() {
            if is_sensible(board, point, color) {
                let features = self.features(position, point);
                if features.values[SELF_ATARI] != SUICIDE {
                    visit(point, features);
                }
            }
        }
    }

    /// The features of one move, an empty point, of the position last looked at.
    pub fn features(&self, position: &Position, point: Point) -> Features {
        let (board, color) = (&position.board, position.to_move);
        let distance = |mv: Move, group: usize| {
            let classes = GROUPS[group].values.len() - 1;
            mv.point().map_or(0, |other| distance::between(board.size(), point, other, classes))
        };
        let tactics = Tactics::of(board, point, color);
        let mut values = Values::default();
        values[TO_LAST] = distance(position.last, TO_LAST);
        values[TO_BEFORE_LAST] = distance(position.before_last, TO_BEFORE_LAST);
        values[CAPTURE] = tactics.capture;
        values[ESCAPE] = tactics.escape;
        values[SELF_ATARI] = tactics.self_atari;
        values[ATARI] = tactics.atari;
        values[RESPONSE] = self.responses[point];
        let near = canonical_neighborhood(board.neighborhood(point), color);
        Features { near, md2: Md2::around(board, point).canonical(color), values }
    }

    /// Finds what answers the last move; [`FeatureReader::features`] then tells about single moves.
    pub fn look_at(&mut self, position: &Position) {
        self.responses.fill(0);
        if let Move::Play(last) = position.last {
            response::find(&position.board, last, position.to_move, &Unknown, &mut |point, response| {
                let known = &mut self.responses[point];
                *known = if *known == 0 { response } else { response.min(*known) };
            });
        }
    }
}

/// Nothing is kept for learning.
struct Unknown;

impl Known for Unknown {
    fn tactics(&self, board: &Board, point: Point, player: Color) -> Tactics {
        Tactics::of(board, point, player)
    }

    fn can_capture(&self, _player: Color) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playout::Light;
    use crate::playout::PlayoutRule;
    use crate::rng::Rng;
    use std::collections::HashMap;
    use tesuji_board::{Diagram, Move, Size, Symmetry};

    fn features(position: &Position) -> HashMap<Point, Features> {
        let mut all = HashMap::new();
        FeatureReader::default().read(position, |point, features| {
            all.insert(point, features);
        });
        all
    }

    fn exchanged(position: &Position) -> Position {
        let mut board = Board::new(position.board.size());
        for point in board.size().points() {
            if let Some(color) = position.board.color(point) {
                board.set_up(point, !color);
            }
        }
        for color in Color::BOTH {
            if let Some(point) = position.board.ko_point(color) {
                board.set_ko(point, !color);
            }
        }
        Position { board, to_move: !position.to_move, ..*position_moves(position) }
    }

    /// A copy, for its last moves.
    fn position_moves(position: &Position) -> Box<Position> {
        Box::new(position.clone())
    }

    /// The same features in every orientation and with colours exchanged; every value of every group comes up on the way.
    #[test]
    fn features_are_symmetric() {
        let size = Size::square(7).unwrap();
        let mut rng = Rng::new(11);
        let mut seen = [[0; MOST_VALUES]; GROUPS.len()];
        for _ in 0..150 {
            let mut position = Position::new(Board::new(size), Color::Black);
            for number in 0..70 {
                let point = Light.propose(&mut position, &mut rng);
                position.play(point.map_or(Move::Pass, Move::Play));
                if number % 3 > 0 {
                    continue;
                }
                let expected = features(&position);
                for features in expected.values() {
                    (0..GROUPS.len()).for_each(|group| seen[group][usize::from(features.values[group])] += 1);
                }
                assert_eq!(features(&exchanged(&position)), expected);
                let symmetry = Symmetry::ALL[rng.below(8)];
                let image = Position {
                    board: symmetry.board(&position.board),
                    to_move: position.to_move,
                    last: symmetry.play(size, position.last),
                    before_last: symmetry.play(size, position.before_last),
                };
                let found = features(&image);
                assert_eq!(found.len(), expected.len());
                for (&point, features) in &expected {
                    assert_eq!(found.get(&symmetry.point(size, point)), Some(features), "{}", position.board);
                }
            }
        }
        for (group, counts) in GROUPS.iter().zip(&seen) {
            for (value, name) in group.values.iter().enumerate() {
                assert!(counts[value] > 0, "{}: {name} never came up", group.name);
            }
        }
    }

    fn check(diagram: &str, last: char, group: usize, value: &str) {
        let parsed = Diagram::parse(diagram).unwrap();
        let mut position = Position::new(parsed.board.clone(), Color::Black);
        if let Some(point) = parsed.point(last) {
            position.board.set_up(point, Color::White);
            position.last = Move::Play(point);
        }
        let found = features(&position)[&parsed.point('a').unwrap()].values[group];
        assert_eq!(GROUPS[group].values[usize::from(found)], value, "{diagram}");
    }

    #[test]
    fn tactics_are_named() {
        check(". . X .\n. X O a\n. . X .\n. . . .", ' ', CAPTURE, "1 stone");
        check(". X O .\nX O a O\n. X O .\n. . . .", ' ', CAPTURE, "ko");
        check("a O .\n. O .\n. . .", ' ', SELF_ATARI, "1 stone");
        check(". O O O O .\nO X X X a O\n. O O O . O\n. . . . O .", ' ', ESCAPE, "none");
        check(". O . .\nO X a .\n. O . .\n. . . .", ' ', ESCAPE, "1 stone in atari to 3 liberties");
        check(". . . .\n. X O .\n. X a .\n. . . .", ' ', ATARI, "none");
        check(". X . .\nX O . .\n. a . .\n. . . .", ' ', ATARI, "on 1 stone");
        check("O X X . .\nb X O a .\n. O X . .\n. . X . .", ' ', CAPTURE, "1 stone");
    }

    /// Liberties after a move as the board after the move has them, and stones captured, against what the values say.
    #[test]
    fn tactics_agree_with_playing_the_move() {
        let size = Size::square(6).unwrap();
        let mut rng = Rng::new(12);
        let mut after = Board::new(size);
        let mut seen = 0;
        for _ in 0..200 {
            let mut position = Position::new(Board::new(size), Color::Black);
            for _ in 0..60 {
                let point = Light.propose(&mut position, &mut rng);
                position.play(point.map_or(Move::Pass, Move::Play));
                let (board, color) = (&position.board, position.to_move);
                for (&point, Features { values, .. }) in &features(&position) {
                    after.copy_from(board);
                    after.play_unchecked(point, color);
                    let captured = board.stone_count(!color) - after.stone_count(!color);
                    let liberties = after.liberty_count(after.chain_at(point));
                    assert_eq!(values[CAPTURE] > 0, captured > 0, "{board}");
                    assert_eq!(values[SELF_ATARI] > 0, captured == 0 && liberties == 1, "{board}");
                    assert!(values[ATARI] < 4 || liberties == 1, "{board}");
                    match values[ESCAPE] {
                        // Only counted by what is beside the point.
                        _ if captured > 0 => continue,
                        1..=3 | 7..=9 => assert!(liberties >= 2, "{board}"),
                        4..=6 | 10 => assert_eq!(liberties, 2, "{board}"),
                        _ => continue,
                    }
                    seen += 1;
                }
            }
        }
        assert!(seen > 5_000, "{seen}");
    }

    #[test]
    fn responses_are_named() {
        check(". b . .\nO X a .\n. O . .\n. . . .", 'b', RESPONSE, "a chain left in atari gets 3 liberties");
        check(". X . .\n. b a .\n. X . .\n. . . .", 'b', RESPONSE, "atari on the chain just played");
        check(". X O . .\nb O X a .\n. X O . .\n. . . . .", 'b', RESPONSE, "none");
        check(
            ". . . . .\n. . X . .\n. X b a .\n. . X . .\n. . . . .",
            'b',
            RESPONSE,
            "capture of 1 stone just played",
        );
        check(
            ". X . .\nX b a .\n. X . .\n. . . .",
            'b',
            RESPONSE,
            "capture saves a chain left with 2 liberties",
        );
        check(". O . . O\nO b a . O\nO O O O O", 'b', RESPONSE, "none");
        check("O O O O O O\nO . a . b O\nO O O O O .", 'b', RESPONSE, "nakade");
    }
}
