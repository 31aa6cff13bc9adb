//! The four sides of a point in one number: what stands there, and how many stones and liberties its chain has, as far as that matters.
//!
//! A chain has a *class*, which changes only when the board tells of the chain. So the classes are kept by chain, and
//! what stands beside a point is put together from them. There are few enough numbers for a table of all.

use tesuji_board::{Board, Cell, Chain, Color, Neighborhood, Point, Size};

/// What stands on one side takes four bits: 0 for nothing, or the class of a chain.
const BITS: usize = 4;
/// White's classes are so much more than Black's; without a stone it is a wall.
const WALL: u8 = 8;

/// Classes of Black's chains: in atari, of 1, 2 or more stones.
const IN_ATARI: u8 = 1;
/// With two liberties, of 1, 2 to 3 or more stones.
const WITH_TWO: u8 = 4;
/// With more liberties.
const SAFE: u8 = 7;

/// The class of a chain.
#[inline(always)]
pub(super) fn class_of(board: &Board, chain: Chain) -> u8 {
    let stones = board.chain_size(chain);
    let class = match board.liberty_count(chain) {
        1 => IN_ATARI + u8::from(stones > 1) + u8::from(stones > 2),
        2 => WITH_TWO + u8::from(stones > 1) + u8::from(stones > 3),
        _ => SAFE,
    };
    let is_white = board.color(chain.stone()) == Some(Color::White);
    class + if is_white { WALL } else { 0 }
}

/// Whether it is the class of a chain with few liberties.
#[inline(always)]
pub(super) fn is_low(class: u8) -> bool {
    // Moved down by 1, those without stones wrap around to the top.
    (class % 8).wrapping_sub(IN_ATARI) < SAFE - IN_ATARI
}

/// Whether it is the class of a chain with more.
#[inline(always)]
pub(super) fn is_safe(class: u8) -> bool {
    class % 8 == SAFE
}

/// The four sides of a point, north in the lowest bits, then west, east and south.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sides(pub(super) u16);

impl Sides {
    /// Those of a point that nobody can play on: walls only, which no point has.
    pub(super) const CLOSED: Sides = Sides(0x8888);

    /// How many there are.
    pub(super) const COUNT: usize = 1 << (4 * BITS);

    /// The walls beside a point.
    pub(super) fn walls(size: Size, point: Point) -> Sides {
        let is_wall = |&(dx, dy): &(isize, isize)| {
            let x = size.x(point).checked_add_signed(dx);
            let y = size.y(point).checked_add_signed(dy);
            x.zip(y).and_then(|(x, y)| size.point(x, y)).is_none()
        };
        Sides::of_classes(std::array::from_fn(|i| if is_wall(&Neighborhood::STEPS[i]) { WALL } else { 0 }))
    }

    /// The sides of a point, by the classes of its chains; nothing is of class 0.
    #[inline(always)]
    pub(super) fn new(walls: Sides, board: &Board, point: Point, class: impl Fn(Chain) -> u8) -> Sides {
        Sides(walls.0 | Sides::of_classes(board.chains_on_sides(point).map(class)).0)
    }

    /// The same without anything kept.
    pub(super) fn of(board: &Board, point: Point) -> Sides {
        let class = |chain| if board.chain_size(chain) == 0 { 0 } else { class_of(board, chain) };
        Sides::new(Sides::walls(board.size(), point), board, point, class)
    }

    #[inline(always)]
    fn of_classes(classes: [u8; 4]) -> Sides {
        let [north, west, east, south] = classes.map(u16::from);
        Sides(north | west << BITS | east << (2 * BITS) | south << (3 * BITS))
    }

    /// The same with the sides in order, the greatest to the north.
    pub(super) fn sorted(self) -> Sides {
        let mut classes = self.classes();
        classes.sort_unstable_by(|a, b| b.cmp(a));
        Sides::of_classes(classes)
    }

    fn classes(self) -> [u8; 4] {
        std::array::from_fn(|i| (self.0 >> (BITS * i)) as u8 % 16)
    }
}

/// The sides of a point as a player sees them. Sizes of chains are 1 to 3, or 0 if there is none: see the classes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct View {
    /// Sides that are empty.
    pub(super) empty: u8,
    /// Sides with own stones.
    pub(super) own: u8,
    /// Those of chains with two liberties.
    pub(super) own_with_two: u8,
    /// Whether an own chain has more.
    pub(super) is_safe: bool,
    /// The largest own chain in atari and with two liberties.
    pub(super) escaping: u8,
    pub(super) extending: u8,
    /// Sides with opponents in atari, and the largest.
    pub(super) opened: u8,
    pub(super) captured: u8,
    /// The largest opponents' chain with two liberties.
    pub(super) threatened: u8,
}

impl View {
    /// What a player sees.
    pub(super) fn new(sides: Sides, player: Color) -> View {
        let mut view = View::default();
        for side in sides.classes() {
            let (class, is_white) = (side % 8, side >= WALL);
            let is_own = is_white == (player == Color::White);
            match class {
                0 => view.empty += u8::from(!is_white),
                SAFE => view.is_safe |= is_own,
                WITH_TWO.. if is_own => {
                    view.own_with_two += 1;
                    view.extending = view.extending.max(class - WITH_TWO + 1);
                }
                WITH_TWO.. => view.threatened = view.threatened.max(class - WITH_TWO + 1),
                _ if is_own => view.escaping = view.escaping.max(class),
                _ => {
                    view.opened += 1;
                    view.captured = view.captured.max(class);
                }
            }
            view.own += u8::from(is_own && class > 0);
        }
        view
    }

    /// Liberties after the move, up to three, or nothing where the sides do not tell. Zero and one are exact. Two and three are not where
    /// own chains join a safe one, which counts as three, or capture, which counts as two at least, and three may be two where the other
    /// liberty of an own chain is an empty side too.
    pub(super) fn liberties(&self) -> Option<u8> {
        let beside = self.empty + self.opened;
        // The point is a liberty of every own chain. The other one of those with two may be a side of the point too, or the same for several.
        let outside = u8::from(self.own_with_two > 0);
        let is_open = outside > 0 && self.own_with_two + self.empty > 1;
        match beside + outside {
            _ if self.is_safe => Some(3),
            _ if self.own == 0 => Some(beside.min(3)),
            count @ 0..3 if self.opened > 0 => Some(count.max(2)),
            0..3 if is_open => None,
            count => Some(count.min(3)),
        }
    }

    /// Stones of the new chain, where the sides tell.
    pub(super) fn stones(&self) -> Option<u8> {
        match self.own {
            0 => Some(1),
            1 if self.escaping.max(self.extending) == 1 && !self.is_safe => Some(2),
            _ => None,
        }
    }
}

/// How many liberties the chain of a move has, up to three, where it captures nothing and own chains beside it have two at most.
pub(super) fn count_liberties(board: &Board, point: Point, player: Color) -> u8 {
    let (around, chains) = (board.neighborhood(point).0, board.chains_on_sides(point));
    let mut joined = None;
    for (i, &chain) in chains.iter().enumerate() {
        if around >> (2 * i) & 3 == player.cell() as u16 && board.liberty_count(chain) == 2 {
            if joined.is_some_and(|other| other != chain) {
                return board.liberties_after(point, player, 3) as u8;
            }
            joined = Some(chain);
        }
    }
    // The other liberty of the one chain, and the empty sides that are not that liberty.
    let mut liberties = u8::from(joined.is_some());
    for side in board.sides(point, Cell::Empty) {
        liberties += u8::from(joined.is_none_or(|chain| !board.is_liberty(chain, side)));
    }
    liberties.min(3)
}
