//! The paper and its figures: 150 problems on 19×19, a processor of 2002, light playouts.

use crate::report::Heading;

/// The top of the report.
pub const HEADING: Heading = Heading {
    title: "DFUCT against UCT",
    paper: "H. Yoshimoto, A. Kishimoto, T. Kaneko, K. Yoshizoe: Depth-First UCT and Its Application to Go, 2008",
    summary: "UCT begins every simulation at the root of its tree. DFUCT is a depth-first walk: it stays below a node as long as the best \
        move there keeps its lead over the second, so it makes fewer moves within the tree. The paper asks how much that saves and whether the \
        answers suffer. Here the same problems are searched by UCT, by the paper's DFUCT and by an exact DFUCT of our own, which also \
        looks at the third move and visits the same leaves as UCT. Numbers in brackets are 95 % intervals over the problems; three \
        problems or fewer have none.",
    terms: &[
        (
            "board",
            "size of the board, and the kind of playouts: light ones are random, heavy ones are the engine's",
        ),
        ("playouts", "simulations made when the row was noted; each ends in one playout"),
        (
            "problems",
            "problems that the row rests on; those whose result was proven before are left out, except for right answers",
        ),
        ("way", "the walk through the tree: UCT, DFUCT or exact DFUCT"),
        (
            "UCT per playout",
            "re-expansions of UCT in each simulation; a re-expansion is a move into a node that has all its children already",
        ),
        ("DFUCT / UCT", "re-expansions of DFUCT divided by those of UCT"),
        ("exact / UCT", "the same for the exact DFUCT"),
        ("paper: DFUCT / UCT", "the same in the paper"),
        (
            "of checks, %",
            "a check compares the best move with the second at one node; the share in which a third move had overtaken the second, unseen by DFUCT",
        ),
        ("of conditions, %", "the same share of all times that DFUCT noted a best and a second move"),
        ("wrong decisions, % of playouts", "simulations that went to another leaf than UCT's"),
        ("paper, %", "the share that the paper gives"),
        ("UCT, %", "problems of which the most visited move is right"),
        ("DFUCT, %", "the same for DFUCT"),
        ("exact DFUCT, %", "the same for the exact DFUCT"),
        ("only UCT", "problems that UCT has right and DFUCT wrong"),
        ("only DFUCT", "problems that DFUCT has right and UCT wrong"),
        ("paper: both, %", "right answers of both in the paper, read off its figure"),
        ("µs per playout", "microseconds of the processor for a simulation"),
        ("of it playout", "the part of that time spent in playouts"),
        ("of it tree", "the rest: walking through the tree and updating it"),
        ("paper: µs", "microseconds for a simulation in the paper"),
        ("paper: tree", "the part of the tree in the paper"),
        ("time saved, %", "time that the walk saves against UCT on the same problem"),
        ("of the tree's, %", "the same for the time in the tree alone"),
        ("paper: time, %", "time that DFUCT saves in the paper"),
        ("paper: tree's, %", "the same for the time in the tree alone"),
    ],
};

/// Internal re-expansions of DFUCT relative to UCT, by playouts (text below its figure 4).
pub(super) const REEXPANSIONS: [(u64, f64); 2] = [(100_000, 0.67), (700_000, 0.56)];

/// Per cent of cases in which a third move overtook the second, whatever the playouts (section 5.2).
pub(super) const OVERTAKEN: (f64, f64) = (2.53, 2.57);

/// Right answers at which both level off, of 150 (text below figure 3, read from it).
pub(super) const RIGHT: (u32, u32) = (80, 150);

/// Microseconds per simulation: playouts, UCT, its playout part, DFUCT, its playout part (table 2).
pub(super) const TIMES: [(u64, [f64; 4]); 12] = [
    (100_000, [204.7, 178.0, 200.4, 176.0]),
    (200_000, [203.6, 176.2, 199.3, 175.0]),
    (300_000, [204.6, 176.1, 199.5, 175.1]),
    (400_000, [204.2, 175.3, 199.0, 174.4]),
    (500_000, [204.6, 174.9, 199.1, 174.3]),
    (600_000, [206.9, 177.4, 199.2, 174.2]),
    (700_000, [205.1, 174.1, 199.7, 174.2]),
    (800_000, [205.7, 175.0, 199.0, 173.6]),
    (1_000_000, [208.5, 177.0, 198.4, 172.9]),
    (1_200_000, [206.0, 173.1, 199.9, 173.3]),
    (1_400_000, [207.1, 174.0, 197.7, 171.6]),
    (1_600_000, [207.9, 173.7, 198.9, 172.5]),
];

/// Per cent of UCT's time that DFUCT saved: of all, and of what is not playouts.
pub(super) fn savings(playouts: u64) -> Option<(f64, f64)> {
    let (_, [uct, uct_playout, dfuct, dfuct_playout]) = TIMES.iter().find(|(at, _)| *at == playouts)?;
    let (uct_tree, dfuct_tree) = (uct - uct_playout, dfuct - dfuct_playout);
    Some((100.0 * (1.0 - dfuct / uct), 100.0 * (1.0 - dfuct_tree / uct_tree)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn savings_are_those_that_the_paper_speaks_of() {
        let (total, tree) = savings(100_000).unwrap();
        assert!((total - 2.1).abs() < 0.05 && (tree - 8.6).abs() < 0.05, "{total} {tree}");
        let (total, tree) = savings(1_600_000).unwrap();
        assert!((total - 4.3).abs() < 0.05 && (tree - 22.8).abs() < 0.05, "{total} {tree}");
        assert_eq!(savings(1), None);
    }
}
