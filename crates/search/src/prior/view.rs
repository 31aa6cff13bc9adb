//! A position as the shapes around its points: hashes of stones within growing distances.
//!
//! A shape is seen by the player to move, and the stone played last is a kind of its own, so that answers to a move are told
//! from moves that merely have the same stones around them. Distance is `dx + dy + max(dx, dy)`, which makes nearly
//! round neighbourhoods (Stern, Herbrich, Graepel 2006; Coulom 2007).

use crate::playout::Position;
use std::sync::LazyLock;
use tesuji_board::{MAX_SIDE, Move, Point, Size, Symmetry};

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
/// Codes of stones with liberties go on from here: own ones with 1, 2, 3 liberties or more, then the opponent's.
const WITH_LIBERTIES: u8 = 5;
const CODES: usize = 11;

/// The shapes around one point, smallest first.
pub type Shapes = [u32; LEVELS];

/// The hashes of a cell in eight orientations: one register of the vector unit.
type Hashes = [u32; 8];

/// The shapes around all points of a position, as the player to move sees them.
///
/// Every stone adds itself to the points around it, which is less work than every point collecting the stones around it: most
/// cells are empty, and walls are the same in all positions of a size.
#[derive(Clone)]
pub struct View {
    size: Size,
    /// By cell: the shape with liberties, then what each further level adds.
    shapes: Vec<[Hashes; LEVELS]>,
    /// The same on an empty board.
    walls: Vec<[Hashes; LEVELS]>,
}

impl View {
    /// A view of an empty board.
    pub fn new() -> View {
        let size = Size::square(9).expect("a legal size");
        let walls = walls(size);
        View { size, shapes: walls.clone(), walls }
    }

    /// Looks at a position.
    pub fn look_at(&mut self, position: &Position) {
        let (board, own) = (&position.board, position.to_move);
        if self.size != board.size() {
            self.size = board.size();
            self.walls = walls(self.size);
        }
        for row in 0..self.size.height() {
            let start = (BORDER + row) * STRIDE + BORDER;
            let cells = start..start + self.size.width();
            self.shapes[cells.clone()].copy_from_slice(&self.walls[cells]);
        }
        for (representative, color) in board.chain_representatives() {
            let chain = board.chain_at(representative);
            let liberties = board.liberty_count(chain).clamp(1, 3) as u8 - 1;
            let (kind, with_liberties) =
                if color == own { (OWN, WITH_LIBERTIES) } else { (OPPONENT, WITH_LIBERTIES + 3) };
            for stone in board.stones(chain) {
                let kind =
                    if position.last == Move::Play(stone) && color != own { JUST_PLAYED } else { kind };
                add(&mut self.shapes, index(self.size, stone), kind, with_liberties + liberties);
            }
        }
    }

    /// The shapes around a point; one name for what is the same but for its orientation.
    #[inline]
    pub fn shapes(&self, point: Point) -> Shapes {
        let parts = &self.shapes[index(self.size, point)];
        let mut shapes = [least(&parts[0]); LEVELS];
        let mut hashes = [0; 8];
        for level in 1..LEVELS {
            mix(&mut hashes, &parts[level]);
            // One level must not be mistaken for another.
            shapes[level] = least(&hashes).wrapping_add((level as u32) << 28);
        }
        shapes
    }
}

/// Adds a cell to the shapes around it.
#[inline]
fn add(shapes: &mut [[Hashes; LEVELS]], cell: usize, kind: u8, with_liberties: u8) {
    let table = &*TABLE;
    for (step, &offset) in table.offsets.iter().enumerate() {
        // Shapes of cells off the board are nobody's business, but to leave them out would cost more.
        if let Some(shape) = shapes.get_mut(cell.wrapping_add_signed(-offset)) {
            mix(&mut shape[table.levels[step]], &table.zobrist[step][usize::from(kind)]);
            if step < 8 {
                mix(&mut shape[0], &table.zobrist[step][usize::from(with_liberties)]);
            }
        }
    }
}

/// The shapes of an empty board.
fn walls(size: Size) -> Vec<[Hashes; LEVELS]> {
    let mut shapes = vec![[[0; 8]; LEVELS]; STRIDE * STRIDE];
    let mut is_wall = vec![true; STRIDE * STRIDE];
    size.points().for_each(|point| is_wall[index(size, point)] = false);
    for cell in (0..STRIDE * STRIDE).filter(|&cell| is_wall[cell]) {
        add(&mut shapes, cell, WALL, WALL);
    }
    shapes
}

#[inline(always)]
fn mix(hashes: &mut Hashes, numbers: &Hashes) {
    (0..8).for_each(|symmetry| hashes[symmetry] ^= numbers[symmetry]);
}

#[inline(always)]
fn least(hashes: &Hashes) -> u32 {
    hashes.iter().copied().fold(u32::MAX, u32::min)
}

impl Default for View {
    fn default() -> View {
        View::new()
    }
}

fn index(size: Size, point: Point) -> usize {
    (size.y(point) + BORDER) * STRIDE + size.x(point) + BORDER
}

struct Table {
    offsets: [isize; STEPS],
    /// By step: the first level that reaches so far.
    levels: [usize; STEPS],
    /// By step and code.
    zobrist: [[Hashes; CODES]; STEPS],
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let reach = BORDER as isize;
    let mut steps: Vec<(isize, isize)> =
        (-reach..=reach).flat_map(|dy| (-reach..=reach).map(move |dx| (dx, dy))).collect();
    let distance = |&(dx, dy): &(isize, isize)| (dx.abs() + dy.abs() + dx.abs().max(dy.abs())) as usize;
    steps.retain(|step| (1..=REACHES[LEVELS - 2]).contains(&distance(step)));
    steps.sort_by_key(distance);
    let mut rng = crate::rng::Rng::new(0x7E5);
    let mut zobrist = [[[0; 8]; CODES]; STEPS];
    for numbers in &mut zobrist {
        // An empty cell has no number: it changes nothing.
        numbers[1..].iter_mut().for_each(|number| number[0] = rng.next_u64() as u32);
    }
    for symmetry in 1..8 {
        for step in 0..STEPS {
            let image = Symmetry::ALL[symmetry].step(steps[step]);
            let to = steps.iter().position(|&other| other == image);
            let to = to.expect("a symmetry keeps distances");
            (0..CODES).for_each(|code| zobrist[step][code][symmetry] = zobrist[to][code][0]);
        }
    }
    let offsets = std::array::from_fn(|step| steps[step].1 * STRIDE as isize + steps[step].0);
    let level = |step: &(isize, isize)| 1 + REACHES.iter().filter(|&&reach| reach < distance(step)).count();
    Table { offsets, levels: std::array::from_fn(|step| level(&steps[step])), zobrist }
});

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_board::{Board, Color, Diagram};

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
