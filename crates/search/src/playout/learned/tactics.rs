//! What a move does to the chains beside it.
//!
//! It depends on nothing but the four sides of the point ([`Sides`]) and, where they leave it open, on the liberties and stones of
//! own chains with few liberties. That is what makes it cheap to keep up to date: [`Kinds`] has the answer for all sides, and tells
//! where to look closer.

use super::sides::{Sides, View, count_liberties};
use arrayvec::ArrayVec;
use std::sync::LazyLock;
use tesuji_board::{Board, Chain, Color, MAX_NAKADE, Point, is_nakade};

/// The value of self-atari that playouts never play: it only ends a seki or gives a living chain away.
pub(super) const HOPELESS: u8 = 5;

/// In the place of a value of self-atari: the move is not legal.
pub(super) const SUICIDE: u8 = 6;

/// In the same place, until it is counted: own chains together have two stones or more.
const SEVERAL: u8 = 7;

/// Values of `atari` from here on are by self-atari.
pub(super) const ATARI_BY_SELF_ATARI: u8 = 4;

/// Values of four groups of features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tactics {
    pub(super) capture: u8,
    pub(super) escape: u8,
    /// Or [`SUICIDE`].
    pub(super) self_atari: u8,
    pub(super) atari: u8,
}

impl Tactics {
    /// Those of a move on an empty point, by definition.
    pub(super) fn of(board: &Board, point: Point, player: Color) -> Tactics {
        View::new(Sides::of(board, point), player).tactics(board, point, player)
    }

    /// Liberties after a move that saves a chain with few, up to three; less than two if it does not save it.
    #[inline(always)]
    pub(super) fn liberties_of_escape(self) -> usize {
        match self.escape {
            1..=3 | 7..=9 => 3,
            4..=6 | 10 => 2,
            _ => 1,
        }
    }
}

impl View {
    /// The tactics of a move on a point with these sides.
    fn tactics(&self, board: &Board, point: Point, player: Color) -> Tactics {
        let liberties = self.liberties().unwrap_or_else(|| board.liberties_after(point, player, 3) as u8);
        let mut tactics = self.judge(liberties);
        if tactics.self_atari == SEVERAL {
            tactics.self_atari = self_atari(board, point, player);
        }
        tactics
    }

    /// The same, if the sides tell all.
    fn known_tactics(&self) -> Option<Tactics> {
        self.liberties()
            .map(|liberties| self.judge(liberties))
            .filter(|tactics| tactics.self_atari != SEVERAL)
    }

    fn judge(&self, liberties: u8) -> Tactics {
        let mut found = Tactics::default();
        if liberties == 0 {
            found.self_atari = SUICIDE;
            return found;
        }
        found.capture = match self.captured {
            0 => 0,
            1 if self.own == 0 && liberties == 1 => 1,
            stones => stones + 1,
        };
        if self.threatened > 0 {
            found.atari = self.threatened + if liberties == 1 { 3 } else { 0 };
        }
        if liberties == 1 && self.opened == 0 {
            found.self_atari = self.stones().unwrap_or(SEVERAL);
        } else if self.escaping > 0 {
            found.escape = self.escaping + if liberties == 2 { 3 } else { 0 };
        } else if self.extending > 0 {
            found.escape = if liberties == 2 { 10 } else { 6 + self.extending };
        }
        found
    }
}

/// The value of a self-atari of several stones.
fn self_atari(board: &Board, point: Point, player: Color) -> u8 {
    let (around, chains) = (board.neighborhood(point).0, board.chains_on_sides(point));
    let mut joined: ArrayVec<Chain, 4> = ArrayVec::new();
    let mut stones = 1;
    for (i, &chain) in chains.iter().enumerate() {
        if around >> (2 * i) & 3 == player.cell() as u16 && !chains[..i].contains(&chain) {
            joined.push(chain);
            stones += board.chain_size(chain);
        }
    }
    match stones {
        2 => 2,
        // Three connected stones always are.
        3 => 3,
        4..=MAX_NAKADE if is_nakade_shape(board, point, player, &joined, stones) => 3,
        4..=5 => 4,
        _ => HOPELESS,
    }
}

