//! The paper and its figures: Fuego with reply tables against Fuego, 9×9, Chinese rules, komi 6.5, 10 seconds a move.

use crate::report::Heading;

/// The top of the report.
pub const HEADING: Heading = Heading {
    title: "Last good replies",
    paper: "A. Nakamura, H. Tominaga, Y. Maekawa: evaluation of LGRF with expanded nodes in Fuego (in Japanese), 2017",
    summary: "A reply table remembers which move answered another in a won simulation, and playouts play that reply again; a lost simulation \
        makes it forget (LGRF: last good reply with forgetting). The paper keeps the replies made within the tree, at expanded nodes (EN), \
        in tables of their own. Here an engine with such tables plays the same engine without, each opening once with either colour. Numbers in \
        brackets are 95 % intervals; three games or fewer have none.",
    terms: &[
        (
            "variant",
            "the engine with reply tables, by the name of its preset: lgrf-1 and lgrf-2 remember replies of playouts to one and to two \
            moves before, lgrf-en-1 and lgrf-en-2 also those of the tree, lgrf-classic-1 and -2 keep both in one table; ppa has no replies, but random \
            moves that adapt (playout policy adaptation, n-grams of two moves); `-light` has random playouts",
        ),
        ("against", "its opponent: the same engine without tables"),
        ("games", "games played"),
        ("black wins", "games that the variant won with Black"),
        ("white wins", "games that it won with White"),
        ("win %", "its share of the games that somebody won"),
        ("p", "how probable a result at least this uneven is between equal engines"),
        ("paper games", "games of this variant in the paper"),
        ("paper win %", "its share of wins in the paper"),
        ("side", "the variant, or its opponent in the same games"),
        ("playouts/move", "simulations for each move of the game"),
        ("ms/move", "milliseconds of the processor for each move of the game"),
        (
            "EN-2 %",
            "moves of playouts that were replies of the tree to the two moves before, in per cent of all moves of playouts",
        ),
        ("EN-1 %", "the same for replies of the tree to one move"),
        ("LGRF-2 %", "the same for replies of playouts to two moves"),
        ("LGRF-1 %", "the same for replies of playouts to one move"),
        ("random %", "moves of playouts that no rule proposed"),
        ("moves/playout", "moves of a playout, on average"),
    ],
};

/// Result of a variant: its preset's name without what follows the number of moves, games, and wins with Black and with White.
pub(super) struct PaperResult {
    pub(super) preset: &'static str,
    pub(super) games: u64,
    pub(super) wins: [u64; 2],
}

/// Tables 1 and 2. Of LGRF/EN-1 the paper prints 62.33 %, which its wins do not make.
pub(super) const RESULTS: [PaperResult; 4] = [
    PaperResult { preset: "lgrf-1", games: 3000, wins: [752, 756] },
    PaperResult { preset: "lgrf-2", games: 3000, wins: [767, 753] },
    PaperResult { preset: "lgrf-en-1", games: 900, wins: [285, 270] },
    PaperResult { preset: "lgrf-en-2", games: 900, wins: [255, 269] },
];

/// The paper's result of a variant, on whatever playouts we try it.
pub(super) fn result(preset: &str) -> Option<&'static PaperResult> {
    let name = preset.strip_suffix("-light").unwrap_or(preset);
    RESULTS.iter().find(|result| result.preset == name)
}

impl PaperResult {
    /// Games won, in both colours.
    pub(super) fn won(&self) -> u64 {
        self.wins.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_those_that_the_paper_prints() {
        let share = |preset| result(preset).map(|result| 100.0 * result.won() as f64 / result.games as f64);
        assert!((share("lgrf-1").unwrap() - 50.27).abs() < 0.01);
        assert!((share("lgrf-2-light").unwrap() - 50.67).abs() < 0.01);
        assert!((share("lgrf-en-1").unwrap() - 61.67).abs() < 0.01);
        assert!((share("lgrf-en-2").unwrap() - 58.22).abs() < 0.01);
        assert_eq!(share("lgrf-classic-1"), None);
    }
}
