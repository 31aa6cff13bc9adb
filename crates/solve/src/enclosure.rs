//! The region of a problem that names none.
//!
//! The flood from the target through empty points and the defender's stones ends at the attacker's stones. If it stays
//! small, the target is enclosed and the flood is the region. Otherwise the enclosure has gaps, and the flood is repeated with care:
//! beyond the liberties of the target it does not go past points beside an attacker's stone, nor far from the target; along the edge
//! it goes one point further, because a crawl there has to be answered from in front.
//!
//! *Near and far.* The more room a region has, the harder it is to search, and a few points more make the difference between a second and an hour. So a region
//! with gaps is found twice: the near one does not go through gaps, the far one goes a little beyond them; and regions grow in steps. What is outside any of them is the attacker's, so a
//! defender who lives in the near region lives in all larger ones too.
//!
//! *Stones that count as a wall.* An attacker's chain that the defender, moving first, captures in a ladder is no wall: the
//! flood goes through it. What is outside belongs to the attacker, whose stones there count as safe; an attacker's chain with a
//! single liberty outside does not, and that liberty joins the region. Stones of the defender outside count as safe if
//! they have liberties enough; others join the region with their liberties.

use crate::problem::close;
use std::collections::VecDeque;
use tesuji_board::{Board, Cell, Chain, Color, Ladder, LadderReader, Point, PointSet, Size};

/// Most empty points of a flood that counts as enclosed.
const MAX_ENCLOSED: usize = 36;

/// How far from the target a flood through gaps goes, in lines.
const MAX_DISTANCE: usize = 5;

/// The same for the near region.
const NEAR_DISTANCE: usize = 4;

/// How often a region that was found is extended by weak chains around it.
const MAX_ROUNDS: usize = 3;

/// A chain of the defender outside with fewer liberties is no help but part of the fight.
const SAFE_LIBERTIES: usize = 4;

/// A chain of the attacker with so few liberties may be captured.
const SHORT_OF_LIBERTIES: usize = 3;

/// Most moves of a ladder that is read to tell whether a stone is a wall.
const LADDER_NODES: usize = 300;

/// How far a region with gaps reaches.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Up to the gaps.
    Near,
    /// Beyond them.
    Far,
}

/// A region that was found.
pub(crate) struct Enclosure {
    pub(crate) region: PointSet,
    /// Number of its empty points beside empty points outside.
    pub(crate) gaps: usize,
}

/// A position with what is known of its stones.
pub(crate) struct Surroundings<'a> {
    board: &'a Board,
    /// Stones that the opponent, moving first, captures in a ladder.
    weak: PointSet,
}