/// Whether a move and the chains that it joins have the shape of an eye space with a vital point.
fn is_nakade_shape(board: &Board, point: Point, player: Color, chains: &[Chain], stones: usize) -> bool {
    // Stones of one colour side by side are of one chain, so the board knows how many neighbours each has; the point is one more.
    let beside = |point: Point| board.neighborhood(point).sides_of(player) as usize;
    let (mut highest, mut ends) = (beside(point), 2 * beside(point));
    for stone in chains.iter().flat_map(|&chain| board.stones(chain)) {
        let degree = beside(stone) + usize::from(board.size().are_adjacent(stone, point));
        highest = highest.max(degree);
        ends += beside(stone);
    }
    is_nakade(stones, highest, ends / 2)
}

/// All sides, by what they mean: which is next to which does not matter, so they are far fewer than the numbers.
pub(super) struct Kinds {
    by_sides: Box<[u16; Sides::COUNT]>,
    kinds: Vec<Kind>,
}

/// Room for all kinds: four of sixteen things, whichever way around, are 3,876. A power of two, so that a masked index needs no check.
pub(super) const MOST_KINDS: usize = 4096;

/// Sides that mean the same; all by player.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    /// The tactics, if the sides tell all.
    pub(super) known: [Option<Tactics>; 2],
    /// Liberties after the move, if the sides tell, and the tactics by liberties, from 0 on.
    liberties: [Option<u8>; 2],
    by_liberties: [[Tactics; 4]; 2],
    /// Whether the player can capture.
    pub(super) captures: [bool; 2],
    /// Whether an own chain has few liberties.
    pub(super) own_are_low: [bool; 2],
}

/// The one table, whatever the gammas.
pub(super) static KINDS: LazyLock<Kinds> = LazyLock::new(Kinds::new);

impl Kinds {
    fn new() -> Kinds {
        let mut by_sides: Box<[u16]> = vec![0; Sides::COUNT].into_boxed_slice();
        let mut kinds = Vec::new();
        for sides in (0..=u16::MAX).map(Sides) {
            // In order, the sorted ones come first.
            let sorted = sides.sorted();
            if sorted == sides {
                by_sides[usize::from(sides.0)] = kinds.len() as u16;
                kinds.push(Kind::new(Color::BOTH.map(|player| View::new(sides, player))));
            } else {
                by_sides[usize::from(sides.0)] = by_sides[usize::from(sorted.0)];
            }
        }
        let by_sides = by_sides.try_into().unwrap_or_else(|_| unreachable!("one for each"));
        Kinds { by_sides, kinds }
    }

    /// By [`Sides`]: the place of their kind in [`Kinds::all`].
    pub(super) fn places(&self) -> &[u16; Sides::COUNT] {
        &self.by_sides
    }

    pub(super) fn all(&self) -> &[Kind] {
        &self.kinds
    }

    #[inline(always)]
    pub(super) fn of(&self, sides: Sides) -> &Kind {
        &self.kinds[usize::from(self.by_sides[usize::from(sides.0)])]
    }
}

impl Kind {
    fn new(views: [View; 2]) -> Kind {
        Kind {
            known: views.map(|view| view.known_tactics()),
            liberties: views.map(|view| view.liberties()),
            by_liberties: views.map(|view| [0, 1, 2, 3].map(|liberties| view.judge(liberties))),
            captures: views.map(|view| view.captured > 0),
            own_are_low: views.map(|view| view.escaping + view.extending > 0),
        }
    }

    /// The tactics of a move on a point with sides of this kind: the same as [`View::tactics`].
    #[inline(always)]
    pub(super) fn tactics(&self, board: &Board, point: Point, player: Color) -> Tactics {
        match self.known[player.index()] {
            Some(known) => known,
            None => self.look_closer(board, point, player),
        }
    }

    #[inline(never)]
    fn look_closer(&self, board: &Board, point: Point, player: Color) -> Tactics {
        let i = player.index();
        let liberties = match self.liberties[i] {
            Some(liberties) => liberties,
            None => count_liberties(board, point, player),
        };
        let mut tactics = self.by_liberties[i][usize::from(liberties) % 4];
        if tactics.self_atari == SEVERAL {
            tactics.self_atari = self_atari(board, point, player);
        }
        tactics
    }
}
