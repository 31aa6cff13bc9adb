//! How far a move is from the last moves, by `dx + dy + max(dx, dy)` as in Ray.

use super::feature::{TO_BEFORE_LAST, TO_LAST};
use super::gammas::Gammas;
use tesuji_board::{Point, Size};

/// Steps that the greatest distance that counts goes along a line.
pub(super) const REACH: usize = 2;
/// Rows of the points near the last move.
pub(super) const ROWS: usize = 2 * REACH + 1;
/// Points of a row that are multiplied together; those behind the last one that is near are multiplied by 1.
pub(super) const LANES: usize = 8;

/// The value of a distance: 1 for the points beside a point, 0 for those too far away.
fn class(dx: usize, dy: usize, classes: usize) -> usize {
    match dx + dy + dx.max(dy) {
        distance @ 2.. if distance < 2 + classes => distance - 1,
        _ => 0,
    }
}

/// The value of the distance between two points, of so many that are told apart.
pub(super) fn between(size: Size, a: Point, b: Point, classes: usize) -> u8 {
    class(size.x(a).abs_diff(size.x(b)), size.y(a).abs_diff(size.y(b)), classes) as u8
}

/// What the points near a move are multiplied by, row by row, from the one two steps to the north-west. In rows above and below the
/// board nobody plays, but a row that goes on past a side of the board would meet another row.
pub(super) type Window = [[f32; LANES]; ROWS];

/// The windows of a move in each column of a board.
#[derive(Clone, Default)]
pub(super) struct Windows {
    /// Around the last move, and around the one before it.
    by_column: Vec<[Window; 2]>,
}

impl Windows {
    /// Makes them those of a size.
    pub(super) fn fit(&mut self, size: Size, gammas: &Gammas) {
        let both =
            |column| [TO_LAST, TO_BEFORE_LAST].map(|group| window(column, size.width(), group, gammas));
        self.by_column = (0..size.width()).map(both).collect();
    }

    /// Around a move in a column, if it is the last, and if it is the one before.
    #[inline(always)]
    pub(super) fn around(&self, column: usize) -> &[Window; 2] {
        &self.by_column[column]
    }
}

fn window(column: usize, width: usize, group: usize, gammas: &Gammas) -> Window {
    let classes = super::GROUPS[group].values.len() - 1;
    std::array::from_fn(|row| {
        std::array::from_fn(|lane| {
            let is_on_board = (REACH..width + REACH).contains(&(column + lane));
            match class(lane.abs_diff(REACH), row.abs_diff(REACH), classes) {
                class if is_on_board => gammas.of(group, class as u8),
                _ => 1.0,
            }
        })
    })
}
