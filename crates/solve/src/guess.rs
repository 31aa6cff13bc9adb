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
//! *Smaller questions.* What takes a second in a small region may take an hour in a larger one, or with a target of several chains. So where the region was found and has gaps, a smaller question
//! is asked in turn with the problem: up to the gaps, and about the main chain alone of a group that was guessed. Each round has more nodes. Once it is answered and the answer is not
//! enough, its region grows by a step. A defender who lives in a part of the region lives in all of it: moves outside the part are passes to the defender, who needs nothing there, and no stone of the
//! defender is left out. An attacker who kills there does not always kill in the larger one, so that is no answer where the target is known. Where it had
//! to be guessed it is a better guess of what is meant, if the attacker moves first, the larger question is still open, and it is proved that one move alone kills: the smaller question then takes the place of the
//! problem, and the remarks say so.
//!
//! *Larger questions.* A guessed group that does not live, with the defender to move, may do so with more of the board; so it is asked about in regions that are larger step by step, first by stones of the
//! attacker that are short of liberties and then by the empty points around. If that says nothing either, the next group may be meant. Where no group has a verdict and time is left, the larger regions that
//! took too many nodes are asked about again with more: a life in any of them is a proof. All of these questions are asked with one table (see `Arena::hash`), so that what was found out is there when a question comes up again.

use crate::dfpn::Limits;
use crate::draft::Completed;
use crate::problem::Problem;
use crate::side::Side;
use crate::solution::{Detail, Fate, Needs, Solution};
use crate::solver::{Outright, Solver, mover};
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

