//! Compares a proof with what the author of a problem says.
//!
//! *What authors say.* `unconditional` and `fail`; `ko_good` and `ko_bad`, a ko that the side to move wins or loses if nobody has a threat; or `ko:` with
//! words about it, of which two kinds are understood: who wins it without threats (`good` and `bad` as above, `dies`, `attacker`, `lives`, `defender`), and
//! how many threats the other side needs (`1`, `one`, `2`, `two`, `3`, `many`). A fate in the words of [`Fate`] is such a text. What is
//! said has to be so.

use crate::problem::Problem;
use crate::read::Record;
use crate::side::Side;
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
    /// success, with or without ko. A ko that the opponent wins only with more than two threats passes for success without condition. An author's
    /// move is right if it succeeds in the way the best move does: it lives or kills outright where that is possible, else it reaches a
    /// ko that favours the same side.
    pub fn of(record: &Record, problem: &Problem, solution: &Solution) -> Judgement {
        if solution.fate == Fate::Unknown {
            return Judgement::Undecided;
        }
        let mover = mover(problem);
        if let Some(fate) = record.fate.as_deref().and_then(Fate::parse)
            && fate != Fate::Unknown
            && fate != solution.fate
        {
            return Judgement::Contradicts;
        }
        let success = solution.succeeds(mover);
        if record.result == "fail" {
            let as_bad = Fate::Ko(Ko { favours: !mover, needs: Needs::Many });
            return if success == Some(false) || solution.fate == as_bad {
                Judgement::Agrees
            } else {
                Judgement::Contradicts
            };
        }
        let said_ko = SaidKo::read(&record.result, mover);
        let is_outcome_right = match record.result.as_str() {
            _ if said_ko.is_some() => said_ko.is_some_and(|said| said.fits(solution.fate)),
            "unconditional" => {
                let as_good = Fate::Ko(Ko { favours: mover, needs: Needs::Many });
                success == Some(true) || solution.fate == as_good
            }
            _ if record.accepted.is_empty() => return Judgement::NoAnswer,
            _ => success != Some(false),
        };
        let is_right = |mv| solution.right_moves.contains(mv);
        if !is_outcome_right {
            Judgement::Contradicts
        } else if record.accepted.is_empty() || record.accepted.iter().any(is_right) {
            Judgement::Agrees
        } else if record.accepted.iter().any(|mv| solution.undecided.contains(mv)) {
            Judgement::Undecided
        } else {
            Judgement::Contradicts
        }
    }
}

/// What an author says of a ko.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SaidKo {
    favours: Option<Side>,
    needs: Option<Needs>,
}

impl SaidKo {
    /// Reads a result that names a ko.
    fn read(result: &str, mover: Side) -> Option<SaidKo> {
        let words = result.strip_prefix("ko_").or_else(|| result.strip_prefix("ko:"))?;
        let words = || words.split(|letter: char| !letter.is_alphanumeric());
        let favours = words().find_map(|word| match word {
            "good" => Some(mover),
            "bad" => Some(!mover),
            "dies" | "attacker" => Some(Side::Attacker),
            "lives" | "defender" => Some(Side::Defender),
            _ => None,
        });
        let needs = words().find_map(|word| match word {
            "1" | "one" => Some(Needs::One),
            "2" | "two" => Some(Needs::Two),
            "3" | "three" | "many" => Some(Needs::Many),
            _ => None,
        });
        Some(SaidKo { favours, needs })
    }

    /// Whether a fate is a ko of which all that is said is true.
    fn fits(self, fate: Fate) -> bool {
        let Fate::Ko(ko) = fate else { return false };
        self.favours.is_none_or(|side| side == ko.favours) && self.needs.is_none_or(|needs| needs == ko.needs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Detail, Limits, Solver};
    use std::sync::atomic::AtomicBool;

    fn fits(result: &str, fate: Fate) -> bool {
        SaidKo::read(result, Side::Attacker).unwrap().fits(fate)
    }

    #[test]
    fn a_file_that_does_not_know_the_fate_says_nothing_of_it() {
        let diagram = "X . . . X O .\nX X X X X O .\nO O O O O O .\n. . . . . . .\nto play: O\ngoal: kill";
        let mut record = crate::read_diagram(diagram).unwrap();
        let problem = record.draft.clone().complete().unwrap().problem;
        let limits = Limits { nodes: 1_000, stop: &AtomicBool::new(false), has_time: &|| true };
        let solution = Solver::new(1 << 16).solve(&problem, Detail::AllMoves, &limits);
        for (said, judgement) in [("unknown", Judgement::NoAnswer), ("lives", Judgement::Contradicts)] {
            record.fate = Some(said.to_owned());
            assert_eq!(Judgement::of(&record, &problem, &solution), judgement, "{said}");
        }
    }

    #[test]
    fn kind_and_number_of_a_ko_are_compared() {
        for favours in [Side::Attacker, Side::Defender] {
            for needs in [Needs::One, Needs::Two, Needs::Many] {
                let fate = Fate::Ko(Ko { favours, needs });
                assert!(fits(&fate.to_string(), fate), "{fate}");
                assert!(!fits(&fate.to_string(), Fate::Ko(Ko { favours: !favours, needs })), "{fate}");
                let other = if needs == Needs::One { Needs::Two } else { Needs::One };
                assert!(!fits(&fate.to_string(), Fate::Ko(Ko { favours, needs: other })), "{fate}");
                assert!(!fits(&fate.to_string(), Fate::Lives) && !fits(&fate.to_string(), Fate::Dies));
                assert_eq!(fits("ko_good", fate), favours == Side::Attacker);
                assert_eq!(fits("ko:bad:2", fate), favours == Side::Defender && needs == Needs::Two);
                assert_eq!(fits("ko:1", fate), needs == Needs::One);
                assert!(fits("ko:", fate));
            }
        }
        assert_eq!(SaidKo::read("unconditional", Side::Attacker), None);
    }
}
