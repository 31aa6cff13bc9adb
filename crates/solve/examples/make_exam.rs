//! Makes an examination for the solver: `cargo run --release -p tesuji-solve --example make_exam -- 600 1 > exam.jsonl` writes 600 problems made
//! with seed 1, then `tesuji solve exam.jsonl --time 1 --list` answers them.
//!
//! The problems are those of `tests/proof/walled.rs`. The answer comes from the reference of the tests for larger
//! regions, which knows nothing of the solver; where that would take too many positions the problem has none. `check_exam.rs` compares the two.

#[allow(dead_code)]
#[path = "../tests/proof/plain.rs"]
mod plain;
#[allow(dead_code)]
#[path = "../tests/proof/reference.rs"]
mod reference;
#[allow(dead_code)]
#[path = "../tests/proof/rng.rs"]
mod rng;
#[allow(dead_code)]
#[path = "../tests/proof/walled.rs"]
mod walled;
#[allow(dead_code)]
#[path = "../tests/proof/wide/mod.rs"]
mod wide;

use reference::Verdict;
use rng::Rng;
use std::ops::RangeInclusive;
use tesuji_solve::{Draft, Fate, Ko, Line, LineEnd, Needs, Problem, Record, Side, Solution, write_json_line};

/// Empty points that a problem has.
const EMPTY: RangeInclusive<usize> = 4..=16;

/// Most positions that the reference looks at.
const POSITIONS: usize = 1_000_000;

fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let [problems, seed] = [(0, 600), (1, 1)].map(|(at, usual)| numbers.get(at).copied().unwrap_or(usual));
    let mut rng = Rng::new(seed);
    let mut made = 0;
    while made < problems {
        let Some(problem) = walled::random_draft(&mut rng).and_then(|draft| draft.complete().ok()) else {
            continue;
        };
        let problem = problem.problem;
        let is_wanted = EMPTY.contains(&problem.empty_points());
        if is_wanted && plain::question(&problem).has_possible_ban() {
            made += 1;
            println!("{}", line(&problem, made));
        }
    }
}

/// A problem as a line, with its answer if there is one.
fn line(problem: &Problem, number: u64) -> String {
    let question = plain::question(problem);
    let answer = wide::answer(&question, POSITIONS);
    let draft = Draft::new(problem.board().clone(), problem.to_move());
    let name = if answer.is_some() { "known" } else { "unknown" };
    let id = format!("exam/{number:04}/{:02}/{name}", problem.empty_points());
    let record =
        Record { id, source: "exam".into(), category: "life_and_death".into(), ..Record::new(draft) };
    let line = Line { moves: Vec::new(), after_threat: Vec::new(), end: LineEnd::Open };
    let solution = Solution {
        fate: answer.as_ref().map_or(Fate::Unknown, |answer| fate(answer.verdict)),
        best_moves: answer.as_ref().map_or_else(Vec::new, |answer| plain::names(problem, &answer.best)),
        is_seki: false,
        right_moves: Vec::new(),
        undecided: Vec::new(),
        line,
        refutations: Vec::new(),
        nodes: 0,
    };
    write_json_line(&record, problem, &solution)
}

fn fate(verdict: Verdict) -> Fate {
    match verdict {
        Verdict::Lives => Fate::Lives,
        Verdict::Dies => Fate::Dies,
        Verdict::Ko { attacker_wins, needs } => Fate::Ko(Ko {
            favours: if attacker_wins { Side::Attacker } else { Side::Defender },
            needs: [Needs::One, Needs::Two, Needs::Many][needs.clamp(1, 3) - 1],
        }),
    }
}