/// Nodes for the fate in a larger region, if what came before did not take more: another group may be meant.
const WIDER_NODES: u64 = 60_000;

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
        self.forget();
        let mut nodes = 0;
        let (_, chosen) = self.pick(&candidates, limits, &mut nodes)?;
        Some((chosen, nodes))
    }

    /// The same with the place of the candidate; adds the nodes that the choice took.
    fn pick(
        &mut self,
        candidates: &[Completed],
        limits: &Limits<'_>,
        nodes: &mut u64,
    ) -> Option<(usize, Completed)> {
        let number = candidates.len();
        let mut best: Option<(Fit, usize)> = None;
        for (at, candidate) in candidates.iter().enumerate() {
            let fit = if number == 1 { Fit::Unknown } else { self.fit(candidate, limits, nodes) };
            if best.is_none_or(|(found, _)| fit < found) {
                best = Some((fit, at));
            }
            if fit != Fit::Settled {
                break;
            }
        }
        let (fit, at) = best?;
        let mut chosen = candidates[at].clone();
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
        Some((at, chosen))
    }

    /// Solves the problem that is meant, and says which it is. A candidate about which there is no verdict, see [`Solver::solve_completed`], makes way for
    /// the next one.
    pub fn solve_meant(
        &mut self,
        mut candidates: Vec<Completed>,
        detail: Detail,
        limits: &Limits<'_>,
    ) -> Option<(Completed, Solution)> {
        self.forget();
        let mut nodes = 0;
        let (mut first, mut open) = (None, Vec::new());
        loop {
            let left = |nodes: u64| Limits { nodes: limits.nodes.saturating_sub(nodes), ..*limits };
            let Some((at, mut chosen)) = self.pick(&candidates, &left(nodes), &mut nodes) else {
                let answer = self.solve_wider(open, detail, limits, &mut nodes).or(first);
                return answer.map(|(problem, solution)| (problem, Solution { nodes, ..solution }));
            };
            let mut solution = self.solve_completed(&mut chosen, detail, &left(nodes));
            nodes += solution.nodes;
            solution.nodes = nodes;
            let is_over =
                nodes >= limits.nodes || limits.stop.load(Ordering::Relaxed) || !(limits.has_time)();
            if solution.fate != Fate::Unknown || is_over {
                return Some((chosen, solution));
            }
            open.push(chosen.clone());
            first = first.or(Some((chosen, solution)));
            candidates.drain(..=at);
        }
    }

    /// The time is not over and no group has a verdict: asks about each in the larger regions that are left, with more nodes each round.
    fn solve_wider(
        &mut self,
        mut open: Vec<Completed>,
        detail: Detail,
        limits: &Limits<'_>,
        nodes: &mut u64,
    ) -> Option<(Completed, Solution)> {
        let mut round = WIDER_NODES;
        while open.iter().any(|completed| !completed.wider.is_empty()) {
            round = round.saturating_mul(MORE);
            for completed in &mut open {
                let mut unanswered = Vec::new();
                for wider in std::mem::take(&mut completed.wider) {
                    let left = Limits { nodes: limits.nodes.saturating_sub(*nodes), ..*limits };
                    if left.nodes == 0 || limits.stop.load(Ordering::Relaxed) || !(limits.has_time)() {
                        return None;
                    }
                    let solution = self.solve_if_easy(&wider, detail, &left, round);
                    *nodes += solution.nodes;
                    if solution.fate == Fate::Unknown {
                        unanswered.push(wider);
                    } else if !as_good_as_fails(&solution, mover(&wider))
                        && !can_hardly_fail(&solution, &wider)
                    {
                        completed.remarks.push(larger_region(&wider));
                        return Some((Completed { problem: wider, ..completed.clone() }, solution));
                    }
                }
                completed.wider = unanswered;
            }
        }
        None
    }

    /// Solves a problem as far as the limits allow. Where the target was guessed and the side to move fails, or as good as fails, or can hardly
    /// fail, there is no verdict: the fate is unknown, and a remark says what was found. A group that does not live gets more of the board before that is said.
    pub fn solve_completed(
        &mut self,
        completed: &mut Completed,
        detail: Detail,
        limits: &Limits<'_>,
    ) -> Solution {
        let mut solution = self.solve_in_turn(completed, detail, limits);
        let mut nodes = solution.nodes;
        while !completed.wider.is_empty() {
            if !completed.is_target_guessed || !as_good_as_fails(&solution, mover(&completed.problem)) {
                break;
            }
            let left = Limits { nodes: limits.nodes.saturating_sub(nodes), ..*limits };
            let answer = self.solve_if_easy(&completed.wider[0], detail, &left, nodes.max(WIDER_NODES));
            nodes += answer.nodes;
            if answer.fate == Fate::Unknown {
                break;
            }
            completed.problem = completed.wider.remove(0);
            completed.remarks.push(larger_region(&completed.problem));
            solution = answer;
        }
        solution.nodes = nodes;
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

    /// Solves a problem or a smaller question that goes with it, and leaves the one that was decided.
    fn solve_in_turn(&mut self, completed: &mut Completed, detail: Detail, limits: &Limits<'_>) -> Solution {
        let (mut nodes, mut round) = (0, FIRST_ROUND);
        let left = |nodes: u64| Limits { nodes: limits.nodes.saturating_sub(nodes), ..*limits };
        let mut smaller = std::mem::take(&mut completed.smaller).into_iter().peekable();
        while let Some(question) = smaller.peek() {
            let mut solution = self.solve_if_easy(&completed.problem, detail, &left(nodes), round);
            nodes += solution.nodes;
            let is_over =
                |nodes| nodes >= limits.nodes || limits.stop.load(Ordering::Relaxed) || !(limits.has_time)();
            if solution.fate != Fate::Unknown || is_over(nodes) {
                solution.nodes = nodes;
                return solution;
            }
            let more = round.saturating_mul(MORE);
            let (answer, spent) = self.outright(question, &left(nodes), more);
            nodes += spent;
            let may_be_believed = match answer {
                None => {
                    round = more;
                    continue;
                }
                Some(Outright::Lives) => true,
                Some(Outright::Dies) => completed.is_target_guessed,
                Some(Outright::Neither) => false,
            };
            let Some(question) = smaller.next().filter(|_| may_be_believed) else { continue };
            let mut solution =
                self.solve_if_easy(&question, detail.max(Detail::AllMoves), &left(nodes), u64::MAX);
            nodes += solution.nodes;
            let has_one_answer = solution.right_moves.len() == 1 && solution.undecided.is_empty();
            if solution.fate == Fate::Lives || has_one_answer {
                completed.remarks.push(format!(
                    "decided for the group at {} in a smaller region, {} empty points",
                    Move::Play(question.targets()[0]).to_gtp(question.board().size()),
                    question.empty_points()
                ));
                completed.problem = question;
                solution.nodes = nodes;
                return solution;
            }
        }
        let mut solution = self.solve_if_easy(&completed.problem, detail, &left(nodes), u64::MAX);
        solution.nodes += nodes;
        solution
    }

    fn fit(&mut self, candidate: &Completed, limits: &Limits<'_>, nodes: &mut u64) -> Fit {
        let left = |nodes: u64| Limits { nodes: NODES.min(limits.nodes.saturating_sub(nodes)), ..*limits };
        let problem = &candidate.problem;
        let side = mover(problem);
        let first = self.solve_if_easy(problem, Detail::Fate, &left(*nodes), u64::MAX);
        *nodes += first.nodes;
        match (first.fate, first.succeeds(side)) {
            (Fate::Unknown, _) => return Fit::Unknown,
            (_, Some(false)) => return Fit::Settled,
            _ => {}
        }
        let second =
            self.solve_if_easy(&problem.with_other_side_first(), Detail::Fate, &left(*nodes), u64::MAX);
        *nodes += second.nodes;
        match second.fate {
            Fate::Unknown => Fit::Unknown,
            fate if is_better(first.fate, fate, side) => Fit::Unsettled,
            _ => Fit::Settled,
        }
    }
}

fn larger_region(wider: &Problem) -> String {
    let empty = wider.empty_points();
    format!("the group does not live there: asked again in a larger region, {empty} empty points")
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
