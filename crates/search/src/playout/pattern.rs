//! 3×3 patterns around the last two moves: hane, cut and edge shapes as in MoGo (Gelly, Wang, Munos, Teytaud 2006).

use super::compose::pick;
use super::{Position, Rule};
use crate::rng::Rng;
use arrayvec::ArrayVec;
use std::sync::LazyLock;
use tesuji_board::{Board, Cell, Color, Move, Neighborhood, Point};

/// Plays a pattern move beside one of the last two moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct PatternNearby;

impl Rule for PatternNearby {
    #[inline(always)]
    fn propose(&mut self, position: &mut Position, rng: &mut Rng) -> Option<Point> {
        let (board, color) = (&position.board, position.to_move);
        let table = &TABLE[color.index()];
        let mut moves = ArrayVec::<Point, 16>::new();
        let mut add = |mv: Move| {
            let Move::Play(center) = mv else { return };
            for point in board.empty_around(center) {
                if table.contains(board.neighborhood(point))
                    && !moves.contains(&point)
                    && board.is_legal_no_suicide(point, color)
                    && !board.is_self_atari(point, color)
                {
                    moves.push(point);
                }
            }
        };
        add(position.last);
        add(position.before_last);
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

/// One bit per neighbourhood code.
struct CodeSet(Box<[u64; 1024]>);

impl CodeSet {
    #[inline(always)]
    fn contains(&self, code: Neighborhood) -> bool {
        self.0[usize::from(code.0 >> 6)] >> (code.0 & 63) & 1 != 0
    }
}

/// By the colour to move.
static TABLE: LazyLock<[CodeSet; 2]> = LazyLock::new(|| Color::BOTH.map(code_set));

fn code_set(mover: Color) -> CodeSet {
    let mut bits = Box::new([0_u64; 1024]);
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
            for code in 0..=u16::MAX {
                let fits = |x: Color| (0..8).all(|i| field_fits(wanted[i], Neighborhood(code).cell(i), x));
                if fits(mover) || (colors == Colors::Either && fits(!mover)) {
                    bits[usize::from(code >> 6)] |= 1 << (code & 63);
                }
            }
        }
    }
    CodeSet(bits)
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
