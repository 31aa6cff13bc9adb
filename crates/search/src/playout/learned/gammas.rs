//! Gammas as playouts use them.

use super::feature::{ATARI, CAPTURE, ESCAPE, GROUPS, MOST_VALUES, SELF_ATARI};
use super::shape::ShapeGammas;
use super::table::GammaTable;
use super::tactics::{HOPELESS, SUICIDE, Tactics};
use std::sync::{Arc, LazyLock};
use tesuji_board::{Color, Neighborhood, Size};

/// Room for the values of a group: a power of two, so that a masked index needs no check.
const VALUES: usize = MOST_VALUES.next_power_of_two();

/// Made of a [`GammaTable`].
pub struct Gammas {
    pub(super) shapes: ShapeGammas,
    values: [[f32; VALUES]; GROUPS.len()],
    /// By the four cells beside a point: the gammas of [`Tactics::plain`], by player.
    plain: Box<[[f32; 2]; 256]>,
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
        let mut gammas = Gammas { shapes, values, plain: Box::new([[1.0; 2]; 256]) };
        for sides in 0..=u8::MAX {
            let plain = |player| Tactics::plain(Neighborhood(u16::from(sides)), player);
            gammas.plain[usize::from(sides)] = Color::BOTH.map(|player| gammas.of_tactics(plain(player)));
        }
        gammas
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

    /// The same where no chain beside the point has few liberties, by player.
    #[inline(always)]
    pub(super) fn of_plain_tactics(&self, around: Neighborhood) -> [f32; 2] {
        self.plain[usize::from(around.0 & 0xff)]
    }
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
