//! A solution in a sentence, with the names that people have for kos.
//!
//! A ko that one threat turns round is a *direct* one: who takes it first wins it, if nobody has a threat. Where the other side needs two threats, be it for
//! two kos one after the other or for an approach move between two captures of the same, it is a *two-step* ko; and so on.

use crate::problem::Problem;
use crate::side::Side;
use crate::solution::{Fate, Ko, LineEnd, Needs, Solution};

impl Ko {
    /// What people call it.
    pub fn name(self) -> &'static str {
        match self.needs {
            Needs::One => "direct ko",
            Needs::Two => "two-step ko",
            Needs::Many => "ko of three steps or more",
        }
    }
}

impl Solution {
    /// The fate of the target in a sentence.
    pub fn in_words(&self, problem: &Problem) -> String {
        let defender = problem.defender();
        match self.fate {
            Fate::Lives => format!("{defender} {}.", self.verdict()),
            Fate::Dies if self.line.end == LineEnd::ThreatsRunOut => {
                format!("{defender} dies: the ko costs {defender} a threat each time it comes round.")
            }
            Fate::Dies => format!("{defender} dies."),
            Fate::Unknown => "No proof was found.".to_owned(),
            Fate::Ko(ko) => {
                let favoured = if ko.favours == Side::Defender { defender } else { !defender };
                let (is, wish) = match ko.favours {
                    Side::Attacker => ("dies", "live"),
                    Side::Defender => ("lives", "kill"),
                };
                let lead = match ko.needs {
                    Needs::One => format!("A direct ko that {favoured} takes first"),
                    Needs::Two | Needs::Many => format!("A {} in favour of {favoured}", ko.name()),
                };
                let threats = match ko.needs {
                    Needs::One => "one ko threat",
                    Needs::Two => "two ko threats",
                    Needs::Many => "three ko threats or more",
                };
                format!(
                    "{lead}: without ko threats {defender} {is}; to {wish}, {} needs {threats} if {favoured} has none.",
                    !favoured
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::dfpn::Limits;
    use crate::read::{Record, read_diagram, read_json_line};
    use crate::solution::Detail;
    use crate::solver::Solver;
    use std::sync::atomic::AtomicBool;

    fn sentence(record: &Record) -> String {
        let problem = record.draft.clone().complete().unwrap().problem;
        let stop = AtomicBool::new(false);
        let limits = Limits { nodes: 100_000, stop: &stop, has_time: &|| true };
        let solution = Solver::new(1 << 20).solve(&problem, Detail::Line, &limits);
        solution.in_words(&problem)
    }

    #[test]
    fn life_and_death_are_said_plainly() {
        let three = "...@X\n@@@@X\nXXXXX\n.....\nto play: ";
        for (player, expected) in [("X", "White dies."), ("O", "White lives.")] {
            assert_eq!(sentence(&read_diagram(&format!("{three}{player}")).unwrap()), expected);
        }
    }

    /// The own problems are called after who takes first and how many threats the other side needs; White is always the target.
    #[test]
    fn kos_have_their_names() {
        let mut kos = 0;
        for line in include_str!("../../../tests/tsumego/own.jsonl").lines() {
            let record = read_json_line(line).unwrap();
            let is_white_first =
                ["attacker takes second", "defender takes first"].map(|who| record.id.contains(who));
            let (winner, outcome) = if is_white_first.contains(&true) {
                ("White", "White lives; to kill, Black")
            } else {
                ("Black", "White dies; to live, White")
            };
            let names = [
                (
                    "one threat",
                    format!(
                        "A direct ko that {winner} takes first: without ko threats {outcome} needs one ko threat if {winner} has none."
                    ),
                ),
                (
                    "two threats",
                    format!(
                        "A two-step ko in favour of {winner}: without ko threats {outcome} needs two ko threats if {winner} has none."
                    ),
                ),
                (
                    "many threats",
                    format!(
                        "A ko of three steps or more in favour of {winner}: without ko threats {outcome} needs three ko threats or more if {winner} has none."
                    ),
                ),
            ];
            if let Some((_, expected)) = names.iter().find(|(threats, _)| record.id.contains(threats)) {
                assert_eq!(sentence(&record), *expected, "{}", record.id);
                kos += 1;
            } else if record.category == "false eye" {
                assert_eq!(
                    sentence(&record),
                    "White dies: the ko costs White a threat each time it comes round."
                );
            }
        }
        assert!(kos >= 30, "{kos}");
    }
}
