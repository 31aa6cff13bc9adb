//! Which of several groups a problem without a target is about.
//!
//! What an author sets as a problem has an answer, and needs it: the side to move reaches its goal, or at least a ko for it,
//! and would not without the move. A group that is dead or alive whoever moves first is not what is meant. This says nothing about *which* move
//! is the answer, and nothing is proved by it: it chooses the question, and the choice is said in the remarks.
//!
//! For the same reason a proof that the side to move fails, for a group that had to be chosen, says more about the choice, or the region found
//! for it, than about the problem; and so does a ko that it wins only with two threats or more: an author asks for more than that. Nor does an author
//! ask where most moves will do.
//!
//! *Two questions.* What takes a second in a small region may take an hour in a larger one, or with a target of several chains. So where the region was found and has gaps, a smaller question
//! is asked in turn with the problem: up to the gaps, and about the main chain alone of a group that was guessed. Each round has more nodes. A defender who lives there lives in the
//! larger region too. An attacker who kills there does not always kill in the larger one, so that is no answer where the target is known. Where it had
//! to be guessed it is a better guess of what is meant, if the attacker moves first, the larger question is still open, and one move alone kills: the smaller question then takes the place of the problem, and the remarks say so.

use crate::dfpn::Limits;
use crate::draft::Completed;
use crate::problem::Problem;
use crate::side::Side;
use crate::solution::{Detail, Fate, Needs, Solution};
use crate::solver::{Solver, mover};
use std::sync::atomic::Ordering;
use tesuji_board::Move;

/// Groups that are looked at.
pub const MAX_CANDIDATES: usize = 6;

/// Nodes for each of the two questions about a group.
const NODES: u64 = 15_000;

/// Nodes for the larger of two questions in the first round.
const FIRST_ROUND: u64 = 30_000;

/// How much more the smaller one gets, which is answered more often; and how much more both get in the next round.
const MORE: u64 = 4;

/// So many moves are more than a problem has answers, if they are also most of all.
const MANY_MOVES: usize = 4;

/// How well a group fits the idea of a problem; less is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// The side to move succeeds, and fails if the opponent moves first.
    Unsettled,
    /// Not found out.
    Unknown,
    /// The side to move fails, or need not move.
    Settled,
}

impl Solver {
    /// The first candidate that is not shown to be settled, or else the first of all; and the nodes that the choice took.
    pub fn choose(&mut self, candidates: Vec<Completed>, limits: &Limits<'_>) -> Option<(Completed, u64)> {
        let number = candidates.len();
        let mut nodes = 0;
        let mut best: Option<(Fit, Completed)> = None;
        for candidate in candidates {
            let fit = if number == 1 { Fit::Unknown } else { self.fit(&candidate, limits, &mut nodes) };
            if best.as_ref().is_none_or(|(found, _)| fit < *found) {
                best = Some((fit, candidate));
            }
            if fit != Fit::Settled {
                break;
            }
        }
        let (fit, mut chosen) = best?;
        if number > 1 {
            chosen.remarks.push(match fit {
                Fit::Unsettled => {
                    "this group was chosen because its fate depends on who moves first".to_owned()
                }
                Fit::Unknown => format!(
                    "{number} groups may be meant; this is the likeliest that is not settled at first sight"
                ),
                Fit::Settled => {
                    format!("{number} groups may be meant; none whose fate depends on who moves first")
                }
            });
        }
        Some((chosen, nodes))
    }

    /// Solves a problem as far as the limits allow. Where the target was guessed and the side to move fails, or as good as fails, or can hardly
    /// fail, there is no verdict: the fate is unknown, and a remark says what was found.
    pub fn solve_completed(
        &mut self,
        completed: &mut Completed,
        detail: Detail,
        limits: &Limits<'_>,
    ) -> Solution {
        let solution = self.solve_in_turn(completed, detail, limits);
        let problem = &completed.problem;
        let says_nothing = as_good_as_fails(&solution, mover(problem)) || can_hardly_fail(&solution, problem);
        if !completed.is_target_guessed || !says_nothing {
            return solution;
        }
        let found = solution.fate;
        completed
            .remarks
            .push(format!("for this group: {found}; another may be meant, or more of the board"));
        Solution { fate: Fate::Unknown, best_moves: Vec::new(), right_moves: Vec::new(), ..solution }
    }

