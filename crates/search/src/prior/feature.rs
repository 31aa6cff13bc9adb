//! What there is to say about a move apart from the shape around it: where it is, and what it does to chains.

use crate::playout::Position;
use arrayvec::ArrayVec;
use tesuji_board::{Board, Chain, Color, Ladder, LadderReader, Move, Point, Size};

/// Most features of one move.
const MOST_FEATURES: usize = 16;

/// The features of a move.
pub type Features = ArrayVec<u16, MOST_FEATURES>;

/// A kind of feature, and how many different ones there are.
struct Group {
    first: u16,
    count: u16,
}

impl Group {
    const fn after(previous: &Group, count: u16) -> Group {
        Group { first: previous.first + previous.count, count }
    }

    #[inline]
    fn at(&self, index: usize) -> u16 {
        debug_assert!(index < usize::from(self.count));
        self.first + index as u16
    }
}

const DISTANCES: u16 = 18;
const SIZES: usize = 3;

const TO_LAST: Group = Group { first: 0, count: DISTANCES };
const TO_BEFORE_LAST: Group = Group::after(&TO_LAST, DISTANCES);
/// By the distances to the nearest edges, and how far the game is.
const PLACE: Group = Group::after(&TO_BEFORE_LAST, 3 * 100);
/// By size, and whether the capture saves an own chain, is of the last stone, or neither.
const CAPTURE: Group = Group::after(&PLACE, 3 * SIZES as u16);
/// Taking a ko.
const KO: Group = Group::after(&CAPTURE, 1);
/// Out of atari: by size, and whether it ends in a ladder, with two liberties, or with more.
const ESCAPE: Group = Group::after(&KO, 3 * SIZES as u16);
const SELF_ATARI: Group = Group::after(&ESCAPE, SIZES as u16);
/// By size, whether a ladder works, and whether it is the chain of the last stone.
const ATARI: Group = Group::after(&SELF_ATARI, 4 * SIZES as u16);
/// Two liberties become as many: by size and liberties.
const EXTEND: Group = Group::after(&ATARI, 3 * SIZES as u16);
/// Three liberties of the opponent become two: by size, and whether it is the chain of the last stone.
const SQUEEZE: Group = Group::after(&EXTEND, 2 * SIZES as u16);
/// Joins two or more own chains.
const JOIN: Group = Group::after(&SQUEEZE, 2);

/// Number of features.
pub const FEATURES: usize = (JOIN.first + JOIN.count) as usize;

/// Moves that a ladder may take to read.
const LADDER_NODES: usize = 120;

/// Finds the features of moves; keeps its boards from one question to the next.
#[derive(Default)]
pub struct Scout {
    ladders: LadderReader,
    /// One board at most; a vector keeps it off the stack.
    trial: Vec<Board>,
    /// By point index: what depends on the place and the last moves alone.
    places: Vec<Place>,
    size: Option<Size>,
    phase: u16,
    last: Option<Place>,
    before_last: Option<Place>,
}

/// Where a point is.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    x: u8,
    y: u8,
    /// Ten times the distance to the nearest edge plus that to the nearest edge in the other direction.
    from_edges: u8,
}

impl Clone for Scout {
    fn clone(&self) -> Scout {
        Scout::default()
    }
}

impl Scout {
    /// The position that the next questions are about.
    pub fn look_at(&mut self, position: &Position) {
        let board = &position.board;
        let size = board.size();
        if self.size != Some(size) {
            self.size = Some(size);
            self.places.clear();
            for point in size.points() {
                let at = point.index();
                self.places.resize(self.places.len().max(at + 1), Place::default());
                self.places[at] = Place::of(size, point);
            }
        }
        let place = |mv: Move| match mv {
            Move::Play(point) => self.places.get(point.index()).copied(),
            Move::Pass => None,
        };
        (self.last, self.before_last) = (place(position.last), place(position.before_last));
        let stones = board.stone_count(Color::Black) + board.stone_count(Color::White);
        self.phase = match 100 * stones / size.area() {
            0..=4 => 0,
            5..=20 => 1,
            _ => 2,
        };
    }

