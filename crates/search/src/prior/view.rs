//! A position as the shapes around its points: hashes of stones within growing distances.
//!
//! A shape is seen by the player to move, and the stone played last is a kind of its own, so that answers to a move are told
//! from moves that merely have the same stones around them. Distance is `dx + dy + max(dx, dy)`, which makes nearly
//! round neighbourhoods (Stern, Herbrich, Graepel 2006; Coulom 2007).

use crate::playout::Position;
use std::sync::LazyLock;
use tesuji_board::{Board, Cell, MAX_SIDE, Move, Point, Size};

/// Kinds of shapes: the eight points around with liberties, then stones alone within distances 4, 6 and 8.
pub const LEVELS: usize = 4;

/// Greatest distance of a level, after the first.
const REACHES: [usize; LEVELS - 1] = [4, 6, 8];
/// Steps within the greatest distance.
const STEPS: usize = 48;
/// Farthest step along a line.
const BORDER: usize = 4;
const STRIDE: usize = MAX_SIDE as usize + 2 * BORDER;

/// Codes of cells; an empty cell is 0.
const OWN: u8 = 1;
const OPPONENT: u8 = 2;
const JUST_PLAYED: u8 = 3;
const WALL: u8 = 4;
/// Codes of cells with liberties go on from here: own stones with 1, 2, 3 liberties or more, then the opponent's.
const WITH_LIBERTIES: u8 = 5;
const CODES: usize = 11;

/// The shapes around one point, smallest first.
pub type Shapes = [u32; LEVELS];

/// The cells of a position as the player to move sees them.
#[derive(Clone)]
pub struct View {
    size: Size,
    stones: Box<[u8; STRIDE * STRIDE]>,
    liberties: Box<[u8; STRIDE * STRIDE]>,
}

impl View {
    /// A view of an empty board.
    pub fn new() -> View {
        View {
            size: Size::square(9).expect("a legal size"),
            stones: Box::new([WALL; STRIDE * STRIDE]),
            liberties: Box::new([WALL; STRIDE * STRIDE]),
        }
    }

    /// Looks at a position.
    pub fn look_at(&mut self, position: &Position) {
        let (board, own) = (&position.board, position.to_move);
        if self.size != board.size() {
            self.size = board.size();
            self.stones.fill(WALL);
            self.liberties.fill(WALL);
        }
        for point in self.size.points() {
            let at = index(self.size, point);
            let (stones, liberties) = match board.cell(point) {
                Cell::Empty | Cell::Wall => (0, 0),
                cell if cell == own.cell() => (OWN, WITH_LIBERTIES + liberty_class(board, point)),
                _ if position.last == Move::Play(point) => {
                    (JUST_PLAYED, WITH_LIBERTIES + 3 + liberty_class(board, point))
                }
                _ => (OPPONENT, WITH_LIBERTIES + 3 + liberty_class(board, point)),
            };
            self.stones[at] = stones;
            self.liberties[at] = liberties;
        }
    }

    /// The shapes around a point; one name for what is the same but for its orientation.
    #[inline]
    pub fn shapes(&self, point: Point) -> Shapes {
        let table = &*TABLE;
        let center = index(self.size, point);
        let cell = |cells: &[u8; STRIDE * STRIDE], step: usize| {
            usize::from(cells[center.wrapping_add_signed(table.offsets[step])])
        };
        let mut hash = [0; 8];
        (0..8).for_each(|step| mix(&mut hash, &table.zobrist[step][cell(&self.liberties, step)]));
        let mut shapes = [least(&hash); LEVELS];
        hash = [0; 8];
        let mut step = 0;
        for (level, &end) in table.ends.iter().enumerate() {
            while step < end {
                mix(&mut hash, &table.zobrist[step][cell(&self.stones, step)]);
                step += 1;
            }
            // One level must not be mistaken for another.
            shapes[level + 1] = least(&hash).wrapping_add((level as u32 + 1) << 28);
        }
        shapes
    }
}

/// The hashes of eight orientations at once: one instruction of the vector unit.
#[inline(always)]
fn mix(hash: &mut [u32; 8], numbers: &[u32; 8]) {
    (0..8).for_each(|symmetry| hash[symmetry] ^= numbers[symmetry]);
}

