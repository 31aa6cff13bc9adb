//! A problem as people write it down, completed: region, target and goal are found where they are missing, and what was
//! found is said.
//!
//! *Region.* The flood from the target through empty points and the defender's stones ends at the attacker's stones.
//! If it stays small, the target is enclosed and the flood is the region. Otherwise the enclosure has gaps, and the flood is
//! repeated with care: beyond the liberties of the target it does not go past points beside an attacker's
//! stone, nor far from the target. What is outside then belongs to the attacker, whose stones there count as safe; an
//! attacker's chain with a single liberty outside does not, and that liberty joins the region. Stones of the
//! defender outside count as safe if they have liberties enough; others join the region with their liberties.
//!
//! *Target.* Among all chains that may be meant, the one that is enclosed with the fewest gaps, then the one with
//! the least room, if it is more than a few stones; with it go all chains of a similar size in the same region.
//!
//! *Goal.* The colour of the target and the side to move tell it.

use crate::problem::{Goal, Outside, Problem, ProblemError, close};
use std::collections::VecDeque;
use std::fmt;
use tesuji_board::{Board, Cell, Chain, Color, Move, Point, PointSet};

/// Most empty points of a flood that counts as enclosed.
const MAX_ENCLOSED: usize = 36;

/// How far from the target a flood through gaps goes, in lines.
const MAX_DISTANCE: usize = 5;

/// How often a region that was found is extended by weak chains around it.
const MAX_ROUNDS: usize = 3;

/// A chain of the defender outside with fewer liberties is no help but part of the fight.
const SAFE_LIBERTIES: usize = 4;

/// Fewer stones than this in a region are hardly what a problem is about.
const FEW_STONES: usize = 4;

/// A problem with parts that may be missing.
#[derive(Clone)]
pub struct Draft {
    /// The position, with its ko.
    pub board: Board,
    /// Who moves first.
    pub to_move: Color,
    /// What the side to move wants.
    pub goal: Option<Goal>,
    /// A stone of each chain of the target.
    pub targets: Vec<Point>,
    /// Where moves may be played.
    pub region: Option<PointSet>,
    /// Beyond this the region does not reach if it has to be found.
    pub bounds: Option<PointSet>,
    /// Whose the empty points outside are.
    pub outside: Option<Outside>,
}

/// A problem and what had to be guessed to get it.
#[derive(Clone)]
pub struct Completed {
    /// The problem.
    pub problem: Problem,
    /// One sentence for each guess.
    pub remarks: Vec<String>,
}

/// Why a draft cannot be completed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DraftError {
    /// There is no stone that could be meant.
    NothingToFightFor,
    /// What was put together is not a problem.
    Problem(ProblemError),
}