    /// Solves a problem or the smaller question that goes with it, and leaves the one that was decided.
    fn solve_in_turn(&mut self, completed: &mut Completed, detail: Detail, limits: &Limits<'_>) -> Solution {
        let (mut nodes, mut round) = (0, FIRST_ROUND);
        let left = |nodes: u64| Limits { nodes: limits.nodes.saturating_sub(nodes), ..*limits };
        while let Some(near) = completed.near.take() {
            let mut solution = self.solve_if_easy(&completed.problem, detail, &left(nodes), round);
            nodes += solution.nodes;
            let is_over =
                |nodes| nodes >= limits.nodes || limits.stop.load(Ordering::Relaxed) || !(limits.has_time)();
            if solution.fate != Fate::Unknown || is_over(nodes) {
                solution.nodes = nodes;
                return solution;
            }
            round = round.saturating_mul(MORE);
            let mut solution = self.solve_if_easy(&near, detail.max(Detail::AllMoves), &left(nodes), round);
            nodes += solution.nodes;
            let is_believed = match solution.fate {
                Fate::Lives => true,
                Fate::Dies => {
                    completed.is_target_guessed
                        && mover(&near) == Side::Attacker
                        && solution.right_moves.len() == 1
                }
                Fate::Ko(_) | Fate::Unknown => false,
            };
            if is_believed {
                completed.remarks.push(format!(
                    "decided for the group at {} in a smaller region, {} empty points",
                    Move::Play(near.targets()[0]).to_gtp(near.board().size()),
                    near.empty_points()
                ));
                completed.problem = *near;
                solution.nodes = nodes;
                return solution;
            }
            if solution.fate != Fate::Unknown {
                break;
            }
            completed.near = Some(near);
        }
        let mut solution = self.solve(&completed.problem, detail, &left(nodes));
        solution.nodes += nodes;
        solution
    }

    fn fit(&mut self, candidate: &Completed, limits: &Limits<'_>, nodes: &mut u64) -> Fit {
        let left = |nodes: u64| Limits { nodes: NODES.min(limits.nodes.saturating_sub(nodes)), ..*limits };
        let problem = &candidate.problem;
        let side = mover(problem);
        let first = self.solve(problem, Detail::Fate, &left(*nodes));
        *nodes += first.nodes;
        match (first.fate, first.succeeds(side)) {
            (Fate::Unknown, _) => return Fit::Unknown,
            (_, Some(false)) => return Fit::Settled,
            _ => {}
        }
        let second = self.solve(&problem.with_other_side_first(), Detail::Fate, &left(*nodes));
        *nodes += second.nodes;
        match second.fate {
            Fate::Unknown => Fit::Unknown,
            fate if is_better(first.fate, fate, side) => Fit::Unsettled,
            _ => Fit::Settled,
        }
    }
}

/// Whether a side fails, or wins only a ko for which it needs more than one threat.
fn as_good_as_fails(solution: &Solution, side: Side) -> bool {
    match solution.fate {
        Fate::Ko(ko) => ko.favours != side && ko.needs != Needs::One,
        _ => solution.succeeds(side) == Some(false),
    }
}

/// Whether most of many first moves succeed.
fn can_hardly_fail(solution: &Solution, problem: &Problem) -> bool {
    let right = solution.right_moves.len();
    right >= MANY_MOVES && 2 * right > problem.empty_points()
}

/// Whether one fate is better than another for a side: success before ko before failure, and among kos the favoured side.
fn is_better(one: Fate, other: Fate, side: Side) -> bool {
    let rank = |fate: Fate| match fate {
        Fate::Lives => 3,
        Fate::Ko(ko) if ko.favours == Side::Defender => 2,
        Fate::Ko(_) => 1,
        Fate::Dies | Fate::Unknown => 0,
    };
    match side {
        Side::Defender => rank(one) > rank(other),
        Side::Attacker => rank(one) < rank(other),
    }
}
