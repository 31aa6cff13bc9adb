//! 3×3 patterns around the last move: hane, cut and edge shapes as in MoGo (Gelly, Wang, Munos, Teytaud 2006).

use super::compose::pick;
use super::{PlayoutRule, Position};
use crate::rng::Rng;
use arrayvec::ArrayVec;
use std::sync::LazyLock;
use tesuji_board::{Board, Cell, Color, Move, Neighborhood, NeighborhoodSet, Point};

/// Plays a pattern move beside the last move.
#[derive(Clone, Copy, Debug, Default)]
pub struct PatternNearby;

impl PlayoutRule for PatternNearby {
    #[inline(always)]
    fn propose(&mut self, position: &mut Position, rng: &mut Rng) -> Option<Point> {
        let (board, color) = (&position.board, position.to_move);
        let table = &TABLE[color.index()];
        let Move::Play(last) = position.last else { return None };
        let mut moves = ArrayVec::<Point, 8>::new();
        for point in board.empty_around(last) {
            if table.contains(board.neighborhood(point))
                && board.is_legal_no_suicide(point, color)
                && !board.is_self_atari(point, color)
            {
                moves.push(point);
            }
        }
        pick(&moves, rng)
    }
}

/// Whether a pattern recommends `color` to play on the empty `point`.
pub fn matches_pattern(board: &Board, point: Point, color: Color) -> bool {
    TABLE[color.index()].contains(board.neighborhood(point))
}

/// Row by row, the centre being the move of X. Upper-case: X mover, O opponent, `.` empty, `#` wall;
/// `?` anything, `x` not X, `o` not O. Matched in all symmetries and with colours exchanged unless `MOVER_ONLY`.
const PATTERNS: [(&str, Colors); 13] = [
    // Hane: enclosing, non-cutting, magari.
    ("XOX ... ???", Colors::Either),
    ("XO. ... ?.?", Colors::Either),
    ("XO? X.. x.?", Colors::Either),
    // Katatsuke or diagonal attachment.
    (".O. X.. ...", Colors::Either),
    // Cuts: unprotected, peeped, keima.
    ("XO? O.o ?o?", Colors::Either),
    ("XO? O.X ???", Colors::Either),
    ("?X? O.O ooo", Colors::Either),
    ("OX? o.O ???", Colors::Either),
    // Edge: chase, block, connection, sagari, hane.
    ("X.? O.? ###", Colors::Either),
    ("OX? X.O ###", Colors::Either),
    ("?X? o.O ###", Colors::MoverOnly),
    ("?XO o.o ###", Colors::Either),
    ("?OX X.O ###", Colors::MoverOnly),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Colors {
    Either,
    MoverOnly,
}

/// By the colour to move.
static TABLE: LazyLock<[NeighborhoodSet; 2]> = LazyLock::new(|| Color::BOTH.map(pattern_set));

fn pattern_set(mover: Color) -> NeighborhoodSet {
    let mut set = NeighborhoodSet::default();
    for (picture, colors) in PATTERNS {
        let fields: Vec<u8> = picture.bytes().filter(|&b| b != b' ').collect();
        for symmetry in 0..8 {
            // The eight neighbours in the order of Neighborhood::STEPS, seen through the symmetry.
            let wanted = Neighborhood::STEPS.map(|(dx, dy)| {
                let (dx, dy) = if symmetry & 1 == 0 { (dx, dy) } else { (dy, dx) };
                let dx = if symmetry & 2 == 0 { dx } else { -dx };
                let dy = if symmetry & 4 == 0 { dy } else { -dy };
                fields[((dy + 1) * 3 + dx + 1) as usize]
            });
            set.extend(fitting(&wanted, mover));
            if colors == Colors::Either {
                set.extend(fitting(&wanted, !mover));
            }
        }
    }
    set
}

/// The neighbourhoods whose cells are what the letters ask for; X is the colour `x`.
fn fitting(letters: &[u8; 8], x: Color) -> Vec<Neighborhood> {
    let mut codes = vec![0];
    for (i, &letter) in letters.iter().enumerate() {
        let cells = [Cell::Empty, Cell::Black, Cell::White, Cell::Wall];
        let fields: Vec<u16> = cells
            .into_iter()
            .filter(|&cell| field_fits(letter, cell, x))
            .map(|cell| (cell as u16) << (2 * i))
            .collect();
        codes = codes.iter().flat_map(|code| fields.iter().map(move |field| code | field)).collect();
    }
    codes.into_iter().map(Neighborhood).collect()
}

/// Whether a cell is what a pattern letter asks for, X being the colour `x`.
fn field_fits(letter: u8, cell: Cell, x: Color) -> bool {
    match letter {
        b'X' => cell == x.cell(),
        b'O' => cell == (!x).cell(),
        b'.' => cell == Cell::Empty,
        b'x' => cell != x.cell() && cell != Cell::Wall,
        b'o' => cell != (!x).cell() && cell != Cell::Wall,
        b'#' => cell == Cell::Wall,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_board::{Diagram, Size, Symmetry};

    /// Whether X is advised to play on the point called `a`, in all eight symmetries and with colours exchanged for O.
    fn check(diagram: &str, expected: bool) {
        let parsed = Diagram::parse(diagram).unwrap();
        let point = parsed.point('a').unwrap();
        let size: Size = parsed.board.size();
        for symmetry in Symmetry::ALL {
            let board = symmetry.board(&parsed.board);
            let turned = symmetry.point(size, point);
            assert_eq!(matches_pattern(&board, turned, Color::Black), expected, "{diagram}");
        }
    }

    #[test]
    fn known_shapes() {
        check(". . . . .\n. X O X .\n. . a . .\n. . . . .\n. . . . .", true);
        check(". . . . .\n. X O . .\n. O a . .\n. . . . .\n. . . . .", true);
        check(". . . . .\n. . . . .\n. . a . .\n. . . . .\n. . . . .", false);
        check(". . . . .\n. X X X .\n. X a X .\n. X X X .\n. . . . .", false);
        check(". . . . .\n. . . . .\n. . . . .\n. . X . .\n. . O a .", true);
    }

    #[test]
    fn the_table_is_not_trivial() {
        for color in Color::BOTH {
            let count = TABLE[color.index()].count();
            assert!((3000..20_000).contains(&count), "{count} codes for {color}");
        }
    }
}
