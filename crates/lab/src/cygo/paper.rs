//! The paper and its figures: Cygo against Ray, 19×19, 6,000 playouts a move, 500 games a row.

use super::{BEST, SHARE, THRESHOLD};
use crate::report::Heading;
use crate::variant::Arm;

/// The top of the report.
pub const HEADING: Heading = Heading {
    title: "Networks and playouts in one tree",
    paper: "M. Itoh, A. Itoh: Go Algorithm Based on Deep Learning and Playout (in Japanese), 2019",
    summary: "The value of a move is λ parts the mean of its playouts and 1 − λ parts the mean of a network's values; a leaf gets the network's \
        moves after a number of playouts. The paper plays this search against Ray, whose playouts it uses, at equal playouts. Here the engine with a \
        network plays the engine without one, each opening once with either colour. Numbers in brackets are 95 % intervals; three games or fewer have none.",
    terms: &[
        ("variant", "the engine with a network: its preset and the parameters that differ"),
        ("against", "its opponent, by its preset"),
        (
            "λ",
            "the playouts' part in the value of a move: at 1 the network only names moves, at 0 playouts count for nothing",
        ),
        ("threshold", "visits of a leaf before it gets the network's moves"),
        ("games", "games played"),
        ("wins", "games that the variant won"),
        ("win %", "its share of the games that somebody won"),
        (
            "p",
            "how probable a result at least this uneven is between equal engines: the exact binomial test, two-sided",
        ),
        ("paper win %", "the share that the paper's program won of 500 games with these parameters"),
        ("playouts/move", "simulations for each move of the game"),
        ("ms/move", "milliseconds of the processor for each move of the game"),
        ("its opponent's", "the same of its opponent in these games"),
    ],
};

/// λ, threshold, and games won of 500: tables 5 and 6.
const RESULTS: [(&str, &str, usize); 10] = [
    ("0.3", "20", 117),
    ("0.4", "20", 172),
    ("0.5", "20", 231),
    ("0.6", "20", 277),
    ("0.7", "20", 343),
    ("0.8", "20", 327),
    ("0.7", "10", 330),
    ("0.7", "15", 332),
    ("0.7", "25", 320),
    ("0.7", "30", 324),
];

/// Games of a row of the paper.
pub(super) const GAMES: usize = 500;

/// The two parameters of a variant, as far as it names them; those of `cygo` that it does not name are the paper's best.
pub(super) fn parameters(arm: &Arm) -> (Option<&str>, Option<&str>) {
    let value = |name: &str, usual: &'static str| {
        let named = |switch: &'_ String| switch.split_once('=').is_some_and(|pair| pair.0 == name);
        let found = arm
            .switches
            .iter()
            .find(|switch| named(switch))
            .and_then(|switch| Some(switch.split_once('=')?.1));
        found.or((arm.preset == "cygo").then_some(usual))
    };
    (value(SHARE, BEST.0), value(THRESHOLD, BEST.1))
}

/// The games that the paper's program won with the parameters of a variant, if it tried them.
pub(super) fn wins(arm: &Arm) -> Option<usize> {
    let found = parameters(arm);
    RESULTS.iter().find(|row| (Some(row.0), Some(row.1)) == found && arm.preset == "cygo").map(|row| row.2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cygo::sweeps;

    #[test]
    fn every_row_of_the_paper_is_a_variant() {
        let found: Vec<usize> = sweeps("rave").iter().filter_map(wins).collect();
        assert_eq!(found, [117, 172, 231, 277, 343, 327, 330, 332, 320, 324]);
        assert_eq!(100 * 343 / GAMES, 68);
    }
}
