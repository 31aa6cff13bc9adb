//! Gammas as playouts use them.

use super::feature::{ATARI, CAPTURE, ESCAPE, GROUPS, MOST_VALUES, SELF_ATARI};
use super::shape::{ShapeGammas, filled};
use super::sides::Sides;
use super::table::GammaTable;
use super::tactics::{HOPELESS, KINDS, Kind, MOST_KINDS, SUICIDE, Tactics};
use std::sync::{Arc, LazyLock};
use tesuji_board::Size;

/// Room for the values of a group: a power of two, so that a masked index needs no check.
const VALUES: usize = MOST_VALUES.next_power_of_two();

/// Made of a [`GammaTable`].
pub struct Gammas {
    pub(super) shapes: ShapeGammas,
    values: [[f32; VALUES]; GROUPS.len()],
    /// By sides: the place of their kind.
    places: &'static [u16; Sides::COUNT],
    of_kinds: Box<[OfKind; MOST_KINDS]>,
}

/// What a kind of sides says, by player.
#[derive(Clone, Copy, Default)]
pub(super) struct OfKind {
    /// The gammas of the tactics, where the sides tell all.
    pub(super) gammas: [f32; 2],
    /// 1 for Black if he can capture, and 1 in the upper half for White.
    pub(super) captures: u32,
    /// Whether the sides do not tell all.
    pub(super) is_open: bool,
    /// Whether a chain of the player has few liberties.
    pub(super) own_are_low: [bool; 2],
}

impl Gammas {
    /// Gammas raised to the power 1/`temperature`: above 1 all moves become more alike.
    pub fn new(table: &GammaTable, temperature: f32) -> Gammas {
        let tempered = |gamma: f32| if temperature == 1.0 { gamma } else { gamma.powf(1.0 / temperature) };
        let mut values = [[1.0; VALUES]; GROUPS.len()];
        for (to, from) in values.iter_mut().zip(&table.values) {
            to.iter_mut().zip(from).for_each(|(to, &from)| *to = tempered(from));
        }
        values[SELF_ATARI][usize::from(HOPELESS)] = 0.0;
        values[SELF_ATARI][usize::from(SUICIDE)] = 0.0;
        let shapes = ShapeGammas::new(table, tempered);
        let mut gammas =
            Gammas { shapes, values, places: KINDS.places(), of_kinds: filled(OfKind::default()) };
        for (place, kind) in KINDS.all().iter().enumerate() {
            gammas.of_kinds[place] = gammas.of_kind(kind);
        }
        gammas
    }

    fn of_kind(&self, kind: &Kind) -> OfKind {
        let [black, white] = kind.captures;
        OfKind {
            gammas: kind.known.map(|known| known.map_or(0.0, |tactics| self.of_tactics(tactics))),
            captures: u32::from(black) | u32::from(white) << 16,
            is_open: kind.known.contains(&None),
            own_are_low: kind.own_are_low,
        }
    }

    /// The gamma of a value.
    #[inline(always)]
    pub(super) fn of(&self, group: usize, value: u8) -> f32 {
        self.values[group][usize::from(value) % VALUES]
    }

    /// The product of the gammas of tactics.
    #[inline(always)]
    pub(super) fn of_tactics(&self, tactics: Tactics) -> f32 {
        self.of(CAPTURE, tactics.capture)
            * self.of(ESCAPE, tactics.escape)
            * self.of(SELF_ATARI, tactics.self_atari)
            * self.of(ATARI, tactics.atari)
    }

    /// What the sides of a point say.
    #[inline(always)]
    pub(super) fn of_sides(&self, sides: Sides) -> &OfKind {
        &self.of_kinds[usize::from(self.places[usize::from(sides.0)]) % MOST_KINDS]
    }
}

/// Gammas for small and for large boards.
#[derive(Clone)]
pub struct GammaSets {
    small: Arc<Gammas>,
    large: Arc<Gammas>,
}

/// Learned by `tesuji train playout` from games on 9×9 and on 19×19; those for 9×9 then by `tesuji train balance`
/// (docs/experiments/learned-playouts.md).
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

    /// The table in the program for boards of a size.
    pub fn built_in(size: Size) -> &'static GammaTable {
        if size.area() <= SMALL_AREA { &SMALL_BOARD } else { &LARGE_BOARD }
    }

    /// The gammas for boards of a size.
    pub(super) fn for_size(&self, size: Size) -> &Arc<Gammas> {
        if size.area() <= SMALL_AREA { &self.small } else { &self.large }
    }
}
