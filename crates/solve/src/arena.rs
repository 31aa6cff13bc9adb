//! The points of a problem's region as bits, and what lies around them.
//!
//! A position inside the region is then two bit sets, copied in a few instructions: undoing a move is
//! forgetting the copy. Everything outside the region never changes, so of each point it is enough to know
//! whether a stone on it would be joined to something that cannot be captured.

use crate::position::mix;
use crate::problem::Problem;
use crate::side::Side;
use tesuji_board::{Point, PointMap};

/// A set of points of the region.
pub(crate) type Bits = u128;

/// Most points that a region can have.
pub(crate) const MAX_POINTS: usize = Bits::BITS as usize;

/// Points that half a set can hold.
const HALF: usize = u64::BITS as usize;

/// Index of points outside the region.
const OUTSIDE: u8 = u8::MAX;

/// The set that holds one point.
#[inline(always)]
pub(crate) const fn bit(at: usize) -> Bits {
    1 << at
}

/// The points of a set, lowest first.
#[inline(always)]
pub(crate) fn members(mut set: Bits) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(at)
    })
}

/// A region without the stones in it.
pub(crate) struct Arena {
    points: Vec<Point>,
    index: PointMap<u8>,
    /// By point: the points of the region beside it.
    beside: [Bits; MAX_POINTS],
    /// The same in half a set, which is what most regions need.
    half_beside: [u64; HALF],
    /// By side: where a stone of that side is joined to a stone or a liberty that it cannot lose.
    anchored: [Bits; 2],
    /// Points beside something outside that is not the defender's: no eye of the defender closes there.
    open: Bits,
    /// A hash of all of this.
    hash: u64,
}

/// A chain inside the region and the empty points beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) stones: Bits,
    pub(crate) liberties: Bits,
}

/// The part of a set that is connected to a point, and all points beside it, for sets of either width.
macro_rules! spread {
    ($set:ty, $beside:expr, $start:expr, $within:expr) => {{
        let (mut found, mut reached): ($set, $set) = (1 << $start, 0);
        let mut left = found;
        while left != 0 {
            let beside = $beside[left.trailing_zeros() as usize % <$set>::BITS as usize];
            left &= left - 1;
            reached |= beside;
            let new = beside & $within & !found;
            found |= new;
            left |= new;
        }
        (found, reached)
    }};
}

impl Arena {
    /// The region of a problem, which has at most [`MAX_POINTS`] points.
    pub(crate) fn new(problem: &Problem) -> Arena {
        let board = problem.board();
        let size = board.size();
        let points: Vec<Point> = problem.region().iter().take(MAX_POINTS).collect();
        let mut index = PointMap::filled(OUTSIDE);
        for (at, &point) in points.iter().enumerate() {
            index[point] = at as u8;
        }
        let defender = problem.defender();
        let (beside, half_beside) = ([0; MAX_POINTS], [0; HALF]);
        let mut arena = Arena { points, index, beside, half_beside, anchored: [0; 2], open: 0, hash: 0 };
        for at in 0..arena.points.len() {
            for side in size.neighbors(arena.points[at]) {
                if arena.index[side] != OUTSIDE {
                    arena.beside[at] |= bit(usize::from(arena.index[side]));
                    continue;
                }
                let (attacker_holds, defender_holds) = match board.color(side) {
                    Some(color) => (color != defender, color == defender),
                    None => (
                        problem.outside().is_liberty_of(!defender),
                        problem.outside().is_liberty_of(defender),
                    ),
                };
                if attacker_holds {
                    arena.anchored[Side::Attacker.index()] |= bit(at);
                    arena.open |= bit(at);
                }
                if defender_holds {
                    arena.anchored[Side::Defender.index()] |= bit(at);
                }
            }
        }
        for (half, whole) in arena.half_beside.iter_mut().zip(arena.beside) {
            *half = whole as u64;
        }
        arena.hash = arena.computed_hash();
        arena
    }

    /// Differs between regions in which the same stones mean something else, so that one table can hold what was found out about several.
    pub(crate) fn hash(&self) -> u64 {
        self.hash
    }

    /// The points tell what lies beside what; with what is held outside that is all that decides.
    fn computed_hash(&self) -> u64 {
        let points = self.points.iter().map(|point| u64::from(point.index() as u32));
        let halves = |bits: Bits| [bits as u64, (bits >> 64) as u64];
        let outside = [self.anchored[0], self.anchored[1], self.open].into_iter().flat_map(halves);
        points.chain(outside).fold(self.len() as u64, |hash, part| mix(hash ^ part))
    }

    /// Number of points.
    pub(crate) fn len(&self) -> usize {
        self.points.len()
    }

    /// All points.
    #[inline]
    pub(crate) fn all(&self) -> Bits {
        if self.len() == MAX_POINTS { Bits::MAX } else { bit(self.len()) - 1 }
    }

    /// The board's name of a point.
    pub(crate) fn point(&self, at: usize) -> Point {
        self.points[at]
    }

    /// The index of a point of the region.
    pub(crate) fn index_of(&self, point: Point) -> Option<usize> {
        let at = self.index[point];
        (at != OUTSIDE).then_some(usize::from(at))
    }

    /// The points beside a point.
    #[inline(always)]
    pub(crate) fn beside(&self, at: usize) -> Bits {
        self.beside[at]
    }

    /// Where a stone of `side` cannot be captured.
    #[inline(always)]
    pub(crate) fn anchored(&self, side: Side) -> Bits {
        self.anchored[side.index()]
    }

    /// Points beside something outside that is not the defender's.
    #[inline(always)]
    pub(crate) fn open(&self) -> Bits {
        self.open
    }

    /// The part of `within` that is connected to the point, and all points beside it.
    #[inline]
    pub(crate) fn flood(&self, start: usize, within: Bits) -> (Bits, Bits) {
        if self.len() <= HALF {
            let (found, reached) = self.half_flood(start, within as u64);
            return (Bits::from(found), Bits::from(reached));
        }
        spread!(Bits, self.beside, start, within)
    }

    /// The same in a region that half a set can hold.
    #[inline]
    fn half_flood(&self, start: usize, within: u64) -> (u64, u64) {
        spread!(u64, self.half_beside, start, within)
    }

    /// The chain of the stone at `start`, given the stones of its colour and the empty points.
    #[inline]
    pub(crate) fn group(&self, start: usize, own: Bits, empty: Bits) -> Group {
        let (stones, reached) = self.flood(start, own);
        Group { stones, liberties: reached & empty }
    }
}
