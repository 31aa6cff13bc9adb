//! Gammas as playouts use them: one look finds those of a shape for both players.

use super::feature::{
    ATARI, CAPTURE, ESCAPE, GROUPS, HOPELESS, MOST_VALUES, RESPONSE, SELF_ATARI, TO_BEFORE_LAST, TO_LAST,
    Tactics,
};
use super::mark::Mark;
use super::table::GammaTable;
use crate::shape_table::ShapeTable;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};
use tesuji_board::{Board, Color, Md2, Neighborhood, Point, Size, canonical_neighborhood};

/// Made of a [`GammaTable`].
pub struct Gammas {
    /// By canonical code with the colours as they are: the gammas for Black and for White to move, the upper halves of floats. Neighbourhoods have [`NEAR`] in
    /// their codes; MD2 patterns include the gamma of their neighbourhood.
    shapes: ShapeTable<[u16; 2]>,
    values: [[f32; MOST_VALUES]; GROUPS.len()],
}

/// Tells a neighbourhood from an MD2 pattern.
const NEAR: u32 = 1 << 24;

impl Gammas {
    /// Gammas raised to the power 1/`temperature`: above 1 all moves become more alike.
    pub fn new(table: &GammaTable, temperature: f32) -> Gammas {
        let tempered = |gamma: f32| if temperature == 1.0 { gamma } else { gamma.powf(1.0 / temperature) };
        let mut shapes: HashMap<u32, [f32; 2]> = HashMap::new();
        for &(code, gamma) in &table.near {
            for player in Color::BOTH {
                let key = NEAR | u32::from(canonical_neighborhood(code, player).0);
                shapes.entry(key).or_insert([1.0; 2])[player.index()] = tempered(gamma);
            }
        }
        for &(code, _) in &table.md2 {
            for player in Color::BOTH {
                let seen = code.canonical(player);
                let near = canonical_neighborhood(Neighborhood(seen.0 as u16), Color::Black);
                let base = shapes.get(&(NEAR | u32::from(near.0))).copied().unwrap_or([1.0; 2]);
                shapes.insert(seen.0, base);
            }
        }
        for &(code, gamma) in &table.md2 {
            for player in Color::BOTH {
                if let Some(gammas) = shapes.get_mut(&code.canonical(player).0) {
                    gammas[player.index()] *= tempered(gamma);
                }
            }
        }
        let mut shapes: Vec<(u32, [u16; 2])> =
            shapes.into_iter().map(|(key, gammas)| (key, gammas.map(upper_half))).collect();
        // The order of a hash map is random, and so would be the places of shapes that collide.
        shapes.sort_unstable();
        let mut values = table.values.map(|group| group.map(tempered));
        values[SELF_ATARI][usize::from(HOPELESS)] = 0.0;
        Gammas { shapes: ShapeTable::new(shapes.into_iter()), values }
    }

    /// The gammas of the shape around a point, by player.
    #[inline]
    pub(super) fn of_shape(&self, board: &Board, point: Point) -> [f32; 2] {
        let code = Md2::around(board, point);
        let found = self.shapes.get(code.canonical(Color::Black).0).or_else(|| {
            let near = Md2(code.0 & 0xffff).canonical(Color::Black);
            self.shapes.get(NEAR | near.0)
        });
        found.map_or([1.0; 2], |[black, white]| [from_upper_half(black), from_upper_half(white)])
    }

    /// The product of the gammas of tactics.
    #[inline]
    pub(super) fn of_tactics(&self, tactics: Tactics) -> f32 {
        let of = |group: usize, value: u8| self.values[group][usize::from(value) % MOST_VALUES];
        of(CAPTURE, tactics.capture)
            * of(ESCAPE, tactics.escape)
            * of(SELF_ATARI, tactics.self_atari)
            * of(ATARI, tactics.atari)
    }

    /// The product of the gammas that the last moves give a move.
    #[inline(always)]
    pub(super) fn of_mark(&self, mark: &Mark) -> f32 {
        let of = |group: usize, value: u8| self.values[group][usize::from(value) % MOST_VALUES];
        of(TO_LAST, mark.to_last) * of(TO_BEFORE_LAST, mark.to_before_last) * of(RESPONSE, mark.response)
    }
}

fn upper_half(number: f32) -> u16 {
    // Rounded: adding half of what is cut off carries into the upper half where that is nearer.
    (number.to_bits().saturating_add(0x8000) >> 16) as u16
}

#[inline(always)]
fn from_upper_half(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

/// Gammas for small and for large boards.
#[derive(Clone)]
pub struct GammaSets {
    small: Arc<Gammas>,
    large: Arc<Gammas>,
}

/// Learned by `tesuji train playout` from games on 9×9 and on 19×19 (docs/experiments/learned-playouts.md).
static SMALL_BOARD: LazyLock<GammaTable> =
    LazyLock::new(|| shipped(include_bytes!("../../../weights/playout-9.bin")));
static LARGE_BOARD: LazyLock<GammaTable> =
    LazyLock::new(|| shipped(include_bytes!("../../../weights/playout-19.bin")));

/// As they were learned: made once, because most searches use them so.
static SHIPPED: LazyLock<GammaSets> = LazyLock::new(|| GammaSets::of(&SMALL_BOARD, &LARGE_BOARD, 1.0));

/// Points of the largest board that has more in common with 9×9 than with 19×19.
const SMALL_AREA: usize = 11 * 11;

fn shipped(file: &[u8]) -> GammaTable {
    GammaTable::read(file).expect("the gammas in the program are whole")
}

impl GammaSets {
    /// Those in the program, or one table for all boards.
    pub fn new(table: Option<&GammaTable>, temperature: f32) -> GammaSets {
        match table {
            Some(table) => {
                let gammas = Arc::new(Gammas::new(table, temperature));
                GammaSets { small: Arc::clone(&gammas), large: gammas }
            }
            None if temperature == 1.0 => SHIPPED.clone(),
            None => GammaSets::of(&SMALL_BOARD, &LARGE_BOARD, temperature),
        }
    }

    fn of(small: &GammaTable, large: &GammaTable, temperature: f32) -> GammaSets {
        let [small, large] = [small, large].map(|table| Arc::new(Gammas::new(table, temperature)));
        GammaSets { small, large }
    }

    /// The gammas for boards of a size.
    pub(super) fn for_size(&self, size: Size) -> &Arc<Gammas> {
        if size.area() <= SMALL_AREA { &self.small } else { &self.large }
    }
}
