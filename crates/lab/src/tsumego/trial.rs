//! The work: proofs of problems, and searches of those that have a right answer.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use tesuji_board::Move;
use tesuji_solve::{Detail, Fate, Judgement, Limits, Problem, ProofRule, Record, Solver, UctSearch, mover};

use super::comparison::TRIVIAL;
use super::curve::{Curve, Needed, checkpoints};

/// Number of seeds with which plain UCT finds out how long a problem has to be searched.
const PILOT_SEEDS: u64 = 40;

/// Playouts of the first of these attempts; the next one has twice as many.
const FIRST_ATTEMPT: u64 = 64;

/// How much longer than plain UCT needs every rule may search.
const PATIENCE: f64 = 4.0;

/// What the prover says of a problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proof {
    /// What becomes of the target.
    pub fate: Fate,
    /// Whether the file says the same.
    pub judgement: Judgement,
    /// All best first moves, as SGF has them; empty if there is a doubt about one.
    pub best_moves: Vec<String>,
    /// Nodes searched.
    pub nodes: u64,
    /// Time it took.
    pub seconds: f64,
}

impl Proof {
    /// Proves a problem with all its first moves as far as the nodes allow; nothing if `stop` was raised.
    pub fn find(
        solver: &mut Solver,
        record: &Record,
        problem: &Problem,
        nodes: u64,
        stop: &AtomicBool,
    ) -> Option<Proof> {
        let started = Instant::now();
        let limits = Limits { nodes, stop, has_time: &|| true };
        let solution = solver.solve(problem, Detail::AllMoves, &limits);
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let size = problem.board().size();
        let is_sure = solution.undecided.is_empty();
        let best_moves = solution.best_moves.iter().filter(|_| is_sure).map(|mv| mv.to_sgf(size));
        Some(Proof {
            fate: solution.fate,
            judgement: Judgement::of(record, problem, &solution),
            best_moves: best_moves.collect(),
            nodes: solution.nodes,
            seconds: started.elapsed().as_secs_f64(),
        })
    }
}

/// A problem with right and wrong first moves.
pub struct Exercise {
    /// The problem.
    pub problem: Problem,
    /// All right first moves.
    pub right: Vec<Move>,
    fate: Fate,
}

/// How hard an exercise is for plain UCT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hardness {
    /// Far too easy to compare anything.
    Trivial,
    /// Worth searching with up to so many playouts.
    Within(u64),
    /// It needs more playouts than are allowed.
    Beyond,
}

impl Exercise {
    /// An exercise of a proved problem; nothing if the side to move fails, or succeeds with any move.
    pub fn new(problem: Problem, proof: &Proof) -> Option<Exercise> {
        let size = problem.board().size();
        let right: Vec<Move> =
            proof.best_moves.iter().filter_map(|mv| Move::from_sgf(mv, size).ok()).collect();
        let exercise = Exercise { problem, right, fate: proof.fate };
        // Where the side to move fails, all moves are equally good.
        let is_open = exercise.search().candidates().any(|candidate| !exercise.right.contains(&candidate.mv));
        (is_open && !exercise.right.is_empty()).then_some(exercise)
    }

    /// How hard it is, by a few searches with the seeds from `first_seed` on; nothing if `stop` was raised.
    pub fn hardness(&self, first_seed: u64, most: u64, stop: &AtomicBool) -> Option<Hardness> {
        let mut limit = FIRST_ATTEMPT;
        while limit <= most {
            let curve = self.measure(ProofRule::UCT, first_seed..first_seed + PILOT_SEEDS, limit, stop)?;
            match curve.needed() {
                Needed::Playouts(needed) if needed < TRIVIAL / 2.0 => return Some(Hardness::Trivial),
                Needed::Playouts(needed) => {
                    return Some(Hardness::Within(last_checkpoint((needed * PATIENCE) as u64)));
                }
                Needed::MoreThan(_) => limit *= 2,
            }
        }
        Some(Hardness::Beyond)
    }

    /// Searches once with each seed; nothing if `stop` was raised.
    pub fn measure(
        &self,
        rule: ProofRule,
        seeds: Range<u64>,
        limit: u64,
        stop: &AtomicBool,
    ) -> Option<Curve> {
        let mut search = self.search();
        let mut curve = Curve { limit, right: Vec::new(), proved: Vec::new() };
        for seed in seeds {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            search.restart(rule, seed);
            let mut right = 0;
            for (k, playouts) in checkpoints(limit).enumerate() {
                search.run_to(playouts);
                right |= u64::from(self.right.contains(&search.best_move())) << k;
            }
            curve.right.push(right);
            curve.proved.push(search.winner().map_or(0, |_| search.playouts()));
        }
        Some(curve)
    }

    fn search(&self) -> UctSearch {
        let threats = self.fate.decisive_threats(mover(&self.problem));
        UctSearch::new(&self.problem, threats, ProofRule::UCT, 0)
    }
}

/// The last checkpoint up to a number of playouts.
fn last_checkpoint(playouts: u64) -> u64 {
    checkpoints(playouts).last().unwrap_or(FIRST_ATTEMPT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_solve::read_diagram;

    /// Straight three: the middle is the only move, whoever plays first.
    fn straight_three(to_move: &str) -> (Record, Problem) {
        let record = read_diagram(&format!("...@X\n@@@@X\nXXXXX\n.....\nto play: {to_move}\n")).unwrap();
        let problem = record.draft.clone().complete().unwrap().problem;
        (record, problem)
    }

    fn prove((record, problem): &(Record, Problem)) -> Proof {
        let stop = AtomicBool::new(false);
        Proof::find(&mut Solver::new(1 << 20), record, problem, 100_000, &stop).unwrap()
    }

    #[test]
    fn a_proved_problem_with_wrong_moves_is_an_exercise() {
        let problem = straight_three("X");
        let proof = prove(&problem);
        assert_eq!((proof.fate, proof.best_moves.as_slice()), (Fate::Dies, ["ba".to_owned()].as_slice()));
        assert!(Exercise::new(problem.1.clone(), &proof).is_some());
        let in_doubt = Proof { best_moves: Vec::new(), ..proof };
        assert!(Exercise::new(problem.1, &in_doubt).is_none());
        // Two points: dead, whoever plays.
        let record = read_diagram("..@X\n@@@X\nXXXX\n....\nto play: O\ngoal: live").unwrap();
        let problem = record.draft.clone().complete().unwrap().problem;
        let proof = prove(&(record, problem.clone()));
        assert_eq!(proof.fate, Fate::Dies);
        assert!(Exercise::new(problem, &proof).is_none());
    }

    #[test]
    fn searches_are_counted_at_the_checkpoints() {
        let problem = straight_three("O");
        let exercise = Exercise::new(problem.1.clone(), &prove(&problem)).unwrap();
        let stop = AtomicBool::new(false);
        assert_eq!(exercise.hardness(0, 1000, &stop), Some(Hardness::Trivial));
        let curve = exercise.measure(ProofRule::UCT, 5..25, 64, &stop).unwrap();
        assert_eq!((curve.limit, curve.right.len(), curve.proved.len()), (64, 20, 20));
        assert_eq!(curve.shares().last(), Some(&1.0));
        assert!(curve.proved.iter().all(|&playouts| (1..=64).contains(&playouts)), "{:?}", curve.proved);
        assert_eq!(exercise.measure(ProofRule::UCT, 5..25, 64, &stop), Some(curve), "seeds determine it");
        stop.store(true, Ordering::Relaxed);
        assert_eq!(exercise.measure(ProofRule::UCT, 5..25, 64, &stop), None);
    }
}