    /// The features of a legal move in the position looked at.
    #[inline]
    pub fn features(&mut self, position: &Position, point: Point) -> Features {
        let (board, color) = (&position.board, position.to_move);
        let place = self.places[point.index()];
        let mut found = Features::new();
        found.push(TO_LAST.at(place.distance_class(self.last)));
        found.push(TO_BEFORE_LAST.at(place.distance_class(self.before_last)));
        found.push(PLACE.at(usize::from(100 * self.phase + u16::from(place.from_edges))));
        let around = board.neighborhood(point);
        if around.sides_of(Color::Black) + around.sides_of(Color::White) > 0 {
            self.tactics(position, point, color, &mut found);
        }
        found
    }

    fn tactics(&mut self, position: &Position, point: Point, color: Color, found: &mut Features) {
        let board = &position.board;
        let (own, theirs) = (board.chains_beside(point, color), board.chains_beside(point, !color));
        let last = match position.last {
            Move::Play(last) if board.color(last) == Some(!color) => Some(board.chain_at(last)),
            _ => None,
        };
        let liberties = board.liberties_after(point, color, 4);
        let in_atari = |chain: &&Chain| board.liberty_count(**chain) == 1;
        for chain in theirs.iter().filter(in_atari) {
            let saves = |&stone: &Point| {
                let beside = board.chains_beside(stone, color);
                beside.iter().any(|&chain| board.liberty_count(chain) == 1)
            };
            let kind = if board.stones(*chain).any(|stone| saves(&stone)) {
                0
            } else if Some(*chain) == last {
                1
            } else {
                2
            };
            add(found, CAPTURE.at(kind * SIZES + size_class(board, *chain)));
            if board.chain_size(*chain) == 1 && liberties == 1 && own.is_empty() {
                add(found, KO.at(0));
            }
        }
        if liberties < 2 {
            let stones: usize = 1 + own.iter().map(|&chain| board.chain_size(chain)).sum::<usize>();
            add(found, SELF_ATARI.at(class(stones)));
        } else if let Some(chain) = own.iter().find(in_atari) {
            let end = if liberties > 2 { 2 } else { usize::from(!self.dies_in_ladder(board, point, color)) };
            add(found, ESCAPE.at(end * SIZES + size_class(board, *chain)));
        } else if let Some(chain) = own.iter().find(|&&chain| board.liberty_count(chain) == 2) {
            add(found, EXTEND.at((liberties - 2) * SIZES + size_class(board, *chain)));
        }
        for &chain in &theirs {
            let is_last = usize::from(Some(chain) == last);
            match board.liberty_count(chain) {
                2 => {
                    let works =
                        usize::from(liberties >= 2 && self.catches_in_ladder(board, point, chain, color));
                    add(found, ATARI.at((2 * works + is_last) * SIZES + size_class(board, chain)));
                }
                3 => add(found, SQUEEZE.at(is_last * SIZES + size_class(board, chain))),
                _ => {}
            }
        }
        if own.len() > 1 {
            add(found, JOIN.at(own.len().min(3) - 2));
        }
    }

    /// Whether the chain of a stone of `color` on `point`, left with two liberties, is caught all the same.
    fn dies_in_ladder(&mut self, board: &Board, point: Point, color: Color) -> bool {
        let trial = play(&mut self.trial, board, point, color);
        self.ladders.read(trial, point, !color, LADDER_NODES).outcome == Ladder::Captured
    }

    /// Whether the atari of `color` on `point` catches the chain.
    fn catches_in_ladder(&mut self, board: &Board, point: Point, chain: Chain, color: Color) -> bool {
        let trial = play(&mut self.trial, board, point, color);
        self.ladders.read(trial, chain.stone(), !color, LADDER_NODES).outcome == Ladder::Captured
    }
}

/// The board after a move. Not inlined: a board is large, and the stack of the caller must not have room for one.
#[inline(never)]
fn play<'a>(trial: &'a mut Vec<Board>, board: &Board, point: Point, color: Color) -> &'a Board {
    match trial.first_mut() {
        Some(trial) => trial.copy_from(board),
        None => trial.push(board.clone()),
    }
    trial[0].play_unchecked(point, color);
    &trial[0]
}