impl<'a> Surroundings<'a> {
    pub(crate) fn of(board: &'a Board) -> Surroundings<'a> {
        let mut reader = LadderReader::new();
        let mut weak = PointSet::EMPTY;
        for (stone, color) in board.chain_representatives() {
            let chain = board.chain_at(stone);
            if board.liberty_count(chain) <= 2
                && reader.read(board, stone, !color, LADDER_NODES).outcome == Ladder::Captured
            {
                weak.extend(board.stones(chain));
            }
        }
        Surroundings { board, weak }
    }

    /// The region of a target, inside `bounds` as far as it is not enclosed.
    pub(crate) fn enclosure(
        &self,
        targets: &[Point],
        defender: Color,
        bounds: Option<&PointSet>,
        reach: Reach,
    ) -> Enclosure {
        let board = self.board;
        let is_within = |point: Point| bounds.is_none_or(|bounds| bounds.contains(point));
        let empty_points = |region: &PointSet| region.iter().filter(|&point| board.is_empty(point)).count();
        let mut region = self.flood(targets, defender, &|_, distance| Some(distance + 1));
        let is_enclosed = empty_points(&region) <= MAX_ENCLOSED;
        if !is_enclosed {
            region = self.flood(targets, defender, &|point, distance| {
                let is_open = !self.is_beside_wall(point, !defender);
                let is_on_edge = is_on_edge(board.size(), point);
                match reach {
                    _ if !is_within(point) => None,
                    Reach::Near if is_open && distance < NEAR_DISTANCE => Some(distance + 1),
                    // One point beyond a wall that does not come down to the edge.
                    Reach::Near => (distance == 1 && is_on_edge).then_some(NEAR_DISTANCE),
                    Reach::Far => {
                        let passes = distance <= 1
                            || (distance == 2 && is_on_edge)
                            || (distance < MAX_DISTANCE && is_open);
                        passes.then_some(distance + 1)
                    }
                }
            });
        }
        self.add_what_belongs(&mut region, defender);
        let is_gap = |&point: &Point| {
            board.is_empty(point) && board.sides(point, Cell::Empty).any(|side| !region.contains(side))
        };
        let gaps = if is_enclosed { 0 } else { region.iter().filter(is_gap).count() };
        Enclosure { region, gaps }
    }

    /// A region with all empty points beside its empty points, as far as `limit` allows.
    pub(crate) fn grown(&self, region: &PointSet, defender: Color, limit: Option<&PointSet>) -> PointSet {
        let board = self.board;
        let mut grown = *region;
        for point in region.iter().filter(|&point| board.is_empty(point)) {
            grown.extend(board.sides(point, Cell::Empty));
        }
        self.add_what_belongs(&mut grown, defender);
        match limit {
            Some(limit) => grown.iter().filter(|&point| limit.contains(point)).collect(),
            None => grown,
        }
    }

    /// A region with the stones of the attacker beside it that are short of liberties, and these: to capture them may be the way out.
    pub(crate) fn with_weak_wall(&self, region: &PointSet, defender: Color) -> PointSet {
        let board = self.board;
        let mut wider = *region;
        for (stone, color) in board.chain_representatives() {
            let chain = board.chain_at(stone);
            let mut sides = board.stones(chain).flat_map(|stone| board.size().neighbors(stone));
            if color != defender
                && board.liberty_count(chain) <= SHORT_OF_LIBERTIES
                && sides.any(|side| region.contains(side) && board.color(side) != Some(color))
            {
                wider.extend(board.stones(chain).chain(board.liberties(chain)));
            }
        }
        self.add_what_belongs(&mut wider, defender);
        wider
    }

    /// Extends a region by what it cannot be without.
    fn add_what_belongs(&self, region: &mut PointSet, defender: Color) {
        for _ in 0..MAX_ROUNDS {
            let before = *region;
            fill_pockets(self.board, region);
            add_last_liberties(self.board, region, !defender);
            close(region, self.board);
            add_weak_neighbors(self.board, region, defender);
            if *region == before {
                break;
            }
        }
    }

    fn is_beside_wall(&self, point: Point, attacker: Color) -> bool {
        self.board.sides(point, attacker.cell()).any(|side| !self.weak.contains(side))
    }

    /// The points reached from the target through empty points, stones of the defender and weak stones of the attacker. `next` says of an
    /// empty point and its distance at which distance the flood goes on from there, if it does.
    fn flood(
        &self,
        targets: &[Point],
        defender: Color,
        next: &dyn Fn(Point, usize) -> Option<usize>,
    ) -> PointSet {
        let board = self.board;
        let mut region = PointSet::EMPTY;
        let mut queue = VecDeque::new();
        let add_chain = |region: &mut PointSet, queue: &mut VecDeque<_>, stone: Point, distance: usize| {
            for stone in board.stones(board.chain_at(stone)).filter(|&stone| region.insert(stone)) {
                queue.push_back((stone, distance));
            }
        };
        for &target in targets {
            add_chain(&mut region, &mut queue, target, 0);
        }
        while let Some((point, distance)) = queue.pop_front() {
            let further = if board.is_empty(point) { next(point, distance) } else { Some(distance + 1) };
            let Some(further) = further else { continue };
            for side in board.size().neighbors(point) {
                match board.color(side) {
                    None if region.insert(side) => queue.push_back((side, further)),
                    Some(color) if color == defender || self.weak.contains(side) => {
                        add_chain(&mut region, &mut queue, side, distance);
                    }
                    _ => {}
                }
            }
        }
        region
    }
}

fn is_on_edge(size: Size, point: Point) -> bool {
    size.neighbors(point).count() < 4
}

/// Adds empty points that have no way to other empty points but through the region.
fn fill_pockets(board: &Board, region: &mut PointSet) {
    for _ in 0..2 {
        let is_pocket = |point: &Point| {
            !region.contains(*point) && board.sides(*point, Cell::Empty).all(|side| region.contains(side))
        };
        let pockets: Vec<Point> = board
            .empties()
            .iter()
            .copied()
            .filter(is_pocket)
            .filter(|&point| board.sides(point, Cell::Empty).next().is_some())
            .collect();
        region.extend(pockets);
    }
}

/// Adds the one liberty outside of chains of the attacker beside the defender's stones that have no more than one there:
/// these chains are in danger.
fn add_last_liberties(board: &Board, region: &mut PointSet, attacker: Color) {
    let is_beside = |chain: Chain| {
        let mut sides = board.stones(chain).flat_map(|stone| board.size().neighbors(stone));
        sides.any(|side| region.contains(side) && board.color(side) != Some(attacker))
    };
    let outside = |chain: Chain| board.liberties(chain).filter(|&liberty| !region.contains(liberty));
    let chains = board.chain_representatives().filter(|&(_, color)| color == attacker);
    let weak = chains.map(|(stone, _)| board.chain_at(stone)).filter(|&chain| is_beside(chain));
    let added: Vec<Point> = weak.filter(|&chain| outside(chain).count() == 1).flat_map(outside).collect();
    region.extend(added);
}

/// Adds the defender's chains beside the region that have few liberties, and these.
fn add_weak_neighbors(board: &Board, region: &mut PointSet, defender: Color) {
    let is_beside = |chain: Chain| {
        let mut sides = board.stones(chain).flat_map(|stone| board.size().neighbors(stone));
        sides.any(|side| region.contains(side))
    };
    let chains =
        board.chain_representatives().filter(|&(stone, color)| color == defender && !region.contains(stone));
    let weak: Vec<Chain> = chains
        .map(|(stone, _)| board.chain_at(stone))
        .filter(|&chain| board.liberty_count(chain) < SAFE_LIBERTIES && is_beside(chain))
        .collect();
    for chain in weak {
        region.extend(board.stones(chain).chain(board.liberties(chain)));
    }
}
