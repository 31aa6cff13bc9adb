//! A problem as people write it down, completed: region, target and goal are found where they are missing, and what was
//! found is said.
//!
//! *Region.* See `enclosure.rs`.
//!
//! *Target.* Every group that may be meant is a candidate: the group enclosed with the fewest gaps first, then the one with
//! the least room, if it is more than a few stones. With a chain go all chains of a similar size in the same region; alone
//! it is a candidate of its own. A solver can choose better than the order does: see `guess.rs`.
//!
//! *Goal.* The colour of the target and the side to move tell it.

use crate::enclosure::{Enclosure, Reach, Surroundings};
use crate::problem::{Goal, Outside, Problem, ProblemError};
use std::fmt;
use tesuji_board::{Board, Color, Move, Point, PointSet};

/// Fewer stones than this in a region are hardly what a problem is about.
const FEW_STONES: usize = 4;

/// Empty points fewer that make a smaller region worth a search of its own.
const NEAR_SAVES: usize = 2;

/// How often the smallest region is grown for another question.
const SMALLER_STEPS: usize = 2;

/// How often the region is grown for a group that does not live in it.
const WIDER_STEPS: usize = 2;

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
    /// Smaller questions with the same answer as a rule, the smallest first: about the main chain of a group that was guessed, up to the gaps of the region and a step
    /// or two beyond. None where the goal had to be guessed as well.
    pub smaller: Vec<Problem>,
    /// Larger ones, for a group that was guessed and does not live here: a step or two beyond the region.
    pub wider: Vec<Problem>,
    /// One sentence for each guess.
    pub remarks: Vec<String>,
    /// Whether the target had to be chosen among the groups.
    pub is_target_guessed: bool,
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

/// Whether a question is a good deal smaller than another, and whoever lives by it lives by the other too: its region is a part of the other one, and no stone of the
/// defender is left out, which would count as safe.
fn is_smaller(near: &Problem, far: &Problem) -> bool {
    let is_left_out =
        |point: Point| !near.region().contains(point) && far.board().color(point) == Some(far.defender());
    let is_less =
        near.targets().len() < far.targets().len() || near.empty_points() + NEAR_SAVES <= far.empty_points();
    is_less
        && near.region().iter().all(|point| far.region().contains(point))
        && !far.region().iter().any(is_left_out)
}

impl Draft {
    /// A draft with nothing but a position.
    pub fn new(board: Board, to_move: Color) -> Draft {
        Draft { board, to_move, goal: None, targets: Vec::new(), region: None, bounds: None, outside: None }
    }

    /// Finds what is missing and checks the whole; the target is the likeliest one.
    pub fn complete(self) -> Result<Completed, DraftError> {
        self.candidates(1)?.into_iter().next().ok_or(DraftError::NothingToFightFor)
    }

    /// At most so many problems that may be meant, the likeliest first; one if the target is given.
    pub fn candidates(self, limit: usize) -> Result<Vec<Completed>, DraftError> {
        let surroundings = Surroundings::of(&self.board);
        if !self.targets.is_empty() {
            let targets = self.targets.clone();
            return Ok(vec![self.complete_with(&surroundings, &targets, Vec::new())?]);
        }
        let mut found: Vec<Completed> = Vec::new();
        let mut first_error = None;
        for targets in self.possible_targets(&surroundings) {
            let name = Move::Play(targets[0]).to_gtp(self.board.size());
            let remarks = vec![format!("no target given: took the group at {name}")];
            match self.complete_with(&surroundings, &targets, remarks) {
                Ok(completed) => found.push(completed),
                Err(error) => first_error = first_error.or(Some(error)),
            }
            if found.len() >= limit {
                break;
            }
        }
        if found.is_empty() { Err(first_error.unwrap_or(DraftError::NothingToFightFor)) } else { Ok(found) }
    }