/// Adds a feature once; those beyond the most are left out.
fn add(found: &mut Features, feature: u16) {
    if !found.contains(&feature) {
        let _ = found.try_push(feature);
    }
}

fn class(stones: usize) -> usize {
    match stones {
        0..=1 => 0,
        2..=3 => 1,
        _ => 2,
    }
}

fn size_class(board: &Board, chain: Chain) -> usize {
    class(board.chain_size(chain))
}

impl Place {
    fn of(size: Size, point: Point) -> Place {
        let to_edge = |at: usize, side: usize| at.min(side - 1 - at).min(9);
        let (x, y) = (size.x(point), size.y(point));
        let (near, far) = (to_edge(x, size.width()), to_edge(y, size.height()));
        Place { x: x as u8, y: y as u8, from_edges: (10 * near.min(far) + near.max(far)) as u8 }
    }

    /// 0 if there was no move, else by `dx + dy + max(dx, dy)`, as in Ray.
    #[inline]
    fn distance_class(self, other: Option<Place>) -> usize {
        let Some(other) = other else { return 0 };
        let (dx, dy) = (self.x.abs_diff(other.x), self.y.abs_diff(other.y));
        usize::from(dx + dy + dx.max(dy)).clamp(1, usize::from(DISTANCES) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_board::Diagram;

    fn features(diagram: &str) -> Features {
        let parsed = Diagram::parse(diagram).unwrap();
        let position = Position::new(parsed.board.clone(), Color::Black);
        let mut scout = Scout::default();
        scout.look_at(&position);
        scout.features(&position, parsed.point('a').unwrap())
    }

    fn has(found: &Features, group: &Group, index: usize) -> bool {
        found.contains(&group.at(index))
    }

    /// The features of a group.
    fn indices(found: &Features, group: &Group) -> Vec<usize> {
        (0..usize::from(group.count)).filter(|&index| has(found, group, index)).collect()
    }

    #[test]
    fn an_escape_into_a_ladder_is_told_from_one_past_a_breaker() {
        let rows = |breaker: &str| {
            format!(
                ". . . . . . .\n. . O O . . .\n. O X a . . .\n. . O . . . .\n. . . . . . .\n. . . . . {breaker} .\n. . . . . . ."
            )
        };
        assert_eq!(indices(&features(&rows(".")), &ESCAPE), [0], "it is caught at the edge");
        assert_eq!(
            indices(&features(&rows("X")), &ESCAPE),
            [SIZES],
            "it reaches the stone of its own colour"
        );
    }

    #[test]
    fn an_atari_that_catches_in_a_ladder_is_told_from_one_that_does_not() {
        let rows = |breaker: &str| {
            format!(
                ". . . . . . .\n. . X . . . .\n. X O a . . .\n. X . . . . .\n. . . . . . .\n. . . . . {breaker} .\n. . . . . . ."
            )
        };
        assert_eq!(indices(&features(&rows(".")), &ATARI), [2 * SIZES], "it is caught at the edge");
        assert_eq!(indices(&features(&rows("O")), &ATARI), [0], "it reaches the stone of its own colour");
    }

    #[test]
    fn tactics_are_seen() {
        let capture = features(". . X .\n. X O a\n. . X .\n. . . .");
        assert!(has(&capture, &CAPTURE, 2 * SIZES), "{capture:?}");
        let escape = features(". O . .\nO X a .\n. O . .\n. . . .\n. . . .");
        assert_eq!(indices(&escape, &ESCAPE), [2 * SIZES], "three liberties: {escape:?}");
        let self_atari = features("a O .\n. O .\n. . .");
        assert!(has(&self_atari, &SELF_ATARI, 0), "{self_atari:?}");
        let join = features(". X .\nX a .\n. . .\n. . .");
        assert!(has(&join, &JOIN, 0), "{join:?}");
    }
}