impl fmt::Display for DraftError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DraftError::NothingToFightFor => f.write_str("there is no stone that could be the target"),
            DraftError::Problem(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for DraftError {}

impl From<ProblemError> for DraftError {
    fn from(error: ProblemError) -> DraftError {
        DraftError::Problem(error)
    }
}

impl Draft {
    /// A draft with nothing but a position.
    pub fn new(board: Board, to_move: Color) -> Draft {
        Draft { board, to_move, goal: None, targets: Vec::new(), region: None, bounds: None, outside: None }
    }

    /// Finds what is missing and checks the whole.
    pub fn complete(mut self) -> Result<Completed, DraftError> {
        let mut remarks = Vec::new();
        let size = self.board.size();
        if self.targets.is_empty() {
            let (stone, enclosure) = self.find_target().ok_or(DraftError::NothingToFightFor)?;
            self.targets = self.chains_like(stone, &enclosure.region);
            remarks.push(format!("no target given: took the group at {}", Move::Play(stone).to_gtp(size)));
        }
        let Some(defender) = self.board.color(self.targets[0]) else {
            return Err(ProblemError::TargetGone(self.targets[0]).into());
        };
        let goal = self.goal.unwrap_or_else(|| {
            let goal = if defender == self.to_move { Goal::Live } else { Goal::Kill };
            remarks.push(format!("no goal given: {} is to move and to {goal}", self.to_move));
            goal
        });
        let (region, outside) = match self.region {
            Some(region) => (region, self.outside.unwrap_or(Outside::Open)),
            None => {
                let enclosure = enclosure(&self.board, &self.targets, defender, self.bounds.as_ref());
                let kind = if enclosure.gaps > 0 { "with gaps" } else { "enclosed" };
                let empty = enclosure.region.iter().filter(|&point| self.board.is_empty(point)).count();
                remarks.push(format!("no region given: found one {kind}, {empty} empty points"));
                (enclosure.region, self.outside.unwrap_or(Outside::Owned(!defender)))
            }
        };
        let problem = Problem::new(self.board, region, &self.targets, self.to_move, goal, outside)?;
        Ok(Completed { problem, remarks })
    }

    fn find_target(&self) -> Option<(Point, Enclosure)> {
        let defenders: &[Color] = match self.goal {
            Some(goal) if goal.is_attack() => &[!self.to_move],
            Some(_) => &[self.to_move],
            None => &[!self.to_move, self.to_move],
        };
        let is_within = |point: Point| self.bounds.as_ref().is_none_or(|bounds| bounds.contains(point));
        let mut best: Option<((usize, bool, usize), Point, Enclosure)> = None;
        for (stone, color) in self.board.chain_representatives() {
            if !defenders.contains(&color) || !is_within(stone) {
                continue;
            }
            let enclosure = enclosure(&self.board, &[stone], color, self.bounds.as_ref());
            let count =
                |wanted| enclosure.region.iter().filter(|&point| self.board.color(point) == wanted).count();
            let rank = (enclosure.gaps, count(Some(color)) < FEW_STONES, count(None));
            if best.as_ref().is_none_or(|(found, ..)| rank < *found) {
                best = Some((rank, stone, enclosure));
            }
        }
        best.map(|(_, stone, enclosure)| (stone, enclosure))
    }

    /// A stone of each chain of the colour of `stone` inside the region that has a third of the size of the largest.
    fn chains_like(&self, stone: Point, region: &PointSet) -> Vec<Point> {
        let board = &self.board;
        let color = board.color(stone);
        let chains = board.chain_representatives().filter(|&(stone, of)| {
            Some(of) == color && board.stones(board.chain_at(stone)).all(|stone| region.contains(stone))
        });
        let sizes: Vec<(Point, usize)> =
            chains.map(|(stone, _)| (stone, board.chain_size(board.chain_at(stone)))).collect();
        let largest = sizes.iter().map(|&(_, size)| size).max().unwrap_or(1);
        let like = sizes.iter().filter(|&&(_, size)| 3 * size >= largest).map(|&(stone, _)| stone);
        let mut stones: Vec<Point> = like.collect();
        if stones.is_empty() {
            stones.push(stone);
        }
        stones
    }
}

/// A region that was found.
struct Enclosure {
    region: PointSet,
    /// Number of its empty points beside empty points outside.
    gaps: usize,
}

fn enclosure(board: &Board, targets: &[Point], defender: Color, bounds: Option<&PointSet>) -> Enclosure {
    let is_within = |point: Point| bounds.is_none_or(|bounds| bounds.contains(point));
    let mut region = flood(board, targets, defender, &|_, _| true);
    let is_enclosed = region.iter().filter(|&point| board.is_empty(point)).count() <= MAX_ENCLOSED;
    if !is_enclosed {
        region = flood(board, targets, defender, &|point, distance| {
            is_within(point)
                && (distance <= 1
                    || (distance < MAX_DISTANCE && board.neighborhood(point).sides_of(!defender) == 0))
        });
        fill_pockets(board, &mut region);
    }
    for _ in 0..MAX_ROUNDS {
        let before = region;
        add_last_liberties(board, &mut region, !defender);
        close(&mut region, board);
        add_weak_neighbors(board, &mut region, defender);
        if region == before {
            break;
        }
    }
    let is_gap = |&point: &Point| {
        board.is_empty(point) && board.sides(point, Cell::Empty).any(|side| !region.contains(side))
    };
    let gaps = if is_enclosed { 0 } else { region.iter().filter(is_gap).count() };
    Enclosure { region, gaps }
}

/// The points reached from the target through empty points and stones of the defender; goes on from an empty point
/// only if `passes` says so of the point and its distance.
fn flood(
    board: &Board,
    targets: &[Point],
    defender: Color,
    passes: &dyn Fn(Point, usize) -> bool,
) -> PointSet {
    let size = board.size();
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
        if board.is_empty(point) && !passes(point, distance) {
            continue;
        }
        for side in size.neighbors(point) {
            if board.color(side) == Some(defender) {
                add_chain(&mut region, &mut queue, side, distance);
            } else if board.is_empty(side) && region.insert(side) {
                queue.push_back((side, distance + 1));
            }
        }
    }
    region
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
        let mut sides = board.stones(chain).flat_map(|stone| board.sides(stone, (!attacker).cell()));
        sides.any(|side| region.contains(side))
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
