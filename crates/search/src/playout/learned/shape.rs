//! The gammas of shapes, found without a search: a table for the eight points around, and behind each of its entries one for the four points
//! two steps away.
//!
//! The eight points say which block of gammas to look into and which symmetry makes them canonical; the four far points, as that
//! symmetry maps them, say where in the block. So a shape costs four loads, none of which depends on how many shapes are known.

use super::table::GammaTable;
use crate::shape_table::ShapeTable;
use tesuji_board::{Cell, Color, Md2, Neighborhood, Symmetry, canonical_neighborhood};

/// Number of codes of the four far points.
const FAR_CODES: usize = 256;
/// Number of codes of the eight near points.
const NEAR_CODES: usize = 1 << 16;

/// The gammas of all shapes that can be on a board, for both players.
pub(super) struct ShapeGammas {
    /// By neighbourhood: the number of its block times 8, plus the symmetry that makes it canonical.
    blocks: Box<[u16; NEAR_CODES]>,
    /// By far points and symmetry.
    far_images: Box<[[u8; 8]; FAR_CODES]>,
    /// By block and far points: the upper halves of two floats, White's above Black's. 0 where a stone would fill an own eye.
    gammas: Vec<u32>,
}

impl ShapeGammas {
    /// The shapes of a table, after a change of its gammas.
    pub(super) fn new(table: &GammaTable, change: impl Fn(f32) -> f32) -> ShapeGammas {
        let mut shapes = ShapeGammas {
            blocks: filled(0),
            far_images: filled([0; 8]),
            // The block of neighbourhoods that are on no board.
            gammas: vec![0; FAR_CODES],
        };
        for (far, images) in shapes.far_images.iter_mut().enumerate() {
            *images = Symmetry::ALL.map(|symmetry| (Md2((far as u32) << 16).image(symmetry).0 >> 16) as u8);
        }
        let near =
            ShapeTable::new(table.near.iter().map(|&(code, gamma)| (u32::from(code.0), change(gamma))));
        let of_near = |code: Neighborhood, player: Color| match code.is_eye_of(player) {
            true => 0.0,
            false => near.get(u32::from(canonical_neighborhood(code, player).0)).unwrap_or(1.0),
        };
        for code in (0..=u16::MAX).map(Neighborhood).filter(|&code| is_possible(code)) {
            let canonical = canonical_neighborhood(code, Color::Black);
            let block = &mut shapes.blocks;
            // Codes come in order, and the canonical one is the least, so its block is there already.
            if canonical == code {
                block[usize::from(code.0)] = (shapes.gammas.len() / FAR_CODES * 8) as u16;
                let both = packed(Color::BOTH.map(|player| of_near(code, player)));
                shapes.gammas.extend([both; FAR_CODES]);
            } else {
                let maps = |&&symmetry: &&Symmetry| image(code, symmetry) == canonical;
                let symmetry = Symmetry::ALL.iter().find(maps).expect("an image of itself");
                block[usize::from(code.0)] = block[usize::from(canonical.0)] + symmetry.index() as u16;
            }
        }
        for &(code, gamma) in &table.md2 {
            for player in Color::BOTH {
                // What is canonical for a player with the stones of that player as Black's, with the colours as they are.
                let seen = code.canonical(player);
                for symmetry in Symmetry::ALL {
                    let seen = seen.image(symmetry);
                    let near = Neighborhood(seen.0 as u16);
                    let block = usize::from(shapes.blocks[usize::from(near.0)]);
                    if block > 0 && block % 8 == 0 {
                        let both = &mut shapes.gammas[block / 8 * FAR_CODES + (seen.0 >> 16) as usize];
                        let mut gammas = unpacked(*both);
                        gammas[player.index()] = of_near(near, player) * change(gamma);
                        *both = packed(gammas);
                    }
                }
            }
        }
        shapes
    }

    /// The gammas of a shape, by player.
    #[inline(always)]
    pub(super) fn get(&self, near: Neighborhood, far: u8) -> [f32; 2] {
        let block = self.blocks[usize::from(near.0)];
        let far = self.far_images[usize::from(far)][usize::from(block % 8)];
        unpacked(self.gammas[usize::from(block / 8) * FAR_CODES + usize::from(far)])
    }
}

/// Made on the heap: the stack of a thread is small.
pub(super) fn filled<T: Copy, const N: usize>(value: T) -> Box<[T; N]> {
    vec![value; N].into_boxed_slice().try_into().unwrap_or_else(|_| unreachable!("as long as asked for"))
}

/// Whether there are walls only where a board can have them: all of one row, of one column, or of one each.
fn is_possible(near: Neighborhood) -> bool {
    let is_wall = |i: usize| near.cell(i) == Cell::Wall;
    let walls = |step: (isize, isize)| {
        let beside = |wanted: (isize, isize)| {
            Neighborhood::STEPS.iter().position(|&step| step == wanted).is_some_and(is_wall)
        };
        beside((step.0, 0)) || beside((0, step.1))
    };
    let corners = (4..8).all(|i| is_wall(i) == walls(Neighborhood::STEPS[i]));
    corners && !(is_wall(0) && is_wall(3)) && !(is_wall(1) && is_wall(2))
}

fn image(code: Neighborhood, symmetry: Symmetry) -> Neighborhood {
    Neighborhood(Md2(u32::from(code.0)).image(symmetry).0 as u16)
}

fn packed([black, white]: [f32; 2]) -> u32 {
    upper_half(white) << 16 | upper_half(black)
}

#[inline(always)]
fn unpacked(both: u32) -> [f32; 2] {
    [f32::from_bits(both << 16), f32::from_bits(both & 0xffff_0000)]
}

fn upper_half(number: f32) -> u32 {
    // Rounded: adding half of what is cut off carries into the upper half where that is nearer.
    number.to_bits().saturating_add(0x8000) >> 16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use tesuji_board::{Board, Size};

    /// Every point of random boards has the gammas that the table gives to its canonical codes.
    #[test]
    fn shapes_have_the_gammas_of_their_canonical_codes() {
        let table = super::super::tests::all_different();
        let shapes = ShapeGammas::new(&table, |gamma| gamma);
        let mut rng = Rng::new(3);
        let mut known = 0;
        for (width, height) in [(2, 2), (2, 5), (9, 9), (5, 3)] {
            let size = Size::new(width, height).unwrap();
            for game in 0..60 {
                let mut board = Board::new(size);
                for point in size.points() {
                    if rng.below(60) < game && board.is_empty(point) {
                        board.set_up(point, Color::BOTH[rng.below(2)]);
                    }
                }
                for &point in board.empties() {
                    let (code, near) = (Md2::around(&board, point), board.neighborhood(point));
                    let found = shapes.get(near, (code.0 >> 16) as u8);
                    for player in Color::BOTH {
                        let md2 = table.md2.binary_search_by_key(&code.canonical(player), |&(code, _)| code);
                        let canonical = canonical_neighborhood(near, player);
                        let base = table.near.binary_search_by_key(&canonical.0, |&(code, _)| code.0);
                        let wanted = match near.is_eye_of(player) {
                            true => 0.0,
                            false => {
                                base.map_or(1.0, |at| table.near[at].1)
                                    * md2.map_or(1.0, |at| table.md2[at].1)
                            }
                        };
                        assert!((found[player.index()] - wanted).abs() <= wanted / 256.0, "{board}");
                        known += usize::from(md2.is_ok());
                    }
                }
            }
        }
        assert!(known > 500, "{known}");
    }
}
