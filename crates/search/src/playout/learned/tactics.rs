//! What a move does to the chains beside it.
//!
//! It depends on nothing but the four cells beside the point and the chains on them, and on no chain with more than three liberties: that is what makes it
//! cheap to keep up to date. Where none of the chains has few liberties the four cells alone decide.

use tesuji_board::{Board, Cell, Chain, Color, MAX_NAKADE, Neighborhood, Point, SmallRegion, vital_point};

/// Chains with so many liberties or fewer have tactical features.
pub(super) const LOW: usize = 2;

/// Chains that keep this many liberties without the point are all alike.
pub(super) const ENOUGH: usize = 3;

/// The value of self-atari that playouts never play: it only ends a seki or gives a living chain away.
pub(super) const HOPELESS: u8 = 5;

/// In the place of a value of self-atari: the move is not legal.
pub(super) const SUICIDE: u8 = 6;

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
    /// Those of a move beside no chain with few liberties.
    pub(super) fn plain(around: Neighborhood, player: Color) -> Tactics {
        let self_atari = match around.empty_sides() {
            // Own chains beside it have liberties enough.
            _ if around.sides_of(player) > 0 => 0,
            0 => SUICIDE,
            1 => 1,
            _ => 0,
        };
        Tactics { self_atari, ..Tactics::default() }
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

/// The four sides of a point.
pub(super) struct Sides {
    chains: [Chain; 4],
    liberties: [usize; 4],
}

/// The chains of one colour beside a point. Small numbers, so that an empty one is one store of the vector unit.
#[derive(Clone, Copy, Default)]
struct Party {
    chains: u16,
    /// A side with one of them.
    side: u16,
    /// Stones of all of them.
    stones: u16,
    /// The most liberties of one.
    liberties: u16,
    /// Stones of those in atari, and of the largest of those.
    in_atari: u16,
    largest_in_atari: u16,
    /// Stones of the largest with two liberties.
    with_two: u16,
    /// Sides that capturing those in atari makes empty.
    opened: u16,
}

impl Sides {
    #[inline(always)]
    pub(super) fn of(board: &Board, point: Point) -> Sides {
        let chains = board.chains_on_sides(point);
        Sides { chains, liberties: chains.map(|chain| board.liberty_count(chain)) }
    }

    /// Whether one of the chains has few liberties.
    #[inline(always)]
    pub(super) fn are_low(&self) -> bool {
        // Without a stone it is none, which wraps around.
        self.liberties.into_iter().any(|count| count.wrapping_sub(1) < LOW)
    }

    /// The tactics of both players where a chain has few liberties.
    #[inline(never)]
    pub(super) fn tactics(&self, board: &Board, point: Point) -> [Tactics; 2] {
        let around = board.neighborhood(point);
        let [black, white] = self.parties(board, around);
        let empty = around.empty_sides() as u16;
        let judge = |player, own, other| {
            let liberties = self.liberties_after(board, point, player, own, other, empty);
            judge(board, point, player, own, other, liberties)
        };
        [judge(Color::Black, &black, &white), judge(Color::White, &white, &black)]
    }

    #[inline(always)]
    fn parties(&self, board: &Board, around: Neighborhood) -> [Party; 2] {
        let mut parties = [Party::default(); 2];
        for i in 0..4 {
            let (chain, liberties) = (self.chains[i], self.liberties[i] as u16);
            if liberties == 0 {
                continue;
            }
            // A stone: 1 is Black, 2 is White.
            let party = &mut parties[usize::from(around.0 >> (2 * i + 1) & 1)];
            party.opened += u16::from(liberties == 1);
            if self.chains[..i].contains(&chain) {
                continue;
            }
            let stones = board.chain_size(chain) as u16;
            party.chains += 1;
            party.side = i as u16;
            party.stones += stones;
            party.liberties = party.liberties.max(liberties);
            if liberties == 1 {
                party.in_atari += stones;
                party.largest_in_atari = party.largest_in_atari.max(stones);
            } else if liberties == 2 {
                party.with_two = party.with_two.max(stones);
            }
        }
        parties
    }

    /// Up to three; where no own chain has few, some number that is not 0 or 1.
    #[inline(always)]
    fn liberties_after(
        &self,
        board: &Board,
        point: Point,
        player: Color,
        own: &Party,
        other: &Party,
        empty: u16,
    ) -> u16 {
        if own.chains == 0 {
            return (empty + other.opened).min(3);
        }
        // The point is a liberty of each own chain; its others stay.
        if own.liberties > ENOUGH as u16 || empty >= 3 || own.in_atari + own.with_two == 0 {
            return 3;
        }
        if own.chains > 1 || other.in_atari > 0 {
            return board.liberties_after(point, player, 3) as u16;
        }
        let mut liberties = own.liberties - 1;
        if empty > 0 {
            let chain = self.chains[usize::from(own.side) % 4];
            for side in board.sides(point, Cell::Empty) {
                liberties += u16::from(!board.is_liberty(chain, side));
            }
        }
        liberties.min(3)
    }
}

#[inline(always)]
fn judge(board: &Board, point: Point, player: Color, own: &Party, other: &Party, liberties: u16) -> Tactics {
    let mut found = Tactics::default();
    if liberties == 0 {
        found.self_atari = SUICIDE;
        return found;
    }
    found.capture = match other.in_atari {
        0 => 0,
        1 if liberties == 1 && own.chains == 0 => 1,
        1 => 2,
        2 => 3,
        3..=5 => 4,
        _ => 5,
    };
    if other.with_two > 0 {
        found.atari = size_class(other.with_two) + if liberties == 1 { 3 } else { 0 };
    }
    if liberties == 1 {
        if other.in_atari == 0 {
            found.self_atari = self_atari(board, point, player, 1 + own.stones);
        }
    } else if own.in_atari > 0 {
        found.escape = size_class(own.largest_in_atari) + if liberties == 2 { 3 } else { 0 };
    } else if own.with_two > 0 {
        found.escape = if liberties == 2 { 10 } else { 6 + size_class(own.with_two) };
    }
    found
}

#[inline]
fn self_atari(board: &Board, point: Point, player: Color, stones: u16) -> u8 {
    if stones <= 2 {
        return stones as u8;
    }
    if usize::from(stones) <= MAX_NAKADE {
        let mut shape = SmallRegion::new();
        shape.push(point);
        for chain in board.chains_beside(point, player) {
            shape.extend(board.stones(chain));
        }
        if vital_point(board.size(), &shape).is_some() {
            return 3;
        }
    }
    if stones <= 5 { 4 } else { HOPELESS }
}

/// 1 to 3.
#[inline(always)]
fn size_class(stones: u16) -> u8 {
    1 + u8::from(stones > 1) + u8::from(stones > 3)
}
