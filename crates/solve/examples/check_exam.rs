//! Compares the solver with the reference for larger regions: `cargo run --release -p tesuji-solve --example check_exam -- wide 100 1 9 14 2000000` makes
//! 100 problems of the kind `wide` with seed 1 that have 9 to 14 empty points, gives the reference 2,000,000 positions for each, and prints a table by empty points and
//! each problem with two answers.
//!
//! The kinds: `usual`, `wide` and `kos` are groups closed in on 19×19 (`tests/proof/walled.rs`), `any` small boards with all kinds of boundaries (`random_problem.rs`); with `-ko` behind it, only what the
//! solver calls a ko.

#[allow(dead_code)]
#[path = "../tests/proof/compare.rs"]
mod compare;
#[allow(dead_code)]
#[path = "../tests/proof/plain.rs"]
mod plain;
#[allow(dead_code)]
#[path = "../tests/proof/random_problem.rs"]
mod random_problem;
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

use compare::{Compared, compare};
use random_problem::{LARGE, random_problem};
use reference::Verdict;
use rng::Rng;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use tesuji_solve::{Detail, Fate, Limits, Problem, Solver};
use walled::{KOS, Scale, USUAL, random_draft_of};

/// Nodes of the solver for each problem.
const NODES: u64 = 300_000;

/// Wide areas, where a ko is seldom in the way of two eyes.
const WIDE: Scale = Scale { area: (6, 12), kos: (1, 2) };

/// What was seen with some number of empty points.
#[derive(Default)]
struct Row {
    made: usize,
    too_large: usize,
    undecided: usize,
    /// Lives, dies, kos.
    same: [usize; 3],
    different: usize,
    most_positions: usize,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, usual: usize| words.get(at).and_then(|text| text.parse().ok()).unwrap_or(usual);
    let kind = words.first().map_or("usual", String::as_str);
    let (kind, only_kos) = kind.strip_suffix("-ko").map_or((kind, false), |kind| (kind, true));
    let [problems, seed, least, most, positions] =
        [(1, 100), (2, 1), (3, 9), (4, 14), (5, 2_000_000)].map(|(at, usual)| number(at, usual));
    let mut rng = Rng::new(seed as u64);
    let mut solver = Solver::new(64 << 20);
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: NODES, stop: &stop, has_time: &|| true };
    let mut rows: BTreeMap<usize, Row> = BTreeMap::new();
    let mut made = 0;
    while made < problems {
        let Some(problem) = random(&mut rng, kind) else { continue };
        let empty = problem.empty_points();
        if !(least..=most).contains(&empty) || !plain::question(&problem).has_possible_ban() {
            continue;
        }
        if only_kos && !matches!(solver.solve(&problem, Detail::Fate, &limits).fate, Fate::Ko(_)) {
            continue;
        }
        made += 1;
        let row = rows.entry(empty).or_default();
        row.made += 1;
        match compare(&problem, &mut solver, &limits, positions) {
            Compared::TooLarge => row.too_large += 1,
            Compared::Undecided => row.undecided += 1,
            Compared::Same { verdict, positions } => {
                row.most_positions = row.most_positions.max(positions);
                row.same[match verdict {
                    Verdict::Lives => 0,
                    Verdict::Dies => 1,
                    Verdict::Ko { .. } => 2,
                }] += 1;
            }
            Compared::Different(text) => {
                row.different += 1;
                println!("{text}\n");
            }
        }
    }
    println!(
        "| empty points | made | too large | undecided | lives, dies, ko agree | disagree | most positions |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (empty, row) in &rows {
        let Row { made, too_large, undecided, same: [lives, dies, kos], different, most_positions } = row;
        println!(
            "| {empty} | {made} | {too_large} | {undecided} | {lives}, {dies}, {kos} | {different} | {most_positions} |"
        );
    }
}

fn random(rng: &mut Rng, kind: &str) -> Option<Problem> {
    let scale = match kind {
        "any" => return random_problem(rng, &LARGE),
        "wide" => &WIDE,
        "kos" => &KOS,
        _ => &USUAL,
    };
    Some(random_draft_of(rng, scale)?.complete().ok()?.problem)
}