#[inline(always)]
fn least(hash: &[u32; 8]) -> u32 {
    hash.iter().copied().fold(u32::MAX, u32::min)
}

impl Default for View {
    fn default() -> View {
        View::new()
    }
}

fn index(size: Size, point: Point) -> usize {
    (size.y(point) + BORDER) * STRIDE + size.x(point) + BORDER
}

/// 0 in atari, 1 with two liberties, 2 with more.
fn liberty_class(board: &Board, stone: Point) -> u8 {
    board.liberty_count(board.chain_at(stone)).clamp(1, 3) as u8 - 1
}

struct Table {
    offsets: [isize; STEPS],
    /// Number of steps within each of `REACHES`.
    ends: [usize; LEVELS - 1],
    /// By step, code and symmetry.
    zobrist: [[[u32; 8]; CODES]; STEPS],
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let reach = BORDER as isize;
    let mut steps: Vec<(isize, isize)> =
        (-reach..=reach).flat_map(|dy| (-reach..=reach).map(move |dx| (dx, dy))).collect();
    let distance = |&(dx, dy): &(isize, isize)| (dx.abs() + dy.abs() + dx.abs().max(dy.abs())) as usize;
    steps.retain(|step| (1..=REACHES[LEVELS - 2]).contains(&distance(step)));
    steps.sort_by_key(distance);
    let image = |(dx, dy): (isize, isize), symmetry: usize| {
        let (dx, dy) = if symmetry & 1 == 0 { (dx, dy) } else { (dy, dx) };
        let dx = if symmetry & 2 == 0 { dx } else { -dx };
        (dx, if symmetry & 4 == 0 { dy } else { -dy })
    };
    let mut rng = crate::rng::Rng::new(0x7E5);
    let mut zobrist = [[[0; 8]; CODES]; STEPS];
    for step in 0..STEPS {
        for code in 1..CODES {
            zobrist[step][code][0] = rng.next_u64() as u32;
        }
    }
    for symmetry in 1..8 {
        for step in 0..STEPS {
            let to = steps.iter().position(|&other| other == image(steps[step], symmetry));
            let to = to.expect("a symmetry keeps distances");
            (0..CODES).for_each(|code| zobrist[step][code][symmetry] = zobrist[to][code][0]);
        }
    }
    let offsets = std::array::from_fn(|step| steps[step].1 * STRIDE as isize + steps[step].0);
    let ends = REACHES.map(|reach| steps.iter().filter(|step| distance(step) <= reach).count());
    Table { offsets, ends, zobrist }
});

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_board::{Color, Diagram, Symmetry};

    fn shapes(board: &Board, last: Point, point: Point) -> Shapes {
        let mut view = View::new();
        let mut position = Position::new(board.clone(), Color::Black);
        position.last = Move::Play(last);
        view.look_at(&position);
        view.shapes(point)
    }

    #[test]
    fn a_shape_has_one_name_in_all_orientations() {
        let diagram = ". . . . . . .\n. X O . . . .\n. . a O . . .\n. b . X . . .\n. . . . . . .\n. . . . . . O\n. . . . . . .";
        let parsed = Diagram::parse(diagram).unwrap();
        let size = parsed.board.size();
        let (a, b) = (parsed.point('a').unwrap(), parsed.point('b').unwrap());
        let last = size.point(3, 2).unwrap();
        let name = shapes(&parsed.board, last, a);
        for symmetry in Symmetry::ALL {
            let turn = |point| symmetry.point(size, point);
            assert_eq!(shapes(&symmetry.board(&parsed.board), turn(last), turn(a)), name);
        }
        let other = shapes(&parsed.board, last, b);
        assert!(name.iter().zip(&other).all(|(one, other)| one != other));
        // The far stone is out of reach for all but the largest shape.
        let elsewhere = shapes(&parsed.board, size.point(6, 5).unwrap(), a);
        assert_eq!(elsewhere[0], name[0], "which stone was played last is not part of the smallest shape");
        assert_ne!(elsewhere[1], name[1]);
    }
}