    fn complete_with(
        &self,
        surroundings: &Surroundings<'_>,
        targets: &[Point],
        mut remarks: Vec<String>,
    ) -> Result<Completed, DraftError> {
        let Some(defender) = self.board.color(targets[0]) else {
            return Err(ProblemError::TargetGone(targets[0]).into());
        };
        let goal = self.goal.unwrap_or_else(|| {
            let goal = if defender == self.to_move { Goal::Live } else { Goal::Kill };
            remarks.push(format!("no goal given: {} is to move and to {goal}", self.to_move));
            goal
        });
        let make = |region, targets: &[Point], outside| {
            Problem::new(self.board.clone(), region, targets, self.to_move, goal, outside)
        };
        let (region, outside, has_gaps) = match self.region {
            Some(region) => (region, self.outside.unwrap_or(Outside::Open), false),
            None => {
                let enclosure = surroundings.enclosure(targets, defender, self.bounds.as_ref(), Reach::Far);
                let has_gaps = enclosure.gaps > 0;
                let kind = if has_gaps { "with gaps" } else { "enclosed" };
                let empty = self.empty_points(&enclosure.region);
                remarks.push(format!("no region given: found one {kind}, {empty} empty points"));
                (enclosure.region, self.outside.unwrap_or(Outside::Owned(!defender)), has_gaps)
            }
        };
        let problem = make(region, targets, outside)?;
        let mut smaller: Vec<Problem> = Vec::new();
        if has_gaps && self.goal.is_some() && outside == Outside::Owned(!defender) {
            let core = self.core_of(targets);
            let near = surroundings.enclosure(&core, defender, self.bounds.as_ref(), Reach::Near).region;
            let mut region = self.with_all_of(defender, near, problem.region());
            for _ in 0..=SMALLER_STEPS {
                let question = make(region, &core, outside).ok();
                smaller.extend(question.filter(|question| is_smaller(question, &problem)));
                region = surroundings.grown(&region, defender, Some(problem.region()));
            }
            smaller.dedup_by_key(|question| *question.region());
        }
        let is_target_guessed = self.targets.is_empty();
        let mut wider: Vec<Problem> = Vec::new();
        if self.region.is_none() && is_target_guessed && !goal.is_attack() {
            let mut region = *problem.region();
            for _ in 0..WIDER_STEPS {
                region = surroundings.with_weak_wall(&region, defender);
                wider.extend(make(region, targets, outside));
                region = surroundings.grown(&region, defender, None);
                wider.extend(make(region, targets, outside));
            }
            wider.dedup_by_key(|question| *question.region());
            wider.retain(|question| question.region() != problem.region());
        }
        Ok(Completed { problem, smaller, wider, remarks, is_target_guessed })
    }

    /// A region with the defender's stones in a larger one, and as much of their liberties as lies there.
    fn with_all_of(&self, defender: Color, mut region: PointSet, larger: &PointSet) -> PointSet {
        for (stone, color) in self.board.chain_representatives() {
            let chain = self.board.chain_at(stone);
            let is_missing = |point: Point| larger.contains(point) && !region.contains(point);
            if color == defender && self.board.stones(chain).any(is_missing) {
                let liberties = self.board.liberties(chain).filter(|&liberty| larger.contains(liberty));
                region.extend(self.board.stones(chain).chain(liberties));
            }
        }
        region
    }

    fn empty_points(&self, region: &PointSet) -> usize {
        region.iter().filter(|&point| self.board.is_empty(point)).count()
    }

    /// The chain with more than half of the stones of a group that had to be guessed, or else all its chains.
    fn core_of(&self, targets: &[Point]) -> Vec<Point> {
        let size = |stone: Point| self.board.chain_size(self.board.chain_at(stone));
        let all: usize = targets.iter().map(|&stone| size(stone)).sum();
        let is_main = |&stone: &Point| self.targets.is_empty() && 2 * size(stone) > all;
        let main = targets.iter().copied().find(is_main);
        main.map_or_else(|| targets.to_vec(), |stone| vec![stone])
    }

    /// The chains of each group that may be the target, the likeliest group first.
    fn possible_targets(&self, surroundings: &Surroundings<'_>) -> Vec<Vec<Point>> {
        let defenders: &[Color] = match self.goal {
            Some(goal) if goal.is_attack() => &[!self.to_move],
            Some(_) => &[self.to_move],
            None => &[!self.to_move, self.to_move],
        };
        let is_within = |point: Point| self.bounds.as_ref().is_none_or(|bounds| bounds.contains(point));
        let mut groups: Vec<((usize, bool, usize), Point, Enclosure)> = Vec::new();
        for (stone, color) in self.board.chain_representatives() {
            if !defenders.contains(&color) || !is_within(stone) {
                continue;
            }
            let enclosure = surroundings.enclosure(&[stone], color, self.bounds.as_ref(), Reach::Far);
            let count =
                |wanted| enclosure.region.iter().filter(|&point| self.board.color(point) == wanted).count();
            let rank = (enclosure.gaps, count(Some(color)) < FEW_STONES, count(None));
            groups.push((rank, stone, enclosure));
        }
        groups.sort_by_key(|&(rank, ..)| rank);
        let mut targets: Vec<Vec<Point>> = Vec::new();
        for (_, stone, enclosure) in &groups {
            let group = self.chains_like(*stone, &enclosure.region);
            if !targets.contains(&group) {
                targets.push(group);
            }
        }
        // Single chains come after all groups, larger ones first, and a few stones are hardly meant alone.
        let size = |&stone: &Point| self.board.chain_size(self.board.chain_at(stone));
        let mut chains: Vec<Point> =
            groups.iter().map(|&(_, stone, _)| stone).filter(|stone| size(stone) >= FEW_STONES).collect();
        chains.sort_by_key(|stone| std::cmp::Reverse(size(stone)));
        for chain in chains.into_iter().map(|stone| vec![stone]) {
            if !targets.contains(&chain) {
                targets.push(chain);
            }
        }
        targets
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
