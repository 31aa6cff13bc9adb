//! Compares a proof with what the author of a problem says.

use crate::problem::Problem;
use crate::read::Record;
use crate::solution::{Fate, Ko, Needs, Solution};
use crate::solver::mover;
use serde::{Deserialize, Serialize};

/// How a solution and the author's answer agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judgement {
    /// The author's outcome is proved, with one of the author's moves among the right ones.
    Agrees,
    /// The proof says something else. One of the two is wrong about the problem as it was understood.
    Contradicts,
    /// There is no proof, or none for the author's moves.
    Undecided,
    /// The author says nothing that could be compared.
    NoAnswer,
}

impl Judgement {
    /// Compares a solution that knows all best moves with the author's answer. An author who does not name the outcome means
    /// success, with or without ko. A ko that the opponent wins only with more than two threats, such as the bent four in
    /// the corner, passes for success without condition. An author's move is right if it succeeds in the way the best move does:
    /// it lives or kills outright where that is possible, else it reaches a ko that favours the same side. How many threats
    /// the ko then takes is more than authors say.
    pub fn of(record: &Record, problem: &Problem, solution: &Solution) -> Judgement {
        if solution.fate == Fate::Unknown {
            return Judgement::Undecided;
        }
        let success = solution.succeeds(mover(problem));
        if record.result == "fail" {
            let as_bad = Fate::Ko(Ko { favours: !mover(problem), needs: Needs::Many });
            return if success == Some(false) || solution.fate == as_bad {
                Judgement::Agrees
            } else {
                Judgement::Contradicts
            };
        }
        if record.accepted.is_empty() {
            return Judgement::NoAnswer;
        }
        let is_outcome_right = match record.result.as_str() {
            "ko_good" | "ko_bad" => success.is_none(),
            "unconditional" => {
                let as_good = Fate::Ko(Ko { favours: mover(problem), needs: Needs::Many });
                success == Some(true) || solution.fate == as_good
            }
            _ => success != Some(false),
        };
        if !is_outcome_right {
            Judgement::Contradicts
        } else if record.accepted.iter().any(|mv| solution.right_moves.contains(mv)) {
            Judgement::Agrees
        } else if record.accepted.iter().any(|mv| solution.undecided.contains(mv)) {
            Judgement::Undecided
        } else {
            Judgement::Contradicts
        }
    }
}
